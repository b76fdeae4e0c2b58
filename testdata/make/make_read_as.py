#!/usr/bin/env python3
"""Write a file and what H5Dread and H5Aread give in memory datatypes other than its own, for package core.

    make_read_as.py OUTDIR         (testdata/files/read_as)

types.h5, and cases.json: path of a dataset (or attribute), memory datatype (H5Tencode, base64), and what a memory full
of 0xEE bytes holds after the read (base64), or for variable-length data the values.
"""
import base64
import json
import sys
from pathlib import Path

import h5py
import numpy as np
from h5py import h5s, h5t

RECORD = np.dtype(dict(names=["id", "x", "name", "v"], formats=["<i4", ">f8", "S5", ("<u2", (3,))], offsets=[0, 8, 16, 22], itemsize=32))


def records(n):
    a = np.zeros(n, RECORD)
    for i in range(n):
        a[i] = (i - 2, i * 1.25 - 700, b"n%d" % i, (i, 2 * i, 60000 + i))
    return a


def write(f):
    a = records(20)
    f["record"] = a
    f.create_dataset("record_chunked", data=a, chunks=(7,), compression=4, shuffle=True)
    d = f.create_dataset("record_holes", (20,), RECORD, chunks=(6,), fillvalue=records(9)[8])
    d[6:9] = a[6:9]
    f.create_dataset("record_2d", data=records(24).reshape(4, 6), chunks=(2, 4))
    f["ints"] = np.arange(-50, 50, dtype=">i4") * 1000003
    f["floats"] = np.array([0, -1.5, 1e10, -1e300, np.inf, -np.inf, 65504, 3.14159, 1 + 2**-12])
    colour = h5py.enum_dtype({"RED": 0, "GREEN": 1, "BLUE": 5}, "i4")
    f.create_dataset("colours", data=np.array([0, 1, 5, 3, -1], "i4"), dtype=colour)
    z = np.array([1 + 2j, -3.5j], "c16")
    d = h5py.h5d.create(f.id, b"complex", h5t.COMPLEX_IEEE_F64LE, h5s.create_simple(z.shape))
    d.write(h5s.ALL, h5s.ALL, z, h5t.COMPLEX_IEEE_F64LE)
    f["texts"] = np.array([b"abc", b"", b"abcdefgh"], "S8")
    deep = np.dtype([("i", "<i2"), ("s", h5py.string_dtype()), ("q", h5py.vlen_dtype("<i4")), ("r", [("a", ">u2"), ("t", h5py.string_dtype())])])
    v = f.create_dataset("deep", (3,), deep)
    for i in range(3):
        v[i] = (i * 100, "text %d" % i, np.arange(i * 2, dtype="i4") - 1, (i + 7, "inner" * i))
    q = f.create_dataset("sequences", (4,), h5py.vlen_dtype("<i4"), chunks=(2,))
    for i in range(3):
        q[i] = np.arange(i * 3, dtype="i4") * 70000
    f.attrs.create("record", a[:3])
    f.attrs.create("sequence", np.array([np.arange(3, dtype="i4")] + [None], object)[:1], dtype=h5py.vlen_dtype("i4"))


def compound(size, *fields):
    t = h5t.create(h5t.COMPOUND, size)
    for name, at, type_ in fields:
        t.insert(name.encode(), at, type_)
    return t


def enum(base, **values):
    t = h5t.enum_create(base)
    for name, value in values.items():
        t.enum_insert(name.encode(), value)
    return t


def small_float():
    t = h5t.IEEE_F32LE.copy()
    t.set_fields(15, 7, 8, 0, 7)
    t.set_size(2)
    return t


def fixed():
    F32, F64, I16, I64, U16B = h5t.IEEE_F32LE, h5t.IEEE_F64LE, h5t.STD_I16LE, h5t.STD_I64LE, h5t.STD_U16BE
    int3 = h5t.STD_I32LE.copy()
    int3.set_precision(24)
    int3.set_size(3)
    text = h5t.C_S1.copy()
    text.set_size(3)
    whole = compound(40, ("v", 0, h5t.array_create(h5t.STD_I32LE, (3,))), ("id", 12, I64), ("name", 20, text), ("x", 24, F64))
    part = compound(12, ("x", 4, F32))
    packed = compound(4, ("x", 0, F32))
    absent = compound(16, ("none", 0, I64), ("id", 8, I16))
    nothing = compound(8, ("none", 0, I64))
    for path in ("record", "record_chunked", "record_holes", "record_2d"):
        for t in (whole, part, packed, absent, nothing):
            yield path, t
    for t in (I16, F32, int3, U16B, h5t.STD_U8LE, h5t.COMPLEX_IEEE_F32LE):
        yield "ints", t
        yield "floats", t
    yield "ints", small_float()
    yield "colours", enum(I16, BLUE=50, GREEN=10, RED=-1)
    yield "colours", F32
    yield "complex", h5t.COMPLEX_IEEE_F32BE
    yield "complex", F64
    yield "texts", text
    yield "deep", compound(8, ("i", 4, h5t.STD_I32LE))
    yield "deep", compound(12, ("r", 0, compound(8, ("a", 4, h5t.STD_I32LE))))
    yield "@record", part
    yield "@record", whole
    yield "@record", absent


def variable():
    text = h5t.C_S1.copy()
    text.set_size(h5t.VARIABLE)
    text.set_cset(h5t.CSET_UTF8)
    string, floats = h5py.string_dtype(), h5py.vlen_dtype("f8")
    doubles = h5t.vlen_create(h5t.IEEE_F64LE)
    yield "sequences", doubles, floats
    yield "deep", compound(40, ("q", 8, doubles), ("i", 30, h5t.IEEE_F32LE)), np.dtype([("q", floats), ("i", "f4")])
    yield "deep", compound(16, ("s", 0, text)), np.dtype([("s", string)])
    yield "deep", compound(24, ("r", 0, compound(20, ("t", 4, text)))), np.dtype([("r", [("t", string)])])
    yield "deep", compound(60, ("r", 0, compound(20, ("t", 0, text), ("a", 16, h5t.STD_I32LE))), ("s", 24, text)), np.dtype(
        [("r", [("t", string), ("a", "i4")]), ("s", string)])


def plain(v):
    if isinstance(v, np.void):
        return {name: plain(v[name]) for name in v.dtype.names}
    if isinstance(v, np.ndarray):
        return [plain(x) for x in v]
    if isinstance(v, bytes):
        return v.decode()
    return v.item() if isinstance(v, np.generic) else v


def main(out):
    out.mkdir(parents=True, exist_ok=True)
    with h5py.File(out / "types.h5", "w", libver=("v110", "latest")) as f:
        write(f)
    cases = []
    code = lambda b: base64.b64encode(bytes(b)).decode()
    with h5py.File(out / "types.h5") as f:
        for path, t in fixed():
            attribute = path.startswith("@")
            item = h5py.h5a.open(f.id, path[1:].encode()) if attribute else f[path].id
            n = item.get_space().get_simple_extent_npoints()
            raw = np.full(n * t.get_size(), 0xEE, "u1")
            buf = raw.view("V%d" % t.get_size()).reshape(item.shape)
            item.read(buf, t) if attribute else item.read(h5s.ALL, h5s.ALL, buf, t)
            cases.append(dict(Path=path, Type=code(t.encode()), Out=code(raw)))
        for path, t, dtype in variable():
            cases.append(dict(Path=path, Type=code(t.encode()), Values=[plain(v) for v in f[path].astype(dtype)[()]]))
    (out / "cases.json").write_text("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "\n]\n")
    print(len(cases), "cases; HDF5", h5py.version.hdf5_version)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
