package core

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"clawh5/storage/open"
)

// The expected values are what h5py tells of the file.
func TestPropertiesAreThoseOfLibhdf5(t *testing.T) {
	f, err := OpenLocation(t.Context(), "../testdata/files/core/layouts_latest.h5", open.Options{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for name, want := range map[string]string{
		"chunked":              "2 [3 4] 432 0 [] 0 3 2",
		"compact":              "0 [] 308 0 [] 0 1 2",
		"contiguous":           "1 [] 308 2048 [] 0 2 2",
		"deflate":              "2 [3 4] 274 0 [{1 deflate true [6]}] 0 3 2",
		"holes":                "2 [2 5] 80 0 [] 1 3 2",
		"lzf":                  "2 [7 11] 308 0 [{32000 lzf true [4 261 308]}] 0 3 2",
		"shuffled":             "2 [3 4] 216 0 [{2 shuffle true [4]} {1 deflate true [6]} {3 fletcher32 false []}] 0 3 2",
		"unwritten":            "2 [2 2] 0 0 [] 1 3 2",
		"unwritten_contiguous": "1 [] 0 0 [] 1 2 2",
	} {
		d := openDataset(t, f, name)
		p := d.Properties()
		for i := range p.Filters { // the library's own filters have no names in the file
			if n := map[uint16]string{1: "deflate", 2: "shuffle", 3: "fletcher32"}[p.Filters[i].ID]; n != "" {
				p.Filters[i].Name = n
			}
		}
		size, err := d.StorageSize(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		at, _ := d.Offset()
		if got := fmt.Sprint(p.Layout, p.Chunk, size, at, p.Filters, p.Fill, p.AllocTime, p.FillTime); got != want {
			t.Errorf("%s is %s, not %s", name, got, want)
		}
	}
}

// As libhdf5 counts them.
func TestChunksOutsideTheExtentTakeStorage(t *testing.T) {
	f, err := OpenLocation(t.Context(), "../testdata/files/core/layouts_latest.h5", open.Options{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d := openDataset(t, f, "chunked")
	d.info.Space.MaxDims, d.info.Space.Dims = d.info.Space.Dims, []uint64{1, 1}
	if size, err := d.StorageSize(t.Context()); err != nil || size != 432 {
		t.Errorf("%d bytes, %v", size, err)
	}
}

func TestFillValuesAreConverted(t *testing.T) {
	f, err := OpenLocation(t.Context(), "../testdata/files/core/layouts_latest.h5", open.Options{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	double, _ := Predefined("H5T_IEEE_F64LE")
	for name, want := range map[string]float64{"holes": 1.5, "unwritten": -7, "unwritten_contiguous": 9} {
		v, err := openDataset(t, f, name).FillValueAs(t.Context(), double)
		if err != nil {
			t.Fatal(err)
		}
		if got := math.Float64frombits(binary.LittleEndian.Uint64(v.Bytes())); got != want {
			t.Errorf("the fill value of %s is %v, not %v", name, got, want)
		}
	}
	if v, err := openDataset(t, f, "chunked").FillValueAs(t.Context(), double); v != nil || err != nil {
		t.Errorf("a fill value that was not set is %v, %v", v, err)
	}
}

func TestFilePropertiesAreThoseOfTheSuperblock(t *testing.T) {
	for name, version := range map[string]uint8{"layouts_earliest.h5": 0, "layouts_latest.h5": 3} {
		f, err := OpenLocation(t.Context(), "../testdata/files/core/"+name, open.Options{}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		p := f.Properties()
		f.Close()
		// What h5py writes has libhdf5's defaults in the rest.
		want := FileProperties{Superblock: version, OffsetSize: 8, LengthSize: 8, GroupLeafK: 4, GroupK: 16, ChunkK: 32,
			Strategy: StrategyFreeSpace, Threshold: 1, PageSize: 4096}
		if p != want {
			t.Errorf("%s has %+v, not %+v", name, p, want)
		}
	}
}
