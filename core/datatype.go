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

func (c Class) String() string { return name(classNames[:], c) }

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

// FloatFields is where the parts of a floating-point number lie, in bits from
// the least significant one.
type FloatFields struct {
	Sign                     uint64
	ExponentAt, ExponentBits uint64
	MantissaAt, MantissaBits uint64
	Bias                     uint64
	Normalization            Normalization
	InternalPad              BitPad
}

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

// number returns what answers for number properties: t or what it is made of.
func (t Datatype) number() *format.Datatype {
	d := t.d
	for d.Base != nil {
		d = d.Base
	}
	return d
}

// Order returns the byte order.
func (t Datatype) Order() ByteOrder {
	d := t.number()
	switch d.Class {
	case format.FixedPoint, format.FloatingPoint, format.Bitfield, format.Time:
		return ByteOrder(d.Order)
	case format.Compound:
		return orderOfMembers(d)
	}
	return OrderNone
}

func orderOfMembers(d *format.Datatype) ByteOrder {
	order := OrderNone
	for i := range d.Members {
		switch o := (Datatype{d.Members[i].Type}).Order(); {
		case o == OrderNone || o == order:
		case order == OrderNone:
			order = o
		default:
			return OrderMixed
		}
	}
	return order
}

// Precision returns the number of significant bits; 0 where it has no meaning.
func (t Datatype) Precision() uint64 {
	d := t.number()
	switch d.Class {
	case format.String:
		return 8 * uint64(d.Size)
	}
	return uint64(d.Precision)
}

// BitOffset returns the bits below the first significant one.
func (t Datatype) BitOffset() uint64 { return uint64(t.number().BitOffset) }

// Pads returns what fills the bits below and above the significant ones.
func (t Datatype) Pads() (low, high BitPad) {
	d := t.number()
	return BitPad(d.LowPad), BitPad(d.HighPad)
}

// Signed reports whether integers are in two's complement.
func (t Datatype) Signed() bool { return t.number().Signed }

// Float returns the layout of a floating-point type and whether t is one.
func (t Datatype) Float() (FloatFields, bool) {
	f := t.number().Float
	if f == nil {
		return FloatFields{}, false
	}
	return FloatFields{
		Sign:       uint64(f.SignLocation),
		ExponentAt: uint64(f.ExponentLocation), ExponentBits: uint64(f.ExponentSize),
		MantissaAt: uint64(f.MantissaLocation), MantissaBits: uint64(f.MantissaSize),
		Bias: uint64(f.ExponentBias), Normalization: 2 - Normalization(f.Normalization), InternalPad: BitPad(f.InternalPad),
	}, true
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

// Super returns the type that an enumeration, an array, a sequence, a
// variable-length string or a complex type is made of; otherwise one that is not
// valid.
func (t Datatype) Super() Datatype { return Datatype{t.d.Base} }

// BaseType is Super with a Type error where there is none.
func (t Datatype) BaseType() (Datatype, error) {
	if t.d.Base == nil {
		return Datatype{}, newError(h5err.Type, "a datatype of class %s is not made of another", t.Class())
	}
	return t.Super(), nil
}

// Dims returns the dimensions of an array.
func (t Datatype) Dims() []uint64 {
	dims := make([]uint64, len(t.d.Dims))
	for i, n := range t.d.Dims {
		dims[i] = uint64(n)
	}
	return dims
}

// NumMembers returns the number of members of a compound or an enumeration.
func (t Datatype) NumMembers() int { return len(t.d.Members) + len(t.d.Names) }

// Member returns a member of a compound. It panics unless 0 <= i < NumMembers.
func (t Datatype) Member(i int) (name string, offset uint64, typ Datatype) {
	m := &t.d.Members[i]
	return m.Name, uint64(m.Offset), Datatype{m.Type}
}

// TypeMember is a member of a compound or of an enumeration.
type TypeMember struct {
	Name   string
	Offset uint64   // in a compound
	Type   Datatype // in a compound
	Value  []byte   // in an enumeration; nil in a compound
}

// MemberAt returns a member of a compound or an enumeration; a Type error for
// other types, and a NotFound error beyond the last member.
func (t Datatype) MemberAt(i uint64) (TypeMember, error) {
	n, err := t.Property(PropertyMembers)
	if err != nil {
		return TypeMember{}, err
	}
	if i >= n {
		return TypeMember{}, newError(h5err.NotFound, "there is no member %d of %d", i, n)
	}
	m := TypeMember{Name: t.MemberName(int(i))}
	if t.d.Class == format.Enumeration {
		_, m.Value = t.EnumMember(int(i))
	} else {
		_, m.Offset, m.Type = t.Member(int(i))
	}
	return m, nil
}

// MemberName returns the name of a member of a compound or an enumeration. It
// panics unless 0 <= i < NumMembers.
func (t Datatype) MemberName(i int) string {
	if t.d.Class == format.Enumeration {
		return t.d.Names[i]
	}
	return t.d.Members[i].Name
}

// MemberIndex returns the position of the member of a compound or an enumeration
// that has a name.
func (t Datatype) MemberIndex(name string) (int, bool) {
	for i := range t.NumMembers() {
		if t.MemberName(i) == name {
			return i, true
		}
	}
	return 0, false
}

// EnumMember returns a member of an enumeration; the value is Size bytes, not to
// be changed. It panics unless 0 <= i < NumMembers.
func (t Datatype) EnumMember(i int) (name string, value []byte) {
	size := int(t.d.Base.Size)
	return t.d.Names[i], t.d.Values[i*size : (i+1)*size : (i+1)*size]
}

// NameOf returns the name that an enumeration gives a value of Size bytes.
func (t Datatype) NameOf(value []byte) (string, bool) {
	for i := range t.d.Names {
		if name, v := t.EnumMember(i); string(v) == string(value) {
			return name, true
		}
	}
	return "", false
}

// ValueOf returns the value that an enumeration gives a name.
func (t Datatype) ValueOf(name string) ([]byte, bool) {
	for i, n := range t.d.Names {
		if n == name {
			_, value := t.EnumMember(i)
			return value, true
		}
	}
	return nil, false
}
