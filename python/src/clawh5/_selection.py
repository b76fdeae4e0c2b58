"""Index expressions, by h5py's rules, to selections of the library."""

import ctypes
import operator

import numpy as np

from . import _ffi


class MultiBlockSlice:
    """A slice with HDF5's four numbers.

    Parameters
    ----------
    start, stride, count, block : int
        Element of the first block, distance between blocks, how many (None:
        as many as fit), elements of one.
    """

    def __init__(self, start=0, stride=1, count=None, block=1):
        if start < 0:
            raise ValueError("Start can't be negative")
        if stride < 1 or (count is not None and count < 1) or block < 1:
            raise ValueError("Stride, count and block can't be 0 or negative")
        if block > stride:
            raise ValueError("Blocks will overlap if block > stride")
        self.start, self.stride, self.count, self.block = start, stride, count, block

    def indices(self, length):
        """Return (start, stride, count, block) for a dimension. ValueError if it does not fit."""
        count = self.count
        if count is None:
            count = (length - self.start - self.block) // self.stride + 1
            if count < 1:
                raise ValueError(f"No full blocks can be selected using {self!r} on dimension of length {length}")
        end = self.start + self.block + (count - 1) * self.stride - 1
        if end >= length:
            raise ValueError(
                f"{self!r} range ({self.start} - {end}) extends beyond maximum index ({length - 1})")
        return self.start, self.stride, count, self.block

    def __repr__(self):
        return (f"MultiBlockSlice(start={self.start}, stride={self.stride}, "
                f"count={self.count}, block={self.block})")


class Selection:
    """Elements of a dataset of rank 1 or more.

    Attributes
    ----------
    out_shape : tuple of int
        Shape of the result: dimensions indexed by an integer are left out.
    size : int
        Elements.
    simple : bool
        A hyperslab with blocks of one.
    """

    def __init__(self, rank):
        self.start, self.stride, self.count, self.block = [0] * rank, [1] * rank, [0] * rank, [1] * rank
        self.scalar = [False] * rank
        self.index = None  # (dimension, positions)
        self.past_end = None  # what to raise if anything is selected at all
        self.points = None  # array (n, rank)

    def finish(self):
        if self.points is not None:
            self.size, self.out_shape, self.simple = len(self.points), (len(self.points),), False
            return self
        lengths = [c * b for c, b in zip(self.count, self.block)]
        self.size = 1
        for n in lengths:
            self.size *= n
        if self.past_end is not None and self.size:
            raise self.past_end
        self.out_shape = tuple(n for n, s in zip(lengths, self.scalar) if not s)
        self.simple = self.index is None and all(b == 1 for b in self.block)
        return self

    def finish_as(self, shape):
        """finish, but the result has another shape of as many elements."""
        self.finish()
        self.out_shape = shape
        return self

    def slab(self):
        """Return start, stride, count as one C array, for clawh5_read_slab."""
        numbers = self.start + self.stride + self.count
        return (ctypes.c_uint64 * len(numbers))(*numbers)

    def struct(self):
        """Return the clawh5_selection; it keeps its arrays alive."""
        rank = len(self.start)
        out = _ffi.Selection(struct_size=ctypes.sizeof(_ffi.Selection), rank=rank)
        if self.points is not None:
            points = np.ascontiguousarray(self.points, "u8")
            out.kind, out.npoints = _ffi.SELECT_POINTS, len(points)
            out.points = points.ctypes.data_as(ctypes.POINTER(ctypes.c_uint64))
            out._keep = points
            return out
        numbers = ctypes.c_uint64 * rank
        out.start, out.stride = numbers(*self.start), numbers(*self.stride)
        out.count, out.block = numbers(*self.count), numbers(*self.block)
        out.kind = _ffi.SELECT_HYPERSLAB
        if self.index is not None:
            dimension, positions = self.index
            positions = np.ascontiguousarray(positions, "u8")
            pointer = ctypes.POINTER(ctypes.c_uint64)
            table = (pointer * rank)()
            table[dimension] = positions.ctypes.data_as(pointer)
            lengths = numbers()
            lengths[dimension] = len(positions)
            out.kind, out.nindex, out.index = _ffi.SELECT_ORTHOGONAL, lengths, table
            out._keep = positions, table
        return out


def everything(shape):
    """Return the selection of all elements."""
    out = Selection(len(shape))
    out.count = list(shape)
    return out.finish()


def select(shape, args):
    """Return the Selection of an index expression.

    Parameters
    ----------
    shape : tuple of int
        Of the dataset, rank 1 or more.
    args : tuple
        Integers, slices, MultiBlockSlices, one Ellipsis, one list or 1-D array
        of increasing indices or of booleans; or one boolean array of ``shape``.

    Raises
    ------
    IndexError
        An index is out of range.
    ValueError
        Too many indices, a step below one, two ellipses.
    TypeError
        Anything else that h5py refuses.
    """
    if len(args) == 1:
        mask = args[0]
        if isinstance(mask, np.ndarray) and mask.dtype.kind == "b":
            if mask.shape == shape:
                out = Selection(len(shape))
                out.points = np.transpose(mask.nonzero())
                return out.finish()
            if mask.shape != shape[:1]:
                raise TypeError("Boolean indexing array has incompatible shape")
    return _Parser(shape).parse(args)


class _Parser:
    """One index expression."""

    def __init__(self, shape):
        self.shape, self.rank = shape, len(shape)
        self.out = Selection(self.rank)

    def parse(self, args):
        nargs = len(args) - sum(a is Ellipsis for a in args)
        if len(args) - nargs > 1:
            raise ValueError("Only one ellipsis may be used.")
        if nargs > self.rank:
            raise ValueError(f"{nargs} indexing arguments for {self.rank} dimensions")
        at = 0
        for a in args:
            if a is Ellipsis:
                at = self._whole(at, at + self.rank - nargs)
            else:
                self._one(at, a)
                at += 1
        self._whole(at, self.rank)
        return self.out.finish()

    def _whole(self, first, end):
        self.out.count[first:end] = self.shape[first:end]
        return end

    def _one(self, at, a):
        length, out = self.shape[at], self.out
        if isinstance(a, slice):
            out.start[at], out.stride[at], out.count[at] = _slice(a, length)
            return
        try:
            a = operator.index(a)
        except TypeError:
            pass
        else:
            out.start[at], out.count[at], out.scalar[at] = _integer(a, length), 1, True
            return
        if isinstance(a, MultiBlockSlice):
            out.start[at], out.stride[at], out.count[at], out.block[at] = a.indices(length)
            return
        positions = self._positions(a, length)
        out.index, out.count[at] = (at, positions), len(positions)

    def _positions(self, a, length):
        array = a if isinstance(a, np.ndarray) else np.asarray(a)
        if array.ndim != 1:
            if array is a:
                raise TypeError("Only 1D arrays allowed for fancy indexing")
            raise TypeError(f"Selection can't process {a!r}")
        if array is not a and array.size == 0:
            array = array.astype(np.intp)
        if array.dtype.kind == "b":
            if array is not a and self.rank == 1:
                raise TypeError("Use other code for boolean selection on 1D dataset")
            if array.size != length:
                raise TypeError("boolean index did not match indexed array")
            array = array.nonzero()[0]
        if array.dtype.kind not in "iu":
            raise TypeError("Indexing arrays must have integer dtypes")
        if self.out.index is not None:
            raise TypeError("Only one indexing vector or array is currently allowed for fancy indexing")
        array = np.where(array < 0, array + length, array) if array.dtype.kind == "i" else array
        if np.any((array < 0) | (array >= length)):
            extent = "empty dimension" if length == 0 else f"(0-{length - 1})"
            error = IndexError(f"Fancy indexing out of range for {extent}")
            if np.any((array < 0) | (array > length)):
                raise error
            self.out.past_end = error  # h5py lets one past the end pass where nothing is selected
        if np.any(array[1:] <= array[:-1]):
            raise TypeError("Indexing elements must be in increasing order")
        return array


def _slice(a, length):
    start, stop, step = a.indices(length)
    if step < 1:
        raise ValueError(f"Step must be >= 1 (got {step})")
    if stop <= start:
        return (0, 1, 0) if stop < start else (start, step, 0)
    return start, step, 1 + (stop - start - 1) // step


def _integer(a, length):
    if a < 0:
        a += length
    if not 0 <= a < length:
        if length == 0:
            raise IndexError(f"Index ({a}) out of range for empty dimension")
        raise IndexError(f"Index ({a}) out of range for (0-{length - 1})")
    return a
