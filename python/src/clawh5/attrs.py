"""Attributes of objects."""

import json

import numpy as np

from . import _ffi, h5t
from ._calls import handle
from ._connection import Handle, decode, encode
from ._describe import Types, parse
from ._errors import ObjectNotFoundError
from ._region import about
from ._values import decode_data, decode_scalar
from .h5s import SpaceID
from .mapping import Empty, MappingHDF5, refuse_writing
from .reference import AttributeReference
from .special import check_string_dtype

_PATIENCE = 2


class AttributeManager(MappingHDF5):
    """The attributes of an object: a mapping of names to values.

    Values are as h5py gives them: numpy scalars and arrays, str for
    variable-length strings, numpy.bytes_ for fixed-length ones, Empty for null
    dataspaces. In the order of creation where the file tracks it, else by name.
    """

    __slots__ = ("_conn", "_desc")

    def __init__(self, conn, description):
        self._conn, self._desc = conn, description

    def _all(self):
        """Return name -> (ATTRIBUTE, Types) of all attributes, values included."""
        known = self._desc.attributes
        if known is None:
            known = self._fetch()
        return known

    def _fetch(self):
        conn, description = self._conn, self._desc
        listing = description.listing
        if listing is not None and not listing.with_attributes:
            listing.attribute_misses += 1
            if listing.attribute_misses > _PATIENCE and self._fetch_siblings(listing):
                return description.attributes
        _, text = conn.describe(conn.object(description), b".", _ffi.DESCRIBE_ATTRIBUTES | _ffi.DESCRIBE_VALUES)
        objects, types = parse(text)
        description.learn_attributes(objects[0], types)
        return description.attributes

    def _fetch_siblings(self, listing):
        """Fetch the attributes of everything in the same group in one call."""
        from .group import load_children, object_at

        load_children(self._conn, object_at(self._conn, listing.address)._desc, listing, True)
        return self._desc.attributes is not None

    def __getitem__(self, name):
        """Return a value, of the attribute of a name or that an AttributeReference leads to.

        KeyError if there is no such attribute.
        """
        if isinstance(name, AttributeReference):
            name = about(self._conn, name)["attribute"]
        try:
            attribute, types = self._all()[name]
        except KeyError:
            if isinstance(name, bytes):
                return self[name.decode("utf-8", "surrogateescape")]
            encode(name)
            raise ObjectNotFoundError(f"Unable to open attribute (can't locate attribute: {name!r})") from None
        codec = types.codec(attribute["type"])
        if attribute["space"] == "null":
            return Empty(codec.dtype)
        value = attribute.get("value")
        if value is None or "error" in value:
            return self._alone(name)
        return _value(codec, attribute, value)

    def _alone(self, name):
        """Fetch one attribute by itself, for its value or the error that tells what is wrong."""
        conn = self._conn
        document = json.loads(conn.text("clawh5_attribute", conn.object(self._desc).id, encode(name)))
        attribute = document["attribute"]
        value = attribute.get("value") or {}
        if "error" in value:
            raise OSError(value["error"])
        return _value(Types(document["types"]).codec(attribute["type"]), attribute, value)

    def __iter__(self):
        for name in self._all():
            yield decode(name)

    def __reversed__(self):
        for name in reversed(self._all()):
            yield decode(name)

    def __len__(self):
        count = self._desc.raw.get("nattributes")
        return len(self._all()) if count is None else count

    def __contains__(self, name):
        return encode(name).decode("utf-8", "surrogateescape") in self._all()

    def get_id(self, name):
        """Return the AttributeID of an attribute, which tells its dtype and shape. KeyError if there is none."""
        if name not in self:
            raise ObjectNotFoundError(f"Unable to open attribute (can't locate attribute: {name!r})")
        return AttributeID(self._conn, self._desc, name, *self._all()[name])

    def __repr__(self):
        if self._conn.closed:
            return "<Attributes of closed HDF5 object>"
        return f"<Attributes of HDF5 object at {id(self._desc)}>"

    __setitem__ = __delitem__ = create = modify = refuse_writing
    pop = popitem = clear = update = setdefault = refuse_writing


def _value(codec, attribute, value):
    if attribute["space"] == "scalar":
        scalar = decode_scalar(codec, value)
        if scalar is not None:
            return scalar
    array = decode_data(codec, tuple(attribute["shape"]), value)
    base = codec.dtype.base
    if base.kind == "O":
        info = check_string_dtype(base)
        if info is not None and info.length is None:
            if array.ndim == 0:
                return array[()].decode("utf-8", "surrogateescape")
            texts = np.empty(array.size, base)
            texts[:] = [v.decode("utf-8", "surrogateescape") for v in array.flat]
            return texts.reshape(array.shape)
    return array if array.ndim else array[()]


class AttributeID:
    """What h5py's low-level attribute identifier tells.

    Attributes
    ----------
    name : bytes
    dtype : numpy.dtype
    shape : tuple of int, or None for a null dataspace
    """

    def __init__(self, conn, description, name, attribute, types):
        self._conn, self._desc, self._facts, self._types = conn, description, attribute, types
        self.name = encode(name)
        self.shape = None if attribute["space"] == "null" else tuple(attribute["shape"])

    @property
    def dtype(self):
        """The numpy dtype of the value. TypeError if there is none."""
        return self._types.codec(self._facts["type"]).dtype

    def get_name(self):
        """Return the name (bytes)."""
        return self.name

    def get_space(self):
        """Return the dataspace (h5s.SpaceID)."""
        return SpaceID(self._facts["space"], self.shape)

    def get_type(self):
        """Return the datatype in the file (h5t.TypeID)."""
        return h5t.of_file(Handle(handle("clawh5_attribute_datatype", self._conn.object(self._desc).id, self.name)))
