"""Variable-length data: slots of offset and count into one heap of bytes."""

import numpy as np

SLOT = np.dtype([("offset", "=u8"), ("count", "=u8")])


def _pairs(slots):
    flat = slots.reshape(-1)
    return zip(flat["offset"].tolist(), flat["count"].tolist())


def strings(slots, heap, dtype):
    """Return an object array of bytes, each cut at its first NUL as a C string is.

    Parameters
    ----------
    slots : array of SLOT
    heap : bytes
    dtype : dtype of the result
    """
    values = [heap[at:at + n] for at, n in _pairs(slots)]
    if b"\0" in heap:
        values = [v.partition(b"\0")[0] for v in values]
    out = np.empty(len(values), dtype)
    out[:] = values
    return out.reshape(slots.shape)


def sequences(slots, heap, dtype, base):
    """Return an object array of arrays; ``base`` is the codec of their elements."""
    out = np.empty(slots.size, dtype)
    empty = np.empty(0, base.raw)
    for i, (at, n) in enumerate(_pairs(slots)):
        raw = np.ndarray((n,), base.raw, heap, at).copy() if n else empty.copy()
        out[i] = base.decode(raw, heap)
    return out.reshape(slots.shape)
