package core

import (
	"context"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
)

// Datatype says what the bytes of an element mean: of a dataset, an attribute, a
// committed datatype, or made by calls or from text. It is immutable. The zero
// value is no datatype; apart from IsValid its methods must not be called.
//
// Questions are answered as libhdf5's H5T functions answer them, numbers are
// HDF5's. Enumerations, arrays, sequences and complex numbers answer those about
// number properties for the type they are made of.
type Datatype struct{ d *format.Datatype }

// Class is what kind of datatype one is (H5T_class_t).
type Class uint8

const (
	ClassInteger   Class = 0
	ClassFloat     Class = 1
	ClassTime      Class = 2
	ClassString    Class = 3 // of fixed and of variable length
	ClassBitfield  Class = 4
	ClassOpaque    Class = 5
	ClassCompound  Class = 6
	ClassReference Class = 7
	ClassEnum      Class = 8
	ClassVlen      Class = 9
	ClassArray     Class = 10
	ClassComplex   Class = 11
)

func (c Class) String() string { return format.Class(c).String() }

// ByteOrder is the order of the bytes of a number (H5T_order_t).
type ByteOrder uint8

const (
	OrderLE    ByteOrder = 0
	OrderBE    ByteOrder = 1
	OrderVAX   ByteOrder = 2
	OrderMixed ByteOrder = 3 // a compound of members of several orders
	OrderNone  ByteOrder = 4 // bytes without an order: strings, opaque, references
)

// BitPad is what fills bits without meaning (H5T_pad_t).
type BitPad uint8

const (
	PadZero       BitPad = 0
	PadOne        BitPad = 1
	PadBackground BitPad = 2
)

// StringPad is how a string fills its size (H5T_str_t).
type StringPad uint8

const (
	NullTerminated StringPad = 0
	NullPadded     StringPad = 1
	SpacePadded    StringPad = 2
)

// Charset is the character set of a string or a name (H5T_cset_t).
type Charset uint8

const (
	ASCII Charset = 0
	UTF8  Charset = 1
)

// Normalization is how the mantissa of a floating-point number is stored
// (H5T_norm_t).
type Normalization uint8

const (
	NormImplied Normalization = 0 // the highest bit is 1 and not stored
	NormMSBSet  Normalization = 1 // the highest bit is 1
	NormNone    Normalization = 2
)

// ReferenceKind is what a reference points at, and how it is stored.
type ReferenceKind uint8

const (
	ObjectReference    ReferenceKind = 0 // H5T_STD_REF_OBJ: the address of an object
	RegionReference    ReferenceKind = 1 // H5T_STD_REF_DSETREG: a heap ID
	ObjectReference2   ReferenceKind = 2 // H5T_STD_REF, HDF5 1.12 and later, of an object,
	RegionReference2   ReferenceKind = 3 // of a region,
	AttributeReference ReferenceKind = 4 // of an attribute
)

// Datatype returns the datatype of the elements in the file.
func (d *Dataset) Datatype() Datatype { return Datatype{d.info.Type} }

// Datatype returns the datatype that the object is, or that of a dataset's
// elements; a Type error for a group.
func (o *Object) Datatype(ctx context.Context) (Datatype, error) {
	if o.Kind() == DatasetKind {
		d, err := o.Dataset(ctx)
		if err != nil {
			return Datatype{}, err
		}
		return d.Datatype(), nil
	}
	t, err := o.datatype(ctx)
	if err != nil {
		return Datatype{}, h5err.In(err, "datatype", o.path)
	}
	if t == nil {
		return Datatype{}, h5err.In(newError(h5err.Type, "the object is not a datatype but a %s", o.Kind()), "datatype", o.path)
	}
	return Datatype{t}, nil
}

// AttributeInfo is what an attribute is, without its value.
type AttributeInfo struct {
	Name     string
	Charset  Charset // of the name
	Type     Datatype
	Null     bool     // a null dataspace: no elements
	Shape    []uint64 // empty for a scalar
	MaxShape []uint64
}

// AttributeInfo describes one attribute.
func (o *Object) AttributeInfo(ctx context.Context, name string) (AttributeInfo, error) {
	a, err := o.attribute(ctx, name)
	if err != nil {
		return AttributeInfo{}, err
	}
	return AttributeInfo{Name: a.Name, Charset: Charset(a.Charset), Type: Datatype{a.Type},
		Null: a.Space.Kind == format.NullSpace, Shape: a.Space.Dims, MaxShape: a.Space.MaxDims}, nil
}

// Datatype returns the datatype of the values in the file.
func (v *Values) Datatype() Datatype { return Datatype{v.d} }

// IsValid reports whether t is a datatype.
func (t Datatype) IsValid() bool { return t.d != nil }

// Class returns the class; ClassString for a variable-length string too.
func (t Datatype) Class() Class {
	if t.d.VariableString {
		return ClassString
	}
	return Class(t.d.Class)
}

// Size returns the bytes of one element. Of types that come from a file it is
// the size in the file.
func (t Datatype) Size() uint64 { return uint64(t.d.Size) }

// IsVariableString reports whether t is a string of variable length.
func (t Datatype) IsVariableString() bool { return t.d.VariableString }

// HasVariableLength reports whether elements have variable-length data, at any
// depth.
func (t Datatype) HasVariableLength() bool { return t.d.HasVariableLength() }

// Committed returns the address of the committed datatype that t is.
func (t Datatype) Committed() (address uint64, ok bool) {
	return t.d.Committed, t.d.Committed != format.Undefined
}

// Charset returns the character set of a string.
func (t Datatype) Charset() Charset { return Charset(t.text().Charset) }

// StringPad returns how a string fills its size.
func (t Datatype) StringPad() StringPad { return StringPad(t.text().Pad) }

// text returns the string type that t is or is made of, or the last type within.
func (t Datatype) text() *format.Datatype {
	d := t.d
	for d.Base != nil && !d.VariableString {
		d = d.Base
	}
	return d
}

// Tag returns the tag of an opaque type.
func (t Datatype) Tag() string { return t.number().Tag }

// OpaqueTag is Tag with a Type error where t is not opaque.
func (t Datatype) OpaqueTag() (string, error) {
	if t.number().Class != format.Opaque {
		return "", newError(h5err.Type, "a datatype of class %s has no tag", t.Class())
	}
	return t.Tag(), nil
}

// ReferenceKind returns what a reference points at.
func (t Datatype) ReferenceKind() ReferenceKind { return ReferenceKind(t.number().RefKind) }
