package filter_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/filter"
	"clawh5/core/internal/filter/filtertest"
)

// chunk is a chunk as libhdf5 stored it, from testdata/make/make_filters.py.
type chunk struct {
	Name     string
	Filters  []filter.Spec
	ElemSize int
	Mask     uint32
	Stored   []byte
	Plain    []byte
	Refused  bool // libhdf5 does not read it
}

func chunks(t testing.TB) []chunk {
	t.Helper()
	var all []chunk
	for _, name := range []string{"testdata/chunks.json", "testdata/blocks.json", "testdata/szip.json", "testdata/blosc2.json", "testdata/jpeg.json"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var some []chunk
		if err := json.Unmarshal(text, &some); err != nil {
			t.Fatal(err)
		}
		all = append(all, some...)
	}
	return all
}

// casesOf returns the chunks that went through one filter only.
func casesOf(t testing.TB, id filter.ID) []filtertest.Case {
	var cases []filtertest.Case
	for _, c := range chunks(t) {
		if len(c.Filters) == 1 && c.Filters[0].ID == id && c.Mask == 0 && !c.Refused {
			cases = append(cases, filtertest.Case{Name: c.Name, Params: c.Filters[0].Params, Stored: c.Stored, Plain: c.Plain})
		}
	}
	return cases
}

var tested = []filter.ID{filter.Deflate, filter.Shuffle, filter.Fletcher32, filter.LZF, filter.LZ4, filter.Zstd, filter.Bitshuffle, filter.Blosc, filter.Blosc2, filter.JPEG, filter.SZip}

func lookup(t testing.TB, id filter.ID) filter.Filter {
	f, ok := filter.Lookup(id)
	if !ok {
		t.Fatalf("no filter %v", id)
	}
	return f
}

func TestFiltersPassTheSuite(t *testing.T) {
	for _, id := range tested {
		t.Run(id.Name(), func(t *testing.T) {
			t.Parallel()
			filtertest.Run(t, lookup(t, id), casesOf(t, id))
		})
	}
}

func FuzzDeflate(f *testing.F)    { fuzz(f, filter.Deflate) }
func FuzzShuffle(f *testing.F)    { fuzz(f, filter.Shuffle) }
func FuzzFletcher32(f *testing.F) { fuzz(f, filter.Fletcher32) }
func FuzzLZF(f *testing.F)        { fuzz(f, filter.LZF) }
func FuzzLZ4(f *testing.F)        { fuzz(f, filter.LZ4) }
func FuzzZstd(f *testing.F)       { fuzz(f, filter.Zstd) }
func FuzzBlosc(f *testing.F)      { fuzz(f, filter.Blosc) }
func FuzzJPEG(f *testing.F)       { fuzz(f, filter.JPEG) }

func fuzz(f *testing.F, id filter.ID) { filtertest.Fuzz(f, lookup(f, id), casesOf(f, id)) }

func TestPipelineDecodesAsLibhdf5(t *testing.T) {
	var scratch filter.Scratch
	for _, c := range chunks(t) {
		t.Run(c.Name, func(t *testing.T) {
			p, err := filter.Compile(c.Filters, len(c.Plain), c.ElemSize)
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Check(); err != nil {
				t.Fatal(err)
			}
			dst := bytes.Repeat([]byte{0xcc}, len(c.Plain))
			before := bytes.Clone(c.Stored)
			err = p.Decode(dst, c.Stored, c.Mask, &scratch)
			switch {
			case c.Refused && !errors.Is(err, h5err.Corrupt):
				t.Fatalf("got %v, want a corrupt chunk", err)
			case c.Refused:
			case err != nil:
				t.Fatal(err)
			case !bytes.Equal(dst, c.Plain):
				t.Fatalf("got %x, want %x", dst, c.Plain)
			}
			if !bytes.Equal(before, c.Stored) {
				t.Fatal("the stored bytes were changed")
			}
			if p.Empty(c.Mask) != (bytes.Equal(c.Stored, c.Plain) && everyBytePlain(c)) {
				t.Fatalf("Empty is %v", p.Empty(c.Mask))
			}
		})
	}
}

// everyBytePlain reports whether all filters of c were skipped or have nothing
// to do.
func everyBytePlain(c chunk) bool {
	for i, f := range c.Filters {
		if c.Mask>>i&1 == 0 && (f.ID != filter.Shuffle || f.Params[0] != 1) {
			return false
		}
	}
	return true
}

func TestPipelineSurvivesBadBytes(t *testing.T) {
	var scratch filter.Scratch
	for _, c := range chunks(t) {
		if len(c.Filters) < 2 || len(c.Stored) > 300 {
			continue
		}
		p, err := filter.Compile(c.Filters, len(c.Plain), c.ElemSize)
		if err != nil {
			t.Fatal(err)
		}
		dst := make([]byte, len(c.Plain))
		for n := range c.Stored {
			if err := p.Decode(dst, c.Stored[:n:n], c.Mask, &scratch); !errors.Is(err, h5err.Corrupt) {
				t.Fatalf("%s: %d of %d bytes: %v", c.Name, n, len(c.Stored), err)
			}
		}
		bad := bytes.Clone(c.Stored)
		for i := range bad {
			bad[i] ^= 0x55
			if err := p.Decode(dst, bad, c.Mask, &scratch); err != nil && !errors.Is(err, h5err.Corrupt) {
				t.Fatalf("%s: byte %d changed: %v", c.Name, i, err)
			}
			bad[i] ^= 0x55
		}
	}
}

func TestMissingFilterIsNamedWhenAChunkNeedsIt(t *testing.T) {
	specs := []filter.Spec{{ID: 32029, Optional: true}, {ID: 40000}}
	p, err := filter.Compile(specs, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	data, dst := []byte("data"), make([]byte, 4)
	for _, c := range []struct {
		mask uint32
		want string
	}{{0, "40000"}, {2, "32029 (terse/prolix)"}, {3, ""}} {
		err := p.Decode(dst, data, c.mask, new(filter.Scratch))
		if c.want == "" {
			if err != nil || string(dst) != "data" || !p.Empty(c.mask) {
				t.Fatalf("mask %d: %q, %v", c.mask, dst, err)
			}
			continue
		}
		if !errors.Is(err, h5err.Unsupported) || !strings.Contains(err.Error(), c.want) {
			t.Fatalf("mask %d: %v", c.mask, err)
		}
	}
	if err := p.Check(); !errors.Is(err, h5err.Unsupported) || !strings.Contains(err.Error(), "32029 (terse/prolix)") {
		t.Fatalf("Check: %v", err)
	}
}

func TestWrongSizeIsCorruptAndNamesBothNumbers(t *testing.T) {
	for _, c := range chunks(t) {
		if c.Refused {
			continue
		}
		for _, size := range []int{len(c.Plain) - 1, len(c.Plain) + 1} {
			p, err := filter.Compile(c.Filters, size, c.ElemSize)
			if err != nil {
				t.Fatal(err)
			}
			err = p.Decode(make([]byte, size), c.Stored, c.Mask, new(filter.Scratch))
			if !errors.Is(err, h5err.Corrupt) {
				t.Fatalf("%s: %d bytes in a chunk of %d: %v", c.Name, len(c.Plain), size, err)
			}
		}
	}
	p, _ := filter.Compile([]filter.Spec{{ID: filter.Fletcher32}}, 3, 1)
	err := p.Decode(make([]byte, 3), make([]byte, 9), 0, new(filter.Scratch))
	if err == nil || !strings.Contains(err.Error(), "5 bytes, not 3") {
		t.Fatal(err)
	}
}

func TestRoundingFiltersNeedNoDecode(t *testing.T) {
	p, err := filter.Compile([]filter.Spec{{ID: filter.BitGroom}, {ID: filter.GranularBitRound}}, 4, 4)
	if err != nil || p.Check() != nil || !p.Empty(0) {
		t.Fatal(err, p.Check())
	}
	for _, id := range []filter.ID{filter.BitGroom, filter.GranularBitRound} {
		plain := filtertest.Case{Name: id.Name(), Stored: []byte("12345678"), Plain: []byte("12345678")}
		filtertest.Run(t, lookup(t, id), []filtertest.Case{plain})
	}
}

func TestPipelineOfTooManyFiltersIsRefused(t *testing.T) {
	if _, err := filter.Compile(make([]filter.Spec, 33), 4, 1); !errors.Is(err, h5err.Corrupt) {
		t.Fatal(err)
	}
}

func TestDecodingAllocatesNothingInSteadyState(t *testing.T) {
	if raceDetector {
		t.Skip("pools drop what they are given under the race detector")
	}
	for _, c := range chunks(t) {
		if c.Refused || !strings.HasSuffix(c.Name, "smooth/300") {
			continue
		}
		p, err := filter.Compile(c.Filters, len(c.Plain), c.ElemSize)
		if err != nil {
			t.Fatal(err)
		}
		dst, scratch := make([]byte, len(c.Plain)), new(filter.Scratch)
		n := testing.AllocsPerRun(100, func() {
			if err := p.Decode(dst, c.Stored, c.Mask, scratch); err != nil {
				t.Fatal(err)
			}
		})
		if n > 1 { // one now and then where a pool was emptied
			t.Errorf("%s: %v allocations", c.Name, n)
		}
	}
}
