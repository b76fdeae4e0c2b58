"""Dataspaces, in the manner of ``h5py.h5s``: what is asked when reading."""

import itertools

import numpy as np

SCALAR, SIMPLE, NULL = range(3)
SEL_NONE, SEL_POINTS, SEL_HYPERSLABS, SEL_ALL = range(4)
UNLIMITED = 2**64 - 1

_CLASSES = {"scalar": SCALAR, "simple": SIMPLE, "null": NULL}
_SELECT_TYPES = {
    "none": SEL_NONE, "points": SEL_POINTS, "hyperslab": SEL_HYPERSLABS, "blocks": SEL_HYPERSLABS, "all": SEL_ALL,
}
_ALL = {"kind": "all"}


class SpaceID:
    """A dataspace: dimensions, and the elements that are selected of them.

    Of a dataset and of an attribute everything is selected; the two spaces of
    a mapping of a virtual dataset select the elements that are mapped.

    Attributes
    ----------
    shape : tuple of int, or None
        Dimensions; None for a null dataspace. Of a source of a virtual dataset
        the file tells only the selection: as many as it needs, and ValueError
        if it selects everything.
    """

    def __init__(self, kind, shape, maxshape=None, selection=_ALL):
        self._kind, self._shape, self._maxshape, self._raw = kind, shape, maxshape, selection

    @property
    def shape(self):
        """Dimensions (tuple of int); None for a null dataspace."""
        if self._shape is not None or self._kind == "null":
            return self._shape
        return tuple(last + 1 for last in self.get_select_bounds()[1])

    # --- extent

    def get_simple_extent_type(self):
        """Return SCALAR, SIMPLE or NULL."""
        return _CLASSES[self._kind]

    def get_simple_extent_ndims(self):
        """Return the number of dimensions."""
        return len(self.shape or ())

    def get_simple_extent_npoints(self):
        """Return the number of elements."""
        return 0 if self.shape is None else int(np.prod(self.shape, dtype=object))

    def get_simple_extent_dims(self, maxdims=False):
        """Return the dimensions, or with ``maxdims`` the largest ones; UNLIMITED stands for no limit."""
        if not maxdims or self.shape is None:
            return self.shape
        return tuple(UNLIMITED if n is None else n for n in self._maxshape or self.shape)

    def is_simple(self):
        """Tell whether the space has dimensions and elements, as all but null ones do."""
        return self._kind != "null"

    # --- selection

    def get_select_type(self):
        """Return SEL_NONE, SEL_POINTS, SEL_HYPERSLABS or SEL_ALL."""
        return _SELECT_TYPES[self._raw["kind"]]

    def is_regular_hyperslab(self):
        """Tell whether the selection has a start, stride, count and block. ValueError unless it is of blocks."""
        if self.get_select_type() != SEL_HYPERSLABS:
            raise ValueError("Not a hyperslab selection")
        return self._raw["kind"] == "hyperslab"

    def get_regular_hyperslab(self):
        """Return (start, stride, count, block), each a tuple of int; UNLIMITED stands for no limit.

        ValueError if the selection is not regular.
        """
        if not self.is_regular_hyperslab():
            raise ValueError("the selection is not a regular hyperslab")
        return tuple(tuple(self._raw[part]) for part in ("start", "stride", "count", "block"))

    def get_select_hyper_nblocks(self):
        """Return the number of blocks. ValueError as for their list."""
        if self._raw["kind"] == "blocks":
            return len(self.get_select_hyper_blocklist())
        return int(np.prod(self._limited()[2], dtype=object))

    def get_select_hyper_blocklist(self):
        """Return an array of shape (blocks, 2, rank): the first and the last element of each.

        ValueError if the selection has no blocks, or no end.
        """
        if self._raw["kind"] == "blocks":
            return np.array(self._raw["blocks"], np.uint64).reshape(-1, 2, self._raw["rank"])
        start, stride, count, block = self._limited()
        corners = []
        for at in itertools.product(*(range(n) for n in count)):
            first = [s + i * step for s, i, step in zip(start, at, stride)]
            corners.append((first, [f + b - 1 for f, b in zip(first, block)]))
        return np.array(corners, np.uint64).reshape(-1, 2, len(start))

    def _limited(self):
        """Return the regular hyperslab. ValueError if it has no end."""
        start, stride, count, block = self.get_regular_hyperslab()
        if UNLIMITED in count or UNLIMITED in block:
            raise ValueError("the selection has no end")
        return start, stride, count, block

    def get_select_bounds(self):
        """Return the first and the last selected position in each dimension, as a pair of tuples.

        Raises
        ------
        ValueError
            Nothing is selected, the selection has no end, or everything is selected of a space whose
            dimensions are not known.
        """
        kind = self._raw["kind"]
        if kind == "all" and self._shape:
            return (0,) * len(self._shape), tuple(n - 1 for n in self._shape)
        if kind == "hyperslab":
            start, stride, count, block = self._limited()
            return start, tuple(s + (n - 1) * step + b - 1 for s, step, n, b in zip(start, stride, count, block))
        if kind != "blocks":
            raise ValueError("the selection has no bounds")
        corners = self.get_select_hyper_blocklist()
        return tuple(corners[:, 0].min(axis=0).tolist()), tuple(corners[:, 1].max(axis=0).tolist())

    def get_select_npoints(self):
        """Return the number of selected elements."""
        kind = self._raw["kind"]
        if kind == "all":
            return self.get_simple_extent_npoints()
        if kind == "hyperslab":
            _, _, count, block = self._limited()
            return int(np.prod(count + block, dtype=object))
        if kind == "none":
            return 0
        corners = self.get_select_hyper_blocklist().astype(object)
        return int((corners[:, 1] - corners[:, 0] + 1).prod(axis=1).sum())

    def __repr__(self):
        return f"<SpaceID {self._kind} {self._shape} selecting {self._raw}>"
