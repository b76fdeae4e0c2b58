package convert

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"clawh5/core/internal/format"
)

// layoutType is a type as testdata/make/make_convert_layouts.py writes it.
type layoutType struct {
	Class                   string
	Size, Offset, Precision int
	Order                   string
	Pads                    [2]uint8
	Signed                  bool
	Fields                  [5]int // sign, exponent and its size, mantissa and its size
	Bias                    uint32
	Norm                    string
	In                      []byte
}

type layoutCase struct {
	From, To int
	Out      []byte
}

func (l *layoutType) datatype() *format.Datatype {
	d := &format.Datatype{
		Class: map[string]format.Class{"integer": format.FixedPoint, "float": format.FloatingPoint, "bitfield": format.Bitfield}[l.Class],
		Size:  uint32(l.Size), BitOffset: uint16(l.Offset), Precision: uint16(l.Precision), Signed: l.Signed,
		Order:  map[string]format.Order{"le": le, "be": be, "vax": format.VAX}[l.Order],
		LowPad: l.Pads[0], HighPad: l.Pads[1],
	}
	if f := l.Fields; l.Class == "float" {
		d.Float = &format.FloatProperties{SignLocation: uint8(f[0]), ExponentLocation: uint8(f[1]), ExponentSize: uint8(f[2]),
			MantissaLocation: uint8(f[3]), MantissaSize: uint8(f[4]), ExponentBias: l.Bias,
			Normalization: map[string]format.Normalization{"none": format.NoNormalization, "implied": format.MSBImplied}[l.Norm]}
	}
	return d
}

func layoutVectors(t testing.TB) (v struct {
	Types []layoutType
	Cases []layoutCase
}) {
	t.Helper()
	f, err := os.Open("testdata/layouts.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(z).Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestLayoutsConvertAsLibhdf5Does(t *testing.T) {
	t.Parallel()
	v := layoutVectors(t)
	faults := map[string]int{}
	for _, c := range v.Cases {
		from, to := &v.Types[c.From], &v.Types[c.To]
		src, dst := from.datatype(), to.datatype()
		got := convert(t, src, dst, from.In)
		for i := range len(from.In) / from.Size {
			in := from.In[i*from.Size : (i+1)*from.Size]
			g, w := got[i*to.Size:(i+1)*to.Size], c.Out[i*to.Size:(i+1)*to.Size]
			x := meaning(src, in)
			byRules := sameButOrder(src, dst) || x.nan && dst.Class == format.FloatingPoint || bitsOf(dst, g).Cmp(expected(src, dst, in)) == 0
			if !byRules {
				t.Errorf("%s to %s: %x gives %x, by the rules %x", from, to, in, g, expected(src, dst, in))
			}
			if bytes.Equal(g, w) {
				continue
			}
			why := fault(src, dst, x, meaning(dst, w))
			if faults[why]++; why == "" && faults[why] < 20 {
				t.Errorf("%s to %s: %x gives %x, libhdf5 %x", from, to, in, g, w)
			}
		}
	}
	t.Log(faults)
}

func (l *layoutType) String() string {
	return fmt.Sprintf("%s %d:%d of %d bytes %s, fields %v", l.Class, l.Offset, l.Precision, l.Size, l.Order, l.Fields)
}

// native reports whether d is a type that libhdf5 converts with the machine's
// instructions on x86-64.
func native(d *format.Datatype) bool {
	if d.Order != le && d.Size > 1 {
		return false
	}
	_, ok := kindOf(d)
	return ok || d.Class == format.FloatingPoint && machineFloat(d) && d.Size == 16
}

// inRange reports whether the integer part of x is a number of d.
func inRange(d *format.Datatype, x exactly) bool {
	if x.nan || x.inf {
		return false
	}
	lo, hi := rangeOf(d)
	v := truncated(x)
	return v.Cmp(lo) >= 0 && v.Cmp(hi) <= 0
}

// fault names what libhdf5 does where its result is not that of the rules; ""
// if nothing is known. was is libhdf5's result.
func fault(src, dst *format.Datatype, x, was exactly) string {
	toFloat := dst.Class == format.FloatingPoint
	switch {
	case src.Class == format.FixedPoint && toFloat:
		if x.m.BitLen()-1+int(dst.Float.ExponentBias) >= 1<<dst.Float.ExponentSize-1 {
			return "an integer that is too large becomes NaN"
		}
	case src.Class == format.FixedPoint:
		if src.Size == dst.Size && src.Order != dst.Order && src.Signed != dst.Signed {
			return "the bytes are swapped without a look at the sign"
		}
	case src.Class == format.FloatingPoint && !toFloat:
		small := !x.inf && !x.nan && x.m.BitLen()+x.e <= 0
		switch {
		case x.unnormal:
			return "numbers without their leading bit"
		case native(src) && native(dst) && !inRange(dst, x):
			return "undefined in C"
		case small && x.negative && dst.Signed:
			return "a negative number greater than -1 becomes the smallest integer"
		case x.subnormal:
			return "the leading bit is implied of subnormal numbers"
		case dst.Precision%8 != 0 && x.m != nil && x.m.BitLen()+x.e > int(dst.Precision)/8*8:
			return "bits above whole bytes are lost"
		case x.inf && x.negative && dst.Signed && dst.BitOffset != 0:
			return "-infinity sets a bit at the wrong place"
		}
	case src.Class == format.FloatingPoint:
		switch {
		case machineFloat(src) && machineFloat(dst) && !(native(src) && native(dst)):
			return "the result depends on the byte order"
		case dst.Order == format.VAX:
			return "the VAX order is garbled"
		case x.unnormal:
			return "numbers without their leading bit"
		case x.negative && dst.Float.Normalization == format.NoNormalization && dst.Float.SignLocation == dst.Float.MantissaLocation+dst.Float.MantissaSize:
			return "a sign above the mantissa is overwritten"
		case x.subnormal || was.subnormal || was.m != nil && was.m.Sign() == 0:
			return "subnormal numbers are rounded wrongly"
		case dst.Float.MantissaSize == 1:
			return "a mantissa of one bit is rounded wrongly"
		}
	}
	return ""
}
