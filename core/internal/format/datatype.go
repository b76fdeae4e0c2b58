package format

import (
	"strconv"

	"clawh5/core/internal/cursor"
)

// Class is the class of a datatype (spec IV.A.2.d).
type Class uint8

const (
	FixedPoint     Class = 0
	FloatingPoint  Class = 1
	Time           Class = 2
	String         Class = 3
	Bitfield       Class = 4
	Opaque         Class = 5
	Compound       Class = 6
	Reference      Class = 7
	Enumeration    Class = 8
	VariableLength Class = 9
	Array          Class = 10
	Complex        Class = 11
)

var classNames = [...]string{"integer", "float", "time", "string", "bitfield", "opaque", "compound", "reference", "enum", "vlen",
	"array", "complex"}

// String is the name of the class in descriptions and errors.
func (c Class) String() string {
	if int(c) < len(classNames) {
		return classNames[c]
	}
	return "class " + strconv.Itoa(int(c))
}

// Order is the byte order of an element.
type Order uint8

const (
	LittleEndian Order = iota
	BigEndian
	VAX // of floating-point: 16-bit words little-endian, the words big-endian
)

// Pad is how a string fills its size.
type Pad uint8

const (
	NullTerminated Pad = 0
	NullPadded     Pad = 1
	SpacePadded    Pad = 2
)

// CharacterSet is the encoding of a string or a name.
type CharacterSet uint8

const (
	ASCII CharacterSet = 0
	UTF8  CharacterSet = 1
)

// ReferenceKind is what a reference points at, and how it is stored.
type ReferenceKind uint8

const (
	ObjectReference1   ReferenceKind = 0 // address of an object header
	RegionReference1   ReferenceKind = 1 // global heap ID of object and selection
	ObjectReference2   ReferenceKind = 2 // H5R_ref_t encodings
	RegionReference2   ReferenceKind = 3
	AttributeReference ReferenceKind = 4
)

// Datatype is a decoded datatype. It is immutable once decoded and may be
// shared. Which fields have a meaning depends on Class.
type Datatype struct {
	Class   Class
	Version uint8  // of the message
	Size    uint32 // bytes of one element in the file

	Order     Order
	BitOffset uint16 // fixed-point, floating-point, bitfield, time
	Precision uint16
	Signed    bool  // fixed-point
	LowPad    uint8 // 0, 1
	HighPad   uint8

	Float *FloatProperties // floating-point

	Pad     Pad          // string, variable-length string
	Charset CharacterSet // string, variable-length string

	Tag string // opaque

	Members []Member // compound
	Names   []string // enumeration
	Values  []byte   // enumeration: len(Names) values of Base.Size bytes

	Dims []uint32 // array

	Base *Datatype // enumeration, variable-length, array, complex

	VariableString bool // variable-length: a string rather than a sequence

	RefKind    ReferenceKind // reference
	RefVersion uint8

	// Committed is the address of the committed datatype's object header that
	// this type was read from, or Undefined.
	Committed uint64
}

// FloatProperties is the layout of a floating-point element.
type FloatProperties struct {
	SignLocation     uint8
	ExponentLocation uint8
	ExponentSize     uint8
	MantissaLocation uint8
	MantissaSize     uint8
	ExponentBias     uint32
	Normalization    Normalization
	InternalPad      uint8 // 0, 1
}

// Normalization is how the mantissa of a floating-point element is stored.
type Normalization uint8

const (
	NoNormalization Normalization = 0
	MSBSet          Normalization = 1
	MSBImplied      Normalization = 2
)

// Member is a field of a compound datatype.
type Member struct {
	Name   string
	Offset uint32
	Type   *Datatype
}

// DecodeDatatype reads a datatype message with all types inside of it.
func DecodeDatatype(c *cursor.Cursor, z Sizes) (*Datatype, error) {
	resized := false
	d := decodeDatatype(&datatypeReader{Cursor: c, sizes: z, resized: &resized})
	if resized && !c.Failed() {
		d.resize(c, z)
	}
	if err := c.Err("datatype message"); err != nil {
		return nil, err
	}
	return d, nil
}

// MaxDatatypeDepth is how deep datatypes may be nested.
const MaxDatatypeDepth = 64

// datatypeReader is what the decoder of a class gets: the cursor after the
// fields that all classes have.
type datatypeReader struct {
	*cursor.Cursor
	sizes   Sizes
	bits    uint32 // the class bit field
	depth   int
	resized *bool // see resize
}

// base reads the datatype that this one is made of.
func (r *datatypeReader) base() *Datatype {
	inner := *r
	inner.depth++
	return decodeDatatype(&inner)
}

// decodeDatatype reads one datatype. It is never nil, but of no meaning once
// the cursor has failed.
func decodeDatatype(r *datatypeReader) *Datatype {
	c := r.Cursor
	d := &Datatype{Committed: Undefined}
	if r.depth >= MaxDatatypeDepth {
		c.Unsupported("datatypes nested deeper than %d", MaxDatatypeDepth)
		return d
	}
	word := c.U32()
	d.Class = Class(word & 0xf)
	d.Version = uint8(word >> 4 & 0xf)
	d.Size = c.U32()
	r.bits = word >> 8
	switch {
	case c.Failed():
		return d
	case d.Version < 1:
		c.Corrupt("version %d", d.Version)
	case d.Version > 5:
		c.Unsupported("version %d, the highest known is 5", d.Version)
	case d.Size == 0:
		c.Corrupt("a datatype of no size")
	default:
		d.properties(r)
	}
	return d
}

// properties reads the class bit field and what follows the common fields.
func (d *Datatype) properties(r *datatypeReader) {
	switch d.Class {
	case FixedPoint:
		decodeFixedPoint(d, r)
	case FloatingPoint:
		decodeFloatingPoint(d, r)
	case Time:
		decodeTime(d, r)
	case String:
		decodeString(d, r)
	case Bitfield:
		decodeBitfield(d, r)
	case Opaque:
		decodeOpaque(d, r)
	case Compound:
		decodeCompound(d, r)
	case Reference:
		decodeReference(d, r)
	case Enumeration:
		decodeEnumeration(d, r)
	case VariableLength:
		decodeVariableLength(d, r)
	case Array:
		decodeArray(d, r)
	case Complex:
		decodeComplex(d, r)
	default:
		r.Unsupported("datatype class %d", d.Class)
	}
}

// Bits of the class bit field that several classes share.
const (
	bitBigEndian = 1 << 0
	bitLowPad    = 1 << 1
	bitHighPad   = 1 << 2
)

func (d *Datatype) orderAndPads(bits uint32) {
	if bits&bitBigEndian != 0 {
		d.Order = BigEndian
	}
	d.LowPad = uint8(bits & bitLowPad >> 1)
	d.HighPad = uint8(bits & bitHighPad >> 2)
}

// bitRange reads offset and precision and checks that they lie in the element.
func (d *Datatype) bitRange(r *datatypeReader) {
	d.BitOffset = r.U16()
	d.Precision = r.U16()
	d.checkBits(r, "value", uint64(d.BitOffset), uint64(d.Precision))
}

func (d *Datatype) checkBits(r *datatypeReader, what string, at, n uint64) {
	if n == 0 || at+n > 8*uint64(d.Size) {
		r.Corrupt("the %s has bits %d to %d of %d", what, at, at+n, 8*uint64(d.Size))
	}
}

// textFormat reads padding and character set of strings.
func (d *Datatype) textFormat(r *datatypeReader, bits uint32) {
	d.Pad = Pad(bits & 0xf)
	if d.Pad > SpacePadded {
		r.Unsupported("string padding %d", d.Pad)
	}
	d.Charset = charset(r.Cursor, uint8(bits>>4&0xf))
}

// name reads a NUL-terminated name, which versions before 3 pad.
func (d *Datatype) name(r *datatypeReader) string {
	p := r.CString()
	if d.Version < 3 {
		r.Skip(padTo8(len(p) + 1))
	}
	return string(p)
}

// HasVariableLength reports whether elements of d hold global heap IDs of
// variable-length data, at any depth.
func (d *Datatype) HasVariableLength() bool {
	switch {
	case d.Class == VariableLength:
		return true
	case d.Class == Array:
		return d.Base.HasVariableLength()
	}
	for i := range d.Members {
		if d.Members[i].Type.HasVariableLength() {
			return true
		}
	}
	return false
}
