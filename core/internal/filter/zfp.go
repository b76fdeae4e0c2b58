package filter

import (
	"encoding/binary"
	"errors"

	"clawh5/core/internal/filter/zfp"
)

// zfpFilter is filter 32013: a chunk is one array of zfp, without its header,
// which the parameters hold: the first is the versions of the writer, the bytes
// of the others are the header.
//
// Values decode to the writer's byte order, in which it saw its parameters as
// bytes too.
type zfpFilter struct{}

const zfpCodec = 5 // version of the codec that is known

func (zfpFilter) Decode(dst, src []byte, params []uint32, _, limit int) ([]byte, error) {
	if len(params) == 0 {
		return nil, corrupt(ZFP, "no parameters")
	}
	if v := zfpCodecOf(params[0]); v > zfpCodec {
		return nil, unsupported(ZFP, "version %d of the codec", v)
	}
	h, bigEndian, err := zfpHeader(params[1:])
	if errors.Is(err, zfp.ErrCodec) {
		return nil, unsupported(ZFP, "%v", err)
	}
	if err != nil {
		return nil, corrupt(ZFP, "%v", err)
	}
	n, ok := h.Bytes(limit)
	if !ok {
		return nil, tooLarge(ZFP, limit)
	}
	if dst, err = fill(dst, n, func(room []byte) error { return zfp.Decode(room, src, &h, bigEndian) }); err != nil {
		return nil, corrupt(ZFP, "%v", err)
	}
	return dst, nil
}

// zfpHeader decodes the header, which begins with the letter z.
func zfpHeader(params []uint32) (h zfp.Header, bigEndian bool, err error) {
	var room [32]byte
	raw := room[:0]
	bigEndian = len(params) > 0 && byte(params[0]) != 'z'
	for _, p := range params[:min(len(params), len(room)/4)] {
		if bigEndian {
			raw = binary.BigEndian.AppendUint32(raw, p)
		} else {
			raw = binary.LittleEndian.AppendUint32(raw, p)
		}
	}
	h, err = zfp.ParseHeader(raw)
	return h, bigEndian, err
}

// zfpCodecOf returns the version of the codec that wrote a chunk. Filters before
// version 1.1.0 give that of the library alone, of which it was the second
// number before 1.0.0 and is 5 since.
func zfpCodecOf(versions uint32) uint32 {
	const named, first = 0x110, 0x100
	filter, codec, library := versions&0xfff, versions>>12&0xf, versions>>16
	switch {
	case filter >= named:
		return codec
	case library >= first:
		return zfpCodec
	}
	return library >> 4
}
