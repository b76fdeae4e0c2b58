"""References, in the manner of ``h5py.h5r``. ``file[reference]`` is the object itself."""

from .group import referenced
from .reference import AttributeReference, Reference, RegionReference

__all__ = ["AttributeReference", "DATASET_REGION", "OBJECT", "Reference", "RegionReference", "dereference", "get_name"]

OBJECT, DATASET_REGION = range(2)


def dereference(ref, id):
    """Return the identifier of the object that a reference leads to, None if it is null.

    Parameters
    ----------
    ref : Reference
    id : identifier of the file or an object of it (``file.id``)
    """
    return referenced(id._obj._conn, ref).id if ref else None


def get_name(ref, loc):
    """Return the path of the object that a reference leads to (bytes), None if there is none.

    Parameters
    ----------
    ref : Reference
    loc : identifier of the file or an object of it (``file.id``)
    """
    name = referenced(loc._obj._conn, ref).name if ref else None
    return None if name is None else name.encode("utf-8", "surrogateescape")
