package format

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
)

func TestFamilyInfo(t *testing.T) {
	p := unhex(t, "0004000000000000")
	decode := func(p []byte) (FamilyInfo, error) { return DecodeFamilyInfo(cursor.New(p, 0)) }
	if got, err := decode(p); err != nil || got.MemberSize != 1024 {
		t.Errorf("%+v, %v", got, err)
	}
	checkTruncations(t, p, 0, func(p []byte) error { _, err := decode(p); return err })
	if _, err := decode(make([]byte, 8)); !errors.Is(err, h5err.Corrupt) {
		t.Errorf("members of 0 bytes: %v", err)
	}
}

// splitInfo is what libhdf5's split driver writes: everything but raw data in
// the first member.
const splitInfo = "010103010101 0000 0000000000000000 0008000000000000 ffffffffffffff7f 0008000000000000" +
	"25732d6d2e683500 25732d722e683500" // %s-m.h5, %s-r.h5

func TestMultiInfo(t *testing.T) {
	decode := func(p []byte) (MultiInfo, error) { return DecodeMultiInfo(cursor.New(p, 0)) }
	p := unhex(t, splitInfo)
	want := MultiInfo{Raw: 1, Members: []MultiMember{
		{SuperMember, 0, 0x800, "%s-m.h5"}, {RawMember, 1<<63 - 1, 0x800, "%s-r.h5"}}}
	if got, err := decode(p); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	checkTruncations(t, p, 0, func(p []byte) error { _, err := decode(p); return err })

	// A map of zeros is one member for each usage.
	names := ""
	for _, letter := range "sbrglo" {
		names += "25732d" + string("0123456789abcdef"[letter>>4]) + string("0123456789abcdef"[letter&15]) + "2e683500"
	}
	p = unhex(t, strings.Repeat("00", 8)+
		"0000000000000000 0801000000000000 aaaaaaaaaaaaaa2a 6803000000000000 5455555555555555 0000000000000000"+
		"feffffffffffff7f 0000000000000000 a8aaaaaaaaaaaaaa 7800000000000000 52555555555555d5 4802000000000000"+names)
	got, err := decode(p)
	if err != nil || len(got.Members) != 6 || got.Raw != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	for i, m := range DefaultMultiInfo().Members {
		m.Used = got.Members[i].Used
		if got.Members[i] != m {
			t.Errorf("member %d: %+v, by default %+v", i, got.Members[i], m)
		}
	}
}

func TestMultiInfoIsChecked(t *testing.T) {
	for name, change := range map[string][2]string{
		"usage 7":          {"010103", "070103"},
		"one address":      {"ffffffffffffff7f", "0000000000000000"},
		"beyond the end":   {"ffffffffffffff7f 00080000 00000000", "ffffffffffffffff 00080000 00000000"},
		"no placeholder":   {"25732d6d", "78732d6d"},
		"two placeholders": {"25732d6d", "25732573"},
		"another format":   {"25732d6d", "25642d6d"},
	} {
		hex := strings.Replace(strings.ReplaceAll(splitInfo, " ", ""), strings.ReplaceAll(change[0], " ", ""), strings.ReplaceAll(change[1], " ", ""), 1)
		if _, err := DecodeMultiInfo(cursor.New(unhex(t, hex), 0)); !errors.Is(err, h5err.Corrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzDriverInfo(f *testing.F) {
	f.Add(unhex(f, splitInfo))
	f.Add(unhex(f, "0004000000000000"))
	f.Fuzz(func(t *testing.T, p []byte) {
		DecodeFamilyInfo(cursor.New(p, 0))
		DecodeMultiInfo(cursor.New(p, 0))
	})
}
