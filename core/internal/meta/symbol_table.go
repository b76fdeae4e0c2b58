package meta

import (
	"bytes"
	"context"
	"fmt"
	"sort"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
	"clawh5/storage"
)

// SymbolEntry is a link of an old-style group.
type SymbolEntry struct {
	Name   string
	Target string // of a soft link (CacheType format.SoftLinkCached)
	format.SymbolTableEntry
}

const (
	groupNodeKind  = "group B-tree node"
	symbolNodeKind = "symbol table node"
)

func (f *File) groupNodeSize() int {
	return format.BTreeV1NodeSize(f.sb.Sizes, f.sb.GroupInternalK, f.sb.Sizes.Length)
}

func (f *File) symbolNodeSize() int {
	return format.SymbolTableNodeSize(f.sb.Sizes, f.sb.GroupLeafK)
}

func (f *File) groupNode(ctx context.Context, addr uint64) (*format.GroupBTreeV1Node, error) {
	return Cached(ctx, f, addr, groupNodeKind,
		func(n *format.GroupBTreeV1Node) int64 { return int64(16*len(n.Keys) + 64) },
		func(ctx context.Context) (*format.GroupBTreeV1Node, error) {
			c, err := f.CursorUpTo(ctx, addr, f.groupNodeSize(), groupNodeKind)
			if err != nil {
				return nil, err
			}
			n, err := format.DecodeGroupBTreeV1Node(c, f.sb.Sizes, f.sb.GroupInternalK)
			return &n, err
		})
}

type symbolNode struct{ entries []format.SymbolTableEntry }

func (f *File) symbolNode(ctx context.Context, addr uint64) (*symbolNode, error) {
	return Cached(ctx, f, addr, symbolNodeKind,
		func(n *symbolNode) int64 { return int64(48 * len(n.entries)) },
		func(ctx context.Context) (*symbolNode, error) {
			c, err := f.CursorUpTo(ctx, addr, f.symbolNodeSize(), symbolNodeKind)
			if err != nil {
				return nil, err
			}
			entries, err := format.DecodeSymbolTableNode(c, f.sb.Sizes, f.sb.GroupLeafK)
			return &symbolNode{entries}, err
		})
}

// checkLevel refuses a node whose level does not follow from its parent's: no
// walk can then go round in a circle.
func (f *File) checkLevel(addr uint64, level, want int) error {
	switch {
	case want < 0 && level > f.lim.MaxDepth:
		return h5err.At(h5err.Limit, "version 1 B-tree node", f.Offset(addr),
			fmt.Sprintf("a tree of %d levels, the limit is %d", level+1, f.lim.MaxDepth))
	case want >= 0 && level != want:
		return h5err.At(h5err.Corrupt, "version 1 B-tree node", f.Offset(addr),
			fmt.Sprintf("a node of level %d where %d was expected", level, want))
	}
	return nil
}

// CheckVisits bounds the nodes of a walk by what the file has room for: a walk
// that visits more meets some of them twice.
func (f *File) CheckVisits(n, nodeSize int, structure string) error {
	if n > f.lim.MaxNodes {
		return h5err.At(h5err.Limit, structure, h5err.NoOffset,
			fmt.Sprintf("more than %d nodes", f.lim.MaxNodes))
	}
	if uint64(n) > f.end/uint64(nodeSize)+1 {
		return h5err.At(h5err.Corrupt, structure, h5err.NoOffset,
			fmt.Sprintf("more nodes of %d bytes than a file of %d bytes has", nodeSize, f.end))
	}
	return nil
}

// anyLevel is the level to expect of a root.
const anyLevel = -1

// SymbolTableEntries returns all links of an old-style group in the order of its
// B-tree: by the bytes of the name.
func (f *File) SymbolTableEntries(ctx context.Context, btree, heap uint64) ([]SymbolEntry, error) {
	if err := f.prefetchGroup(ctx, btree, heap); err != nil {
		return nil, err
	}
	nodes, err := f.symbolNodes(ctx, btree, f.prefetchSegment(ctx, heap))
	if err != nil {
		return nil, err
	}
	names, err := f.LocalHeap(ctx, heap)
	if err != nil {
		return nil, err
	}
	var out []SymbolEntry
	for _, addr := range nodes {
		n, err := f.symbolNode(ctx, addr)
		if err != nil {
			return nil, err
		}
		for i := range n.entries {
			e, err := names.symbol(&n.entries[i])
			if err != nil {
				return nil, err
			}
			out = append(out, e)
		}
	}
	return out, nil
}

// symbolNodes returns the addresses of all symbol table nodes under a B-tree,
// prefetched; also is fetched with the first of their levels.
func (f *File) symbolNodes(ctx context.Context, root uint64, also []storage.Range) ([]uint64, error) {
	nodes, visits := []uint64{root}, 1
	smallest := min(f.groupNodeSize(), f.symbolNodeSize())
	for want := anyLevel; ; {
		level := 0
		var next []uint64
		for i, addr := range nodes {
			n, err := f.groupNode(ctx, addr)
			if err != nil {
				return nil, err
			}
			if err := f.checkLevel(addr, int(n.Level), want); err != nil {
				return nil, err
			}
			if i == 0 {
				level = int(n.Level)
				want = level
			}
			next = append(next, n.Children...)
			if err := f.CheckVisits(visits+len(next), smallest, groupNodeKind); err != nil {
				return nil, err
			}
		}
		visits += len(next)
		size := f.groupNodeSize()
		if level == 0 {
			size = f.symbolNodeSize()
		}
		if err := f.PrefetchNodes(ctx, next, size, also...); err != nil || level == 0 {
			return next, err
		}
		if len(next) == 0 {
			return nil, nil
		}
		nodes, want, also = next, level-1, nil
	}
}

// SymbolTableLookup returns the link of a name in an old-style group and whether
// there is one. It reads one node a level.
func (f *File) SymbolTableLookup(ctx context.Context, btree, heap uint64, name string) (SymbolEntry, bool, error) {
	if err := f.prefetchGroup(ctx, btree, heap); err != nil {
		return SymbolEntry{}, false, err
	}
	names, err := f.LocalHeap(ctx, heap)
	if err != nil {
		return SymbolEntry{}, false, err
	}
	want := []byte(name)
	addr := btree
	for level := anyLevel; level != 0; {
		n, err := f.groupNode(ctx, addr)
		if err != nil {
			return SymbolEntry{}, false, err
		}
		if level != anyLevel {
			level--
		}
		if err := f.checkLevel(addr, int(n.Level), level); err != nil {
			return SymbolEntry{}, false, err
		}
		level = int(n.Level)
		// Child i holds names up to and including key i+1.
		i, err := search(len(n.Children), func(i int) (int, error) {
			key, err := names.bytes(n.Keys[i+1])
			return bytes.Compare(key, want), err
		})
		if err != nil || i == len(n.Children) {
			return SymbolEntry{}, false, err
		}
		addr = n.Children[i]
	}
	n, err := f.symbolNode(ctx, addr)
	if err != nil {
		return SymbolEntry{}, false, err
	}
	return names.find(n.entries, want)
}

// find returns the entry of a name in the entries of a node.
func (h *LocalHeap) find(entries []format.SymbolTableEntry, name []byte) (SymbolEntry, bool, error) {
	compare := func(i int) (int, error) {
		s, err := h.bytes(entries[i].NameOffset)
		return bytes.Compare(s, name), err
	}
	i, err := search(len(entries), compare)
	if err != nil || i == len(entries) {
		return SymbolEntry{}, false, err
	}
	if c, err := compare(i); err != nil || c != 0 {
		return SymbolEntry{}, false, err
	}
	e, err := h.symbol(&entries[i])
	return e, err == nil, err
}

// search returns the first of n sorted items that compares as not less than what
// is sought, or n.
func search(n int, compare func(i int) (int, error)) (int, error) {
	var failed error
	i := sort.Search(n, func(i int) bool {
		c, err := compare(i)
		if err != nil && failed == nil {
			failed = err
		}
		return c >= 0
	})
	return i, failed
}

func (h *LocalHeap) symbol(e *format.SymbolTableEntry) (SymbolEntry, error) {
	name, err := h.String(e.NameOffset)
	if err != nil {
		return SymbolEntry{}, err
	}
	s := SymbolEntry{Name: name, SymbolTableEntry: *e}
	if e.CacheType == format.SoftLinkCached {
		s.Target, err = h.String(uint64(e.TargetOffset))
	}
	return s, err
}
