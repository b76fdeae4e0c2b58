// Package format decodes the structures of the HDF5 File Format Specification,
// version 3.0 with the additions of 4.0: bytes in, structs out, no I/O. Sections
// are those of version 3.0. Datatypes are encoded too, for H5Tencode.
//
//	II.A       superblock.go               II.B       driver_info.go, driver_info_files.go
//	III.A.1    btree_v1.go                 III.A.2    btree_v2.go, btree_v2_records.go
//	III.B, C   symbol_table.go             III.D      local_heap.go
//	III.E      global_heap.go              III.F      global_heap_vds.go
//	III.G      fractal_heap.go (header, blocks), fractal_heap_id.go
//	III.I      sohm.go
//	IV.A.1     object_header.go: prefixes, and the framing of messages
//	IV.A.2     message.go: types, flags, one Decode; msg_*.go: a message each
//	IV.A.2.d   datatype.go and datatype_*.go: a class each
//	VII.C      chunk_fixed_array.go        VII.D      chunk_ext_array.go
//	VIII       encoded_selection.go, reference.go
//	(none)     cache_image.go, onion.go: what libhdf5 writes and no section has
//
// A Decode function reads a structure at a cursor and returns the first failure
// with its file offset. It verifies the checksum that the structure has. No size
// or count of the file is trusted: what does not fit the bytes at hand is
// refused before anything is allocated for it. Corrupt means that the bytes
// contradict the specification, Unsupported that they may be right but this
// package does not know them.
//
// Slices in decoded structs are parts of the input where their comment says so.
package format
