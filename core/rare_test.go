package core

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The files of testdata/make/make_rare.py have features that few files have.
func TestRareFeaturesReadAsH5pyReadsThem(t *testing.T) {
	goldens, err := filepath.Glob("../testdata/files/rare/*.json")
	if err != nil || len(goldens) < 15 {
		t.Fatalf("%d golden files, %v", len(goldens), err)
	}
	for _, golden := range goldens {
		t.Run(strings.TrimSuffix(filepath.Base(golden), ".json"), func(t *testing.T) {
			f := openTest(t, strings.TrimSuffix(golden, "json")+"h5", Options{})
			for path, want := range loadGolden(t, golden) {
				t.Run(path, func(t *testing.T) {
					if strings.HasPrefix(path, "/nbit/") {
						compareNative(t, f, path, want.goldenValue)
					} else {
						compareObject(t, f, path, want)
					}
				})
			}
		})
	}
}

// compareNative reads as h5py does numbers of fewer bits than their bytes have.
func compareNative(t *testing.T, f *File, path string, want goldenValue) {
	d := openDataset(t, f, path)
	native, err := d.Datatype().Native()
	if err != nil {
		t.Fatal(err)
	}
	v, err := d.ReadValuesAs(background, All(), d.Dims(), native)
	if err != nil {
		t.Fatal(err)
	}
	if want.Dtype[0] == '>' {
		size := int(native.Size())
		for at := 0; at < len(v.data); at += size {
			slices.Reverse(v.data[at : at+size])
		}
	}
	compareValues(t, v, want)
}

func openDataset(t *testing.T, f *File, path string) *Dataset {
	o, err := f.Root().Open(background, path)
	if err != nil {
		t.Fatal(err)
	}
	d, err := o.Dataset(background)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// libhdf5 refuses to read what was never written of a dataset that has no fill
// value; there is no value that would be wrong.
func TestNothingWrittenWithoutAFillValueReadsAsZeros(t *testing.T) {
	for _, version := range []string{"earliest", "latest"} {
		f := openTest(t, "../testdata/files/rare/no_fill_values_"+version+".h5", Options{})
		names, err := f.Root().LinkNames(background)
		if err != nil || len(names) != 8 {
			t.Fatal(names, err)
		}
		for _, name := range names {
			d := openDataset(t, f, name)
			v, err := d.ReadValues(background, All(), d.Dims())
			if err != nil {
				t.Fatal(err)
			}
			if n := bytes.Count(v.data, []byte{0}); n != len(v.data) || n == 0 {
				t.Fatalf("%s: %d zeros of %d bytes", name, n, len(v.data))
			}
		}
	}
}

func TestFillValuesThatLeadIntoTheHeap(t *testing.T) {
	const record, text, sequence = `{"n":9,"s":"word","q":[5,-6,7]}`, `"word"`, `[5,-6,7]`
	want := map[string]string{
		"record_late": record, "record_early": record, "record_contiguous_late": record, "record_contiguous_early": record,
		"record_default":       `{"n":0,"s":"","q":[]}`,
		"text_contiguous_late": text, "text_contiguous_early": text, "text_compact": text,
		"sequence_contiguous_late": sequence, "sequence_contiguous_early": sequence, "sequence_compact": sequence,
		"texts":     `["word","word"]`,
		"sequences": `[[5,-6,7],[5]]`,
	}
	for _, version := range []string{"earliest", "latest"} {
		f := openTest(t, "../testdata/files/rare/variable_fill_values_"+version+".h5", Options{})
		for name, element := range want {
			d := openDataset(t, f, name)
			v, err := d.ReadValues(background, All(), d.Dims())
			if err != nil {
				t.Fatal(err)
			}
			if got, want := string(v.AppendJSON(nil)), "["+element+","+element+","+element+"]"; got != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
		}
	}
}
