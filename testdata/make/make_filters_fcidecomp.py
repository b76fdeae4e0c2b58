#!/usr/bin/env python3
"""Chunks that are images of JPEG-LS, with what they decode to, for the tests of
core/internal/filter.

    make_filters_fcidecomp.py [core/internal/filter/testdata]

Writes fcidecomp.json, whose cases are as those of make_filters.py.
"""

import json
import sys
import tempfile
from pathlib import Path

import h5py
import hdf5plugin
import numpy as np

from make_filters import record

rng = np.random.default_rng(13)

FCIDECOMP = hdf5plugin.FCIDECOMP_ID
BY_SCAN, BY_LINE, BY_SAMPLE = 0, 1, 2


def image(name, data, bits=0, order=BY_SCAN, near=0, preset=(0, 0, 0, 0, 0)):
    """The chunk of an image, if that is smaller, and the image as it is read back."""
    options = (bits, 0, order, near, *preset)
    with tempfile.TemporaryDirectory() as d, h5py.File(f"{d}/x.h5", "w") as f:
        made = f.create_dataset("d", data=data, chunks=data.shape, compression=FCIDECOMP, compression_opts=options)
        f.flush()
        mask, stored = made.id.read_direct_chunk((0,) * data.ndim)
        if mask == 0:
            yield record(name, made.id, made[()], mask, stored)


def smooth(dtype, shape, top):
    z, y, x = np.meshgrid(*(np.arange(n) for n in (1, *shape)[-3:]), indexing="ij")
    v = (np.sin(x / 5 + z) + np.cos(y / 4)) * top / 5 + top / 2 + rng.integers(0, max(2, top // 200), x.shape)
    return np.clip(v, 0, top).astype(dtype).reshape(shape)


def flat(dtype, shape, top):
    """Few values, so that there are runs of all lengths."""
    v = rng.choice([0, 1, top // 2, top], np.prod(shape), p=[0.6, 0.2, 0.1, 0.1])
    return np.repeat(v, rng.integers(1, 40, v.size))[: v.size].astype(dtype).reshape(shape)


def noise(dtype, shape, top):
    """Noise, and zeros so that it becomes no larger."""
    v = rng.integers(0, top, shape, endpoint=True)
    v[..., shape[-1] // 3 :] = 0
    return v.astype(dtype)


def cases():
    makes = (smooth, flat, noise)
    for dtype, bits in (("u1", 8), ("u1", 5), ("u1", 2), ("<u2", 16), ("<u2", 12), ("<u2", 10), ("<i2", 16)):
        for make in makes:
            top = 2 ** (bits - (dtype == "<i2")) - 1
            data = make(dtype, (21, 34), top)
            if dtype == "<i2":
                data = data - data.dtype.type(1000)
            yield from image(f"{dtype} of {bits} bits/{make.__name__}", data, bits=bits)
            if bits > 4:
                yield from image(f"{dtype} of {bits} bits/{make.__name__}, near", data, bits=bits, near=3)
    for components in (2, 3, 4):
        for order in (BY_SCAN, BY_LINE, BY_SAMPLE):
            if components == 2 and order != BY_SCAN:
                continue
            for near in (0, 2):
                for make in makes:
                    name = f"{components} components/{order}/{make.__name__}, near {near}"
                    yield from image(name, make("u1", (components, 11, 13), 255), order=order, near=near)
            yield from image(f"{components} components/{order}/two bytes", smooth("<u2", (components, 11, 13), 65535), order=order)
    yield from image("one line", smooth("u1", (1, 200), 255))
    yield from image("one row", flat("u1", (200, 1), 255))
    yield from image("long runs", np.zeros((40, 300), "<u2"))
    yield from image("thresholds", smooth("u1", (21, 34), 255), preset=(255, 5, 11, 40, 64))
    yield from image("thresholds, near", smooth("<u2", (21, 34), 65535), near=2, preset=(65535, 30, 90, 300, 64))
    yield from image("reset", smooth("u1", (21, 34), 255), preset=(255, 3, 7, 21, 31))


def main():
    root = Path(__file__).resolve().parents[2]
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else root / "core/internal/filter/testdata"
    lines = ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases())
    (out / "fcidecomp.json").write_text(f"[\n{lines}\n]\n")
    print(f"{out / 'fcidecomp.json'}: {(out / 'fcidecomp.json').stat().st_size} bytes")


if __name__ == "__main__":
    main()
