package variable

import (
	"fmt"
	"math"
	"slices"

	"clawh5/core/h5err"
	"clawh5/core/internal/convert"
	"clawh5/core/internal/datatype"
	"clawh5/core/internal/format"
)

// Program converts elements of one datatype to another. It is immutable.
type Program struct {
	srcSize, dstSize int
	offsetSize       int
	steps            []step
	partial          bool // in this element, not in those of slots
}

// step converts one part of an element: a slot, or a part without any.
type step struct {
	src, dst int
	conv     convert.Conversion
	slot     *slot
}

type slot struct {
	text bool
	base *Program
}

// maxSteps bounds the steps of a program and of those for the data of its
// slots: arrays of slots are unrolled.
const maxSteps = 1 << 16

// maxElement is the largest element, here as in package convert.
const maxElement = math.MaxInt32

// Compile prepares the conversion of elements of type src, in a file with
// addresses of offsetSize bytes, to type dst, whose variable-length elements
// have datatype.SlotSize bytes. Parts without variable-length data are converted by the
// rules of package convert, and so are compounds and arrays around it;
// sequences become sequences of what their elements become, and strings stay
// what they are.
func Compile(src, dst *format.Datatype, offsetSize int) (*Program, error) {
	c := &compiler{offsetSize: offsetSize, programs: map[pair]*Program{}, fixed: map[pair]convert.Conversion{}}
	return c.program(pair{src, dst})
}

// Sizes returns the bytes of one element in the file and in memory.
func (p *Program) Sizes() (file, memory int) { return p.srcSize, p.dstSize }

// Partial reports whether some bytes of the elements in memory are left as they
// are.
func (p *Program) Partial() bool { return p.partial }

// InPlace reports whether Run may have the same memory for both sides.
func (p *Program) InPlace() bool {
	return p.srcSize == p.dstSize && !slices.ContainsFunc(p.steps, func(s step) bool {
		in, out := p.stepSizes(&s)
		return s.src != s.dst || in != out
	})
}

func (p *Program) stepSizes(s *step) (src, dst int) {
	if s.slot != nil {
		return idSize(p.offsetSize), datatype.SlotSize
	}
	return s.conv.SrcSize, s.conv.DstSize
}

// idSize is the size of a variable-length element in the file.
func idSize(offsetSize int) int { return 4 + offsetSize + 4 }

// fixed returns the conversion of a program that is nothing else, nil for others.
func (p *Program) fixed() *convert.Conversion {
	if len(p.steps) != 1 || p.steps[0].slot != nil {
		return nil
	}
	if c := &p.steps[0].conv; c.SrcSize == p.srcSize && c.DstSize == p.dstSize {
		return c
	}
	return nil
}

// pair is a datatype of the file and what it becomes.
type pair struct{ src, dst *format.Datatype }

// compiler compiles each pair once, however many elements an array has.
type compiler struct {
	offsetSize int
	programs   map[pair]*Program
	fixed      map[pair]convert.Conversion
	steps      int // of all programs
}

func (c *compiler) program(d pair) (*Program, error) {
	if p := c.programs[d]; p != nil {
		return p, nil
	}
	if size := max(d.src.Size, d.dst.Size); size > maxElement {
		return nil, tooLarge(uint64(size))
	}
	p := &Program{srcSize: int(d.src.Size), dstSize: int(d.dst.Size), offsetSize: c.offsetSize}
	if err := c.add(p, d, 0, 0); err != nil {
		return nil, err
	}
	covered := 0
	for i := range p.steps {
		s := &p.steps[i]
		_, size := p.stepSizes(s)
		covered += size
		p.partial = p.partial || s.conv.Partial
	}
	p.partial = p.partial || covered < p.dstSize
	c.programs[d] = p
	return p, nil
}

// add appends the steps for d at the given places of the element.
func (c *compiler) add(p *Program, d pair, src, dst int64) error {
	variable := d.src.HasVariableLength()
	switch {
	case !variable && !d.dst.HasVariableLength():
		return c.addFixed(p, d, src, dst)
	case d.src.Class != d.dst.Class:
	case d.src.Class == format.VariableLength:
		return c.addSlot(p, d, src, dst)
	case d.src.Class == format.Array && slices.Equal(d.src.Dims, d.dst.Dims):
		return c.addArray(p, d, src, dst)
	case d.src.Class == format.Compound:
		return c.addCompound(p, d, src, dst)
	}
	return convert.NoConversion(d.src, d.dst)
}

// append appends a step of so many bytes on both sides.
func (c *compiler) append(p *Program, s step, src, dst int64) error {
	if c.steps++; c.steps > maxSteps {
		return h5err.New(h5err.Limit, fmt.Sprintf("a datatype of more than %d parts around variable-length data", maxSteps))
	}
	in, out := p.stepSizes(&s)
	if src+int64(in) > int64(p.srcSize) || dst+int64(out) > int64(p.dstSize) {
		return h5err.New(h5err.Corrupt, "a part of a datatype lies outside of the element")
	}
	s.src, s.dst = int(src), int(dst)
	p.steps = append(p.steps, s)
	return nil
}

func tooLarge(size uint64) error {
	return h5err.New(h5err.Limit, fmt.Sprintf("an element of %d bytes with variable-length data, %d are supported", size, maxElement))
}

func (c *compiler) addFixed(p *Program, d pair, src, dst int64) error {
	conv, ok := c.fixed[d]
	if !ok {
		var err error
		if conv, err = convert.Compile(d.src, d.dst); err != nil {
			return err
		}
		c.fixed[d] = conv
	}
	return c.append(p, step{conv: conv}, src, dst)
}

func (c *compiler) addSlot(p *Program, d pair, src, dst int64) error {
	if want := idSize(c.offsetSize); d.src.Size != uint32(want) || d.dst.Size != datatype.SlotSize {
		return h5err.New(h5err.Corrupt, fmt.Sprintf("variable-length datatypes of %d bytes in the file and %d in memory, %d and %d are needed",
			d.src.Size, d.dst.Size, want, datatype.SlotSize))
	}
	s := &slot{text: d.src.VariableString}
	if s.text != d.dst.VariableString || s.text && d.src.Charset != d.dst.Charset {
		return convert.NoConversion(d.src, d.dst)
	}
	if !s.text {
		base, err := c.program(pair{d.src.Base, d.dst.Base})
		if err != nil {
			return err
		}
		s.base = base
	}
	return c.append(p, step{slot: s}, src, dst)
}

func (c *compiler) addArray(p *Program, d pair, src, dst int64) error {
	base := pair{d.src.Base, d.dst.Base}
	if base.src.Size == 0 || base.dst.Size == 0 {
		return h5err.New(h5err.Corrupt, "an array of elements of no size")
	}
	for n := d.src.Size / base.src.Size; n > 0; n-- {
		if err := c.add(p, base, src, dst); err != nil {
			return err
		}
		src, dst = src+int64(base.src.Size), dst+int64(base.dst.Size)
	}
	return nil
}

func (c *compiler) addCompound(p *Program, d pair, src, dst int64) error {
	return convert.EachField(d.src, d.dst, func(from, to *format.Member) error {
		return c.add(p, pair{from.Type, to.Type}, src+int64(from.Offset), dst+int64(to.Offset))
	})
}
