#!/usr/bin/env python3
"""Chunks as libhdf5 stores them, for the tests of core/internal/filter.

    make_filters.py [core/internal/filter/testdata]

Each case is one chunk: the filters, the filter mask, the stored bytes and the
plain ones (base64). The cases that end in an error are chunks that libhdf5
refuses to read. Needs h5py and hdf5plugin.
"""

import base64
import ctypes
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
NBIT, SCALEOFFSET, BZIP2 = 5, 6, 307
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
        for dtype in ("u1", "<i2", "S3", "<f8"):
            for n in (1, 8, 203):
                make = noise if dtype[0] == "S" else smooth
                filters = [(BITSHUFFLE, 64, compression)]
                yield written(f"bitshuffle {compression}/{dtype}/{n}", make(dtype, n), filters)
        yield written(f"bitshuffle {compression}/default blocks", ramp("u1", 9000), [(BITSHUFFLE, 0, compression)])

    # typesize and chunk size are filled in by the filter
    for codec in range(6):  # blosclz, lz4, lz4hc, snappy, zlib, zstd
        for shuffle in range(3):
            for dtype, n in (("u1", 300), ("<i2", 400), ("<f8", 257)):
                yield written(f"blosc {codec},{shuffle}/{dtype}", ramp(dtype, n),
                              [(BLOSC, 0, 0, 0, 0, 5, shuffle, codec)])
        yield written(f"blosc {codec}/zeros", zeros("<f4", 300), [(BLOSC, 0, 0, 0, 0, 9, 2, codec)])
    for codec, n in ((0, 33000), (5, 17000)):  # more than one block
        yield written(f"blosc {codec}/blocks", ramp("<u2", n), [(BLOSC, 0, 0, 0, 0, 1, 1, codec)])
    data = ramp("<f4", 20)
    header = struct.pack("<BBBBIII", 2, 1, 0x02, 4, 80, 80, 96)
    yield given("blosc/copied", data, [(BLOSC, 0, 0, 0, 0, 5, 1, 0)], 0, header + data.tobytes())
    yield given("blosc/version 3", data, [(BLOSC, 0, 0, 0, 0, 5, 1, 0)], 0, b"\x03" + header[1:] + data.tobytes())
    # from 8192 bytes back, where the distance takes four bytes: "x", then "y" up to there
    stream = b"\x00x\x00y" + b"\xe0" + b"\xff" * 32 + b"\x15\x00" + b"\x3f\xff\x00\x00" + b"\x00z"
    header = struct.pack("<BBBBIIIII", 2, 1, 0, 1, 8196, 8196, 24 + len(stream), 20, len(stream))
    yield given("blosc 0/far copy", zeros("u1", 8196), [(BLOSC, 0, 0, 0, 0, 5, 0, 0)], 0, header + stream)


def coded(name, data, mask, block, precision=0):
    """A chunk that went through szip, optionally of numbers of fewer bits, if szip
    makes it smaller."""
    dtype = h5py.h5t.py_create(data.dtype).copy()
    if precision:
        dtype.set_precision(precision)
    dcpl = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    dcpl.set_chunk(data.shape)
    dcpl.set_filter(SZIP, OPTIONAL, (mask, block))
    with tempfile.TemporaryDirectory() as d, h5py.File(f"{d}/x.h5", "w") as f:
        did = h5py.h5d.create(f.id, b"d", dtype, h5py.h5s.create_simple(data.shape), dcpl)
        did.write(h5py.h5s.ALL, h5py.h5s.ALL, data, dtype)
        f.flush()
        got, stored = did.read_direct_chunk((0,) * data.ndim)
        if got == 0:
            yield record(name, did, data, got, stored)


def szip():
    """Chunks of every coding that szip chooses from."""
    entropy, nearest, raw = 4, 32, 128
    for method in (entropy, nearest):
        for dtype in ("u1", "<i2", ">i2", "<u4", ">f8"):
            shapes = {((64,), 16): nearest, ((7, 21), 8): method, ((300,), 2): method if dtype == "u1" else 0}
            for shape, block in (key for key, used in shapes.items() if used == method):
                n = int(np.prod(shape))
                size = np.dtype(dtype).itemsize
                kinds = {
                    "smooth": smooth("f8", n).astype("i8").astype(dtype),
                    "zeros": zeros(dtype, n),
                    "few": (rng.integers(0, 40, n) == 0).astype(dtype),
                    "half noise": np.concatenate([zeros(dtype, n // 2), noise("u1", (n - n // 2) * size).view(dtype)]),
                }
                for kind, data in kinds.items():
                    name = f"szip {method}/{dtype}/{shape}/{block}/{kind}"
                    yield from coded(name, data.reshape(shape), method | raw, block)
        for dtype, precision in (("<u4", 17), (">u4", 24), ("<u2", 11), ("u1", 5)):
            for top in (3, precision):
                data = rng.integers(0, 1 << top, (5, 30)).astype(dtype)
                yield from coded(f"szip {method}/{dtype} of {precision} bits/{top}", data, method | raw, 10, precision)


def packed(name, data, filter_, dtype=None, fill=None):
    """A chunk of numbers in as few bits as they need; with a fill value of False,
    of a dataset that has none."""
    dtype = dtype or h5py.h5t.py_create(data.dtype)
    dcpl = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    dcpl.set_chunk((len(data),))
    if fill is False:
        undefined_fill_value(dcpl)
    elif fill is not None:
        dcpl.set_fill_value(np.array(fill, data.dtype))
    fid, *params = filter_
    dcpl.set_filter(fid, 0, tuple(p % 2**32 for p in params))
    with tempfile.TemporaryDirectory() as d:
        with h5py.File(f"{d}/x.h5", "w") as f:
            space = h5py.h5s.create_simple(data.shape)
            did = h5py.h5d.create(f.id, b"d", dtype, space, dcpl)
            did.write(h5py.h5s.ALL, h5py.h5s.ALL, data, dtype)
            f.flush()
            _, stored = did.read_direct_chunk((0,))
        with h5py.File(f"{d}/x.h5") as f:
            did = f["d"].id
            out = np.zeros_like(data)
            did.read(h5py.h5s.ALL, h5py.h5s.ALL, out, dtype)
            return record(name, did, out, 0, stored)


def undefined_fill_value(dcpl):
    """h5py cannot say that there is no fill value."""
    name = next(Path(h5py.__file__).parents[1].glob("h5py.libs/libhdf5-*.so*"))
    setter = ctypes.CDLL(str(name)).H5Pset_fill_value
    setter.argtypes = [ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p]
    assert setter(dcpl.id, h5py.h5t.NATIVE_INT8.id, None) >= 0


def packed_cases():
    rng = np.random.default_rng(7)
    yield from scaleoffset_cases(rng)
    yield from nbit_cases(rng)
    for n, level in ((1, 9), (300, 1)):
        yield written(f"bzip2/ramp/{n}", ramp("<f4", n), [(BZIP2, level)])
    yield written("bzip2/noise", np.frombuffer(rng.bytes(400), "u1"), [(BZIP2, 1)])


def scaleoffset_cases(rng):
    integers, decimal = h5py.h5z.SO_INT, h5py.h5z.SO_FLOAT_DSCALE
    for code in "i1 u1 <i2 >i2 <u2 >u2 <i4 >i4 <u4 >u4 <i8 >i8 <u8 >u8".split():
        info = np.iinfo(code)
        n, top = 21, min(info.max, 2**62) // 3
        near = (rng.integers(0, top // 4, n) + max(info.min, -5)).astype(code)
        wide = np.array([info.min, info.max, 1, 2, 3], code)
        filled = near.copy()
        filled[::4] = top
        filter_ = (SCALEOFFSET, integers, 0)
        yield packed(f"scaleoffset/{code}", near, filter_)
        yield packed(f"scaleoffset/{code} no fill value", near, filter_, fill=False)
        yield packed(f"scaleoffset/{code} with fill values", filled, filter_, fill=top)
        yield packed(f"scaleoffset/{code} all bits", wide, filter_, fill=False)
        yield packed(f"scaleoffset/{code} one value", np.full(9, 7, code), filter_, fill=False)
        yield packed(f"scaleoffset/{code} fill values only", np.full(9, 7, code), filter_, fill=7)
        yield packed(f"scaleoffset/{code} asked for all bits", wide, (SCALEOFFSET, integers, 8 * info.dtype.itemsize))
        yield packed(f"scaleoffset/{code} asked for 5 bits", (near % 21).astype(code), (SCALEOFFSET, integers, 5))
    for code in "<f4 >f4 <f8 >f8".split():
        values = np.round(rng.normal(0, 30, 25), 4).astype(code)
        filled = values.copy()
        filled[::5] = -999.25
        for factor in (0, 1, 3, -1):
            yield packed(f"scaleoffset/{code} 1e{factor}", values, (SCALEOFFSET, decimal, factor))
            yield packed(f"scaleoffset/{code} 1e{factor} no fill value", values, (SCALEOFFSET, decimal, factor), fill=False)
        yield packed(f"scaleoffset/{code} with fill values", filled, (SCALEOFFSET, decimal, 2), fill=-999.25)
        yield packed(f"scaleoffset/{code} one value", np.full(9, 2.5, code), (SCALEOFFSET, decimal, 2), fill=False)
        yield packed(f"scaleoffset/{code} all bits", (values * 1e15).astype(code), (SCALEOFFSET, decimal, 9), fill=False)

    steps = np.cumsum(rng.integers(-9, 9, 600))
    yield packed("scaleoffset/long integers", steps.astype("<i4"), (SCALEOFFSET, integers, 0))
    yield packed("scaleoffset/long floats", (steps / 8).astype(">f4"), (SCALEOFFSET, decimal, 2))


def bits(base, precision, offset=0):
    """base with so many bits that count, from the one at offset on."""
    t = base.copy()
    t.set_precision(precision)
    t.set_offset(offset)
    return t


def compound(size, **members):
    t = h5py.h5t.create(h5py.h5t.COMPOUND, size)
    for name, (offset, member) in members.items():
        t.insert(name.encode(), offset, member)
    return t


def nbit_types():
    t = h5py.h5t
    for base, precision, offset in [
        (t.STD_I8LE, 5, 0), (t.STD_U8LE, 5, 2), (t.STD_U8BE, 5, 3), (t.STD_I8LE, 8, 0),
        (t.STD_I16LE, 11, 0), (t.STD_I16BE, 11, 3), (t.STD_U16LE, 9, 7), (t.STD_U16BE, 8, 8), (t.STD_U16BE, 8, 4),
        (t.STD_I32LE, 17, 5), (t.STD_I32BE, 17, 0), (t.STD_U32LE, 31, 1), (t.STD_U32BE, 16, 8), (t.STD_I32LE, 32, 0),
        (t.STD_I64LE, 33, 7), (t.STD_I64BE, 61, 3), (t.STD_U64LE, 63, 1), (t.STD_U64BE, 40, 16),
    ]:
        stored = bits(base, precision, offset)
        order = "big" if stored.get_order() == t.ORDER_BE else "little"
        yield f"{stored.get_size()} bytes {order}, {precision} bits from {offset}", stored
    for order in (t.ORDER_LE, t.ORDER_BE):
        wide = t.STD_I64LE.copy()
        wide.set_size(12)
        wide.set_order(order)
        yield f"12 bytes, order {order}", bits(wide, 70, 13)

    text = t.C_S1.copy()
    text.set_size(3)
    i13, u5, b19 = bits(t.STD_I16LE, 13), bits(t.STD_U8LE, 5, 2), bits(t.STD_I32BE, 19, 3)
    pair = compound(5, a=(0, i13), b=(3, u5))
    yield "strings", text
    yield "array", t.array_create(i13, (3, 2))
    yield "array of strings", t.array_create(text, (2,))
    yield "compound", compound(13, a=(1, i13), b=(4, u5), c=(7, b19))
    yield "compound of strings and arrays", compound(
        20, a=(0, u5), s=(1, text), v=(4, t.array_create(i13, (2,))), w=(8, t.array_create(text, (3,))), z=(17, i13))
    yield "compound of compounds", compound(12, a=(0, u5), p=(1, pair), q=(6, compound(5, s=(0, text), z=(4, u5))), z=(11, u5))
    yield "array of compounds", t.array_create(pair, (2,))
    yield "compound with an array of compounds", compound(17, b=(0, b19), p=(5, t.array_create(pair, (2,))))


def nbit_cases(rng):
    for name, stored in nbit_types():
        size = stored.get_size()
        data = np.frombuffer(rng.bytes(11 * size), f"V{size}")
        yield packed(f"nbit/{name}", data, (NBIT,), stored)
    yield packed("nbit/long", np.frombuffer(rng.bytes(2 * 600), "V2"), (NBIT,), bits(h5py.h5t.STD_U16LE, 11, 2))


def main():
    root = Path(__file__).resolve().parents[2]
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else root / "core/internal/filter/testdata"
    out.mkdir(parents=True, exist_ok=True)
    for name, made in [("chunks.json", cases()), ("blocks.json", blocks()), ("packed.json", packed_cases()),
                       ("szip.json", szip())]:
        lines = ",\n".join(json.dumps(c, separators=(",", ":")) for c in made)
        (out / name).write_text(f"[\n{lines}\n]\n")
        print(f"{out / name}: {(out / name).stat().st_size} bytes")
    print(f"h5py {h5py.version.version}, HDF5 {h5py.version.hdf5_version}, hdf5plugin {hdf5plugin.version}")


if __name__ == "__main__":
    main()
