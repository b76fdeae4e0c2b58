package main

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"clawh5/core"
	"clawh5/core/h5err"
)

func started(body func(context.Context, *operation) error) *operation {
	ctx, cancel := context.WithCancel(context.Background())
	o := &operation{cancel: cancel, done: make(chan struct{})}
	go o.run(ctx, body)
	return o
}

func TestAPanicInAnOperationIsItsError(t *testing.T) {
	o := started(func(context.Context, *operation) error { panic("boom") })
	if !o.wait(math.MaxUint32) {
		t.Fatal("the operation has not ended")
	}
	if h5err.KindOf(o.err) != h5err.Internal {
		t.Errorf("the error is %v", o.err)
	}
}

func TestAPanicInACallIsAnInternalError(t *testing.T) {
	err := protect(func() error {
		var none []int
		return argument("%d", none[3])
	})
	if h5err.KindOf(err) != h5err.Internal {
		t.Errorf("the error is %v", err)
	}
}

func TestWaitingEndsWithTheOperationOrTheTime(t *testing.T) {
	o := started(func(ctx context.Context, _ *operation) error {
		<-ctx.Done()
		return ctx.Err()
	})
	if o.wait(0) || o.wait(1) {
		t.Fatal("the operation has ended by itself")
	}
	o.cancel()
	if !o.wait(math.MaxUint32) || !o.wait(0) || !o.wait(5) {
		t.Error("the operation has not ended")
	}
}

func slots(pairs ...uint64) []byte {
	var b []byte
	for _, v := range pairs {
		b = binary.NativeEndian.AppendUint64(b, v)
	}
	return b
}

func TestOffsetsFollowTheSlots(t *testing.T) {
	for _, c := range []struct {
		name  string
		slots []byte
		item  uint64
		heap  int
		want  []int64 // nil: an error
	}{
		{"no elements", nil, 1, 0, []int64{0}},
		{"texts", slots(0, 3, 0, 0, 3, 2), 1, 5, []int64{0, 3, 3, 5}},
		{"numbers", slots(0, 2, 8, 1), 4, 12, []int64{0, 8, 12}},
		{"a gap", slots(0, 2, 3, 1), 1, 4, nil},
		{"past the end", slots(0, 6), 1, 5, nil},
		{"far past the end", slots(0, math.MaxUint64), 8, 8, nil},
		{"no heap", slots(0, 1), 1, 0, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := &operation{slots: c.slots, itemSize: c.item, content: make([]byte, c.heap)}
			got := make([]int64, len(c.slots)/core.SlotSize+1)
			err := o.offsets(got)
			if c.want == nil {
				if err == nil {
					t.Errorf("offsets %v", got)
				}
				return
			}
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("offsets %v, not %v (%v)", got, c.want, err)
			}
		})
	}
}
