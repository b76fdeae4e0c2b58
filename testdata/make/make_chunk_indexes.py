"""Write small files with every kind of chunk index, and what h5py says of them.

    python make_chunk_indexes.py DIR

DIR gets the files and chunk_index.json, which lists every chunk of every
dataset as h5py tells it. Chunks hold one or two bytes, so that thousands of them
make a small file. The result is the same on every run, but for time stamps in
the superblock extension of v108_k2.h5.

Needs h5py 3.16 (HDF5 2.0).
"""

import ctypes
import glob
import itertools
import json
import os
import sys

import h5py
import numpy as np
from h5py import h5d, h5f, h5p, h5s, h5t

DONT_FILTER_PARTIAL_CHUNKS = 2
EARLY = h5d.ALLOC_TIME_EARLY
NONE = h5s.UNLIMITED


def libhdf5(name, properties, value):
    """Call a property setter of the libhdf5 that h5py has loaded."""
    library, = glob.glob(os.path.join(os.path.dirname(h5py.__file__), "..", "h5py.libs", "libhdf5-*"))
    setter = ctypes.CDLL(library)[name]
    setter.argtypes = [ctypes.c_int64, ctypes.c_uint]
    if setter(properties.id, value) < 0:
        raise RuntimeError(name)


def dataset(f, name, shape, chunk, maxshape=None, filtered=False, early=False, plain_edges=False):
    dcpl = h5p.create(h5p.DATASET_CREATE)
    dcpl.set_obj_track_times(False)
    dcpl.set_chunk(chunk)
    if filtered:
        dcpl.set_fletcher32()
    if early:
        dcpl.set_alloc_time(EARLY)
    if plain_edges:
        libhdf5("H5Pset_chunk_opts", dcpl, DONT_FILTER_PARTIAL_CHUNKS)
    space = h5s.create_simple(shape, maxshape or shape)
    return h5py.Dataset(h5d.create(f.id, name.encode(), h5t.STD_U8LE, space, dcpl))


def both(f, name, *args, fill, **options):
    """A dataset without and one with a filter; fill(dataset) writes the chunks."""
    for suffix, filtered in ("", False), ("_filtered", True):
        fill(dataset(f, name + suffix, *args, filtered=filtered, **options))


def at(*starts, direct=()):
    """Write the elements at starts; chunks at direct come unfiltered, mask 1."""

    def fill(d):
        for i, start in enumerate(starts):
            d[tuple(start)] = i % 251 + 1
        if d.id.get_create_plist().get_nfilters():
            size = int(np.prod(d.chunks))
            for start in direct:
                d.id.write_direct_chunk(tuple(start), bytes(size), 1)

    return fill


def grid(*counts, steps=None):
    steps = steps or [1] * len(counts)
    return list(itertools.product(*(range(0, n, s) for n, s in zip(counts, steps))))


def scattered(n, *counts):
    """n places, spread without a pattern but the same every time."""
    places = np.random.RandomState(n).permutation(int(np.prod(counts)))[:n]
    return [tuple(int(v) for v in np.unravel_index(p, counts)) for p in places]


def version1(f):
    both(f, "depth0", (10,), (1,), fill=at(*grid(10, steps=[3]), direct=[(4,)]))
    both(f, "two_dims", (9, 7), (2, 1), fill=at(*scattered(20, 9, 7), direct=[(8, 2)]))
    both(f, "many", (12, 10), (1, 1), fill=at(*grid(12, 10), direct=[(5, 5)]))
    both(f, "three_dims", (6, 7, 8), (1, 2, 3), (NONE, NONE, NONE), fill=at(*scattered(60, 6, 7, 8)))
    both(f, "never", (6, 6), (2, 2), fill=at())


def fixed(f):
    both(f, "fixed", (8, 4), (1, 2), fill=at(*grid(8, 4, steps=[3, 2]), direct=[(5, 0)]))
    both(f, "fixed_larger", (3, 4), (1, 2), (9, 12), fill=at(*grid(3, 4)))
    both(f, "fixed_never", (8, 4), (1, 2), fill=at())
    both(f, "fixed_paged", (50, 50), (1, 1), fill=at((0, 0), (0, 49), (20, 3), (48, 0), (49, 49), direct=[(20, 4)]))
    both(f, "fixed_paged_hole", (3, 1100), (1, 1), fill=at((0, 5), (2, 1099)))
    dataset(f, "implicit", (5, 6), (2, 2), early=True)
    dataset(f, "implicit_larger", (3, 4), (1, 2), (7, 9), early=True)
    both(f, "single", (2, 3), (2, 3), fill=at((0, 0)))
    both(f, "single_larger", (2, 3), (4, 5), (4, 5), fill=at((0, 0)))
    both(f, "single_never", (2, 3), (2, 3), fill=at())
    d = dataset(f, "single_mask", (2, 3), (2, 3), filtered=True)
    d.id.write_direct_chunk((0, 0), bytes(6), 1)


def extensible(f):
    both(f, "ext_index", (3,), (1,), (NONE,), fill=at((0,), (2,), direct=[(1,)]))
    both(f, "ext_never", (3,), (1,), (NONE,), fill=at())
    both(f, "ext_blocks", (100,), (1,), (NONE,), fill=at(*grid(100, steps=[3]), direct=[(50,)]))
    both(f, "ext_supers", (2000,), (1,), (NONE,), fill=at(*grid(2000, steps=[41]), direct=[(1999,)]))
    both(f, "ext_first", (7, 3, 4), (1, 2, 1), (NONE, 6, 5), fill=at(*grid(7, 3, 4, steps=[2, 2, 1])))
    both(f, "ext_middle", (3, 7, 4), (1, 2, 1), (5, NONE, 6), fill=at(*scattered(30, 3, 7, 4)))
    both(f, "ext_last", (3, 4, 30), (1, 2, 1), (3, 4, NONE), fill=at(*scattered(90, 3, 4, 30)))
    both(f, "ext_paged", (133200,), (1,), (NONE,), fill=at((3,), (131060,), (133199,), direct=[(131061,)]))


def version2(f):
    both(f, "two_unlimited", (7, 9), (1, 2), (NONE, NONE), fill=at(*scattered(20, 7, 9), direct=[(0, 8)]))
    both(f, "two_unlimited_never", (7, 9), (1, 2), (NONE, NONE), fill=at())
    both(f, "two_unlimited_depth1", (16, 16), (1, 1), (NONE, NONE), fill=at(*grid(16, 16, steps=[1, 2])))
    wide = (5, 4, 3, 2) + (2,) * 12
    both(f, "two_unlimited_depth2", wide, (1,) * 16, (NONE,) * 16, fill=at(*sorted(set(scattered(260, *wide)))))


def edges(f):
    full = dict(filtered=True, plain_edges=True)
    at(*grid(5, 7, steps=[2, 3]))(dataset(f, "edges_fixed", (5, 7), (2, 3), **full))
    at(*grid(5, 7, steps=[2, 3]))(dataset(f, "edges_ext", (5, 7), (2, 3), (NONE, 7), **full))
    at(*grid(5, 7, steps=[2, 3]))(dataset(f, "edges_btree", (5, 7), (2, 3), (NONE, NONE), **full))
    at((0, 0))(dataset(f, "edges_single", (5, 7), (6, 8), (6, 8), **full))


def latest(f):
    for write in fixed, extensible, version2, edges:
        write(f)


def few_fixed(f):
    both(f, "fixed", (8, 4), (1, 2), fill=at(*grid(8, 4, steps=[3, 2])))
    both(f, "single", (2, 3), (2, 3), fill=at((0, 0)))
    dataset(f, "implicit", (5, 6), (2, 2), early=True)


def few(f):
    few_fixed(f)
    both(f, "ext", (30,), (1,), (NONE,), fill=at(*grid(30, steps=[3])))
    both(f, "btree", (7, 9), (1, 2), (NONE, NONE), fill=at(*scattered(20, 7, 9)))


# file, oldest and newest format, what to set on the creation properties, content
FILES = [
    ("earliest.h5", "earliest", "v108", {}, version1),
    ("earliest_k2.h5", "earliest", "v108", dict(istore_k=2), version1),
    ("v108_k2.h5", "v108", "v108", dict(istore_k=2), version1),
    ("latest.h5", "v114", "v114", {}, latest),
    ("v200.h5", "v200", "v200", {}, few),
    ("userblock.h5", "v114", "v114", dict(userblock=1024), few),
    ("sizes4.h5", "earliest", "v108", dict(sizes=(4, 4)), version1),
    ("latest_sizes4.h5", "v114", "v114", dict(sizes=(4, 4)), few_fixed),
]

LIBVER = {
    "earliest": h5f.LIBVER_EARLIEST,
    "v108": h5f.LIBVER_V18,
    "v114": h5f.LIBVER_V114,
    "v200": h5f.LIBVER_V200,
}


def create(path, low, high, properties):
    fcpl, fapl = h5p.create(h5p.FILE_CREATE), h5p.create(h5p.FILE_ACCESS)
    fcpl.set_obj_track_times(False)
    if "istore_k" in properties:
        libhdf5("H5Pset_istore_k", fcpl, properties["istore_k"])
    if "userblock" in properties:
        fcpl.set_userblock(properties["userblock"])
    if "sizes" in properties:
        fcpl.set_sizes(*properties["sizes"])
    fapl.set_libver_bounds(LIBVER[low], LIBVER[high])
    return h5py.File(h5f.create(path.encode(), h5f.ACC_TRUNC, fcpl, fapl))


def chunk_info(d, path):
    """A dataset's chunks as h5py tells them: offset, mask, address, bytes.

    Where an extensible array's unlimited dimension is not the first, all queries
    of HDF5 2.0 that list chunks give wrong offsets, those that look one up do not.
    There the offset of a chunk is the one at which the stored bytes are the same.
    """
    chunks = []
    if d.id.get_num_chunks():
        d.id.chunk_iter(lambda c: chunks.append([list(c.chunk_offset), c.filter_mask, c.byte_offset, c.size]))
    unlimited = [i for i, m in enumerate(d.maxshape) if m is None]
    if len(unlimited) != 1 or unlimited[0] == 0:
        return chunks
    with open(path, "rb") as f:
        stored = f.read()
    by_bytes = {stored[c[2]:c[2] + c[3]]: c for c in chunks}
    assert len(by_bytes) == len(chunks), "chunks with equal content"
    right = []
    for at in itertools.product(*(range(0, n, c) for n, c in zip(d.shape, d.chunks))):
        try:
            mask, content = d.id.read_direct_chunk(at)
        except RuntimeError:  # never written
            continue
        _, _, address, size = by_bytes[content]
        right.append([list(at), mask, address, size])
    assert len(right) == len(chunks)
    return right


def describe(d, path):
    return {
        "name": d.name,
        "header": h5py.h5o.get_info(d.id).addr,
        "element": d.id.get_type().get_size(),
        "chunks": sorted(chunk_info(d, path)),
    }


def describe_file(path):
    found = []
    with h5py.File(path, "r") as f:
        base = f.userblock_size

        def visit(_, o):
            if isinstance(o, h5py.Dataset) and o.chunks:
                found.append(describe(o, path))

        f.visititems(visit)
    return {"base": base, "datasets": found}


def main(directory):
    os.makedirs(directory, exist_ok=True)
    golden = {}
    for name, low, high, properties, content in FILES:
        path = os.path.join(directory, name)
        with create(path, low, high, properties) as f:
            content(f)
        golden[name] = describe_file(path)
    with open(os.path.join(directory, "chunk_index.json"), "w") as out:
        out.write("{\n")
        out.write(",\n".join(f'"{name}": {{"base": {g["base"]}, "datasets": [\n' + ",\n".join(
            json.dumps(d, separators=(",", ":")) for d in g["datasets"]) + "\n]}" for name, g in golden.items()))
        out.write("\n}\n")


if __name__ == "__main__":
    main(sys.argv[1])
