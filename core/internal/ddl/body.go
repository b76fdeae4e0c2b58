package ddl

import (
	"encoding/hex"
	"math/big"
	"strings"

	"clawh5/core/internal/datatype"
	"clawh5/core/internal/format"
)

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
	s := *d
	p.expect(";")
	p.expect("STRPAD")
	s.Pad = format.Pad(p.choice("a padding", padNames[:]))
	p.expect(";")
	p.expect("CSET")
	s.Charset = format.CharacterSet(p.choice("a character set", charsetNames[:]))
	p.expect(";")
	p.expect("CTYPE")
	p.choice("a string type", []string{"H5T_C_S1", "H5T_FORTRAN_S1"})
	p.expect(";")
	return p.made(at, &s, nil)
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
