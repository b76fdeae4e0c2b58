package sel

// Each calls yield for every touched box in row-major order, until yield
// returns an error. scaled is valid during the call.
func (g *Grid) Each(yield func(scaled []uint64, ordinal uint64) error) error {
	b := Boxes{g: g}
	for b.Next() {
		if err := yield(b.Scaled(), b.ordinal); err != nil {
			return err
		}
	}
	return nil
}

// Boxes walks the touched boxes of a grid in row-major order.
type Boxes struct {
	g       *Grid
	begun   bool
	ended   bool
	next    int // points: group
	ordinal uint64
	scaled  [MaxRank]uint64
}

// Boxes begins a walk; the first box is behind the first call of Next.
func (g *Grid) Boxes() Boxes { return Boxes{g: g} }

// Scaled are the coordinates of the box, valid until the next call of Next.
func (b *Boxes) Scaled() []uint64 { return b.scaled[:len(b.g.box)] }

// Ordinal is the ordinal of the box.
func (b *Boxes) Ordinal() uint64 { return b.ordinal }

// Next steps to the next box; false behind the last, and from then on.
func (b *Boxes) Next() bool {
	g := b.g
	if b.ended {
		return false
	}
	if g.s.points != nil {
		if b.next == len(g.groups) {
			return false
		}
		b.ordinal = g.groups[b.next].ordinal
		b.next++
		g.Scaled(b.Scaled(), b.ordinal)
		return true
	}
	if !b.begun {
		b.begun = true
		for d, width := range g.box {
			b.scaled[d], _ = g.s.axes[d].firstBox(width)
		}
		b.ordinal, _ = g.Ordinal(b.Scaled())
		b.ended = g.s.n == 0
		return !b.ended
	}
	for d := len(g.box) - 1; d >= 0; d-- {
		a := &g.s.axes[d]
		if next, ok := a.nextBox(b.scaled[d], g.box[d]); ok {
			b.scaled[d] = next
			b.ordinal, _ = g.Ordinal(b.Scaled())
			return true
		}
		b.scaled[d], _ = a.firstBox(g.box[d])
	}
	b.ended = true
	return false
}
