"""What files, groups, datasets and named types have in common."""

import posixpath

from .attrs import AttributeManager
from .reference import Reference


class HLObject:
    """An object of a file.

    Attributes
    ----------
    name : str or None
        Path from the root.
    file : File
    parent : Group
    attrs : AttributeManager
    ref : Reference
    """

    __slots__ = ("_conn", "_desc", "_name", "__weakref__")

    def __init__(self, conn, description, name):
        self._conn, self._desc, self._name = conn, description, name

    @property
    def name(self):
        """Path from the root (str); found by a search for what a reference led to."""
        if self._name is None:
            from .group import find_path

            self._name = find_path(self._conn, self._desc.address)
        return self._name

    @property
    def file(self):
        """The File this object belongs to."""
        from .file import File

        return File._of(self._conn)

    @property
    def parent(self):
        """The group this object was reached through. ValueError if it has no name."""
        if self.name is None:
            raise ValueError("Parent of an anonymous object is undefined")
        return self.file[posixpath.dirname(self.name)]

    @property
    def attrs(self):
        """The attributes of this object."""
        return AttributeManager(self._conn, self._desc)

    @property
    def ref(self):
        """An object reference to this object."""
        return Reference(self._desc.address.to_bytes(self._conn.info["superblock"]["size_of_offsets"], "little"))

    @property
    def regionref(self):
        """Shapes of what region references lead to: ``regionref.shape(ref)``, ``regionref.selection(ref)``."""
        from ._region import RegionProxy

        return RegionProxy(self._conn)

    @property
    def id(self):
        """What h5py's low-level identifier tells: h5d.DatasetID, h5t.TypeID, or one of a group."""
        from ._ids import make

        return make(self)

    def __bool__(self):
        return not self._conn.closed

    def __eq__(self, other):
        if not isinstance(other, HLObject):
            return NotImplemented
        return self._desc.address == other._desc.address and self._conn.key == other._conn.key

    def __hash__(self):
        return hash((self._conn.key, self._desc.address))

    def __reduce__(self):
        return _restore, (type(self), self._conn, self._desc.address, self._name)

    def _base_name(self):
        name = self.name
        if name is None:
            return None
        return posixpath.basename(posixpath.normpath(name)) or "/"


def _restore(cls, conn, address, name):
    from .group import object_at

    return object_at(conn, address, name)


def join(base, parts):
    """Return a path: ``base`` (None for unknown) with ``parts`` below it."""
    if base is None:
        return None
    if not parts:
        return base
    return base.rstrip("/") + "/" + "/".join(parts)


def split(path):
    """Return the components of a path, without empty ones and '.'."""
    return [p for p in path.split("/") if p and p != "."]
