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
    OSError
        The file is wrong where it keeps the value.
    """
    codec, fill = description.codec, description.raw.get("fill") or {}
    if fill.get("state") == "defined" and fill.get("value") is not None:
        return decode_data(codec, (1,), {"data": fill["value"], "heap": fill.get("heap")})[0]
    if fill.get("error"):
        raise OSError(fill["error"])
    if fill.get("state") == "undefined":
        raise RuntimeError("the fill value of the dataset is undefined")
    array = np.zeros((1,), codec.dtype)
    if array.dtype.kind != "O":
        _clear_fields(array)
    elif check_vlen_dtype(array.dtype) in (str, bytes):
        array[...] = b""
    else:
        array.reshape(-1)[:1] = None  # of an array of sequences only the first, as in h5py
    return array[0]


def _clear_fields(array):
    """Set the objects in fields to None, as h5py leaves them."""
    for name in array.dtype.names or ():
        if array[name].dtype.kind == "O":
            array[name][...] = None
        else:
            _clear_fields(array[name])
