package format

import (
	"encoding/binary"
	"errors"
	"reflect"
	"strings"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
)

// As libhdf5's onion driver writes them, checksums included.
const (
	onionHeader  = "4f484448 01 000000 20000000 4008000000000000 a604000000000000 5000000000000000 9dea6d5c"
	onionHistory = "4f574853 01000000 0000000000000000 aa98017b"
	onionRecord  = "4f525253 01000000 0000000000000000 0000000000000000 3230323230353036543035343532395a" +
		"4008000000000000 20000000 0200000000000000 03000000" +
		"2000000000000000 9d00000000000000 00000000 0000000000000000 7d00000000000000 00000000 616200"
)

func withFletcher(t testing.TB, hex string) []byte {
	p := unhex(t, hex)
	return binary.LittleEndian.AppendUint32(p, fletcher32(p))
}

func decodeOnionHeader(p []byte) (OnionHeader, error) { return DecodeOnionHeader(cursor.New(p, 0)) }

func decodeOnionRecord(p []byte) (OnionRecord, error) {
	return DecodeOnionRecord(cursor.New(p, 0), &OnionHeader{PageSize: 32})
}

func TestOnionStructures(t *testing.T) {
	p := unhex(t, onionHeader)
	h, err := decodeOnionHeader(p)
	if want := (OnionHeader{32, 0x840, 0x4a6, 0x50}); err != nil || h != want || len(p) != OnionHeaderSize {
		t.Errorf("%+v, %v", h, err)
	}
	checkTruncations(t, p, 0, func(p []byte) error { _, err := decodeOnionHeader(p); return err })

	if list, err := DecodeOnionHistory(cursor.New(unhex(t, onionHistory), 0)); err != nil || list != nil {
		t.Errorf("%+v, %v", list, err)
	}
	p = withFletcher(t, "4f574853 01000000 0100000000000000 dd00000000000000 b700000000000000 00000000")
	list, err := DecodeOnionHistory(cursor.New(p, 0))
	if err != nil || !reflect.DeepEqual(list, []OnionRevision{{0xdd, 0xb7}}) {
		t.Errorf("%+v, %v", list, err)
	}
	checkTruncations(t, p, 0, func(p []byte) error { _, err := DecodeOnionHistory(cursor.New(p, 0)); return err })

	p = withFletcher(t, onionRecord)
	r, err := decodeOnionRecord(p)
	if want := (OnionRecord{0x840, []OnionPage{{0, 0x7d}, {32, 0x9d}}}); err != nil || !reflect.DeepEqual(r, want) {
		t.Errorf("%+v, %v", r, err)
	}
	checkTruncations(t, p, 0, func(p []byte) error { _, err := decodeOnionRecord(p); return err })
}

func TestOnionStructuresAreChecked(t *testing.T) {
	for name, change := range map[string][2]string{
		"page size":     {"20000000 02", "10000000 02"},
		"misaligned":    {"2000000000000000 9d", "2100000000000000 9d"},
		"two pages":     {"2000000000000000 9d", "0000000000000000 9d"},
		"too many":      {"0200000000000000 03", "0f00000000000000 03"},
		"far too many":  {"0200000000000000 03", "ffffffffffffffff 03"},
		"newer version": {"4f525253 01", "4f525253 02"},
	} {
		p := withFletcher(t, strings.Replace(onionRecord, change[0], change[1], 1))
		if _, err := decodeOnionRecord(p); !errors.Is(err, h5err.Corrupt) && !errors.Is(err, h5err.Unsupported) {
			t.Errorf("%s: %v", name, err)
		}
	}
	p := unhex(t, onionHeader)
	p[9] = 1
	if _, err := decodeOnionHeader(p); !errors.Is(err, h5err.Corrupt) {
		t.Errorf("a wrong checksum: %v", err)
	}
}

func FuzzOnion(f *testing.F) {
	f.Add(unhex(f, onionHeader))
	f.Add(unhex(f, onionHistory))
	f.Add(withFletcher(f, onionRecord))
	f.Fuzz(func(t *testing.T, p []byte) {
		if len(p) > 4 {
			p = binary.LittleEndian.AppendUint32(append([]byte(nil), p[:len(p)-4]...), fletcher32(p[:len(p)-4]))
		}
		decodeOnionHeader(p)
		DecodeOnionHistory(cursor.New(p, 0))
		decodeOnionRecord(p)
	})
}
