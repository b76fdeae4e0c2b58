package chunk

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"clawh5/core/internal/format"
	"clawh5/core/internal/meta"
	"clawh5/storage/memstore"
)

const folder = "../../../testdata/files/chunk_index"

// golden is what h5py says of the chunks of a file.
type golden struct {
	Base     uint64
	Datasets []goldenDataset
}

type goldenDataset struct {
	Name    string
	Header  uint64
	Element uint32
	Chunks  []goldenChunk
}

type goldenChunk struct {
	offset     []uint64
	mask       uint32
	addr, size uint64
}

func (c *goldenChunk) UnmarshalJSON(b []byte) error {
	fields := [4]json.RawMessage{}
	if err := json.Unmarshal(b, &fields); err != nil {
		return err
	}
	for i, to := range []any{&c.offset, &c.mask, &c.addr, &c.size} {
		if err := json.Unmarshal(fields[i], to); err != nil {
			return err
		}
	}
	return nil
}

var loadGolden = sync.OnceValues(func() (map[string]golden, error) {
	b, err := os.ReadFile(filepath.Join(folder, "chunk_index.json"))
	if err != nil {
		return nil, err
	}
	g := map[string]golden{}
	return g, json.Unmarshal(b, &g)
})

func readGolden(t testing.TB) map[string]golden {
	t.Helper()
	g, err := loadGolden()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// openBytes opens a file in memory and applies its superblock extension.
func openBytes(b []byte) (*meta.File, error) {
	ctx := context.Background()
	f, err := meta.Open(ctx, memstore.New(b), meta.Limits{})
	if err != nil {
		return nil, err
	}
	return f, applyExtension(f)
}

func applyExtension(f *meta.File) error {
	if f.Superblock().Extension == format.Undefined {
		return nil
	}
	messages, err := headerMessages(f, f.Superblock().Extension)
	if err != nil {
		return err
	}
	for i := range messages {
		if messages[i].Type == format.MsgBTreeK {
			k, err := format.DecodeBTreeK(messages[i].Cursor(), f.Sizes())
			if err != nil {
				return err
			}
			f.SetBTreeK(k.Chunk, k.GroupInternal, k.GroupLeaf)
		}
	}
	return nil
}

// headerMessages reads the messages of an object header, without a thought for
// what else an object is.
func headerMessages(f *meta.File, addr uint64) ([]format.Message, error) {
	ctx := context.Background()
	c, err := f.CursorUpTo(ctx, addr, format.ObjectHeaderPrefixMax, "object header")
	if err != nil {
		return nil, err
	}
	h, err := format.DecodeObjectHeader(c)
	if err != nil {
		return nil, err
	}
	size, _ := h.FirstChunkBytes()
	if c, err = f.Cursor64(ctx, addr, size, "object header"); err != nil {
		return nil, err
	}
	messages, err := h.FirstChunkMessages(c, nil)
	for i := 0; err == nil && i < len(messages) && i < 1000; i++ {
		if messages[i].Type != format.MsgContinuation {
			continue
		}
		next, err := format.DecodeContinuation(messages[i].Cursor(), f.Sizes())
		if err != nil {
			return nil, err
		}
		if c, err = f.Cursor64(ctx, next.Addr, next.Length, "object header"); err != nil {
			return nil, err
		}
		if messages, err = h.ContinuationMessages(c, messages); err != nil {
			return nil, err
		}
	}
	return messages, err
}

// described is a dataset as far as its chunks go.
type described struct {
	layout   format.Layout
	space    format.Dataspace
	filtered bool
}

func describe(f *meta.File, header uint64) (described, error) {
	d := described{}
	messages, err := headerMessages(f, header)
	if err != nil {
		return d, err
	}
	found := 0
	for i := range messages {
		m := &messages[i]
		switch {
		case m.Shared():
		case m.Type == format.MsgLayout:
			d.layout, err = format.DecodeLayout(m.Cursor(), f.Sizes())
			found++
		case m.Type == format.MsgDataspace:
			d.space, err = format.DecodeDataspace(m.Cursor(), f.Sizes())
			found++
		case m.Type == format.MsgFilterPipeline:
			var p format.FilterPipeline
			p, err = format.DecodeFilterPipeline(m.Cursor(), f.Sizes())
			d.filtered = len(p) > 0
		}
		if err != nil {
			return d, err
		}
	}
	if found != 2 {
		return d, fmt.Errorf("%d of layout and dataspace", found)
	}
	return d, nil
}

func (d *described) open(f *meta.File, element uint32) (Index, error) {
	return Open(context.Background(), f, &d.layout, &d.space, element, d.filtered)
}

// want returns h5py's chunks in our terms, by coordinates.
func (d *described) want(g *golden, chunks []goldenChunk) map[string]Chunk {
	m := map[string]Chunk{}
	for _, c := range chunks {
		w := Chunk{Addr: c.addr - g.Base, Size: c.size, Mask: c.mask}
		edge := false
		for i, o := range c.offset {
			w.Scaled = append(w.Scaled, o/d.layout.ChunkDims[i])
			edge = edge || o+d.layout.ChunkDims[i] > d.space.Dims[i]
		}
		// libhdf5 applies no filter to such chunks, and stores a mask of zero.
		if d.filtered && d.layout.DontFilterPartialEdgeChunks && edge {
			w.Mask = ^uint32(0)
		}
		m[fmt.Sprint(w.Scaled)] = w
	}
	return m
}
