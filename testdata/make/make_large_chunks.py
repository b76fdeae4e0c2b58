#!/usr/bin/env python3
"""Chunks of 5 GiB: files that are nearly all holes, kept as the pieces that are not, with their chunks.

    python3 make_large_chunks.py FOLDER
"""
import base64
import json
import os
import sys
import tempfile
import zlib

import h5py
import numpy as np
from h5py import h5d, h5p, h5s, h5t

GIB = 1 << 30
FOREVER = h5s.UNLIMITED

# name: dimensions, chunk, maximum dimensions, filtered. Raw chunks lie in the file as holes; of the filtered ones a
# stream of a few bytes is stored, which is only to be found.
CASES = {
    "never": ((10 * GIB,), (5 * GIB,), None, False),
    "single": ((5 * GIB,), (5 * GIB,), None, False),
    "implicit": ((10 * GIB,), (5 * GIB,), None, False),
    "extensible": ((10 * GIB,), (5 * GIB,), (FOREVER,), False),
    "btree": ((10 * GIB, 2), (5 * GIB, 1), (FOREVER, FOREVER), False),
    "single_filtered": ((5 * GIB,), (5 * GIB,), None, True),
    "fixed_filtered": ((10 * GIB,), (5 * GIB,), None, True),
    "extensible_filtered": ((10 * GIB,), (5 * GIB,), (FOREVER,), True),
    "btree_filtered": ((10 * GIB, 2), (5 * GIB, 1), (FOREVER, FOREVER), True),
}


def pieces(path):
    """The parts of a file that are no holes or zeros, as [offset, base64]."""
    found = []
    with open(path, "rb") as f:
        end = os.path.getsize(path)
        at = 0
        while at < end:
            try:
                at = os.lseek(f.fileno(), at, os.SEEK_DATA)
            except OSError:
                break
            stop = os.lseek(f.fileno(), at, os.SEEK_HOLE)
            f.seek(at)
            data = f.read(stop - at)
            kept = data.rstrip(b"\0")
            if kept:
                found.append([at, base64.b64encode(kept).decode()])
            at = stop
    return found


def case(folder, name):
    dims, chunk, maxdims, filtered = CASES[name]
    path = os.path.join(folder, name + ".h5")
    with h5py.File(path, "w", libver="latest") as f:
        create = h5p.create(h5p.DATASET_CREATE)
        create.set_chunk(chunk)
        create.set_fill_value(np.array(7, "i1"))
        if filtered:
            create.set_deflate(1)
        elif name != "never":
            create.set_alloc_time(h5d.ALLOC_TIME_EARLY)
            create.set_fill_time(h5d.FILL_TIME_NEVER)
        d = h5d.create(f.id, b"d", h5t.STD_I8LE, h5s.create_simple(dims, maxdims), dcpl=create)
        if filtered:
            for i in range(dims[0] // chunk[0]):
                d.write_direct_chunk((i * chunk[0],) + (0,) * (len(dims) - 1), zlib.compress(bytes(10 + i)))
    with h5py.File(path) as f:
        d = f["d"].id
        chunks = [d.get_chunk_info(i) for i in range(d.get_num_chunks())]
        told = [[c.byte_offset, c.size, c.filter_mask, *c.chunk_offset] for c in chunks]
    return {"size": os.path.getsize(path), "pieces": pieces(path), "chunks": told}


def main(folder):
    with tempfile.TemporaryDirectory() as scratch:
        found = {name: case(scratch, name) for name in CASES}
    with open(os.path.join(folder, "large_chunks.json"), "w") as out:
        json.dump(found, out, indent=0)
        out.write("\n")


if __name__ == "__main__":
    main(sys.argv[1])
