/*
 * The public functions. Each refuses in a forked child and otherwise enters Go.
 *
 * A Go runtime does not survive fork(): the child has none of its threads, and
 * the first call that waits for one of them hangs for ever. So the child is
 * marked while it is still inside fork(), and no call gets past this file.
 */
#include "export.h"
#include "_cgo_export.h"

#include <pthread.h>
#include <string.h>

#pragma GCC diagnostic error "-Wall"
#pragma GCC diagnostic error "-Wextra"
#pragma GCC diagnostic error "-Wconversion"
#pragma GCC diagnostic error "-Wincompatible-pointer-types"
#pragma GCC diagnostic error "-Wdiscarded-qualifiers"

/* Written by the only thread of a new child, before fork() returns there. */
static int forked;

static void mark_child(void) { forked = 1; }

__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(NULL, NULL, mark_child); }

static const char *const status_texts[] = {
    "no error",
    "not an HDF5 file",
    "corrupt file",
    "not supported",
    "not found",
    "datatype does not allow it",
    "selection does not fit the dataspace",
    "buffer has the wrong size",
    "stale or wrong handle, or wrong argument",
    "permission denied",
    "store unavailable",
    "file changed since it was opened",
    "timed out",
    "cancelled",
    "limit reached",
    "called in a forked child",
    "internal error",
};

static clawh5_status refuse(clawh5_error *err) {
    static const char advice[] = "called in a forked child of the process that loaded the library: "
                                 "call exec, or load a private copy of the library";
    if (err != NULL) {
        memset(err, 0, sizeof *err);
        err->status = CLAWH5_E_FORK;
        err->offset = -1;
        memcpy(err->message, advice, sizeof advice);
    }
    return CLAWH5_E_FORK;
}

int32_t clawh5_abi_version(void) { return CLAWH5_ABI_VERSION; }

const char *clawh5_version(void) { return CLAWH5_VERSION; }

const char *clawh5_status_text(clawh5_status status) {
    const int64_t i = -(int64_t)status;
    if (i < 0 || i >= (int64_t)(sizeof status_texts / sizeof status_texts[0])) {
        return "unknown status";
    }
    return status_texts[i];
}

int64_t clawh5_open_handles(void) { return forked ? CLAWH5_E_FORK : goclawh5_open_handles(); }

/* cgo knows no pointer to const void: these exports take one to const unsigned char. */
clawh5_status clawh5_open_memory(const void *image, size_t size, const clawh5_open_options *options, clawh5_id *file,
                                 clawh5_error *err) {
    return forked ? refuse(err) : goclawh5_open_memory(image, size, options, file, err);
}

clawh5_status clawh5_region(clawh5_id file, const void *ref, size_t ref_size, char *buf, size_t size, size_t *len,
                            clawh5_error *err) {
    return forked ? refuse(err) : goclawh5_region(file, ref, ref_size, buf, size, len, err);
}

clawh5_status clawh5_reference(clawh5_id file, const void *ref, size_t ref_size, char *buf, size_t size, size_t *len,
                               clawh5_error *err) {
    return forked ? refuse(err) : goclawh5_reference(file, ref, ref_size, buf, size, len, err);
}

clawh5_status clawh5_reference_open(clawh5_id file, const void *ref, size_t ref_size, clawh5_id *object,
                                    clawh5_error *err) {
    return forked ? refuse(err) : goclawh5_reference_open(file, ref, ref_size, object, err);
}

clawh5_status clawh5_datatype_decode(const void *encoded, size_t size, clawh5_id *type, clawh5_error *err) {
    return forked ? refuse(err) : goclawh5_datatype_decode(encoded, size, type, err);
}

clawh5_status clawh5_datatype_enum_insert(clawh5_id type, const char *name, const void *value, size_t size,
                                          clawh5_error *err) {
    return forked ? refuse(err) : goclawh5_datatype_enum_insert(type, name, value, size, err);
}

clawh5_status clawh5_datatype_convert(clawh5_id from, clawh5_id to, uint64_t n, const void *src, size_t src_size, void *dst,
                                      size_t dst_size, clawh5_error *err) {
    return forked ? refuse(err) : goclawh5_datatype_convert(from, to, n, src, src_size, dst, dst_size, err);
}

clawh5_status clawh5_datatype_nameof(clawh5_id type, const void *value, size_t value_size, char *buf, size_t size,
                                     size_t *len, clawh5_error *err) {
    return forked ? refuse(err) : goclawh5_datatype_nameof(type, value, value_size, buf, size, len, err);
}

#define SHIM(name, params, args)                                                                                 \
    _Static_assert(__builtin_types_compatible_p(__typeof__(clawh5_##name), __typeof__(goclawh5_##name)),         \
                   "clawh5_" #name ": the header and the Go export differ");                                     \
    clawh5_status clawh5_##name params { return forked ? refuse(err) : goclawh5_##name args; }

SHIM(open, (const char *location, const clawh5_open_options *options, clawh5_id *file, clawh5_error *err),
     (location, options, file, err))
SHIM(open_start, (const char *location, const clawh5_open_options *options, clawh5_id *op, clawh5_error *err),
     (location, options, op, err))
SHIM(close, (clawh5_id id, clawh5_error *err), (id, err))
SHIM(file_info, (clawh5_id file, char *buf, size_t size, size_t *len, clawh5_error *err), (file, buf, size, len, err))
SHIM(stats, (clawh5_id file, char *buf, size_t size, size_t *len, clawh5_error *err), (file, buf, size, len, err))

SHIM(object_open, (clawh5_id loc, const char *path, clawh5_id *object, clawh5_error *err), (loc, path, object, err))
SHIM(object_open_address, (clawh5_id file, uint64_t address, clawh5_id *object, clawh5_error *err),
     (file, address, object, err))
SHIM(describe,
     (clawh5_id loc, const char *path, uint32_t flags, char *buf, size_t size, size_t *len, clawh5_error *err),
     (loc, path, flags, buf, size, len, err))
SHIM(object_describe,
     (clawh5_id loc, const char *path, uint32_t flags, clawh5_id *object, char *buf, size_t size, size_t *len,
      clawh5_error *err),
     (loc, path, flags, object, buf, size, len, err))
SHIM(describe_start, (clawh5_id loc, const char *path, uint32_t flags, clawh5_id *op, clawh5_error *err),
     (loc, path, flags, op, err))
SHIM(link, (clawh5_id loc, const char *path, char *buf, size_t size, size_t *len, clawh5_error *err),
     (loc, path, buf, size, len, err))
SHIM(attribute, (clawh5_id object, const char *name, char *buf, size_t size, size_t *len, clawh5_error *err),
     (object, name, buf, size, len, err))
SHIM(attribute_read,
     (clawh5_id object, const char *name, int32_t memory_type, void *dst, size_t size, clawh5_error *err),
     (object, name, memory_type, dst, size, err))

SHIM(object_file, (clawh5_id object, clawh5_id *file, clawh5_error *err), (object, file, err))
SHIM(object_kind, (clawh5_id object, int32_t *kind, clawh5_error *err), (object, kind, err))
SHIM(object_address, (clawh5_id object, uint64_t *address, clawh5_error *err), (object, address, err))
SHIM(group_count, (clawh5_id group, uint64_t *count, clawh5_error *err), (group, count, err))
SHIM(group_names, (clawh5_id group, char *buf, size_t size, size_t *len, clawh5_error *err),
     (group, buf, size, len, err))
SHIM(dataset_shape, (clawh5_id dataset, int32_t *rank, uint64_t *dims, uint64_t *max_dims, clawh5_error *err),
     (dataset, rank, dims, max_dims, err))
SHIM(dataset_type, (clawh5_id dataset, clawh5_type_info *info, clawh5_error *err), (dataset, info, err))

SHIM(dataset_datatype, (clawh5_id dataset, clawh5_id *type, clawh5_error *err), (dataset, type, err))
SHIM(attribute_datatype, (clawh5_id object, const char *name, clawh5_id *type, clawh5_error *err),
     (object, name, type, err))
SHIM(datatype_open, (clawh5_id loc, const char *path, clawh5_id *type, clawh5_error *err), (loc, path, type, err))
SHIM(datatype_predefined, (const char *name, clawh5_id *type, clawh5_error *err), (name, type, err))
SHIM(datatype_create, (int32_t type_class, uint64_t size, clawh5_id *type, clawh5_error *err),
     (type_class, size, type, err))
SHIM(datatype_derive, (clawh5_id base, int32_t how, clawh5_id *type, clawh5_error *err), (base, how, type, err))
SHIM(datatype_array_create, (clawh5_id base, int32_t rank, const uint64_t *dims, clawh5_id *type, clawh5_error *err),
     (base, rank, dims, type, err))
SHIM(datatype_get, (clawh5_id type, int32_t property, uint64_t *value, clawh5_error *err), (type, property, value, err))
SHIM(datatype_set, (clawh5_id type, int32_t property, uint64_t value, clawh5_error *err), (type, property, value, err))
SHIM(datatype_set_fields,
     (clawh5_id type, uint64_t spos, uint64_t epos, uint64_t esize, uint64_t mpos, uint64_t msize, clawh5_error *err),
     (type, spos, epos, esize, mpos, msize, err))
SHIM(datatype_tag, (clawh5_id type, char *buf, size_t size, size_t *len, clawh5_error *err), (type, buf, size, len, err))
SHIM(datatype_set_tag, (clawh5_id type, const char *tag, clawh5_error *err), (type, tag, err))
SHIM(datatype_name, (clawh5_id type, char *buf, size_t size, size_t *len, clawh5_error *err),
     (type, buf, size, len, err))
SHIM(datatype_member_name,
     (clawh5_id type, uint32_t i, char *buf, size_t size, size_t *len, clawh5_error *err),
     (type, i, buf, size, len, err))
SHIM(datatype_member, (clawh5_id type, uint32_t i, uint64_t *offset, clawh5_id *member, clawh5_error *err),
     (type, i, offset, member, err))
SHIM(datatype_member_value, (clawh5_id type, uint32_t i, void *value, size_t size, clawh5_error *err),
     (type, i, value, size, err))
SHIM(datatype_member_index, (clawh5_id type, const char *name, uint32_t *index, clawh5_error *err),
     (type, name, index, err))
SHIM(datatype_valueof, (clawh5_id type, const char *name, void *value, size_t size, clawh5_error *err),
     (type, name, value, size, err))
SHIM(datatype_array_dims, (clawh5_id type, int32_t *rank, uint64_t *dims, clawh5_error *err), (type, rank, dims, err))
SHIM(datatype_insert,
     (clawh5_id type, const char *name, uint64_t offset, clawh5_id member, clawh5_error *err),
     (type, name, offset, member, err))
SHIM(datatype_equal, (clawh5_id a, clawh5_id b, int32_t *equal, clawh5_error *err), (a, b, equal, err))
SHIM(datatype_detect_class, (clawh5_id type, int32_t type_class, int32_t *found, clawh5_error *err),
     (type, type_class, found, err))
SHIM(datatype_encode, (clawh5_id type, void *buf, size_t size, size_t *len, clawh5_error *err),
     (type, buf, size, len, err))
SHIM(datatype_describe, (clawh5_id type, char *buf, size_t size, size_t *len, clawh5_error *err),
     (type, buf, size, len, err))
SHIM(dtype_to_text, (clawh5_id type, char *buf, size_t size, size_t *len, clawh5_error *err),
     (type, buf, size, len, err))
SHIM(text_to_dtype, (const char *text, clawh5_id *type, clawh5_error *err), (text, type, err))

SHIM(read,
     (clawh5_id dataset, const clawh5_selection *selection, int32_t memory_type, void *dst, size_t size,
      clawh5_error *err),
     (dataset, selection, memory_type, dst, size, err))
SHIM(read_slab,
     (clawh5_id dataset, int32_t rank, const uint64_t *start_stride_count, int32_t memory_type, void *dst, size_t size,
      clawh5_error *err),
     (dataset, rank, start_stride_count, memory_type, dst, size, err))
SHIM(read_start,
     (clawh5_id dataset, const clawh5_selection *selection, int32_t memory_type, void *dst, size_t size, clawh5_id *op,
      clawh5_error *err),
     (dataset, selection, memory_type, dst, size, op, err))
SHIM(read_as,
     (clawh5_id dataset, const clawh5_selection *selection, clawh5_id memory, void *dst, size_t size,
      clawh5_error *err),
     (dataset, selection, memory, dst, size, err))
SHIM(read_as_start,
     (clawh5_id dataset, const clawh5_selection *selection, clawh5_id memory, void *dst, size_t size, clawh5_id *op,
      clawh5_error *err),
     (dataset, selection, memory, dst, size, op, err))
SHIM(attribute_read_as,
     (clawh5_id object, const char *name, clawh5_id memory, void *dst, size_t size, clawh5_error *err),
     (object, name, memory, dst, size, err))
SHIM(attribute_read_as_start,
     (clawh5_id object, const char *name, clawh5_id memory, void *dst, size_t size, clawh5_id *op, clawh5_error *err),
     (object, name, memory, dst, size, op, err))
SHIM(plan,
     (clawh5_id dataset, const clawh5_selection *selection, char *buf, size_t size, size_t *len, clawh5_error *err),
     (dataset, selection, buf, size, len, err))
SHIM(chunks, (clawh5_id dataset, char *buf, size_t size, size_t *len, clawh5_error *err),
     (dataset, buf, size, len, err))

SHIM(op_wait, (clawh5_id op, uint32_t timeout_ms, int32_t *done, clawh5_error *err), (op, timeout_ms, done, err))
SHIM(op_progress, (clawh5_id op, uint64_t *done, uint64_t *total, clawh5_error *err), (op, done, total, err))
SHIM(op_cancel, (clawh5_id op, clawh5_error *err), (op, err))
SHIM(op_result, (clawh5_id op, clawh5_id *id, size_t *size, clawh5_error *err), (op, id, size, err))
SHIM(op_copy, (clawh5_id op, void *buf, size_t size, clawh5_error *err), (op, buf, size, err))
SHIM(op_offsets, (clawh5_id op, int64_t *offsets, size_t n, clawh5_error *err), (op, offsets, n, err))
SHIM(op_free, (clawh5_id op, clawh5_error *err), (op, err))
