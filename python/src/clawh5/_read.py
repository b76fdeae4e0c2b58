"""Reading elements of datasets into numpy arrays."""

import ctypes
import functools
import struct

import numpy as np

from . import _ffi, h5t
from ._calls import Operation, check
from ._dtype import MEMORY_TYPES, Number
from ._lib import load, state
from ._selection import everything

# Local reads up to this size are one blocking call; above, Ctrl-C must act.
BLOCKING_BYTES = 4 << 20
_MANY = 32

_addressof, _from_buffer, _empty = ctypes.addressof, ctypes.c_char.from_buffer, np.empty


class SlabReader:
    """The short way for slices and integers of a local dataset of numbers.

    ``read`` returns None where the long way must be taken: unusual
    expressions, large results, and everything that is to raise.
    """

    __slots__ = ("_handle", "_dims", "_rank", "_dtype", "_pack", "_whole")

    def __init__(self, handle, dims, dtype):
        self._handle, self._dims, self._rank, self._dtype = handle, dims, len(dims), dtype
        self._pack = struct.Struct(f"={3 * len(dims)}Q").pack
        self._whole = [0] * len(dims) + [1] * len(dims) + list(dims)

    def stale(self):
        """Tell whether its handle is of a library that this process cannot use."""
        return self._handle.generation != state.generation

    def read(self, args):
        if type(args) is not tuple:
            args = (args,)
        rank, dims, numbers = self._rank, self._dims, self._whole.copy()
        if len(args) > rank:
            return None
        shape, at = [], 0
        for a in args:
            if type(a) is slice:
                start, stop, step = a.indices(dims[at])
                if step < 1 or stop <= start:
                    return None
                numbers[at] = start
                numbers[at + rank] = step
                start = numbers[at + 2 * rank] = (stop - start - 1) // step + 1
                shape.append(start)
            elif type(a) is int:
                if a < 0:
                    a += dims[at]
                if not 0 <= a < dims[at]:
                    return None
                numbers[at] = a
                numbers[at + 2 * rank] = 1
            else:
                return None
            at += 1
        if at < rank:
            shape += dims[at:]
        out = _empty(shape, self._dtype)
        size = out.nbytes
        handle = self._handle
        if not 0 < size <= BLOCKING_BYTES or handle.generation != state.generation:
            return None
        if state.functions.fast_read_slab(
                handle.id, rank, self._pack(*numbers), 0, _addressof(_from_buffer(out)), size, None):
            return None
        return out if shape else out[()]


def fast_reader(conn, description):
    """Return a SlabReader for a dataset, None if it is not of that sort."""
    codec = description.codec
    if conn.remote or type(codec) is not Number or not description.shape or codec.dtype.metadata:
        return None
    return SlabReader(conn.object(description), description.shape, codec.result)


def _start(conn, description, selection, memory, out):
    chosen = None if selection is None else selection.struct()
    return Operation("clawh5_read_start", conn.object(description).id, chosen, memory, out.ctypes.data, out.nbytes,
                     keep=out)


def fill(conn, description, selection, memory, out, progress=None):
    """Read a selection (None: of a scalar dataset) into ``out``; return the heap.

    Parameters
    ----------
    out : C-contiguous array of exactly the selection's bytes
    """
    if out.nbytes == 0:
        return b""
    variable = description.codec.variable
    if conn.remote or variable or out.nbytes > BLOCKING_BYTES or progress is not None:
        with _start(conn, description, selection, memory, out) as op:
            op.wait(progress)
            return op.copy(op.result()[1]) if variable else b""
    opened, err = conn.object(description), _ffi.Error()
    if selection is not None and selection.simple:
        status = load().clawh5_read_slab(
            opened.id, len(selection.start), selection.slab(), memory, out.ctypes.data, out.nbytes, err)
    else:
        chosen = None if selection is None else selection.struct()
        status = load().clawh5_read(opened.id, chosen, memory, out.ctypes.data, out.nbytes, err)
    check(status, err)
    return b""


def _memory_type(dtype):
    """Return the HDF5 type of a numpy dtype in memory, None if HDF5 does not convert to it."""
    if dtype.names is None:
        return _number_type(dtype) if dtype.kind in "iufc" else None
    return None if dtype.hasobject else _created(dtype)


def _created(dtype):
    try:
        return h5t.py_create(dtype)
    except TypeError:
        return None


# Not for structures: their dtypes may be equal and differ in what they say of strings.
_number_type = functools.lru_cache(maxsize=64)(_created)


def fill_as(conn, description, selection, dtype, out, progress=None):
    """Read a selection into ``out``, an array of ``dtype``; return False if HDF5 has no such conversion.

    Fields of ``out`` that the file has not stay as they are.
    """
    memory = _memory_type(dtype)
    if memory is None:
        return False
    opened, chosen, err = conn.object(description), None if selection is None else selection.struct(), _ffi.Error()
    destination = out.ctypes.data, out.nbytes
    try:
        if conn.remote or out.nbytes > BLOCKING_BYTES or progress is not None:
            with Operation("clawh5_read_as_start", opened.id, chosen, memory.id, *destination, keep=out) as op:
                op.wait(progress)
        else:
            check(load().clawh5_read_as(opened.id, chosen, memory.id, *destination, err), err)
    except TypeError:
        return False
    return True


def memory_for(codec, dtype):
    """Return the memory type that converts numbers of ``codec`` to ``dtype``, None if there is none."""
    if not codec.number:
        return None
    return MEMORY_TYPES.get(f"{dtype.kind}{dtype.itemsize}")


def read(conn, description, selection, dtype=None, names=None, progress=None):
    """Return the selected elements as an array (0-d for a scalar dataset).

    Parameters
    ----------
    selection : Selection or None
        None for a scalar dataset.
    dtype : numpy.dtype, optional
        Convert to it: by HDF5's rules where it has a conversion, else by numpy's.
    names : numpy.dtype, optional
        Read these fields of a compound only.
    """
    codec = description.codec
    shape = () if selection is None else selection.out_shape
    if dtype is not None:
        memory = memory_for(codec, dtype)
        if memory is not None:
            out = np.empty(shape, dtype.newbyteorder("="))
            fill(conn, description, selection, memory, out, progress)
            return out if dtype.isnative else out.astype(dtype)
        out = np.zeros(shape, dtype)
        if fill_as(conn, description, selection, dtype, out, progress):
            return out
    if codec.direct and names is None:
        out = np.empty(shape, codec.result)
        fill(conn, description, selection, _ffi.MEMORY_FILE, out, progress)
        codec.finish(out)
    elif dtype is None and names is None and _converted(conn, description, selection, out := np.zeros(shape, codec.dtype), progress):
        return out
    else:
        raw = np.empty(shape, codec.raw)
        heap = fill(conn, description, selection, _ffi.MEMORY_FILE, raw, progress)
        out = codec.decode(raw, heap) if names is None else codec.decode(raw, heap, names)
    return out if dtype is None else convert(out, dtype)


def _converted(conn, description, selection, out, progress):
    """Read as the dtype that users see, where the library has a conversion; tell whether it has."""
    return not description.codec.variable and fill_as(conn, description, selection, out.dtype, out, progress)


def convert(array, dtype):
    """Return an array as another dtype where the library has no conversion for it.

    Raises
    ------
    TypeError
        There is no sensible conversion, as between texts and numbers.
    """
    kind, target = array.dtype.kind, dtype.kind
    if kind in "SO" and target == "T":
        if not all(isinstance(v, bytes) for v in array.flat):
            raise TypeError(f"cannot convert {array.dtype} to {dtype}")
        return np.array([v.decode() for v in array.flat], dtype).reshape(array.shape)
    if kind in "iufb" and target in "iu":
        limits = np.iinfo(dtype)
        if kind == "f":
            array = np.nan_to_num(array, nan=0.0, posinf=np.inf, neginf=-np.inf)
        low = array < limits.min if kind in "if" else np.False_
        high = array > limits.max if kind in "iuf" else np.False_
        with np.errstate(invalid="ignore"):
            out = array.astype(dtype)
        return np.where(low, dtype.type(limits.min), np.where(high, dtype.type(limits.max), out)).astype(dtype)
    text = "SO"
    if (kind in text) != (target in text) and kind != target:
        raise TypeError(f"cannot convert {array.dtype} to {dtype}")
    return array.astype(dtype)


def read_many(pairs, progress=None):
    """Read (dataset, selection) pairs, up to 32 at once; return the values in order."""
    out = [None] * len(pairs)
    for first in range(0, len(pairs), _MANY):
        _read_batch(pairs[first:first + _MANY], out, first, progress)
    return out


def _read_batch(pairs, out, first, progress):
    under_way = []
    try:
        for dataset, args in pairs:
            under_way.append(_begin(dataset, args))
        for i, (dataset, selection, raw, op, args) in enumerate(under_way):
            if op is None:
                out[first + i] = dataset[args]
                continue
            op.wait(progress)
            codec = dataset._desc.codec
            heap = op.copy(op.result()[1]) if codec.variable else b""
            value = codec.decode(raw, heap)
            out[first + i] = value if selection is not None and selection.out_shape else value[()]
    finally:
        for *_, op, _ in under_way:
            if op is not None:
                op.free()


def _begin(dataset, args):
    """Start one read; without an operation if it is of an unusual sort."""
    plain = dataset._plain_selection(args)
    if plain is None or plain.size == 0:
        return dataset, None, None, None, args
    codec = dataset._desc.codec
    raw = np.empty(plain.out_shape, codec.raw)
    op = _start(dataset._conn, dataset._desc, plain, _ffi.MEMORY_FILE, raw)
    return dataset, plain, raw, op, args


def whole(description):
    """Return the selection of all elements, None for a scalar dataset."""
    return everything(description.shape) if description.shape else None
