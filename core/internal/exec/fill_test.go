package exec

import (
	"bytes"
	"context"
	"testing"

	"clawh5/core/internal/format"
	"clawh5/core/internal/plan"
	"clawh5/core/internal/sel"
)

func TestFillPatternsRepeatTheElement(t *testing.T) {
	for _, elem := range [][]byte{nil, {0, 0}, {7}, {1, 2, 3}, bytes.Repeat([]byte{1, 2, 3}, 3000)} {
		pattern := fillPattern(elem)
		for _, n := range []int{0, len(elem), 5 * len(elem), 20000 / max(1, len(elem)) * len(elem)} {
			got := bytes.Repeat([]byte{9}, n)
			fillFrom(got, pattern, 0)
			if want := bytes.Repeat(elem, n/max(1, len(elem))); !bytes.Equal(got, want) {
				t.Errorf("%d bytes of % x", n, elem[:min(3, len(elem))])
			}
		}
	}
}

func TestABigFillIsRightAcrossItsBlocks(t *testing.T) {
	shape := []uint64{3_000_001}
	src := plan.Source{ElemSize: 3, Space: &format.Dataspace{Dims: shape}, Store: &plainStore{},
		Layout: &format.Layout{Version: 3, Class: format.ContiguousLayout, Address: format.Undefined}}
	s, _ := sel.All(shape)
	got := make([]byte, 9_000_003)
	if _, err := read(context.Background(), &src, s, got, Options{Fill: []byte{1, 2, 3}, Workers: 3}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, bytes.Repeat([]byte{1, 2, 3}, 3_000_001)) {
		t.Error("wrong values")
	}
}
