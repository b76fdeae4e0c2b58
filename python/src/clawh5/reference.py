"""References to objects, regions and attributes.

Two generations: the older ones are eight bytes to an object, or twelve to a
region; those of HDF5 1.12 (which h5py does not read) lead to an object, a
region or an attribute, in the same file or in another one.
"""

_REVISED_OBJECT, _REVISED_REGION, _REVISED_ATTRIBUTE = 2, 3, 4
_EXTERNAL = 1
_HEADER = 2  # kind, flags


class Reference:
    """A reference to an object of a file: ``f[ref]`` is that object.

    False if it is null. Two references are equal if they hold the same value.
    """

    __slots__ = ("_raw", "_revised", "_told")
    _kind = "object"

    def __init__(self, raw=b"", revised=False):
        self._raw, self._revised = bytes(raw), revised
        self._told = None  # what one to another file says, once it was followed

    def __bool__(self):
        return bool(self._raw[0]) if self._revised else any(self._raw)

    @property
    def _external(self):
        return self._revised and self._raw[1] & _EXTERNAL != 0

    @property
    def address(self):
        """Where the object's header lies in the file (int); 0 if the reference is null.

        TypeError if the object is in another file, and for references to
        regions and attributes, whose addresses are elsewhere in their file.
        """
        if type(self) is not Reference:
            raise TypeError(f"the address behind this {self._kind} reference is elsewhere in its file: f[ref]")
        if not self._revised:
            return int.from_bytes(self._raw, "little")
        if self._external:
            raise TypeError("the reference leads to another file: f[ref]")
        at = _HEADER + 1
        return int.from_bytes(self._raw[at:at + self._raw[_HEADER]], "little") if self else 0

    def _value(self):
        if not self._revised:
            return self._raw
        if not self:
            return b"\0"
        # What lies behind an address has no meaning.
        inline = self._raw[0] == _REVISED_OBJECT and not self._external
        return self._raw[:_HEADER + 1 + self._raw[_HEADER]] if inline else self._raw

    def __eq__(self, other):
        if not isinstance(other, Reference):
            return NotImplemented
        return type(self) is type(other) and self._value() == other._value()

    def __hash__(self):
        return hash((type(self), self._value()))

    def __reduce__(self):
        return type(self), (self._raw, self._revised)

    def __repr__(self):
        return f"<HDF5 {self._kind} reference{'' if self else ' (null)'}>"


class RegionReference(Reference):
    """A reference to a part of a dataset: ``f[ref]`` is the dataset, ``dataset[ref]`` the part."""

    __slots__ = ()
    _kind = "region"


class AttributeReference(Reference):
    """A reference to an attribute: ``f[ref]`` is its owner, ``f[ref].attrs[ref]`` the value."""

    __slots__ = ()
    _kind = "attribute"


_REVISED = {_REVISED_REGION: RegionReference, _REVISED_ATTRIBUTE: AttributeReference}


def revised(raw):
    """Return the reference that an element of HDF5 1.12's reference datatype is."""
    return _REVISED.get(raw[0], Reference)(raw, True)
