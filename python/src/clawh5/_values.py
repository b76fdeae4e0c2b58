"""Values inside descriptions: base64 of elements and of a heap."""

import binascii
import struct

import numpy as np

from ._dtype import Number, VariableString

_SLOT = struct.Struct("=QQ")


def decode_data(codec, shape, value):
    """Return the array of a DATA member, always writable."""
    data = binascii.a2b_base64(value["data"])
    heap = value.get("heap")
    raw = np.ndarray(shape, codec.raw, bytearray(data)) if data else np.empty(shape, codec.raw)
    return codec.decode(raw, binascii.a2b_base64(heap) if heap else b"")


def decode_scalar(codec, value):
    """Return a single number, or text as str, of a DATA member: the short way for most attributes.

    None for elements of other datatypes.
    """
    if type(codec) is Number:
        return np.frombuffer(binascii.a2b_base64(value["data"]), codec.raw)[0]
    if type(codec) is VariableString:
        at, count = _SLOT.unpack(binascii.a2b_base64(value["data"]))
        text = binascii.a2b_base64(value.get("heap", ""))[at:at + count]
        return text.partition(b"\0")[0].decode("utf-8", "surrogateescape")
    return None
