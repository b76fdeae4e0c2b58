package object

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
)

func attributeNames(list []Attribute) (names []string) {
	for _, a := range list {
		names = append(names, a.Name)
	}
	return names
}

func TestCompactAttributes(t *testing.T) {
	f, h, err := only(t, headerV2(0, linkInfo,
		attribute("b", 0, int32Type.body, simpleSpace(2).body, []byte{1, 0, 0, 0, 2, 0, 0, 0, 9}),
		attribute("a", 0, int32Type.body, []byte{2, 0, 0, 2}, nil)))
	if err != nil {
		t.Fatal(err)
	}
	list, err := f.Attributes(ctx, h, false)
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	a, b := list[0], list[1]
	if a.Name != "a" || a.Space.Kind != format.NullSpace || len(a.Data) != 0 {
		t.Errorf("%+v", a)
	}
	if b.Name != "b" || b.Type.Size != 4 || string(b.Data) != "\x01\x00\x00\x00\x02\x00\x00\x00" || b.HasOrder {
		t.Errorf("%+v", b)
	}
	if a.Type != b.Type {
		t.Error("equal types of a file are one type")
	}
	if n, err := f.AttributeCount(ctx, h); n != 2 || err != nil {
		t.Error(n, err)
	}
	if got, err := f.Attribute(ctx, h, "b"); err != nil || string(got.Data) != string(b.Data) {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := f.Attribute(ctx, h, "c"); !errors.Is(err, h5err.NotFound) {
		t.Error(err)
	}
}

func TestABadAttributeDoesNotHideTheOthers(t *testing.T) {
	f, h, err := only(t, headerV2(0, linkInfo,
		attribute("short", 0, int32Type.body, simpleSpace(2).body, make([]byte, 7)),
		attribute("huge", 0, int32Type.body, simpleSpace(1<<62, 4).body, make([]byte, 8)),
		attribute("strange", 0, []byte{0x1f, 0, 0, 0, 4, 0, 0, 0}, scalarSpace.body, make([]byte, 4)),
		attribute("good", 0, int32Type.body, scalarSpace.body, make([]byte, 4))))
	if err != nil {
		t.Fatal(err)
	}
	list, err := f.Attributes(ctx, h, false)
	if err != nil || len(list) != 4 {
		t.Fatal(list, err)
	}
	for _, a := range list {
		want := map[string]h5err.Kind{"short": h5err.Corrupt, "huge": h5err.Corrupt, "strange": h5err.Unsupported}[a.Name]
		if h5err.KindOf(a.Err) != want {
			t.Errorf("%s: %v", a.Name, a.Err)
		}
		if _, err := f.Attribute(ctx, h, a.Name); h5err.KindOf(err) != want {
			t.Errorf("%s looked up: %v", a.Name, err)
		}
	}
}

func TestDenseAttributes(t *testing.T) {
	f := openTestFile(t, "dense.h5")
	h := at(t, f, "/many")
	list, err := f.Attributes(ctx, h, false)
	if err != nil || len(list) != 41 || !slices.IsSorted(attributeNames(list)) {
		t.Fatal(attributeNames(list), err)
	}
	for i, a := range list[:40] {
		found, err := f.Attribute(ctx, h, a.Name)
		if want := string([]byte{byte(i), 0, 0, 0}); err != nil || string(a.Data) != want || string(found.Data) != want {
			t.Errorf("%+v, found %+v, %v", a, found, err)
		}
		if a.Name != fmt.Sprintf("attribute%02d", i) || !a.HasOrder || a.Order != int64(39-i) {
			t.Errorf("%+v", a)
		}
	}
	if n, err := f.AttributeCount(ctx, h); n != 41 || err != nil {
		t.Error(n, err)
	}
	huge, err := f.Attribute(ctx, h, "huge")
	if err != nil || len(huge.Data) != 70000 || strings.Trim(string(huge.Data), "\x00") != "" {
		t.Errorf("%d bytes, %v", len(huge.Data), err)
	}
	if _, err := f.Attribute(ctx, h, "attribute40"); !errors.Is(err, h5err.NotFound) {
		t.Error(err)
	}
	list, err = f.Attributes(ctx, h, true)
	created := attributeNames(list[:40])
	slices.Reverse(created)
	if err != nil || !slices.IsSorted(created) || list[40].Name != "huge" {
		t.Errorf("%v, %v", attributeNames(list), err)
	}
}

func TestAttributesInContinuations(t *testing.T) {
	f := openTestFile(t, "old.h5")
	list, err := f.Attributes(ctx, at(t, f, "/data"), false)
	if err != nil || len(list) != 21 {
		t.Fatal(attributeNames(list), err)
	}
	for i, a := range list[:20] {
		want := ""
		for k := range i {
			want += string([]byte{byte(k), 0})
		}
		if string(a.Data) != want || len(a.Space.Dims) != 1 || a.Space.Dims[0] != uint64(i) {
			t.Errorf("%+v", a)
		}
	}
	committed, err := f.Resolve(ctx, f.Root(), "/type")
	if typed := list[20]; err != nil || typed.Name != "typed" || typed.Type.Class != format.Compound || typed.Type.Committed != committed.Addr {
		t.Errorf("%+v, %v", typed, err)
	}
}
