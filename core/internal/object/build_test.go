package object

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
)

// builder writes small files of superblock version 2, bottom up: what is
// referred to comes first. Bytes are made after the specification.
type builder struct {
	buf       []byte
	extension uint64
}

const superblockSize = 48

func newBuilder() *builder {
	return &builder{buf: make([]byte, superblockSize), extension: format.Undefined}
}

// next returns the address of what is added next.
func (b *builder) next() uint64 { return uint64(len(b.buf)) }

func (b *builder) add(p []byte) uint64 {
	at := b.next()
	b.buf = append(b.buf, p...)
	return at
}

// file returns the finished file.
func (b *builder) file(root uint64) []byte {
	p := bytes.Clone(b.buf)
	s := append([]byte("\x89HDF\r\n\x1a\n"), 2, 8, 8, 0)
	s = put64(s, 0, b.extension, uint64(len(p)), root)
	copy(p, sum(s))
	return p
}

func put64(p []byte, values ...uint64) []byte {
	for _, v := range values {
		p = binary.LittleEndian.AppendUint64(p, v)
	}
	return p
}

func sum(p []byte) []byte {
	return binary.LittleEndian.AppendUint32(p, cursor.Lookup3(p, 0))
}

// msg is a message to be written.
type msg struct {
	typ   format.MessageType
	flags format.MessageFlags
	body  []byte
}

func messages(list []msg) []byte {
	var p []byte
	for _, m := range list {
		p = append(p, byte(m.typ), byte(len(m.body)), byte(len(m.body)>>8), byte(m.flags))
		p = append(p, m.body...)
	}
	return p
}

// headerV2 is an object header of version 2 whose first chunk ends with gap
// bytes.
func headerV2(gap int, list ...msg) []byte {
	body := append(messages(list), make([]byte, gap)...)
	p := append([]byte("OHDR"), 2, 1, byte(len(body)), byte(len(body)>>8))
	return sum(append(p, body...))
}

func continuationV2(list ...msg) []byte {
	return sum(append([]byte("OCHK"), messages(list)...))
}

// messagesV1 are messages of version 1, padded to multiples of 8.
func messagesV1(list []msg) []byte {
	var p []byte
	for _, m := range list {
		body := append(bytes.Clone(m.body), make([]byte, -len(m.body)&7)...)
		p = append(p, byte(m.typ), byte(m.typ>>8), byte(len(body)), byte(len(body)>>8), byte(m.flags), 0, 0, 0)
		p = append(p, body...)
	}
	return p
}

func headerV1(refs uint32, total int, list ...msg) []byte {
	body := messagesV1(list)
	p := []byte{1, 0, byte(total), byte(total >> 8)}
	p = binary.LittleEndian.AppendUint32(p, refs)
	p = binary.LittleEndian.AppendUint32(p, uint32(len(body)))
	return append(append(p, 0, 0, 0, 0), body...)
}

func continuation(addr uint64, n int) msg {
	return msg{format.MsgContinuation, 0, put64(nil, addr, uint64(n))}
}

var (
	int32Type   = msg{format.MsgDatatype, 0, []byte{0x10, 8, 0, 0, 4, 0, 0, 0, 0, 0, 32, 0}}
	scalarSpace = msg{format.MsgDataspace, 0, []byte{2, 0, 0, 0}}
	linkInfo    = msg{format.MsgLinkInfo, 0, put64([]byte{0, 0}, format.Undefined, format.Undefined)}
	// contiguous data of 4 bytes that were never written
	noData = msg{format.MsgLayout, 0, put64([]byte{3, 1}, format.Undefined, 4)}
)

// simpleSpace is a dataspace of fewer than 2^64 elements.
func simpleSpace(dims ...uint64) msg {
	return msg{format.MsgDataspace, 0, put64([]byte{2, byte(len(dims)), 0, 1}, dims...)}
}

func hardLink(name string, addr uint64) msg {
	return msg{format.MsgLink, 0, put64(append([]byte{1, 0, byte(len(name))}, name...), addr)}
}

func softLink(name, target string) msg {
	p := append([]byte{1, 8, 1, byte(len(name))}, name...)
	return msg{format.MsgLink, 0, append(append(p, byte(len(target)), 0), target...)}
}

func externalLink(name, file, target string) msg {
	value := "\x00" + file + "\x00" + target + "\x00"
	p := append([]byte{1, 8, 64, byte(len(name))}, name...)
	return msg{format.MsgLink, 0, append(append(p, byte(len(value)), 0), value...)}
}

// attribute is an attribute message of version 3.
func attribute(name string, flags byte, typ, space, data []byte) msg {
	p := []byte{3, flags, byte(len(name) + 1), 0, byte(len(typ)), 0, byte(len(space)), 0, 0}
	p = append(append(p, name...), 0)
	return msg{format.MsgAttribute, 0, append(append(append(p, typ...), space...), data...)}
}

func (b *builder) group(list ...msg) uint64 {
	return b.add(headerV2(0, append([]msg{linkInfo}, list...)...))
}

// open opens the finished file.
func (b *builder) open(t testing.TB, root uint64) *File {
	t.Helper()
	f, err := openBytes(context.Background(), b.file(root))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// only opens a file with one object and returns its header.
func only(t testing.TB, header []byte) (*File, *Header, error) {
	t.Helper()
	b := newBuilder()
	f := b.open(t, b.add(header))
	h, err := f.Header(context.Background(), f.Root())
	return f, h, err
}

func testFile(t testing.TB, name string) []byte {
	t.Helper()
	p, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func openTestFile(t testing.TB, name string) *File {
	t.Helper()
	f, err := openBytes(context.Background(), testFile(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// at returns the header that a path leads to.
func at(t testing.TB, f *File, path string) *Header {
	t.Helper()
	ctx := context.Background()
	target, err := f.Resolve(ctx, f.Root(), path)
	if err != nil {
		t.Fatal(err)
	}
	h, err := target.File.Header(ctx, target.Addr)
	if err != nil {
		t.Fatal(err)
	}
	return h
}
