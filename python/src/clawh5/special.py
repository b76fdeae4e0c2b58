"""dtypes for what HDF5 has and numpy has not, marked by metadata as in h5py."""

import codecs
from collections import namedtuple

import numpy as np

from .reference import Reference, RegionReference

string_info = namedtuple("string_info", ["encoding", "length"])

ref_dtype = np.dtype("O", metadata={"ref": Reference})
regionref_dtype = np.dtype("O", metadata={"ref": RegionReference})


def string_dtype(encoding="utf-8", length=None):
    """Return the dtype of HDF5 strings.

    Parameters
    ----------
    encoding : {'utf-8', 'ascii'}
    length : int or None
        Bytes of a fixed-length string; None for variable length.

    Raises
    ------
    ValueError
        Another encoding.
    TypeError
        length is neither an integer nor None.
    """
    try:
        name = codecs.lookup(encoding).name
    except LookupError:
        name = None
    if name not in ("ascii", "utf-8"):
        raise ValueError(f"Invalid encoding ({encoding!r}); 'utf-8' or 'ascii' allowed")
    if length is None:
        return np.dtype("O", metadata={"vlen": str if name == "utf-8" else bytes})
    if not isinstance(length, int):
        raise TypeError(f"length must be integer or None (got {length!r})")
    return np.dtype(f"|S{length}", metadata={"h5py_encoding": name})


def vlen_dtype(basetype):
    """Return the dtype of variable-length sequences of ``basetype``."""
    return np.dtype("O", metadata={"vlen": basetype})


def enum_dtype(values_dict, basetype=np.uint8):
    """Return the dtype of an enumeration: names to integers over ``basetype``."""
    base = np.dtype(basetype)
    if not np.issubdtype(base, np.integer):
        raise TypeError("Only integer types can be used as enums")
    return np.dtype(base, metadata={"enum": values_dict})


def opaque_dtype(np_dtype):
    """Return ``np_dtype`` marked as stored in an HDF5 opaque type."""
    dt = np.dtype(np_dtype)
    if dt.hasobject or dt.names is not None or dt.subdtype is not None or dt.itemsize == 0:
        raise TypeError(f"{dt} cannot be stored as opaque data")
    return np.dtype(dt, metadata={"h5py_opaque": True})


def complex_compat_dtype(complex_dtype, names=("r", "i")):
    """Return the compound dtype of two floats in which HDF5 1.x keeps complex numbers.

    TypeError unless ``complex_dtype`` is (or makes) a complex dtype.
    """
    dt = np.dtype(complex_dtype)
    if dt.kind != "c":
        raise TypeError(f"{dt!r} is not a complex dtype")
    part = np.dtype(f"{dt.byteorder}f{dt.itemsize // 2}")
    return np.dtype([(name, part) for name in names])


def _metadata(dt, key, default=None):
    return (dt.metadata or {}).get(key, default)


def check_vlen_dtype(dt):
    """Return the base of a variable-length dtype (str, bytes or a dtype), or None."""
    if dt.kind == "T":
        return str
    return _metadata(dt, "vlen")


def check_string_dtype(dt):
    """Return ``string_info(encoding, length)`` of a string dtype, or None.

    ``length`` is None for variable-length strings.
    """
    base = check_vlen_dtype(dt)
    if base is str:
        return string_info("utf-8", None)
    if base is bytes:
        return string_info("ascii", None)
    if dt.kind == "S":
        return string_info(_metadata(dt, "h5py_encoding", "ascii"), dt.itemsize)
    return None


def check_enum_dtype(dt):
    """Return the dict of names and values of an enumeration dtype, or None."""
    return _metadata(dt, "enum")


def check_opaque_dtype(dt):
    """Tell whether a dtype is marked as stored in an HDF5 opaque type."""
    return _metadata(dt, "h5py_opaque", False)


def check_ref_dtype(dt):
    """Return Reference or RegionReference for a reference dtype, or None."""
    return _metadata(dt, "ref")


def check_complex_dtype(dt, names=("r", "i")):
    """Return the complex dtype of a dtype that is one or is a compound as of ``complex_compat_dtype``, else None.

    ``names`` are those of the two fields; None for any.
    """
    if dt.kind == "c":
        return dt
    if dt.names is None or len(dt.names) != 2 or names is not None and dt.names != tuple(names):
        return None
    part = dt[0]
    if part.kind != "f" or dt != complex_compat_dtype(f"{part.byteorder}c{2 * part.itemsize}", dt.names):
        return None
    return np.dtype(f"{part.byteorder}c{2 * part.itemsize}")


def special_dtype(**kwds):
    """Return the dtype for one of ``vlen=base``, ``enum=(base, values)``, ``ref=class``."""
    if len(kwds) != 1:
        raise TypeError("Exactly one keyword may be provided")
    (name, value), = kwds.items()
    if name == "vlen":
        return vlen_dtype(value)
    if name == "enum":
        try:
            base, values = value
        except TypeError:
            raise TypeError("Enums must be created from a 2-tuple (basetype, values_dict)") from None
        return enum_dtype(values, base)
    if name == "ref":
        if value not in (Reference, RegionReference):
            raise ValueError("Ref class must be Reference or RegionReference")
        return ref_dtype if value is Reference else regionref_dtype
    raise TypeError(f'Unknown special type "{name}"')


def check_dtype(**kwds):
    """Return what ``special_dtype`` was given, for one of ``vlen=``, ``enum=``, ``ref=`` a dtype."""
    if len(kwds) != 1:
        raise TypeError("Exactly one keyword may be provided")
    (name, dt), = kwds.items()
    if name not in ("vlen", "enum", "ref"):
        raise TypeError(f'Unknown special type "{name}"')
    return _metadata(dt, name)
