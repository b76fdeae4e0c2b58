"""Datatypes as HDF5 has them, asked and made in the manner of ``h5py.h5t``.

``dtype_to_text`` and ``text_to_dtype`` turn datatypes into HDF5's data
description language and back (H5LT's pair of functions). ``TypeID`` and its
subclasses have h5py's methods, and give libhdf5's answers: sizes and offsets are
those of libhdf5's memory, where a string of variable length is a pointer.
Predefined types are attributes of this module, ``h5t.STD_I32BE``.
"""

import ctypes
import json

import numpy as np

from . import _ffi
from ._calls import check, handle, text
from ._connection import Handle
from ._dtype import codec_of
from ._lib import load, state
from .reference import Reference, RegionReference
from .special import (
    check_dtype, check_enum_dtype, check_opaque_dtype, check_ref_dtype, check_string_dtype, check_vlen_dtype,
    enum_dtype, opaque_dtype, ref_dtype, regionref_dtype, special_dtype, string_dtype, string_info, vlen_dtype,
)

__all__ = [
    "TypeArrayID", "TypeAtomicID", "TypeBitfieldID", "TypeComplexID", "TypeCompositeID", "TypeCompoundID", "TypeEnumID",
    "TypeFloatID", "TypeID", "TypeIntegerID", "TypeOpaqueID", "TypeReferenceID", "TypeStringID", "TypeTimeID", "TypeVlenID",
    "array_create", "check_dtype", "check_enum_dtype", "check_opaque_dtype", "check_ref_dtype", "check_string_dtype",
    "check_vlen_dtype", "complex_create", "convert", "create", "decode", "dtype_to_text", "enum_create", "enum_dtype", "opaque_dtype",
    "py_create", "ref_dtype", "regionref_dtype", "special_dtype", "string_dtype", "string_info", "text_to_dtype",
    "vlen_create", "vlen_dtype",
]

NO_CLASS = -1
INTEGER, FLOAT, TIME, STRING, BITFIELD, OPAQUE, COMPOUND, REFERENCE, ENUM, VLEN, ARRAY, COMPLEX = range(12)
ORDER_LE, ORDER_BE, ORDER_VAX, ORDER_MIXED, ORDER_NONE = range(5)
ORDER_NATIVE = ORDER_LE
SGN_NONE, SGN_2 = range(2)
NORM_IMPLIED, NORM_MSBSET, NORM_NONE = range(3)
PAD_ZERO, PAD_ONE, PAD_BACKGROUND = range(3)
STR_NULLTERM, STR_NULLPAD, STR_SPACEPAD = range(3)
CSET_ASCII, CSET_UTF8 = range(2)
VARIABLE = 2**64 - 1


def _make(name, *arguments):
    """Call a function that makes a datatype; return its TypeID."""
    return _wrap(Handle(handle(name, *arguments)))


def _wrap(made):
    """Return the TypeID of a handle, with the sizes of libhdf5's memory."""
    value, err = ctypes.c_uint64(), _ffi.Error()
    check(load().clawh5_datatype_get(made.id, _ffi.TYPE_CLASS, value, err), err)
    return _CLASSES[value.value](_library(made))


def _library(made):
    return Handle(handle("clawh5_datatype_derive", made.id, _ffi.TYPE_LIBRARY))


def _encode(id_):
    lib, err, size = load(), _ffi.Error(), ctypes.c_size_t()
    lib.clawh5_datatype_encode(id_, None, 0, size, err)
    buffer = (ctypes.c_char * size.value)()
    check(lib.clawh5_datatype_encode(id_, ctypes.addressof(buffer), size.value, size, err), err)
    return buffer.raw


class TypeID:
    """A datatype.

    Those of files and predefined ones are locked: make a ``copy`` to change one.
    """

    def __init__(self, made):
        self._handle = made
        self._locked = False
        self._changed()

    def _changed(self):
        self._encoded = _encode(self._handle.id)
        self._committed = bool(self._number(_ffi.TYPE_COMMITTED))

    @property
    def id(self):
        """The handle of the library (int), made again in a forked child."""
        if self._handle.generation != state.generation:
            self._handle = _library(Handle(handle("clawh5_datatype_decode", self._encoded, len(self._encoded))))
        return self._handle.id

    def _number(self, property_):
        err, value = _ffi.Error(), ctypes.c_uint64()
        check(load().clawh5_datatype_get(self.id, property_, value, err), err)
        return value.value

    def _check_unlocked(self):
        if self._locked:
            raise TypeError("the datatype is read-only: change a copy")

    def _change(self, name, *arguments):
        self._check_unlocked()
        err = _ffi.Error()
        check(getattr(load(), name)(self.id, *arguments, err), err)
        self._changed()

    def _set(self, property_, value):
        if value < 0:
            raise ValueError(f"{value} is negative")
        self._change("clawh5_datatype_set", property_, int(value))

    def _derive(self, how):
        return _make("clawh5_datatype_derive", self.id, how)

    @property
    def valid(self):
        return True

    def __bool__(self):
        return True

    def __eq__(self, other):
        return self.equal(other) if isinstance(other, TypeID) else NotImplemented

    __hash__ = None

    def __repr__(self):
        return f"<{type(self).__name__} {dtype_to_text(self)}>"

    def __reduce__(self):
        return decode, (self._encoded,)

    @property
    def dtype(self):
        """The numpy equivalent, as h5py gives it. TypeError or ValueError if there is none."""
        return codec_of(self.facts).dtype

    @property
    def facts(self):
        """All properties as a dict: the TYPE of clawh5_describe."""
        return json.loads(text("clawh5_datatype_describe", self.id))

    def close(self):
        """Do nothing: the type lives until the last reference to it is gone."""

    def lock(self):
        """Refuse changes from now on."""
        self._locked = True

    def copy(self):
        return self._derive(_ffi.TYPE_COPY)

    def get_class(self):
        """Return INTEGER, FLOAT, ...; STRING for strings of variable length too."""
        return self._number(_ffi.TYPE_CLASS)

    def get_size(self):
        """Return the bytes of an element."""
        return self._number(_ffi.TYPE_SIZE)

    def set_size(self, size):
        if size == VARIABLE and type(self) is TypeStringID:
            self._become_variable()
            return
        self._set(_ffi.TYPE_SIZE, size)

    def get_super(self):
        """Return what an enumeration, array, sequence or complex type is made of."""
        return self._derive(_ffi.TYPE_SUPER)

    def get_native_type(self):
        """Return the type of this machine's memory that holds this one."""
        return self._derive(_ffi.TYPE_NATIVE_LIBRARY)

    def detect_class(self, class_):
        """Tell whether this is a type of a class or holds one."""
        err, found = _ffi.Error(), ctypes.c_int32()
        check(load().clawh5_datatype_detect_class(self.id, class_, found, err), err)
        return bool(found.value)

    def equal(self, other):
        err, result = _ffi.Error(), ctypes.c_int32()
        check(load().clawh5_datatype_equal(self.id, other.id, result, err), err)
        return bool(result.value)

    def committed(self):
        """Tell whether this is a committed (named) datatype."""
        return self._committed

    def encode(self):
        """Return the type as bytes, which ``decode`` reads, and libhdf5."""
        return _encode(self.id)


def _property(property_, doc):
    """Return the getter and the setter of a property."""

    def get(self):
        return self._number(property_)

    def set_(self, value):
        self._set(property_, value)

    get.__doc__, set_.__doc__ = "Return " + doc, "Change " + doc
    return get, set_


class TypeAtomicID(TypeID):
    """Numbers and strings."""

    get_order, set_order = _property(_ffi.TYPE_ORDER, "the byte order: ORDER_LE, ORDER_BE, ...")
    get_precision, set_precision = _property(_ffi.TYPE_PRECISION, "the number of significant bits.")
    get_offset, set_offset = _property(_ffi.TYPE_OFFSET, "the bits below the first significant one.")

    def get_pad(self):
        """Return what fills the bits below and above the significant ones: PAD_ZERO or PAD_ONE."""
        return self._number(_ffi.TYPE_LSB_PAD), self._number(_ffi.TYPE_MSB_PAD)

    def set_pad(self, lsb, msb):
        self._set(_ffi.TYPE_LSB_PAD, lsb)
        self._set(_ffi.TYPE_MSB_PAD, msb)


class TypeIntegerID(TypeAtomicID):
    """Integers."""

    get_sign, set_sign = _property(_ffi.TYPE_SIGN, "SGN_NONE or SGN_2.")


class TypeFloatID(TypeAtomicID):
    """Floating-point numbers."""

    get_ebias, set_ebias = _property(_ffi.TYPE_EBIAS, "the exponent bias.")
    get_norm, set_norm = _property(_ffi.TYPE_NORM, "the form of the mantissa: NORM_IMPLIED, ...")
    get_inpad, set_inpad = _property(_ffi.TYPE_INPAD, "what fills the bits between the parts.")

    def get_fields(self):
        """Return (sign, exponent location, its size, mantissa location, its size), in bits."""
        return tuple(self._number(p) for p in range(_ffi.TYPE_SPOS, _ffi.TYPE_MSIZE + 1))

    def set_fields(self, spos, epos, esize, mpos, msize):
        self._change("clawh5_datatype_set_fields", spos, epos, esize, mpos, msize)


class TypeStringID(TypeAtomicID):
    """Strings, of fixed and of variable length."""

    get_cset, set_cset = _property(_ffi.TYPE_CSET, "CSET_ASCII or CSET_UTF8.")
    get_strpad, set_strpad = _property(_ffi.TYPE_STRPAD, "STR_NULLTERM, STR_NULLPAD or STR_SPACEPAD.")

    def is_variable_str(self):
        return bool(self._number(_ffi.TYPE_IS_VARIABLE_STR))

    def _become_variable(self):
        self._check_unlocked()
        cset, strpad = self.get_cset(), self.get_strpad()
        self._handle = _library(Handle(handle("clawh5_datatype_create", STRING, VARIABLE)))
        self.set_cset(cset)
        self.set_strpad(strpad)


class TypeBitfieldID(TypeAtomicID):
    """Bit fields."""


class TypeTimeID(TypeAtomicID):
    """Times, which numpy has not."""


class TypeReferenceID(TypeID):
    """References to objects, regions, attributes."""


class TypeOpaqueID(TypeID):
    """Bytes with a tag."""

    def get_tag(self):
        """Return the tag (bytes)."""
        return text("clawh5_datatype_tag", self.id)

    def set_tag(self, tag):
        self._change("clawh5_datatype_set_tag", tag)


class TypeCompositeID(TypeID):
    """What has members."""

    def get_nmembers(self):
        return self._number(_ffi.TYPE_NMEMBERS)

    def get_member_name(self, member):
        """Return the name of a member (bytes)."""
        return text("clawh5_datatype_member_name", self.id, member)

    def get_member_index(self, name):
        err, index = _ffi.Error(), ctypes.c_uint32()
        check(load().clawh5_datatype_member_index(self.id, name, index, err), err)
        return index.value


class TypeCompoundID(TypeCompositeID):
    """Compounds."""

    def get_member_offset(self, member):
        err, offset = _ffi.Error(), ctypes.c_uint64()
        check(load().clawh5_datatype_member(self.id, member, offset, None, err), err)
        return offset.value

    def get_member_type(self, member):
        return _make("clawh5_datatype_member", self.id, member, None)

    def get_member_class(self, member):
        return self.get_member_type(member).get_class()

    def insert(self, name, offset, field):
        """Add a member at an offset in bytes."""
        self._change("clawh5_datatype_insert", name, offset, field.id)

    def pack(self):
        """Remove the gaps between members."""
        self._check_unlocked()
        self._handle = Handle(handle("clawh5_datatype_derive", self.id, _ffi.TYPE_PACKED))
        self._changed()


class TypeEnumID(TypeCompositeID):
    """Enumerations."""

    def _integer(self):
        base = self.get_super()
        order = "big" if base._number(_ffi.TYPE_ORDER) == ORDER_BE else "little"
        return base.get_size(), order, bool(base._number(_ffi.TYPE_SIGN))

    def _value(self, name, *arguments):
        size, order, signed = self._integer()
        buffer, err = (ctypes.c_char * size)(), _ffi.Error()
        check(getattr(load(), name)(self.id, *arguments, ctypes.addressof(buffer), size, err), err)
        return int.from_bytes(buffer.raw, order, signed=signed)

    def enum_insert(self, name, value):
        size, order, signed = self._integer()
        raw = int(value).to_bytes(size, order, signed=signed)
        self._change("clawh5_datatype_enum_insert", name, raw, size)

    def enum_nameof(self, value):
        """Return the name of a value (bytes)."""
        size, order, signed = self._integer()
        return text("clawh5_datatype_nameof", self.id, int(value).to_bytes(size, order, signed=signed), size)

    def enum_valueof(self, name):
        """Return the value of a name (int)."""
        return self._value("clawh5_datatype_valueof", name)

    def get_member_value(self, member):
        """Return the value of a member (int)."""
        return self._value("clawh5_datatype_member_value", member)

    def get_order(self):
        return self._number(_ffi.TYPE_ORDER)


class TypeArrayID(TypeID):
    """Arrays as elements."""

    def get_array_ndims(self):
        return self._number(_ffi.TYPE_NDIMS)

    def get_array_dims(self):
        err, dims = _ffi.Error(), (ctypes.c_uint64 * 32)()
        check(load().clawh5_datatype_array_dims(self.id, None, dims, err), err)
        return tuple(dims[:self.get_array_ndims()])


class TypeVlenID(TypeID):
    """Sequences of variable length."""


class TypeComplexID(TypeAtomicID):
    """Complex numbers: what is asked is answered for the parts."""


_CLASSES = {
    INTEGER: TypeIntegerID, FLOAT: TypeFloatID, TIME: TypeTimeID, STRING: TypeStringID, BITFIELD: TypeBitfieldID,
    OPAQUE: TypeOpaqueID, COMPOUND: TypeCompoundID, REFERENCE: TypeReferenceID, ENUM: TypeEnumID, VLEN: TypeVlenID,
    ARRAY: TypeArrayID, COMPLEX: TypeComplexID,
}


def create(classtype, size):
    """Return a new COMPOUND, OPAQUE or STRING of a size in bytes (STRING: or VARIABLE)."""
    return _make("clawh5_datatype_create", classtype, size)


def enum_create(base):
    """Return an enumeration without members over an integer type."""
    return base._derive(_ffi.TYPE_ENUM)


def vlen_create(base):
    """Return the type of variable-length sequences of ``base``."""
    return base._derive(_ffi.TYPE_VLEN)


def complex_create(base):
    """Return the type of complex numbers of two floats ``base``."""
    return base._derive(_ffi.TYPE_COMPLEX)


def array_create(base, dims):
    """Return the type of arrays of ``base`` with the shape ``dims``."""
    return _make("clawh5_datatype_array_create", base.id, len(dims), (ctypes.c_uint64 * max(len(dims), 1))(*dims))


def decode(encoded):
    """Return the type that ``encode`` or libhdf5's H5Tencode turned into bytes."""
    return _make("clawh5_datatype_decode", encoded, len(encoded))


def convert(src, dst, n, buf, out):
    """Convert ``n`` elements of type ``src`` in the array ``buf`` to elements of type ``dst`` in the array ``out``.

    Raises
    ------
    TypeError
        There is no such conversion.
    """
    err = _ffi.Error()
    check(load().clawh5_datatype_convert(src.id, dst.id, n, buf.ctypes.data, buf.nbytes, out.ctypes.data, out.nbytes, err), err)


def text_to_dtype(ddl):
    """Return the type that a text describes.

    Raises
    ------
    TypeError
        The text is wrong; the message tells line and column.
    """
    if isinstance(ddl, str):
        ddl = ddl.encode("utf-8", "surrogateescape")
    return _make("clawh5_text_to_dtype", ddl)


def dtype_to_text(dtype):
    """Return the description of a type in HDF5's data description language.

    Parameters
    ----------
    dtype : TypeID, clawh5.Datatype or numpy.dtype (or what makes one)
    """
    if not isinstance(dtype, TypeID):
        identifier = getattr(dtype, "id", None)
        dtype = identifier.get_type() if hasattr(identifier, "get_type") else py_create(dtype, logical=True)
    return text("clawh5_dtype_to_text", dtype.id).decode("utf-8", "surrogateescape")


def _predefined(name):
    made = _make("clawh5_datatype_predefined", b"H5T_" + name.encode())
    made.lock()
    return made


_RENAMED = {"LDOUBLE_LE": "NATIVE_LDOUBLE"}


def __getattr__(name):
    if not name.isupper():
        raise AttributeError(name)
    try:
        made = _predefined(_RENAMED.get(name, name))
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    globals()[name] = made
    return made


def of_file(made):
    """Return the locked TypeID of a datatype handle of a file (Handle)."""
    found = _wrap(made)
    found.lock()
    return found


# From numpy.

_ORDERS = {"<": "LE", ">": "BE", "=": "LE", "|": "LE"}


def _opaque(size, tag=b""):
    made = create(OPAQUE, size)
    made.set_tag(tag)
    return made


def _compound(fields, size):
    """Return a compound of (name, offset, bytes in numpy, TypeID): members move where HDF5 needs more bytes."""
    grown, places = 0, {}
    for name, offset, width, field in sorted(fields, key=lambda f: f[1]):
        places[name] = offset + grown
        grown += max(field.get_size() - width, 0)
    made = create(COMPOUND, size + grown)
    for name, _, _, field in fields:
        made.insert(name, places[name], field)
    return made


def _integer_type(dt):
    return _predefined(f"STD_{'I' if dt.kind == 'i' else 'U'}{8 * dt.itemsize}{_ORDERS[dt.byteorder]}")


def _float_type(dt):
    if dt.itemsize > 8:
        return _predefined("NATIVE_LDOUBLE")
    return _predefined(f"IEEE_F{8 * dt.itemsize}{_ORDERS[dt.byteorder]}")


def _string_type(encoding, length):
    made = create(STRING, VARIABLE if length is None else length)
    made.set_cset(CSET_UTF8 if encoding == "utf-8" else CSET_ASCII)
    if length is not None:
        made.set_strpad(STR_NULLPAD)
    return made


def _enum_type(dt, values, logical):
    base = _integer_type(dt)
    if not logical:
        return base
    made = enum_create(base)
    for name, value in values.items():
        made.enum_insert(name.encode() if isinstance(name, str) else name, value)
    return made


def _structure(dt, logical):
    fields = []
    for name in dt.names:
        field, offset = dt.fields[name][:2]
        fields.append((name.encode(), offset, field.itemsize, py_create(field, logical)))
    return _compound(fields, dt.itemsize)


def _object_type(dt, logical):
    base, kind = check_vlen_dtype(dt), check_ref_dtype(dt)
    if base is not None:
        return vlen_create(py_create(np.dtype(base), logical))
    if kind is not None and logical:
        return _predefined({Reference: "STD_REF_OBJ", RegionReference: "STD_REF_DSETREG"}.get(kind, "STD_REF"))
    raise TypeError(f"Object dtype {dt!r} has no native HDF5 equivalent")


def py_create(dtype, logical=False):
    """Return the type in which HDF5 stores a numpy dtype.

    Parameters
    ----------
    dtype : numpy.dtype, or what makes one
    logical : bool
        Make enumerations, strings and references of dtypes that are marked as such.

    Raises
    ------
    TypeError
        HDF5 has no such type.
    """
    dt = np.dtype(dtype)
    values, info = check_enum_dtype(dt), check_string_dtype(dt)
    if check_opaque_dtype(dt):
        return _opaque(dt.itemsize, b"NUMPY:" + dt.descr[0][1].encode())
    if dt.kind in "iu":
        return _integer_type(dt) if values is None else _enum_type(dt, values, logical)
    if dt.kind == "f":
        return _float_type(dt)
    if dt.kind == "c":
        part = np.dtype(f"{dt.byteorder}f{dt.itemsize // 2}")
        return _compound([(name, i * part.itemsize, part.itemsize, _float_type(part)) for i, name in enumerate((b"r", b"i"))],
                         dt.itemsize)
    if dt.kind == "b":
        return _enum_type(np.dtype("i1"), {"FALSE": 0, "TRUE": 1}, True)
    if info is not None:
        return _string_type(info.encoding, info.length)
    if dt.names is not None:
        return _structure(dt, logical)
    if dt.subdtype is not None:
        return array_create(py_create(dt.subdtype[0], logical), dt.subdtype[1])
    if dt.kind == "V":
        return _opaque(dt.itemsize)
    if dt.kind == "O":
        return _object_type(dt, logical)
    raise TypeError(f"No conversion path for dtype: {dt!r}")
