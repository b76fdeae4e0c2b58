#!/usr/bin/env python3
"""Files that HDF5's family, split and multi drivers keep in several ones.

    python3 make_drivers.py FOLDER

All hold the same: see fill(). The core test computes the values.
"""
import ctypes
import os
import sys

import h5py
import numpy as np

from make_references import HID, LIB, check

LIB.H5Pset_fapl_multi.argtypes = [HID] + [ctypes.c_void_p] * 4 + [ctypes.c_bool]
LIB.H5Pset_fapl_split.argtypes = [HID, ctypes.c_char_p, HID, ctypes.c_char_p, HID]


def fill(file):
    file["contiguous"] = np.arange(3000, dtype="<i4")
    file.create_dataset("chunked", data=np.arange(3000, dtype="<i2").reshape(60, 50), chunks=(20, 17), compression=4)
    file.create_dataset("texts", data=[f"text {i}" for i in range(300)], dtype=h5py.string_dtype())
    group = file.create_group("group")
    for i in range(40):
        group[f"member{i}"] = i
    group.attrs["list"] = np.arange(10)


def create(path, libver, driver, low_userblock=0):
    fapl = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    low = {"earliest": h5py.h5f.LIBVER_EARLIEST, "latest": h5py.h5f.LIBVER_LATEST}[libver]
    fapl.set_libver_bounds(low, h5py.h5f.LIBVER_LATEST)
    fapl.set_meta_block_size(0)
    fcpl = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    fcpl.set_userblock(low_userblock)
    driver(fapl)
    with h5py.File(h5py.h5f.create(os.fsencode(path), h5py.h5f.ACC_TRUNC, fcpl, fapl)) as file:
        fill(file)


def family(size):
    return lambda fapl: fapl.set_fapl_family(size)


def split(fapl):
    check(LIB.H5Pset_fapl_split(fapl.id, b"-m.h5", 0, b"-r.h5", 0))


def multi(fapl):
    check(LIB.H5Pset_fapl_multi(fapl.id, None, None, None, None, True))


def multi_of_three(fapl):
    """Superblock and B-trees, raw data, and everything else, in this order of addresses: metadata in the middle."""
    usage = (ctypes.c_int * 7)(1, 1, 1, 3, 4, 4, 4)
    names = (ctypes.c_char_p * 7)(None, b"%s.super", b"%s.super", b"%s.raw", b"%s.rest", b"%s.rest", b"%s.rest")
    addresses = (ctypes.c_uint64 * 7)(0, 0, 0, 2**63 + 4096, 2**62, 2**62, 2**62)
    check(LIB.H5Pset_fapl_multi(fapl.id, usage, None, names, addresses, True))


def make(folder):
    for libver in "earliest", "latest":
        create(os.path.join(folder, f"family_{libver}_%03d.h5"), libver, family(7000))
        create(os.path.join(folder, f"split_{libver}"), libver, split)
        create(os.path.join(folder, f"multi_{libver}"), libver, multi)
    create(os.path.join(folder, "three"), "earliest", multi_of_three)


if __name__ == "__main__":
    make(sys.argv[1])
