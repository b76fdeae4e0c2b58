package ddl

import (
	"encoding/hex"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"clawh5/core/internal/datatype"
	"clawh5/core/internal/format"
)

// Parse reads a datatype from text. Errors have the kind Type and give line and
// column.
func Parse(src string) (*format.Datatype, error) {
	p := &parser{scanner: scanner{src: src}}
	p.advance()
	d := p.datatype(0)
	if p.token.kind != end {
		p.fail("%v after the datatype", p.token)
	}
	if p.err != nil {
		return nil, p.err
	}
	return datatype.FromLibrary(d)
}

// parser reads by recursive descent, types with the sizes that they have in
// libhdf5's memory, which offsets of members in a text count. After the first error it reads on as if the
// text had ended.
type parser struct {
	scanner
	token token
	err   error
}

func (p *parser) advance() {
	if p.err != nil {
		return
	}
	t, err := p.next()
	if err != nil {
		p.stop(err)
		return
	}
	p.token = t
}

func (p *parser) stop(err error) {
	if p.err == nil {
		p.err = err
	}
	p.token = token{kind: end, at: len(p.src)}
}

// fail records an error at the current token.
func (p *parser) fail(text string, args ...any) { p.failAt(p.token.at, text, args...) }

func (p *parser) failAt(at int, text string, args ...any) {
	if p.err == nil {
		p.stop(p.errorAt(at, text, args...))
	}
}

// placeholder stands for a datatype after an error.
var placeholder, _ = datatype.Predefined("H5T_STD_I8LE")

// made returns a type that was built of what begins at a byte of the text.
func (p *parser) made(at int, d *format.Datatype, err error) *format.Datatype {
	if err != nil {
		p.failAt(at, "%v", err)
	}
	if p.err != nil {
		return placeholder
	}
	return d
}

// library returns d with its size in libhdf5's memory.
func (p *parser) library(d *format.Datatype) *format.Datatype {
	l, err := datatype.Library(d)
	return p.made(p.token.at, l, err)
}

// take reads a token of a kind and returns it.
func (p *parser) take(k kind, what string) token {
	t := p.token
	if t.kind != k {
		p.fail("%v instead of %s", t, what)
		return token{kind: k, at: t.at}
	}
	p.advance()
	return t
}

func (p *parser) is(s string) bool {
	return (p.token.kind == word || p.token.kind == mark) && p.token.s == s
}

// accept reads a word or a mark if it is there.
func (p *parser) accept(s string) bool {
	if !p.is(s) {
		return false
	}
	p.advance()
	return true
}

func (p *parser) expect(s string) {
	if !p.accept(s) {
		p.fail("%v instead of %q", p.token, s)
	}
}

// number reads an unsigned number of at most n bits.
func (p *parser) number(n int) uint64 {
	t := p.take(number, "a number")
	v, err := strconv.ParseUint(t.s, 10, n)
	if err != nil {
		p.failAt(t.at, "%q is no number from 0 to 2^%d-1", t.s, n)
	}
	return v
}

// choice reads one of some words and returns its place.
func (p *parser) choice(what string, words []string) int {
	t := p.take(word, what)
	i := slices.Index(words, t.s)
	if i < 0 {
		p.failAt(t.at, "%v instead of %s: %s", t, what, strings.Join(words, ", "))
		return 0
	}
	return i
}

func (p *parser) datatype(depth int) *format.Datatype {
	if depth >= format.MaxDatatypeDepth {
		p.fail("datatypes nested deeper than %d", format.MaxDatatypeDepth)
	}
	t := p.token
	if t.kind == bits {
		return p.described()
	}
	if t.kind != word {
		p.fail("%v instead of a datatype", t)
		return placeholder
	}
	p.advance()
	if d, ok := datatype.Predefined(t.s); ok {
		return p.library(d)
	}
	body, ok := bodies[t.s]
	if !ok {
		p.failAt(t.at, "%v is no datatype", t)
		return placeholder
	}
	p.expect("{")
	d := body(p, t.at, depth+1)
	p.expect("}")
	return d
}

// bodies read what stands between the braces of a keyword, at a byte of the text.
var bodies map[string]func(p *parser, at, depth int) *format.Datatype

func init() {
	bodies = map[string]func(p *parser, at, depth int) *format.Datatype{
		"H5T_STRING":    (*parser).stringBody,
		"H5T_OPAQUE":    (*parser).opaqueBody,
		"H5T_COMPOUND":  (*parser).compoundBody,
		"H5T_REFERENCE": (*parser).referenceBody,
		"H5T_ENUM":      (*parser).enumBody,
		"H5T_ARRAY":     (*parser).arrayBody,
		"H5T_VLEN": func(p *parser, at, depth int) *format.Datatype {
			d, err := datatype.NewSequence(p.datatype(depth))
			return p.made(at, d, err)
		},
		"H5T_COMPLEX": func(p *parser, at, depth int) *format.Datatype {
			d, err := datatype.NewComplex(p.datatype(depth))
			return p.made(at, d, err)
		},
	}
}

func (p *parser) stringBody(at, _ int) *format.Datatype {
	p.expect("STRSIZE")
	var d *format.Datatype
	if p.accept("H5T_VARIABLE") {
		d = p.library(datatype.NewVariableString())
	} else {
		fixed, err := datatype.NewString(p.number(32))
		d = p.made(at, fixed, err)
	}
	d2 := *d
	p.expect(";")
	p.expect("STRPAD")
	d2.Pad = format.Pad(p.choice("a padding", padNames[:]))
	p.expect(";")
	p.expect("CSET")
	d2.Charset = format.CharacterSet(p.choice("a character set", charsetNames[:]))
	p.expect(";")
	p.expect("CTYPE")
	p.choice("a string type", []string{"H5T_C_S1", "H5T_FORTRAN_S1"})
	p.expect(";")
	return p.made(at, &d2, nil)
}

// opaqueBody reads size and tag in any order, by H5LT's and by the DDL's names.
func (p *parser) opaqueBody(at, _ int) *format.Datatype {
	size, tag := uint64(0), ""
	for p.token.kind == word {
		switch {
		case p.accept("OPQ_SIZE") || p.accept("OPAQUE_SIZE"):
			size = p.number(32)
		case p.accept("OPQ_TAG") || p.accept("OPAQUE_TAG"):
			tag = p.take(text, "a tag").s
		default:
			p.fail("%v instead of OPQ_SIZE or OPQ_TAG", p.token)
		}
		p.expect(";")
	}
	d, err := datatype.NewOpaque(size, tag)
	return p.made(at, d, err)
}

func (p *parser) referenceBody(_, _ int) *format.Datatype {
	t := p.token
	if p.accept("H5T_STD_REF_OBJ") {
		d, _ := datatype.Predefined(t.s)
		return d
	}
	return p.library(datatype.NewReference(format.ReferenceKind(p.choice("a kind of reference", referenceNames[:]))))
}

func (p *parser) arrayBody(at, depth int) *format.Datatype {
	var dims []uint64
	for len(dims) <= format.MaxRank && p.accept("[") {
		dims = append(dims, p.number(32))
		p.expect("]")
	}
	d, err := datatype.NewArray(p.datatype(depth), dims)
	return p.made(at, d, err)
}

// compoundBody reads members. One without an offset, or with the offset 0 where
// other members lie, is put behind all before it.
func (p *parser) compoundBody(at, depth int) *format.Datatype {
	var members []format.Member
	begin, size := uint64(1<<32), uint64(0) // of what the members take
	for !p.is("}") && !p.is("SIZE") && p.err == nil {
		t := p.datatype(depth)
		m := format.Member{Type: t, Name: p.take(text, "the name of a member").s}
		offset := uint64(0)
		if p.accept(":") {
			offset = p.number(32)
		} else {
			begin = 0
		}
		if offset == 0 && begin < uint64(t.Size) {
			offset = size
		}
		p.expect(";")
		if offset >= 1<<32 {
			p.fail("a member at %d", offset)
		}
		m.Offset = uint32(offset)
		begin, size = min(begin, offset), max(size, offset+uint64(t.Size))
		members = append(members, m)
	}
	size = max(size, 1)
	if p.accept("SIZE") {
		size = p.number(32)
		p.expect(";")
	}
	d, err := datatype.NewCompound(size)
	if d = p.made(at, d, err); p.err != nil {
		return d
	}
	d, err = datatype.Extend(d, members)
	return p.made(at, d, err)
}

func (p *parser) enumBody(at, depth int) *format.Datatype {
	base := p.datatype(depth)
	p.expect(";")
	d, err := datatype.NewEnum(base)
	if d = p.made(at, d, err); p.err != nil {
		return d
	}
	var names []string
	var values []byte
	for p.token.kind == text {
		names = append(names, p.take(text, "a name").s)
		values = append(values, p.enumValue(base)...)
		p.expect(";")
	}
	if p.err != nil {
		return d
	}
	d, err = datatype.ExtendEnum(d, names, values)
	return p.made(at, d, err)
}

// enumValue reads a value of the integer type base, or its bytes.
func (p *parser) enumValue(base *format.Datatype) []byte {
	t := p.take(number, "a value")
	if digits, ok := strings.CutPrefix(t.s, "0x"); ok {
		value, err := hex.DecodeString(digits)
		if err != nil || len(value) != int(base.Size) {
			p.failAt(t.at, "%v is not %d bytes", t, base.Size)
		}
		return value
	}
	// Longer than any number that a type with 2^16 bits holds: not parsed, for that takes long.
	v, ok := new(big.Int), len(t.s) <= 20_000
	if ok {
		v, ok = v.SetString(t.s, 10)
	}
	if !ok || !datatype.Holds(base, v) {
		p.failAt(t.at, "%.40s is no value of the enumeration", t.s)
		return nil
	}
	return datatype.AppendInteger(nil, base, v)
}
