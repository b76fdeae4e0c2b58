"""Datasets below their elements, in the manner of ``h5py.h5d``: layouts, and where chunks lie."""

import ctypes
import json
from collections import namedtuple

from . import _ffi
from ._calls import check
from ._ids import ObjectID, type_of
from ._lib import load
from .h5s import SpaceID

COMPACT, CONTIGUOUS, CHUNKED, VIRTUAL = range(4)
ALLOC_TIME_DEFAULT, ALLOC_TIME_EARLY, ALLOC_TIME_LATE, ALLOC_TIME_INCR = range(4)
FILL_TIME_ALLOC, FILL_TIME_NEVER, FILL_TIME_IFSET = range(3)
FILL_VALUE_UNDEFINED, FILL_VALUE_DEFAULT, FILL_VALUE_USER_DEFINED = range(3)

StoreInfo = namedtuple("StoreInfo", "chunk_offset filter_mask byte_offset size")


class DatasetID(ObjectID):
    """The identifier of a dataset; offsets and sizes in bytes.

    Attributes
    ----------
    dtype : numpy.dtype
    shape : tuple of int, or None
    rank : int
    """

    @property
    def dtype(self):
        """The numpy dtype of the elements."""
        return self._obj.dtype

    @property
    def shape(self):
        """Dimensions (tuple of int); None for a null dataspace."""
        return self._obj.shape

    @property
    def rank(self):
        """Number of dimensions."""
        return self._obj.ndim

    def get_type(self):
        """Return the datatype in the file (h5t.TypeID)."""
        return type_of(self._obj)

    def get_space(self):
        """Return the dataspace (h5s.SpaceID)."""
        dataset = self._obj
        return SpaceID(dataset._desc.raw["space"], dataset.shape, dataset.maxshape)

    def get_offset(self):
        """Return where contiguous data lies in the file, None for other layouts."""
        return self._obj._desc.layout.get("offset")

    def get_storage_size(self):
        """Return the stored bytes of the data."""
        layout = self._obj._desc.layout
        if layout["class"] == "chunked":
            return sum(chunk[1] for chunk in self._chunks())
        absent = self.get_offset() is None and not layout.get("external")
        if layout["class"] == "virtual" or layout["class"] == "contiguous" and absent:
            return 0
        info, err = _ffi.TypeInfo(struct_size=ctypes.sizeof(_ffi.TypeInfo)), _ffi.Error()
        check(load().clawh5_dataset_type(self.id, info, err), err)
        return (self._obj.size or 0) * info.file_size

    def _chunks(self):
        description = self._obj._desc
        known = description.__dict__.get("chunk_list")
        if known is None:
            if description.layout["class"] != "chunked":
                raise RuntimeError("Can't get chunks (not a chunked dataset)")
            text = self._obj._conn.text("clawh5_chunks", self.id)
            known = description.__dict__["chunk_list"] = json.loads(text)["chunks"]
        return known

    def get_num_chunks(self, space=None):
        """Return how many chunks are stored. RuntimeError unless chunked."""
        return len(self._chunks())

    def get_chunk_info(self, index, space=None):
        """Return the StoreInfo of a stored chunk, counted in C order of its coordinates."""
        chunks = self._chunks()
        if not 0 <= index < len(chunks):
            raise ValueError(f"chunk {index} of {len(chunks)}")
        return _store_info(chunks[index])

    def get_chunk_info_by_coord(self, chunk_offset):
        """Return the StoreInfo of the chunk that starts at an element; empty if it is not stored."""
        for chunk in self._chunks():
            if tuple(chunk[3:]) == tuple(chunk_offset):
                return _store_info(chunk)
        return StoreInfo(None, 0, None, 0)

    def chunk_iter(self, func, dxpl=None):
        """Call ``func(StoreInfo)`` for every stored chunk until it returns something; return that."""
        for chunk in self._chunks():
            result = func(_store_info(chunk))
            if result is not None:
                return result
        return None


def _store_info(chunk):
    return StoreInfo(tuple(chunk[3:]), chunk[2], chunk[0], chunk[1])
