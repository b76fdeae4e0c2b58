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


def slab(dims, start, count, stride=None, block=None, maxdims=None):
    space = h5s.create_simple(dims, maxdims)
    space.select_hyperslab(start, count, stride, block)
    return space


def virtual(f, name, dims, maps, dtype="<i4", fill=-1, maxdims=None):
    """A virtual dataset of (virtual selection, file, dataset, source selection)."""
    create = h5p.create(h5p.DATASET_CREATE)
    if fill is not None:
        create.set_fill_value(np.array(fill, dtype))
    for vspace, file, dataset, space in maps:
        create.set_virtual(vspace, file.encode(), dataset.encode(), space)
    h5d.create(f.id, name.encode(), h5t.py_create(np.dtype(dtype), logical=True), h5s.create_simple(dims, maxdims), dcpl=create)


def source_files():
    for i in range(4):
        with h5py.File(f"source_{i}.h5", "w", libver="latest") as f:
            f["row"] = np.arange(100 * i, 100 * i + 12, dtype="<i4")
            f.create_dataset("packed", data=np.arange(60, dtype=">i2").reshape(6, 10) + 1000 * i, chunks=(4, 4),
                             compression="gzip", shuffle=True)
            f.create_dataset("grows", data=np.arange(100 * i, 100 * i + 3 + 2 * i, dtype="<i4"), maxshape=(None,), chunks=(4,))
            f["text"] = np.array([f"text {i} {k}" for k in range(3)], dtype=h5py.string_dtype())
            nested = f.create_dataset("lists", (3,), h5py.vlen_dtype(np.dtype("<i4")))
            for k in range(3):
                nested[k] = np.arange(i, i + k)
            f["pair"] = np.array([(i, 0.5 * i), (i + 10, 1.5)], dtype=[("n", "<i4"), ("x", "<f8")])
    with h5py.File("percent_%.h5", "w", libver="latest") as f:
        f["row"] = np.arange(900, 912, dtype="<i4")
    for i in (0, 1, 3):
        with h5py.File(f"numbered_{i}.h5", "w", libver="latest") as f:
            f["d"] = np.arange(10 * i, 10 * i + 4, dtype="<i4").reshape(2, 2)


def mapped(f):
    """Fixed mappings of all kinds."""
    row, quarter = (12,), lambda i: slab((4, 12), (i, 0), (1, 12))
    virtual(f, "rows", (4, 12), [(quarter(i), f"source_{i}.h5", "row", slab(row, (0,), row)) for i in range(4)])
    virtual(f, "missing", (4, 12), [(quarter(i), ("source_0.h5", "none.h5", "source_1.h5", "source_2.h5")[i],
                                     ("row", "row", "none", "row")[i], slab(row, (0,), row)) for i in range(4)])
    virtual(f, "interleaved", (48,), [(slab((48,), (i,), (12,), (4,)), f"source_{i}.h5", "row", slab(row, (0,), row)) for i in range(4)])
    virtual(f, "columns", (6, 20), [(slab((6, 20), (0, i), (6, 10), (1, 2)), f"source_{i}.h5", "packed",
                                     slab((6, 10), (0, 0), (6, 10))) for i in range(2)], dtype="<f8")
    virtual(f, "strided", (9, 9), [(slab((9, 9), (1, 0), (2, 2), (4, 5), (2, 3)), "source_2.h5", "packed",
                                    slab((6, 10), (0, 1), (4, 6)))])
    virtual(f, "reshaped", (3, 4), [(slab((3, 4), (0, 0), (3, 4)), "source_1.h5", "row", slab(row, (0,), row))])
    virtual(f, "overlapping", (12,), [(slab(row, (0,), (8,)), "source_0.h5", "row", slab(row, (0,), (8,))),
                                      (slab(row, (4,), (8,)), "source_1.h5", "row", slab(row, (4,), (8,)))])
    blocks = slab((12,), (0,), (2,))
    blocks.select_hyperslab((5,), (3,), op=h5s.SELECT_OR)
    blocks.select_hyperslab((10,), (1,), op=h5s.SELECT_OR)
    virtual(f, "blocks", (12,), [(blocks, "source_3.h5", "row", slab(row, (3,), (6,)))])
    everything = h5s.create_simple(row)
    virtual(f, "all", row, [(everything, "source_3.h5", "row", everything)])
    f["own"] = np.arange(500, 512, dtype="<i4")
    virtual(f, "same_file", row, [(everything, ".", "own", everything)])
    virtual(f, "nested", (24,), [(slab((24,), (0,), row), ".", "interleaved", slab((48,), (6,), row)),
                                 (slab((24,), (12,), row), ".", "missing", slab((4, 12), (0, 3), (4, 3)))])
    pair = h5s.create_simple((2,))
    virtual(f, "pairs", (4,), [(slab((4,), (2 * i,), (2,)), f"source_{i}.h5", "pair", pair) for i in range(2)],
            dtype=[("n", "<i4"), ("x", "<f8")], fill=None)
    three = h5s.create_simple((3,))
    virtual(f, "texts", (9,), [(slab((9,), (3 * i,), (3,)), ("source_0.h5", "none.h5", "source_1.h5")[i], "text", three)
                               for i in range(3)], dtype=h5py.string_dtype(), fill=None)
    virtual(f, "lists", (6,), [(slab((6,), (i,), (3,), (2,)), f"source_{i}.h5", "lists", three) for i in range(2)],
            dtype=h5py.vlen_dtype(np.dtype("<i4")), fill=None)
    virtual(f, "escaped", (12,), [(everything, "percent_%%.h5", "row", everything)])


def endless(f):
    """Mappings without end."""
    forever = slab((0,), (0,), (1,), None, (UNLIMITED,), (UNLIMITED,))
    lane = lambda i: slab((0,), (i,), (UNLIMITED,), (3,), (1,), (UNLIMITED,))
    virtual(f, "grows", (0,), [(lane(i), f"source_{i}.h5", "grows", forever) for i in range(3)], maxdims=(UNLIMITED,))
    block = slab((0, 2), (0, 0), (UNLIMITED, 1), (2, 1), (2, 2), (UNLIMITED, 2))
    inner = h5s.create_simple((2, 2))
    virtual(f, "numbered", (0, 2), [(block, "numbered_%b.h5", "d", inner)], maxdims=(UNLIMITED, 2))


def wider():
    """Sources that have some members of the elements alone; what the others are is not h5py's to say."""
    pair = h5s.create_simple((2,))
    with h5py.File("wider.h5", "w", libver="latest") as f:
        virtual(f, "v", (8,), [(slab((8,), (2 * i,), (2,)), f"source_{i}.h5", "pair", pair) for i in range(4)],
                dtype=[("x", "<f8"), ("more", "<i4"), ("n", "<i4")], fill=None)


def many():
    """3,000 sources of one element each."""
    with h5py.File("many_source.h5", "w", libver="latest") as f:
        f["d"] = np.arange(7, dtype="<i4")
    with h5py.File("many.h5", "w", libver="latest") as f:
        n = 3000
        virtual(f, "v", (n,), [(slab((n,), (i,), (1,)), f"many_{i}.h5", "d", slab((7,), (i % 7,), (1,))) for i in range(n)])


def values(name, *paths):
    with h5py.File(name) as f:
        return {path: plain(f[path]) for path in paths}


def short(value):
    """Numbers as Go writes them: 1.0 is 1."""
    if isinstance(value, list):
        return [short(v) for v in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def plain(d):
    got = d[...].tolist()
    if d.dtype.names:
        return [dict(zip(d.dtype.names, short(list(element)))) for element in got]
    if h5py.check_string_dtype(d.dtype):
        return [text.decode() for text in got]
    if h5py.check_vlen_dtype(d.dtype):
        return [element.tolist() for element in got]
    return short(got)


def views(name):
    """Shape and values of the datasets without end, by view and gap."""
    found = {}
    with h5py.File(name) as f:
        for view, gap in ((h5d.VDS_LAST_AVAILABLE, 0), (h5d.VDS_LAST_AVAILABLE, 1), (h5d.VDS_FIRST_MISSING, 0)):
            access = h5p.create(h5p.DATASET_ACCESS)
            access.set_virtual_view(view)
            access.set_virtual_printf_gap(gap)
            found[f"{view} {gap}"] = {path: h5py.Dataset(h5d.open(f.id, path.encode(), access))[...].tolist()
                                      for path in ("grows", "numbered")}
    return found


def main(folder):
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    external_files()
    source_files()
    with h5py.File("mapped.h5", "w", libver="latest") as f:
        mapped(f)
    with h5py.File("mapped_v110.h5", "w", libver=("v110", "v110")) as f:
        mapped(f)
    with h5py.File("endless.h5", "w", libver="latest") as f:
        endless(f)
    wider()
    many()
    names = [name for name in h5py.File("mapped.h5") if name != "own"]
    golden = {
        "external.h5": values("external.h5", "parts", "below"),
        "external_old.h5": values("external_old.h5", "parts"),
        "mapped.h5": values("mapped.h5", *names),
        "mapped_v110.h5": values("mapped_v110.h5", *names),
        "endless.h5": views("endless.h5"),
    }
    with open("virtual.json", "w") as out:
        json.dump(golden, out, separators=(",", ":"), sort_keys=True)
        out.write("\n")


if __name__ == "__main__":
    main(sys.argv[1])
