// Package datatype makes, changes and compares datatypes. It knows the predefined
// types of HDF5 by name, and which type of a machine's memory holds another.
//
// A *format.Datatype is never changed: what changes a type returns another. The
// checks are those of libhdf5's H5T functions; what they refuse is an error of
// kind Type.
//
// Elements of variable length have 16 bytes in memory here, and references are as
// long as in a file with addresses of 8 bytes. Library gives a type the sizes that
// it has in the memory of a program that uses libhdf5.
package datatype

import (
	"fmt"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
)

// fileSizes are those of a file with addresses and lengths of 8 bytes.
var fileSizes = format.Sizes{Offset: 8, Length: 8}

func refused(text string, args ...any) error {
	return h5err.New(h5err.Type, fmt.Sprintf(text, args...))
}
