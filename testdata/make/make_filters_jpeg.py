#!/usr/bin/env python3
"""Images of JPEG with the samples that libjpeg-turbo gives, for the tests of
core/internal/filter.

    make_filters_jpeg.py [core/internal/filter/testdata]

The HDF5 filter 32019 stores what libjpeg makes of a chunk by its defaults, and
reads it by its defaults, which is what Pillow does too. Needs Pillow with
libjpeg-turbo.
"""

import base64
import io
import json
import sys
from pathlib import Path

import numpy as np
from PIL import Image, features

FULL, HALF_WIDTH, HALF = 0, 1, 2  # subsampling of colors


def picture(rng, height, width, colors):
    """Smooth, with edges, noise and samples at both ends of the range."""
    y, x = np.mgrid[0:height, 0:width]
    planes = []
    for i in range(colors):
        p = 128 + 120 * np.sin((x * (i + 1) + y * 2) / 9)
        p[y > x + i] = 250 - 100 * i
        p += rng.normal(0, 15, p.shape)
        planes.append(p)
    return np.squeeze(np.clip(np.stack(planes, -1), 0, 255).astype("u1"))


def case(name, pixels, **options):
    pixels = pixels.reshape(pixels.shape if pixels.ndim > 1 else (len(pixels), 1))
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "jpeg", **options)
    return stored(name, out.getvalue())


def stored(name, raw):
    got = np.asarray(Image.open(io.BytesIO(raw)))
    return {
        "Name": name,
        "Filters": [{"ID": 32019, "Name": "jpeg", "Params": [75, got.shape[1], got.shape[0], int(got.ndim == 3)]}],
        "ElemSize": 1,
        "Mask": 0,
        "Stored": base64.b64encode(raw).decode(),
        "Plain": base64.b64encode(got.tobytes()).decode(),
    }


def without_jfif(raw):
    size = int.from_bytes(raw[4:6], "big")
    assert raw[2:4] == b"\xff\xe0"
    return raw[:2] + raw[4 + size:]


def cases():
    rng = np.random.default_rng(32019)
    for quality in (1, 10, 50, 75, 90, 100):
        yield case(f"grey/quality {quality}", picture(rng, 19, 21, 1), quality=quality)
        yield case(f"colors/quality {quality}", picture(rng, 19, 21, 3), quality=quality)
    for height, width in ((1, 1), (1, 9), (9, 1), (2, 2), (3, 3), (4, 5), (5, 4), (8, 8), (16, 16), (17, 16), (16, 17), (15, 33)):
        yield case(f"grey/{height}x{width}", picture(rng, height, width, 1).reshape(height, width), quality=80)
        for how in (FULL, HALF_WIDTH, HALF):
            pixels = picture(rng, height, width, 3).reshape(height, width, 3)
            yield case(f"colors {how}/{height}x{width}", pixels, quality=95, subsampling=how)
    noise = rng.integers(0, 256, (18, 20, 3)).astype("u1")
    for how in (FULL, HALF_WIDTH, HALF):
        yield case(f"noise {how}", noise, quality=100, subsampling=how)
        yield case(f"coarse noise {how}", noise, quality=3, subsampling=how)
    ends = rng.choice([0, 255], (24, 24, 3)).astype("u1")
    yield case("black and white noise", ends, quality=100)
    yield case("coarse black and white noise", ends, quality=20)
    yield case("grey black and white noise", ends[..., 0], quality=40)
    yield case("best codes", picture(rng, 20, 30, 3), quality=60, optimize=True)
    yield case("restarts", picture(rng, 40, 50, 3), quality=60, restart_marker_blocks=2)
    yield case("a restart for each line", picture(rng, 40, 50, 1), quality=60, restart_marker_rows=1)
    yield case("comment", picture(rng, 9, 9, 3), quality=60, comment=b"made up")
    yield case("red, green, blue", picture(rng, 17, 18, 3), quality=60, keep_rgb=True)
    raw = io.BytesIO()
    Image.fromarray(picture(rng, 17, 18, 3)).save(raw, "jpeg", quality=60)
    yield stored("no segment that says the color space", without_jfif(raw.getvalue()))


def main():
    assert features.check_feature("libjpeg_turbo")
    root = Path(__file__).resolve().parents[2]
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else root / "core/internal/filter/testdata"
    lines = ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases())
    (out / "jpeg.json").write_text(f"[\n{lines}\n]\n")
    print(f"{out / 'jpeg.json'}: {(out / 'jpeg.json').stat().st_size} bytes")
    print(f"libjpeg-turbo {features.version_feature('libjpeg_turbo')}")


if __name__ == "__main__":
    main()
