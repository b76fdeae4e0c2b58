"""Stand-ins for h5py's low-level identifiers, as far as other packages use them."""

import ctypes
import json
from collections import namedtuple

from . import _ffi, h5t
from ._calls import check, handle
from ._connection import Handle
from ._lib import load

StoreInfo = namedtuple("StoreInfo", "chunk_offset filter_mask byte_offset size")

COMPACT, CONTIGUOUS, CHUNKED, VIRTUAL = range(4)
SCALAR, SIMPLE, NULL = range(3)
UNLIMITED = 2**64 - 1

_LAYOUTS = {"compact": COMPACT, "contiguous": CONTIGUOUS, "chunked": CHUNKED, "virtual": VIRTUAL}
_SPACES = {"scalar": SCALAR, "simple": SIMPLE, "null": NULL}
_TRACKED, _INDEXED = 1, 2


def make(obj):
    """Return the identifier of an object."""
    return {"group": GroupID, "dataset": DatasetID, "datatype": NamedTypeID}[obj._desc.kind](obj)


class ObjectID:
    """An identifier: false once the file is closed."""

    def __init__(self, obj):
        self._obj = obj

    @property
    def id(self):
        """The handle of the library (int)."""
        return self._obj._conn.object(self._obj._desc).id

    @property
    def valid(self):
        return bool(self._obj)

    @property
    def name(self):
        return self._obj.name.encode()

    def get_create_plist(self):
        """Return how the object was created."""
        return PropertyList(self._obj._desc.raw)

    def __bool__(self):
        return bool(self._obj)

    def __eq__(self, other):
        return isinstance(other, ObjectID) and self._obj == other._obj

    def __hash__(self):
        return hash(self._obj)


class GroupID(ObjectID):
    """Of a group."""

    def get_num_objs(self):
        return len(self._obj)


class NamedTypeID(ObjectID):
    """Of a named datatype: with the methods of its ``h5t.TypeID``."""

    @property
    def dtype(self):
        return self._obj.dtype

    def get_type(self):
        return _type_of(self._obj)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.get_type(), name)


class DatasetID(ObjectID):
    """Of a dataset; offsets and sizes in bytes."""

    @property
    def dtype(self):
        return self._obj.dtype

    @property
    def shape(self):
        return self._obj.shape

    @property
    def rank(self):
        return self._obj.ndim

    def get_type(self):
        return _type_of(self._obj)

    def get_space(self):
        return SpaceID(self._obj)

    def get_offset(self):
        """Return where contiguous data lies in the file, None for other layouts."""
        return self._obj._desc.layout.get("offset")

    def get_storage_size(self):
        """Return the stored bytes of the data."""
        layout = self._obj._desc.layout["class"]
        if layout == "chunked":
            return sum(chunk[1] for chunk in self._chunks())
        if layout == "virtual" or layout == "contiguous" and self.get_offset() is None:
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
        """Return how many chunks are stored."""
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

    def chunk_iter(self, func):
        """Call ``func(StoreInfo)`` for every stored chunk until it returns something."""
        for chunk in self._chunks():
            result = func(_store_info(chunk))
            if result is not None:
                return result
        return None


def _type_of(obj):
    """Return the TypeID of a dataset's elements or of a named datatype."""
    conn, description = obj._conn, obj._desc
    if description.kind == "dataset":
        return h5t.of_file(Handle(handle("clawh5_dataset_datatype", conn.object(description).id)))
    return h5t.of_file(Handle(handle("clawh5_datatype_open", conn.object(description).id, b".")))


def _store_info(chunk):
    return StoreInfo(tuple(chunk[3:]), chunk[2], chunk[0], chunk[1])


class SpaceID:
    """A dataspace."""

    def __init__(self, dataset):
        self._dataset = dataset

    @property
    def shape(self):
        return self._dataset.shape

    def get_simple_extent_type(self):
        return _SPACES[self._dataset._desc.raw["space"]]

    def get_simple_extent_ndims(self):
        return self._dataset.ndim

    def get_simple_extent_npoints(self):
        return self._dataset.size or 0

    def get_simple_extent_dims(self, maxdims=False):
        if not maxdims:
            return self._dataset.shape
        return tuple(UNLIMITED if n is None else n for n in self._dataset.maxshape)


class PropertyList:
    """How an object was created."""

    def __init__(self, raw):
        self._raw = raw

    def get_layout(self):
        return _LAYOUTS[self._raw["layout"]["class"]]

    def get_chunk(self):
        return tuple(self._raw["layout"]["chunks"])

    def get_nfilters(self):
        return len(self._raw.get("filters", ()))

    def get_filter(self, index):
        """Return (number, flags, parameters, name)."""
        f = self._raw["filters"][index]
        return f["id"], int(f["optional"]), tuple(f["params"]), f["name"].encode("utf-8", "surrogateescape")

    def get_external_count(self):
        return len(self._raw["layout"].get("external_files", ()))

    def fill_value_defined(self):
        """Return 0 (undefined), 1 (default) or 2 (defined by the user)."""
        return {"undefined": 0, "default": 1, "defined": 2}[self._raw["fill"]["state"]]

    def get_attr_creation_order(self):
        return _TRACKED if self._raw.get("attributes_tracked") else 0

    def get_link_creation_order(self):
        tracked = _TRACKED if self._raw.get("links_tracked") else 0
        return tracked | (_INDEXED if self._raw.get("links_indexed") else 0)

    def close(self):
        """Do nothing."""
