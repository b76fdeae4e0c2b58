"""Fill values."""

import numpy as np

from ._values import decode_data
from .special import check_vlen_dtype


def fill_value(description):
    """Return the fill value as an element of the dataset's dtype.

    Raises
    ------
    RuntimeError
        The file leaves it undefined.
    """
    codec, fill = description.codec, description.raw.get("fill") or {}
    if fill.get("state") == "defined" and fill.get("value") is not None:
        return decode_data(codec, (1,), {"data": fill["value"], "heap": fill.get("heap")})[0]
    if fill.get("state") == "undefined":
        raise RuntimeError("the fill value of the dataset is undefined")
    array = np.zeros((1,), codec.dtype)
    _clear_objects(array)
    return array[0]


def _clear_objects(array):
    """Set the objects in an array of zeros to what h5py leaves there: texts are empty, the first of others is None."""
    if array.dtype.kind == "O":
        if array.base is None and check_vlen_dtype(array.dtype) in (str, bytes):
            array[...] = b""
        else:
            array.reshape(-1)[:1] = None
    for name in array.dtype.names or ():
        _clear_objects(array[name])
