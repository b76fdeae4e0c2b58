"""Datatypes with the methods of h5py's TypeID: what ``h5t`` gives out."""

import ctypes
import json

from . import _ffi
from ._calls import check, handle, text
from ._connection import Handle
from ._dtype import codec_of
from ._lib import load, state

INTEGER, FLOAT, TIME, STRING, BITFIELD, OPAQUE, COMPOUND, REFERENCE, ENUM, VLEN, ARRAY, COMPLEX = range(12)
ORDER_LE, ORDER_BE, ORDER_VAX, ORDER_MIXED, ORDER_NONE = range(5)
VARIABLE = 2**64 - 1


def make(name, *arguments):
    """Call a function that makes a datatype; return its TypeID."""
    return wrap(Handle(handle(name, *arguments)))


def wrap(made):
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
        return make("clawh5_datatype_derive", self.id, how)

    @property
    def valid(self):
        """True: a type stays what it is, also when its file is closed."""
        return True

    def __bool__(self):
        return True

    def __eq__(self, other):
        return self.equal(other) if isinstance(other, TypeID) else NotImplemented

    def __hash__(self):
        if not (self._locked or self._committed):
            raise TypeError("Only locked or committed types can be hashed")
        return hash((self.get_class(), self.get_size()))

    def __repr__(self):
        return f"<{type(self).__name__} {self._text()}>"

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

    def _text(self):
        """Return the type in HDF5's data description language."""
        return text("clawh5_dtype_to_text", self.id).decode("utf-8", "surrogateescape")

    def close(self):
        """Do nothing: the type lives until the last reference to it is gone."""

    def lock(self):
        """Refuse changes from now on."""
        self._locked = True

    def copy(self):
        """Return a copy that can be changed."""
        return self._derive(_ffi.TYPE_COPY)

    def get_class(self):
        """Return INTEGER, FLOAT, ...; STRING for strings of variable length too."""
        return self._number(_ffi.TYPE_CLASS)

    def get_size(self):
        """Return the bytes of an element."""
        return self._number(_ffi.TYPE_SIZE)

    def set_size(self, size):
        """Change the bytes of an element; of strings also to VARIABLE. TypeError if the type is locked."""
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

    def detect_class(self, classtype):
        """Tell whether this is a type of a class or holds one."""
        err, found = _ffi.Error(), ctypes.c_int32()
        check(load().clawh5_datatype_detect_class(self.id, classtype, found, err), err)
        return bool(found.value)

    def equal(self, typeid):
        """Tell whether two types are the same in everything."""
        err, result = _ffi.Error(), ctypes.c_int32()
        check(load().clawh5_datatype_equal(self.id, typeid.id, result, err), err)
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
        """Change what fills the bits below and above the significant ones."""
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
        """Change where sign, exponent and mantissa lie, and the sizes of the latter two, in bits."""
        self._change("clawh5_datatype_set_fields", spos, epos, esize, mpos, msize)


class TypeStringID(TypeAtomicID):
    """Strings, of fixed and of variable length."""

    get_cset, set_cset = _property(_ffi.TYPE_CSET, "CSET_ASCII or CSET_UTF8.")
    get_strpad, set_strpad = _property(_ffi.TYPE_STRPAD, "STR_NULLTERM, STR_NULLPAD or STR_SPACEPAD.")

    def is_variable_str(self):
        """Tell whether the length is variable."""
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
        """Change the tag (bytes)."""
        self._change("clawh5_datatype_set_tag", tag)


class TypeCompositeID(TypeID):
    """What has members."""

    def get_nmembers(self):
        """Return the number of members."""
        return self._number(_ffi.TYPE_NMEMBERS)

    def get_member_name(self, member):
        """Return the name of a member (bytes)."""
        return text("clawh5_datatype_member_name", self.id, member)

    def get_member_index(self, name):
        """Return the number of the member of a name (bytes). KeyError if there is none."""
        err, index = _ffi.Error(), ctypes.c_uint32()
        check(load().clawh5_datatype_member_index(self.id, name, index, err), err)
        return index.value


class TypeCompoundID(TypeCompositeID):
    """Compounds."""

    def get_member_offset(self, member):
        """Return where a member begins, in bytes."""
        err, offset = _ffi.Error(), ctypes.c_uint64()
        check(load().clawh5_datatype_member(self.id, member, offset, None, err), err)
        return offset.value

    def get_member_type(self, member):
        """Return the type of a member."""
        return make("clawh5_datatype_member", self.id, member, None)

    def get_member_class(self, member):
        """Return the class of a member: INTEGER, FLOAT, ..."""
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
        """Add a member: its name (bytes) and its value (int)."""
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
        """Return the byte order of the values."""
        return self._number(_ffi.TYPE_ORDER)


class TypeArrayID(TypeID):
    """Arrays as elements."""

    def get_array_ndims(self):
        """Return the number of dimensions."""
        return self._number(_ffi.TYPE_NDIMS)

    def get_array_dims(self):
        """Return the dimensions (tuple of int)."""
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


def decode(encoded):
    """Return the type that ``encode`` or libhdf5's H5Tencode turned into bytes."""
    return make("clawh5_datatype_decode", encoded, len(encoded))
