package render

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// verb is one conversion of a printf format and the text around it.
type verb struct {
	before, after           string
	minus, plus, space, alt bool
	zero                    bool
	width, precision        int // precision -1: not given
	conversion              byte
}

// parseVerb splits a printf format at its first conversion; a format without
// one is text.
func parseVerb(format string) verb {
	v := verb{precision: -1}
	i := 0
	text := func() string {
		var b strings.Builder
		for i < len(format) {
			if format[i] == '%' {
				if i+1 < len(format) && format[i+1] == '%' {
					i++
				} else {
					break
				}
			}
			b.WriteByte(format[i])
			i++
		}
		return b.String()
	}
	v.before = text()
	if i >= len(format) {
		return v
	}
	i++ // the percent sign
flags:
	for ; i < len(format); i++ {
		switch format[i] {
		case '-':
			v.minus = true
		case '+':
			v.plus = true
		case ' ':
			v.space = true
		case '#':
			v.alt = true
		case '0':
			v.zero = true
		default:
			break flags
		}
	}
	v.width, i = number(format, i)
	if i < len(format) && format[i] == '.' {
		v.precision, i = number(format, i+1)
	}
	for i < len(format) && strings.IndexByte("hlLqjzt", format[i]) >= 0 {
		i++
	}
	if i < len(format) {
		v.conversion = format[i]
		i++
	}
	v.after = text()
	return v
}

const maxWidth = 4096 // of what a format may ask for

func number(s string, i int) (n, next int) {
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		n = min(n*10+int(s[i]-'0'), maxWidth)
	}
	return n, i
}

// appendFloat appends x as C's printf does.
func appendFloat(dst []byte, format string, x float64) []byte {
	v := parseVerb(format)
	var digits string
	switch {
	case math.IsNaN(x):
		digits = "nan"
	case math.IsInf(x, 0):
		digits = "inf"
	default:
		digits = v.digits(func(c byte, precision int) string {
			return strconv.FormatFloat(math.Abs(x), c, precision, 64)
		})
	}
	return v.append(dst, digits, math.Signbit(x), math.IsNaN(x) || math.IsInf(x, 0))
}

// appendBig appends the finite number x as C's printf does.
func appendBig(dst []byte, format string, x *big.Float) []byte {
	v := parseVerb(format)
	abs := new(big.Float).Abs(x)
	return v.append(dst, v.digits(func(c byte, precision int) string { return abs.Text(c, precision) }), x.Signbit(), false)
}

// digits formats a number that is not negative by the conversion.
func (v *verb) digits(text func(conversion byte, precision int) string) string {
	c, precision := v.conversion, v.precision
	if c == 'F' {
		c = 'f'
	}
	switch c {
	case 'a', 'A':
		c = 'x' + c - 'a'
	case 'e', 'E', 'f', 'g', 'G':
		if precision < 0 {
			precision = 6
		}
		if (c == 'g' || c == 'G') && precision == 0 {
			precision = 1
		}
	default:
		return ""
	}
	s := text(c, precision)
	if v.alt && !strings.Contains(s, ".") {
		mantissa, exponent, found := strings.Cut(s, "e")
		s = mantissa + "."
		if found {
			s += "e" + exponent
		}
	}
	return s
}

// append adds sign, padding and the text around.
func (v *verb) append(dst []byte, digits string, negative, notFinite bool) []byte {
	dst = append(dst, v.before...)
	if v.conversion == 0 {
		return append(dst, v.after...)
	}
	sign := ""
	switch {
	case negative:
		sign = "-"
	case v.plus:
		sign = "+"
	case v.space:
		sign = " "
	}
	pad := max(v.width-len(sign)-len(digits), 0)
	switch {
	case v.minus:
		dst = append(append(dst, sign...), digits...)
		dst = append(dst, strings.Repeat(" ", pad)...)
	case v.zero && !notFinite:
		dst = append(append(dst, sign...), strings.Repeat("0", pad)...)
		dst = append(dst, digits...)
	default:
		dst = append(append(dst, strings.Repeat(" ", pad)...), sign...)
		dst = append(dst, digits...)
	}
	return append(dst, v.after...)
}
