"""Stand-ins for h5py's low-level identifiers, as far as other packages use them."""

from . import h5t
from ._calls import handle
from ._connection import Handle


def make(obj):
    """Return the identifier of an object."""
    from .h5d import DatasetID

    if obj._desc.kind == "datatype":
        return type_of(obj)
    return {"group": GroupID, "dataset": DatasetID}[obj._desc.kind](obj)


def type_of(obj):
    """Return the TypeID of a dataset's elements or of a named datatype."""
    opened = obj._conn.object(obj._desc).id
    if obj._desc.kind == "dataset":
        return h5t.of_file(Handle(handle("clawh5_dataset_datatype", opened)))
    return h5t.of_file(Handle(handle("clawh5_datatype_open", opened, b".")))


class ObjectID:
    """An identifier: false once the file is closed.

    Attributes
    ----------
    id : int
    valid : bool
    """

    def __init__(self, obj):
        self._obj = obj

    @property
    def id(self):
        """The handle of the library (int)."""
        return self._obj._conn.object(self._obj._desc).id

    @property
    def valid(self):
        """Whether the file is open."""
        return bool(self._obj)

    def get_create_plist(self):
        """Return how the object was created (h5p.PropertyList)."""
        from .h5p import PropertyList

        return PropertyList(self._obj)

    def close(self):
        """Do nothing: the object is closed when the last reference to it is gone."""

    def __bool__(self):
        return bool(self._obj)

    def __eq__(self, other):
        return isinstance(other, ObjectID) and self._obj == other._obj

    def __hash__(self):
        return hash(self._obj)


class GroupID(ObjectID):
    """The identifier of a group."""

    def get_num_objs(self):
        """Return the number of links."""
        return len(self._obj)
