package core

import (
	"context"
	"sync/atomic"

	"clawh5/core/h5err"
	"clawh5/core/internal/convert"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/exec"
	"clawh5/core/internal/plan"
	"clawh5/core/internal/sel"
	"clawh5/core/internal/variable"
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

// reader is what reading a dataset into one memory type needs again and again.
type reader struct {
	conv convert.Conversion
	fill []byte // one element in memory form; nil for zeros
}

// reader returns the conversion to mem, compiled once.
func (d *Dataset) reader(mem MemoryType) (*reader, error) {
	d.mu.Lock()
	r := d.readers[mem]
	d.mu.Unlock()
	if r != nil {
		return r, nil
	}
	conv, err := conversion(d.info.Type, mem)
	if err != nil {
		return nil, err
	}
	r = &reader{conv: conv}
	if raw := d.info.Fill.Value; len(raw) == conv.SrcSize && len(raw) > 0 {
		r.fill = make([]byte, conv.DstSize)
		conv.Run(r.fill, raw, 1)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.readers[mem] = r
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
	if err != nil {
		return err
	}
	n, err := d.selected(s)
	if err != nil {
		return err
	}
	if err := checkSpace(n, r.conv.DstSize, len(dst)); err != nil {
		return err
	}
	return d.run(ctx, s, r, dst, progress)
}

// selected returns the number of selected elements; none of a null dataspace.
func (d *Dataset) selected(s *sel.Selection) (uint64, error) {
	if d.Rank() < 0 {
		return 0, nil
	}
	return uint64(s.NumElements()), nil
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
	return p, src, err
}

// AppendPlan describes what reading a selection would do, as JSON: elements,
// requests, bytes, and for each part of the data its layout, boxes (chunks or
// pieces) touched, stored, in memory and to decode.
func (d *Dataset) AppendPlan(ctx context.Context, dst []byte, s Selection) ([]byte, error) {
	p, err := d.planOf(ctx, s)
	if err != nil {
		return dst, err
	}
	text, err := p.MarshalJSON()
	return append(dst, text...), h5err.In(err, "plan", d.object.path)
}

// Explain describes what reading a selection would do, as text.
func (d *Dataset) Explain(ctx context.Context, s Selection) (string, error) {
	p, err := d.planOf(ctx, s)
	if err != nil {
		return "", err
	}
	return p.String(), nil
}

func (d *Dataset) planOf(ctx context.Context, s Selection) (*plan.Plan, error) {
	bound, err := s.bind(d.Dims())
	if err != nil {
		return nil, h5err.In(err, "plan", d.object.path)
	}
	p, _, err := d.plan(ctx, bound)
	return p, h5err.In(err, "plan", d.object.path)
}

// ReadVariable reads the selected elements of any datatype into dst and returns
// the heap that variable-length elements point into: such an element is 16 bytes
// in dst, the offset of its data in the heap and the count of its parts.
func (d *Dataset) ReadVariable(ctx context.Context, s Selection, mem MemoryType, dst []byte, progress *Progress) ([]byte, error) {
	bound, err := s.bind(d.Dims())
	if err != nil {
		return nil, h5err.In(err, "read", d.object.path)
	}
	if !d.info.Type.HasVariableLength() {
		return nil, h5err.In(d.read(ctx, bound, mem, dst, progress), "read", d.object.path)
	}
	heap, err := d.readVariable(ctx, bound, mem, dst, progress)
	return heap, h5err.In(err, "read", d.object.path)
}

func (d *Dataset) readVariable(ctx context.Context, s *sel.Selection, mem MemoryType, dst []byte, progress *Progress) ([]byte, error) {
	memory, err := variableMemory(mem)
	if err != nil {
		return nil, err
	}
	p, err := variable.Compile(d.info.Type, memory, d.file.objects.Sizes().Offset)
	if err != nil {
		return nil, err
	}
	n, err := d.selected(s)
	if err != nil {
		return nil, err
	}
	fileSize, memSize := p.Sizes()
	if err := checkSpace(n, memSize, len(dst)); err != nil {
		return nil, err
	}
	raw := dst
	if fileSize != memSize {
		size, fits := cursor.ToInt(n * uint64(fileSize))
		if !fits {
			return nil, newError(h5err.Limit, "too many elements for this platform")
		}
		raw = make([]byte, size)
	}
	r := &reader{conv: convert.Conversion{SrcSize: fileSize, DstSize: fileSize, Identity: true}, fill: d.fillBytes()}
	if err := d.run(ctx, s, r, raw, progress); err != nil {
		return nil, err
	}
	return p.Run(ctx, d.file.objects, dst, raw, int(n), d.file.heapLimit())
}

// variableMemory returns the memory type of the fixed-size parts.
func variableMemory(mem MemoryType) (variable.MemoryType, error) {
	switch mem {
	case MemoryFile:
		return fileType, nil
	case MemoryNative:
		return nativeType, nil
	}
	return nil, newError(h5err.Type, "variable-length data is not converted to numbers")
}

// maxValues is how many bytes ReadValues holds at most.
const maxValues = 1 << 32

// ReadValues reads a selection together with what its bytes mean; shape is the
// shape that the result has for the caller.
func (d *Dataset) ReadValues(ctx context.Context, s Selection, shape []uint64) (*Values, error) {
	n, fits := cursor.Product(shape)
	bytes, ok := cursor.Mul(n, memorySize(d.info.Type))
	size, small := cursor.ToInt(bytes)
	if !fits || !ok || !small || bytes > maxValues {
		return nil, newError(h5err.Limit, "the selection is too large to be held in memory: read it in parts")
	}
	v := &Values{Shape: shape, d: d.info.Type, data: make([]byte, size)}
	var err error
	v.heap, err = d.ReadVariable(ctx, s, MemoryFile, v.data, nil)
	return v, err
}

// counters add up what the reads of a file did.
type counters struct {
	chunksDecoded, chunkHits, chunkMisses, decoding atomic.Int64
}

func (c *counters) add(s exec.Stats) {
	c.chunksDecoded.Add(s.ChunksDecoded)
	c.chunkHits.Add(s.CacheHits)
	c.chunkMisses.Add(s.CacheMisses)
	c.decoding.Add(int64(s.Decoding))
}

// AppendStats gives the file's counters as the JSON that clawh5.h specifies.
func (f *File) AppendStats(dst []byte) []byte {
	s := f.store.Stats()
	w := jsonWriter{buf: dst}
	w.open('{')
	w.intMember("requests", s.Requests)
	w.intMember("rounds", s.Rounds)
	w.intMember("bytes_fetched", s.BytesFetched)
	w.intMember("bytes_asked", s.BytesAsked)
	w.intMember("retries", s.Retries)
	w.intMember("block_hits", s.BlockHits)
	w.intMember("block_misses", s.BlockMisses)
	w.intMember("chunks_decoded", f.counts.chunksDecoded.Load())
	w.intMember("chunk_hits", f.counts.chunkHits.Load())
	w.intMember("chunk_misses", f.counts.chunkMisses.Load())
	w.key("seconds_waiting")
	w.float(s.Waiting.Seconds())
	w.key("seconds_decoding")
	w.float(float64(f.counts.decoding.Load()) / 1e9)
	w.close('}')
	return w.buf
}
