package convert

import "clawh5/core/internal/format"

// unpack makes 64-bit integers of integers that have bits to spare or a size
// that the machine has no integer of. Bits outside the precision are ignored.
func unpack(d *format.Datatype) (kind, Conversion, bool) {
	size, offset, precision := int(d.Size), uint(d.BitOffset), uint(d.Precision)
	if size > 8 || precision == 0 || offset+precision > 8*uint(size) || d.Order == format.VAX {
		return 0, Conversion{}, false
	}
	to := uint64s
	if d.Signed {
		to = int64s
	}
	big, above := d.Order == format.BigEndian, 64-precision
	return to, Conversion{SrcSize: size, DstSize: 8, InPlace: size == 8, Run: func(dst, src []byte, n int) {
		out := view[uint64](dst, n)
		for i := range out {
			x := word(src[i*size:i*size+size], big) >> offset << above
			if d.Signed {
				out[i] = uint64(int64(x) >> above)
			} else {
				out[i] = x >> above
			}
		}
	}}, true
}

func word(b []byte, big bool) uint64 {
	var x uint64
	for i := range b {
		if big {
			x = x<<8 | uint64(b[i])
		} else {
			x |= uint64(b[i]) << (8 * i)
		}
	}
	return x
}
