package variable

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"clawh5/core/h5err"
	"clawh5/core/internal/convert"
	"clawh5/core/internal/format"
)

// Program converts elements of one datatype. It is immutable.
type Program struct {
	srcSize, dstSize int
	offsetSize       int
	steps            []step
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

// Compile prepares the conversion of elements of d in a file with addresses of
// offsetSize bytes.
func Compile(d *format.Datatype, memory MemoryType, offsetSize int) (*Program, error) {
	c := &compiler{
		memory: memory, offsetSize: offsetSize,
		programs: map[*format.Datatype]*Program{}, fixed: map[*format.Datatype]convert.Conversion{},
	}
	return c.program(d)
}

// Sizes returns the bytes of one element in the file and in memory.
func (p *Program) Sizes() (file, memory int) { return p.srcSize, p.dstSize }

// fixed returns the conversion of a program that has no slot, nil for others.
func (p *Program) fixed() *convert.Conversion {
	if len(p.steps) == 1 && p.steps[0].slot == nil {
		return &p.steps[0].conv
	}
	return nil
}

// compiler compiles each datatype once, however many elements an array has.
type compiler struct {
	memory     MemoryType
	offsetSize int
	programs   map[*format.Datatype]*Program
	fixed      map[*format.Datatype]convert.Conversion
	steps      int // of all programs
}

func (c *compiler) program(d *format.Datatype) (*Program, error) {
	if p := c.programs[d]; p != nil {
		return p, nil
	}
	if d.Size > maxElement {
		return nil, tooLarge(uint64(d.Size))
	}
	p := &Program{srcSize: int(d.Size), offsetSize: c.offsetSize}
	size, err := c.add(p, d, 0, 0)
	if err != nil {
		return nil, err
	}
	if size > maxElement {
		return nil, tooLarge(uint64(size))
	}
	p.dstSize = int(size)
	c.programs[d] = p
	return p, nil
}

// add appends the steps for d at the given places and returns its memory size.
func (c *compiler) add(p *Program, d *format.Datatype, src, dst int64) (int64, error) {
	switch {
	case !d.HasVariableLength():
		return c.addFixed(p, d, src, dst)
	case d.Class == format.VariableLength:
		return SlotSize, c.addSlot(p, d, src, dst)
	case d.Class == format.Array:
		return c.addArray(p, d, src, dst)
	}
	return c.addCompound(p, d, src, dst)
}

func (c *compiler) append(p *Program, s step, src, dst, size int64) error {
	if c.steps++; c.steps > maxSteps {
		return h5err.New(h5err.Limit, fmt.Sprintf("a datatype of more than %d parts around variable-length data", maxSteps))
	}
	if src+size > maxElement || dst+size > maxElement {
		return tooLarge(uint64(max(src, dst) + size))
	}
	s.src, s.dst = int(src), int(dst)
	p.steps = append(p.steps, s)
	return nil
}

func tooLarge(size uint64) error {
	return h5err.New(h5err.Limit, fmt.Sprintf("an element of %d bytes with variable-length data, %d are supported", size, maxElement))
}

func (c *compiler) addFixed(p *Program, d *format.Datatype, src, dst int64) (int64, error) {
	conv, ok := c.fixed[d]
	if !ok {
		var err error
		if conv, err = convert.Compile(d, c.memory(d)); err != nil {
			return 0, err
		}
		c.fixed[d] = conv
	}
	return int64(conv.DstSize), c.append(p, step{conv: conv}, src, dst, int64(max(conv.SrcSize, conv.DstSize)))
}

func (c *compiler) addSlot(p *Program, d *format.Datatype, src, dst int64) error {
	if want := uint32(4 + c.offsetSize + 4); d.Size != want {
		return h5err.New(h5err.Corrupt, fmt.Sprintf("a variable-length datatype of %d bytes, %d are needed", d.Size, want))
	}
	s := &slot{text: d.VariableString}
	if !s.text {
		base, err := c.program(d.Base)
		if err != nil {
			return err
		}
		s.base = base
	}
	return c.append(p, step{slot: s}, src, dst, SlotSize)
}

func (c *compiler) addArray(p *Program, d *format.Datatype, src, dst int64) (int64, error) {
	each := int64(d.Base.Size)
	if each == 0 {
		return 0, h5err.New(h5err.Corrupt, "an array of elements of no size")
	}
	size := int64(0)
	for at := int64(0); at+each <= int64(d.Size); at += each {
		s, err := c.add(p, d.Base, src+at, dst+size)
		if err != nil {
			return 0, err
		}
		size += s
	}
	return size, nil
}

// addCompound keeps the order of members and the gaps between them; what slots
// grow shifts the members behind them.
func (c *compiler) addCompound(p *Program, d *format.Datatype, src, dst int64) (int64, error) {
	members := make([]*format.Member, len(d.Members))
	for i := range members {
		members[i] = &d.Members[i]
	}
	slices.SortStableFunc(members, func(a, b *format.Member) int { return cmp.Compare(a.Offset, b.Offset) })
	grown := int64(0)
	for _, m := range members {
		at := int64(m.Offset)
		if at+int64(m.Type.Size) > int64(d.Size) {
			return 0, h5err.New(h5err.Corrupt, fmt.Sprintf("member %q lies outside of the element", m.Name))
		}
		size, err := c.add(p, m.Type, src+at, dst+at+grown)
		if err != nil {
			return 0, err
		}
		grown += size - int64(m.Type.Size)
	}
	return int64(d.Size) + grown, nil
}
