"""Named (committed) datatypes."""

from .base import HLObject


class Datatype(HLObject):
    """A datatype stored in a file under a name.

    Attributes
    ----------
    dtype : numpy.dtype
    """

    __slots__ = ()

    @property
    def dtype(self):
        """The numpy equivalent. TypeError if there is none."""
        return self._desc.codec.dtype

    def __repr__(self):
        if not self:
            return "<Closed HDF5 named type>"
        name = self._base_name()
        shown = '("anonymous")' if name is None else f'"{name}"'
        return f"<HDF5 named type {shown} (dtype {self.dtype.str})>"
