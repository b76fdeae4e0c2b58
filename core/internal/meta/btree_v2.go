package meta

import (
	"bytes"
	"context"
	"fmt"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
)

// BTreeV2 is a version 2 B-tree.
type BTreeV2 struct {
	f    *File
	addr uint64
	h    format.BTreeV2Header
}

const (
	btreeV2Kind     = "version 2 B-tree header"
	btreeV2NodeKind = "version 2 B-tree node"
)

// BTreeV2 returns the version 2 B-tree whose header is at addr.
func (f *File) BTreeV2(ctx context.Context, addr uint64) (*BTreeV2, error) {
	return Cached(ctx, f, addr, btreeV2Kind,
		func(*BTreeV2) int64 { return 256 },
		func(ctx context.Context) (*BTreeV2, error) {
			c, err := f.Cursor(ctx, addr, format.BTreeV2HeaderSize(f.sb.Sizes), btreeV2Kind)
			if err != nil {
				return nil, err
			}
			h, err := format.DecodeBTreeV2Header(c, f.sb.Sizes)
			if err == nil && int(h.Depth) >= f.lim.MaxDepth {
				err = h5err.At(h5err.Limit, btreeV2Kind, f.Offset(addr),
					fmt.Sprintf("a tree of depth %d, the limit is %d", h.Depth, f.lim.MaxDepth))
			}
			return &BTreeV2{f: f, addr: addr, h: h}, err
		})
}

// Header returns the header; it must not be changed.
func (t *BTreeV2) Header() *format.BTreeV2Header { return &t.h }

func (t *BTreeV2) empty() bool { return t.h.Root == format.Undefined || t.h.RootRecords == 0 }

func (t *BTreeV2) root() format.BTreeV2Child {
	return format.BTreeV2Child{Addr: t.h.Root, Records: t.h.RootRecords}
}

func (t *BTreeV2) node(ctx context.Context, at format.BTreeV2Child, level int) (*format.BTreeV2Node, error) {
	n, ok := Peek[*format.BTreeV2Node](t.f, at.Addr, btreeV2NodeKind)
	if !ok {
		var err error
		if n, err = t.loadNode(ctx, at, level); err != nil {
			return nil, err
		}
	}
	// A node of the cache was decoded for the parent that led there first.
	if n.Level != level || n.Count != int(at.Records) || len(n.Records) != n.Count*int(t.h.RecordSize) {
		return nil, h5err.At(h5err.Corrupt, btreeV2NodeKind, t.f.Offset(at.Addr),
			"two places of a tree, or two trees, share a node")
	}
	return n, nil
}

func (t *BTreeV2) loadNode(ctx context.Context, at format.BTreeV2Child, level int) (*format.BTreeV2Node, error) {
	f := t.f
	return Cached(ctx, f, at.Addr, btreeV2NodeKind,
		func(n *format.BTreeV2Node) int64 { return int64(len(n.Records) + 16*len(n.Children) + 64) },
		func(ctx context.Context) (*format.BTreeV2Node, error) {
			size := t.h.NodeBytes(f.sb.Sizes, level, at.Records)
			c, err := f.Cursor(ctx, at.Addr, size, btreeV2NodeKind)
			if err != nil {
				return nil, err
			}
			n, err := t.h.DecodeNode(c, f.sb.Sizes, level, at.Records)
			if f.view != nil {
				n.Records = bytes.Clone(n.Records)
			}
			return &n, err
		})
}

// Lookup returns a record that compares as equal and whether there is one. A
// negative result of compare means that the record sorts before what is sought.
// The record must not be changed.
func (t *BTreeV2) Lookup(ctx context.Context, compare func(rec []byte) int) ([]byte, bool, error) {
	if t.empty() {
		return nil, false, nil
	}
	at := t.root()
	for level := int(t.h.Depth); ; level-- {
		n, err := t.node(ctx, at, level)
		if err != nil {
			return nil, false, err
		}
		lo, hi := 0, n.Count
		for lo < hi {
			mid := int(uint(lo+hi) / 2)
			rec := t.h.Record(n, mid)
			switch c := compare(rec); {
			case c == 0:
				return rec, true, nil
			case c < 0:
				lo = mid + 1
			default:
				hi = mid
			}
		}
		if level == 0 {
			return nil, false, nil
		}
		at = n.Children[lo]
	}
}

// Records yields all records in the order of the tree. A record is valid only
// during the yield and must not be changed.
func (t *BTreeV2) Records(ctx context.Context, yield func(rec []byte) error) error {
	return t.Range(ctx, func(_, _ []byte) bool { return true }, yield)
}

// Find yields every record that compares as equal, in the order of the tree. A
// negative result of compare means that the record sorts before what is sought.
func (t *BTreeV2) Find(ctx context.Context, compare func(rec []byte) int, yield func(rec []byte) error) error {
	covers := func(lo, hi []byte) bool {
		return (lo == nil || compare(lo) <= 0) && (hi == nil || compare(hi) >= 0)
	}
	return t.Range(ctx, covers, func(rec []byte) error {
		if compare(rec) != 0 {
			return nil
		}
		return yield(rec)
	})
}

// Range yields the records of every node that may hold what the caller wants:
// covers tells that of the records between lo and hi, where nil has no bound.
// Those in the nodes on the way there are yielded too. The order is the tree's.
func (t *BTreeV2) Range(ctx context.Context, covers func(lo, hi []byte) bool, yield func(rec []byte) error) error {
	if t.empty() || !covers(nil, nil) {
		return nil
	}
	root := &btreeV2Visit{at: t.root()}
	level, visits := []*btreeV2Visit{root}, 1
	for depth := int(t.h.Depth); depth > 0; depth-- {
		var next []*btreeV2Visit
		if err := t.prefetch(ctx, level, depth); err != nil {
			return err
		}
		for _, v := range level {
			n, err := t.node(ctx, v.at, depth)
			if err != nil {
				return err
			}
			t.descend(v, n, covers)
			next = append(next, v.kids...)
			if err := t.f.CheckVisits(visits+len(next), int(t.h.NodeSize), btreeV2NodeKind); err != nil {
				return err
			}
		}
		visits += len(next)
		level = next
	}
	if err := t.prefetch(ctx, level, 0); err != nil {
		return err
	}
	return Stopped(t.emit(ctx, root, yield))
}

// btreeV2Visit is a node that a walk goes through.
type btreeV2Visit struct {
	at     format.BTreeV2Child
	lo, hi []byte              // records that bound it, nil: none
	node   *format.BTreeV2Node // internal nodes
	kids   []*btreeV2Visit     // children to visit
	place  []int               // their places in node.Children
}

// descend notes the children of n that the walk visits.
func (t *BTreeV2) descend(v *btreeV2Visit, n *format.BTreeV2Node, covers func(lo, hi []byte) bool) {
	v.node = n
	for i, child := range n.Children {
		lo, hi := v.lo, v.hi
		if i > 0 {
			lo = t.h.Record(n, i-1)
		}
		if i < n.Count {
			hi = t.h.Record(n, i)
		}
		if child.Records > 0 && covers(lo, hi) {
			v.kids = append(v.kids, &btreeV2Visit{at: child, lo: lo, hi: hi})
			v.place = append(v.place, i)
		}
	}
}

func (t *BTreeV2) prefetch(ctx context.Context, visits []*btreeV2Visit, level int) error {
	if t.f.pre == nil || len(visits) < 2 {
		return nil
	}
	addrs := make([]uint64, 0, len(visits))
	for _, v := range visits {
		if _, ok := Peek[*format.BTreeV2Node](t.f, v.at.Addr, btreeV2NodeKind); !ok {
			addrs = append(addrs, v.at.Addr)
		}
	}
	return t.f.PrefetchNodes(ctx, addrs, int(t.h.NodeSize))
}

// emit yields the records of a visited node and its visited children in order.
func (t *BTreeV2) emit(ctx context.Context, v *btreeV2Visit, yield func(rec []byte) error) error {
	n := v.node
	if n == nil {
		var err error
		if n, err = t.node(ctx, v.at, 0); err != nil {
			return err
		}
	}
	kid := 0
	for i := 0; i <= n.Count; i++ {
		if kid < len(v.kids) && v.place[kid] == i {
			if err := t.emit(ctx, v.kids[kid], yield); err != nil {
				return err
			}
			kid++
		}
		if i < n.Count {
			if err := yield(t.h.Record(n, i)); err != nil {
				return err
			}
		}
	}
	return nil
}
