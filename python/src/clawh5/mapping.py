"""Read-only mappings and empty values, as h5py shows them."""

import io
from collections.abc import ItemsView, KeysView, Mapping, ValuesView

import numpy as np


class Empty:
    """The value of a null dataspace: a dtype without shape or data."""

    shape = None
    size = None

    def __init__(self, dtype):
        self.dtype = np.dtype(dtype)

    def __eq__(self, other):
        return isinstance(other, Empty) and self.dtype == other.dtype

    def __hash__(self):
        return hash((Empty, self.dtype))

    def __repr__(self):
        return f"Empty(dtype={self.dtype!r})"


def refuse_writing(*args, **kwds):
    """Raise: files are read only."""
    raise io.UnsupportedOperation("clawh5 reads files; it does not write them")


class KeysViewHDF5(KeysView):
    """The names of a mapping."""

    def __str__(self):
        return f"<KeysViewHDF5 {list(self)}>"

    def __reversed__(self):
        return reversed(self._mapping)

    __repr__ = __str__


class ValuesViewHDF5(ValuesView):
    """The values of a mapping; None for a link that leads nowhere."""

    def __contains__(self, value):
        return any(value == v for v in self)

    def __iter__(self):
        for key in self._mapping:
            yield self._mapping.get(key)

    def __reversed__(self):
        for key in reversed(self._mapping):
            yield self._mapping.get(key)


class ItemsViewHDF5(ItemsView):
    """The pairs of name and value of a mapping."""

    def __contains__(self, item):
        key, value = item
        return key in self._mapping and value == self._mapping.get(key)

    def __iter__(self):
        for key in self._mapping:
            yield key, self._mapping.get(key)

    def __reversed__(self):
        for key in reversed(self._mapping):
            yield key, self._mapping.get(key)


class MappingHDF5(Mapping):
    """A read-only mapping whose views show themselves as h5py's do."""

    __slots__ = ()

    def keys(self):
        """Return a view of the names."""
        return KeysViewHDF5(self)

    def values(self):
        """Return a view of the values."""
        return ValuesViewHDF5(self)

    def items(self):
        """Return a view of the pairs of name and value."""
        return ItemsViewHDF5(self)

    def _ipython_key_completions_(self):
        return sorted(self.keys())
