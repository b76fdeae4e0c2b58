// Package core reads HDF5 files: the object API that the command line tool and
// the C library stand on.
//
//	File ── Root ── Object ── Open(path), AppendDescription, Attribute, LinkNames
//	                  └── Dataset ── Read, ReadSlab, ReadVariable, ReadAs, Explain
//
// An Object is a group, a dataset or a committed datatype; a Dataset reads a
// Selection of its elements into the caller's buffer, in a MemoryType or as any
// Datatype. Everything may be used from any number of goroutines; what may wait
// for a store takes a context and returns soon after it ends, and no buffer is
// touched after a call has returned.
//
// Errors are of type *h5err.Error. They say what was being read, where in the
// file, and by their kind whether the file is wrong (Corrupt) or this library
// cannot read it (Unsupported).
package core
