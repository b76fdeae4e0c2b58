#!/usr/bin/env python3
"""Chunks that SZ 2 and SZ 3 compressed, with what they decompress them to, for the
tests of core/internal/filter.

    make_filters_sz.py [core/internal/filter/testdata]

Writes sz.json and sz3.json, whose cases are as those of make_filters.py.
"""

import base64
import json
import sys
import tempfile
from pathlib import Path

import h5py
import hdf5plugin
import numpy as np

from make_filters import record

rng = np.random.default_rng(19)

SHAPES = [(150,), (13, 17), (9, 7, 8), (3, 4, 5, 7)]
MODES = {"absolute": {"absolute": 1e-2}, "absolute, small": {"absolute": 1e-5}, "relative": {"relative": 1e-3}}


def lossy(name, data, codec=hdf5plugin.SZ, **mode):
    """The chunk of an array, and the array as it is read back."""
    with tempfile.TemporaryDirectory() as d, h5py.File(f"{d}/x.h5", "w") as f:
        made = f.create_dataset("d", data=data, chunks=data.shape, **codec(**mode))
        f.flush()
        mask, stored = made.id.read_direct_chunk((0,) * data.ndim)
        return record(name, made.id, made[()], mask, stored)


def smooth(dtype, shape):
    axes = np.meshgrid(*(np.arange(n) for n in shape), indexing="ij")
    v = sum(np.sin(a / (3 + i)) * 5 + a * i for i, a in enumerate(axes))
    return (v + rng.normal(scale=1e-3, size=shape)).astype(dtype)


def frequent(dtype, shape):
    return np.where(rng.random(shape) < 0.7, 3.25, smooth(dtype, shape) * 10).astype(dtype)


def cases():
    for dtype in ("<f4", "<f8"):
        for shape in SHAPES:
            for name, mode in MODES.items():
                yield lossy(f"{dtype}/{shape}/{name}", smooth(dtype, shape), **mode)
            yield lossy(f"{dtype}/{shape}/one value is frequent", frequent(dtype, shape), absolute=0.5)
        yield lossy(f"{dtype}/noise", rng.normal(size=(6, 9)).astype(dtype), absolute=1e-6)
        yield lossy(f"{dtype}/one value", np.full((8, 5), 2.5, dtype), absolute=1e-3)
        yield lossy(f"{dtype}/few values", np.arange(19).astype(dtype), absolute=1e-3)
        yield lossy(f"{dtype}/dimensions of one value", smooth(dtype, (1, 12, 1, 9)), absolute=1e-2)
        lossless = rng.integers(0, 256, 8 * 100, "u1").view(dtype)
        yield lossy(f"{dtype}/stored", lossless[np.isfinite(lossless)][:50], absolute=1e-30)


def algorithm(case):
    """What SZ 3 chose, 0: blocks, 2: interpolation; its configuration is at the end."""
    stored = base64.b64decode(case["Stored"])
    config = stored[-4 - int.from_bytes(stored[-4:], "little") :]
    return config[1 + 8 * config[0] + 8]


def sz3_cases():
    shapes = [(150,), (3, 70), (13, 17), (9, 7, 8), (2, 5, 40), (12, 2, 31), (3, 4, 5, 7)]
    for dtype in ("<f4", "<f8"):
        for shape in shapes:
            found = {0: 0, 2: 0}
            for absolute in (1.0, 1e-1, 1e-2, 1e-3, 1e-5, 1e-8):
                for make in (smooth, noise, steep):
                    name = f"{dtype}/{shape}/{make.__name__}/{absolute}"
                    case = lossy(name, make(dtype, shape), hdf5plugin.SZ3, absolute=absolute)
                    found[algorithm(case)] += 1
                    if found[algorithm(case)] < 3:
                        yield case
        yield lossy(f"{dtype}/dimensions of one value", noise(dtype, (1, 12, 1, 9)), hdf5plugin.SZ3, absolute=1e-3)
        yield lossy(f"{dtype}/few values", np.arange(19).astype(dtype), hdf5plugin.SZ3, absolute=1e-3)
        yield lossy(f"{dtype}/no error", smooth(dtype, (5, 9)), hdf5plugin.SZ3, absolute=0)


def steep(dtype, shape):
    axes = np.meshgrid(*(np.linspace(0, 6, n) for n in shape), indexing="ij")
    v = sum(np.sin(a * (i + 1) + 0.3 * np.cos(3 * a)) for i, a in enumerate(axes)) * 10
    return (v + rng.normal(scale=1e-2, size=shape)).astype(dtype)


def noise(dtype, shape):
    return rng.normal(size=shape).astype(dtype)


def main():
    root = Path(__file__).resolve().parents[2]
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else root / "core/internal/filter/testdata"
    for name, made in [("sz.json", cases()), ("sz3.json", sz3_cases())]:
        lines = ",\n".join(json.dumps(c, separators=(",", ":")) for c in made)
        (out / name).write_text(f"[\n{lines}\n]\n")
        print(f"{out / name}: {(out / name).stat().st_size} bytes")


if __name__ == "__main__":
    main()
