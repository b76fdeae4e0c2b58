"""Wrappers that read a dataset in another way."""

import numpy as np


class AbstractView:
    """What all views have: the shape of their dataset."""

    def __init__(self, dset):
        self._dset = dset

    def __len__(self):
        return len(self._dset)

    @property
    def ndim(self):
        """Number of dimensions."""
        return self._dset.ndim

    @property
    def shape(self):
        """Dimensions (tuple of int); None for a null dataspace."""
        return self._dset.shape

    @property
    def size(self):
        """Number of elements; None for a null dataspace."""
        return self._dset.size

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError(
                f"{type(self).__name__}.__array__ received copy=False but memory allocation cannot be avoided on read")
        return np.asarray(self[()], dtype=dtype or self.dtype)


class AsTypeView(AbstractView):
    """Reads as another dtype."""

    def __init__(self, dset, dtype):
        super().__init__(dset)
        self._dtype = dtype

    @property
    def dtype(self):
        """The dtype that indexing gives."""
        return self._dtype

    def __getitem__(self, args):
        return self._dset.__getitem__(args, new_dtype=self._dtype)


class AsStrView(AbstractView):
    """Reads strings as str."""

    def __init__(self, dset, encoding, errors="strict"):
        super().__init__(dset)
        self.encoding, self.errors = encoding, errors

    @property
    def dtype(self):
        """The dtype of arrays of str: object."""
        return np.dtype(object)

    def __getitem__(self, args):
        values = self._dset[args]
        if np.isscalar(values):
            return values.decode(self.encoding, self.errors)
        out = np.empty(values.size, object)
        out[:] = [v.decode(self.encoding, self.errors) for v in values.flat]
        return out.reshape(values.shape)


def readtime_dtype(basetype, names):
    """Return a compound dtype with some of the fields of another.

    Raises
    ------
    ValueError
        It is no compound, or has no such field.
    """
    if basetype.names is None:
        raise ValueError("Field names only allowed for compound types")
    for name in names:
        if name not in basetype.names:
            raise ValueError(f"Field {name} does not appear in this type.")
    return np.dtype([(name, basetype.fields[name][0]) for name in names])


class FieldsView(AbstractView):
    """Reads fields of a compound."""

    def __init__(self, dset, prior_dtype, names):
        super().__init__(dset)
        self.extract_field = names if isinstance(names, str) else None
        self.read_dtype = readtime_dtype(prior_dtype, [names] if isinstance(names, str) else list(names))

    @property
    def dtype(self):
        """The dtype that indexing gives: a compound, or that of the one field."""
        return self.read_dtype if self.extract_field is None else self.read_dtype[self.extract_field]

    def __getitem__(self, args):
        values = self._dset._read_fields(args, self.read_dtype)
        return values if self.extract_field is None else values[self.extract_field]


class ChunkIterator:
    """Iterates over the parts of a selection that lie in one chunk each."""

    def __init__(self, dset, source_sel=None):
        if not dset.chunks:
            raise TypeError("Chunked dataset required")
        shape, self._chunks = dset.shape, dset.chunks
        if source_sel is None:
            source_sel = tuple(slice(0, n) for n in shape)
        elif isinstance(source_sel, (slice, int)):
            source_sel = (source_sel,)
        if len(source_sel) != len(shape):
            raise ValueError("Invalid selection - selection region must have same rank as dataset")
        self._bounds = []
        for s, n in zip(source_sel, shape):
            start, stop = (s, s + 1) if isinstance(s, int) else (s.start or 0, s.stop or n)
            if start < 0 or stop > n or stop <= start:
                raise ValueError("Invalid selection - selection region must be within dataset space")
            self._bounds.append((start, stop))
        self._next = self._generate(0, ())

    def _generate(self, dim, before):
        if dim == len(self._bounds):
            yield before
            return
        (start, stop), chunk = self._bounds[dim], self._chunks[dim]
        for first in range(start // chunk * chunk, stop, chunk):
            part = slice(max(first, start), min(first + chunk, stop), 1)
            yield from self._generate(dim + 1, before + (part,))

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._next)
