package filter

import (
	"encoding/binary"
	"math"
	"strconv"
)

// scaleOffset is filter 6 of the HDF5 library: numbers as their distance from
// the smallest of the chunk, in as many bits as the largest distance needs.
//
//	0   4 bytes  bits of a distance (little-endian, as all of this)
//	4   1 byte   bytes of the smallest number
//	5   16 bytes room for the smallest number
//	21           distances, a row of bits, the most significant first
//
// Where the dataset has a fill value, the distance of all ones stands for it.
// Where numbers need all of their bits they follow the header as they are, but
// little-endian. A float is multiplied by a power of ten and rounded before; its
// smallest number is stored as a float.
type scaleOffset struct{}

// Parameters by position; the fill value begins at the last.
const (
	soScaleType = iota
	soScaleFactor
	soElements
	soClass
	soElemSize
	_ // sign: sums wrap around all the same
	soByteOrder
	soFillDefined
	soFill

	soParams = 20
)

const (
	soFloatDecimal = 0 // scale types
	soFloatBinary  = 1
	soInteger      = 2

	soHeader = 21
)

func (scaleOffset) Decode(dst, src []byte, params []uint32, _, limit int) ([]byte, error) {
	c, err := newScaleCode(params)
	if err != nil {
		return nil, err
	}
	if c.plain {
		return appendPlain(ScaleOffset, dst, src, limit)
	}
	if len(src) < soHeader {
		return nil, corrupt(ScaleOffset, "%d bytes, fewer than its header", len(src))
	}
	size := uint64(c.elements) * uint64(c.size)
	if size > uint64(max(limit, 0)) {
		return nil, tooLarge(ScaleOffset, limit)
	}
	bits := binary.LittleEndian.Uint32(src)
	if bits > 8*uint32(c.size) {
		return nil, corrupt(ScaleOffset, "%d bits for elements of %d bytes", bits, c.size)
	}
	if have := uint64(len(src)-soHeader) * 8; have < uint64(c.elements)*uint64(bits) {
		return nil, corrupt(ScaleOffset, "%d bits, fewer than %d of %d", have, c.elements, bits)
	}
	c.header(src[:soHeader], uint(bits))
	dst = grow(dst, int(size))
	out := dst[len(dst) : len(dst)+int(size)]
	c.expand(out, &bitReader{src: src[soHeader:]})
	return dst[:len(dst)+len(out)], nil
}

// appendPlain is the decoding of a chunk that the filter left as it was.
func appendPlain(id ID, dst, src []byte, limit int) ([]byte, error) {
	if len(src) > limit {
		return nil, tooLarge(id, limit)
	}
	return append(dst, src...), nil
}

// scaleCode says what a distance stands for.
type scaleCode struct {
	elements  uint32
	size      int
	bigEndian bool
	float     bool
	plain     bool // chunks are stored as they are
	factor    int32

	bits        uint
	fillDefined bool
	fillCode    uint64
	fill        uint64 // bits of the fill value
	least       uint64 // bits of the smallest number
	scale       float64
	scale32     float32
}

func newScaleCode(params []uint32) (scaleCode, error) {
	if len(params) != soParams {
		return scaleCode{}, corrupt(ScaleOffset, "%d parameters, not %d", len(params), soParams)
	}
	scaleType, class, size := params[soScaleType], params[soClass], params[soElemSize]
	if scaleType == soFloatBinary {
		return scaleCode{}, unsupported(ScaleOffset, "scaled by powers of two")
	}
	integer := class == 0 && scaleType == soInteger && (size == 1 || size == 2 || size == 4 || size == 8)
	float := class == 1 && scaleType == soFloatDecimal && (size == 4 || size == 8)
	if !integer && !float {
		return scaleCode{}, corrupt(ScaleOffset, "scale type %d for elements of class %d and %d bytes", scaleType, class, size)
	}
	c := scaleCode{
		elements:    params[soElements],
		size:        int(size),
		float:       float,
		factor:      int32(params[soScaleFactor]),
		bigEndian:   params[soByteOrder] == 1,
		fillDefined: params[soFillDefined] == 1,
		fill:        uint64(params[soFill]) | uint64(params[soFill+1])<<32,
	}
	if params[soByteOrder] > 1 || params[soFillDefined] > 1 {
		return scaleCode{}, corrupt(ScaleOffset, "byte order %d, fill value %d", params[soByteOrder], params[soFillDefined])
	}
	if integer {
		if c.factor > int32(8*size) {
			return scaleCode{}, corrupt(ScaleOffset, "%d bits for elements of %d bytes", c.factor, size)
		}
		c.plain = c.factor == int32(8*size)
	}
	return c, nil
}

// header takes what the chunk's own header says.
func (c *scaleCode) header(h []byte, bits uint) {
	c.bits = bits
	c.fillCode = 1<<bits - 1
	var least [8]byte
	copy(least[:], h[5:5+min(h[4], 8)])
	c.least = binary.LittleEndian.Uint64(least[:])
	if c.float {
		// The range error of a power of ten is the infinity or the zero that it gives.
		text := "1e" + strconv.Itoa(int(c.factor))
		c.scale, _ = strconv.ParseFloat(text, 64)
		scale32, _ := strconv.ParseFloat(text, 32)
		c.scale32 = float32(scale32)
	}
}

// expand fills out with the chunk's numbers.
func (c *scaleCode) expand(out []byte, r *bitReader) {
	if c.bits == uint(8*c.size) {
		// A row of little-endian numbers, which r reads as big-endian ones.
		unpack(out, r, c.bits, c.size, !c.bigEndian, func([]uint64) {})
		return
	}
	unpack(out, r, c.bits, c.size, c.bigEndian, c.values)
}

// values makes each distance the bits of the number that it stands for. The
// arithmetic is that of the type itself, as it was when the chunk was written.
func (c *scaleCode) values(codes []uint64) {
	fillCode := c.fillCode
	if !c.fillDefined {
		fillCode = math.MaxUint64 // more than any distance has bits for
	}
	switch {
	case !c.float:
		for i, code := range codes {
			codes[i] = code + c.least
			if code == fillCode {
				codes[i] = c.fill
			}
		}
	case c.size == 4:
		least := math.Float32frombits(uint32(c.least))
		for i, code := range codes {
			codes[i] = uint64(math.Float32bits(float32(int32(code))/c.scale32 + least))
			if code == fillCode {
				codes[i] = c.fill
			}
		}
	default:
		least := math.Float64frombits(c.least)
		for i, code := range codes {
			codes[i] = math.Float64bits(float64(int64(code))/c.scale + least)
			if code == fillCode {
				codes[i] = c.fill
			}
		}
	}
}
