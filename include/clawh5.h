/*
 * clawh5.h - read HDF5 and netCDF-4 files from disks, memory and HTTP servers.
 *
 * The rules, once for all functions:
 *
 * Errors.  Every function that can fail returns a clawh5_status: 0
 *   (CLAWH5_OK) or a negative number, never reused for another meaning. The
 *   last parameter is a clawh5_error owned by the caller, filled in on failure
 *   and left alone on success; NULL is allowed. There is no "last error". Out
 *   parameters are set on success only, except sizes with CLAWH5_E_SPACE.
 *
 * Ownership.  Handles are the library's until clawh5_close or clawh5_op_free.
 *   Buffers are the caller's, and are never kept: a buffer is not touched after
 *   the call that was given it has returned, or, for a started operation,
 *   after clawh5_op_wait has told that it is done or clawh5_op_free has
 *   returned. Nothing returned by this library is to be freed with free().
 *   The content of an output buffer is undefined after a failure.
 *
 * Handles.  A clawh5_id is a 64-bit number, 0 is never valid. A stale, closed
 *   or mistaken handle gives CLAWH5_E_HANDLE, never a crash. An object keeps
 *   its file open: closing the file handle first is fine, and closing a handle
 *   that another thread is using too. Where an object is asked for, a file
 *   handle stands for the root group.
 *
 * Sizes.  Buffers are passed with their size in bytes. A buffer that is too
 *   small is CLAWH5_E_SPACE, not a short result.
 *
 * Texts.  Paths and names are UTF-8 (any bytes but NUL, in fact) and end with
 *   NUL. Descriptions are JSON, see clawh5_describe.
 *
 * Threads.  Any function may be called from any thread at any time, on the
 *   same handle too. No lock is held while data is fetched or decoded.
 *
 * Signals.  The library leaves the host's handlers of SIGINT, SIGPROF and
 *   SIGCHLD in place. A blocking call does not return early on a signal: hosts
 *   that must react use clawh5_*_start and clawh5_op_wait with a short timeout.
 *
 * fork.  A child made by fork() cannot use the library it inherited: every
 *   call answers CLAWH5_E_FORK at once. Call exec, or load a private copy of
 *   the library in the child (as the Python package does).
 *
 * Structs that begin with struct_size: set it to sizeof the struct. Members
 *   beyond it are taken as zero, and zero always means the default. Members
 *   that an older library does not know give CLAWH5_E_HANDLE unless they are
 *   zero. Members are only ever added at the end.
 *
 * The first 100 numbers of a dataset of one dimension, as doubles:
 *
 *   clawh5_error err;
 *   clawh5_id file, dataset;
 *   uint64_t slab[] = {0, 1, 100}; // start, stride, count
 *   double values[100];
 *   if (clawh5_open("https://example.org/ocean.h5", NULL, &file, &err) ||
 *       clawh5_object_open(file, "/temperature", &dataset, &err) ||
 *       clawh5_read_slab(dataset, 1, slab, CLAWH5_MEMORY_FLOAT64, values, sizeof values, &err))
 *       fprintf(stderr, "%s\n", err.message);
 */
#ifndef CLAWH5_H
#define CLAWH5_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) && !defined(CLAWH5_API)
#define CLAWH5_API __attribute__((visibility("default")))
#elif !defined(CLAWH5_API)
#define CLAWH5_API
#endif

/* The ABI that this header describes. It grows by one when a function or a
 * struct changes incompatibly; additions do not change it. */
#define CLAWH5_ABI_VERSION 1

/* The version of the library that this header belongs to. */
#define CLAWH5_VERSION "0.1.0"

typedef int64_t clawh5_id;
typedef int32_t clawh5_status;

enum {
    CLAWH5_OK = 0,
    CLAWH5_E_NOT_HDF5 = -1,     /* no HDF5 superblock in the file */
    CLAWH5_E_CORRUPT = -2,      /* the file contradicts the specification or itself */
    CLAWH5_E_UNSUPPORTED = -3,  /* the file is right, this library cannot read it */
    CLAWH5_E_NOT_FOUND = -4,    /* no file, object, link or attribute of that name */
    CLAWH5_E_TYPE = -5,         /* the datatype does not allow it */
    CLAWH5_E_SELECTION = -6,    /* the selection does not fit the dataspace */
    CLAWH5_E_SPACE = -7,        /* the buffer is too small */
    CLAWH5_E_HANDLE = -8,       /* stale or wrong handle, or a wrong argument */
    CLAWH5_E_PERMISSION = -9,   /* denied by the store, or refused by policy */
    CLAWH5_E_UNAVAILABLE = -10, /* the store failed and retries did not help */
    CLAWH5_E_CHANGED = -11,     /* the file is no longer the one that was opened */
    CLAWH5_E_TIMEOUT = -12,
    CLAWH5_E_CANCELLED = -13,
    CLAWH5_E_LIMIT = -14,       /* a limit of the options was reached */
    CLAWH5_E_FORK = -15,        /* called in a forked child */
    CLAWH5_E_INTERNAL = -16     /* a bug in this library */
};

/* What went wrong. Texts end with NUL and are cut if they are too long. */
typedef struct clawh5_error {
    clawh5_status status;
    int32_t http_status;  /* of the last response, 0 if none */
    int64_t offset;       /* byte in the file, -1 if unknown */
    char structure[64];   /* title in the HDF5 File Format Specification */
    char path[256];       /* object path */
    char message[1024];   /* the whole error as text */
} clawh5_error;

/* clawh5_abi_version returns the CLAWH5_ABI_VERSION of the loaded library. */
CLAWH5_API int32_t clawh5_abi_version(void);

/* clawh5_version returns the version of the library, "1.2.3"; a static text. */
CLAWH5_API const char *clawh5_version(void);

/* clawh5_status_text returns a short static text for a status. */
CLAWH5_API const char *clawh5_status_text(clawh5_status status);

/* ------------------------------------------------------------------ files */

typedef struct clawh5_open_options {
    size_t struct_size;
    uint64_t block_size;      /* metadata block, bytes; default 64 KiB, growing with read-ahead */
    uint64_t first_block;     /* bytes fetched at open from a remote store */
    uint64_t cache_bytes;     /* block cache; default 64 MiB */
    uint64_t chunk_cache_bytes; /* decoded chunks; default 64 MiB */
    uint64_t memory_budget;   /* bytes a read may use beyond its destination; default 64 MiB */
    uint32_t max_requests;    /* requests under way at once; default 16 */
    uint32_t max_retries;     /* of one request; default 5 */
    uint32_t timeout_ms;      /* of one request with its retries; default 60,000 */
    uint32_t workers;         /* decoding threads of a read; default one a core */
    uint32_t flags;           /* CLAWH5_OPEN_... */
    uint32_t max_chunk_mib;   /* largest decoded chunk, MiB; default 4,096 */
    uint64_t max_download;    /* bytes, with CLAWH5_OPEN_FULL_DOWNLOAD; default 256 MiB */
    const char *const *headers; /* HTTP headers "Name: value", NULL-terminated list; NULL for none */
    const char *expect_identity; /* CLAWH5_E_CHANGED unless the file has this identity */
    uint64_t virtual_printf_gap; /* missing sources in a row that do not end a virtual dataset; default 0 */
    uint32_t virtual_view;    /* CLAWH5_VIEW_... */
    const char *driver;       /* how the file is kept, see clawh5_open; NULL: found out */
    uint64_t revision;        /* with driver "onion": 0 the original, 1, 2, ..., UINT64_MAX the newest */
} clawh5_open_options;

/* How far a virtual dataset with an unlimited dimension goes. */
enum {
    CLAWH5_VIEW_LAST_AVAILABLE = 1, /* to the end of the source that reaches farthest; 0, the default, too */
    CLAWH5_VIEW_FIRST_MISSING = 2   /* to where the first source ends */
};

/* A file can lead to others: by external links and references, as sources of
 * virtual datasets, as external raw files. Those in its directory or below are
 * opened, unless a flag says otherwise. Schemes and hosts are never crossed. */
enum {
    CLAWH5_OPEN_FULL_DOWNLOAD = 1,     /* download whole if the server has no byte ranges */
    CLAWH5_OPEN_EXTERNAL_LINKS = 2,    /* without effect: those in the directory or below are opened anyway */
    CLAWH5_OPEN_EXTERNAL_ANYWHERE = 4, /* those anywhere under the same scheme and host are opened */
    CLAWH5_OPEN_NO_EXTERNAL = 8        /* none is opened */
};

/* clawh5_open opens a path, a file:// or an http(s):// URL. options may be NULL.
 * The first block is fetched and the superblock checked.
 *
 * A file that HDF5's family, split or multi driver keeps in several ones is
 * opened by the name of the first of them ("x00000.h5", "x-m.h5", "x-s.h5"), or
 * by what libhdf5 takes: the printf pattern of a family ("x%05d.h5"), what the
 * names begin with ("x"). The driver is "family", "split", "multi", or "sec2"
 * for a file that is kept as one; where it is NULL and the name alone leads to
 * nothing, those are tried. Revisions, which HDF5's onion driver keeps in a file
 * beside the original ("x.h5.onion"), must be asked for: driver "onion". */
CLAWH5_API clawh5_status clawh5_open(const char *location, const clawh5_open_options *options,
                                     clawh5_id *file, clawh5_error *err);

/* clawh5_open_start starts clawh5_open; the result is the file handle. */
CLAWH5_API clawh5_status clawh5_open_start(const char *location, const clawh5_open_options *options,
                                           clawh5_id *op, clawh5_error *err);

/* clawh5_open_memory opens the image of a file in memory. The bytes are copied. */
CLAWH5_API clawh5_status clawh5_open_memory(const void *image, size_t size, const clawh5_open_options *options,
                                            clawh5_id *file, clawh5_error *err);

/* clawh5_close closes a file, an object or a datatype. Reads under way on it finish. */
CLAWH5_API clawh5_status clawh5_close(clawh5_id id, clawh5_error *err);

/* clawh5_open_handles returns how many handles (files, objects, datatypes,
 * operations) are open; CLAWH5_E_FORK in a forked child. */
CLAWH5_API int64_t clawh5_open_handles(void);

/* clawh5_file_info describes an open file as JSON:
 *   {"location", "identity", "size", "remote",
 *    "path" (of a local file that is kept as one),
 *    "members": locations (of a file kept in several ones; size is that of all),
 *    "warnings": texts (if there are any: the file was not closed by its writer,
 *      or a member is missing; what is read is right, what is missing is an
 *      error when it is asked for),
 *    "superblock": {"version", "base", "size_of_offsets", "size_of_lengths", "eof"}}
 * See clawh5_describe for buf, size and len. */
CLAWH5_API clawh5_status clawh5_file_info(clawh5_id file, char *buf, size_t size, size_t *len, clawh5_error *err);

/* clawh5_stats gives the counters of a file since it was opened, as JSON:
 *   {"requests", "rounds", "bytes_fetched", "bytes_asked", "retries", "block_hits",
 *    "block_misses", "chunks_decoded", "chunk_hits", "chunk_misses", "seconds_waiting", "seconds_decoding"}
 * Those of the sources of its virtual datasets and of external raw files are included. */
CLAWH5_API clawh5_status clawh5_stats(clawh5_id file, char *buf, size_t size, size_t *len, clawh5_error *err);

/* ---------------------------------------------------------------- objects */

/* clawh5_object_open resolves a path from a file (its root group) or an object,
 * following soft links and, if allowed, external links. "/" and "." are loc's
 * root and loc itself. */
CLAWH5_API clawh5_status clawh5_object_open(clawh5_id loc, const char *path, clawh5_id *object, clawh5_error *err);

/* clawh5_object_open_address opens the object whose header lies at an address
 * that a description or an object reference has given. */
CLAWH5_API clawh5_status clawh5_object_open_address(clawh5_id file, uint64_t address, clawh5_id *object,
                                                    clawh5_error *err);

/* clawh5_object_file gives a handle of the file that an object lies in: for one
 * that an external link or a reference to another file has led to, that other
 * file. */
CLAWH5_API clawh5_status clawh5_object_file(clawh5_id object, clawh5_id *file, clawh5_error *err);

/* What a description holds. */
enum {
    CLAWH5_DESCRIBE_LINKS = 1,      /* of a group: its links, in the order of ORDER */
    CLAWH5_DESCRIBE_ATTRIBUTES = 2, /* names, datatypes, dataspaces */
    CLAWH5_DESCRIBE_VALUES = 4,     /* and values of attributes */
    CLAWH5_DESCRIBE_CHILDREN = 8,   /* of a group: descriptions of the objects its hard links lead to */
    CLAWH5_DESCRIBE_TREE = 16,      /* CHILDREN, of all groups below; each object once */
    CLAWH5_DESCRIBE_CREATION_ORDER = 32 /* links and attributes by creation order where the file tracks it */
};

/*
 * clawh5_describe describes the object at path below loc completely, in one
 * call. The text is JSON:
 *
 *   {"types": [TYPE, ...], "objects": [OBJECT, ...]}
 *
 * The first OBJECT is the one asked for; with CHILDREN or TREE the others
 * follow. "type" members of objects and attributes are indices into "types".
 *
 *   OBJECT {"kind": "group" | "dataset" | "datatype", "address", "name": path below loc ("" for the object itself),
 *     "file": location of the file that the object lies in, if that is another than the one that was opened,
 *     "refcount", "mtime" (seconds or absent), "comment" (or absent), "error": text, if this object could not
 *       be read (then only kind, address, name are there, kind may be "unknown")
 *     group:    "nlinks", "links_tracked", "links_indexed" (creation order),
 *               "links": [{"name", "kind": "hard" | "soft" | "external" | "user", "address" (hard),
 *                          "target" (soft, external), "file" (external), "cset": "ascii" | "utf8"}]
 *     dataset:  "type", "space", "shape", "maxshape" (null: unlimited), "layout": LAYOUT,
 *               "filters": [{"id", "name", "optional": bool, "params": [...]}],
 *               "fill": {"state": "default" | "defined" | "undefined", "alloc", "time", "value": base64,
 *                        "heap": base64 (variable-length) or "error": text, if the value cannot be read}
 *     datatype: "type"
 *     all:      "nattributes", "attributes_tracked",
 *               "attributes": [{"name", "cset", "type", "space", "shape", "value": DATA}] (of one that cannot
 *                              be decoded only "name", "cset", "error"),
 *               "attributes_error": text, if not even the names can be read}
 *   "space": "scalar" | "simple" | "null"
 *   LAYOUT {"class": "compact" | "contiguous" | "chunked" | "virtual"
 *     contiguous: "offset": byte in the file, null if never written; "external": bool,
 *                 "external_files": [[name, offset, size (2^64-1: to the end)], ...] (raw data in other files)
 *     chunked:    "chunks": [...], "index": "btree_v1" | "single" | "implicit" | "fixed_array" |
 *                 "extensible_array" | "btree_v2"
 *     virtual:    "nmappings", and in the first OBJECT
 *                 "mappings": [{"file", "dataset", "virtual": SELECTION, "source": SELECTION}, ...] ("file" "."
 *                 is the dataset's own, "%b" stands for the number of a block)}
 *   SELECTION is as clawh5_region has it, and has a "rank" (0 for all and none); a count or block without limit
 *     is 2^64-1.
 *   DATA {"data": base64 of the elements, "heap": base64, if there is variable-length data}, laid out as
 *     clawh5_read does, or {"error": text}
 *   TYPE {"class", "size": bytes of one element in memory, "committed": address (or absent), ...}
 *     integer, bitfield, time: "order": "le" | "be", "signed" (integer), "precision", "bit_offset", "low_pad",
 *                "high_pad"
 *     float:     "order": "le" | "be" | "vax", "precision", "bit_offset", "low_pad", "high_pad", "sign",
 *                "exponent": [location, size], "mantissa": [location, size], "bias",
 *                "normalization": "none" | "msb" | "implied", "internal_pad"
 *     string:    "variable": bool, "pad": "nullterm" | "nullpad" | "spacepad", "cset"
 *     opaque:    "tag"
 *     compound:  "members": [{"name", "offset" (in memory), "type": TYPE}]
 *     enum:      "base": TYPE, "names": [...], "values": [integers]
 *     array:     "dims": [...], "base": TYPE          vlen, complex: "base": TYPE
 *     reference: "kind": "object" | "region" | "object2" | "region2" | "attribute"
 *
 * Bytes of names that are not UTF-8 appear as \udc80 to \udcff (Python's
 * "surrogateescape").
 *
 * buf receives the text and a NUL. *len is set to its length without the NUL,
 * also with CLAWH5_E_SPACE, when buf is too small. buf may be NULL if size is 0,
 * and len may be NULL. A text that did not fit is kept until the same is asked
 * for again with a larger buffer: it is not made twice.
 */
CLAWH5_API clawh5_status clawh5_describe(clawh5_id loc, const char *path, uint32_t flags, char *buf, size_t size,
                                         size_t *len, clawh5_error *err);

/* clawh5_object_describe is clawh5_object_open and clawh5_describe in one call:
 * *object is set also when the result is CLAWH5_E_SPACE; then clawh5_describe
 * of the same loc, path and flags gives the text. */
CLAWH5_API clawh5_status clawh5_object_describe(clawh5_id loc, const char *path, uint32_t flags, clawh5_id *object,
                                                char *buf, size_t size, size_t *len, clawh5_error *err);

/* clawh5_describe_start starts clawh5_object_describe; the results are the
 * object handle and the text. */
CLAWH5_API clawh5_status clawh5_describe_start(clawh5_id loc, const char *path, uint32_t flags, clawh5_id *op,
                                               clawh5_error *err);

/* clawh5_link describes one link of a group, without following it, as a JSON
 * object like those of "links" above. The group is not listed. */
CLAWH5_API clawh5_status clawh5_link(clawh5_id loc, const char *path, char *buf, size_t size, size_t *len,
                                     clawh5_error *err);

/* clawh5_region tells where a dataset region reference leads. ref is the element
 * as it was read (12 bytes where addresses have 8). The text is JSON:
 *   {"address": of the dataset's header,
 *    "selection": {"kind": "all" | "none" | "points" | "hyperslab" | "blocks",
 *      "points": coordinates one behind the other,
 *      "start", "stride", "count", "block": [...] (hyperslab),
 *      "blocks": first and last corner of each block, one behind the other}}
 * A null reference is CLAWH5_E_NOT_FOUND. */
CLAWH5_API clawh5_status clawh5_region(clawh5_id file, const void *ref, size_t ref_size, char *buf,
                                       size_t size, size_t *len, clawh5_error *err);

/* clawh5_reference tells what an element of a reference datatype says, of either
 * generation. In memory a reference is what it is in the file, whatever the
 * memory type: 8 bytes (to an object) or 12 (to a region) of the older kinds, 18
 * of those of HDF5 1.12 (H5R_ref_t), where addresses have 8. Those to regions, to
 * attributes and into other files refer to the global heap of their file, from
 * where this call fetches the rest. file is the file, or any object of it, that
 * the element was read from. The text is JSON:
 *   {"kind": "object" | "region" | "object2" | "region2" | "attribute" (of this
 *      element; the datatype of the newer references is of kind "object2"
 *      whatever its elements are),
 *    "null": true, if it leads nowhere; then nothing else is there,
 *    "address": of the object's header, "file": name of the file it lies in (if another one),
 *    "selection" (regions): as clawh5_region has it, "attribute": name (attributes)} */
CLAWH5_API clawh5_status clawh5_reference(clawh5_id file, const void *ref, size_t ref_size, char *buf,
                                          size_t size, size_t *len, clawh5_error *err);

/* clawh5_reference_open opens the object that a reference leads to (the dataset
 * of a region, the owner of an attribute), in another file too if the options
 * allow it; CLAWH5_E_NOT_FOUND if the reference is null. */
CLAWH5_API clawh5_status clawh5_reference_open(clawh5_id file, const void *ref, size_t ref_size, clawh5_id *object,
                                               clawh5_error *err);

/* clawh5_attribute describes one attribute of an object with its value:
 *   {"types": [...], "objects": [], "attribute": {...}} */
CLAWH5_API clawh5_status clawh5_attribute(clawh5_id object, const char *name, char *buf, size_t size, size_t *len,
                                          clawh5_error *err);

/* clawh5_attribute_read reads the value of an attribute without variable-length
 * data into dst, whose size must be exact. memory_type as in clawh5_read. */
CLAWH5_API clawh5_status clawh5_attribute_read(clawh5_id object, const char *name, int32_t memory_type, void *dst,
                                               size_t size, clawh5_error *err);

/* ------------------------------------- questions about objects, for C */

enum { /* classes, numbered as in the specification */
    CLAWH5_CLASS_INTEGER = 0, CLAWH5_CLASS_FLOAT = 1, CLAWH5_CLASS_TIME = 2, CLAWH5_CLASS_STRING = 3,
    CLAWH5_CLASS_BITFIELD = 4, CLAWH5_CLASS_OPAQUE = 5, CLAWH5_CLASS_COMPOUND = 6, CLAWH5_CLASS_REFERENCE = 7,
    CLAWH5_CLASS_ENUM = 8, CLAWH5_CLASS_VLEN = 9, CLAWH5_CLASS_ARRAY = 10, CLAWH5_CLASS_COMPLEX = 11
};

enum { CLAWH5_GROUP = 1, CLAWH5_DATASET = 2, CLAWH5_DATATYPE = 3 };

#define CLAWH5_MAX_RANK 32
#define CLAWH5_UNLIMITED UINT64_MAX

/* clawh5_object_kind tells what an object is: CLAWH5_GROUP, ... */
CLAWH5_API clawh5_status clawh5_object_kind(clawh5_id object, int32_t *kind, clawh5_error *err);

/* clawh5_object_address gives the address of the object's header. */
CLAWH5_API clawh5_status clawh5_object_address(clawh5_id object, uint64_t *address, clawh5_error *err);

/* clawh5_group_count gives the number of links of a group. */
CLAWH5_API clawh5_status clawh5_group_count(clawh5_id group, uint64_t *count, clawh5_error *err);

/* clawh5_group_names writes the names of all links in name order, each with its
 * NUL, one behind the other; buf, size and len as in clawh5_describe, len being
 * the bytes of all names with their NULs. */
CLAWH5_API clawh5_status clawh5_group_names(clawh5_id group, char *buf, size_t size, size_t *len, clawh5_error *err);

/* clawh5_dataset_shape gives rank, dimensions and maximum dimensions (either
 * may be NULL; room for CLAWH5_MAX_RANK). A scalar has rank 0, a null
 * dataspace rank -1. */
CLAWH5_API clawh5_status clawh5_dataset_shape(clawh5_id dataset, int32_t *rank, uint64_t *dims, uint64_t *max_dims,
                                              clawh5_error *err);

typedef struct clawh5_type_info {
    size_t struct_size;
    int32_t type_class;      /* CLAWH5_CLASS_... */
    int32_t big_endian;
    int32_t is_signed;       /* integers */
    int32_t variable;        /* element holds variable-length data at some depth */
    uint64_t size;           /* bytes of one element in memory */
    uint64_t file_size;      /* and in the file */
} clawh5_type_info;

/* clawh5_dataset_type describes the element datatype of a dataset. */
CLAWH5_API clawh5_status clawh5_dataset_type(clawh5_id dataset, clawh5_type_info *info, clawh5_error *err);

/* -------------------------------------------------------------- datatypes
 *
 * A datatype has a handle, which clawh5_close closes. A handle is a datatype of
 * its own, whatever it was made from: changing it changes no other and no file.
 * What libhdf5's H5T functions refuse is CLAWH5_E_TYPE here.
 *
 *   H5Dget_type, H5Aget_type, H5Topen2    clawh5_dataset_datatype, clawh5_attribute_datatype,
 *                                         clawh5_datatype_open
 *   H5T_STD_I32BE, H5T_NATIVE_INT, ...    clawh5_datatype_predefined
 *   H5Tcreate, H5Tarray_create2           clawh5_datatype_create, clawh5_datatype_array_create
 *   H5Tcopy, H5Tget_super, H5Tpack,       clawh5_datatype_derive
 *   H5Tget_native_type, H5Tenum_create,
 *   H5Tvlen_create, H5Tcomplex_create
 *   H5Tget_..., H5Tset_... of a number    clawh5_datatype_get, clawh5_datatype_set,
 *                                         clawh5_datatype_set_fields
 *   H5Tget_tag, H5Tset_tag                clawh5_datatype_tag, clawh5_datatype_set_tag
 *   H5Tget_member_..., H5Tinsert,         clawh5_datatype_member, clawh5_datatype_member_...,
 *   H5Tenum_insert                        clawh5_datatype_insert, clawh5_datatype_enum_insert
 *   H5Tenum_nameof, H5Tenum_valueof       clawh5_datatype_nameof, clawh5_datatype_valueof
 *   H5Tget_array_dims2                    clawh5_datatype_array_dims
 *   H5Tequal, H5Tdetect_class             clawh5_datatype_equal, clawh5_datatype_detect_class
 *   H5Tconvert                            clawh5_datatype_convert
 *   H5Tencode, H5Tdecode                  clawh5_datatype_encode, clawh5_datatype_decode
 *   H5LTdtype_to_text, H5LTtext_to_dtype  clawh5_dtype_to_text, clawh5_text_to_dtype
 *
 * Two fields of a compound, as doubles (see clawh5_read_as):
 *
 *   struct { double x, y; } points[100];
 *   clawh5_id pair;
 *   clawh5_text_to_dtype("H5T_COMPOUND { H5T_NATIVE_DOUBLE \"x\"; H5T_NATIVE_DOUBLE \"y\"; }", &pair, &err);
 *   clawh5_read_as(dataset, NULL, pair, points, sizeof points, &err);
 *   clawh5_close(pair, NULL);
 */

/* clawh5_dataset_datatype gives the datatype of the elements in the file. */
CLAWH5_API clawh5_status clawh5_dataset_datatype(clawh5_id dataset, clawh5_id *type, clawh5_error *err);

/* clawh5_attribute_datatype gives the datatype of an attribute in the file. */
CLAWH5_API clawh5_status clawh5_attribute_datatype(clawh5_id object, const char *name, clawh5_id *type,
                                                   clawh5_error *err);

/* clawh5_datatype_open gives the committed datatype at a path, or the datatype of
 * the dataset there; CLAWH5_E_TYPE if it is a group. */
CLAWH5_API clawh5_status clawh5_datatype_open(clawh5_id loc, const char *path, clawh5_id *type, clawh5_error *err);

/* clawh5_datatype_predefined gives the datatype that HDF5 has under a name,
 * "H5T_STD_I32BE", "H5T_NATIVE_DOUBLE", "H5T_C_S1"; CLAWH5_E_NOT_FOUND if there
 * is none. */
CLAWH5_API clawh5_status clawh5_datatype_predefined(const char *name, clawh5_id *type, clawh5_error *err);

#define CLAWH5_VARIABLE UINT64_MAX

/* clawh5_datatype_create makes a compound without members, an opaque type, or a
 * string, of a size in bytes; a string of CLAWH5_VARIABLE bytes is of variable
 * length. Numbers are made by changing predefined ones, other types from others;
 * asked for here, they are CLAWH5_E_HANDLE. */
CLAWH5_API clawh5_status clawh5_datatype_create(int32_t type_class, uint64_t size, clawh5_id *type, clawh5_error *err);

enum { /* what clawh5_datatype_derive makes of a datatype */
    CLAWH5_TYPE_COPY = 0,    /* H5Tcopy */
    CLAWH5_TYPE_SUPER = 1,   /* H5Tget_super: what an enumeration, array, sequence or complex type is made of */
    CLAWH5_TYPE_NATIVE = 2,  /* H5Tget_native_type: this machine's numbers, compounds laid out as C's structs */
    CLAWH5_TYPE_PACKED = 3,  /* H5Tpack: no gaps in compounds */
    CLAWH5_TYPE_ENUM = 4,    /* H5Tenum_create, of an integer */
    CLAWH5_TYPE_VLEN = 5,    /* H5Tvlen_create */
    CLAWH5_TYPE_COMPLEX = 6, /* H5Tcomplex_create, of a float */
    /* Elements of variable length take 16 bytes in this library's memory,
     * references what they take in the file. These have the sizes that libhdf5
     * tells instead: 8 for a string of variable length, 64 for H5T_STD_REF. They
     * are for answers that must be equal, not for reading. */
    CLAWH5_TYPE_LIBRARY = 7,       /* a copy with those sizes */
    CLAWH5_TYPE_NATIVE_LIBRARY = 8 /* CLAWH5_TYPE_NATIVE with those sizes */
};

/* clawh5_datatype_derive makes a datatype from another. */
CLAWH5_API clawh5_status clawh5_datatype_derive(clawh5_id base, int32_t how, clawh5_id *type, clawh5_error *err);

/* clawh5_datatype_array_create makes the type of arrays of 1 to CLAWH5_MAX_RANK
 * dimensions, none of which is 0. */
CLAWH5_API clawh5_status clawh5_datatype_array_create(clawh5_id base, int32_t rank, const uint64_t *dims,
                                                      clawh5_id *type, clawh5_error *err);

enum { /* properties; the comment names the H5T function, * means that it can be set */
    CLAWH5_TYPE_CLASS = 0,      /* H5Tget_class: CLAWH5_CLASS_... */
    CLAWH5_TYPE_SIZE = 1,       /* H5Tget_size *: bytes; of a type that a file gave, in that file */
    CLAWH5_TYPE_ORDER = 2,      /* H5Tget_order *: 0 little-endian, 1 big-endian, 2 VAX, 3 mixed (compounds), 4 none */
    CLAWH5_TYPE_PRECISION = 3,  /* H5Tget_precision *: bits */
    CLAWH5_TYPE_OFFSET = 4,     /* H5Tget_offset *: bits below the first significant one */
    CLAWH5_TYPE_LSB_PAD = 5,    /* H5Tget_pad *: 0 zeros, 1 ones */
    CLAWH5_TYPE_MSB_PAD = 6,    /* H5Tget_pad * */
    CLAWH5_TYPE_SIGN = 7,       /* H5Tget_sign *: 0 unsigned, 1 two's complement */
    CLAWH5_TYPE_SPOS = 8,       /* H5Tget_fields, set by clawh5_datatype_set_fields: bits */
    CLAWH5_TYPE_EPOS = 9,
    CLAWH5_TYPE_ESIZE = 10,
    CLAWH5_TYPE_MPOS = 11,
    CLAWH5_TYPE_MSIZE = 12,
    CLAWH5_TYPE_EBIAS = 13,     /* H5Tget_ebias * */
    CLAWH5_TYPE_NORM = 14,      /* H5Tget_norm *: 0 implied, 1 msb set, 2 none */
    CLAWH5_TYPE_INPAD = 15,     /* H5Tget_inpad *: 0 zeros, 1 ones */
    CLAWH5_TYPE_CSET = 16,      /* H5Tget_cset *: 0 ASCII, 1 UTF-8 */
    CLAWH5_TYPE_STRPAD = 17,    /* H5Tget_strpad *: 0 null-terminated, 1 null-padded, 2 space-padded */
    CLAWH5_TYPE_NMEMBERS = 18,  /* H5Tget_nmembers, of compounds and enumerations */
    CLAWH5_TYPE_NDIMS = 19,     /* H5Tget_array_ndims */
    CLAWH5_TYPE_IS_VARIABLE_STR = 20, /* H5Tis_variable_str */
    CLAWH5_TYPE_HAS_VARIABLE = 21,    /* elements have variable-length data at some depth */
    CLAWH5_TYPE_REFERENCE_KIND = 22,  /* 0 object, 1 region; of HDF5 1.12: 2 object, 3 region, 4 attribute */
    CLAWH5_TYPE_COMMITTED = 23,       /* H5Tcommitted */
    CLAWH5_TYPE_ADDRESS = 24          /* of the committed datatype's header */
};

/* clawh5_datatype_get gives a property; CLAWH5_E_TYPE where the class has none.
 * Arrays, sequences, enumerations and complex types answer for the number that
 * they are made of. */
CLAWH5_API clawh5_status clawh5_datatype_get(clawh5_id type, int32_t property, uint64_t *value, clawh5_error *err);

/* clawh5_datatype_set changes a property as H5Tset_... does: others follow where
 * they must (a smaller size cuts the precision), and what does not fit is
 * CLAWH5_E_TYPE. */
CLAWH5_API clawh5_status clawh5_datatype_set(clawh5_id type, int32_t property, uint64_t value, clawh5_error *err);

/* clawh5_datatype_set_fields moves sign, exponent and mantissa of a float, all at
 * once: bits from the least significant one, and how many. */
CLAWH5_API clawh5_status clawh5_datatype_set_fields(clawh5_id type, uint64_t spos, uint64_t epos, uint64_t esize,
                                                    uint64_t mpos, uint64_t msize, clawh5_error *err);

/* clawh5_datatype_tag gives the tag of an opaque type; buf, size and len of this
 * and other texts are as in clawh5_describe. */
CLAWH5_API clawh5_status clawh5_datatype_tag(clawh5_id type, char *buf, size_t size, size_t *len, clawh5_error *err);

/* clawh5_datatype_set_tag changes it. */
CLAWH5_API clawh5_status clawh5_datatype_set_tag(clawh5_id type, const char *tag, clawh5_error *err);

/* clawh5_datatype_name gives the name of the predefined number, bitfield, time,
 * reference or complex type that a type equals; CLAWH5_E_NOT_FOUND if there is
 * none. */
CLAWH5_API clawh5_status clawh5_datatype_name(clawh5_id type, char *buf, size_t size, size_t *len, clawh5_error *err);

/* Members of compounds and enumerations are counted from 0, and are
 * CLAWH5_E_NOT_FOUND beyond the last one. clawh5_datatype_member_name gives the
 * name of one. */
CLAWH5_API clawh5_status clawh5_datatype_member_name(clawh5_id type, uint32_t i, char *buf, size_t size, size_t *len,
                                                     clawh5_error *err);

/* clawh5_datatype_member gives offset and datatype of a member of a compound
 * (either may be NULL). */
CLAWH5_API clawh5_status clawh5_datatype_member(clawh5_id type, uint32_t i, uint64_t *offset, clawh5_id *member,
                                                clawh5_error *err);

/* clawh5_datatype_member_value gives the value of a member of an enumeration, an
 * element of it: size is at least CLAWH5_TYPE_SIZE, here and in what follows. */
CLAWH5_API clawh5_status clawh5_datatype_member_value(clawh5_id type, uint32_t i, void *value, size_t size,
                                                      clawh5_error *err);

/* clawh5_datatype_member_index finds a member by name; CLAWH5_E_NOT_FOUND if there
 * is none. */
CLAWH5_API clawh5_status clawh5_datatype_member_index(clawh5_id type, const char *name, uint32_t *index,
                                                      clawh5_error *err);

/* clawh5_datatype_nameof gives the name of a value, an element of an enumeration;
 * CLAWH5_E_NOT_FOUND if it has none. */
CLAWH5_API clawh5_status clawh5_datatype_nameof(clawh5_id type, const void *value, size_t value_size, char *buf,
                                                size_t size, size_t *len, clawh5_error *err);

/* clawh5_datatype_valueof gives the value of a name of an enumeration;
 * CLAWH5_E_NOT_FOUND if it has no such name. */
CLAWH5_API clawh5_status clawh5_datatype_valueof(clawh5_id type, const char *name, void *value, size_t size,
                                                 clawh5_error *err);

/* clawh5_datatype_array_dims gives rank and dimensions of an array (either may be
 * NULL; room for CLAWH5_MAX_RANK). */
CLAWH5_API clawh5_status clawh5_datatype_array_dims(clawh5_id type, int32_t *rank, uint64_t *dims, clawh5_error *err);

/* clawh5_datatype_insert adds a member to a compound at an offset in bytes. Members
 * do not overlap, lie within the compound and have different names. */
CLAWH5_API clawh5_status clawh5_datatype_insert(clawh5_id type, const char *name, uint64_t offset, clawh5_id member,
                                                clawh5_error *err);

/* clawh5_datatype_enum_insert adds a member to an enumeration; the value is an
 * element of the base type, and size exactly its size. */
CLAWH5_API clawh5_status clawh5_datatype_enum_insert(clawh5_id type, const char *name, const void *value, size_t size,
                                                     clawh5_error *err);

/* clawh5_datatype_equal tells whether two types are equal (1) or not (0). */
CLAWH5_API clawh5_status clawh5_datatype_equal(clawh5_id a, clawh5_id b, int32_t *equal, clawh5_error *err);

/* clawh5_datatype_detect_class tells whether a type is of a class or holds one, at
 * any depth (1), or not (0). */
CLAWH5_API clawh5_status clawh5_datatype_detect_class(clawh5_id type, int32_t type_class, int32_t *found,
                                                      clawh5_error *err);

/* clawh5_datatype_convert converts n elements from one buffer to another, which do
 * not overlap, by the rules of clawh5_read_as. Sizes are at least those of n
 * elements. CLAWH5_E_TYPE if there is no conversion, or the types have
 * variable-length data. */
CLAWH5_API clawh5_status clawh5_datatype_convert(clawh5_id from, clawh5_id to, uint64_t n, const void *src,
                                                 size_t src_size, void *dst, size_t dst_size, clawh5_error *err);

/* clawh5_datatype_encode writes a type as libhdf5's H5Tdecode reads it. *len (may be
 * NULL) is set to the bytes that are needed, also with CLAWH5_E_SPACE. */
CLAWH5_API clawh5_status clawh5_datatype_encode(clawh5_id type, void *buf, size_t size, size_t *len, clawh5_error *err);

/* clawh5_datatype_decode reads what clawh5_datatype_encode or H5Tencode wrote. */
CLAWH5_API clawh5_status clawh5_datatype_decode(const void *encoded, size_t size, clawh5_id *type, clawh5_error *err);

/* clawh5_datatype_describe gives the whole datatype as JSON, the TYPE of
 * clawh5_describe. */
CLAWH5_API clawh5_status clawh5_datatype_describe(clawh5_id type, char *buf, size_t size, size_t *len,
                                                  clawh5_error *err);

/* clawh5_dtype_to_text writes a type in HDF5's data description language,
 * "H5T_COMPOUND { H5T_STD_I32LE \"a\" : 0; }". What H5LT cannot express is in
 * h5dump's words, so that every type has a text that gives an equal type. */
CLAWH5_API clawh5_status clawh5_dtype_to_text(clawh5_id type, char *buf, size_t size, size_t *len, clawh5_error *err);

/* clawh5_text_to_dtype reads a type from text; the message of the error in a wrong
 * one (CLAWH5_E_TYPE) tells line and column. */
CLAWH5_API clawh5_status clawh5_text_to_dtype(const char *text, clawh5_id *type, clawh5_error *err);

/* ---------------------------------------------------------------- reading */

/* A selection of elements. NULL, where one is asked for, selects all. */
typedef struct clawh5_selection {
    size_t struct_size;
    int32_t kind;
    int32_t rank;            /* must be the dataset's */
    /* HYPERSLAB: start, stride, count, block of every dimension, as in
     * H5Sselect_hyperslab; stride and block may be NULL (all 1). The result has
     * the shape count * block. */
    const uint64_t *start, *stride, *count, *block;
    /* POINTS: npoints coordinates of rank numbers each. The result has the shape
     * (npoints).
     * ORTHOGONAL: start, stride, count, block as above, and for each dimension d
     * with nindex[d] > 0 the nindex[d] strictly increasing positions index[d]
     * instead. */
    uint64_t npoints;
    const uint64_t *points;
    const uint64_t *nindex;
    const uint64_t *const *index;
} clawh5_selection;

enum { CLAWH5_SELECT_ALL = 0, CLAWH5_SELECT_NONE = 1, CLAWH5_SELECT_HYPERSLAB = 2, CLAWH5_SELECT_POINTS = 3,
       CLAWH5_SELECT_ORTHOGONAL = 4 };

/* Memory types: the datatype of the elements in dst. Numbers are in the machine's
 * byte order and converted by HDF5's rules: integers clip, fractions are cut. */
enum {
    CLAWH5_MEMORY_FILE = 0,   /* as in the file, byte order included */
    CLAWH5_MEMORY_NATIVE = 1, /* as in the file, in the machine's byte order */
    CLAWH5_MEMORY_INT8 = 2, CLAWH5_MEMORY_UINT8 = 3, CLAWH5_MEMORY_INT16 = 4, CLAWH5_MEMORY_UINT16 = 5,
    CLAWH5_MEMORY_INT32 = 6, CLAWH5_MEMORY_UINT32 = 7, CLAWH5_MEMORY_INT64 = 8, CLAWH5_MEMORY_UINT64 = 9,
    CLAWH5_MEMORY_FLOAT16 = 10, CLAWH5_MEMORY_FLOAT32 = 11, CLAWH5_MEMORY_FLOAT64 = 12
};

/*
 * clawh5_read reads the selected elements into dst, in the C order of the
 * selection. size is the exact number of bytes: elements * element size in
 * memory; anything else is CLAWH5_E_SPACE.
 *
 * A variable-length element (string or sequence) in memory is 16 bytes: two
 * uint64_t in the machine's byte order, offset and count. The data lies at that
 * offset of the operation's heap (clawh5_op_copy), count elements of it (bytes
 * of a string, without a terminating NUL). Variable-length data inside it is
 * laid out in the same way, in the same heap. Datatypes with such elements are
 * read with clawh5_read_start only; clawh5_read answers CLAWH5_E_TYPE.
 */
CLAWH5_API clawh5_status clawh5_read(clawh5_id dataset, const clawh5_selection *selection, int32_t memory_type,
                                     void *dst, size_t size, clawh5_error *err);

/* clawh5_read_slab is clawh5_read for a hyperslab with block 1, given as
 * start[rank], stride[rank], count[rank] in one array: the cheapest call for small
 * slices. */
CLAWH5_API clawh5_status clawh5_read_slab(clawh5_id dataset, int32_t rank, const uint64_t *start_stride_count,
                                          int32_t memory_type, void *dst, size_t size, clawh5_error *err);

/* clawh5_read_start starts clawh5_read. dst must stay until the operation is done. */
CLAWH5_API clawh5_status clawh5_read_start(clawh5_id dataset, const clawh5_selection *selection, int32_t memory_type,
                                           void *dst, size_t size, clawh5_id *op, clawh5_error *err);

/*
 * clawh5_read_as reads into a memory datatype of the caller's choice, a handle of a
 * datatype: predefined, made by calls or from a text, or derived from the
 * dataset's. size is elements * element size of the memory datatype. Conversion
 * follows H5Dread: integers clip, fractions are cut, enumerations map by name,
 * compounds by the names of their members, of which only those that both have are
 * converted. The bytes of dst that belong to no member, and those of members that
 * the file has not, stay as they are. CLAWH5_E_TYPE tells that there is no
 * conversion.
 *
 * Variable-length elements are as for clawh5_read: 16 bytes, whatever size the
 * datatype gives them, and members behind them move accordingly ("size" and
 * "offset" of clawh5_datatype_describe tell how); datatypes with them need
 * clawh5_read_as_start. The datatype may be closed or changed once the call has
 * returned.
 */
CLAWH5_API clawh5_status clawh5_read_as(clawh5_id dataset, const clawh5_selection *selection, clawh5_id memory,
                                        void *dst, size_t size, clawh5_error *err);

/* clawh5_read_as_start starts clawh5_read_as. dst must stay until the operation is done. */
CLAWH5_API clawh5_status clawh5_read_as_start(clawh5_id dataset, const clawh5_selection *selection, clawh5_id memory,
                                              void *dst, size_t size, clawh5_id *op, clawh5_error *err);

/* clawh5_attribute_read_as is clawh5_read_as for the value of an attribute. */
CLAWH5_API clawh5_status clawh5_attribute_read_as(clawh5_id object, const char *name, clawh5_id memory, void *dst,
                                                  size_t size, clawh5_error *err);

/* clawh5_attribute_read_as_start starts clawh5_attribute_read_as. */
CLAWH5_API clawh5_status clawh5_attribute_read_as_start(clawh5_id object, const char *name, clawh5_id memory,
                                                        void *dst, size_t size, clawh5_id *op, clawh5_error *err);

/* clawh5_plan tells what a read would do, as JSON, without fetching data (the
 * chunk index may be fetched):
 *   {"elements", "requests", "bytes": fetched by them,
 *    "parts": [{"file", "dataset" (of a source of a virtual dataset),
 *      "layout", "boxes": chunks or pieces touched, "stored",
 *      "held": in memory already, "decode": chunks to decode,
 *      "requests", "bytes", "wanted": bytes that are used}]} */
CLAWH5_API clawh5_status clawh5_plan(clawh5_id dataset, const clawh5_selection *selection, char *buf, size_t size,
                                     size_t *len, clawh5_error *err);

/* clawh5_chunks lists the allocated chunks of a dataset as JSON, in C order of their coordinates:
 *   {"chunks": [[offset in the file, stored bytes, filter mask, start of dimension 0, 1, ...], ...]} */
CLAWH5_API clawh5_status clawh5_chunks(clawh5_id dataset, char *buf, size_t size, size_t *len, clawh5_error *err);

/* ------------------------------------------------------------- operations */

/* clawh5_op_wait waits at most timeout_ms (UINT32_MAX: without limit). *done
 * becomes 1 when the operation has ended; the return value is then its status,
 * and err its error. While it has not, *done is 0 and the return value CLAWH5_OK. */
CLAWH5_API clawh5_status clawh5_op_wait(clawh5_id op, uint32_t timeout_ms, int32_t *done, clawh5_error *err);

/* clawh5_op_progress tells how far an operation is: bytes of the destination
 * that are in place, of the total (0 while it is not known). */
CLAWH5_API clawh5_status clawh5_op_progress(clawh5_id op, uint64_t *done, uint64_t *total, clawh5_error *err);

/* clawh5_op_cancel asks an operation to end; wait for it as ever. */
CLAWH5_API clawh5_status clawh5_op_cancel(clawh5_id op, clawh5_error *err);

/* clawh5_op_result gives the handle that a finished open or describe made (0 if
 * none) and the bytes of its text or heap; either may be NULL. Once given, the
 * handle is the caller's to close; asked for again, it is the same. */
CLAWH5_API clawh5_status clawh5_op_result(clawh5_id op, clawh5_id *id, size_t *size, clawh5_error *err);

/* clawh5_op_copy copies the text (without NUL) of a finished describe, or the
 * heap of a finished read, into buf, whose size must be exact. */
CLAWH5_API clawh5_status clawh5_op_copy(clawh5_id op, void *buf, size_t size, clawh5_error *err);

/* clawh5_op_offsets gives the variable-length data of a finished read of a
 * dataset of strings or sequences in the manner of Arrow: element i is the bytes
 * offsets[i] to offsets[i+1] of what clawh5_op_copy copies. n must be the number
 * of elements + 1. The read's destination must still be there, unchanged.
 * CLAWH5_E_TYPE for other datatypes, and for sequences of variable-length data. */
CLAWH5_API clawh5_status clawh5_op_offsets(clawh5_id op, int64_t *offsets, size_t n, clawh5_error *err);

/* clawh5_op_free cancels the operation if need be, waits until it does not touch
 * its buffers any more, and frees it. */
CLAWH5_API clawh5_status clawh5_op_free(clawh5_id op, clawh5_error *err);

#ifdef __cplusplus
}
#endif

#endif
