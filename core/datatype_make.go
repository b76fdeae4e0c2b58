package core

import (
	"bytes"

	"clawh5/core/internal/cursor"
	"clawh5/core/internal/datatype"
	"clawh5/core/internal/format"
)

// made wraps a type that a call has made.
func made(d *format.Datatype, err error) (Datatype, error) {
	if err != nil {
		return Datatype{}, err
	}
	return Datatype{d}, nil
}

// Predefined returns the datatype that HDF5 has under a name: "H5T_STD_I32BE",
// "H5T_NATIVE_DOUBLE", "H5T_C_S1". Native types are those of a little-endian
// machine with 64-bit addresses.
func Predefined(name string) (Datatype, bool) {
	d, ok := datatype.Predefined(name)
	return Datatype{d}, ok
}

// PredefinedName returns the name of the predefined number, bitfield, time,
// reference or complex type that t equals.
func (t Datatype) PredefinedName() (string, bool) { return datatype.Name(t.d) }

// NewString returns the type of null-terminated ASCII strings of a fixed size.
func NewString(size uint64) (Datatype, error) { return made(datatype.NewString(size)) }

// NewVariableString returns the type of null-terminated ASCII strings of variable
// length.
func NewVariableString() Datatype { return Datatype{datatype.NewVariableString()} }

// NewOpaque returns a type of uninterpreted bytes.
func NewOpaque(size uint64, tag string) (Datatype, error) { return made(datatype.NewOpaque(size, tag)) }

// NewCompound returns a compound of size bytes, to which Insert adds members.
func NewCompound(size uint64) (Datatype, error) { return made(datatype.NewCompound(size)) }

// Insert returns the compound t with one more member. Members do not overlap and
// have different names.
func (t Datatype) Insert(name string, offset uint64, member Datatype) (Datatype, error) {
	return made(datatype.Insert(t.d, name, offset, member.d))
}

// Pack returns t without gaps between and after members of compounds, at any
// depth.
func (t Datatype) Pack() Datatype { return Datatype{datatype.Pack(t.d)} }

// NewEnum returns an enumeration of integers, to which EnumInsert adds members.
func NewEnum(base Datatype) (Datatype, error) { return made(datatype.NewEnum(base.d)) }

// EnumInsert returns the enumeration t with one more member; value is an element
// of the base type.
func (t Datatype) EnumInsert(name string, value []byte) (Datatype, error) {
	return made(datatype.InsertEnum(t.d, name, value))
}

// NewArray returns the type of arrays of base with 1 to 32 dimensions.
func NewArray(base Datatype, dims ...uint64) (Datatype, error) {
	return made(datatype.NewArray(base.d, dims))
}

// NewVlen returns the type of variable-length sequences of base.
func NewVlen(base Datatype) (Datatype, error) { return made(datatype.NewSequence(base.d)) }

// NewComplex returns the type of complex numbers whose parts are of base, a
// floating-point type.
func NewComplex(base Datatype) (Datatype, error) { return made(datatype.NewComplex(base.d)) }

// WithSize returns t with another size; its precision shrinks and its bits move
// where they must, as with H5Tset_size.
func (t Datatype) WithSize(size uint64) (Datatype, error) { return made(datatype.WithSize(t.d, size)) }

// WithPrecision returns t with another number of significant bits; it grows and
// its bits move where they must, as with H5Tset_precision.
func (t Datatype) WithPrecision(bits uint64) (Datatype, error) {
	return made(datatype.WithPrecision(t.d, bits))
}

// WithBitOffset returns t with another bit offset; it grows where it must.
func (t Datatype) WithBitOffset(bits uint64) (Datatype, error) {
	return made(datatype.WithOffset(t.d, bits))
}

// WithOrder returns t with another byte order: OrderLE, OrderBE, or OrderVAX for
// floats.
func (t Datatype) WithOrder(o ByteOrder) (Datatype, error) {
	return made(datatype.WithOrder(t.d, format.Order(o)))
}

// WithPads returns t with other bits below and above the significant ones.
func (t Datatype) WithPads(low, high BitPad) (Datatype, error) {
	return made(datatype.WithPads(t.d, uint8(low), uint8(high)))
}

// WithSign returns the integer type t with or without a sign.
func (t Datatype) WithSign(signed bool) (Datatype, error) {
	return made(datatype.WithSign(t.d, signed))
}

// WithFields returns the floating-point type t with sign, exponent and mantissa
// elsewhere. Bias, normalization and padding of f are ignored.
func (t Datatype) WithFields(f FloatFields) (Datatype, error) {
	return made(datatype.WithFields(t.d, datatype.Fields{Sign: f.Sign, ExponentAt: f.ExponentAt, ExponentBits: f.ExponentBits,
		MantissaAt: f.MantissaAt, MantissaBits: f.MantissaBits}))
}

// WithBias returns the floating-point type t with another exponent bias.
func (t Datatype) WithBias(bias uint64) (Datatype, error) { return made(datatype.WithBias(t.d, bias)) }

// WithNormalization returns the floating-point type t with another form of
// mantissa.
func (t Datatype) WithNormalization(n Normalization) (Datatype, error) {
	return made(datatype.WithNormalization(t.d, format.Normalization(2-n)))
}

// WithInternalPad returns the floating-point type t with other bits between its
// parts.
func (t Datatype) WithInternalPad(p BitPad) (Datatype, error) {
	return made(datatype.WithInternalPad(t.d, uint8(p)))
}

// WithCharset returns the string type t in another character set.
func (t Datatype) WithCharset(c Charset) (Datatype, error) {
	return made(datatype.WithCharset(t.d, format.CharacterSet(c)))
}

// WithStringPad returns the string type t with another filling.
func (t Datatype) WithStringPad(p StringPad) (Datatype, error) {
	return made(datatype.WithPad(t.d, format.Pad(p)))
}

// WithTag returns the opaque type t with another tag.
func (t Datatype) WithTag(tag string) (Datatype, error) { return made(datatype.WithTag(t.d, tag)) }

// Native returns the type of this machine's memory that holds t, as
// H5Tget_native_type chooses it: the smallest of C's numbers, compounds laid out
// as C's structs. It is the memory type to read into and compute with. Types of
// time, of which libhdf5 knows no native one, become little-endian.
func (t Datatype) Native() (Datatype, error) { return made(datatype.Native(t.d)) }

// Library returns t with the sizes that libhdf5 tells: those of its memory, where
// a string of variable length is a pointer, a sequence a length and a pointer,
// and a reference of HDF5 1.12 takes 64 bytes. It is for answers and for
// encoding, not for reading.
func (t Datatype) Library() (Datatype, error) { return made(datatype.Library(t.d)) }

// NativeLibrary is Native with the sizes of Library.
func (t Datatype) NativeLibrary() (Datatype, error) { return made(datatype.NativeLibrary(t.d)) }

// Equal reports whether t and u are the same type, as H5Tequal does: the order of
// members does not count.
func (t Datatype) Equal(u Datatype) bool { return datatype.Equal(t.d, u.d) }

// DetectClass reports whether t is of a class or holds a type of it, at any depth.
func (t Datatype) DetectClass(c Class) bool { return datatype.Contains(t.d, format.Class(c)) }

// AppendEncoded appends t as H5Tencode encodes it, which DecodeDatatype and
// H5Tdecode read.
func (t Datatype) AppendEncoded(dst []byte) []byte { return format.AppendEncodedDatatype(dst, t.d) }

// DecodeDatatype reads a type that AppendEncoded or H5Tencode has encoded.
// Elements of variable length take 16 bytes in it, whatever they took before. p is
// not kept.
func DecodeDatatype(p []byte) (Datatype, error) {
	c := cursor.New(bytes.Clone(p), 0) // values of enumerations are not copied any more
	return made(format.DecodeEncodedDatatype(c, format.Sizes{Offset: 8, Length: 8}))
}
