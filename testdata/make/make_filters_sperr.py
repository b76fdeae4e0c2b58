#!/usr/bin/env python3
"""Chunks that SPERR compressed, with what it decompresses them to, for the tests
of core/internal/filter.

    make_filters_sperr.py [core/internal/filter/testdata]

Writes sperr.json, whose cases are as those of make_filters.py.
"""

import json
import sys
import tempfile
from pathlib import Path

import h5py
import hdf5plugin
import numpy as np

from make_filters import record

rng = np.random.default_rng(17)

MODES = {
    "rate 3": {"rate": 3},
    "rate 25": {"rate": 25},
    "peak": {"peak_signal_to_noise_ratio": 60},
    "absolute": {"absolute": 1e-2},
    "absolute, small": {"absolute": 1e-7},
}


def lossy(name, data, **mode):
    """The chunk of a field, and the field as it is read back."""
    with tempfile.TemporaryDirectory() as d, h5py.File(f"{d}/x.h5", "w") as f:
        made = f.create_dataset("d", data=data, chunks=data.shape, **hdf5plugin.Sperr(**mode))
        f.flush()
        mask, stored = made.id.read_direct_chunk((0,) * data.ndim)
        return record(name, made.id, made[()], mask, stored)


def smooth(dtype, shape):
    axes = np.meshgrid(*(np.arange(n) for n in shape), indexing="ij")
    return (5 + sum(np.sin(a / (2 + i)) for i, a in enumerate(axes)) * 3.7).astype(dtype)


def noise(dtype, shape):
    return rng.normal(scale=10, size=shape).astype(dtype)


def spikes(dtype, shape):
    """A field with values far from all others, which need corrections."""
    v = smooth(dtype, shape)
    v[rng.random(shape) < 0.01] *= 1000
    return v


def cases():
    for i, (name, mode) in enumerate(MODES.items()):
        for j, make in enumerate((smooth, noise, spikes)):
            for k, dtype in enumerate(("<f4", "<f8")):
                if (i + j + k) % 2:
                    yield lossy(f"{dtype}/plane/{name}/{make.__name__}", make(dtype, (9, 11)), **mode)
                elif k == 0 or i == 3:
                    yield lossy(f"{dtype}/volume/{name}/{make.__name__}", make(dtype, (9, 10, 9)), **mode)
    for shape in [(40, 9), (9, 40), (17, 33), (36, 33), (1, 20, 1, 30), (10, 9, 18), (18, 9, 9), (9, 18, 9)]:
        yield lossy(f"{shape}", smooth("<f4", shape), absolute=1e-2)
    yield lossy("dimensions swapped", smooth("<f4", (12, 31)), rate=6, swap=True)
    yield lossy("dimensions of a volume swapped", smooth("<f4", (9, 10, 12)), absolute=1e-2, swap=True)
    for dtype in ("<f4", "<f8"):
        yield lossy(f"{dtype}/one value", np.full((9, 12), 3.3, dtype), rate=4)
        yield lossy(f"{dtype}/one value in a volume", np.full((9, 12, 9), 3.3, dtype), rate=4)
        gaps = noise(dtype, (17, 9))
        gaps[3:9, 2:] = np.nan
        gaps[15, 3] = np.nan
        yield lossy(f"{dtype}/not a number", gaps, absolute=1e-1, missing_value_mode=1)
        yield lossy(f"{dtype}/not a number, none", noise(dtype, (9, 9)), absolute=1e-1, missing_value_mode=1)
        gaps = np.where(np.isnan(gaps), dtype == "<f4" and 1e35 or -1e35, gaps).astype(dtype)
        yield lossy(f"{dtype}/large", gaps, absolute=1e-1, missing_value_mode=2)
        mostly = np.full((20, 31), 9e36, dtype)
        mostly[4:8, 3:20] = 1.5 + noise(dtype, (4, 17))
        yield lossy(f"{dtype}/mostly large", mostly, absolute=1e-1, missing_value_mode=2)
    few = smooth("<f4", (11, 9, 9))
    few[0, 0, 0] = np.nan
    yield lossy("not a number in a volume", few, rate=8, missing_value_mode=1)


def main():
    root = Path(__file__).resolve().parents[2]
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else root / "core/internal/filter/testdata"
    lines = ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases())
    (out / "sperr.json").write_text(f"[\n{lines}\n]\n")
    print(f"{out / 'sperr.json'}: {(out / 'sperr.json').stat().st_size} bytes")


if __name__ == "__main__":
    main()
