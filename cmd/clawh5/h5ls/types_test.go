package h5ls

import (
	"testing"

	"clawh5/cmd/clawh5/tooltest"
	"clawh5/core"
)

func TestTypesAreNamedAsH5lsNamesThem(t *testing.T) {
	for name, want := range map[string][2]string{ // for people, for machines
		"H5T_STD_I8LE":        {"native signed char", "8-bit integer"},
		"H5T_STD_U8LE":        {"native unsigned char", "8-bit unsigned integer"},
		"H5T_STD_I16LE":       {"native short", "16-bit little-endian integer"},
		"H5T_STD_I32LE":       {"native int", "32-bit little-endian integer"},
		"H5T_STD_U32LE":       {"native unsigned int", "32-bit little-endian unsigned integer"},
		"H5T_STD_I64LE":       {"native long", "64-bit little-endian integer"},
		"H5T_STD_U8BE":        {"8-bit unsigned integer", "8-bit unsigned integer"},
		"H5T_STD_U64BE":       {"64-bit big-endian unsigned integer", "64-bit big-endian unsigned integer"},
		"H5T_STD_B8LE":        {"native 8-bit field", "8-bit bitfield"},
		"H5T_STD_B16BE":       {"16-bit big-endian bitfield", "16-bit big-endian bitfield"},
		"H5T_IEEE_F32LE":      {"native float", "IEEE 32-bit little-endian float"},
		"H5T_IEEE_F64BE":      {"IEEE 64-bit big-endian float", "IEEE 64-bit big-endian float"},
		"H5T_STD_REF_OBJ":     {"object reference", "object reference"},
		"H5T_STD_REF_DSETREG": {"dataset region reference", "dataset region reference"},
	} {
		for i, simple := range []bool{false, true} {
			w := typeWriter{simple: simple, file: 1}
			w.write(tooltest.Predefined(t, name), typeIndent)
			if w.String() != want[i] {
				t.Errorf("%s: %q, not %q", name, w.String(), want[i])
			}
		}
	}
}

func TestTypesOfManyLines(t *testing.T) {
	i32 := tooltest.Predefined(t, "H5T_STD_I32LE")
	enum := tooltest.Made(t)(core.NewEnum(tooltest.Predefined(t, "H5T_STD_I16BE")))
	enum = tooltest.Made(t)(enum.EnumInsert("RED", []byte{0, 1}))
	enum = tooltest.Made(t)(enum.EnumInsert("dark blue", []byte{0xff, 0xfe}))
	record := tooltest.Made(t)(core.NewCompound(16))
	record = tooltest.Made(t)(record.Insert("number", 0, i32))
	record = tooltest.Made(t)(record.Insert("a \"quoted\" name", 8, tooltest.Predefined(t, "H5T_IEEE_F64BE")))
	for _, c := range []struct {
		name string
		typ  core.Datatype
		want string
	}{
		{"precision", tooltest.Made(t)(tooltest.Made(t)(tooltest.Predefined(t, "H5T_STD_U32BE").WithPrecision(12)).WithBitOffset(3)),
			"32-bit big-endian unsigned integer\n" +
				"               (12 bits of precision beginning at bit 3)\n" +
				"               (3 zero bits at bit 0, 17 zero bits at bit 15)"},
		{"enumeration", enum,
			"enum 16-bit big-endian integer {\n" +
				"                   RED              = 1\n" +
				"                   dark\\ blue       = -2\n" +
				"               }"},
		{"compound", record,
			"struct {\n" +
				"                   \"number\"           +0    native int\n" +
				"                   \"a \\\"quoted\\\" name\" +8    IEEE 64-bit big-endian float\n" +
				"               } 16 bytes"},
		{"opaque", tooltest.Made(t)(core.NewOpaque(5, "a tag")), "5-byte opaque type\n               (tag = \"a tag\")"},
		{"variable string", core.NewVariableString(), "variable-length null-terminated ASCII string"},
		{"string", tooltest.Made(t)(tooltest.Made(t)(core.NewString(7)).WithStringPad(core.SpacePadded)), "7-byte space-padded ASCII string"},
		{"VAX", tooltest.Predefined(t, "H5T_VAX_F32"),
			"32-bit mixed-endian floating-point\n" +
				"               (significant for 23 bits at bit 0, msb implied)\n" +
				"               (exponent for 8 bits at bit 23, bias is 0x81)\n" +
				"               (sign bit at 31)"},
	} {
		w := typeWriter{file: 1}
		w.write(inMemory(c.typ), typeIndent)
		if w.String() != c.want {
			t.Errorf("%s:\n got  %q\n want %q", c.name, w.String(), c.want)
		}
	}
}
