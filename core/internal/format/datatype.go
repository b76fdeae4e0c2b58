package format

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
