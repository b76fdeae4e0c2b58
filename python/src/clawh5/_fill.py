"""Fill values."""

import base64

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
        value = fill["value"]
        if isinstance(value, dict):
            return decode_data(codec, (1,), value)[0]
        data = base64.b64decode(value)
        if len(data) == codec.size and not codec.variable:
            raw = np.ndarray((1,), codec.raw, data).copy()
            return codec.decode(raw, b"")[0]
    if fill.get("state") == "undefined":
        raise RuntimeError("the fill value of the dataset is undefined")
    if check_vlen_dtype(codec.dtype) in (str, bytes):
        return b""
    array = np.zeros((1,), codec.dtype)
    _clear_objects(array)
    return array[0]


def _clear_objects(array):
    """Set the objects in an array of zeros to None."""
    if array.dtype.kind == "O":
        array[...] = None
    for name in array.dtype.names or ():
        _clear_objects(array[name])
