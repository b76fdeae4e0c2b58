"""Dimension scales: what is attached to the dimensions of a dataset."""

import numpy as np

from .mapping import refuse_writing

_CLASS, _NAME, _LIST, _LABELS = "CLASS", "NAME", "DIMENSION_LIST", "DIMENSION_LABELS"


def _text(value):
    """Return an attribute that holds a text as str, '' for anything else."""
    if isinstance(value, np.ndarray):
        value = value.flat[0] if value.size else b""
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    return value if isinstance(value, str) else ""


def is_scale(dataset):
    """Tell whether a dataset is a dimension scale."""
    return _text(dataset.attrs.get(_CLASS)) == "DIMENSION_SCALE"


def scale_name(dataset):
    """Return the name of a dimension scale, '' without one."""
    return _text(dataset.attrs.get(_NAME))


class DimensionProxy:
    """One dimension of a dataset: a mapping of scale names to scales.

    Attributes
    ----------
    label : str
        '' without one.
    """

    def __init__(self, dataset, dimension):
        self._dataset, self._dimension = dataset, dimension

    @property
    def label(self):
        """Label of the dimension, '' without one."""
        labels = self._dataset.attrs.get(_LABELS)
        if not isinstance(labels, np.ndarray) or self._dimension >= len(labels):
            return ""
        return _text(labels[self._dimension])

    label = label.setter(refuse_writing)

    def _references(self):
        if _LIST not in self._dataset.attrs:
            return []
        listed = self._dataset.attrs[_LIST]
        if not isinstance(listed, np.ndarray) or self._dimension >= len(listed):
            return []
        return [ref for ref in listed[self._dimension] if ref]

    def _scale(self, reference):
        return self._dataset.file[reference]

    def __len__(self):
        return len(self._references())

    def __getitem__(self, item):
        """Return the scale at a position (int) or of a name (str)."""
        if isinstance(item, int):
            return self._scale(self._references()[item])
        for scale in self.values():
            if scale_name(scale) == item:
                return scale
        raise KeyError(item)

    def __iter__(self):
        yield from self.keys()

    def items(self):
        """Return (name, Dataset) of each scale."""
        return [(scale_name(scale), scale) for scale in self.values()]

    def keys(self):
        """Return the names of the scales."""
        return [name for name, _ in self.items()]

    def values(self):
        """Return the scales."""
        return [self._scale(reference) for reference in self._references()]

    def __eq__(self, other):
        return (isinstance(other, DimensionProxy) and self._dataset == other._dataset
                and self._dimension == other._dimension)

    def __hash__(self):
        return hash((type(self), self._dataset, self._dimension))

    def __repr__(self):
        if not self._dataset:
            return "<Dimension of closed HDF5 dataset>"
        return f'<"{self.label}" dimension {self._dimension} of HDF5 dataset at {id(self._dataset._desc)}>'

    attach_scale = detach_scale = refuse_writing


class DimensionManager:
    """The dimensions of a dataset, by position."""

    def __init__(self, dataset):
        self._dataset = dataset

    def __getitem__(self, index):
        if index > len(self) - 1:
            raise IndexError("Index out of range")
        return DimensionProxy(self._dataset, index)

    def __len__(self):
        return self._dataset.ndim

    def __iter__(self):
        for i in range(len(self)):
            yield self[i]

    def __repr__(self):
        if not self._dataset:
            return "<Dimensions of closed HDF5 dataset>"
        return f"<Dimensions of HDF5 object at {id(self._dataset._desc)}>"

    create_scale = refuse_writing
