"""Everything a file tells through a module that is h5py or is like it, as plain values."""
import numpy as np


def values(array):
    """Return an array as a list, of what has no bytes of its own; else shape and bytes."""
    array = np.asarray(array)
    return array.tolist() if array.dtype.hasobject else (array.dtype.str, array.shape, array.tobytes())


def told(file):
    """Return {path: facts} of all groups and datasets; links in their order."""
    out = {}

    def tell(path, o):
        facts = [values(o.attrs[k]) for k in o.attrs], list(o.attrs)
        if hasattr(o, "keys"):
            out[path] = (*facts, list(o))
        else:
            out[path] = (*facts, values(o[()]), o.chunks, o.compression, o.shuffle)

    tell("/", file)
    file.visititems(tell)
    return out
