"""Values inside descriptions: base64 of elements and of a heap."""

import binascii

import numpy as np


def decode_data(codec, shape, value):
    """Return the array of a DATA member, always writable."""
    data = binascii.a2b_base64(value["data"])
    heap = value.get("heap")
    raw = np.ndarray(shape, codec.raw, bytearray(data)) if data else np.empty(shape, codec.raw)
    return codec.decode(raw, binascii.a2b_base64(heap) if heap else b"")
