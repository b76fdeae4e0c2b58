package filter

import (
	"encoding/binary"
	"sync"
)

// szip is filter 4: the size of the data, 4 bytes in little-endian, and a stream
// of the extended Rice coder of CCSDS 121.0-B. The parameters are a mask of
// options, the samples of a block, the bits of a sample and the samples of a
// scan line; the predictor begins anew with each line, and the last block of a
// line is filled up with samples that are no data.
//
// Samples of 32 and 64 bits are coded as their bytes: the first bytes of all
// samples, then the second ones, and so on.
type szip struct{}

const (
	szipBigEndian = 1 << 4 // of samples of more than a byte
	szipPredicted = 1 << 5 // samples are coded as differences

	szipHeader   = 4
	szipMaxBlock = 32
	szipMaxLine  = 128 * szipMaxBlock
)

// szipLine holds the samples of a line.
type szipLine [szipMaxLine + szipMaxBlock]uint32

var szipLines = sync.Pool{New: func() any { return new(szipLine) }}

func (szip) Decode(dst, src []byte, params []uint32, _, limit int) ([]byte, error) {
	if len(params) != 4 {
		return nil, corrupt(SZip, "%d parameters, not 4", len(params))
	}
	mask, block, bits, line := params[0], params[1], params[2], params[3]
	if block < 2 || block > szipMaxBlock || block%2 != 0 || line == 0 || line > szipMaxLine {
		return nil, corrupt(SZip, "lines of %d samples in blocks of %d", line, block)
	}
	planes := 1
	if bits == 32 || bits == 64 {
		planes, bits = int(bits/8), 8
	}
	if bits == 0 || bits > 32 {
		return nil, corrupt(SZip, "samples of %d bits", bits)
	}
	if len(src) < szipHeader {
		return nil, corrupt(SZip, "%d bytes do not hold a header", len(src))
	}
	total := binary.LittleEndian.Uint32(src)
	if uint64(total) > uint64(limit) {
		return nil, corrupt(SZip, "decodes to %d bytes, more than %d", total, limit)
	}
	n := int(total)
	d := newRice(src[szipHeader:], int(bits), int(block), int(line), mask&szipPredicted != 0)
	out := szipOut{bytes: sampleBytes(bits), bigEndian: mask&szipBigEndian != 0}
	// Of bytes behind the last whole sample libhdf5 stores whatever lay in memory.
	if n%planes != 0 || n%out.bytes != 0 {
		return nil, corrupt(SZip, "%d bytes are not whole samples", n)
	}
	dst = grow(dst, n)
	room := dst[len(dst) : len(dst)+n : len(dst)+n]
	if err := expandSZip(room, &d, out, planes); err != nil {
		return nil, corrupt(SZip, "%v", err)
	}
	return dst[:len(dst)+n], nil
}

// expandSZip fills room with samples that are coded in so many planes.
func expandSZip(room []byte, d *rice, out szipOut, planes int) error {
	if planes == 1 || len(room) == 0 {
		return out.lines(room, d)
	}
	tmp := borrow(len(room))
	defer tmp.release()
	if err := out.lines(tmp.bytes, d); err != nil {
		return err
	}
	unshuffle(room, tmp.bytes, planes)
	return nil
}

// sampleBytes returns the bytes that a sample of so many bits has in memory.
func sampleBytes(bits uint32) int {
	switch {
	case bits > 16:
		return 4
	case bits > 8:
		return 2
	}
	return 1
}

// szipOut says how samples lie in memory.
type szipOut struct {
	bytes     int
	bigEndian bool
}

// lines fills room with the samples of d, line by line.
func (o szipOut) lines(room []byte, d *rice) error {
	buf := szipLines.Get().(*szipLine)
	defer szipLines.Put(buf)
	for len(room) > 0 {
		n := min(d.line, len(room)/o.bytes)
		samples, err := d.next(buf[:], n)
		if err != nil {
			return err
		}
		o.put(room[:n*o.bytes], samples)
		room = room[n*o.bytes:]
	}
	return nil
}

func (o szipOut) put(room []byte, samples []uint32) {
	switch {
	case o.bytes == 1:
		for i := range room {
			room[i] = byte(samples[i])
		}
	case o.bytes == 2 && o.bigEndian:
		for i, v := range samples {
			binary.BigEndian.PutUint16(room[2*i:], uint16(v))
		}
	case o.bytes == 2:
		for i, v := range samples {
			binary.LittleEndian.PutUint16(room[2*i:], uint16(v))
		}
	case o.bigEndian:
		for i, v := range samples {
			binary.BigEndian.PutUint32(room[4*i:], v)
		}
	default:
		for i, v := range samples {
			binary.LittleEndian.PutUint32(room[4*i:], v)
		}
	}
}
