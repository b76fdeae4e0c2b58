package format

import (
	"encoding/binary"
	"math/bits"

	"clawh5/core/internal/cursor"
)

// Versions of the message that a class cannot do without.
const (
	versionArray   = 2
	versionVAX     = 3
	versionComplex = 5
)

// encodedType is a datatype message with the two bytes before it that the
// library puts there where a type is encoded outside of a file (H5Tencode).
var encodedType = []byte{3, 0}

// AppendEncodedDatatype appends what H5Tencode makes of d.
func AppendEncodedDatatype(dst []byte, d *Datatype) []byte {
	return AppendDatatype(append(dst, encodedType...), d)
}

// AppendDatatype appends the datatype message of d, in the version that d has or
// the lowest above it that can hold d.
func AppendDatatype(dst []byte, d *Datatype) []byte { return appendDatatype(dst, d, 0) }

// encodedVersion returns the version that d is encoded in: compounds are never
// older than what they hold, neither are variable-length types. Types that change
// with the version have at least that of the compound around them (atLeast).
func encodedVersion(d *Datatype, atLeast uint8) uint8 {
	v := max(d.Version, 1)
	switch {
	case d.Class == FloatingPoint && d.Order == VAX:
		v = max(v, versionVAX)
	case d.Class == Compound || d.Class == Enumeration:
		v = max(v, atLeast)
	case d.Class == Array:
		v = max(v, versionArray, atLeast)
	case d.Class == Complex:
		v = max(v, versionComplex)
	}
	if d.Base != nil {
		v = max(v, encodedVersion(d.Base, atLeast))
	}
	for i := range d.Members {
		v = max(v, encodedVersion(d.Members[i].Type, atLeast))
	}
	return v
}

func appendDatatype(dst []byte, d *Datatype, atLeast uint8) []byte {
	v := encodedVersion(d, atLeast)
	if d.Class == Compound && v > max(d.Version, 1) {
		atLeast = v // all of a compound is raised with it
	}
	at := len(dst)
	dst = append(dst, uint8(d.Class)|v<<4, 0, 0, 0)
	dst = binary.LittleEndian.AppendUint32(dst, d.Size)
	flags, dst := d.appendProperties(dst, v, atLeast)
	dst[at+1], dst[at+2], dst[at+3] = uint8(flags), uint8(flags>>8), uint8(flags>>16)
	return dst
}

// appendProperties appends what follows the common fields and returns the class
// bit field.
func (d *Datatype) appendProperties(dst []byte, v, atLeast uint8) (uint32, []byte) {
	switch d.Class {
	case FixedPoint, Bitfield:
		return d.bitFlags(), d.appendBitRange(dst)
	case FloatingPoint:
		return d.appendFloat(dst)
	case Time:
		return d.bitFlags() & bitBigEndian, binary.LittleEndian.AppendUint16(dst, d.Precision)
	case String:
		return d.textFlags(), dst
	case Opaque:
		n := (len(d.Tag) + 7) &^ 7
		return uint32(n), append(append(dst, d.Tag...), make([]byte, n-len(d.Tag))...)
	case Compound:
		return uint32(len(d.Members)), d.appendMembers(dst, v, atLeast)
	case Reference:
		return uint32(d.RefKind) | uint32(d.RefVersion)<<4, dst
	case Enumeration:
		dst = appendDatatype(dst, d.Base, atLeast)
		for _, n := range d.Names {
			dst = appendTypeName(dst, n, v)
		}
		return uint32(len(d.Names)), append(dst, d.Values...)
	case Array:
		return 0, d.appendArray(dst, v, atLeast)
	case VariableLength:
		flags := uint32(vlenSequence)
		if d.VariableString {
			flags = vlenString | d.textFlags()<<4
		}
		return flags, appendDatatype(dst, d.Base, atLeast)
	case Complex:
		return complexHomogeneous, appendDatatype(dst, d.Base, atLeast)
	}
	return 0, dst
}

func (d *Datatype) bitFlags() uint32 {
	flags := uint32(d.LowPad)*bitLowPad | uint32(d.HighPad)*bitHighPad
	if d.Order != LittleEndian {
		flags |= bitBigEndian
	}
	if d.Signed {
		flags |= bitSigned
	}
	return flags
}

func (d *Datatype) textFlags() uint32 { return uint32(d.Pad) | uint32(d.Charset)<<4 }

func (d *Datatype) appendBitRange(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint16(dst, d.BitOffset)
	return binary.LittleEndian.AppendUint16(dst, d.Precision)
}

func (d *Datatype) appendFloat(dst []byte) (uint32, []byte) {
	f := d.Float
	flags := d.bitFlags() | uint32(f.InternalPad)*bitInternalPad | uint32(f.Normalization)<<4 | uint32(f.SignLocation)<<8
	if d.Order == VAX {
		flags |= bitVAX
	}
	dst = append(d.appendBitRange(dst), f.ExponentLocation, f.ExponentSize, f.MantissaLocation, f.MantissaSize)
	return flags, binary.LittleEndian.AppendUint32(dst, f.ExponentBias)
}

// appendTypeName appends a name and its NUL, which versions before 3 pad.
func appendTypeName(dst []byte, name string, v uint8) []byte {
	n := 1
	if v < 3 {
		n += padTo8(len(name) + 1)
	}
	return append(append(dst, name...), make([]byte, n)...)
}

func (d *Datatype) appendMembers(dst []byte, v, atLeast uint8) []byte {
	offsetSize := 4
	if v >= 3 {
		offsetSize = (bits.Len32(d.Size) + 7) / 8
	}
	for i := range d.Members {
		m := &d.Members[i]
		dst = appendTypeName(dst, m.Name, v)
		dst = append(dst, binary.LittleEndian.AppendUint32(nil, m.Offset)[:offsetSize]...)
		if v == 1 {
			dst = append(dst, make([]byte, 1+3+4+4+4*4)...) // no dimensions of its own
		}
		dst = appendDatatype(dst, m.Type, atLeast)
	}
	return dst
}

func (d *Datatype) appendArray(dst []byte, v, atLeast uint8) []byte {
	dst = append(dst, uint8(len(d.Dims)))
	if v < 3 {
		dst = append(dst, 0, 0, 0)
	}
	for _, n := range d.Dims {
		dst = binary.LittleEndian.AppendUint32(dst, n)
	}
	if v < 3 {
		for i := range d.Dims { // permutation
			dst = binary.LittleEndian.AppendUint32(dst, uint32(i))
		}
	}
	return appendDatatype(dst, d.Base, atLeast)
}

// DecodeEncodedDatatype reads what H5Tencode made: bytes after the message are
// allowed. Elements of variable length and references get the sizes that they
// have in a file of such sizes.
func DecodeEncodedDatatype(c *cursor.Cursor, z Sizes) (*Datatype, error) {
	p := c.Bytes(len(encodedType))
	switch {
	case c.Failed():
	case p[0] != encodedType[0]:
		c.Corrupt("message type %d, which is no datatype", p[0])
	case p[1] != encodedType[1]:
		c.Unsupported("encoding version %d", p[1])
	}
	if err := c.Err("encoded datatype"); err != nil {
		return nil, err
	}
	return DecodeDatatype(c, z)
}
