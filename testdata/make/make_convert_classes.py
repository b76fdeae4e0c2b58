#!/usr/bin/env python3
"""What libhdf5 converts elements of all classes to, for core/internal/convert.

    make_convert_classes.py [core/internal/convert/testdata/classes.json]

Cases: two datatypes (H5Tencode, base64), elements of the first, what the memory
of the second holds before, and what H5Tconvert makes of them; no result where
it has no conversion. Needs h5py.
"""

import base64
import json
import sys
from pathlib import Path

import h5py
import numpy as np
from h5py import h5t

I8, I16, I32, I64 = h5t.STD_I8LE, h5t.STD_I16LE, h5t.STD_I32LE, h5t.STD_I64LE
U16B, I32B, F32, F64, F64B = h5t.STD_U16BE, h5t.STD_I32BE, h5t.IEEE_F32LE, h5t.IEEE_F64LE, h5t.IEEE_F64BE
C32, C64, C32B = h5t.COMPLEX_IEEE_F32LE, h5t.COMPLEX_IEEE_F64LE, h5t.COMPLEX_IEEE_F32BE


def text(raw):
    return base64.b64encode(bytes(raw)).decode()


def enum(base, **values):
    t = h5t.enum_create(base)
    for name, value in values.items():
        t.enum_insert(name.encode(), value)
    return t


def compound(size, *fields):
    t = h5t.create(h5t.COMPOUND, size)
    for name, at, type_ in fields:
        t.insert(name.encode(), at, type_)
    return t


def string(size, pad=h5t.STR_NULLTERM, cset=h5t.CSET_ASCII):
    t = h5t.C_S1.copy()
    t.set_size(size)
    t.set_strpad(pad)
    t.set_cset(cset)
    return t


def opaque(size, tag):
    t = h5t.create(h5t.OPAQUE, size)
    t.set_tag(tag)
    return t


def array(base, *dims):
    return h5t.array_create(base, dims)


def pairs():
    colours = enum(I32, RED=1, GREEN=2, BLUE=7)
    i4 = np.array([1, 2, 7, 3, -1, 300], "<i4").tobytes()
    # Names in an order that libhdf5's map, which is made of two lists sorted by
    # name, is right for: it takes the n-th name for the n-th.
    yield colours, enum(U16B, BLUE=30, GREEN=20, RED=10), i4
    yield colours, enum(I8, RED=1, BLUE=2, GREEN=-3, ZERO=0), i4
    yield enum(I8, A=1, B=-1), enum(I64, B=5, A=-6), bytes([1, 255, 0, 2])
    yield enum(I32B, A=1), enum(I32, A=1), np.array([1, 2, 0], ">i4").tobytes()
    for to in (I8, I32B, F32, F64B, U16B):
        yield colours, to, i4
    yield F32, colours, np.array([1, 2], "<f4").tobytes()
    yield colours, C32, i4
    yield colours, string(4), i4

    a = compound(16, ("a", 0, I32), ("b", 4, F64), ("c", 12, U16B))
    data = np.array([(1, 2.5, 3), (-4, -5.75, 600)], dict(names=["a", "b", "c"], formats=["<i4", "<f8", ">u2"], offsets=[0, 4, 12], itemsize=16)).tobytes()
    yield a, compound(16, ("c", 0, I32), ("a", 4, F32), ("b", 8, I64)), data
    yield a, compound(4, ("b", 0, F32)), data
    yield a, compound(24, ("b", 8, F64)), data
    yield a, compound(24, ("x", 0, I64), ("c", 12, I8)), data
    yield a, compound(8, ("x", 0, I64)), data
    yield a, compound(4, ("a", 0, string(4))), data
    yield a, I32, data
    outer = compound(28, ("p", 2, a), ("q", 20, array(I16, 2, 2)))
    more = b"".join(bytes(2) + data[i * 16 : i * 16 + 16] + bytes(2) + np.array([1, -2, 3, 400], "<i2").tobytes() for i in (0, 1))
    yield outer, compound(40, ("q", 0, array(I32B, 2, 2)), ("p", 20, compound(12, ("c", 4, I32)))), more
    yield outer, compound(8, ("q", 0, array(I8, 2, 2))), more

    yield array(I32, 3), array(F32, 3), np.arange(6, dtype="<i4").tobytes()
    yield array(I32, 2, 3), array(I16, 2, 3), (np.arange(12, dtype="<i4") * 9999).tobytes()
    yield array(I32, 2, 3), array(I32, 3, 2), np.arange(6, dtype="<i4").tobytes()
    yield array(I32, 6), array(I32, 2, 3), np.arange(6, dtype="<i4").tobytes()
    yield array(I32, 1), I32, i4
    yield array(array(I16, 2), 2), array(array(I32, 2), 2), np.arange(8, dtype="<i2").tobytes()

    z = np.array([1.5 + 2j, -3e9 + 0.25j, complex(np.inf, 1), complex(1, -np.inf), 0], "<c8").tobytes()
    for to in (C64, F32, F64B, I32, I16, h5t.STD_U8LE, array(F32, 2), compound(8, ("r", 0, F32), ("i", 4, F32))):
        yield C32, to, z
    yield C32, array(F64, 2), z
    yield C32, compound(16, ("r", 0, F64), ("i", 8, F64)), z
    yield C32, compound(12, ("r", 0, F32), ("i", 8, F32)), z
    yield array(F32, 2), C32, z
    yield compound(8, ("x", 0, F32), ("y", 4, F32)), C32, z
    yield array(F64, 2), C32, np.arange(4, dtype="<f8").tobytes()
    for src, dtype in ((I32, "<i4"), (F64, "<f8"), (F64B, ">f8"), (h5t.STD_U8LE, "u1")):
        for to in (C32, C64, C32B):
            yield src, to, np.array([1, 2, 100, 0], dtype).tobytes()
    yield C32B, C64, np.array([1.5 + 2j, -7 + 0.25j, 0], ">c8").tobytes()

    for a_, b_ in ((opaque(4, b"x"), opaque(4, b"x")), (opaque(4, b"x"), opaque(4, b"y")), (opaque(4, b"x"), opaque(5, b"x")), (opaque(4, b"x"), I32)):
        yield a_, b_, b"abcdefgh"
    yield string(4), string(6), b"abcdxy\0z"
    yield string(4), string(4, cset=h5t.CSET_UTF8), b"abcd"
    yield string(4), I32, b"abcd"
    yield I32, string(4), b"abcd"
    yield h5t.STD_REF_OBJ, I64, bytes(8)
    yield h5t.UNIX_D32LE, h5t.UNIX_D64LE, bytes(8)
    yield h5t.UNIX_D32LE, I32, bytes(8)
    yield h5t.STD_B8LE, h5t.STD_B16BE, bytes([0, 1, 128, 255])
    yield h5t.STD_B16BE, h5t.STD_B8LE, bytes([0, 1, 1, 128, 255, 255, 2, 0])
    yield I32, h5t.STD_B32LE, i4
    yield h5t.STD_B32LE, F32, i4


def converted(src, dst, data):
    n = len(data) // src.get_size()
    before = bytes(0xA0 + i % 31 for i in range(n * dst.get_size()))
    buf = np.zeros(n * max(src.get_size(), dst.get_size()), "u1")
    buf[: len(data)] = np.frombuffer(data, "u1")
    try:
        h5t.convert(src, dst, n, buf, np.frombuffer(before + bytes(len(buf)), "u1").copy())
    except TypeError:
        return before, None
    return before, buf[: n * dst.get_size()].tobytes()


def main():
    root = Path(__file__).resolve().parents[2]
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else root / "core/internal/convert/testdata/classes.json"
    rows = []
    for src, dst, data in pairs():
        before, result = converted(src, dst, data)
        rows.append(json.dumps({"From": text(src.encode()), "To": text(dst.encode()), "In": text(data), "Before": text(before),
                                "Out": None if result is None else text(result)}, separators=(",", ":")))
    out.write_text("[\n%s\n]\n" % ",\n".join(rows))
    print(f"{out}: {len(rows)} cases; h5py {h5py.version.version}, HDF5 {h5py.version.hdf5_version}")


if __name__ == "__main__":
    main()
