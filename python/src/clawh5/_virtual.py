"""What virtual datasets are made of."""

import json
from collections import namedtuple

_UNLIMITED = 2**64 - 1

# h5s.SEL_NONE, SEL_POINTS, SEL_HYPERSLABS, SEL_ALL
_SELECT_TYPES = {"none": 0, "points": 1, "hyperslab": 2, "blocks": 2, "all": 3}


class VDSmap(namedtuple("VDSmap", ("vspace", "file_name", "dset_name", "src_space"))):
    """A mapping of a virtual dataset.

    Attributes
    ----------
    vspace, src_space : MappedSpace
        The elements of the virtual dataset, and those of the source.
    file_name, dset_name : str
        The source; '.' is the file of the virtual dataset, '%b' stands for
        the number of a block.
    """

    __slots__ = ()


class MappedSpace:
    """One side of a mapping: a selection, with the methods of h5py's SpaceID that ask about it."""

    def __init__(self, raw):
        self._raw = raw

    def get_select_type(self):
        """Return the number of h5s.SEL_NONE, SEL_HYPERSLABS or SEL_ALL."""
        return _SELECT_TYPES[self._raw["kind"]]

    def is_regular_hyperslab(self):
        """Tell whether the selection has a start, stride, count and block."""
        return self._raw["kind"] == "hyperslab"

    def get_regular_hyperslab(self):
        """Return (start, stride, count, block), each a tuple; 2**64 - 1 stands for no limit."""
        if not self.is_regular_hyperslab():
            raise TypeError("the selection is not a regular hyperslab")
        return tuple(tuple(self._raw[part]) for part in ("start", "stride", "count", "block"))

    def get_select_hyper_nblocks(self):
        """Return the number of blocks."""
        return len(self.get_select_hyper_blocklist())

    def get_select_hyper_blocklist(self):
        """Return an array of shape (blocks, 2, rank): the first and the last element of each."""
        import itertools

        import numpy as np

        if self._raw["kind"] == "blocks":
            return np.array(self._raw["blocks"], np.uint64).reshape(-1, 2, self._raw["rank"])
        start, stride, count, block = self.get_regular_hyperslab()
        if _UNLIMITED in count or _UNLIMITED in block:
            raise TypeError("the selection has no end")
        corners = []
        for at in itertools.product(*(range(n) for n in count)):
            first = [s + i * step for s, i, step in zip(start, at, stride)]
            corners.append((first, [f + b - 1 for f, b in zip(first, block)]))
        return np.array(corners, np.uint64).reshape(-1, 2, len(start))

    def __repr__(self):
        return f"<MappedSpace {self._raw}>"


def mappings(dataset):
    """Return the VDSmaps of a virtual dataset."""
    layout = dataset._desc.layout
    if "mappings" not in layout:
        conn = dataset._conn
        _, text = conn.describe(conn.object(dataset._desc), b".", 0)
        layout = json.loads(text)["objects"][0]["layout"]
    return [VDSmap(MappedSpace(m["virtual"]), m["file"], m["dataset"], MappedSpace(m["source"]))
            for m in layout["mappings"]]
