package core

import (
	"encoding/base64"
	"strconv"
	"unicode/utf8"
)

// jsonWriter appends JSON to a buffer. Members are written in the order of the
// calls; commas are its business. It exists because descriptions of 10,000
// objects are rendered in one go and names may hold bytes that are not UTF-8,
// which encoding/json would replace.
type jsonWriter struct {
	buf   []byte
	comma bool // a value precedes in the open object or array
}

func (w *jsonWriter) sep() {
	if w.comma {
		w.buf = append(w.buf, ',')
	}
	w.comma = true
}

func (w *jsonWriter) open(c byte)  { w.sep(); w.buf = append(w.buf, c); w.comma = false }
func (w *jsonWriter) close(c byte) { w.buf = append(w.buf, c); w.comma = true }

func (w *jsonWriter) key(name string) {
	w.sep()
	w.buf = append(w.buf, '"')
	w.buf = append(w.buf, name...)
	w.buf = append(w.buf, '"', ':')
	w.comma = false
}

func (w *jsonWriter) object(name string) { w.key(name); w.open('{') }
func (w *jsonWriter) array(name string)  { w.key(name); w.open('[') }

func (w *jsonWriter) uint(v uint64)   { w.sep(); w.buf = strconv.AppendUint(w.buf, v, 10) }
func (w *jsonWriter) int(v int64)     { w.sep(); w.buf = strconv.AppendInt(w.buf, v, 10) }
func (w *jsonWriter) raw(s string)    { w.sep(); w.buf = append(w.buf, s...) }
func (w *jsonWriter) string(s string) { w.sep(); w.buf = appendJSONString(w.buf, s) }
func (w *jsonWriter) bool(v bool)     { w.sep(); w.buf = strconv.AppendBool(w.buf, v) }
func (w *jsonWriter) base64(p []byte) { w.sep(); w.buf = appendBase64(w.buf, p) }
func (w *jsonWriter) float(v float64) { w.sep(); w.buf = strconv.AppendFloat(w.buf, v, 'g', -1, 64) }

func (w *jsonWriter) uintMember(name string, v uint64)   { w.key(name); w.uint(v) }
func (w *jsonWriter) intMember(name string, v int64)     { w.key(name); w.int(v) }
func (w *jsonWriter) stringMember(name, v string)        { w.key(name); w.string(v) }
func (w *jsonWriter) boolMember(name string, v bool)     { w.key(name); w.bool(v) }
func (w *jsonWriter) base64Member(name string, p []byte) { w.key(name); w.base64(p) }

func (w *jsonWriter) uintsMember(name string, vs []uint64) {
	w.array(name)
	for _, v := range vs {
		w.uint(v)
	}
	w.close(']')
}

func appendBase64(dst, p []byte) []byte {
	dst = append(dst, '"')
	dst = base64.StdEncoding.AppendEncode(dst, p)
	return append(dst, '"')
}

// appendJSONString quotes s. Bytes that are not UTF-8 become the lone surrogates
// \udc80 to \udcff, as Python's "surrogateescape" has them, so that every name
// survives the way to a binding and back.
func appendJSONString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
			i++
		case c < 0x20 || c == 0x7f:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			i++
		case c < utf8.RuneSelf:
			dst = append(dst, c)
			i++
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				dst = append(dst, '\\', 'u', 'd', 'c', hex[c>>4], hex[c&15])
			} else {
				dst = append(dst, s[i:i+n]...)
			}
			i += n
		}
	}
	return append(dst, '"')
}
