"""References: where they lead to, and the elements that those to regions select."""

import itertools
import json

import numpy as np

from ._selection import Selection, everything

# Elements of an irregular selection, which are listed one by one.
_MOST_POINTS = 10_000_000


def follow(conn, ref):
    """Return what a reference of a file says: a dict as clawh5_reference describes it.

    Raises
    ------
    ValueError
        The reference is null.
    """
    if not ref:
        raise ValueError(f"Invalid HDF5 {ref._kind} reference (it is null)")
    told = json.loads(conn.text("clawh5_reference", conn.file().id, ref._raw, len(ref._raw)))
    if "file" in told:
        ref._told = told
    return told


def about(conn, ref):
    """Return what a reference says about an object of the file that it leads to.

    Raises
    ------
    ValueError
        The reference is null, or leads to another file than the one it was
        read from, and was not followed yet.
    """
    if not ref._external:
        return follow(conn, ref)
    if ref._told is None:
        raise ValueError("a reference to another file is followed first: f[ref], with the file it was read from")
    return ref._told


def region_selection(conn, shape, ref):
    """Return the Selection of a region reference on a dataset of ``shape``."""
    region = about(conn, ref)["selection"]
    kind, rank = region["kind"], len(shape)
    if kind == "all":
        return everything(shape)
    out = Selection(rank)
    if kind == "none":
        return out.finish_as((0,) * rank)
    if kind == "points":
        out.points = np.array(region["points"], np.uint64).reshape(-1, rank)
        return out.finish()
    if kind == "hyperslab":
        out.start, out.stride, out.count, out.block = (list(region[k]) for k in ("start", "stride", "count", "block"))
        return out.finish()
    corners = np.array(region["blocks"], np.int64).reshape(-1, 2, rank)
    if len(corners) == 1:
        out.start, out.count = corners[0, 0].tolist(), (corners[0, 1] - corners[0, 0] + 1).tolist()
        return out.finish()
    out.points = _union(corners)
    return out.finish_as(_shape_of(out.points))


def _union(corners):
    """Return the elements of blocks in C order, each once."""
    if np.prod(corners[:, 1] - corners[:, 0] + 1, axis=1).sum() > _MOST_POINTS:
        raise NotImplementedError(f"an irregular region of more than {_MOST_POINTS} elements")
    points = (itertools.product(*(range(a, b + 1) for a, b in zip(*block))) for block in corners.tolist())
    return np.unique(np.array(list(itertools.chain.from_iterable(points)), np.uint64), axis=0)


def _shape_of(points):
    """Return the shape of a selection that is a product of positions in each dimension, else (elements,)."""
    shape = tuple(len(np.unique(axis)) for axis in points.T)
    return shape if np.prod(shape) == len(points) else (len(points),)


class RegionProxy:
    """``dataset.regionref``: about regions that references of the file lead to."""

    def __init__(self, conn):
        self._conn = conn

    def __getitem__(self, args):
        raise NotImplementedError("region references cannot be made: files are only read")

    def _dataset(self, ref):
        from .group import referenced

        return referenced(self._conn, ref)

    def shape(self, ref):
        """Return the shape of the dataset that a region reference leads to."""
        return self._dataset(ref).shape

    def selection(self, ref):
        """Return the shape of the elements that a region reference selects."""
        return region_selection(self._conn, self._dataset(ref).shape, ref).out_shape
