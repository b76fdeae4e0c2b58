"""Every struct, constant and signature of ``include/clawh5.h``, in one table.

A test parses the header and compares. Nothing else in the package declares a
C type of the library.
"""

import ctypes
from ctypes import POINTER, c_char, c_char_p, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p

ABI_VERSION = 1

# Status numbers.
OK = 0
E_NOT_HDF5 = -1
E_CORRUPT = -2
E_UNSUPPORTED = -3
E_NOT_FOUND = -4
E_TYPE = -5
E_SELECTION = -6
E_SPACE = -7
E_HANDLE = -8
E_PERMISSION = -9
E_UNAVAILABLE = -10
E_CHANGED = -11
E_TIMEOUT = -12
E_CANCELLED = -13
E_LIMIT = -14
E_FORK = -15
E_INTERNAL = -16

# Flags of clawh5_open_options.
OPEN_FULL_DOWNLOAD = 1
OPEN_EXTERNAL_LINKS = 2
OPEN_EXTERNAL_ANYWHERE = 4
OPEN_NO_EXTERNAL = 8

# How far an unlimited virtual dataset goes.
VIEW_LAST_AVAILABLE = 1
VIEW_FIRST_MISSING = 2

# What a description holds.
DESCRIBE_LINKS = 1
DESCRIBE_ATTRIBUTES = 2
DESCRIBE_VALUES = 4
DESCRIBE_CHILDREN = 8
DESCRIBE_TREE = 16
DESCRIBE_CREATION_ORDER = 32

# Kinds of selections.
SELECT_ALL = 0
SELECT_NONE = 1
SELECT_HYPERSLAB = 2
SELECT_POINTS = 3
SELECT_ORTHOGONAL = 4

# Memory types.
MEMORY_FILE = 0
MEMORY_NATIVE = 1
MEMORY_INT8 = 2
MEMORY_UINT8 = 3
MEMORY_INT16 = 4
MEMORY_UINT16 = 5
MEMORY_INT32 = 6
MEMORY_UINT32 = 7
MEMORY_INT64 = 8
MEMORY_UINT64 = 9
MEMORY_FLOAT16 = 10
MEMORY_FLOAT32 = 11
MEMORY_FLOAT64 = 12

# What clawh5_datatype_derive makes of a datatype.
TYPE_COPY = 0
TYPE_SUPER = 1
TYPE_NATIVE = 2
TYPE_PACKED = 3
TYPE_ENUM = 4
TYPE_VLEN = 5
TYPE_COMPLEX = 6
TYPE_LIBRARY = 7
TYPE_NATIVE_LIBRARY = 8

# Properties of datatypes.
TYPE_CLASS = 0
TYPE_SIZE = 1
TYPE_ORDER = 2
TYPE_PRECISION = 3
TYPE_OFFSET = 4
TYPE_LSB_PAD = 5
TYPE_MSB_PAD = 6
TYPE_SIGN = 7
TYPE_SPOS = 8
TYPE_EPOS = 9
TYPE_ESIZE = 10
TYPE_MPOS = 11
TYPE_MSIZE = 12
TYPE_EBIAS = 13
TYPE_NORM = 14
TYPE_INPAD = 15
TYPE_CSET = 16
TYPE_STRPAD = 17
TYPE_NMEMBERS = 18
TYPE_NDIMS = 19
TYPE_IS_VARIABLE_STR = 20
TYPE_HAS_VARIABLE = 21
TYPE_REFERENCE_KIND = 22
TYPE_COMMITTED = 23
TYPE_ADDRESS = 24

Id = c_int64
Status = c_int32
Text = c_void_p  # a buffer to be filled: any address, or None


class Error(ctypes.Structure):
    """clawh5_error: what went wrong."""

    _fields_ = [
        ("status", Status),
        ("http_status", c_int32),
        ("offset", c_int64),
        ("structure", c_char * 64),
        ("path", c_char * 256),
        ("message", c_char * 1024),
    ]


class OpenOptions(ctypes.Structure):
    """clawh5_open_options: zero means the default."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("block_size", c_uint64),
        ("first_block", c_uint64),
        ("cache_bytes", c_uint64),
        ("chunk_cache_bytes", c_uint64),
        ("memory_budget", c_uint64),
        ("max_requests", c_uint32),
        ("max_retries", c_uint32),
        ("timeout_ms", c_uint32),
        ("workers", c_uint32),
        ("flags", c_uint32),
        ("max_chunk_mib", c_uint32),
        ("max_download", c_uint64),
        ("headers", POINTER(c_char_p)),
        ("expect_identity", c_char_p),
        ("virtual_printf_gap", c_uint64),
        ("virtual_view", c_uint32),
        ("driver", c_char_p),
        ("revision", c_uint64),
    ]


class TypeInfo(ctypes.Structure):
    """clawh5_type_info: the element datatype of a dataset."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("type_class", c_int32),
        ("big_endian", c_int32),
        ("is_signed", c_int32),
        ("variable", c_int32),
        ("size", c_uint64),
        ("file_size", c_uint64),
    ]


class Selection(ctypes.Structure):
    """clawh5_selection: which elements."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("kind", c_int32),
        ("rank", c_int32),
        ("start", POINTER(c_uint64)),
        ("stride", POINTER(c_uint64)),
        ("count", POINTER(c_uint64)),
        ("block", POINTER(c_uint64)),
        ("npoints", c_uint64),
        ("points", POINTER(c_uint64)),
        ("nindex", POINTER(c_uint64)),
        ("index", POINTER(POINTER(c_uint64))),
    ]


STRUCTS = {
    "clawh5_error": Error,
    "clawh5_open_options": OpenOptions,
    "clawh5_type_info": TypeInfo,
    "clawh5_selection": Selection,
}

_err = POINTER(Error)
_id = POINTER(Id)
_len = POINTER(c_size_t)
_u64 = POINTER(c_uint64)
_i32 = POINTER(c_int32)
_options = POINTER(OpenOptions)
_selection = POINTER(Selection)

# name: (restype, argtypes). c_void_p stands for every buffer whose content the
# library defines (void *, char * that is written to).
SIGNATURES = {
    "clawh5_abi_version": (c_int32, []),
    "clawh5_version": (c_char_p, []),
    "clawh5_status_text": (c_char_p, [Status]),
    # files
    "clawh5_open": (Status, [c_char_p, _options, _id, _err]),
    "clawh5_open_start": (Status, [c_char_p, _options, _id, _err]),
    "clawh5_open_memory": (Status, [c_void_p, c_size_t, _options, _id, _err]),
    "clawh5_close": (Status, [Id, _err]),
    "clawh5_open_handles": (c_int64, []),
    "clawh5_file_info": (Status, [Id, Text, c_size_t, _len, _err]),
    "clawh5_stats": (Status, [Id, Text, c_size_t, _len, _err]),
    # objects
    "clawh5_object_open": (Status, [Id, c_char_p, _id, _err]),
    "clawh5_object_open_address": (Status, [Id, c_uint64, _id, _err]),
    "clawh5_describe": (Status, [Id, c_char_p, c_uint32, Text, c_size_t, _len, _err]),
    "clawh5_object_describe": (Status, [Id, c_char_p, c_uint32, _id, Text, c_size_t, _len, _err]),
    "clawh5_describe_start": (Status, [Id, c_char_p, c_uint32, _id, _err]),
    "clawh5_link": (Status, [Id, c_char_p, Text, c_size_t, _len, _err]),
    "clawh5_region": (Status, [Id, c_void_p, c_size_t, Text, c_size_t, _len, _err]),
    "clawh5_reference": (Status, [Id, c_void_p, c_size_t, Text, c_size_t, _len, _err]),
    "clawh5_reference_open": (Status, [Id, c_void_p, c_size_t, _id, _err]),
    "clawh5_attribute": (Status, [Id, c_char_p, Text, c_size_t, _len, _err]),
    "clawh5_attribute_read": (Status, [Id, c_char_p, c_int32, c_void_p, c_size_t, _err]),
    # datatypes and dataspaces
    "clawh5_object_file": (Status, [Id, _id, _err]),
    "clawh5_object_kind": (Status, [Id, _i32, _err]),
    "clawh5_object_address": (Status, [Id, _u64, _err]),
    "clawh5_group_count": (Status, [Id, _u64, _err]),
    "clawh5_group_names": (Status, [Id, Text, c_size_t, _len, _err]),
    "clawh5_dataset_shape": (Status, [Id, _i32, _u64, _u64, _err]),
    "clawh5_dataset_type": (Status, [Id, POINTER(TypeInfo), _err]),
    # datatypes
    "clawh5_dataset_datatype": (Status, [Id, _id, _err]),
    "clawh5_attribute_datatype": (Status, [Id, c_char_p, _id, _err]),
    "clawh5_datatype_open": (Status, [Id, c_char_p, _id, _err]),
    "clawh5_datatype_predefined": (Status, [c_char_p, _id, _err]),
    "clawh5_datatype_create": (Status, [c_int32, c_uint64, _id, _err]),
    "clawh5_datatype_derive": (Status, [Id, c_int32, _id, _err]),
    "clawh5_datatype_array_create": (Status, [Id, c_int32, _u64, _id, _err]),
    "clawh5_datatype_get": (Status, [Id, c_int32, _u64, _err]),
    "clawh5_datatype_set": (Status, [Id, c_int32, c_uint64, _err]),
    "clawh5_datatype_set_fields": (Status, [Id, c_uint64, c_uint64, c_uint64, c_uint64, c_uint64, _err]),
    "clawh5_datatype_tag": (Status, [Id, Text, c_size_t, _len, _err]),
    "clawh5_datatype_set_tag": (Status, [Id, c_char_p, _err]),
    "clawh5_datatype_name": (Status, [Id, Text, c_size_t, _len, _err]),
    "clawh5_datatype_member_name": (Status, [Id, c_uint32, Text, c_size_t, _len, _err]),
    "clawh5_datatype_member": (Status, [Id, c_uint32, _u64, _id, _err]),
    "clawh5_datatype_member_value": (Status, [Id, c_uint32, c_void_p, c_size_t, _err]),
    "clawh5_datatype_member_index": (Status, [Id, c_char_p, POINTER(c_uint32), _err]),
    "clawh5_datatype_nameof": (Status, [Id, c_void_p, c_size_t, Text, c_size_t, _len, _err]),
    "clawh5_datatype_valueof": (Status, [Id, c_char_p, c_void_p, c_size_t, _err]),
    "clawh5_datatype_array_dims": (Status, [Id, _i32, _u64, _err]),
    "clawh5_datatype_insert": (Status, [Id, c_char_p, c_uint64, Id, _err]),
    "clawh5_datatype_enum_insert": (Status, [Id, c_char_p, c_void_p, c_size_t, _err]),
    "clawh5_datatype_equal": (Status, [Id, Id, _i32, _err]),
    "clawh5_datatype_detect_class": (Status, [Id, c_int32, _i32, _err]),
    "clawh5_datatype_convert": (Status, [Id, Id, c_uint64, c_void_p, c_size_t, c_void_p, c_size_t, _err]),
    "clawh5_datatype_encode": (Status, [Id, c_void_p, c_size_t, _len, _err]),
    "clawh5_datatype_decode": (Status, [c_void_p, c_size_t, _id, _err]),
    "clawh5_datatype_describe": (Status, [Id, Text, c_size_t, _len, _err]),
    "clawh5_dtype_to_text": (Status, [Id, Text, c_size_t, _len, _err]),
    "clawh5_text_to_dtype": (Status, [c_char_p, _id, _err]),
    # reading
    "clawh5_read": (Status, [Id, _selection, c_int32, c_void_p, c_size_t, _err]),
    "clawh5_read_slab": (Status, [Id, c_int32, _u64, c_int32, c_void_p, c_size_t, _err]),
    "clawh5_read_start": (Status, [Id, _selection, c_int32, c_void_p, c_size_t, _id, _err]),
    "clawh5_read_as": (Status, [Id, _selection, Id, c_void_p, c_size_t, _err]),
    "clawh5_read_as_start": (Status, [Id, _selection, Id, c_void_p, c_size_t, _id, _err]),
    "clawh5_attribute_read_as": (Status, [Id, c_char_p, Id, c_void_p, c_size_t, _err]),
    "clawh5_attribute_read_as_start": (Status, [Id, c_char_p, Id, c_void_p, c_size_t, _id, _err]),
    "clawh5_plan": (Status, [Id, _selection, Text, c_size_t, _len, _err]),
    "clawh5_chunks": (Status, [Id, Text, c_size_t, _len, _err]),
    # operations
    "clawh5_op_wait": (Status, [Id, c_uint32, _i32, _err]),
    "clawh5_op_progress": (Status, [Id, _u64, _u64, _err]),
    "clawh5_op_cancel": (Status, [Id, _err]),
    "clawh5_op_result": (Status, [Id, _id, _len, _err]),
    "clawh5_op_copy": (Status, [Id, c_void_p, c_size_t, _err]),
    "clawh5_op_offsets": (Status, [Id, POINTER(c_int64), c_size_t, _err]),
    "clawh5_op_free": (Status, [Id, _err]),
}

# clawh5_read_slab with its numbers packed into bytes and a bare address as
# destination: ctypes converts these in a fraction of the time. The error is
# always NULL; a failed call is repeated through clawh5_read, which tells why.
FAST_READ_SLAB = (Status, [Id, c_int32, c_char_p, c_int32, c_void_p, c_size_t, c_void_p])
