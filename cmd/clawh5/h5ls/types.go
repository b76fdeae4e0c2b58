package h5ls

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"strings"

	"clawh5/core"
)

// typeIndent is the column at which further lines of a type begin.
const typeIndent = 15

// printType prints the line of a type; number is that of the file that holds it.
func (t *target) printType(indent int, typ core.Datatype, number int) {
	w := &typeWriter{simple: t.simple, file: number}
	w.write(inMemory(typ), typeIndent)
	t.printf("%*s%-10s %s\n", indent, "", "Type:", w.String())
}

// typeWriter writes types in h5ls's language.
type typeWriter struct {
	strings.Builder
	simple bool // names of C types mean nothing to other machines
	file   int
}

func (w *typeWriter) printf(format string, args ...any) { fmt.Fprintf(w, format, args...) }

// line begins a further line.
func (w *typeWriter) line(indent int) { w.printf("\n%*s", indent, "") }

func (w *typeWriter) write(t core.Datatype, indent int) {
	if addr, ok := t.Committed(); ok {
		w.printf("shared-%d:%d ", w.file, addr)
	}
	if name := nativeName(t); name != "" && !w.simple {
		w.WriteString(name)
		return
	}
	switch t.Class() {
	case core.ClassInteger:
		w.integer(t, indent)
	case core.ClassFloat:
		w.float(t, indent)
	case core.ClassCompound:
		w.compound(t, indent)
	case core.ClassEnum:
		w.enum(t, indent)
	case core.ClassString:
		w.text(t)
	case core.ClassReference:
		w.WriteString(referenceNames[t.ReferenceKind()])
	case core.ClassVlen:
		w.printf("variable length of\n%*s", indent+4, "")
		w.write(t.Super(), indent+4)
	case core.ClassArray:
		w.printf("[%s] ", join(t.Dims(), ","))
		w.write(t.Super(), indent+4)
	case core.ClassOpaque:
		w.printf("%d-byte opaque type", t.Size())
		w.line(indent)
		w.printf("(tag = \"%s\")", escape(t.Tag(), false))
	case core.ClassBitfield:
		w.printf("%d-bit%s bitfield", 8*t.Size(), order(t))
		w.precision(t, indent)
	case core.ClassComplex:
		w.printf("complex number of\n%*s", indent+4, "")
		w.write(t.Super(), indent+4)
	default:
		w.printf("%d-byte class-%d unknown", t.Size(), t.Class())
	}
}

var referenceNames = map[core.ReferenceKind]string{
	core.ObjectReference: "object reference", core.RegionReference: "dataset region reference",
	core.ObjectReference2: "standard reference", core.RegionReference2: "standard reference",
	core.AttributeReference: "standard reference",
}

// nativeName is the name of the C type that t is on a 64-bit little-endian
// machine, or "".
func nativeName(t core.Datatype) string {
	low, high := core.PadZero, core.PadZero
	switch t.Class() {
	case core.ClassInteger, core.ClassFloat, core.ClassBitfield:
		low, high = t.Pads()
	default:
		return ""
	}
	bits := 8 * t.Size()
	if t.Order() != core.OrderLE || t.Precision() != bits || t.BitOffset() != 0 || low != core.PadZero || high != core.PadZero {
		return ""
	}
	switch {
	case t.Class() == core.ClassFloat:
		return map[uint64]string{16: "native _Float16", 32: "native float", 64: "native double"}[ieeeBits(t)]
	case t.Class() == core.ClassBitfield:
		return map[uint64]string{8: "native 8-bit field", 16: "native 16-bit field", 32: "native 32-bit field", 64: "native 64-bit field"}[bits]
	case t.Signed():
		return map[uint64]string{8: "native signed char", 16: "native short", 32: "native int", 64: "native long"}[bits]
	}
	return map[uint64]string{8: "native unsigned char", 16: "native unsigned short", 32: "native unsigned int", 64: "native unsigned long"}[bits]
}

// ieee has the layouts of the IEEE formats by their bits.
var ieee = map[uint64]core.FloatFields{
	16: {Sign: 15, ExponentAt: 10, ExponentBits: 5, MantissaBits: 10, Bias: 15},
	32: {Sign: 31, ExponentAt: 23, ExponentBits: 8, MantissaBits: 23, Bias: 127},
	64: {Sign: 63, ExponentAt: 52, ExponentBits: 11, MantissaBits: 52, Bias: 1023},
}

// ieeeBits is the size of an IEEE floating-point type, 0 for any other.
func ieeeBits(t core.Datatype) uint64 {
	f, ok := t.Float()
	bits := 8 * t.Size()
	low, high := t.Pads()
	known, has := ieee[bits]
	if !ok || !has || f != known || t.Precision() != bits || t.BitOffset() != 0 || low != core.PadZero || high != core.PadZero {
		return 0
	}
	return bits
}

func order(t core.Datatype) string {
	switch {
	case t.Size() <= 1:
		return ""
	case t.Order() == core.OrderLE:
		return " little-endian"
	case t.Order() == core.OrderBE:
		return " big-endian"
	case t.Order() == core.OrderVAX:
		return " mixed-endian"
	}
	return " unknown-byte-order"
}

func (w *typeWriter) integer(t core.Datatype, indent int) {
	sign := " unsigned"
	if t.Signed() {
		sign = ""
	}
	w.printf("%d-bit%s%s integer", 8*t.Size(), order(t), sign)
	w.precision(t, indent)
}

var padNames = [...]string{"zero", "one", "bkg"}

func padName(p core.BitPad) string {
	if int(p) < len(padNames) {
		return padNames[p]
	}
	return "unknown"
}

// precision tells where the bits lie of a number that does not fill its bytes.
func (w *typeWriter) precision(t core.Datatype, indent int) {
	bits, precision, offset := 8*t.Size(), t.Precision(), t.BitOffset()
	if bits == precision {
		return
	}
	w.line(indent)
	w.printf("(%d bit%s of precision beginning at bit %d)", precision, plural(precision), offset)
	low, high := t.Pads()
	var pads []string
	if offset > 0 {
		pads = append(pads, fmt.Sprintf("%d %s bit%s at bit 0", offset, padName(low), plural(offset)))
	}
	if offset+precision < bits {
		n := bits - offset - precision
		pads = append(pads, fmt.Sprintf("%d %s bit%s at bit %d", n, padName(high), plural(n), bits-n))
	}
	if pads != nil {
		w.line(indent)
		w.printf("(%s)", strings.Join(pads, ", "))
	}
}

var normNames = [...]string{", msb implied", ", msb always set", ", no normalization"}

func (w *typeWriter) float(t core.Datatype, indent int) {
	if bits := ieeeBits(t); bits != 0 {
		w.printf("IEEE %d-bit%s float", bits, order(t))
		return
	}
	w.printf("%d-bit%s floating-point", 8*t.Size(), order(t))
	w.precision(t, indent)
	f, _ := t.Float()
	norm := ", unknown normalization"
	if int(f.Normalization) < len(normNames) {
		norm = normNames[f.Normalization]
	}
	w.line(indent)
	w.printf("(significant for %d bit%s at bit %d%s)", f.MantissaBits, plural(f.MantissaBits), f.MantissaAt, norm)
	w.line(indent)
	w.printf("(exponent for %d bit%s at bit %d, bias is 0x%x)", f.ExponentBits, plural(f.ExponentBits), f.ExponentAt, f.Bias)
	w.line(indent)
	w.printf("(sign bit at %d)", f.Sign)
	if 1+f.ExponentBits+f.MantissaBits < t.Precision() {
		w.line(indent)
		w.printf("(internal padding bits are %s)", padName(f.InternalPad))
	}
}

func (w *typeWriter) compound(t core.Datatype, indent int) {
	w.WriteString("struct {")
	for i := range t.NumMembers() {
		name, offset, member := t.Member(i)
		name = escape(name, false)
		w.line(indent + 4)
		w.printf("\"%s\"%*s +%-4d ", name, max(0, 16-len(name)), "", offset)
		w.write(member, indent+4)
	}
	w.line(indent)
	w.printf("} %d byte%s", t.Size(), plural(t.Size()))
}

func (w *typeWriter) enum(t core.Datatype, indent int) {
	w.WriteString("enum ")
	w.write(t.Super(), indent+4)
	w.WriteString(" {")
	for i := range t.NumMembers() {
		name, value := t.EnumMember(i)
		name = escape(name, true)
		w.line(indent + 4)
		w.printf("%s%*s = %s", name, max(0, 16-len(name)), "", enumValue(t, value))
	}
	if t.NumMembers() == 0 {
		w.line(indent + 4)
		w.WriteString(" <empty>")
	}
	w.line(indent)
	w.WriteString("}")
}

// enumValue is the number that a member of an enumeration stands for, or its
// bytes if C has no integer of that size.
func enumValue(t core.Datatype, value []byte) string {
	if len(value) > 8 {
		return "0x" + hex.EncodeToString(value)
	}
	be := make([]byte, len(value))
	copy(be, value)
	if t.Order() == core.OrderLE {
		for i := range value {
			be[len(value)-1-i] = value[i]
		}
	}
	precision := uint(t.Precision())
	n := new(big.Int).SetBytes(be)
	n.Rsh(n, uint(t.BitOffset()))
	n.And(n, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), precision), big.NewInt(1)))
	if t.Signed() && precision > 0 && n.Bit(int(precision)-1) == 1 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), precision))
	}
	return n.String()
}

var stringPadNames = [...]string{"null-terminated", "null-padded", "space-padded"}

func (w *typeWriter) text(t core.Datatype) {
	if t.IsVariableString() {
		w.WriteString("variable-length")
	} else {
		w.printf("%d-byte", t.Size())
	}
	pad, charset := "unknown-format", "unknown-character-set"
	if p := t.StringPad(); int(p) < len(stringPadNames) {
		pad = stringPadNames[p]
	}
	switch t.Charset() {
	case core.ASCII:
		charset = "ASCII"
	case core.UTF8:
		charset = "UTF-8"
	}
	w.printf(" %s %s string", pad, charset)
}

// inMemory is t with the sizes and offsets that libhdf5 tells, which are those
// of its memory: variable-length data are pointers there.
func inMemory(t core.Datatype) core.Datatype {
	if m, err := t.Library(); err == nil {
		return m
	}
	return t
}
