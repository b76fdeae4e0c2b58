"""Datatypes as HDF5 has them, asked and made in the manner of ``h5py.h5t``.

``dtype_to_text`` and ``text_to_dtype`` turn datatypes into HDF5's data
description language and back (H5LT's pair of functions). ``TypeID`` and its
subclasses have h5py's methods, and give libhdf5's answers: sizes and offsets are
those of libhdf5's memory, where a string of variable length is a pointer.
Predefined types are attributes of this module, ``h5t.STD_I32BE``.
"""

import ctypes

import numpy as np

from . import _ffi
from ._calls import check
from ._lib import load
from ._type_ids import (
    ARRAY, BITFIELD, COMPLEX, COMPOUND, ENUM, FLOAT, INTEGER, OPAQUE, ORDER_BE, ORDER_LE, ORDER_MIXED, ORDER_NONE, ORDER_VAX,
    REFERENCE, STRING, TIME, VARIABLE, VLEN, TypeArrayID, TypeAtomicID, TypeBitfieldID, TypeComplexID, TypeCompositeID,
    TypeCompoundID, TypeEnumID, TypeFloatID, TypeID, TypeIntegerID, TypeOpaqueID, TypeReferenceID, TypeStringID, TypeTimeID,
    TypeVlenID, decode, make, wrap,
)
from .reference import Reference, RegionReference
from .special import (
    check_complex_dtype, check_dtype, check_enum_dtype, check_opaque_dtype, check_ref_dtype, check_string_dtype,
    check_vlen_dtype, complex_compat_dtype, enum_dtype, opaque_dtype, ref_dtype, regionref_dtype, special_dtype,
    string_dtype, string_info, vlen_dtype,
)

__all__ = [
    "TypeArrayID", "TypeAtomicID", "TypeBitfieldID", "TypeComplexID", "TypeCompositeID", "TypeCompoundID", "TypeEnumID",
    "TypeFloatID", "TypeID", "TypeIntegerID", "TypeOpaqueID", "TypeReferenceID", "TypeStringID", "TypeTimeID", "TypeVlenID",
    "array_create", "check_complex_dtype", "check_dtype", "check_enum_dtype", "check_opaque_dtype", "check_ref_dtype",
    "check_string_dtype", "check_vlen_dtype", "complex_compat_dtype", "complex_create", "convert", "convert_into",
    "create", "decode", "dtype_to_text", "enum_create", "enum_dtype", "opaque_dtype", "py_create", "ref_dtype",
    "regionref_dtype", "special_dtype", "string_dtype", "string_info", "text_to_dtype", "vlen_create", "vlen_dtype",
]

NO_CLASS = -1
ORDER_NATIVE = ORDER_LE
SGN_NONE, SGN_2 = range(2)
NORM_IMPLIED, NORM_MSBSET, NORM_NONE = range(3)
PAD_ZERO, PAD_ONE, PAD_BACKGROUND = range(3)
STR_NULLTERM, STR_NULLPAD, STR_SPACEPAD = range(3)
CSET_ASCII, CSET_UTF8 = range(2)


def create(classtype, size):
    """Return a new COMPOUND, OPAQUE or STRING of a size in bytes (STRING: or VARIABLE)."""
    return make("clawh5_datatype_create", classtype, size)


def enum_create(base):
    """Return an enumeration without members over an integer type."""
    return base._derive(_ffi.TYPE_ENUM)


def vlen_create(base):
    """Return the type of variable-length sequences of ``base``."""
    return base._derive(_ffi.TYPE_VLEN)


def complex_create(base):
    """Return the type of complex numbers of two floats ``base``."""
    return base._derive(_ffi.TYPE_COMPLEX)


def array_create(base, dims_tpl):
    """Return the type of arrays of ``base`` with the shape ``dims_tpl``."""
    dims = (ctypes.c_uint64 * max(len(dims_tpl), 1))(*dims_tpl)
    return make("clawh5_datatype_array_create", base.id, len(dims_tpl), dims)


def convert(src, dst, n, buf, bkg=None, dxpl=None):
    """Convert elements in place.

    Parameters
    ----------
    src, dst : TypeID
    n : int
    buf : numpy array
        C-contiguous and writable; ``n`` elements of ``src`` at its beginning
        become elements of ``dst``.
    bkg : numpy array, optional
        Elements of ``dst``, from which members are taken that ``src`` has not;
        they are 0 without it.
    dxpl : object
        As in h5py; it means nothing here.

    Raises
    ------
    TypeError
        There is no such conversion.
    ValueError
        The arrays are too small or not contiguous.
    """
    taken, made = n * src.get_size(), n * dst.get_size()
    if not buf.flags.c_contiguous or not buf.flags.writeable or buf.nbytes < max(taken, made):
        raise ValueError(f"the array has no {max(taken, made)} bytes in a row that can be changed")
    raw = buf.reshape(-1).view("u1")
    out = np.zeros(made, "u1") if bkg is None else np.frombuffer(bkg, "u1", made).copy()
    convert_into(src, dst, n, raw[:taken], out)
    raw[:made] = out


def convert_into(src, dst, n, buf, out):
    """Convert ``n`` elements of type ``src`` in the array ``buf`` to elements of type ``dst`` in the array ``out``.

    TypeError if there is no such conversion.
    """
    err = _ffi.Error()
    check(load().clawh5_datatype_convert(
        src.id, dst.id, n, buf.ctypes.data, buf.nbytes, out.ctypes.data, out.nbytes, err), err)


def text_to_dtype(ddl):
    """Return the type that a text describes.

    Raises
    ------
    TypeError
        The text is wrong; the message tells line and column.
    """
    if isinstance(ddl, str):
        ddl = ddl.encode("utf-8", "surrogateescape")
    return make("clawh5_text_to_dtype", ddl)


def dtype_to_text(dtype):
    """Return the description of a type in HDF5's data description language.

    Parameters
    ----------
    dtype : TypeID, Datatype, Dataset (that of its elements), numpy.dtype or what makes one

    Returns
    -------
    str
        ``H5T_STD_I32LE``, or the lines of a compound; ``text_to_dtype`` reads it.
    """
    return _type_of(dtype)._text()


def _type_of(what):
    if isinstance(what, TypeID):
        return what
    identifier = getattr(what, "id", None)
    if isinstance(identifier, TypeID):
        return identifier
    return identifier.get_type() if hasattr(identifier, "get_type") else py_create(what, logical=True)


def _predefined(name):
    made = make("clawh5_datatype_predefined", b"H5T_" + name.encode())
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


def __dir__():
    sized = [f"{kind}{bits}" for kind in ("I", "U", "B") for bits in (8, 16, 32, 64)]
    floats = [f"IEEE_F{bits}" for bits in (16, 32, 64)]
    ordered = [f"STD_{name}" for name in sized] + floats + [f"COMPLEX_{name}" for name in floats]
    names = [name + order for name in ordered for order in ("LE", "BE")]
    names += [f"NATIVE_{name}{bits}" for name in ("INT", "UINT", "B") for bits in (8, 16, 32, 64)]
    names += ["NATIVE_FLOAT", "NATIVE_DOUBLE", "NATIVE_LDOUBLE", "C_S1", "FORTRAN_S1"]
    names += ["STD_REF", "STD_REF_OBJ", "STD_REF_DSETREG"]
    return sorted({*globals(), *names})


def of_file(made):
    """Return the locked TypeID of a datatype handle of a file (Handle)."""
    found = wrap(made)
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
