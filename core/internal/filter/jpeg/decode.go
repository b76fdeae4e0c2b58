package jpeg

import (
	"errors"
	"fmt"
)

// order is where in a block each coefficient of the zigzag belongs.
var order = [64]uint8{
	0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5,
	12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
	58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
}

var errCoefficient = errors.New("more coefficients than a block has")

// Decode fills dst with the samples, line by line, red, green and blue of
// colors. It has the size that Bytes says.
func (m *Image) Decode(dst []byte) error {
	if err := m.samples(); err != nil {
		return err
	}
	if len(m.components) == 1 {
		c := &m.components[0]
		for y := range m.Height {
			copy(dst[y*m.Width:(y+1)*m.Width], c.samples[y*c.stride:])
		}
		return nil
	}
	m.colors(dst)
	return nil
}

// samples decodes the scan.
func (m *Image) samples() error {
	h, v := int(m.components[0].h), int(m.components[0].v)
	across, down := (m.Width+8*h-1)/(8*h), (m.Height+8*v-1)/(8*v)
	for i := range m.components {
		c := &m.components[i]
		c.width = (m.Width*int(c.h) + h - 1) / h
		c.height = (m.Height*int(c.v) + v - 1) / v
		c.stride = across * 8 * int(c.h)
		c.samples = make([]byte, c.stride*down*8*int(c.v))
	}
	b := bits{src: m.scan}
	left, restarts := m.restart, 0
	for y := range down {
		for x := range across {
			if m.restart > 0 && left == 0 {
				if err := m.again(&b, restarts); err != nil {
					return err
				}
				left = m.restart
				restarts++
			}
			left--
			if err := m.unit(&b, x, y); err != nil {
				return err
			}
		}
	}
	marker, err := b.next()
	if err == nil && marker != eoi {
		err = fmt.Errorf("marker %#x after the scan", marker)
	}
	return err
}

// again reads the marker of a restart, of which n came before.
func (m *Image) again(b *bits, n int) error {
	marker, err := b.next()
	if err != nil {
		return err
	}
	if want := byte(rst0 + n%8); marker != want {
		return fmt.Errorf("marker %#x, not %#x", marker, want)
	}
	for i := range m.components {
		m.components[i].last = 0
	}
	return nil
}

// unit decodes the blocks of all components for the same place.
func (m *Image) unit(b *bits, x, y int) error {
	for i := range m.components {
		c := &m.components[i]
		for j := range int(c.v) {
			for k := range int(c.h) {
				var block [64]int32
				if err := c.block(b, &block, m.quant[c.quant]); err != nil {
					return err
				}
				at := (y*int(c.v)+j)*8*c.stride + (x*int(c.h)+k)*8
				inverse(&block, c.samples[at:], c.stride)
			}
		}
	}
	return nil
}

// block reads the coefficients of a block (T.81, F.2.2).
func (c *component) block(b *bits, block, steps *[64]int32) error {
	const most = 15 // bits of a number
	size, err := b.value(c.dc)
	if err != nil {
		return err
	}
	if size > most {
		return errCode
	}
	d, err := b.number(size)
	if err != nil {
		return err
	}
	c.last += d
	block[0] = c.last * steps[0]
	for k := 1; k < 64; k++ {
		code, err := b.value(c.ac)
		if err != nil {
			return err
		}
		zeros, size := int(code>>4), code&15
		if size == 0 {
			if zeros != 15 {
				return nil
			}
			k += 15
			continue
		}
		if k += zeros; k > 63 {
			return errCoefficient
		}
		x, err := b.number(size)
		if err != nil {
			return err
		}
		block[order[k]] = x * steps[k]
	}
	return nil
}
