package main

// #include "export.h"
import "C"

import "unsafe"

// maxStruct is far more than any struct will ever have: a larger struct_size
// is a caller that has not set it.
const maxStruct = 4096

// structSize reads the struct_size that a sized struct begins with.
func structSize(p unsafe.Pointer) (int, error) {
	n := *(*C.size_t)(p)
	if n < C.size_t(unsafe.Sizeof(n)) || n > maxStruct {
		return 0, argument("struct_size %d is not the size of the struct", uint64(n))
	}
	return int(n), nil
}

// sized returns a copy of a caller's struct. Members that the caller does not
// know are zero. Members that the library does not know must be: they would
// ask for something.
func sized[T any](p *T) (T, error) {
	var own T
	n, err := structSize(unsafe.Pointer(p))
	if err != nil {
		return own, err
	}
	theirs := unsafe.Slice((*byte)(unsafe.Pointer(p)), n)
	ours := unsafe.Slice((*byte)(unsafe.Pointer(&own)), unsafe.Sizeof(own))
	known := copy(ours, theirs)
	for _, b := range theirs[known:] {
		if b != 0 {
			return own, argument("a struct uses members that this version of the library does not have")
		}
	}
	return own, nil
}

// setStruct fills a caller's struct as far as the caller knows its members;
// struct_size stays.
func setStruct[T any](p *T, content T) error {
	n, err := structSize(unsafe.Pointer(p))
	if err != nil {
		return err
	}
	const first = unsafe.Sizeof(C.size_t(0))
	theirs := unsafe.Slice((*byte)(unsafe.Pointer(p)), n)
	ours := unsafe.Slice((*byte)(unsafe.Pointer(&content)), unsafe.Sizeof(content))
	copy(theirs[first:], ours[first:])
	return nil
}
