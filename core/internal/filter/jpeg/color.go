package jpeg

// colors fills dst with red, green and blue.
func (m *Image) colors(dst []byte) {
	var room [2][]byte
	for i := range room {
		room[i] = make([]byte, 2*m.components[i+1].width)
	}
	luma := &m.components[0]
	convert := m.transformed()
	for y := range m.Height {
		a := luma.samples[y*luma.stride:][:m.Width]
		b, c := m.line(1, y, room[0]), m.line(2, y, room[1])
		out := dst[y*3*m.Width : (y+1)*3*m.Width]
		for x := range a {
			if convert {
				out[3*x], out[3*x+1], out[3*x+2] = rgb(a[x], b[x], c[x])
			} else {
				out[3*x], out[3*x+1], out[3*x+2] = a[x], b[x], c[x]
			}
		}
	}
}

// rgb is the inverse of the transform of JFIF, with factors of 16 bits of
// fraction.
func rgb(y, cb, cr byte) (r, g, b byte) {
	const (
		half            = 1 << 15
		toRed, toBlue   = 91881, 116130 // 1.402 and 1.772
		redOff, blueOff = 46802, 22554  // 0.71414 and 0.34414
	)
	l, u, v := int32(y), int32(cb)-128, int32(cr)-128
	return clamp(l + (toRed*v+half)>>16), clamp(l + (half-blueOff*u-redOff*v)>>16), clamp(l + (toBlue*u+half)>>16)
}

func clamp(v int32) byte { return byte(min(max(v, 0), 255)) }

// line returns line y of a component of the whole image, if it has fewer lines
// or columns in room: each of its samples counts three times as much as the next
// one on the side where the sample of the image lies.
func (m *Image) line(i, y int, room []byte) []byte {
	c, h, v := &m.components[i], m.components[0].h, m.components[0].v
	row := func(y int) []byte {
		return c.samples[min(max(y, 0), c.height-1)*c.stride:][:c.width]
	}
	switch {
	case h == 1:
		return row(y)
	case c.width <= 2: // too few for a filter
		for x, s := range row(y / int(v)) {
			room[2*x], room[2*x+1] = s, s
		}
		return room
	case v == 1:
		widen(room, row(y))
		return room
	}
	widenBoth(room, row(y/2), row(y/2-1+y%2*2))
	return room
}

// widen makes two samples of each. Halves are rounded down and up by turns.
func widen(room, in []byte) {
	last := len(in) - 1
	for x, s := range in {
		three := 3 * int(s)
		room[2*x] = byte((three + int(in[max(x-1, 0)]) + 1) >> 2)
		room[2*x+1] = byte((three + int(in[min(x+1, last)]) + 2) >> 2)
	}
}

// widenBoth makes two samples of each of a line between near and far.
func widenBoth(room, near, far []byte) {
	last := len(near) - 1
	column := func(x int) int { return 3*int(near[x]) + int(far[x]) }
	before, this := column(0), column(0)
	for x := range near {
		after := column(min(x+1, last))
		room[2*x] = byte((3*this + before + 8) >> 4)
		room[2*x+1] = byte((3*this + after + 7) >> 4)
		before, this = this, after
	}
}
