package convert

import (
	"math"

	"clawh5/core/internal/format"
)

// bfloat16 is the upper half of IEEE 754's binary32.
var bfloat16 = format.FloatProperties{SignLocation: 15, ExponentLocation: 7, ExponentSize: 8, MantissaSize: 7, ExponentBias: 127,
	Normalization: format.MSBImplied}

// fromBfloat16 converts bfloat16 to what has all of its values, or cuts them:
// there is nothing to round.
func fromBfloat16(src *format.Datatype, to kind) (Conversion, bool) {
	if src.Class != format.FloatingPoint || src.Size != 2 || src.Order == format.VAX || src.BitOffset != 0 || src.Precision != 16 {
		return Conversion{}, false
	}
	if layout := *src.Float; layout.InternalPad == 0 && layout == bfloat16 {
		switch to {
		case float16s:
			return Conversion{}, false
		case float64s:
			return chain(inOrder(src), Conversion{SrcSize: 2, DstSize: 8, Run: bfloatsToDoubles}), true
		}
		return chain(inOrder(src), chain(Conversion{SrcSize: 2, DstSize: 4, Run: bfloatsToFloats}, between(float32s, to))), true
	}
	return Conversion{}, false
}

func bfloatsToFloats(dst, src []byte, n int) {
	d := view[uint32](dst, n)
	for i, h := range view[uint16](src, n) {
		d[i] = uint32(h) << 16
		if h&0x7fff > 0x7f80 { // NaN
			d[i] |= 0x7fffffff
		}
	}
}

func bfloatsToDoubles(dst, src []byte, n int) {
	d := view[uint64](dst, n)
	for i, h := range view[uint16](src, n) {
		if d[i] = math.Float64bits(float64(math.Float32frombits(uint32(h) << 16))); h&0x7fff > 0x7f80 {
			d[i] = uint64(h>>15)<<63 | math.MaxInt64
		}
	}
}
