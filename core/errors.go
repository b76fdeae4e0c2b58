package core

import (
	"context"
	"fmt"

	"clawh5/core/h5err"
	"clawh5/core/internal/meta"
)

func newError(k h5err.Kind, format string, args ...any) error {
	return &h5err.Error{Kind: k, Offset: h5err.NoOffset, Err: fmt.Errorf(format, args...)}
}

func badArgument(format string, args ...any) error { return newError(h5err.Handle, format, args...) }

func ctxError(ctx context.Context) error { return meta.StorageError(ctx.Err(), "", h5err.NoOffset) }
