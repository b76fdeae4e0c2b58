package object

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
	"clawh5/core/internal/meta"
)

// Link is a link of a group.
type Link = format.Link

// Links returns the links of a group, in the byte order of their names, or in
// creation order if the group tracks it and byCreation asks for it.
func (f *File) Links(ctx context.Context, h *Header, byCreation bool) ([]Link, error) {
	var links []Link
	err := f.links(ctx, h, func(l Link) { links = append(links, l) })
	if err != nil {
		return nil, err
	}
	order := func(a, b Link) int { return strings.Compare(a.Name, b.Name) }
	if tracked, _ := f.CreationOrderTracked(h); tracked && byCreation {
		order = func(a, b Link) int { return cmp.Compare(a.Order, b.Order) }
	}
	if !slices.IsSortedFunc(links, order) {
		slices.SortFunc(links, order)
	}
	return links, nil
}

// links calls each with every link of a group, in the order of its storage.
func (f *File) links(ctx context.Context, h *Header, each func(Link)) error {
	table, info, err := f.group(ctx, h)
	switch {
	case err != nil:
		return err
	case table != nil:
		entries, err := f.SymbolTableEntries(ctx, table.BTree, table.Heap)
		for i := range entries {
			each(symbolLink(&entries[i]))
		}
		return err
	case info.Dense():
		return f.denseLinks(ctx, info, each)
	}
	for i := range h.Messages {
		if m := &h.Messages[i]; m.Type == format.MsgLink {
			l, err := f.linkMessage(ctx, m)
			if err != nil {
				return err
			}
			each(l)
		}
	}
	return nil
}

func (f *File) linkMessage(ctx context.Context, m *format.Message) (Link, error) {
	m, err := f.body(ctx, m)
	if err != nil {
		return Link{}, err
	}
	return format.DecodeLink(m.Cursor(), f.Sizes())
}

// group returns where the links of a group lie: in a symbol table, or as the
// link info tells.
func (f *File) group(ctx context.Context, h *Header) (*format.SymbolTable, *format.LinkInfo, error) {
	m, err := f.message(ctx, h, format.MsgSymbolTable)
	if err != nil {
		return nil, nil, err
	}
	if m != nil {
		table, err := format.DecodeSymbolTable(m.Cursor(), f.Sizes())
		return &table, nil, err
	}
	if m, err = f.message(ctx, h, format.MsgLinkInfo); err != nil {
		return nil, nil, err
	}
	if m == nil {
		return nil, nil, h5err.At(h5err.Type, headerKind, f.Offset(h.Addr), fmt.Sprintf("a %s is no group", h.Kind()))
	}
	info, err := format.DecodeLinkInfo(m.Cursor(), f.Sizes())
	return nil, &info, err
}

func symbolLink(e *meta.SymbolEntry) Link {
	if e.CacheType == format.SoftLinkCached {
		return Link{Name: e.Name, Type: format.SoftLink, Addr: format.Undefined, Target: e.Target}
	}
	return Link{Name: e.Name, Type: format.HardLink, Addr: e.Header}
}

// denseLinks reads the links from the heap, whose blocks are fetched in one
// batch once the name tree has told which they are.
func (f *File) denseLinks(ctx context.Context, info *format.LinkInfo, each func(Link)) error {
	heap, ids, err := f.denseIDs(ctx, &info.DenseStorage, format.LinkNameRecords, func(rec []byte) ([]byte, error) {
		r, err := format.DecodeLinkNameRecord(cursor.New(rec, nowhere))
		return r.ID, err
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		l, err := f.heapLink(ctx, heap, id)
		if err != nil {
			return err
		}
		each(l)
	}
	return nil
}

func (f *File) heapLink(ctx context.Context, heap *meta.FractalHeap, id []byte) (Link, error) {
	c, err := heapObject(ctx, heap, id)
	if err != nil {
		return Link{}, err
	}
	return format.DecodeLink(c, f.Sizes())
}

func heapObject(ctx context.Context, heap *meta.FractalHeap, id []byte) (*cursor.Cursor, error) {
	p, off, err := heap.Object(ctx, id)
	if err != nil {
		return nil, err
	}
	if off < 0 {
		off = nowhere
	}
	return cursor.New(p, off), nil
}

// denseIDs returns the heap of d and the heap ID that idOf finds in every record of
// its name tree. The objects are fetched.
func (f *File) denseIDs(ctx context.Context, d *format.DenseStorage, want format.BTreeV2Type, idOf func(rec []byte) ([]byte, error)) (*meta.FractalHeap, [][]byte, error) {
	heap, err := f.FractalHeap(ctx, d.Heap)
	if err != nil {
		return nil, nil, err
	}
	tree, err := f.nameTree(ctx, d, want)
	if err != nil {
		return nil, nil, err
	}
	var ids [][]byte
	var all []byte // one allocation holds the IDs of many records
	err = tree.Records(ctx, func(rec []byte) error {
		id, err := idOf(rec)
		if cap(all)-len(all) < len(id) {
			all = make([]byte, 0, max(len(id), min(512*(len(ids)+1), 64<<10)))
		}
		at := len(all)
		all = append(all, id...)
		ids = append(ids, all[at:len(all):len(all)])
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return heap, ids, heap.Prefetch(ctx, ids)
}

func (f *File) nameTree(ctx context.Context, d *format.DenseStorage, want format.BTreeV2Type) (*meta.BTreeV2, error) {
	tree, err := f.BTreeV2(ctx, d.NameTree)
	if err != nil {
		return nil, err
	}
	if got := tree.Header().Type; got != want {
		return nil, h5err.At(h5err.Corrupt, "version 2 B-tree header", f.Offset(d.NameTree),
			fmt.Sprintf("a tree of type %d where %d was expected", got, want))
	}
	return tree, nil
}

// Link returns the link of a name, or NotFound. Symbol tables and dense groups
// are searched, not listed.
func (f *File) Link(ctx context.Context, h *Header, name string) (Link, error) {
	table, info, err := f.group(ctx, h)
	var l Link
	var ok bool
	switch {
	case err != nil:
		return l, err
	case table != nil:
		var e meta.SymbolEntry
		if e, ok, err = f.SymbolTableLookup(ctx, table.BTree, table.Heap, name); ok {
			l = symbolLink(&e)
		}
	case info.Dense():
		l, ok, err = f.denseLink(ctx, info, name)
	default:
		l, ok, err = f.compactLink(ctx, h, name)
	}
	if err == nil && !ok {
		err = h5err.New(h5err.NotFound, fmt.Sprintf("no link %q in the group", name))
	}
	return l, err
}

func (f *File) compactLink(ctx context.Context, h *Header, name string) (Link, bool, error) {
	for i := range h.Messages {
		if m := &h.Messages[i]; m.Type == format.MsgLink {
			l, err := f.linkMessage(ctx, m)
			if err != nil || l.Name == name {
				return l, err == nil, err
			}
		}
	}
	return Link{}, false, nil
}

func (f *File) denseLink(ctx context.Context, info *format.LinkInfo, name string) (Link, bool, error) {
	heap, err := f.FractalHeap(ctx, info.Heap)
	if err != nil {
		return Link{}, false, err
	}
	tree, err := f.nameTree(ctx, &info.DenseStorage, format.LinkNameRecords)
	if err != nil {
		return Link{}, false, err
	}
	hash := cursor.Lookup3([]byte(name), 0)
	compare := func(rec []byte) int {
		r, err := format.DecodeLinkNameRecord(cursor.New(rec, nowhere))
		if err != nil {
			return -1 // the tree has no such records; the search ends
		}
		return cmp.Compare(r.Hash, hash)
	}
	var found Link
	var ok bool
	err = tree.Find(ctx, compare, func(rec []byte) error {
		r, err := format.DecodeLinkNameRecord(cursor.New(rec, nowhere))
		if err != nil {
			return err
		}
		l, err := f.heapLink(ctx, heap, r.ID)
		if err != nil {
			return err
		}
		if l.Name == name { // names of the same hash are rare, but exist
			found, ok = l, true
			return meta.ErrStop
		}
		return nil
	})
	return found, ok, err
}

// LinkCount returns the number of links of a group.
func (f *File) LinkCount(ctx context.Context, h *Header) (uint64, error) {
	table, info, err := f.group(ctx, h)
	switch {
	case err != nil:
		return 0, err
	case table != nil:
		entries, err := f.SymbolTableEntries(ctx, table.BTree, table.Heap)
		return uint64(len(entries)), err
	case info.Dense():
		tree, err := f.nameTree(ctx, &info.DenseStorage, format.LinkNameRecords)
		if err != nil {
			return 0, err
		}
		return tree.Header().TotalRecords, nil
	}
	return h.count(format.MsgLink), nil
}

func (h *Header) count(t format.MessageType) (n uint64) {
	for i := range h.Messages {
		if h.Messages[i].Type == t {
			n++
		}
	}
	return n
}

// CreationOrderTracked reports whether a group knows the creation order of its
// links, and whether it has an index of it.
func (f *File) CreationOrderTracked(h *Header) (tracked, indexed bool) {
	m := h.find(format.MsgLinkInfo)
	if m == nil {
		return false, false
	}
	info, err := format.DecodeLinkInfo(m.Cursor(), f.Sizes())
	return err == nil && info.OrderTracked, err == nil && info.OrderIndexed
}
