#!/usr/bin/env python3
"""Files with datasets of all ranks, layouts, chunk indexes and element types, for tests of selections.

    python3 make_selections.py FOLDER
"""
import os
import sys

import h5py
import numpy as np

EXTENTS = {0: (), 1: (37,), 2: (13, 11), 3: (7, 9, 5), 4: (5, 4, 6, 3), 5: (3, 4, 2, 5, 3), 6: (2, 3, 2, 4, 2, 3)}
CHUNKS = {1: (8,), 2: (4, 5), 3: (3, 4, 2), 4: (2, 3, 4, 2), 5: (2, 2, 2, 3, 2), 6: (1, 2, 2, 3, 2, 2)}

COLOUR = h5py.enum_dtype({"RED": 0, "GREEN": 1, "BLUE": 7}, "i2")
TYPES = {
    "i1": "<i1", "u2": "<u2", "i4": "<i4", "u8": "<u8", "i2_big": ">i2", "i8_big": ">i8", "f2": "<f2", "f4": "<f4",
    "f8": "<f8", "f4_big": ">f4", "f8_big": ">f8", "c8": "<c8", "bool": "?", "bytes": "S5", "colour": COLOUR,
    "opaque": "V3", "array": np.dtype(("<i2", (2, 3))),
    "record": np.dtype([("a", "<i4"), ("b", ">f8"), ("c", "S3"), ("d", [("x", "<u2"), ("y", "<f4", (2,))])]),
    "padded": np.dtype({"names": ["p", "q"], "formats": ["<i1", "<f8"], "offsets": [0, 8], "itemsize": 24}),
    "text": h5py.string_dtype(), "sequence": h5py.vlen_dtype("<i4"),
}


def values(kind, extent, seed=1):
    """Values of a type of TYPES that tell each element from the next."""
    count = int(np.prod(extent))
    numbers = np.arange(count) * 7 + seed
    dtype = np.dtype(TYPES[kind])
    if kind == "text":
        return np.array(["t%d" % n * (n % 3) for n in numbers], dtype=object).reshape(extent)
    if kind == "sequence":
        ragged = np.empty(count, dtype=object)
        ragged[:] = [np.arange(n % 4, dtype="<i4") + n for n in numbers]
        return ragged.reshape(extent)
    if kind in ("bytes", "opaque"):
        return np.array([b"%03d" % (n % 1000) for n in numbers], "S3").astype(dtype).reshape(extent)
    if kind == "colour":
        return np.array([0, 1, 7], "i2")[numbers % 3].reshape(extent)
    if kind == "array":
        return (numbers[:, None, None] + np.arange(6).reshape(2, 3)).astype("<i2").reshape(*extent, 2, 3)
    if dtype.names:
        record = np.zeros(count, dtype)
        for name in dtype.names:
            field = record[name]
            if name == "c":
                field[:] = [b"%d" % (n % 999) for n in numbers]
            elif field.dtype.names:
                field["x"], field["y"] = numbers % 60000, numbers[:, None] / 3
            else:
                field[:] = numbers % 120
        return record.reshape(extent)
    return numbers.astype(dtype).reshape(extent)


def layouts(file):
    """Every rank as contiguous and as chunked, filtered and not; unwritten parts show the fill value."""
    for rank, extent in EXTENTS.items():
        data = values("i4", extent)
        file.create_dataset(f"contiguous{rank}", data=data)
        compact = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        compact.set_layout(h5py.h5d.COMPACT)
        space = h5py.h5s.create_simple(extent) if rank else h5py.h5s.create(h5py.h5s.SCALAR)
        made = h5py.h5d.create(file.id, f"compact{rank}".encode(), h5py.h5t.STD_I32LE, space, compact)
        h5py.Dataset(made)[...] = data
        if rank:
            chunked(file, rank, extent, data)


def chunked(file, rank, extent, data):
    chunks = CHUNKS[rank]
    one = (None, *extent[1:])
    ways = {"plain": {}, "filtered": dict(compression=4, shuffle=True), "single": dict(chunks=extent),
            "single_filtered": dict(chunks=extent, compression=1), "unlimited": dict(maxshape=one),
            "unlimited_filtered": dict(maxshape=one, compression=1, fletcher32=True),
            "unlimited_all": dict(maxshape=(None,) * rank), "lzf": dict(compression="lzf", shuffle=True)}
    for name, options in ways.items():
        file.create_dataset(f"{name}{rank}", data=data, **{"chunks": chunks, **options})
    sparse = file.create_dataset(f"sparse{rank}", extent, "<i4", chunks=chunks, fillvalue=-9, compression=1)
    sparse[tuple(slice(0, c) for c in chunks)] = 5
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_chunk(chunks)
    plist.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    implicit = h5py.h5d.create(file.id, f"implicit{rank}".encode(), h5py.h5t.STD_I32BE, h5py.h5s.create_simple(extent), plist)
    h5py.Dataset(implicit)[...] = data


def types(file):
    """Every element type, contiguous and chunked, of rank 2; some scalars."""
    for kind, dtype in TYPES.items():
        data = values(kind, EXTENTS[2])
        for name, options in (("", {}), ("_chunked", dict(chunks=CHUNKS[2], compression=1, shuffle=True))):
            target = file.create_dataset(kind + name, EXTENTS[2], dtype, **options)
            target[...] = data
        file.create_dataset(kind + "_scalar", (), dtype)[()] = values(kind, (1,))[0]


def large(file):
    """Enough chunks for paged indexes, deep trees and a reading on several threads."""
    data = np.arange(200 * 61, dtype="<i4").reshape(200, 61)
    for name, options in (("fixed", {}), ("extensible", dict(maxshape=(None, 61))), ("tree", dict(maxshape=(None, None)))):
        file.create_dataset(name, data=data, chunks=(1, 7), compression=1, **options)
        file.create_dataset(name + "_raw", data=data, chunks=(1, 7), **options)


def make(folder):
    """Make the files that are missing; their paths."""
    os.makedirs(folder, exist_ok=True)
    paths = []
    for libver in ("earliest", "latest"):
        for content in (layouts, types, large):
            path = os.path.join(folder, f"selections_{content.__name__}_{libver}.h5")
            paths.append(path)
            if not os.path.exists(path):
                with h5py.File(path + ".part", "w", libver=libver) as file:
                    content(file)
                os.replace(path + ".part", path)
    return paths


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    for path in make(sys.argv[1]):
        print(path, os.path.getsize(path))
