package core

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
)

// largeChunks is a file with chunks of 5 GiB: see testdata/make/make_large_chunks.py.
type largeChunks struct {
	Size   int64
	Pieces [][2]any // offset, base64
	Chunks [][]uint64
}

// write writes the file, whose chunks are holes.
func (c *largeChunks) write(t *testing.T, path string) *os.File {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	for _, p := range c.Pieces {
		data, err := base64.StdEncoding.DecodeString(p[1].(string))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.WriteAt(data, int64(p[0].(float64))); err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Truncate(c.Size); err != nil {
		t.Skipf("no files with holes of %d bytes: %v", c.Size, err)
	}
	return file
}

func loadLargeChunks(t *testing.T) map[string]*largeChunks {
	t.Helper()
	text, err := os.ReadFile("../testdata/files/large/large_chunks.json")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]*largeChunks
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestChunksOfMoreThanFourGigabytes(t *testing.T) {
	for name, c := range loadLargeChunks(t) {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name+".h5")
			file := c.write(t, path)
			d := testDataset(t, openTest(t, path, Options{}), "d")
			if l := &d.info.Layout; l.Version != 5 || l.Class != format.ChunkedLayout || l.ChunkDims[0] != 5<<30 {
				t.Errorf("layout %+v", l)
			}
			text, err := d.AppendChunks(background, nil)
			if err != nil {
				t.Fatal(err)
			}
			var told struct{ Chunks [][]uint64 }
			if err := json.Unmarshal(text, &told); err != nil {
				t.Fatal(err)
			}
			want, _ := json.Marshal(c.Chunks)
			if got, _ := json.Marshal(told.Chunks); !bytes.Equal(got, want) && string(want) != "[]" {
				t.Errorf("chunks %s, want %s", got, want)
			}
			if strings.HasSuffix(name, "_filtered") {
				err := readCorner(d, make([]byte, 3), 0)
				if !errors.Is(err, h5err.Limit) || !strings.Contains(err.Error(), "MaxChunkBytes") {
					t.Errorf("%v, want a limit that names its option", err)
				}
				return
			}
			readLarge(t, d, file, c)
		})
	}
}

// readCorner reads elements in a row along the first dimension.
func readCorner(d *Dataset, dst []byte, at uint64) error {
	start, count := make([]uint64, d.Rank()), make([]uint64, d.Rank())
	for k := range count {
		count[k] = 1
	}
	start[0], count[0] = at, uint64(len(dst))
	return d.Read(background, Hyperslab(start, nil, count, nil), MemoryFile, dst, nil)
}

// readLarge writes values at the beginning and at the end of each chunk of the
// first column, and reads them.
func readLarge(t *testing.T, d *Dataset, file *os.File, c *largeChunks) {
	t.Helper()
	got := make([]byte, 3)
	if len(c.Chunks) == 0 {
		if err := readCorner(d, got, 5<<30-1); err != nil || !bytes.Equal(got, []byte{7, 7, 7}) {
			t.Errorf("%v, %v: want the fill value", got, err)
		}
		return
	}
	const far = 5<<30 - 3
	for i, chunk := range c.Chunks {
		if len(chunk) > 4 && chunk[4] != 0 {
			continue
		}
		for k, at := range []uint64{0, 1<<32 + 1, far} {
			put := []byte{byte(i + 1), byte(k + 1), 9}
			if _, err := file.WriteAt(put, int64(chunk[0]+at)); err != nil {
				t.Fatal(err)
			}
			// Written behind our back: another file, as far as we know.
			fresh := testDataset(t, openTest(t, file.Name(), Options{}), "d")
			if err := readCorner(fresh, got, chunk[3]+at); err != nil || !bytes.Equal(got, put) {
				t.Errorf("chunk %d at %d: %v, %v, want %v", i, at, got, err, put)
			}
		}
	}
}
