package sz

import (
	"encoding/binary"
	"errors"

	"clawh5/core/internal/filter/codec"
)

var errTree = errors.New("a code that is no tree")

// tree is a Huffman code: nodes with their children or, at the end of a code,
// its value.
type tree struct {
	nodes []node
	quick [1 << quickBits]step // for the next bits, where they lead
}

type node struct {
	children [2]uint32
	value    uint32
	leaf     bool
}

// step is a node and how many bits lead to it.
type step struct {
	node uint32
	bits uint8
}

const quickBits = 9

// readTree decodes a tree of nodes:
//
//	1 byte   byte order of what follows, 0: little-endian
//	         for each node its left and its right child, in as many bytes as are
//	         needed, 0: none; its value, 4 bytes; whether it ends a code, 1 byte
//
// Children come after their parents.
func readTree(p *parser, count uint32) (*tree, error) {
	width := 1
	switch {
	case count > 1<<16:
		width = 4
	case count > 1<<8:
		width = 2
	}
	order := p.take(1)
	links := p.takes(uint64(count)*2, width)
	values, leaves := p.takes(uint64(count), 4), p.takes(uint64(count), 1)
	if count == 0 || p.short {
		return nil, errTree
	}
	if order[0] != 0 {
		return nil, codec.Unsupported("a code in big-endian")
	}
	t := &tree{nodes: make([]node, count)}
	for i := range t.nodes {
		n := &t.nodes[i]
		n.value, n.leaf = binary.LittleEndian.Uint32(values[4*i:]), leaves[i] != 0
		for side := range n.children {
			at := (side*int(count) + i) * width
			var room [4]byte
			copy(room[:], links[at:at+width])
			child := binary.LittleEndian.Uint32(room[:])
			if !n.leaf && (child <= uint32(i) || child >= count) {
				return nil, errTree
			}
			n.children[side] = child
		}
	}
	t.index()
	return t, nil
}

// index fills quick.
func (t *tree) index() {
	for i := range t.quick {
		s := &t.quick[i]
		for !t.nodes[s.node].leaf && s.bits < quickBits {
			s.node = t.nodes[s.node].children[i>>(quickBits-1-s.bits)&1]
			s.bits++
		}
	}
}

// decode decodes as many values as dst has room for.
func (t *tree) decode(dst []uint32, src []byte) error {
	if t.nodes[0].leaf {
		for i := range dst {
			dst[i] = t.nodes[0].value
		}
		return nil
	}
	r := bitReader{src: src}
	for i := range dst {
		s := t.quick[r.peek()>>(64-quickBits)]
		r.pos += uint64(s.bits)
		at := s.node
		for !t.nodes[at].leaf {
			at = t.nodes[at].children[r.peek()>>63]
			r.pos++
		}
		dst[i] = t.nodes[at].value
		if r.pos > uint64(len(src))*8 {
			return errShort
		}
	}
	return nil
}

// bitReader reads a row of bits, the most significant of each byte first. After
// the end there are zeros.
type bitReader struct {
	src []byte
	pos uint64 // in bits
}

// peek returns the following bits, of which 57 count, in the upper end.
func (r *bitReader) peek() uint64 {
	at := r.pos >> 3
	if at+8 <= uint64(len(r.src)) {
		return binary.BigEndian.Uint64(r.src[at:]) << (r.pos & 7)
	}
	var room [8]byte
	if at < uint64(len(r.src)) {
		copy(room[:], r.src[at:])
	}
	return binary.BigEndian.Uint64(room[:]) << (r.pos & 7)
}
