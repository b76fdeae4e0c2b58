#!/usr/bin/env python3
"""Structures that files of other scripts lack or hardly have; what they hold is computed in the tests.

    python3 make_structures.py FOLDER
"""
import ctypes
import os
import sys

import h5py
import numpy as np

from make_references import HID, LIB, check

LATEST, EARLIEST = h5py.h5f.LIBVER_LATEST, h5py.h5f.LIBVER_EARLIEST


class CacheImage(ctypes.Structure):
    """H5AC_cache_image_config_t"""

    _fields_ = [("version", ctypes.c_int32), ("generate_image", ctypes.c_bool), ("save_resize_status", ctypes.c_bool),
                ("entry_ageout", ctypes.c_int32)]


LIB.H5Pset_mdc_image_config.argtypes = [HID, ctypes.c_void_p]
LIB.H5Pset_deflate.argtypes = [HID, ctypes.c_uint]
LIB.H5Pset_shared_mesg_nindexes.argtypes = [HID, ctypes.c_uint]
LIB.H5Pset_shared_mesg_index.argtypes = [HID, ctypes.c_uint, ctypes.c_uint, ctypes.c_uint]
LIB.H5Pset_shared_mesg_phase_change.argtypes = [HID, ctypes.c_uint, ctypes.c_uint]


def create(folder, name, low=LATEST, fcpl=None, prepare=lambda fapl: None):
    fapl = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    fapl.set_libver_bounds(low, LATEST)
    prepare(fapl)
    return h5py.File(h5py.h5f.create(os.fsencode(os.path.join(folder, name)), h5py.h5f.ACC_TRUNC, fcpl, fapl))


def cache_image(folder):
    """A file whose metadata lies in a metadata cache image."""
    def prepare(fapl):
        check(LIB.H5Pset_mdc_image_config(fapl.id, ctypes.byref(CacheImage(1, True, False, -1))))

    with create(folder, "cache_image.h5", prepare=prepare) as file:
        file["numbers"] = np.arange(10, dtype="<i4")
        group = file.create_group("group")
        for i in range(30):
            group[f"member{i}"] = i
        file.create_dataset("chunked", data=np.arange(200, dtype="<i2"), chunks=(7,), maxshape=(None,))
        file.create_dataset("texts", data=[f"text {i}" for i in range(20)], dtype=h5py.string_dtype())
        for i in range(20):
            file["numbers"].attrs[f"attribute{i}"] = i


SPACES, TYPES, FILLS, FILTERS, ATTRIBUTES = 1 << 1, 1 << 3, 1 << 5, 1 << 11, 1 << 12


def shared(folder, name, most_in_list):
    """Datasets whose messages lie in the shared message heap, in two indexes that are lists or B-trees."""
    fcpl = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    check(LIB.H5Pset_shared_mesg_nindexes(fcpl.id, 2))
    check(LIB.H5Pset_shared_mesg_index(fcpl.id, 0, SPACES | TYPES | FILLS | FILTERS, 10))
    check(LIB.H5Pset_shared_mesg_index(fcpl.id, 1, ATTRIBUTES, 10))
    check(LIB.H5Pset_shared_mesg_phase_change(fcpl.id, most_in_list, max(0, most_in_list - 10)))
    with create(folder, name, fcpl=fcpl) as file:
        for i in range(60):
            record = np.dtype([("a", "<i4"), ("b", "<f8"), (f"c{i % 20}", "<i2")])
            dataset = file.create_dataset(f"d{i:02}", data=np.full((4, 5), i, record) if i % 2 else np.full((4, 5 + i % 7), i),
                                          chunks=(2, 3), compression=1 + i % 3, shuffle=True, fillvalue=None)
            dataset.attrs["units"] = np.bytes_("a text that is longer than ten bytes")
            dataset.attrs["list"] = np.arange(i % 5 + 20)


def sizes(folder, offsets, lengths, low):
    """A file with addresses and lengths of other sizes: chunked by each index, dense and large enough to have trees."""
    fcpl = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    fcpl.set_sizes(offsets, lengths)
    name = f"sizes_{offsets}_{lengths}_{'earliest' if low == EARLIEST else 'latest'}.h5"
    small = offsets == 2 or lengths == 2
    with create(folder, name, low, fcpl) as file:
        file["contiguous"] = np.arange(100, dtype="<i4")
        n = 200 if small else 2000
        file.create_dataset("fixed", data=np.arange(n, dtype="<i2"), chunks=(16,), compression=1)
        file.create_dataset("extensible", data=np.arange(n, dtype="<i2"), chunks=(16,), maxshape=(None,))
        file.create_dataset("tree", data=np.arange(n, dtype="<i2").reshape(-1, 20), chunks=(3, 7), maxshape=(None, None), compression=1)
        file.create_dataset("single", data=np.arange(50, dtype="<i2"), chunks=(50,), compression=1)
        group = file.create_group("group")
        for i in range(12 if small else 40):
            group[f"member{i}"] = np.int16(i)
        for i in range(12):
            group.attrs[f"attribute{i}"] = np.arange(i)
        file.create_dataset("texts", data=["one", "two", "", "three"], dtype=h5py.string_dtype())
        file["link"] = h5py.SoftLink("group/member3")


def heaps(folder):
    """Filtered fractal heaps with managed objects and with huge ones, and attributes too large for any header."""
    with create(folder, "heaps.h5") as file:
        for name, deflate, long in ("plain", None, False), ("filtered", 6, False), ("huge", None, True), ("filtered_huge", 6, True):
            plist = h5py.h5p.create(h5py.h5p.GROUP_CREATE)
            if deflate:
                check(LIB.H5Pset_deflate(plist.id, deflate))
            group = h5py.Group(h5py.h5g.create(file.id, name.encode(), gcpl=plist))
            for i in range(60):
                group[f"{i:03}" + ("x" * (5000 + 10 * i) if long and i % 3 == 0 else "y" * i)] = h5py.SoftLink(f"/values/{i}")
        values = file.create_group("values", track_order=True)
        for i in reversed(range(60)):
            values[str(i)] = i
        values.attrs["large"] = np.arange(24 << 10, dtype="<i4")  # 96 KiB
        for i in range(12):
            values.attrs[f"attribute{i}"] = np.arange(3000 * i)
    with create(folder, "header.h5", EARLIEST) as file:
        file.attrs["largest"] = np.arange(16000, dtype="<i4")  # nearly 64 KiB, the most that fits in a header
        file.create_group("ordered", track_order=True)
        for name in "zebra", "apple", "mango":
            file["ordered"][name] = 1
            file["ordered"].attrs[name] = 2


# Along the unlimited dimension: where data blocks are not paged, around the first paged one, and the end.
PAGED = 3, 13106, 26212, 26215, 39999


def paged_arrays(folder):
    """Extensible arrays with paged data blocks, the unlimited dimension in each place, others with room to grow."""
    with create(folder, "paged_arrays.h5") as file:
        for name, shape, most in (("first", (40000, 3), (None, 5)), ("middle", (3, 40000, 2), (5, None, 3)),
                                  ("last", (3, 40000), (5, None))):
            data = file.create_dataset(name, shape, "<i4", maxshape=most, chunks=(1,) * len(shape), fillvalue=-1)
            for place in np.ndindex(*(1 if n is None else d for d, n in zip(shape, most))):
                for at in PAGED:
                    place = tuple(at if n is None else i for i, n in zip(place, most))
                    data[place] = np.ravel_multi_index(place, shape)


def make(folder):
    os.makedirs(folder, exist_ok=True)
    cache_image(folder)
    shared(folder, "shared_list.h5", 200)
    shared(folder, "shared_tree.h5", 0)
    heaps(folder)
    paged_arrays(folder)
    for low in EARLIEST, LATEST:
        for offsets, lengths in (2, 2), (4, 4), (8, 2), (2, 8), (16, 16), (4, 8), (16, 8), (8, 4):
            sizes(folder, offsets, lengths, low)


if __name__ == "__main__":
    make(sys.argv[1])
