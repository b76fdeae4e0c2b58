package ddl

import (
	"fmt"
	"strings"

	"clawh5/core/internal/datatype"
	"clawh5/core/internal/format"
)

var (
	kindWords = map[format.Class]string{format.FixedPoint: "integer", format.FloatingPoint: "floating-point",
		format.Bitfield: "bitfield", format.Time: "time"}
	orderWords = [...]string{format.LittleEndian: "little-endian", format.BigEndian: "big-endian", format.VAX: "mixed-endian"}
	bitPads    = [...]string{"H5T_PAD_ZERO", "H5T_PAD_ONE"}
	normNames  = [...]string{format.NoNormalization: "H5T_NORM_NONE", format.MSBSet: "H5T_NORM_MSBSET", format.MSBImplied: "H5T_NORM_IMPLIED"}
)

// number writes the predefined name of d, or describes it: what h5dump prints,
// and in braces what differs from the plainest type of that description.
func (w *writer) number(d *format.Datatype) {
	if name, ok := datatype.Name(d); ok {
		w.WriteString(name)
		return
	}
	fmt.Fprintf(w, "%d-bit", 8*uint64(d.Size))
	if d.Size > 1 {
		w.WriteString(" " + orderWords[d.Order])
	}
	if d.Class == format.FixedPoint && !d.Signed {
		w.WriteString(" unsigned")
	}
	fmt.Fprintf(w, " %s %d-bit precision", kindWords[d.Class], d.Precision)
	if p := properties(d); len(p) > 0 {
		w.WriteString(" { " + strings.Join(p, " ") + " }")
	}
}

// properties lists what the words before them do not say.
func properties(d *format.Datatype) []string {
	var list []string
	add := func(unless bool, text string, args ...any) {
		if !unless {
			list = append(list, fmt.Sprintf(text, args...))
		}
	}
	add(d.Size > 1 || d.Order == format.LittleEndian, "ORDER %s;", orderWords[d.Order])
	add(d.BitOffset == 0, "OFFSET %d;", d.BitOffset)
	add(d.LowPad == 0, "LSB_PAD %s;", bitPads[d.LowPad])
	add(d.HighPad == 0, "MSB_PAD %s;", bitPads[d.HighPad])
	if f := d.Float; f != nil {
		add(false, "SIGN %d;", f.SignLocation)
		add(false, "EXPONENT %d %d;", f.ExponentLocation, f.ExponentSize)
		add(false, "MANTISSA %d %d;", f.MantissaLocation, f.MantissaSize)
		add(false, "BIAS %d;", f.ExponentBias)
		add(false, "NORM %s;", normNames[f.Normalization])
		add(f.InternalPad == 0, "INPAD %s;", bitPads[f.InternalPad])
	}
	return list
}
