package ddl

import (
	"errors"
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

// parser reads by recursive descent. Types that it returns have the sizes of
// libhdf5's memory, on which the offsets in a text rest. After the first error it
// reads on as if the text had ended.
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
		p.failAt(at, "%v", errors.Unwrap(err)) // without the kind, which errors of the text have too
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
