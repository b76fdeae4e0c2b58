// Package jpegls decodes images of JPEG-LS (ITU-T T.87, ISO/IEC 14495-1), with
// and without loss.
//
//	start of image, then segments, each with its size:
//	  start of frame    size of the image, bits of a sample, components
//	  preset parameters thresholds of the coder, where not the usual ones
//	  start of scan     how much may be lost, how components lie in the scan
//	then the scan, bits up to the next marker; and where components do not share
//	one, the others with their headers; end of image
package jpegls

import (
	"encoding/binary"
	"errors"
	"fmt"

	"clawh5/core/internal/filter/codec"
)

var (
	errShort   = errors.New("ends in the middle of a segment")
	errMarker  = errors.New("no marker where one is to be")
	errSegment = errors.New("a segment of a wrong size")
	errFrame   = errors.New("no frame, or more than one, before the scan")
	errScan    = errors.New("a scan header that does not fit the frame")
	errPreset  = errors.New("preset parameters out of their range")
)

// Markers, the second bytes of them (T.87 C.1.1).
const (
	startOfImage = 0xd8
	endOfImage   = 0xd9
	startOfScan  = 0xda
	startOfFrame = 0xf7
	presets      = 0xf8
	firstApp     = 0xe0
	colorApp     = 0xe8 // of a color transform that is none of the standard
	lastApp      = 0xef
	comment      = 0xfe
)

// interleave says how the components of a pixel lie in a scan.
type interleave byte

const (
	byScan   interleave = 0 // each in its own one
	byLine   interleave = 1
	bySample interleave = 2
)

// Image is an image whose headers are decoded.
type Image struct {
	Width, Height, Components int
	Bits                      int // of a sample

	given  preset
	preset preset // for near
	near   int    // most that a sample may differ by
	order  interleave
	rest   []byte // from the first scan's bits on
}

// preset are the parameters of a coder that a stream may set; 0: the usual one.
type preset struct{ max, t1, t2, t3, reset int }

// Parse decodes what comes before the first scan.
func Parse(src []byte) (*Image, error) {
	m := &Image{rest: src}
	if marker, err := m.marker(); err != nil || marker != startOfImage {
		return nil, errMarker
	}
	for {
		marker, err := m.marker()
		if err != nil {
			return nil, err
		}
		body, err := m.segment()
		if err != nil {
			return nil, err
		}
		switch {
		case marker == startOfScan:
			if err := m.scanHeader(body); err != nil {
				return nil, err
			}
			return m, nil
		case marker == startOfFrame:
			err = m.frame(body)
		case marker == presets:
			err = m.presets(body)
		case marker == colorApp && len(body) == 5 && string(body[:4]) == "mrfx" && body[4] != 0:
			err = codec.Unsupported("a transform of colors")
		case marker >= firstApp && marker <= lastApp || marker == comment:
		default:
			err = codec.Unsupported(fmt.Sprintf("marker %#x", marker))
		}
		if err != nil {
			return nil, err
		}
	}
}

// marker takes the second byte of a marker. The first one, 0xff, may be repeated.
func (m *Image) marker() (byte, error) {
	if len(m.rest) == 0 || m.rest[0] != 0xff {
		return 0, errMarker
	}
	for i, b := range m.rest {
		if b != 0xff {
			m.rest = m.rest[i+1:]
			return b, nil
		}
	}
	return 0, errShort
}

// segment takes the body of a segment.
func (m *Image) segment() ([]byte, error) {
	if len(m.rest) < 2 {
		return nil, errShort
	}
	n := int(binary.BigEndian.Uint16(m.rest))
	if n < 2 {
		return nil, errSegment
	}
	if n > len(m.rest) {
		return nil, errShort
	}
	body := m.rest[2:n]
	m.rest = m.rest[n:]
	return body, nil
}

func (m *Image) frame(body []byte) error {
	const fixed, each, whole = 6, 3, 0x11
	if m.Components != 0 {
		return errFrame
	}
	if len(body) < fixed || len(body) != fixed+each*int(body[5]) {
		return errSegment
	}
	m.Bits = int(body[0])
	m.Height, m.Width = int(binary.BigEndian.Uint16(body[1:])), int(binary.BigEndian.Uint16(body[3:]))
	m.Components = int(body[5])
	switch {
	case m.Bits < 2 || m.Bits > 16:
		return fmt.Errorf("samples of %d bits", m.Bits)
	case m.Components == 0:
		return errFrame
	case m.Height == 0 || m.Width == 0:
		return codec.Unsupported("an image whose size is not in its frame")
	}
	for c := body[fixed:]; len(c) > 0; c = c[each:] {
		if c[1] != whole {
			return codec.Unsupported("a component of fewer samples")
		}
	}
	return nil
}

func (m *Image) presets(body []byte) error {
	const coding = 1
	if len(body) == 0 {
		return errSegment
	}
	if body[0] != coding {
		return codec.Unsupported(fmt.Sprintf("preset parameters of type %d", body[0]))
	}
	if len(body) != 11 {
		return errSegment
	}
	for i, v := range []*int{&m.given.max, &m.given.t1, &m.given.t2, &m.given.t3, &m.given.reset} {
		*v = int(binary.BigEndian.Uint16(body[1+2*i:]))
	}
	return nil
}

func (m *Image) scanHeader(body []byte) error {
	if m.Components == 0 {
		return errFrame
	}
	if len(body) < 1 || len(body) != 4+2*int(body[0]) {
		return errSegment
	}
	n := int(body[0])
	for i := range n {
		if body[2+2*i] != 0 {
			return codec.Unsupported("a table of sample values")
		}
	}
	tail := body[1+2*n:]
	m.near, m.order = int(tail[0]), interleave(tail[1])
	if tail[2]&0xf != 0 {
		return codec.Unsupported("a point transform")
	}
	if m.Components == 1 && m.order == byLine {
		m.order = byScan
	}
	switch {
	case m.order > bySample:
		return errScan
	case m.order == byScan && n != 1 || m.order != byScan && n != m.Components:
		return errScan
	case m.order != byScan && m.Components != 3 && m.Components != 4:
		return codec.Unsupported(fmt.Sprintf("a scan of %d components", m.Components))
	}
	return m.check()
}

// check refuses parameters that are out of range (T.87 C.2.3, C.2.4.1.1) and
// sets those that are not given.
func (m *Image) check() error {
	m.preset = m.given
	p, top := &m.preset, m.top()
	if p.max != 0 && p.max != top {
		return codec.Unsupported(fmt.Sprintf("a highest value of %d in %d bits", p.max, m.Bits))
	}
	if p.reset > 255 {
		return codec.Unsupported(fmt.Sprintf("reset after %d samples", p.reset))
	}
	if m.near > min(255, top/2) {
		return errPreset
	}
	usual := usualPreset(top, m.near)
	for _, v := range []struct {
		value         *int
		usual, lowest int
	}{{&p.t1, usual.t1, m.near + 1}, {&p.t2, usual.t2, 0}, {&p.t3, usual.t3, 0}, {&p.reset, usual.reset, 3}} {
		if *v.value == 0 {
			*v.value = v.usual
		}
		if *v.value < v.lowest {
			return errPreset
		}
	}
	if p.t2 < p.t1 || p.t3 < p.t2 || p.t3 > top {
		return errPreset
	}
	return nil
}

// top returns the highest value of a sample.
func (m *Image) top() int { return 1<<m.Bits - 1 }

// usualPreset returns the parameters that an image has unless it says otherwise
// (T.87 C.2.4.1.1.1).
func usualPreset(top, near int) preset {
	const t1, t2, t3, reset = 3, 7, 21, 64
	p := preset{reset: reset}
	if top >= 128 {
		factor := (min(top, 4095) + 128) / 256
		p.t1, p.t2, p.t3 = factor*(t1-2)+2, factor*(t2-3)+3, factor*(t3-4)+4
	} else {
		factor := 256 / (top + 1)
		p.t1, p.t2, p.t3 = t1/factor, t2/factor, t3/factor
	}
	add := func(v, least, nears, low int) int {
		v += nears * near
		if top < 128 {
			v = max(v, least)
		}
		if v > top || v < low {
			return low
		}
		return v
	}
	p.t1 = add(p.t1, 2, 3, near+1)
	p.t2 = add(p.t2, 3, 5, p.t1)
	p.t3 = add(p.t3, 4, 7, p.t2)
	return p
}

// sampleBytes returns the bytes of a sample.
func (m *Image) sampleBytes() int { return (m.Bits + 7) / 8 }

// Bytes returns the size of the samples, or false if it is more than limit.
func (m *Image) Bytes(limit int) (int, bool) {
	n := uint64(m.Width) * uint64(m.Height) * uint64(m.Components) * uint64(m.sampleBytes())
	return int(min(n, uint64(limit))), n <= uint64(limit)
}
