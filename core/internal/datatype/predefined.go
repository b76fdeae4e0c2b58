package datatype

import (
	"slices"
	"strings"

	"clawh5/core/internal/format"
)

// predefined has the types under all names that HDF5 gives them.
var predefined = func() map[string]*format.Datatype {
	t := map[string]*format.Datatype{}
	addNumbers(t)
	addFloats(t)
	addOthers(t)
	addMachines(t)
	addNative(t)
	return t
}()

// Predefined returns the type with one of HDF5's names, "H5T_STD_I32BE".
func Predefined(name string) (*format.Datatype, bool) {
	d, ok := predefined[name]
	return d, ok
}

// standardNames are the names that Name may give, those of HDF5's own formats
// before those that only repeat them.
var standardNames = func() []string {
	var names []string
	for name := range predefined {
		for _, prefix := range []string{"H5T_STD_", "H5T_IEEE_", "H5T_FLOAT_", "H5T_COMPLEX_", "H5T_VAX_F", "H5T_UNIX_"} {
			if strings.HasPrefix(name, prefix) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return append(names, "H5T_NATIVE_LDOUBLE", "H5T_NATIVE_LDOUBLE_COMPLEX")
}()

// Name returns the predefined name of d: of a number, a bitfield, a time, a
// reference or a complex number.
func Name(d *format.Datatype) (string, bool) {
	switch d.Class {
	case format.FixedPoint, format.FloatingPoint, format.Bitfield, format.Time, format.Reference, format.Complex:
	default:
		return "", false
	}
	for _, name := range standardNames {
		if Equal(predefined[name], d) {
			return name, true
		}
	}
	return "", false
}

// addOrders adds both orders of a type, under its name with LE and BE.
func addOrders(t map[string]*format.Datatype, name string, d *format.Datatype) {
	t[name+"LE"] = d
	t[name+"BE"] = inOrder(d, format.BigEndian)
}

func inOrder(d *format.Datatype, o format.Order) *format.Datatype {
	turned := *d
	turned.Order = o
	return &turned
}

func plain(class format.Class, bits uint16) *format.Datatype {
	return &format.Datatype{Class: class, Version: 1, Size: uint32(bits / 8), Precision: bits, Committed: format.Undefined}
}

func integer(bits uint16, signed bool) *format.Datatype {
	d := plain(format.FixedPoint, bits)
	d.Signed = signed
	return d
}

// float is a number of the form sign, exponent, mantissa with an implied bit, in
// the lowest of size bytes.
func float(size uint32, exponent, mantissa uint8) *format.Datatype {
	bits := 1 + exponent + mantissa
	d := plain(format.FloatingPoint, uint16(bits))
	d.Size = size
	d.Float = &format.FloatProperties{SignLocation: bits - 1, ExponentLocation: mantissa, ExponentSize: exponent,
		MantissaSize: mantissa, ExponentBias: 1<<(exponent-1) - 1, Normalization: format.MSBImplied}
	return d
}

func addNumbers(t map[string]*format.Datatype) {
	for bits, s := range map[uint16]string{8: "8", 16: "16", 32: "32", 64: "64"} {
		addOrders(t, "H5T_STD_I"+s, integer(bits, true))
		addOrders(t, "H5T_STD_U"+s, integer(bits, false))
		addOrders(t, "H5T_STD_B"+s, plain(format.Bitfield, bits))
	}
	addOrders(t, "H5T_UNIX_D32", plain(format.Time, 32))
	addOrders(t, "H5T_UNIX_D64", plain(format.Time, 64))
}

func addFloats(t map[string]*format.Datatype) {
	for name, d := range map[string]*format.Datatype{
		"F16": float(2, 5, 10), "F32": float(4, 8, 23), "F64": float(8, 11, 52),
	} {
		addOrders(t, "H5T_IEEE_"+name, d)
		for _, order := range []string{"LE", "BE"} {
			t["H5T_COMPLEX_IEEE_"+name+order] = complexOf(t["H5T_IEEE_"+name+order])
		}
	}
	addOrders(t, "H5T_FLOAT_BFLOAT16", float(2, 8, 7))
	for name, d := range map[string]*format.Datatype{
		"F8E4M3": float(1, 4, 3), "F8E5M2": float(1, 5, 2), "F6E2M3": float(1, 2, 3), "F6E3M2": float(1, 3, 2),
		"F4E2M1": float(1, 2, 1),
	} {
		t["H5T_FLOAT_"+name] = d
	}
	// VAX numbers count exponents from 1/2, not from 1.
	for name, d := range map[string]*format.Datatype{"F32": float(4, 8, 23), "F64": float(8, 11, 52)} {
		d.Version, d.Order = 3, format.VAX
		d.Float.ExponentBias += 2
		t["H5T_VAX_"+name] = d
	}
}

func text(pad format.Pad) *format.Datatype {
	return &format.Datatype{Class: format.String, Version: 1, Size: 1, Pad: pad, Committed: format.Undefined}
}

// NewReference returns the type of references of a kind.
func NewReference(kind format.ReferenceKind) *format.Datatype {
	d := &format.Datatype{Class: format.Reference, Version: 1, RefKind: kind, Committed: format.Undefined}
	if kind >= format.ObjectReference2 {
		d.Version, d.RefVersion = 4, 1
	}
	d.Size = d.SizeInFile(fileSizes)
	return d
}

func addOthers(t map[string]*format.Datatype) {
	t["H5T_C_S1"] = text(format.NullTerminated)
	t["H5T_FORTRAN_S1"] = text(format.SpacePadded)
	t["H5T_STD_REF_OBJ"] = NewReference(format.ObjectReference1)
	t["H5T_STD_REF_DSETREG"] = NewReference(format.RegionReference1)
	t["H5T_STD_REF"] = NewReference(format.ObjectReference2)
	t["H5T_NATIVE_OPAQUE"] = &format.Datatype{Class: format.Opaque, Version: 1, Size: 1, Committed: format.Undefined}
}

// addMachines adds what HDF5 calls the types of some machines.
func addMachines(t map[string]*format.Datatype) {
	for machine, order := range map[string]string{"H5T_INTEL_": "LE", "H5T_ALPHA_": "LE", "H5T_MIPS_": "BE"} {
		for _, n := range []string{"I8", "I16", "I32", "I64", "U8", "U16", "U32", "U64", "B8", "B16", "B32", "B64"} {
			t[machine+n] = t["H5T_STD_"+n+order]
		}
		t[machine+"F32"], t[machine+"F64"] = t["H5T_IEEE_F32"+order], t["H5T_IEEE_F64"+order]
	}
}

// addNative adds the types of C on a machine with 64-bit addresses: the host's
// own, but for the size of long on some.
func addNative(t map[string]*format.Datatype) {
	for name, std := range map[string]string{
		"CHAR": "I8", "SCHAR": "I8", "SHORT": "I16", "INT": "I32", "LONG": "I64", "LLONG": "I64",
		"UCHAR": "U8", "USHORT": "U16", "UINT": "U32", "ULONG": "U64", "ULLONG": "U64",
		"B8": "B8", "B16": "B16", "B32": "B32", "B64": "B64",
		"HADDR": "U64", "HSIZE": "U64", "HSSIZE": "I64", "HERR": "I32", "HBOOL": "U8",
		"INT8": "I8", "INT_LEAST8": "I8", "INT_FAST8": "I8", "UINT8": "U8", "UINT_LEAST8": "U8", "UINT_FAST8": "U8",
		"INT16": "I16", "INT_LEAST16": "I16", "INT_FAST16": "I64", "UINT16": "U16", "UINT_LEAST16": "U16", "UINT_FAST16": "U64",
		"INT32": "I32", "INT_LEAST32": "I32", "INT_FAST32": "I64", "UINT32": "U32", "UINT_LEAST32": "U32", "UINT_FAST32": "U64",
		"INT64": "I64", "INT_LEAST64": "I64", "INT_FAST64": "I64", "UINT64": "U64", "UINT_LEAST64": "U64", "UINT_FAST64": "U64",
	} {
		t["H5T_NATIVE_"+name] = t["H5T_STD_"+std+"LE"]
	}
	for name, ieee := range map[string]string{"FLOAT16": "F16", "FLOAT": "F32", "DOUBLE": "F64"} {
		t["H5T_NATIVE_"+name] = t["H5T_IEEE_"+ieee+"LE"]
	}
	t["H5T_NATIVE_FLOAT_COMPLEX"], t["H5T_NATIVE_DOUBLE_COMPLEX"] = t["H5T_COMPLEX_IEEE_F32LE"], t["H5T_COMPLEX_IEEE_F64LE"]
	// The 80-bit number of x87: the highest bit of the mantissa is stored.
	extended := float(16, 15, 64)
	extended.Float.Normalization = format.NoNormalization
	t["H5T_NATIVE_LDOUBLE"], t["H5T_NATIVE_LDOUBLE_COMPLEX"] = extended, complexOf(extended)
}
