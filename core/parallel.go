package core

import (
	"context"

	"clawh5/core/h5err"
	"clawh5/core/internal/meta"
	"clawh5/storage"
)

// parallel is storage.Parallel with errors of this package.
func parallel(ctx context.Context, n, atOnce int, f func(ctx context.Context, i int) error) error {
	return meta.StorageError(storage.Parallel(ctx, n, atOnce, f), "", h5err.NoOffset)
}
