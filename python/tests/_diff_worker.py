"""Jobs of the differential tests: describe one file with one reader."""
import importlib
import os
from pathlib import Path

os.environ.setdefault("HDF5_USE_FILE_LOCKING", "FALSE")

import _canon
from _env import open_file


def describe(reader, location, options=None, max_bytes=1 << 29):
    """The description of a file, or the Failure to open it."""
    reader = importlib.import_module(reader)
    if reader.__name__ == "h5py":
        import hdf5plugin  # noqa: F401  registers its filters with libhdf5
    if "://" not in location:
        os.chdir(Path(location).parent)
    file = _canon.attempt(lambda: open_file(location, reader, **(options or {})))
    if isinstance(file, _canon.Failure):
        return file
    with file:
        return _canon.describe(file, max_bytes)


def library_versions():
    """What the results of the reference depend on, for the key of their cache."""
    import h5py
    import hdf5plugin

    return f"{h5py.__version__}-{h5py.version.hdf5_version}-{hdf5plugin.version}"
