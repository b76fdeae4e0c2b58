package storage

import (
	"context"
	"sync"
	"sync/atomic"
)

// Parallel calls f(ctx, i) for every i in [0, n), up to limit at once, and
// returns when all calls have returned. The first error cancels the context of
// the others and is the result; calls not begun by then, or when ctx ends, are
// left out.
func Parallel(ctx context.Context, n, limit int, f func(ctx context.Context, i int) error) error {
	if n <= 1 || limit <= 1 {
		for i := range n {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := f(ctx, i); err != nil {
				return err
			}
		}
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var (
		next  atomic.Int64
		wg    sync.WaitGroup
		once  sync.Once
		first error
	)
	for range min(n, limit) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := Protect(func() error { return f(ctx, i) }); err != nil {
					once.Do(func() { first = err })
					cancel()
					return
				}
			}
		})
	}
	wg.Wait()
	if first == nil {
		first = ctx.Err()
		if int(next.Load()) >= n {
			first = nil
		}
	}
	return first
}
