// Package core reads HDF5 files: the object API that the command line tool and
// the C library stand on.
//
//	File ── Root ── Object ── Open(path), AppendDescription, Attribute, LinkNames
//	                  └── Dataset ── Read, ReadSlab, ReadVariable, ReadAs, Explain
//
// An Object is a group, a dataset or a committed datatype; a Dataset reads a
// Selection of its elements into the caller's buffer, in a MemoryType or as any
// Datatype. What a virtual dataset is made of, what lies in other files and what
// several files make up is read as if it lay in one file. Everything may be used
// from any number of goroutines; what may wait for a store takes a context and
// returns soon after it ends, and no buffer is touched after a call has returned.
//
// A method AppendX appends what X is to a buffer, as the JSON that clawh5.h
// specifies: it is for other languages. Go programs use X.
//
// Errors are of type *h5err.Error. They say what was being read, where in the
// file, and by their kind whether the file is wrong (Corrupt) or this library
// cannot read it (Unsupported).
package core
