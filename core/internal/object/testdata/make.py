"""Writes the files of this folder: python make.py (needs h5py >= 3.12).

The tests of package object say what they expect of them.
"""
import ctypes
import glob
import os

import h5py
import numpy as np

SHARE_ALL = 1 << 1 | 1 << 3 | 1 << 5 | 1 << 11 | 1 << 12


def dense():
    """A group with dense links and attributes, created in reverse order."""
    with h5py.File("dense.h5", "w", libver="latest") as f:
        target = f.create_group("target")
        many = f.create_group("many", track_order=True)
        for i in reversed(range(40)):
            name = f"link{i:02d}"
            if i % 10 == 7:
                many[name] = h5py.SoftLink(f"/soft{i}")
            elif i % 10 == 8:
                many[name] = h5py.ExternalLink("other.h5", f"/external{i}")
            else:
                many[name] = target
            many.attrs[f"attribute{i:02d}"] = np.int32(i)
        many.attrs["huge"] = np.zeros(70000, "i1")


def old():
    """The oldest forms: symbol tables of two levels, version 1 headers."""
    with h5py.File("old.h5", "w", libver="earliest") as f:
        group = f.create_group("group")
        for i in range(300):
            group[f"child{i:03d}"] = h5py.SoftLink(f"/target{i}")
        f["type"] = np.dtype([("a", "<i4"), ("b", ">f8")])
        data = f.create_dataset("data", (3,), dtype=f["type"], chunks=(2,), maxshape=(None,), compression=1)
        data.attrs.create("typed", np.zeros(2, f["type"].dtype), dtype=f["type"])
        for i in range(20):  # more than the first chunk of the header holds
            data.attrs[f"attribute{i:02d}"] = np.arange(i, dtype="<i2")
        h5py.h5o.set_comment(data.id, b"a comment")


def shared():
    """All messages that may be shared lie in the heap of shared messages."""
    lib = ctypes.CDLL(glob.glob(os.path.join(os.path.dirname(h5py.__file__), "..", "h5py.libs", "libhdf5-*"))[0])
    plist = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    fid = ctypes.c_int64(plist.id)
    assert lib.H5Pset_shared_mesg_nindexes(fid, 1) >= 0
    assert lib.H5Pset_shared_mesg_index(fid, 0, SHARE_ALL, 8) >= 0
    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    access.set_libver_bounds(h5py.h5f.LIBVER_LATEST, h5py.h5f.LIBVER_LATEST)
    with h5py.File(h5py.h5f.create(b"shared.h5", h5py.h5f.ACC_TRUNC, plist, access)) as f:
        for name in "abc":
            d = f.create_dataset(name, (4, 6), dtype=np.dtype([("x", "<i4"), ("y", "<f4")]), chunks=(2, 3),
                                 compression=4, shuffle=True, fillvalue=np.array((1, 2.0), dtype=[("x", "<i4"), ("y", "<f4")]))
            d.attrs["same"] = np.arange(5, dtype="<i4")
        for i in range(12):  # dense, and shared
            f["c"].attrs[f"attribute{i:02d}"] = np.arange(5, dtype="<i4")


if __name__ == "__main__":
    dense()
    old()
    shared()
