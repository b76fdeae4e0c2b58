package format

import "bytes"

func decodeString(d *Datatype, r *datatypeReader) { d.textFormat(r, r.bits) }

func decodeOpaque(d *Datatype, r *datatypeReader) {
	n := int(r.bits & 0xff)
	if n%8 != 0 {
		r.Corrupt("a tag of %d bytes, which is no multiple of 8", n)
	}
	tag, _, _ := bytes.Cut(r.Bytes(n), []byte{0})
	d.Tag = string(tag)
}
