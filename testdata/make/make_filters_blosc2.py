#!/usr/bin/env python3
"""Blosc 2 chunks as hdf5plugin stores or reads them, for the tests of
core/internal/filter.

    make_filters_blosc2.py [core/internal/filter/testdata]

The format of the cases is that of make_filters.py. Needs h5py, hdf5plugin and
blosc2, which makes the frames that the HDF5 filter reads but does not write.
"""

import json
import sys
import tempfile
from pathlib import Path

import blosc2
import h5py
import numpy as np

from make_filters import noise, ramp, record, smooth, zeros

BLOSC2, FLETCHER32, SHUFFLE = 32026, 3, 2
BLOSCLZ, LZ4, LZ4HC, ZLIB, ZSTD = 0, 1, 2, 4, 5
NONE, BYTES, BITS, DELTA = range(4)


def dataset(f, shape, dtype, filters):
    dcpl = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    dcpl.set_chunk(shape)
    for fid, *params in filters:
        dcpl.set_filter(fid, 0, tuple(params))
    tid = h5py.h5t.py_create(np.dtype(dtype))
    return h5py.h5d.create(f.id, b"d", tid, h5py.h5s.create_simple(shape), dcpl)


def written(name, data, codec=LZ4, shuffle=BYTES, level=5, block=0, before=(), shape=None):
    filters = [*before, (BLOSC2, 0, block, 0, 0, level, shuffle, codec)]
    with tempfile.TemporaryDirectory() as d, h5py.File(f"{d}/x.h5", "w") as f:
        did = dataset(f, shape or data.shape, data.dtype, filters)
        did.write(h5py.h5s.ALL, h5py.h5s.ALL, data)
        f.flush()
        _, stored = did.read_direct_chunk((0,) * len(did.shape))
        return record(name, did, data, 0, stored)


def given(name, shape, dtype, stored):
    """What the HDF5 filter makes of a frame."""
    with tempfile.TemporaryDirectory() as d:
        with h5py.File(f"{d}/x.h5", "w") as f:
            did = dataset(f, shape, dtype, [(BLOSC2, 0, 0, 0, 0, 5, 1, 1)])
            did.write_direct_chunk((0,) * len(shape), stored, 0)
        with h5py.File(f"{d}/x.h5") as f:
            did, out = f["d"].id, np.zeros(shape, dtype)
            did.read(h5py.h5s.ALL, h5py.h5s.ALL, out)
            return record(name, did, out, 0, stored)


def lines():
    """Chunks of one dimension, which are no arrays of Blosc 2."""
    for codec in (BLOSCLZ, LZ4, LZ4HC, ZLIB, ZSTD):
        for shuffle in (NONE, BYTES, BITS, DELTA):
            yield written(f"blosc2 {codec},{shuffle}/<i2", ramp("<i2", 400), codec, shuffle)
            yield written(f"blosc2 {codec},{shuffle}/<f8", smooth("<f8", 61), codec, shuffle)
    for shuffle in (NONE, BYTES, BITS, DELTA):
        yield written(f"blosc2 blocks {shuffle}/u1", ramp("u1", 500), BLOSCLZ, shuffle, 5, 64)
        yield written(f"blosc2 blocks {shuffle}/<f4", smooth("<f4", 250), ZSTD, shuffle, 5, 256)
        yield written(f"blosc2 blocks {shuffle}/S3", np.arange(211).astype("S3"), LZ4, shuffle, 5, 96)
        yield written(f"blosc2 blocks {shuffle}/S24", np.arange(40).astype("S24"), LZ4, shuffle, 9, 240)
    for shuffle in (BYTES, BITS, DELTA):
        for size in (1, 5, 8, 13, 100):
            yield written(f"blosc2 few {shuffle}/{size}", ramp("<u4", size), ZSTD, shuffle)
    yield written("blosc2/zeros", zeros("<f8", 300))
    yield written("blosc2/NaN", np.full(300, np.nan, "<f8"))
    yield written("blosc2/one value", np.full(300, 77.5, "<f4"))
    yield written("blosc2/one byte", np.full(1000, 7, "u1"))
    yield written("blosc2/noise", noise("u1", 500))
    yield written("blosc2/noise in blocks", noise("<u4", 200), LZ4, BYTES, 5, 128)
    yield written("blosc2/level 0", ramp("<u4", 200), LZ4, BYTES, 0)
    yield written("blosc2/long elements", np.arange(9).astype("S300"), ZSTD)
    yield written("blosc2/compound", ramp("<u4", 60).view([("a", "<i2"), ("b", "<f8"), ("c", "<i2")]), ZSTD)
    yield written("blosc2/checksum before", ramp("<u4", 60), before=[(FLETCHER32,)])
    yield written("blosc2/split and not", np.concatenate([ramp("<f8", 1024), noise("<f8", 20)]), BLOSCLZ, BYTES, 9, 2048)
    yield written("blosc2/runs of bytes", np.full(1024, 0x01020300, "<u4") + ramp("<u4", 1024) // 250, BLOSCLZ, BYTES, 9, 1024)


def arrays():
    for shape in ((20, 30), (7, 9, 11), (1, 50), (50, 1), (2, 3, 4, 5), (3, 1, 2, 1, 5)):
        n = int(np.prod(shape))
        for shuffle, block in ((BYTES, 0), (BYTES, 64), (BITS, 256), (DELTA, 128)):
            data = ramp("<i4", n).reshape(shape)
            yield written(f"blosc2 array {shape}/{shuffle}/{block}", data, LZ4, shuffle, 5, block)
    yield written("blosc2 array/many blocks", smooth("<f8", 2400).reshape(40, 60), ZSTD, BYTES, 5, 512)
    yield written("blosc2 array/zeros", zeros("<f4", 600).reshape(20, 30), block=128)
    yield written("blosc2 array/NaN", np.full((9, 33), np.nan, "<f8"), block=256)
    yield written("blosc2 array/one value", np.full((9, 33), 5, "<u2"), block=64)
    yield written("blosc2 array/noise", noise("<u4", 15 * 17).reshape(15, 17), block=128)
    yield written("blosc2 array/long elements", np.arange(20).astype("S300").reshape(4, 5), ZSTD, block=1000)
    inner = np.dtype(("<i2", (3,)))
    yield written("blosc2 array/of arrays", ramp("<i2", 72).reshape(4, 6, 3), ZSTD, block=16)
    yield written_arrays("blosc2/array type in two dimensions", ramp("<i2", 72).reshape(4, 6, 3), inner)
    yield written("blosc2 array/checksum before", ramp("<u4", 60).reshape(6, 10), before=[(FLETCHER32,)], block=64)
    yield written("blosc2 array/shuffle before", ramp("<u4", 60).reshape(6, 10), before=[(SHUFFLE, 4)], block=64)


def written_arrays(name, data, dtype):
    """A chunk of elements that are arrays."""
    with tempfile.TemporaryDirectory() as d, h5py.File(f"{d}/x.h5", "w") as f:
        did = dataset(f, data.shape[:-1], dtype, [(BLOSC2, 0, 0, 0, 0, 5, BYTES, LZ4)])
        f["d"][...] = data
        f.flush()
        _, stored = did.read_direct_chunk((0,) * len(did.shape))
        return record(name, did, f["d"][...], 0, stored)


def frames():
    """Frames of the Blosc 2 library."""
    def frame(data, **cparams):
        params = {"typesize": data.itemsize, "nthreads": 1, **cparams}
        chunk = max(data.nbytes, 1)
        return blosc2.SChunk(chunksize=chunk, data=np.ascontiguousarray(data), cparams=params).to_cframe()

    filters = blosc2.Filter
    data = ramp("<f4", 300)
    yield given("frame/three filters", (300,), "<f4", frame(
        data, filters=[filters.DELTA, filters.BITSHUFFLE, filters.SHUFFLE], filters_meta=[0, 0, 0], blocksize=512))
    yield given("frame/shuffled twice", (300,), "<f4", frame(
        data, filters=[filters.SHUFFLE, filters.SHUFFLE], filters_meta=[0, 0], blocksize=512))
    yield given("frame/truncated and shuffled", (300,), "<f4", frame(
        smooth("<f4", 300), filters=[filters.TRUNC_PREC, filters.SHUFFLE], filters_meta=[10, 0], blocksize=512))
    yield given("frame/shuffle of another group", (300,), "<f4", frame(
        data, filters=[filters.SHUFFLE], filters_meta=[2], blocksize=512))
    for mode in blosc2.SplitMode:
        yield given(f"frame/split {mode.name}", (300,), "<f4", frame(
            data, splitmode=mode, codec=blosc2.Codec.BLOSCLZ, blocksize=512))

    def special(kind, count, dtype, value=None):
        s = blosc2.SChunk(chunksize=count * np.dtype(dtype).itemsize, cparams={"typesize": np.dtype(dtype).itemsize})
        s.fill_special(count, kind, value) if value is not None else s.fill_special(count, kind)
        return s.to_cframe()

    kinds = blosc2.SpecialValue
    yield given("frame/zeros by the offset", (50,), "<f4", special(kinds.ZERO, 50, "<f4"))
    yield given("frame/NaN by the offset", (50,), "<f8", special(kinds.NAN, 50, "<f8"))
    yield given("frame/NaN of four bytes", (50,), "<f4", special(kinds.NAN, 50, "<f4"))
    yield given("frame/repeated value", (50,), "<f4", special(kinds.VALUE, 50, "<f4", 1.5))
    s = blosc2.SChunk(chunksize=1200, data=data, cparams={"typesize": 4}, meta={"x": [1, 2], "some": "text"})
    s.vlmeta["more"] = list(range(9))
    yield given("frame/other metalayers", (300,), "<f4", s.to_cframe())
    a = blosc2.asarray(ramp("<i4", 35).reshape(5, 7), chunks=(5, 7), blocks=(2, 3), meta={"a": 1})
    yield given("frame/array", (5, 7), "<i4", a.to_cframe())
    a = blosc2.asarray(ramp("<i4", 35), chunks=(35,), blocks=(8,))
    yield given("frame/array of rank 1", (35,), "<i4", a.to_cframe())
    for make in (blosc2.zeros, blosc2.ones):
        a = make((6, 10), dtype="<f8", chunks=(6, 10), blocks=(4, 4))
        yield given(f"frame/array of {make.__name__}", (6, 10), "<f8", a.to_cframe())


def refused():
    """Frames of what is not undone."""
    data = ramp("<f4", 3000)

    def frame(data=data, chunk=None, **cparams):
        params = {"typesize": data.itemsize, "nthreads": 1, **cparams}
        return blosc2.SChunk(chunksize=chunk or data.nbytes, data=data, cparams=params).to_cframe()

    yield "dictionary", frame(np.arange(60000, dtype="<i4") // 3, codec=blosc2.Codec.ZSTD, use_dict=True, blocksize=4096)
    yield "codec 32 (NDLZ)", blosc2.asarray(
        np.indices((40, 40)).sum(0).astype("u1") // 40, chunks=(40, 40), blocks=(40, 40),
        cparams={"codec": blosc2.Codec.NDLZ, "codec_meta": 4, "filters": [], "filters_meta": []}).to_cframe()
    yield "filter 35", frame(filters=[blosc2.Filter.BYTEDELTA], filters_meta=[4])
    yield "more than one chunk", frame(chunk=400)
    yield "an array of more than one chunk", blosc2.asarray(
        ramp("<i4", 35).reshape(5, 7), chunks=(5, 8), blocks=(2, 4)).to_cframe()


def main():
    import base64
    root = Path(__file__).resolve().parents[2]
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else root / "core/internal/filter/testdata"
    made = [*lines(), *arrays(), *frames()]
    text = ",\n".join(json.dumps(c, separators=(",", ":")) for c in made)
    (out / "blosc2.json").write_text(f"[\n{text}\n]\n")
    no = ",\n".join(json.dumps({"Name": n, "Stored": base64.b64encode(s).decode()}) for n, s in refused())
    (out / "blosc2_refused.json").write_text(f"[\n{no}\n]\n")
    for name in ("blosc2.json", "blosc2_refused.json"):
        print(f"{out / name}: {(out / name).stat().st_size} bytes")


if __name__ == "__main__":
    main()
