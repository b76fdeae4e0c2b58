#!/usr/bin/env python3
"""Ten files of a few KiB that between them hold most structures of the format, to be cut and flipped by tests.

    python3 make_small.py FOLDER
"""
import os
import sys

import h5py
import numpy as np


def create(path, libver, user_block=0):
    """A new file in which metadata lies packed."""
    fcpl = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    fcpl.set_userblock(user_block)
    fapl = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    names = {"earliest": h5py.h5f.LIBVER_EARLIEST, "v108": h5py.h5f.LIBVER_V18, "v110": h5py.h5f.LIBVER_V110,
             "latest": h5py.h5f.LIBVER_LATEST}
    fapl.set_libver_bounds(names[libver], names["latest" if libver == "latest" else "v110"])
    fapl.set_meta_block_size(0)
    return h5py.File(h5py.h5f.create(os.fsencode(path), h5py.h5f.ACC_TRUNC, fcpl, fapl))


def oldest_groups(path):
    """Superblock 0: symbol tables, local heaps, object headers 1, contiguous values, attributes."""
    with create(path, "earliest") as file:
        group = file.create_group("a")
        group["numbers"] = np.arange(12, dtype=">i4").reshape(3, 4)
        group["numbers"].attrs["units"] = np.bytes_("m")
        group.attrs["table"] = np.arange(3, dtype="f8")
        file["alias"] = group["numbers"]
        file["soft"] = h5py.SoftLink("/a/numbers")


def oldest_chunks(path):
    """Superblock 0: a version 1 B-tree of shuffled, deflated and checksummed chunks."""
    with create(path, "earliest") as file:
        file.create_dataset("d", data=np.arange(60, dtype="<i2").reshape(6, 10), chunks=(4, 4), shuffle=True,
                            compression=6, fletcher32=True)


def compact_links(path):
    """Superblock 3: object headers 2, compact links of all kinds, compact values, creation order, a continuation."""
    with create(path, "latest") as file:
        group = file.create_group("g", track_order=True)
        plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        plist.set_layout(h5py.h5d.COMPACT)
        values = h5py.h5d.create(group.id, b"values", h5py.h5t.STD_U8LE, h5py.h5s.create_simple((5,)), plist)
        h5py.Dataset(values)[...] = np.arange(5)
        group["soft"] = h5py.SoftLink("values")
        group["external"] = h5py.ExternalLink("other.h5", "/path")
        group.attrs["text"] = "käse"
        group.attrs["long"] = np.arange(40, dtype="<i8")


def dense(path):
    """A dense group and dense attributes: fractal heaps and version 2 B-trees."""
    with create(path, "latest") as file:
        for number in range(10):
            file[f"link{number}"] = h5py.SoftLink(f"link{number + 1}")
        for number in range(10):
            file.attrs[f"attribute{number}"] = np.int16(number)


def fixed_array(path):
    """A fixed array of filtered chunks, and a single chunk."""
    with create(path, "latest") as file:
        file.create_dataset("fixed", data=np.arange(48, dtype="<i4").reshape(6, 8), chunks=(2, 3), compression=1)
        file.create_dataset("single", data=np.arange(9, dtype="<i4"), chunks=(9,), compression=1)


def extensible_array(path):
    """An extensible array of chunks, grown, and chunks without an index (implicit)."""
    with create(path, "latest") as file:
        file.create_dataset("extensible", data=np.arange(30, dtype="<f8"), chunks=(2,), maxshape=(None,))
        plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        plist.set_chunk((2, 2))
        plist.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        space = h5py.h5s.create_simple((3, 3))
        implicit = h5py.h5d.create(file.id, b"implicit", h5py.h5t.STD_I16LE, space, plist)
        h5py.Dataset(implicit)[...] = np.arange(9).reshape(3, 3)


def btree_v2_chunks(path):
    """A version 2 B-tree of chunks: two unlimited dimensions, filtered."""
    with create(path, "latest") as file:
        file.create_dataset("d", data=np.arange(16, dtype="<i2").reshape(4, 4), chunks=(2, 2), maxshape=(None, None),
                            compression=1)


def variable_length(path):
    """Variable-length strings and sequences and a region in a global heap, fixed strings, a fill value."""
    with create(path, "v110") as file:
        file.create_dataset("strings", data=["one", "zwei", "", "vier"], dtype=h5py.string_dtype())
        ragged = file.create_dataset("ragged", (3,), h5py.vlen_dtype("<i2"))
        ragged[0], ragged[2] = [1, 2, 3], [4]
        file["fixed"] = np.array([b"ab", b"c"], "S4")
        file.create_dataset("filled", (4,), "<f4", fillvalue=7)
        file.attrs["region"] = file["filled"].regionref[0:2]
        file.attrs["texts"] = np.array(["x", "yy"], h5py.string_dtype())


def datatypes(path):
    """A committed compound type with array, enum and opaque members, references, booleans."""
    with create(path, "v108") as file:
        colour = h5py.enum_dtype({"RED": 0, "GREEN": 1}, "i1")
        kind = np.dtype([("id", "<u4"), ("xyz", "<f8", (3,)), ("colour", colour), ("tag", "S3"), ("void", "V2")])
        file["kind"] = kind
        file.create_dataset("records", (2,), file["kind"])[0] = (1, (1, 2, 3), 1, b"abc", np.void(b"\1\2"))
        file.create_dataset("references", (2,), h5py.ref_dtype)[0] = file["records"].ref
        file.create_dataset("flags", (3,), "?")


def netcdf_like(path):
    """Behind a user block: a dimension scale with its reference list, an unlimited dimension, creation order."""
    with create(path, "v108", user_block=512) as file:
        group = file.create_group("g", track_order=True)
        group.create_dataset("x", data=np.arange(4, dtype="f4")).make_scale("x")
        data = group.create_dataset("v", data=np.ones((3, 4), "f4"), maxshape=(None, 4), chunks=(3, 4), compression=1)
        data.dims[1].attach_scale(group["x"])


FILES = (oldest_groups, oldest_chunks, compact_links, dense, fixed_array, extensible_array, btree_v2_chunks,
         variable_length, datatypes, netcdf_like)


def make(folder):
    """Make all files; their paths."""
    os.makedirs(folder, exist_ok=True)
    paths = [os.path.join(folder, f"{function.__name__}.h5") for function in FILES]
    for function, path in zip(FILES, paths):
        function(path)
    return paths


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    for path in make(sys.argv[1]):
        print(path, os.path.getsize(path))
