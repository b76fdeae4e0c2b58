"""Write small files whose groups and attributes need trees and heaps of some depth.

    python make_meta.py DIR

DIR gets the files and meta.json: the object headers to start from, and the names
and values that h5py finds there. The result is the same on every run.

Needs h5py 3.16 (HDF5 2.0).
"""

import ctypes
import glob
import json
import os
import sys

import h5py
import numpy as np
from h5py import h5f, h5g, h5o, h5p


def deflate(properties, level):
    """H5Pset_deflate, which h5py offers for datasets only."""
    library, = glob.glob(os.path.join(os.path.dirname(h5py.__file__), "..", "h5py.libs", "libhdf5-*"))
    setter = ctypes.CDLL(library).H5Pset_deflate
    setter.argtypes = [ctypes.c_int64, ctypes.c_uint]
    if setter(properties.id, level) < 0:
        raise RuntimeError("H5Pset_deflate")


def create(path, low, high, userblock=0):
    fcpl, fapl = h5p.create(h5p.FILE_CREATE), h5p.create(h5p.FILE_ACCESS)
    fcpl.set_obj_track_times(False)
    fcpl.set_userblock(userblock)
    fapl.set_libver_bounds(low, high)
    return h5py.File(h5f.create(path.encode(), h5f.ACC_TRUNC, fcpl, fapl))


def header(o):
    return h5o.get_info(o.id).addr


def links(group):
    """Names, and what they lead to: an object header or a soft link's path."""
    found = {}
    for name in group:
        link = group.get(name, getlink=True)
        found[name] = link.path if isinstance(link, h5py.SoftLink) else h5o.get_info(group.id, name.encode()).addr
    return found


def name(i):
    return f"link {i * 7919 % 100_003}" + "-" * (i % 20)


def old(path):
    with create(path, h5f.LIBVER_EARLIEST, h5f.LIBVER_V18) as f:
        group = f.create_group("many")
        target = f.create_group("target")
        for i in range(400):
            group[name(i)] = h5py.SoftLink(f"/soft {i}") if i % 10 == 0 else target
        f.create_group("empty")
        return {g: {"header": header(f[g]), "links": links(f[g])} for g in ("many", "empty", "target")}


def new(path, **options):
    with create(path, h5f.LIBVER_V114, h5f.LIBVER_V114, **options) as f:
        target = f.create_group("target")
        groups = {"dense": None, "filtered": 6, "target": None}
        for group, level in groups.items():
            if group == "target":
                continue
            gcpl = h5p.create(h5p.GROUP_CREATE)
            gcpl.set_link_creation_order(h5p.CRT_ORDER_TRACKED | h5p.CRT_ORDER_INDEXED)
            if level:
                deflate(gcpl, level)
            g = h5py.Group(h5g.create(f.id, group.encode(), gcpl=gcpl))
            for i in range(500):
                g[name(i)] = target
        for i in range(60):
            target.attrs.create(f"attribute {i}", np.full(4 + (i == 17) * 5000, i, "u1"))
        found = {g: {"header": header(f[g]), "links": links(f[g])} for g in groups}
        found["target"]["attributes"] = {k: len(v) for k, v in target.attrs.items()}
        return found


def main(directory):
    os.makedirs(directory, exist_ok=True)
    at = lambda file: os.path.join(directory, file)
    golden = {
        "old.h5": old(at("old.h5")),
        "new.h5": new(at("new.h5")),
        "new_userblock.h5": new(at("new_userblock.h5"), userblock=2048),
    }
    with open(at("meta.json"), "w") as out:
        json.dump(golden, out, separators=(",", ":"))
        out.write("\n")


if __name__ == "__main__":
    main(sys.argv[1])
