package object

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
	"clawh5/core/internal/meta"
	"clawh5/storage/memstore"
)

var ctx = context.Background()

func types(h *Header) (list []format.MessageType) {
	for _, m := range h.Messages {
		list = append(list, m.Type)
	}
	return list
}

func equalTypes(h *Header, want ...format.MessageType) bool {
	got := types(h)
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		if got[i] != want[i] {
			return false
		}
	}
	return true
}

func TestHeaderVersion2WithGapAndContinuation(t *testing.T) {
	b := newBuilder()
	chunk := continuationV2(noData, msg{format.MsgRefCount, 0, []byte{0, 7, 0, 0, 0}})
	next := b.add(chunk)
	f := b.open(t, b.add(headerV2(3, int32Type, msg{format.MsgNil, 0, make([]byte, 9)}, continuation(next, len(chunk)), scalarSpace)))
	h, err := f.Header(ctx, f.Root())
	if err != nil {
		t.Fatal(err)
	}
	if !equalTypes(h, format.MsgDatatype, format.MsgDataspace, format.MsgLayout, format.MsgRefCount) {
		t.Errorf("messages %v", types(h))
	}
	if h.Version != 2 || h.RefCount != 7 || h.Kind() != KindDataset || h.Times != nil {
		t.Errorf("%+v", h)
	}
	if m := h.Messages[0]; !bytes.Equal(b.buf[m.Offset:m.Offset+int64(len(m.Body))], int32Type.body) {
		t.Error("a message has the wrong offset")
	}
}

func TestHeaderVersion1WithContinuations(t *testing.T) {
	b := newBuilder()
	last := messagesV1([]msg{noData})
	lastAt := b.add(last)
	middle := messagesV1([]msg{continuation(lastAt, len(last)), scalarSpace})
	middleAt := b.add(middle)
	f := b.open(t, b.add(headerV1(3, 5, int32Type, continuation(middleAt, len(middle)))))
	h, err := f.Header(ctx, f.Root())
	if err != nil {
		t.Fatal(err)
	}
	if !equalTypes(h, format.MsgDatatype, format.MsgDataspace, format.MsgLayout) || h.Version != 1 || h.RefCount != 3 {
		t.Errorf("%v %+v", types(h), h)
	}
}

func TestHeaderLongerThanTheFirstRead(t *testing.T) {
	long := msg{format.MsgComment, 0, append(bytes.Repeat([]byte("x"), 5000), 0)}
	_, h, err := only(t, headerV2(0, linkInfo, long))
	if err != nil || len(h.Comment()) != 5000 || h.Kind() != KindGroup {
		t.Errorf("%v, %v", h, err)
	}
}

func TestHeaderChecksumsAreVerified(t *testing.T) {
	b := newBuilder()
	chunk := continuationV2(scalarSpace)
	next := b.add(chunk)
	root := b.add(headerV2(0, int32Type, continuation(next, len(chunk))))
	for _, flip := range []uint64{next + 6, root + 14} {
		p := b.file(root)
		p[flip] ^= 1
		f, err := openBytes(ctx, p)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Header(ctx, root); !errors.Is(err, h5err.Corrupt) {
			t.Errorf("a changed byte at %d: %v", flip, err)
		}
	}
}

func TestContinuationsThatGoRoundAreRefused(t *testing.T) {
	b := newBuilder()
	self := b.next()
	n := len(messagesV1([]msg{continuation(0, 0)}))
	b.add(messagesV1([]msg{continuation(self, n)}))
	f := b.open(t, b.add(headerV1(1, 2, continuation(self, n))))
	if _, err := f.Header(ctx, f.Root()); !errors.Is(err, h5err.Corrupt) {
		t.Error(err)
	}
}

func TestHeadersAreLimited(t *testing.T) {
	b := newBuilder()
	chunk := messagesV1([]msg{scalarSpace, scalarSpace, scalarSpace})
	next := b.add(chunk)
	root := b.add(headerV1(1, 4, int32Type, continuation(next, len(chunk))))
	for _, lim := range []Limits{{MaxMessages: 4}, {MaxHeaderBytes: 40}, {MaxHeaderBytes: 80}} {
		m, err := meta.Open(ctx, memstore.New(b.file(root)), meta.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		f, err := Open(ctx, m, lim)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Header(ctx, root); !errors.Is(err, h5err.Limit) {
			t.Errorf("%+v: %v", lim, err)
		}
	}
}

func TestUnknownMessagesMayForbidToReadTheObject(t *testing.T) {
	_, h, err := only(t, headerV2(0, linkInfo, msg{0x55, format.FlagFailUnknownWrite, []byte{1}}))
	if err != nil || !equalTypes(h, format.MsgLinkInfo) {
		t.Errorf("%v, %v", h, err)
	}
	if _, _, err = only(t, headerV2(0, linkInfo, msg{0x55, format.FlagFailUnknown, []byte{1}})); !errors.Is(err, h5err.Unsupported) {
		t.Error(err)
	}
}

func TestTimes(t *testing.T) {
	body := messages([]msg{linkInfo})
	p := append([]byte("OHDR"), 2, 0x21, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, byte(len(body)), 0)
	_, h, err := only(t, sum(append(p, body...)))
	if err != nil || *h.Times != (Times{1, 2, 3, 4}) {
		t.Errorf("%v, %v", h, err)
	}
	_, h, err = only(t, headerV2(0, linkInfo, msg{format.MsgModTime, 0, []byte{1, 0, 0, 0, 5, 0, 0, 0}}))
	if err != nil {
		t.Fatal(err)
	}
	if sec, ok := h.ModTime(); !ok || sec != 5 {
		t.Error(sec, ok)
	}
}

func TestKinds(t *testing.T) {
	for want, list := range map[Kind][]msg{
		KindGroup:    {linkInfo},
		KindDataset:  {int32Type, scalarSpace},
		KindDatatype: {int32Type},
		KindUnknown:  {scalarSpace},
	} {
		_, h, err := only(t, headerV2(0, list...))
		if err != nil || h.Kind() != want {
			t.Errorf("%v: %v, %v", want, h, err)
		}
	}
	_, h, err := only(t, headerV1(1, 1, msg{format.MsgSymbolTable, 0, put64(nil, 0, 0)}))
	if err != nil || h.Kind() != KindGroup {
		t.Errorf("symbol table: %v, %v", h, err)
	}
}

func TestOldFileHasContinuationsAndAComment(t *testing.T) {
	h := at(t, openTestFile(t, "old.h5"), "/data")
	if h.Version != 1 || h.Comment() != "a comment" || h.count(format.MsgAttribute) != 21 {
		t.Errorf("%+v", types(h))
	}
}

func TestMetadataCacheImageReplacesWhatLiesInThePlacesOfItsEntries(t *testing.T) {
	b := newBuilder()
	root := b.group()
	stale := b.add(make([]byte, 200)) // of the group that the image has
	group := headerV2(0, msg{format.MsgComment, 0, []byte("from the image\x00")}, linkInfo)
	image := put64([]byte("MDCI\x00\x00"), uint64(18+30+len(group)+4))
	image = append(image, 1, 0, 0, 0)
	image = append(image, make([]byte, 14)...)
	image = append(put64(image, stale, uint64(len(group))), group...)
	image = sum(image)
	at := b.add(image)
	b.extension = b.add(headerV2(0, msg{format.MsgCacheImage, 0, put64([]byte{0}, at, uint64(len(image)))}))
	f, err := openBytes(ctx, b.file(root))
	if err != nil {
		t.Fatal(err)
	}
	h, err := f.Header(ctx, stale)
	if err != nil || h.Comment() != "from the image" {
		t.Errorf("%+v, %v", h, err)
	}
	// One that reaches past the end of the file.
	b.extension = b.add(headerV2(0, msg{format.MsgCacheImage, 0, put64([]byte{0}, at, 1<<20)}))
	if _, err := openBytes(ctx, b.file(root)); !errors.Is(err, h5err.Corrupt) {
		t.Error(err)
	}
}

func TestSuperblockExtension(t *testing.T) {
	b := newBuilder()
	b.extension = b.add(headerV2(0,
		msg{format.MsgBTreeK, 0, []byte{0, 1, 0, 2, 0, 3, 0}},
		msg{format.MsgFileSpaceInfo, 0, append(put64([]byte{1, 1, 0}, 1, 4096), append([]byte{0, 0}, put64(nil, format.Undefined)...)...)}))
	f := b.open(t, b.group())
	if s := f.Superblock(); s.ChunkK != 1 || s.GroupInternalK != 2 || s.GroupLeafK != 3 {
		t.Errorf("%+v", s)
	}
	if f.FileSpace() == nil || f.FileSpace().PageSize != 4096 {
		t.Errorf("%+v", f.FileSpace())
	}
}
