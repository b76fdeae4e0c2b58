package storage

import (
	"context"
	"sync/atomic"
)

// Batch says that reads were issued together, whenever the scheduler or a
// limit lets each of them begin. An account of rounds takes them for one.
type Batch struct {
	// Round is for the account: 0 until the first of the reads has begun.
	Round atomic.Int64
}

type batchKey struct{}

// WithBatch makes a context for reads that are issued together.
func WithBatch(ctx context.Context) context.Context {
	return context.WithValue(ctx, batchKey{}, new(Batch))
}

// BatchOf is the batch of a read with this context, or nil.
func BatchOf(ctx context.Context) *Batch {
	b, _ := ctx.Value(batchKey{}).(*Batch)
	return b
}
