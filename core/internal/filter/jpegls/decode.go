package jpegls

import (
	"errors"
	"sync"
)

var errEnd = errors.New("no marker after a scan")

// decoder is a scan and its lines.
type decoder struct {
	scan
	room []int32
	prev [][]int32 // by component
	cur  [][]int32
	runs [4]int // RUNindex of each component, where lines take turns
}

var decoders = sync.Pool{New: func() any { return new(decoder) }}

// Decode fills dst, which has room for all samples, each in one byte or in two
// in little-endian. Components that share a scan lie together in each pixel;
// others follow each other as images.
func (m Image) Decode(dst []byte) error {
	d := decoders.Get().(*decoder)
	defer decoders.Put(d)
	d.init(&m)
	if m.order != byScan {
		_, err := d.image(&m, dst, m.rest, m.Components)
		return err
	}
	plane := len(dst) / m.Components
	for c := range m.Components {
		if c > 0 {
			if err := m.nextScan(); err != nil {
				return err
			}
			d.init(&m)
		}
		rest, err := d.image(&m, dst[c*plane:(c+1)*plane], m.rest, 1)
		if err != nil {
			return err
		}
		m.rest = rest
	}
	return nil
}

// nextScan decodes the header of a scan that is not the first one.
func (m *Image) nextScan() error {
	marker, err := m.marker()
	if err != nil {
		return err
	}
	if marker != startOfScan {
		return errMarker
	}
	body, err := m.segment()
	if err != nil {
		return err
	}
	if err := m.scanHeader(body); err != nil {
		return err
	}
	if m.order != byScan {
		return errScan
	}
	return nil
}

// image decodes a scan of so many components, and returns what comes after it.
func (d *decoder) image(m *Image, dst, src []byte, components int) ([]byte, error) {
	d.begin()
	d.r = bitReader{src: src}
	d.lines(m.Width+2, components)
	size := m.sampleBytes()
	for range m.Height {
		if err := d.next(m.order, components); err != nil {
			return nil, err
		}
		for c, line := range d.cur {
			put(dst[c*size:], line[1:m.Width+1], size, components*size)
		}
		dst = dst[m.Width*components*size:]
		d.prev, d.cur = d.cur, d.prev
	}
	rest, ok := d.r.end()
	if !ok {
		return nil, errEnd
	}
	return rest, nil
}

// next decodes a line of each component.
func (d *decoder) next(order interleave, components int) error {
	for c, prev := range d.prev {
		last := len(prev) - 1
		prev[last], d.cur[c][0] = prev[last-1], prev[1]
	}
	if order == bySample {
		return d.pixels(d.prev, d.cur)
	}
	for c := range components {
		d.run = d.runs[c&3]
		if err := d.line(d.prev[c], d.cur[c]); err != nil {
			return err
		}
		d.runs[c&3] = d.run
	}
	return nil
}

// lines makes two lines of zeros for each component.
func (d *decoder) lines(width, components int) {
	n := 2 * width * components
	if cap(d.room) < n {
		d.room = make([]int32, n)
	}
	room := d.room[:n]
	clear(room)
	d.prev, d.cur, d.runs = d.prev[:0], d.cur[:0], [4]int{}
	for range components {
		d.prev = append(d.prev, room[:width:width])
		d.cur = append(d.cur, room[width:2*width:2*width])
		room = room[2*width:]
	}
}
