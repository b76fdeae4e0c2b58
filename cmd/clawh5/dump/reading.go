package dump

import (
	"errors"

	"clawh5/core"
)

// reading is how the values of a dataset or of an attribute are read.
type reading struct {
	object *core.Object
	typ    core.Datatype // in the file
	memory core.Datatype // of the elements that read returns
	space  core.Dataspace
	data   *core.Dataset // nil for an attribute
	subset *subset       // of a dataset
	packed *packedBits
	err    error // why nothing can be read

	// read returns the selected elements, of n; the whole value of an
	// attribute.
	read func(s core.Selection, n uint64) (elements, heap []byte, err error)
}

// errTooLarge is a read that this platform cannot hold.
var errTooLarge = errors.New("more elements than memory can hold")

// reading prepares to read a dataset.
func (d *dumper) reading(o *core.Object, data *core.Dataset, s *subset) *reading {
	r := &reading{object: o, typ: data.Datatype(), space: data.Space(), data: data, subset: s}
	r.memory, r.err = d.memoryType(r.typ)
	r.read = func(s core.Selection, n uint64) ([]byte, []byte, error) {
		if r.err != nil {
			return nil, nil, r.err
		}
		buf, err := elementBuffer(n, r.memory.Size())
		if err != nil {
			return nil, nil, err
		}
		heap, err := data.ReadAs(d.ctx, s, r.memory, buf, nil)
		return buf, heap, err
	}
	return r
}

// attributeReading prepares to read an attribute.
func (d *dumper) attributeReading(o *core.Object, a *core.AttributeInfo) *reading {
	r := &reading{object: o, typ: a.Type, space: attributeSpace(a)}
	r.memory, r.err = d.memoryType(r.typ)
	r.read = func(core.Selection, uint64) ([]byte, []byte, error) {
		if r.err != nil {
			return nil, nil, r.err
		}
		v, err := o.AttributeAs(d.ctx, a.Name, r.memory)
		if err != nil {
			return nil, nil, err
		}
		return v.Bytes(), v.Heap(), nil
	}
	return r
}

// memoryType returns the type to read values of type t into: what the machine
// computes with, or what -b asks for.
func (d *dumper) memoryType(t core.Datatype) (core.Datatype, error) {
	if !d.opts.binary {
		return t.Native()
	}
	switch d.opts.binaryForm {
	case binaryFile:
		return t, nil
	case binaryLE:
		return ordered(t, core.OrderLE)
	case binaryBE:
		return ordered(t, core.OrderBE)
	}
	return t.Native()
}

// elementBuffer makes room for n elements.
func elementBuffer(n, size uint64) ([]byte, error) {
	const most = 1 << 40
	if size > 0 && n > most/size || n*size != uint64(int(n*size)) {
		return nil, errTooLarge
	}
	return make([]byte, n*size), nil
}
