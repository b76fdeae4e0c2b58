package zfp

import (
	"encoding/binary"
	"errors"
)

var errStream = errors.New("ends in the middle of a block")

// Decode fills dst, which is as large as the array, with the values that src
// holds, in big-endian or little-endian.
func Decode(dst, src []byte, h *Header, bigEndian bool) error {
	if h.Type.Size() == 4 {
		return decode[uint32, int32](dst, src, h, bigEndian)
	}
	return decode[uint64, int64](dst, src, h, bigEndian)
}

func decode[U word, I signed](dst, src []byte, h *Header, bigEndian bool) error {
	b := block[U, I]{r: bitReader{src: src}, h: h, order: orders[h.Rank], planes: planesOf(h.Rank)}
	var real *float
	if h.Type >= Float32 {
		f := floats[bitsOf[U]()]
		real = &f
	}
	out := newTarget(dst, h)
	var at [4]int
	for at[3] = 0; at[3] < out.dims[3]; at[3] += 4 {
		for at[2] = 0; at[2] < out.dims[2]; at[2] += 4 {
			for at[1] = 0; at[1] < out.dims[1]; at[1] += 4 {
				for at[0] = 0; at[0] < out.dims[0]; at[0] += 4 {
					if !b.next(real) {
						return errStream
					}
					put(&out, &at, &b.values, bigEndian)
				}
			}
		}
	}
	return nil
}

// target is the array in memory.
type target struct {
	bytes   []byte
	dims    [4]int
	strides [4]int // bytes from one value to the next along each dimension
}

func newTarget(dst []byte, h *Header) target {
	t := target{bytes: dst}
	stride := h.Type.Size()
	for i, n := range h.Dims {
		t.dims[i], t.strides[i] = int(n), stride
		stride *= int(n)
	}
	return t
}

// put stores the part of a block that lies in the array.
func put[U word](t *target, at *[4]int, values *[256]U, bigEndian bool) {
	n, origin := [4]int{}, 0
	for i := range n {
		n[i] = min(4, t.dims[i]-at[i])
		origin += at[i] * t.strides[i]
	}
	row := n[0] * t.strides[0]
	for w := range n[3] {
		for z := range n[2] {
			for y := range n[1] {
				p := origin + w*t.strides[3] + z*t.strides[2] + y*t.strides[1]
				i := 4*y + 16*z + 64*w
				putRow(t.bytes[p:p+row:p+row], values[i:i+n[0]], bigEndian)
			}
		}
	}
}

// putRow stores up to four values.
func putRow[U word](dst []byte, row []U, bigEndian bool) {
	size := int(bitsOf[U]()) / 8
	if len(row) == 4 && !bigEndian {
		dst, row = dst[:4*size], row[:4]
		if size == 4 {
			binary.LittleEndian.PutUint64(dst, uint64(row[0])|uint64(row[1])<<32)
			binary.LittleEndian.PutUint64(dst[8:], uint64(row[2])|uint64(row[3])<<32)
			return
		}
		for i, v := range row {
			binary.LittleEndian.PutUint64(dst[8*i:], uint64(v))
		}
		return
	}
	for i, v := range row {
		at := dst[size*i : size*(i+1)]
		switch {
		case size == 4 && bigEndian:
			binary.BigEndian.PutUint32(at, uint32(v))
		case size == 4:
			binary.LittleEndian.PutUint32(at, uint32(v))
		case bigEndian:
			binary.BigEndian.PutUint64(at, uint64(v))
		default:
			binary.LittleEndian.PutUint64(at, uint64(v))
		}
	}
}
