// Package jpeg decodes the images of the HDF5 filter 32019: sequential JPEG
// (ITU-T T.81) of samples of 8 bits with Huffman codes, grey or of colors.
//
// The standard leaves open how inverse transform, smoothing of colors and
// change of color space are rounded. The values here are those of libjpeg 6b
// and libjpeg-turbo as they are used by default (the accurate integer transform,
// triangle filter for colors), byte for byte.
package jpeg

import (
	"encoding/binary"
	"errors"
	"fmt"

	"clawh5/core/internal/filter/codec"
)

var (
	errShort   = errors.New("the image ends too early")
	errSegment = errors.New("a segment of a wrong size")
)

// Markers, the byte after 0xff.
const (
	sof0 = 0xc0 // baseline
	sof1 = 0xc1 // extended sequential
	dht  = 0xc4
	jpg  = 0xc8
	dac  = 0xcc
	sof  = 0xcf // the last one
	rst0 = 0xd0
	soi  = 0xd8
	eoi  = 0xd9
	sos  = 0xda
	dqt  = 0xdb
	dri  = 0xdd
	app0 = 0xe0
	appE = 0xee
)

// An Image is one of which all but the samples is known.
type Image struct {
	Width, Height int
	components    []component

	quant   [4]*[64]int32
	huffman [2][4]*huffman // DC and AC
	restart int            // units between two restarts, 0: there are none
	jfif    bool
	adobe   int // color transform, -1: not said
	scan    []byte
}

type component struct {
	id, h, v, quant byte
	dc, ac          *huffman

	width, height int // of samples that count
	stride        int
	samples       []byte
	last          int32 // DC of the block before
}

// Parse reads src up to its samples.
func Parse(src []byte) (*Image, error) {
	if len(src) < 2 || src[0] != 0xff || src[1] != soi {
		return nil, errors.New("not an image of JPEG")
	}
	m := &Image{adobe: -1}
	rest := src[2:]
	for {
		marker, body, after, err := segment(rest)
		if err != nil {
			return nil, err
		}
		rest = after
		if err := m.read(marker, body); err != nil {
			return nil, err
		}
		if marker == sos {
			m.scan = rest
			return m, nil
		}
	}
}

// segment cuts the first segment from src. Any number of 0xff may be before it.
func segment(src []byte) (marker byte, body, rest []byte, err error) {
	if len(src) == 0 || src[0] != 0xff {
		return 0, nil, nil, errors.New("no marker where one should be")
	}
	for len(src) > 0 && src[0] == 0xff {
		src = src[1:]
	}
	if len(src) < 3 {
		return 0, nil, nil, errShort
	}
	n := int(binary.BigEndian.Uint16(src[1:]))
	if n < 2 {
		return 0, nil, nil, errSegment
	}
	if n > len(src)-1 {
		return 0, nil, nil, errShort
	}
	return src[0], src[3 : 1+n], src[1+n:], nil
}

func (m *Image) read(marker byte, body []byte) error {
	switch {
	case marker == sof0 || marker == sof1:
		return m.frame(body)
	case marker == dht:
		return m.codes(body)
	case marker == dqt:
		return m.steps(body)
	case marker == dri:
		if len(body) != 2 {
			return errSegment
		}
		m.restart = int(binary.BigEndian.Uint16(body))
	case marker == sos:
		return m.begin(body)
	case marker == app0:
		m.jfif = m.jfif || len(body) >= 14 && string(body[:5]) == "JFIF\x00"
	case marker == appE:
		if len(body) >= 12 && string(body[:5]) == "Adobe" {
			m.adobe = int(body[11])
		}
	case marker > sof0 && marker <= sof && marker != jpg && marker != dac:
		return codec.Unsupported(fmt.Sprintf("progressive, lossless or arithmetic coding (marker %#x)", marker))
	case marker < sof0 || marker >= rst0 && marker <= eoi || marker == dac || marker == jpg:
		return fmt.Errorf("marker %#x in the header", marker)
	}
	return nil
}

func (m *Image) frame(body []byte) error {
	switch {
	case m.components != nil:
		return errors.New("two frames")
	case len(body) < 6 || len(body) != 6+3*int(body[5]):
		return errSegment
	case body[0] != 8:
		return codec.Unsupported(fmt.Sprintf("precision of %d bits", body[0]))
	}
	m.Height, m.Width = int(binary.BigEndian.Uint16(body[1:])), int(binary.BigEndian.Uint16(body[3:]))
	if n := body[5]; n != 1 && n != 3 {
		return codec.Unsupported(fmt.Sprintf("an image of %d components", n))
	}
	if m.Height == 0 || m.Width == 0 {
		return codec.Unsupported("an image whose height is said later, or none")
	}
	for c := body[6:]; len(c) > 0; c = c[3:] {
		if c[2] > 3 {
			return fmt.Errorf("quantization table %d", c[2])
		}
		m.components = append(m.components, component{id: c[0], h: c[1] >> 4, v: c[1] & 15, quant: c[2]})
	}
	return m.sampling()
}

// sampling checks how many samples the components have.
func (m *Image) sampling() error {
	first := &m.components[0]
	if len(m.components) == 1 {
		first.h, first.v = 1, 1 // a scan of one component has blocks in lines
	}
	for i := range m.components {
		c := &m.components[i]
		if c.h == 0 || c.v == 0 || c.h > 4 || c.v > 4 {
			return fmt.Errorf("sampling by %d and %d", c.h, c.v)
		}
		if i > 0 && c.h|c.v != 1 {
			return codec.Unsupported(fmt.Sprintf("sampling of colors by %d and %d", c.h, c.v))
		}
	}
	if first.h > 2 || first.v > first.h {
		return codec.Unsupported(fmt.Sprintf("sampling by %d and %d", first.h, first.v))
	}
	return nil
}

// steps reads quantization tables, which are in the order of coefficients.
func (m *Image) steps(body []byte) error {
	for len(body) > 0 {
		wide, table := int(body[0]>>4), body[0]&15
		if wide > 1 || table > 3 {
			return fmt.Errorf("quantization table %d of precision %d", table, wide)
		}
		body = body[1:]
		if len(body) < 64<<wide {
			return errSegment
		}
		steps := new([64]int32)
		for i := range steps {
			steps[i] = int32(body[i])
			if wide == 1 {
				steps[i] = int32(binary.BigEndian.Uint16(body[2*i:]))
			}
		}
		m.quant[table] = steps
		body = body[64<<wide:]
	}
	return nil
}

// begin reads the header of the scan, which has all components.
func (m *Image) begin(body []byte) error {
	n := len(m.components)
	if n == 0 {
		return errors.New("a scan before the frame")
	}
	if len(body) < 1 || len(body) != 4+2*int(body[0]) {
		return errSegment
	}
	if int(body[0]) != n {
		return codec.Unsupported("components in several scans")
	}
	for i := range m.components {
		c, id, tables := &m.components[i], body[1+2*i], body[2+2*i]
		if id != c.id || tables>>4 > 3 || tables&15 > 3 {
			return fmt.Errorf("component %d of a scan: %d with tables %#x", i, id, tables)
		}
		c.dc, c.ac = m.huffman[0][tables>>4], m.huffman[1][tables&15]
		if c.dc == nil || c.ac == nil || m.quant[c.quant] == nil {
			return errors.New("a table that is not there")
		}
	}
	if tail := body[1+2*n:]; tail[0] != 0 || tail[1] != 63 || tail[2] != 0 {
		return errors.New("a sequential scan of some coefficients only")
	}
	return nil
}

// Bytes returns the size of the decoded image if it is no more than limit.
func (m *Image) Bytes(limit int) (int, bool) {
	n := uint64(m.Width) * uint64(m.Height) * uint64(len(m.components))
	return int(n), n <= uint64(limit)
}

// transformed reports whether colors are stored as brightness and differences.
func (m *Image) transformed() bool {
	switch {
	case m.jfif:
		return true
	case m.adobe >= 0:
		return m.adobe != 0
	}
	c := m.components
	return c[0].id != 'R' || c[1].id != 'G' || c[2].id != 'B'
}
