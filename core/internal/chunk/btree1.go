package chunk

import (
	"context"
	"fmt"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
	"clawh5/core/internal/meta"
)

// btree1 is a version 1 B-tree of chunks (spec III.A.1). Its keys are chunk
// coordinates in row-major order; key i is the first chunk of child i.
type btree1 struct{ dataset }

const chunkNodeKind = "chunk B-tree node"

func (x *btree1) nodeSize() int {
	return format.BTreeV1NodeSize(x.f.Sizes(), x.f.Superblock().ChunkK, format.ChunkBTreeV1KeySize(x.grid.rank()))
}

// node returns a node of a level, or of any level if that is negative.
func (x *btree1) node(ctx context.Context, addr uint64, level int) (*format.ChunkBTreeV1Node, error) {
	n, ok := meta.Peek[*format.ChunkBTreeV1Node](x.f, addr, chunkNodeKind)
	if !ok {
		var err error
		if n, err = x.load(ctx, addr); err != nil {
			return nil, err
		}
	}
	// A node of the cache may have been decoded for another dataset.
	if n.Rank != x.grid.rank() || (level >= 0 && int(n.Level) != level) {
		return nil, h5err.At(h5err.Corrupt, chunkNodeKind, x.f.Offset(addr),
			fmt.Sprintf("a node of rank %d and level %d where %d and %d were expected", n.Rank, n.Level, x.grid.rank(), level))
	}
	if int(n.Level) >= x.f.Limits().MaxDepth {
		return nil, h5err.At(h5err.Limit, chunkNodeKind, x.f.Offset(addr),
			fmt.Sprintf("a tree of %d levels, the limit is %d", int(n.Level)+1, x.f.Limits().MaxDepth))
	}
	return n, nil
}

func (x *btree1) load(ctx context.Context, addr uint64) (*format.ChunkBTreeV1Node, error) {
	return meta.Cached(ctx, x.f, addr, chunkNodeKind,
		func(n *format.ChunkBTreeV1Node) int64 { return int64(8*len(n.Words) + 64) },
		func(ctx context.Context) (*format.ChunkBTreeV1Node, error) {
			c, err := x.f.CursorUpTo(ctx, addr, x.nodeSize(), chunkNodeKind)
			if err != nil {
				return nil, err
			}
			n, err := format.DecodeChunkBTreeV1Node(c, x.f.Sizes(), x.f.Superblock().ChunkK, x.grid.chunk)
			return &n, err
		})
}

func (x *btree1) Lookup(ctx context.Context, scaled []uint64) (Chunk, bool, error) {
	if err := x.checkRank(scaled); err != nil {
		return Chunk{}, false, err
	}
	addr := x.addr
	for level := -1; ; {
		n, err := x.node(ctx, addr, level)
		if err != nil {
			return Chunk{}, false, err
		}
		i := lastNotAfter(n, scaled)
		if i < 0 {
			return Chunk{}, false, nil
		}
		if n.Level > 0 {
			addr, level = n.Child(i), int(n.Level)-1
			continue
		}
		if before(n.Scaled(i), scaled) || n.Child(i) == format.Undefined {
			return Chunk{}, false, nil
		}
		size, mask := n.Stored(i)
		c := x.chunk(scaled, n.Child(i), uint64(size), mask)
		c.Scaled = nil
		return c, true, nil
	}
}

// lastNotAfter returns the last child whose key does not lie after scaled, or -1.
func lastNotAfter(n *format.ChunkBTreeV1Node, scaled []uint64) int {
	lo, hi := 0, n.Entries
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if before(scaled, n.Scaled(mid)) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo - 1
}

// subtree is a child that a walk visits: its chunks lie in front of bound.
type subtree struct {
	addr  uint64
	bound []uint64 // nil: none
}

func (x *btree1) Within(ctx context.Context, lo, hi []uint64, yield func(Chunk) error) error {
	if err := x.checkRank(lo, hi); err != nil {
		return err
	}
	b := newBox(lo, hi, endlessCounts[:len(lo)])
	if b == nil {
		return nil
	}
	level, visits := []subtree{{addr: x.addr}}, 1
	for expect := -1; ; {
		var next []subtree
		for _, s := range level {
			n, err := x.node(ctx, s.addr, expect)
			if err != nil {
				return err
			}
			expect = int(n.Level)
			if expect == 0 {
				err = x.leaf(n, b, yield)
			} else {
				next = x.children(n, s.bound, b, next)
				err = x.f.CheckVisits(visits+len(next), x.nodeSize(), chunkNodeKind)
			}
			if err != nil {
				return meta.Stopped(err)
			}
		}
		if len(next) == 0 {
			return nil
		}
		if err := x.prefetch(ctx, next); err != nil {
			return err
		}
		level, expect, visits = next, expect-1, visits+len(next)
	}
}

// endlessCounts are the counts of a box that nothing cuts.
var endlessCounts = func() (c [format.MaxRank]uint64) {
	for d := range c {
		c[d] = endless
	}
	return c
}()

// leaf yields the chunks of a leaf that lie in the box.
func (x *btree1) leaf(n *format.ChunkBTreeV1Node, b *box, yield func(Chunk) error) error {
	for i := range n.Entries {
		scaled := n.Scaled(i)
		if !b.has(scaled) || n.Child(i) == format.Undefined {
			continue
		}
		size, mask := n.Stored(i)
		if err := yield(x.chunk(scaled, n.Child(i), uint64(size), mask)); err != nil {
			return err
		}
	}
	return nil
}

// children appends the children of n that may hold a chunk of the box: between
// the key of the child and that of the next one lies a point of the box.
func (x *btree1) children(n *format.ChunkBTreeV1Node, bound []uint64, b *box, to []subtree) []subtree {
	for i := range n.Entries {
		end := bound
		if i+1 < n.Entries {
			end = n.Scaled(i + 1)
		}
		if b.seek(n.Scaled(i)) && (end == nil || before(b.at, end)) {
			to = append(to, subtree{n.Child(i), end})
		}
	}
	return to
}

func (x *btree1) prefetch(ctx context.Context, nodes []subtree) error {
	addrs := make([]uint64, 0, len(nodes))
	for _, s := range nodes {
		if _, ok := meta.Peek[*format.ChunkBTreeV1Node](x.f, s.addr, chunkNodeKind); !ok {
			addrs = append(addrs, s.addr)
		}
	}
	return x.f.PrefetchNodes(ctx, addrs, x.nodeSize())
}
