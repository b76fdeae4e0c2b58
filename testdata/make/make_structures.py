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


def make(folder):
    os.makedirs(folder, exist_ok=True)
    cache_image(folder)


if __name__ == "__main__":
    make(sys.argv[1])
