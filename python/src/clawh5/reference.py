"""Object and region references."""


class Reference:
    """A reference to an object of a file: ``f[ref]`` is that object.

    False if it is null. Two references are equal if they hold the same value.
    """

    __slots__ = ("_raw",)
    _kind = "object"

    def __init__(self, raw=b""):
        self._raw = bytes(raw)

    def __bool__(self):
        return any(self._raw)

    @property
    def address(self):
        """Where the object's header lies in the file (int)."""
        return int.from_bytes(self._raw, "little")

    def __eq__(self, other):
        if not isinstance(other, Reference):
            return NotImplemented
        return type(self) is type(other) and self._raw == other._raw

    def __hash__(self):
        return hash((type(self), self._raw))

    def __reduce__(self):
        return type(self), (self._raw,)

    def __repr__(self):
        return f"<HDF5 {self._kind} reference{'' if self else ' (null)'}>"


class RegionReference(Reference):
    """A reference to a part of a dataset: ``f[ref]`` is the dataset, ``dataset[ref]`` the part."""

    __slots__ = ()
    _kind = "region"

    @property
    def address(self):
        raise TypeError("the address behind a region reference is in its file: f[ref]")
