package format

import (
	"errors"
	"reflect"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
)

func cacheImage(t testing.TB, hex string) []byte {
	p := unhex(t, hex)
	sum := cursor.Lookup3(p, 0)
	return append(p, byte(sum), byte(sum>>8), byte(sum>>16), byte(sum>>24))
}

// Two entries, one with a parent, as H5C__encode_cache_image_entry lays them out.
const cacheImageBlock = "4d444349 00 00 5f00000000000000 02000000" +
	"05 03 02 00 0000 0000 0000 00000000 3000000000000000 0300000000000000 616263" +
	"06 08 02 01 0000 0000 0100 ffffffff 0002000000000000 0200000000000000 3000000000000000 6465"

func decodeImage(p []byte) (CacheImageBlock, error) {
	return DecodeCacheImageBlock(cursor.New(p, 0), wide)
}

func TestCacheImageBlock(t *testing.T) {
	p := cacheImage(t, cacheImageBlock)
	want := CacheImageBlock{Entries: []CacheImageEntry{{0x30, []byte("abc")}, {0x200, []byte("de")}}}
	if got, err := decodeImage(p); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%d bytes: %+v, %v", len(p), got, err)
	}
	checkTruncations(t, p, 0, func(p []byte) error { _, err := decodeImage(p); return err })
}

func TestDamagedCacheImagesAreErrors(t *testing.T) {
	for name, tc := range map[string]struct {
		at   int
		b    byte
		kind h5err.Kind
	}{
		"version":           {4, 1, h5err.Unsupported},
		"resize status":     {5, 1, h5err.Unsupported},
		"length":            {6, 0x5e, h5err.Corrupt},
		"too many entries":  {15, 1, h5err.Corrupt},
		"entry of no bytes": {40, 0, h5err.Corrupt},
		"entry too long":    {41, 1, h5err.Corrupt},
		"too many parents":  {27, 0x7f, h5err.Corrupt},
	} {
		p := unhex(t, cacheImageBlock)
		p[tc.at] = tc.b
		sum := cursor.Lookup3(p, 0)
		p = append(p, byte(sum), byte(sum>>8), byte(sum>>16), byte(sum>>24))
		if _, err := decodeImage(p); !errors.Is(err, tc.kind) {
			t.Errorf("%s: %v, want %v", name, err, tc.kind)
		}
	}
	p := cacheImage(t, cacheImageBlock)
	p[50] ^= 1
	if _, err := decodeImage(p); !errors.Is(err, h5err.Corrupt) {
		t.Errorf("a wrong checksum: %v", err)
	}
}

func FuzzCacheImage(f *testing.F) {
	f.Add(cacheImage(f, cacheImageBlock))
	f.Fuzz(func(t *testing.T, p []byte) {
		if len(p) >= 4 {
			sum := cursor.Lookup3(p[:len(p)-4], 0)
			p = append(append([]byte(nil), p[:len(p)-4]...), byte(sum), byte(sum>>8), byte(sum>>16), byte(sum>>24))
		}
		b, err := decodeImage(p)
		if err == nil {
			for _, e := range b.Entries {
				if len(e.Data) == 0 {
					t.Fatal("an empty entry")
				}
			}
		}
	})
}
