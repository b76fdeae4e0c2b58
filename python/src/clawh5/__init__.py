"""Read HDF5 and netCDF-4 files from disks, memory and HTTP servers.

Code written for h5py in mode 'r' runs with ``import clawh5 as h5py``::

    f = clawh5.File("https://example.org/data.h5")
    f["temperature"][0, 10:20, ::2]

Beyond h5py: URLs; File.stats, File.tree, File.read_many; Dataset.plan,
Dataset.read with progress; pickling, and use in forked processes; references of
HDF5 1.12; dtype_to_text and text_to_dtype.

h5t, h5d, h5s, h5p, h5r, h5ds and h5z have what of h5py's low-level modules is
asked when reading. Exceptions are builtin ones or subclasses of them.
"""

from . import h5d, h5ds, h5p, h5r, h5s, h5t, h5z
from ._errors import (
    CancelledError, ChangedError, CorruptError, FileFormatError, FileWarning, ForkError, InternalError,
    LimitError, LinkRefusedError, NotHDF5Error, ObjectNotFoundError, UnavailableError, UnsupportedError,
)
from ._selection import MultiBlockSlice
from .attrs import AttributeManager
from .base import HLObject
from .dataset import Dataset
from .datatype import Datatype
from .file import File, is_hdf5
from .group import Group
from .h5s import UNLIMITED
from .h5t import dtype_to_text, text_to_dtype
from .links import ExternalLink, HardLink, SoftLink
from .mapping import Empty
from .reference import AttributeReference, Reference, RegionReference
from .special import (
    check_complex_dtype, check_dtype, check_enum_dtype, check_opaque_dtype, check_ref_dtype, check_string_dtype,
    check_vlen_dtype, complex_compat_dtype, enum_dtype, opaque_dtype, ref_dtype, regionref_dtype, special_dtype,
    string_dtype, vlen_dtype,
)

__version__ = "0.1.0"

__all__ = [
    "AttributeManager", "AttributeReference", "CancelledError", "ChangedError", "CorruptError", "Dataset", "Datatype",
    "Empty", "ExternalLink", "File", "FileFormatError", "FileWarning", "ForkError", "Group", "HLObject", "HardLink",
    "InternalError", "LimitError", "LinkRefusedError", "MultiBlockSlice", "NotHDF5Error", "ObjectNotFoundError",
    "Reference", "RegionReference", "SoftLink", "UNLIMITED", "UnavailableError", "UnsupportedError",
    "check_complex_dtype", "check_dtype", "check_enum_dtype", "check_opaque_dtype", "check_ref_dtype",
    "check_string_dtype", "check_vlen_dtype", "complex_compat_dtype", "dtype_to_text", "enum_dtype", "h5d", "h5ds",
    "h5p", "h5r", "h5s", "h5t", "h5z", "is_hdf5", "opaque_dtype", "ref_dtype", "regionref_dtype", "special_dtype",
    "string_dtype", "text_to_dtype", "vlen_dtype",
]
