package filter_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/filter"
	"clawh5/core/internal/filter/filtertest"
)

// packedCases returns the chunks of testdata/packed.json that went through id.
func packedCases(t testing.TB, id filter.ID) []filtertest.Case {
	t.Helper()
	text, err := os.ReadFile("testdata/packed.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []chunk
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	var cases []filtertest.Case
	for _, c := range all {
		if c.Filters[0].ID == id {
			cases = append(cases, filtertest.Case{Name: c.Name, Params: c.Filters[0].Params, Stored: c.Stored, Plain: c.Plain})
		}
	}
	return cases
}

func TestPackingFiltersPassTheSuite(t *testing.T) {
	for _, id := range []filter.ID{filter.NBit, filter.ScaleOffset, filter.Bzip2} {
		t.Run(id.Name(), func(t *testing.T) {
			t.Parallel()
			filtertest.Run(t, lookup(t, id), packedCases(t, id))
		})
	}
}

// Each needs all of its bytes but for one: libhdf5 leaves room for one more.
func TestTruncatedPackedChunkIsCorrupt(t *testing.T) {
	for _, id := range []filter.ID{filter.NBit, filter.ScaleOffset, filter.Bzip2} {
		f := lookup(t, id)
		for _, c := range packedCases(t, id) {
			for n := range len(c.Stored) - 1 {
				got, err := f.Decode(nil, c.Stored[:n:n], c.Params, len(c.Plain), len(c.Plain))
				if err == nil && bytes.Equal(c.Stored, c.Plain) && len(got) == n {
					continue // stored as it is; the pipeline refuses the size
				}
				if !errors.Is(err, h5err.Corrupt) {
					t.Fatalf("%s: %d of %d bytes: %v", c.Name, n, len(c.Stored), err)
				}
			}
		}
	}
}

func TestChangedParametersGiveAnErrorOrNoMoreThanTheLimit(t *testing.T) {
	for _, id := range []filter.ID{filter.NBit, filter.ScaleOffset} {
		f := lookup(t, id)
		for _, c := range packedCases(t, id) {
			limit := len(c.Plain) + 16
			for i := range c.Params {
				for _, v := range []uint32{0, 1, 2, 3, 4, 8, 64, 1 << 16, 1 << 31, 1<<32 - 1} {
					params := append([]uint32(nil), c.Params...)
					params[i] = v
					checkBounded(t, f, c.Stored, params, limit)
				}
				checkBounded(t, f, c.Stored, c.Params[:i:i], limit)
				cut := append([]uint32{uint32(i)}, c.Params[min(1, i):i]...)
				checkBounded(t, f, c.Stored, cut, limit)
			}
		}
	}
}

// checkBounded decodes bytes and parameters that nobody vouches for.
func checkBounded(t *testing.T, f filter.Filter, stored []byte, params []uint32, limit int) {
	t.Helper()
	got, err := f.Decode(nil, stored, params, -1, limit)
	switch kind := h5err.KindOf(err); {
	case err == nil && len(got) > limit:
		t.Fatalf("%v: %d bytes with a limit of %d", params, len(got), limit)
	case err != nil && kind != h5err.Corrupt && kind != h5err.Unsupported && kind != h5err.Limit:
		t.Fatalf("%v: %v", params, err)
	}
}

func TestScaleOffsetByPowersOfTwoIsUnsupported(t *testing.T) {
	params := []uint32{1, 3, 4, 1, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	_, err := lookup(t, filter.ScaleOffset).Decode(nil, make([]byte, 40), params, 16, 16)
	if !errors.Is(err, h5err.Unsupported) {
		t.Fatal(err)
	}
}

// The smallest number may be stored in fewer bytes than the eight of libhdf5.
func TestScaleOffsetMinimumOfTwoBytes(t *testing.T) {
	params := []uint32{2, 0, 3, 0, 4, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	stored := make([]byte, 21, 24)
	copy(stored, []byte{6, 0, 0, 0, 2, 0x34, 0x12, 0xff, 0xff})
	stored = append(stored, 0b000001_00, 0b0010_0000, 0b11_000000)
	got, err := lookup(t, filter.ScaleOffset).Decode(nil, stored, params, 12, 12)
	want := []byte{0, 0, 0x12, 0x35, 0, 0, 0x12, 0x36, 0, 0, 0x12, 0x37}
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("%x, %v", got, err)
	}
}

// libhdf5 loses the members that follow such an array as it writes.
func TestNBitMembersAfterAnArrayOfCompoundsAreUnsupported(t *testing.T) {
	number := []uint32{1, 2, 0, 13, 0}
	inner := append([]uint32{3, 2, 1, 0}, number...)
	array := append([]uint32{2, 4}, inner...)
	typ := append([]uint32{3, 6, 2, 0}, array...)
	typ = append(append(typ, 4), number...)
	params := append([]uint32{uint32(len(typ) + 3), 0, 1}, typ...)
	_, err := lookup(t, filter.NBit).Decode(nil, make([]byte, 6), params, 6, 6)
	if !errors.Is(err, h5err.Unsupported) {
		t.Fatal(err)
	}
}

func TestNBitTypesTooDeepAreRefused(t *testing.T) {
	params := []uint32{0, 0, 1}
	for range 20000 {
		params = append(params, 2, 8)
	}
	params = append(params, 1, 8, 0, 64, 0)
	params[0] = uint32(len(params))
	_, err := lookup(t, filter.NBit).Decode(nil, make([]byte, 8), params, 8, 8)
	if !errors.Is(err, h5err.Limit) {
		t.Fatal(err)
	}
}

func FuzzNBit(f *testing.F)        { fuzzPacked(f, filter.NBit) }
func FuzzScaleOffset(f *testing.F) { fuzzPacked(f, filter.ScaleOffset) }
func FuzzBzip2(f *testing.F)       { fuzzPacked(f, filter.Bzip2) }

// fuzzPacked feeds the filter stored bytes and parameters, which are four bytes
// each.
func fuzzPacked(f *testing.F, id filter.ID) {
	for _, c := range packedCases(f, id) {
		var params []byte
		for _, p := range c.Params {
			params = binary.LittleEndian.AppendUint32(params, p)
		}
		f.Add(c.Stored, params)
	}
	unpack := lookup(f, id)
	f.Fuzz(func(t *testing.T, stored, packed []byte) {
		var params []uint32
		for ; len(packed) >= 4; packed = packed[4:] {
			params = append(params, binary.LittleEndian.Uint32(packed))
		}
		checkBounded(t, unpack, stored, params, 1<<16)
	})
}
