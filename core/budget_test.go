package core

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"clawh5/core/internal/cursor"
	"clawh5/core/internal/meta"
	"clawh5/core/internal/object"
	"clawh5/storage"
	"clawh5/storage/memstore"
	"clawh5/storage/open"
	"clawh5/storage/rangeserver"
)

// realFile returns the path of a file that other software wrote, and its bytes.
func realFile(t *testing.T, name string) (string, []byte) {
	t.Helper()
	dir := filepath.Join("..", "..", "shared", "real")
	if corpus := os.Getenv("CLAWH5_CORPUS"); corpus != "" {
		dir = filepath.Join(corpus, "..", "real")
	}
	image, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Skipf("the real files are not here: %v", err)
	}
	return filepath.Join(dir, name), image
}

// remoteFile is a file behind a server of this machine.
type remoteFile struct {
	*File
	server *rangeserver.Running
	before storage.Stats
}

// cost is what the server counted, and the rounds that the client did.
type cost struct{ requests, rounds, bytes int64 }

func serve(t *testing.T, path string) *remoteFile {
	t.Helper()
	s, err := rangeserver.NewDir(filepath.Dir(path), rangeserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	running, err := s.Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { running.Close() })
	f, err := OpenLocation(background, running.URL+"/"+filepath.Base(path), open.Options{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return &remoteFile{File: f, server: running}
}

// cost returns what was spent since the last call, or the opening.
func (r *remoteFile) cost() cost {
	served := r.server.Stats()
	r.server.Reset()
	now := r.store.Stats()
	rounds := now.Sub(r.before).Rounds
	r.before = now
	return cost{served.Requests, rounds, served.Bytes}
}

// within fails if one limit is passed; 0 is no limit.
func (c cost) within(t *testing.T, what string, most cost) {
	t.Helper()
	t.Logf("%s: %d requests, %d rounds, %d bytes", what, c.requests, c.rounds, c.bytes)
	over := func(spent, limit int64) bool { return limit > 0 && spent > limit }
	if over(c.requests, most.requests) || over(c.rounds, most.rounds) || over(c.bytes, most.bytes) {
		t.Errorf("%s cost %+v, allowed is %+v", what, c, most)
	}
}

const block = 64 << 10

// touched is a store that keeps the numbers of the blocks that were read.
type touched struct {
	*memstore.Memory
	blocks map[int64]bool
}

// ReadAt implements storage.Reader. View is that of the memory and not counted,
// so that touched must not be a storage.Viewer: see plain.
func (s *touched) ReadAt(ctx context.Context, p []byte, off int64) error {
	for b := off / block; b*block < off+int64(len(p)); b++ {
		s.blocks[b] = true
	}
	return s.Memory.ReadAt(ctx, p, off)
}

// plain hides that a store can do more than read.
type plain struct{ storage.Reader }

// A group of 35,001 links in one heap.
func TestOneNameOfALargeGroupTouchesFewBlocks(t *testing.T) {
	path, image := realFile(t, "h5stat_newgrat.h5")
	// The last one's header, four nodes of the tree and two of the heap lie in
	// seven different blocks.
	for name, most := range map[string]int{"GROUP1": 6, "GROUP17000": 6, "DATASET_NAME": 6, "GROUP34999": 7} {
		s := &touched{Memory: memstore.New(image), blocks: map[int64]bool{}}
		m, err := meta.Open(background, plain{s}, meta.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		f, err := object.Open(background, m, object.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		clear(s.blocks)
		if _, err := f.Resolve(background, f.Root(), name); err != nil {
			t.Fatal(err)
		}
		if len(s.blocks) > most {
			t.Errorf("%s touches %d blocks", name, len(s.blocks))
		}
		r := serve(t, path)
		r.cost()
		if _, err := r.Root().Open(background, name); err != nil {
			t.Fatal(err)
		}
		r.cost().within(t, name, cost{requests: 6, rounds: 6})
	}
}

// Every other link is made unreadable: what is found has not decoded it.
func TestOneNameOfALargeGroupDecodesNoOtherLink(t *testing.T) {
	_, image := realFile(t, "h5stat_newgrat.h5")
	const wanted = "GROUP17000"
	spoilt := 0
	for _, b := range heapBlocks(t, image) {
		for at := 0; ; at++ {
			next := bytes.Index(b[at:], []byte("GROUP"))
			if next < 0 {
				break
			}
			// Link Message (spec IV.A.2.g) of flags 0: version, flags, length of the name, name.
			at += next
			if n := int(b[at-1]); b[at-3] == 1 && b[at-2] == 0 && string(b[at:at+n]) != wanted {
				b[at-3] = 99 // no such version
				spoilt++
			}
		}
		sumBlock(b)
	}
	if spoilt != 34999 {
		t.Fatalf("%d links were spoilt", spoilt)
	}
	f, err := OpenMemory(background, image, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Root().Open(background, wanted); err != nil {
		t.Error(err)
	}
	if _, err := f.Root().LinkNames(background); err == nil {
		t.Error("the others can still be read")
	}
}

// sumAt is where the checksum of a direct block lies (spec III.G): signature,
// version, 8 bytes of address, 4 of offset.
const sumAt = 4 + 1 + 8 + 4

// sumBlock makes the checksum right and returns what it was.
func sumBlock(b []byte) (before uint32) {
	before = binary.LittleEndian.Uint32(b[sumAt:])
	clear(b[sumAt : sumAt+4])
	binary.LittleEndian.PutUint32(b[sumAt:], cursor.Lookup3(b, 0))
	return before
}

// heapBlocks finds all direct blocks: their size is the one with which the
// checksum is right.
func heapBlocks(t *testing.T, image []byte) [][]byte {
	var blocks [][]byte
	for at := bytes.Index(image, []byte("FHDB")); at < len(image); {
		n := 256
		for n <= 1<<20 && at+n <= len(image) {
			b := bytes.Clone(image[at : at+n])
			if sumBlock(b) == binary.LittleEndian.Uint32(b[sumAt:]) {
				blocks = append(blocks, image[at:at+n])
				break
			}
			n *= 2
		}
		next := bytes.Index(image[at+1:], []byte("FHDB"))
		if next < 0 {
			break
		}
		at += 1 + next
	}
	if len(blocks) == 0 {
		t.Fatal("no heap block in the file")
	}
	return blocks
}

func TestAListingOfALargeGroupTakesTheFileOnce(t *testing.T) {
	path, image := realFile(t, "h5stat_newgrat.h5")
	r := serve(t, path)
	text, _, err := r.Root().AppendDescription(background, nil, "/", DescribeTree|DescribeLinks)
	if n := bytes.Count(text, []byte(`"kind":"group"`)); err != nil || n != 35001 {
		t.Fatalf("%d groups, %v", n, err)
	}
	r.cost().within(t, "the tree", cost{bytes: int64(len(image)) * 11 / 10})
}

func TestAClimateFileIsListedInOneRequestAndReadInFew(t *testing.T) {
	path, _ := realFile(t, "cmip_bad_eg.nc")
	r := serve(t, path)
	if _, _, err := r.Root().AppendDescription(background, nil, "/", DescribeTree|DescribeLinks|DescribeAttributes|DescribeValues); err != nil {
		t.Fatal(err)
	}
	r.cost().within(t, "open and tree", cost{requests: 1, bytes: 1_100_000})

	d := testDataset(t, r.File, "tas") // (780, 144, 192) float32, a chunk a time step
	step := make([]byte, 4*144*192)
	if err := d.ReadSlab(background, []uint64{500, 0, 0, 1, 1, 1, 1, 144, 192}, MemoryNative, step); err != nil {
		t.Fatal(err)
	}
	r.cost().within(t, "a time step", cost{requests: 3})
	const at = 4 * (3*192 + 4)
	if v := math.Float32frombits(binary.LittleEndian.Uint32(step[at:])); v != 211.98486 { // as h5py reads it
		t.Errorf("[500, 3, 4] is %v", v)
	}

	if raceEnabled {
		return // decoding 86 MB takes long
	}
	r = serve(t, path)
	r.cost()
	d = testDataset(t, r.File, "tas")
	all := make([]byte, 780*len(step))
	if err := d.Read(background, All(), MemoryNative, all, nil); err != nil {
		t.Fatal(err)
	}
	const stored = 43_657_397 // the sizes of all chunks, which h5py tells
	r.cost().within(t, "all", cost{requests: 40, rounds: 4, bytes: stored * 105 / 100})
	if !bytes.Equal(all[500*len(step):501*len(step)], step) {
		t.Error("one time step alone has other values than in the whole")
	}
}
