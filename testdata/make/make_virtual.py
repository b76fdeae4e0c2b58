#!/usr/bin/env python3
"""External raw files and virtual datasets, with what h5py reads of them.

    python3 make_virtual.py FOLDER
"""
import json
import os
import sys

import h5py
import numpy as np
from h5py import h5d, h5p, h5s, h5t

UNLIMITED = h5s.UNLIMITED


def external_files():
    """Raw data in parts of three files, of which the second is too short and the last has no end."""
    with open("raw_a.bin", "wb") as out:
        out.write(b"\xff" * 3 + np.arange(0, 5, dtype="<i4").tobytes())
    with open("raw_b.bin", "wb") as out:
        out.write(np.arange(100, 103, dtype="<i4").tobytes() + b"\x07")  # and a part of an element
    with open("raw_c.bin", "wb") as out:
        out.write(np.arange(200, 220, dtype="<i4").tobytes())
    os.makedirs("below", exist_ok=True)
    with open("below/raw_d.bin", "wb") as out:
        out.write(np.arange(300, 304, dtype=">i2").tobytes())
    with h5py.File("external.h5", "w", libver="latest") as f:
        f.create_dataset("parts", (4, 5), "<i4",
                         external=[("raw_a.bin", 3, 20), ("raw_b.bin", 0, 24), ("raw_c.bin", 8, h5py.h5f.UNLIMITED)])
        f.create_dataset("below", (4,), ">i2", external=[("below/raw_d.bin", 0, 8)])
        f.create_dataset("missing", (4,), "<i4", external=[("raw_none.bin", 0, 16)])
        f.create_dataset("outside", (4,), "<i4", external=[("../raw_a.bin", 0, 16)])
    with h5py.File("external_old.h5", "w", libver="earliest") as f:
        f.create_dataset("parts", (12,), "<i4", external=[("raw_a.bin", 7, 16), ("raw_c.bin", 0, 32)])


def values(name, *paths):
    with h5py.File(name) as f:
        return {path: f[path][...].tolist() for path in paths}


def main(folder):
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    external_files()
    golden = {
        "external.h5": values("external.h5", "parts", "below"),
        "external_old.h5": values("external_old.h5", "parts"),
    }
    with open("virtual.json", "w") as out:
        json.dump(golden, out, indent=1, sort_keys=True)
        out.write("\n")


if __name__ == "__main__":
    main(sys.argv[1])
