package core

import (
	"context"
	"sync/atomic"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/exec"
	"clawh5/core/internal/format"
	"clawh5/core/internal/plan"
	"clawh5/core/internal/sel"
)

// Progress counts the bytes of a read's destination. It may be looked at while
// the read runs.
type Progress struct {
	elements    atomic.Int64
	size, total atomic.Int64 // bytes of an element, and of the destination
}

// Bytes returns how many bytes are in place, and of how many; 0 while that is
// not known.
func (p *Progress) Bytes() (done, total uint64) {
	total = uint64(p.total.Load())
	return min(uint64(p.elements.Load()*p.size.Load()), total), total
}

// begin tells the size of the read and returns the counter of its elements.
func (p *Progress) begin(elementSize, total int) *atomic.Int64 {
	if p == nil {
		return nil
	}
	p.size.Store(int64(elementSize))
	p.total.Store(int64(total))
	return &p.elements
}

// reader returns the way to mem, compiled once.
func (d *Dataset) reader(mem MemoryType) (*reader, error) {
	d.mu.Lock()
	r := d.readers[mem]
	d.mu.Unlock()
	if r != nil {
		return r, nil
	}
	memory, err := mem.of(d.info.Type)
	if err != nil {
		return nil, err
	}
	if r, err = d.readerTo(memory); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.readers[mem] = r
	return r, nil
}

func (d *Dataset) readerTo(memory *format.Datatype) (*reader, error) {
	r, err := newReader(d.info.Type, memory, d.file.objects.Sizes().Offset)
	if err != nil {
		return nil, err
	}
	r.setFill(d.info.Fill.Value)
	return r, nil
}

// Read reads the selected elements into dst, in the C order of the selection.
// dst must have exactly the bytes of the result: elements * element size of mem.
// dst is not touched after Read has returned. progress may be nil.
//
// Datatypes with variable-length data are read with ReadVariable.
func (d *Dataset) Read(ctx context.Context, s Selection, mem MemoryType, dst []byte, progress *Progress) error {
	bound, err := s.bind(d.Dims())
	if err == nil {
		err = d.read(ctx, bound, mem, dst, progress)
	}
	return h5err.In(err, "read", d.object.path)
}

// ReadSlab is Read of a hyperslab with block 1, given as the start, stride and
// count of all dimensions, one list behind the other.
func (d *Dataset) ReadSlab(ctx context.Context, startStrideCount []uint64, mem MemoryType, dst []byte) error {
	rank := len(startStrideCount) / 3
	bound, err := sel.Hyperslab(d.Dims(), startStrideCount[:rank], startStrideCount[rank:2*rank], startStrideCount[2*rank:], nil)
	if err == nil {
		err = d.read(ctx, bound, mem, dst, nil)
	}
	return h5err.In(err, "read", d.object.path)
}

func (d *Dataset) read(ctx context.Context, s *sel.Selection, mem MemoryType, dst []byte, progress *Progress) error {
	if d.info.Type.HasVariableLength() {
		return newError(h5err.Type, "the dataset has variable-length data, which a plain read cannot return")
	}
	r, err := d.reader(mem)
	if err == nil {
		_, err = d.readBy(ctx, s, r, dst, progress)
	}
	return err
}

// readBy reads the selected elements by way of r and returns the heap.
func (d *Dataset) readBy(ctx context.Context, s *sel.Selection, r *reader, dst []byte, progress *Progress) ([]byte, error) {
	n := d.selected(s)
	if err := checkSpace(n, r.size(), len(dst)); err != nil || r.nothing {
		return nil, err
	}
	if d.virtual != nil {
		return d.readVirtual(ctx, s, r, dst, progress)
	}
	raw, err := r.room(dst, int(n))
	if err != nil {
		return nil, err
	}
	if err := d.run(ctx, s, r, raw, progress); err != nil {
		return nil, err
	}
	return r.finish(ctx, d.file, dst, raw, int(n), d.file.heapLimit())
}

// selected returns the number of selected elements; none of a null dataspace.
func (d *Dataset) selected(s *sel.Selection) uint64 {
	if d.Rank() < 0 {
		return 0
	}
	return uint64(s.NumElements())
}

// checkSpace checks that a buffer of have bytes is that of n elements of size bytes.
func checkSpace(n uint64, size, have int) error {
	if need, fits := cursor.Mul(n, uint64(size)); !fits {
		return newError(h5err.Space, "the selection needs %d times %d bytes", n, size)
	} else if need != uint64(have) {
		return newError(h5err.Space, "the buffer has %d bytes, the selection needs exactly %d", have, need)
	}
	return nil
}

// run plans and executes.
func (d *Dataset) run(ctx context.Context, s *sel.Selection, r *reader, dst []byte, progress *Progress) error {
	if len(dst) == 0 {
		return nil
	}
	p, src, err := d.plan(ctx, s)
	if err != nil {
		return err
	}
	o := d.file.options
	stats, err := exec.Run(ctx, p, dst, exec.Options{
		Filters: src.pipeline, Conv: r.conv, Fill: r.fill, Workers: o.Workers, MaxInFlight: o.MaxInFlight,
		Budget: o.MemoryBudget, Cache: d.file.kin.chunks, File: d.file.number, Done: progress.begin(r.conv.DstSize, len(dst)),
	})
	d.file.counts.add(stats)
	return err
}

func (d *Dataset) plan(ctx context.Context, s *sel.Selection) (*plan.Plan, *source, error) {
	src, err := d.prepare(ctx)
	if err != nil {
		return nil, nil, err
	}
	p, err := plan.New(ctx, &src.Source, s)
	if err == nil && src.tooLarge != nil && p.Parts[0].Jobs != nil {
		err = src.tooLarge
	}
	return p, src, err
}

// ReadVariable reads the selected elements of any datatype into dst and returns
// the heap that variable-length elements point into: such an element has SlotSize
// bytes in dst, the offset of its data in the heap and the count of its parts.
func (d *Dataset) ReadVariable(ctx context.Context, s Selection, mem MemoryType, dst []byte, progress *Progress) ([]byte, error) {
	r, err := d.reader(mem)
	if err != nil {
		return nil, h5err.In(err, "read", d.object.path)
	}
	return d.readSelection(ctx, s, r, dst, progress)
}

func (d *Dataset) readSelection(ctx context.Context, s Selection, r *reader, dst []byte, progress *Progress) ([]byte, error) {
	bound, err := s.bind(d.Dims())
	if err != nil {
		return nil, h5err.In(err, "read", d.object.path)
	}
	heap, err := d.readBy(ctx, bound, r, dst, progress)
	return heap, h5err.In(err, "read", d.object.path)
}

// ReadAs is ReadVariable with a memory datatype of the caller's choice. Its
// elements of variable length, whatever size it gives them, have SlotSize bytes in
// dst, and members of compounds behind them move accordingly.
//
// A compound takes the members by name that it shares with the file's; only
// those are converted. The bytes of dst that belong to no member, and those of
// members that the file has not, stay as they are. A conversion that does not
// exist is a Type error.
func (d *Dataset) ReadAs(ctx context.Context, s Selection, mem Datatype, dst []byte, progress *Progress) ([]byte, error) {
	r, err := d.readerAs(mem)
	if err != nil {
		return nil, h5err.In(err, "read", d.object.path)
	}
	return d.readSelection(ctx, s, r, dst, progress)
}

func (d *Dataset) readerAs(mem Datatype) (*reader, error) {
	memory, err := mem.memory()
	if err != nil {
		return nil, err
	}
	return d.readerTo(memory)
}

// maxValues is how many bytes ReadValues holds at most.
const maxValues = 1 << 32

// ReadValues reads a selection together with what its bytes mean; shape is the
// shape that the result has for the caller.
func (d *Dataset) ReadValues(ctx context.Context, s Selection, shape []uint64) (*Values, error) {
	r, err := d.reader(MemoryFile)
	if err != nil {
		return nil, h5err.In(err, "read", d.object.path)
	}
	return d.readValues(ctx, s, shape, r)
}

// ReadValuesAs is ReadValues with a memory datatype of the caller's choice.
// Members that the file has not are zero.
func (d *Dataset) ReadValuesAs(ctx context.Context, s Selection, shape []uint64, mem Datatype) (*Values, error) {
	r, err := d.readerAs(mem)
	if err != nil {
		return nil, h5err.In(err, "read", d.object.path)
	}
	return d.readValues(ctx, s, shape, r)
}

func (d *Dataset) readValues(ctx context.Context, s Selection, shape []uint64, r *reader) (*Values, error) {
	n, fits := cursor.Product(shape)
	bytes, ok := cursor.Mul(n, uint64(r.size()))
	size, small := cursor.ToInt(bytes)
	if !fits || !ok || !small || bytes > maxValues {
		return nil, newError(h5err.Limit, "the selection is too large to be held in memory: read it in parts")
	}
	v := &Values{Shape: shape, d: d.info.Type, memory: r.memory, data: make([]byte, size)}
	var err error
	v.heap, err = d.readSelection(ctx, s, r, v.data, nil)
	return v, err
}
