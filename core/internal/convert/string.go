package convert

import (
	"bytes"

	"clawh5/core/internal/format"
)

// toString converts fixed strings of another size or padding: what does not fit
// is cut off, also where that cuts a character of UTF-8. There is no conversion
// between character sets.
func toString(src, dst *format.Datatype) (Conversion, error) {
	if src.Class != format.String || src.Charset != dst.Charset {
		return Conversion{}, NoConversion(src, dst)
	}
	s, d := int(src.Size), int(dst.Size)
	from, to := src.Pad, dst.Pad
	return Conversion{SrcSize: s, DstSize: d, InPlace: s == d, Run: func(dst, src []byte, n int) {
		for i := range n {
			putString(dst[i*d:i*d+d], content(src[i*s:i*s+s], from), to)
		}
	}}, nil
}

// content is a string without its padding.
func content(b []byte, pad format.Pad) []byte {
	if pad == format.SpacePadded {
		return bytes.TrimRight(b, " ")
	}
	if end := bytes.IndexByte(b, 0); end >= 0 {
		return b[:end]
	}
	return b
}

func putString(dst, s []byte, pad format.Pad) {
	fill := byte(0)
	if pad == format.SpacePadded {
		fill = ' '
	}
	for i := copy(dst, s); i < len(dst); i++ {
		dst[i] = fill
	}
	if pad == format.NullTerminated {
		dst[len(dst)-1] = 0
	}
}
