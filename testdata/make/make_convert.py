#!/usr/bin/env python3
"""What libhdf5 converts numbers and strings to, for core/internal/convert.

    make_convert.py [core/internal/convert/testdata/numbers.json]

Numbers: edge values of each numeric type, and what H5Tconvert makes of them in
every other type (base64, little-endian). Strings: the same for fixed
strings of other lengths and paddings. Needs h5py.
"""

import base64
import json
import sys
from pathlib import Path

import h5py
import numpy as np
from h5py import h5t

KINDS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]


def text(raw):
    return base64.b64encode(bytes(raw)).decode()


def integers(dtype):
    info = np.iinfo(dtype)
    around = {0, 1, 2, 3, 5, 100, -1, -2, -3, -100}
    for bits in (7, 8, 11, 12, 15, 16, 24, 25, 31, 32, 53, 54, 63, 64):
        for d in (-1025, -3, -1, 0, 1, 3, 1025):
            around |= {2**bits + d, -(2**bits) + d}
    for v in (65504, 65519, 65520, 65521, 0x123456789ABCDEF, 0x7FFFFF8000000000, 0x7FFFFFC000000001):
        around |= {v, -v}
    return np.array(sorted(v for v in around if info.min <= v <= info.max), dtype)


def floats(dtype):
    values = [0.0, -0.0, 0.25, 0.5, 0.75, 1, 1.5, 2.5, 1e-8, 6e-8, 3e-8, 2.98e-8, 1e-40, 1e-45, 5e-324, 6.1e-5, 3.3e-5, 1e-310]
    values += [2.0**b + d for b in (7, 8, 15, 16, 31, 32, 53, 63, 64) for d in (-1.5, -1, -0.5, 0, 0.5, 1)]
    values += [65504, 65519, 65519.99, 65520, 65536, 2049, 2051, 1 + 2**-11, 1 + 2**-11 + 2**-30, 1 + 3 * 2**-11]
    values += [float(np.finfo("f4").max), float(np.finfo("f4").max) * (1 + 2**-26), float(np.finfo("f4").max) * (1 + 2**-25)]
    values += [1e39, 1e300, float("inf"), 1 + 2**-24, 1 + 2**-24 + 2**-50, 1 + 3 * 2**-24, 1.17549430e-38]
    with np.errstate(over="ignore"):
        both = np.array(values + [-v for v in values], "f8").astype(dtype)
    bits = {2: ["7e00", "fe00", "7e01"], 4: ["7fc00000", "ffc00000", "7fc12345"], 8: ["7ff8000000000000", "fff8000000000000", "7ff8123456789abc"]}
    nans = np.array([int(b, 16) for b in bits[dtype.itemsize]], f"u{dtype.itemsize}").view(dtype)
    return np.unique(np.concatenate([both, nans]).view(f"u{dtype.itemsize}")).view(dtype)


def convert(src_type, dst_type, data, n):
    room = max(src_type.get_size(), dst_type.get_size()) * n
    buf = np.zeros(room, "u1")
    buf[: len(data)] = np.frombuffer(data, "u1")
    h5t.convert(src_type, dst_type, n, buf)
    return buf[: dst_type.get_size() * n].tobytes()


def numbers():
    """Native byte order only: between byte orders libhdf5 converts with other
    code, which rounds halves away from zero, reads u2 >32767 as negative i2 and
    makes the smallest integer of -0.25."""
    for src in KINDS:
        dtype = np.dtype("<" + src)
        values = integers(dtype) if dtype.kind in "iu" else floats(dtype)
        case = {"From": src, "In": text(values.tobytes()), "To": {}}
        for dst in KINDS:
            if dst != src:
                out = convert(h5t.py_create(dtype), h5t.py_create(np.dtype("<" + dst)), values.tobytes(), len(values))
                case["To"][dst] = text(out)
        yield case


def strings():
    pads = {"null-terminated": h5t.STR_NULLTERM, "null-padded": h5t.STR_NULLPAD, "space-padded": h5t.STR_SPACEPAD}

    def string(size, pad):
        t = h5t.C_S1.copy()
        t.set_size(size)
        t.set_strpad(pads[pad])
        return t

    data = b"abcdef" + b"abc\0\0\0" + b"abc   " + b"ab\0cd " + b"\0" * 6 + b" " * 6 + b"a b \0\0"
    for src in pads:
        for dst in pads:
            for size in (1, 4, 6, 9):
                if size == 6 and src == dst:
                    continue
                out = convert(string(6, src), string(size, dst), data, len(data) // 6)
                yield {"From": src, "To": dst, "Size": size, "In": text(data), "Out": text(out)}


def main():
    root = Path(__file__).resolve().parents[2]
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else root / "core/internal/convert/testdata/numbers.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    rows = [",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) for cases in (numbers(), strings())]
    out.write_text('{"Numbers":[\n%s\n],"Strings":[\n%s\n]}\n' % tuple(rows))
    print(f"{out}: {out.stat().st_size} bytes; h5py {h5py.version.version}, HDF5 {h5py.version.hdf5_version}")


if __name__ == "__main__":
    main()
