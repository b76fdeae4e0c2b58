// Package cursor reads the little-endian fields of HDF5 structures from bytes
// that nobody has checked.
//
// A Cursor remembers its first failure and returns zeros after it, so a decode
// is a straight list of fields with one check at the end:
//
//	c.Signature("HEAP")
//	c.Version(0)
//	h.SegmentSize = c.Uint(z.Length)
//	return h, c.Err("local heap")
package cursor

import (
	"encoding/binary"
	"fmt"

	"clawh5/core/h5err"
)

// Undefined is the undefined address of the specification (all bits set) for
// every size of offsets.
const Undefined = ^uint64(0)

// Cursor is a bounded reader over the bytes of one structure. The zero value is
// an empty one. A Cursor is not safe for concurrent use.
type Cursor struct {
	buf  []byte
	pos  int
	base int64 // file offset of buf[0]
	err  *h5err.Error
}

// New returns a Cursor over buf, whose first byte lies at offset in the file.
// The bytes are not copied.
func New(buf []byte, offset int64) *Cursor { return &Cursor{buf: buf, base: offset} }

// Len returns the number of bytes not yet read; 0 after a failure.
func (c *Cursor) Len() int {
	if c.err != nil {
		return 0
	}
	return len(c.buf) - c.pos
}

// Pos returns the number of bytes read so far.
func (c *Cursor) Pos() int { return c.pos }

// Offset returns the file offset of the next byte.
func (c *Cursor) Offset() int64 { return c.base + int64(c.pos) }

// Failed reports whether an earlier call has failed.
func (c *Cursor) Failed() bool { return c.err != nil }

// Err returns the first failure as an error in structure, or nil. A structure
// that an inner decode has named already stays.
func (c *Cursor) Err(structure string) error {
	if c.err == nil {
		return nil
	}
	if c.err.Structure == "" {
		c.err.Structure = structure
	}
	return c.err
}

// Corrupt records that the file is wrong at the cursor's place.
func (c *Cursor) Corrupt(format string, args ...any) { c.fail(h5err.Corrupt, c.Offset(), format, args) }

// Unsupported records that the file is right but this library cannot read it.
func (c *Cursor) Unsupported(format string, args ...any) {
	c.fail(h5err.Unsupported, c.Offset(), format, args)
}

// Fail records err, unless an earlier call has failed.
func (c *Cursor) Fail(err error) {
	if err == nil || c.err != nil {
		return
	}
	if e, ok := err.(*h5err.Error); ok {
		c.err = e
		return
	}
	c.err = &h5err.Error{Kind: h5err.Corrupt, Offset: c.Offset(), Err: err}
}

func (c *Cursor) fail(k h5err.Kind, off int64, format string, args []any) {
	if c.err == nil {
		c.err = &h5err.Error{Kind: k, Offset: off, Err: fmt.Errorf(format, args...)}
	}
}

// Bytes returns the next n bytes without copying them, or nil on failure.
func (c *Cursor) Bytes(n int) []byte {
	if c.err != nil {
		return nil
	}
	if n < 0 || n > len(c.buf)-c.pos {
		c.Corrupt("%d bytes are needed, %d are left", n, len(c.buf)-c.pos)
		return nil
	}
	p := c.buf[c.pos : c.pos+n : c.pos+n]
	c.pos += n
	return p
}

// Rest returns all bytes not yet read.
func (c *Cursor) Rest() []byte { return c.Bytes(c.Len()) }

// Skip passes over n bytes.
func (c *Cursor) Skip(n int) { c.Bytes(n) }

// Align passes over bytes until Pos is a multiple of n, or to the end if that
// is nearer: padding of the last field may be missing.
func (c *Cursor) Align(n int) {
	if r := c.pos % n; r != 0 {
		c.Skip(min(n-r, c.Len()))
	}
}

// U8 reads one byte.
func (c *Cursor) U8() uint8 {
	if p := c.Bytes(1); p != nil {
		return p[0]
	}
	return 0
}

// U16 reads a 16-bit unsigned integer.
func (c *Cursor) U16() uint16 {
	if p := c.Bytes(2); p != nil {
		return binary.LittleEndian.Uint16(p)
	}
	return 0
}

// U32 reads a 32-bit unsigned integer.
func (c *Cursor) U32() uint32 {
	if p := c.Bytes(4); p != nil {
		return binary.LittleEndian.Uint32(p)
	}
	return 0
}

// U64 reads a 64-bit unsigned integer.
func (c *Cursor) U64() uint64 {
	if p := c.Bytes(8); p != nil {
		return binary.LittleEndian.Uint64(p)
	}
	return 0
}

// Uint reads an unsigned integer of n bytes. More than 8 bytes are read as long
// as the upper ones are zero (sizes of offsets and lengths may be 16 or 32).
func (c *Cursor) Uint(n int) uint64 {
	p := c.Bytes(n)
	if p == nil {
		return 0
	}
	var v uint64
	for i := len(p) - 1; i >= 0; i-- {
		if i >= 8 && p[i] != 0 {
			c.fail(h5err.Unsupported, c.Offset()-int64(n), "a value of %d bytes does not fit 64 bits", []any{n})
			return 0
		}
		v = v<<8 | uint64(p[i])
	}
	return v
}

// Addr reads an address of n bytes; all bits set give Undefined.
func (c *Cursor) Addr(n int) uint64 {
	if c.err != nil || c.Len() < n {
		c.Bytes(n)
		return Undefined
	}
	for _, b := range c.buf[c.pos : c.pos+n] {
		if b != 0xff {
			return c.Uint(n)
		}
	}
	c.pos += n
	return Undefined
}

// CString reads bytes up to a NUL, which is passed over and not returned.
func (c *Cursor) CString() []byte {
	if c.err != nil {
		return nil
	}
	for i, b := range c.buf[c.pos:] {
		if b == 0 {
			s := c.Bytes(i)
			c.pos++
			return s
		}
	}
	c.Corrupt("a string without its terminating NUL")
	return nil
}

// Signature expects the bytes of s.
func (c *Cursor) Signature(s string) {
	at := c.Offset()
	if p := c.Bytes(len(s)); p != nil && string(p) != s {
		c.fail(h5err.Corrupt, at, "signature %q where %q was expected", []any{p, s})
	}
}

// Version reads a version byte and expects it to lie in [lo, hi]. A higher one
// is Unsupported.
func (c *Cursor) Version(lo, hi uint8) uint8 {
	at := c.Offset()
	v := c.U8()
	switch {
	case c.err != nil:
		return lo
	case v < lo:
		c.fail(h5err.Corrupt, at, "version %d, the lowest is %d", []any{v, lo})
	case v > hi:
		c.fail(h5err.Unsupported, at, "version %d, the highest known is %d", []any{v, hi})
	}
	return v
}

// Sub returns a Cursor over the next n bytes and passes over them. Its failures
// are its own; hand them on with Fail.
func (c *Cursor) Sub(n int) *Cursor {
	at := c.Offset()
	s := New(c.Bytes(n), at)
	s.err = c.err
	return s
}

// Checksum reads the 4-byte checksum that ends a structure and compares it with
// lookup3 of all bytes before it.
func (c *Cursor) Checksum() {
	if c.err != nil {
		return
	}
	want := Lookup3(c.buf[:c.pos], 0)
	at := c.Offset()
	if got := c.U32(); c.err == nil && got != want {
		c.fail(h5err.Corrupt, at, "checksum %#08x, the bytes give %#08x", []any{got, want})
	}
}
