#!/usr/bin/env python3
"""Chunks that zfp compressed, with what it decompresses them to, for the tests of
core/internal/filter.

    make_filters_zfp.py [core/internal/filter/testdata]

Writes zfp.json, whose cases are as those of make_filters.py.
"""

import json
import sys
import tempfile
from pathlib import Path

import h5py
import hdf5plugin
import numpy as np

from make_filters import record

rng = np.random.default_rng(11)

SHAPES = [(13,), (7, 6), (5, 3, 6), (3, 4, 2, 5)]


def lossy(name, data, **mode):
    """The chunk of an array, and the array as it is read back."""
    with tempfile.TemporaryDirectory() as d, h5py.File(f"{d}/x.h5", "w") as f:
        made = f.create_dataset("d", data=data, chunks=data.shape, **hdf5plugin.Zfp(**mode))
        f.flush()
        mask, stored = made.id.read_direct_chunk((0,) * data.ndim)
        return record(name, made.id, made[()], mask, stored)


def smooth(dtype, shape):
    axes = np.meshgrid(*(np.arange(n) for n in shape), indexing="ij")
    scale = 1e6 if np.dtype(dtype).kind == "i" else 3.7
    return (sum(np.sin(a / (2 + i)) for i, a in enumerate(axes)) * scale).astype(dtype)


def noise(dtype, shape):
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return (rng.normal(size=shape) * 10.0 ** rng.integers(-9, 9, shape)).astype(dtype)
    bits = 8 * dtype.itemsize
    return rng.integers(-(2 ** (bits - 3)), 2 ** (bits - 3), shape).astype(dtype)


MODES = {
    "rate 7": {"rate": 7},
    "rate 18.5": {"rate": 18.5},
    "precision 9": {"precision": 9},
    "precision 40": {"precision": 40},
    "accuracy": {"accuracy": 1e-3},
    "reversible": {"reversible": True},
    "expert": {"minbits": 40, "maxbits": 300, "maxprec": 20, "minexp": -5},
}


def cases():
    for dtype in ("<i4", "<i8", "<f4", "<f8"):
        for shape in SHAPES:
            for i, (name, mode) in enumerate(MODES.items()):
                make = noise if i % 2 == len(shape) % 2 else smooth
                if name == "accuracy" and dtype[1] == "i":
                    continue
                yield lossy(f"{dtype}/{shape}/{name}", make(dtype, shape), **mode)
        yield lossy(f"{dtype}/zeros", np.zeros((5, 6), dtype), rate=8)
        yield lossy(f"{dtype}/zeros, nothing lost", np.zeros((5, 6), dtype), reversible=True)
        yield lossy(f"{dtype}/dimensions of one value", smooth(dtype, (1, 9, 1, 5)), precision=16)
        yield lossy(f"{dtype}/one plane", noise(dtype, (4, 4, 4)), precision=1)
        yield lossy(f"{dtype}/whole blocks of four dimensions", noise(dtype, (4, 4, 4, 4)), rate=11)
        yield lossy(f"{dtype}/cut in the first plane", noise(dtype, (4, 4, 4, 4)), minbits=24, maxbits=24, maxprec=64, minexp=-1074)
    for dtype in ("<f4", "<f8"):
        info = np.finfo(dtype)
        tiny = (rng.normal(size=(8, 8)) * info.tiny).astype(dtype)
        yield lossy(f"{dtype}/subnormal", tiny, precision=30)
        yield lossy(f"{dtype}/subnormal, nothing lost", tiny, reversible=True)
        yield lossy(f"{dtype}/large", (rng.uniform(-1, 1, (6, 6)) * info.max).astype(dtype), precision=30)
        odd = noise(dtype, (4, 8))
        odd[1, 2], odd[2, 5], odd[0, 7], odd[3, 3] = np.nan, np.inf, -np.inf, -0.0
        yield lossy(f"{dtype}/not finite, nothing lost", odd, reversible=True)
        yield lossy(f"{dtype}/integers, nothing lost", np.round(smooth(dtype, (8, 8)) * 50), reversible=True)
    for dtype in ("<i4", "<i8"):
        info = np.iinfo(dtype)
        ends = rng.integers(info.min, info.max, (4, 8), endpoint=True).astype(dtype)
        yield lossy(f"{dtype}/all bits, nothing lost", ends, reversible=True)
        yield lossy(f"{dtype}/all bits", ends, precision=64)


def main():
    root = Path(__file__).resolve().parents[2]
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else root / "core/internal/filter/testdata"
    lines = ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases())
    (out / "zfp.json").write_text(f"[\n{lines}\n]\n")
    print(f"{out / 'zfp.json'}: {(out / 'zfp.json').stat().st_size} bytes")


if __name__ == "__main__":
    main()
