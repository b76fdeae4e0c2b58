package core

import (
	"bytes"
	"context"
	"testing"
	"time"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
	"clawh5/core/internal/sel"
)

// FuzzVirtualMappings takes a block of mappings from decoding to the selections
// that a read makes of them, as far as that needs no source.
func FuzzVirtualMappings(f *testing.F) {
	file := openTest(f, virtualFiles+"mapped.h5", Options{})
	for _, path := range []string{"rows", "interleaved", "strided", "reshaped", "blocks", "all", "nested"} {
		f.Add(mappingBlock(f, file, path), uint8(0), uint8(5))
	}
	file = openTest(f, virtualFiles+"endless.h5", Options{})
	for _, path := range []string{"grows", "numbered"} {
		f.Add(mappingBlock(f, file, path), uint8(1), uint8(7))
	}
	f.Fuzz(func(t *testing.T, block []byte, start, count uint8) {
		if len(block) < 8 {
			return
		}
		block = bytes.Clone(block)
		resum(block)
		mappings, err := format.DecodeVirtualMappings(cursor.New(block, 0), format.Sizes{Offset: 8, Length: 8})
		if err != nil {
			return
		}
		ctx, cancel := context.WithTimeout(background, 10*time.Second)
		defer cancel()
		for i := range mappings {
			for rank := range 4 {
				if err := tryMapping(ctx, &mappings[i], rank, uint64(start), uint64(count)); err != nil {
					switch h5err.KindOf(err) {
					case h5err.Corrupt, h5err.Unsupported, h5err.Limit, h5err.Selection:
					default:
						t.Fatal(err)
					}
				}
			}
		}
	})
}

func tryMapping(ctx context.Context, m *format.VirtualMapping, rank int, start, count uint64) error {
	e, err := newVirtualEntry(m, rank)
	if err != nil {
		return err
	}
	dims, axes := make([]uint64, rank), make([]sel.Axis, rank)
	for d := range dims {
		dims[d] = 40
		axes[d] = sel.Axis{Start: start % 20, Stride: 1 + count%3, Count: count % 6, Block: 1}
	}
	if err := e.virtual.LimitedEnd(make([]uint64, rank)); err != nil {
		return err
	}
	if a := e.virtual.Axis(); a >= 0 {
		e.n = e.virtual.Slices(count)
		if n := e.virtual.Slices(e.virtual.Extent(e.n, false)); n != e.n {
			return newError(h5err.Internal, "%d slices come back as %d", e.n, n)
		}
		if e.numbered {
			e.n = count % 5
			if e.virtual.BlockSize() > 1<<20 {
				return nil
			}
		}
		e.clip(dims[a])
	}
	if err := e.settle(dims); err != nil {
		return err
	}
	s, err := sel.Orthogonal(dims, axes)
	if err != nil {
		return err
	}
	var touched int64
	if err := e.itself.Project(s, dims, func(p *sel.Selection) error {
		touched += p.NumElements()
		return ctx.Err()
	}); err != nil {
		return err
	}
	if touched > s.NumElements() {
		return newError(h5err.Internal, "%d of %d elements are touched", touched, s.NumElements())
	}
	h := share{region: e.region, pair: e.pair, entry: &e}
	if e.numbered {
		if h.region, err = e.virtual.Block(start); err != nil {
			return err
		}
	}
	pair := h.pair
	if pair == nil {
		if pair, err = e.mapTo(h.region, dims); err != nil {
			return err
		}
	}
	source := make([]uint64, pair.Source().Rank())
	for d := range source {
		source[d] = 50
	}
	return pair.Project(s, source, func(*sel.Selection) error { return ctx.Err() })
}
