#!/usr/bin/env python3
"""Chunks as libhdf5 stores them, for the tests of core/internal/filter.

    make_filters.py [core/internal/filter/testdata]

Each case is one chunk: the filters, the filter mask, the stored bytes and the
plain ones (base64). The cases that end in an error are chunks that libhdf5
refuses to read. Needs h5py and hdf5plugin.
"""

import base64
import json
import struct
import sys
import tempfile
import zlib
from pathlib import Path

import h5py
import hdf5plugin
import numpy as np

DEFLATE, SHUFFLE, FLETCHER32, LZF, LZ4, ZSTD = 1, 2, 3, 32000, 32004, 32015
SZIP, BLOSC, BITSHUFFLE = 4, 32001, 32008
OPTIONAL = h5py.h5z.FLAG_OPTIONAL

rng = np.random.default_rng(20240501)


def ramp(dtype, n):
    return (np.arange(n) * 3 % 251).astype(dtype)


def smooth(dtype, n):
    return (np.sin(np.arange(n) / 50) * 1000).astype(dtype)


def zeros(dtype, n):
    return np.zeros(n, dtype)


def noise(dtype, n):
    dtype = np.dtype(dtype)
    return np.frombuffer(rng.bytes(n * dtype.itemsize), dtype)


def creation_list(filters, n):
    dcpl = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    dcpl.set_chunk((n,))
    for fid, *params in filters:
        flags = 0 if fid == FLETCHER32 else OPTIONAL
        dcpl.set_filter(fid, flags, tuple(params))
    return dcpl


def dataset(f, data, filters):
    space = h5py.h5s.create_simple(data.shape)
    dtype = h5py.h5t.py_create(data.dtype)
    return h5py.h5d.create(f.id, b"d", dtype, space, creation_list(filters, len(data)))


def text(raw):
    return base64.b64encode(bytes(raw)).decode()


def record(name, did, data, mask, stored, **more):
    plist = did.get_create_plist()
    filters = []
    for i in range(plist.get_nfilters()):
        fid, _, params, fname = plist.get_filter(i)
        filters.append({"ID": fid, "Name": fname.decode(), "Params": list(params)})
    return {
        "Name": name,
        "Filters": filters,
        "ElemSize": data.dtype.itemsize,
        "Mask": mask,
        "Stored": text(stored),
        "Plain": text(data.tobytes()),
        **more,
    }


def written(name, data, filters, mask=None):
    """A chunk that libhdf5 has filtered; with a mask, one that has skipped filters."""
    with tempfile.TemporaryDirectory() as d, h5py.File(f"{d}/x.h5", "w") as f:
        did = dataset(f, data, filters)
        did.write(h5py.h5s.ALL, h5py.h5s.ALL, data)
        f.flush()
        got, stored = did.read_direct_chunk((0,))
        if mask is not None:
            assert got == mask, (name, got)
        return record(name, did, data, got, stored)


def given(name, data, filters, mask, stored):
    """A chunk of our bytes, with what libhdf5 makes of it."""
    with tempfile.TemporaryDirectory() as d:
        with h5py.File(f"{d}/x.h5", "w") as f:
            dataset(f, data, filters).write_direct_chunk((0,), stored, mask)
        with h5py.File(f"{d}/x.h5") as f:
            did = f["d"].id
            out = np.zeros_like(data)
            try:
                did.read(h5py.h5s.ALL, h5py.h5s.ALL, out)
            except OSError:
                return record(name, did, data, mask, stored, Refused=True)
            return record(name, did, out, mask, stored)


def cases():
    record12 = np.dtype([("a", "<f8"), ("b", "<i4")])
    sizes = [1, 3, 8, 9, 16, 17, 33, 57]
    for dtype in ["u1", "<i2", "<f4", "<f8", "S3", "S5", "S7", record12, "S16", "S27"]:
        elem = np.dtype(dtype).itemsize
        for n in sizes:
            yield written(f"shuffle/{elem}x{n}", noise(dtype, n), [(SHUFFLE, elem)])
    for n in [1, 2, 3, 4, 5, 8, 9, 2880, 2881, 5767]:
        yield written(f"fletcher32/{n}", noise("u1", n), [(FLETCHER32,)])
    yield written("fletcher32/zeros", zeros("u1", 3000), [(FLETCHER32,)])
    yield written("fletcher32/ones", np.full(3001, 255, "u1"), [(FLETCHER32,)])

    pipelines = {
        "deflate": [(DEFLATE, 4)],
        "shuffle+deflate": [(SHUFFLE, 4), (DEFLATE, 4)],
        "shuffle+deflate+fletcher32": [(SHUFFLE, 4), (DEFLATE, 1), (FLETCHER32,)],
        "fletcher32+deflate": [(FLETCHER32,), (DEFLATE, 9)],
        "fletcher32+shuffle+deflate": [(FLETCHER32,), (SHUFFLE, 4), (DEFLATE, 6)],
        "deflate+shuffle": [(DEFLATE, 6), (SHUFFLE, 4)],
        "lzf": [(LZF,)],
        "shuffle+lzf": [(SHUFFLE, 4), (LZF,)],
        "shuffle+lzf+fletcher32": [(SHUFFLE, 4), (LZF,), (FLETCHER32,)],
        "lz4": [(LZ4, 0)],
        "lz4 of small blocks": [(LZ4, 128)],
        "zstd": [(ZSTD, 3)],
        "shuffle+zstd": [(SHUFFLE, 4), (ZSTD, 19)],
        "deflate+zstd": [(DEFLATE, 1), (ZSTD, 3)],
        "zstd+deflate": [(ZSTD, 3), (DEFLATE, 1)],
    }
    for name, filters in pipelines.items():
        for make in (ramp, smooth, zeros, noise):
            for n in (1, 300):
                yield written(f"{name}/{make.__name__}/{n}", make("<f4", n), filters)

    yield from by_hand()


def by_hand():
    data = ramp("<u4", 100)
    plain = data.tobytes()
    packed = zlib.compress(plain, 6)
    deflate, both = [(DEFLATE, 6)], [(SHUFFLE, 4), (DEFLATE, 6)]
    yield given("deflate/stored blocks", data, deflate, 0, zlib.compress(plain, 0))
    yield given("deflate/bytes after the stream", data, deflate, 0, packed + b"more")
    yield given("deflate/masked", data, deflate, 1, plain)
    yield given("shuffle+deflate/shuffle masked", data, both, 1, packed)
    yield given("shuffle+deflate/both masked", data, both, 3, plain)
    yield given("deflate/cut", data, deflate, 0, packed[:-5])
    yield given("deflate/wrong checksum", data, deflate, 0, packed[:-1] + bytes([packed[-1] ^ 1]))
    yield given("deflate/not zlib", data, deflate, 0, b"\x00" * 40)
    # a preset dictionary is not part of the format
    z = zlib.compressobj(6, zdict=b"abcdefgh")
    yield given("deflate/dictionary", data, deflate, 0, z.compress(plain) + z.flush())

    sums = [(FLETCHER32,)]
    with tempfile.TemporaryDirectory() as d, h5py.File(f"{d}/x.h5", "w") as f:
        did = dataset(f, data, sums)
        did.write(h5py.h5s.ALL, h5py.h5s.ALL, data)
        f.flush()
        stored = bytes(did.read_direct_chunk((0,))[1])
    c = stored[-4:]
    old = bytes([c[1], c[0], c[3], c[2]])
    yield given("fletcher32/as HDF5 1.6.2 wrote it", data, sums, 0, stored[:-4] + old)
    yield given("fletcher32/wrong", data, sums, 0, stored[:-4] + c[::-1])
    yield given("fletcher32/wrong data", data, sums, 0, b"\x07" + stored[1:])


def blocks():
    """Chunks of the filters that cut a chunk into blocks."""
    for compression in (0, 2, 3):
        for dtype in ("u1", "<i2", "S3", "<f4", "<f8", "S16"):
            for n in (1, 8, 77, 203):
                make = noise if dtype[0] == "S" else smooth
                filters = [(BITSHUFFLE, 64, compression)]
                yield written(f"bitshuffle {compression}/{dtype}/{n}", make(dtype, n), filters)
        yield written(f"bitshuffle {compression}/default blocks", ramp("u1", 9000), [(BITSHUFFLE, 0, compression)])

    # typesize and chunk size are filled in by the filter
    for codec in range(6):  # blosclz, lz4, lz4hc, snappy, zlib, zstd
        for shuffle in range(3):
            for dtype, n in (("u1", 600), ("<i2", 800), ("<f4", 300), ("<f8", 257), ("S17", 40)):
                make = ramp if dtype[0] != "S" else noise
                yield written(f"blosc {codec},{shuffle}/{dtype}", make(dtype, n),
                              [(BLOSC, 0, 0, 0, 0, 5, shuffle, codec)])
        yield written(f"blosc {codec}/zeros", zeros("<f4", 300), [(BLOSC, 0, 0, 0, 0, 9, 2, codec)])
    for codec, n in ((0, 33000), (5, 17000)):  # more than one block
        yield written(f"blosc {codec}/blocks", ramp("<u2", n), [(BLOSC, 0, 0, 0, 0, 1, 1, codec)])
    data = ramp("<f4", 20)
    header = struct.pack("<BBBBIII", 2, 1, 0x02, 4, 80, 80, 96)
    yield given("blosc/copied", data, [(BLOSC, 0, 0, 0, 0, 5, 1, 0)], 0, header + data.tobytes())
    yield given("blosc/version 3", data, [(BLOSC, 0, 0, 0, 0, 5, 1, 0)], 0, b"\x03" + header[1:] + data.tobytes())


def main():
    root = Path(__file__).resolve().parents[2]
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else root / "core/internal/filter/testdata"
    out.mkdir(parents=True, exist_ok=True)
    for name, made in [("chunks.json", cases()), ("blocks.json", blocks())]:
        lines = ",\n".join(json.dumps(c, separators=(",", ":")) for c in made)
        (out / name).write_text(f"[\n{lines}\n]\n")
        print(f"{out / name}: {(out / name).stat().st_size} bytes")
    print(f"h5py {h5py.version.version}, HDF5 {h5py.version.hdf5_version}, hdf5plugin {hdf5plugin.version}")


if __name__ == "__main__":
    main()
