// Package render prints elements of datasets and attributes as text, with the
// rules of HDF5's command line tools, so that what stands in scripts for h5dump
// and h5ls finds here what it finds there.
//
//	Format            how elements look: what stands around and between them
//	Format.Append     one element -> text, with marks where a line may break
//	Layout            where on the line the output stands
//	Layout.Put        text -> lines of at most Format.Columns, with index and indent
//
// A caller makes a Layout with the shape of the data (Layout.SetShape), calls
// Format.Append and then Layout.Put for each element:
//
//	f := render.Dump()
//	l := render.Layout{Indent: 2, Break: true}
//	l.SetShape(dims)
//	for i := range n {
//		text := f.Append(nil, &l, typ, element(i), heap)
//		l.Put(w, &f, string(text)+",", i, i)
//	}
//
// Rows does that for the elements of one read. Elements are in the memory form
// that core reads: numbers little-endian, variable-length data as slots of 16
// bytes (offset, count) into a heap.
package render
