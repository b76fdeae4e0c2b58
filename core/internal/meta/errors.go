package meta

import (
	"context"
	"errors"

	"clawh5/core/h5err"
	"clawh5/storage"
)

// ErrStop is returned by a yield to end a walk early; the walk then returns nil.
var ErrStop = errors.New("stop")

// Stopped turns ErrStop into success.
func Stopped(err error) error {
	if err == ErrStop {
		return nil
	}
	return err
}

var storageKinds = []struct {
	err  error
	kind h5err.Kind
}{
	{context.Canceled, h5err.Cancelled},
	{context.DeadlineExceeded, h5err.Timeout},
	{storage.ErrNotFound, h5err.NotFound},
	{storage.ErrPermission, h5err.Permission},
	{storage.ErrChanged, h5err.Changed},
	{storage.ErrOutOfRange, h5err.Corrupt}, // an address read from the file led there
	{storage.ErrUnavailable, h5err.Unavailable},
	{storage.ErrTimeout, h5err.Timeout},
	{storage.ErrNoRanges, h5err.Unsupported},
	{storage.ErrUnsupported, h5err.Unsupported},
	{storage.ErrTooLarge, h5err.Limit},
	{storage.ErrClosed, h5err.Handle},
	{storage.ErrInternal, h5err.Internal},
}

// StorageError makes an h5err.Error of what a store or a context returned while
// structure was read at a store offset. An h5err.Error stays as it is.
func StorageError(err error, structure string, off int64) error {
	var own *h5err.Error
	if err == nil || errors.As(err, &own) {
		return err
	}
	e := &h5err.Error{Kind: h5err.Unavailable, Structure: structure, Offset: off, Err: err}
	for _, s := range storageKinds {
		if errors.Is(err, s.err) {
			e.Kind = s.kind
			break
		}
	}
	var se *storage.Error
	if errors.As(err, &se) {
		e.HTTPStatus = se.HTTPStatus
	}
	return e
}
