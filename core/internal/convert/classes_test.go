package convert

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
)

// classCase is a case of testdata/make/make_convert_classes.py.
type classCase struct {
	From, To        []byte // H5Tencode
	In, Before, Out []byte
}

// encoded decodes what H5Tencode made: two bytes of its own and a message.
func encoded(t *testing.T, b []byte) *format.Datatype {
	t.Helper()
	d, err := format.DecodeDatatype(cursor.New(b[2:], 0), format.Sizes{Offset: 8, Length: 8})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// extension reports a conversion that libhdf5 has not: a bitfield is an integer
// of its size too.
func extension(src, dst *format.Datatype) bool {
	return src.Class == format.Bitfield && dst.Class == format.FixedPoint && src.Size == dst.Size
}

func TestClassesConvertAsLibhdf5Does(t *testing.T) {
	text, err := os.ReadFile("testdata/classes.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []classCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		src, dst := encoded(t, c.From), encoded(t, c.To)
		conv, err := Compile(src, dst)
		if c.Out == nil {
			if h5err.KindOf(err) != h5err.Type && !extension(src, dst) {
				t.Errorf("%s to %s: %v, libhdf5 has no conversion", describe(src), describe(dst), err)
			}
			continue
		}
		if err != nil {
			t.Error(err)
			continue
		}
		n := len(c.In) / conv.SrcSize
		got := bytes.Clone(c.Before)
		if conv.Run(got, c.In, n); !bytes.Equal(got, c.Out) {
			t.Errorf("%s to %s: %x gives %x, want %x", describe(src), describe(dst), c.In, got, c.Out)
		}
		if untouched := conv.Partial; untouched != touchesAll(conv, c.In, n) {
			continue
		}
		t.Errorf("%s to %s: partial is %v", describe(src), describe(dst), conv.Partial)
	}
}

// touchesAll reports whether every byte of the result is written.
func touchesAll(c Conversion, in []byte, n int) bool {
	zeros, ones := make([]byte, n*c.DstSize), bytes.Repeat([]byte{0xff}, n*c.DstSize)
	c.Run(zeros, in, n)
	c.Run(ones, in, n)
	return bytes.Equal(zeros, ones)
}
