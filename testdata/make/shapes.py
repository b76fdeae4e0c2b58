#!/usr/bin/env python3
"""Files of realistic size and shape, for request budgets, benchmarks and the demo.

    python3 shapes.py FOLDER [NAME ...]        (no NAME: those of BENCH)

Each is made of what a well-known kind of file is known for: how many objects,
which chunks and filters, where its metadata lies. The values are computed, so
that a file made again has the same content.
"""
import os
import sys

import h5py
import numpy as np

FRAMES = (512, 512, 512)


def fields(count, rows, columns, noise):
    """Smooth float32 frames with a little noise, which deflate about as well as a temperature."""
    random = np.random.default_rng(20)
    lat = np.linspace(-1.5, 1.5, rows, dtype="f4")[:, None]
    lon = np.linspace(0, 6.28, columns, dtype="f4")[None, :]
    for step in range(count):
        season = np.float32(step / 12)
        frame = 288 - 40 * lat**2 + 6 * np.sin(3 * lon + season) * np.cos(4 * lat) + 3 * np.cos(9 * lon - 2 * season)
        yield (frame + noise * random.standard_normal((rows, columns), dtype="f4")).astype("f4")


def fill(dataset, frames, convert=None):
    for step, frame in enumerate(frames):
        dataset[step] = convert(frame) if convert else frame


def contig512(path):
    """One contiguous float32 dataset of 512 MiB."""
    with h5py.File(path, "w") as file:
        fill(file.create_dataset("data", FRAMES, "<f4"), fields(*FRAMES, 0.05))


def contig128be(path):
    """One contiguous big-endian float32 dataset of 128 MiB."""
    with h5py.File(path, "w") as file:
        fill(file.create_dataset("data", (128, *FRAMES[1:]), ">f4"), fields(128, *FRAMES[1:], 0.05))


def defl512(path, **options):
    """The values of contig512 in 1 MiB chunks, shuffled and deflated, in a version 1 B-tree."""
    with h5py.File(path, "w", **options) as file:
        data = file.create_dataset("data", FRAMES, "<f4", chunks=(1, *FRAMES[1:]), shuffle=True, compression=4)
        fill(data, fields(*FRAMES, 0.05))


def defl512_latest(path):
    """defl512 in the newest format: a fixed array of chunks."""
    defl512(path, libver="latest")


def int16(path):
    """Two int16 datasets of 64 MiB in 1 MiB chunks: deflated, one shuffled before, one not."""
    with h5py.File(path, "w") as file:
        for name, shuffle in (("data", True), ("noshuffle", False)):
            data = file.create_dataset(name, (64, 512, 1024), "<i2", chunks=(1, 512, 1024), shuffle=shuffle, compression=4)
            fill(data, fields(64, 512, 1024, 0.02), lambda frame: ((frame - 280) * 300).astype("<i2"))


def showers(rows, columns):
    """A field that is zero but for some patches of rain, with missing values along two edges."""
    random = np.random.default_rng(7)
    rain = np.zeros((rows, columns), "f4")
    for _ in range(30):
        row, column = random.integers(0, rows), random.integers(150, columns - 150)
        radius, peak = random.integers(20, 115), random.uniform(1, 10)
        top, left = max(row - radius, 0), max(column - radius, 0)
        patch = rain[top:row + radius, left:column + radius]
        y, x = np.ogrid[top - row:top - row + patch.shape[0], left - column:left - column + patch.shape[1]]
        drops = peak * np.exp(-4 * (y * y + x * x) / radius**2) * random.gamma(2, 0.5, patch.shape)
        patch += np.where(drops < 0.1, 0, drops)
    rain = rain.round(2)
    rain[:, :50] = rain[:, -50:] = -9999.9
    return rain


def imerg_like(path):
    """A half hour of global rain: superblock 0, one group of 14 variables in the oldest format,
    25 chunks each, so that object headers and B-trees lie in clusters between the data."""
    rows, columns = 3600, 1800
    rain = showers(rows, columns)
    chunked = dict(chunks=(1, 145, columns), shuffle=True, compression=6)
    texts = {"units": "mm/hr", "Units": "mm/hr", "coordinates": "time lon lat", "DimensionNames": "time,lon,lat",
             "CodeMissingValue": "-9999.9", "LongName": "Complete merged precipitation estimate. " * 5}

    def describe(dataset):
        for name, text in texts.items():
            dataset.attrs[name] = np.bytes_(text)
        dataset.attrs["_FillValue"] = np.float32(-9999.9)

    with h5py.File(path, "w", libver="earliest") as file:
        grid = file.create_group("Grid")
        noisy = np.where(rain > 0, np.sqrt(np.abs(rain)) * 1.3, rain).astype("f4")
        for name, values in (("precipitation", rain), ("precipitationUncal", rain), ("randomError", noisy)):
            dataset = grid.create_dataset(name, (1, rows, columns), "<f4", fillvalue=np.float32(-9999.9), **chunked)
            dataset[0] = values
            describe(dataset)
        for name in ("probabilityLiquidPrecipitation", "precipitationQualityIndex", "MWobservationTime",
                     "MWprecipSource", "IRinfluence"):
            dataset = grid.create_dataset(name, (1, rows, columns), "<i2", **chunked)
            dataset[0] = (rain.clip(0, 100) * 7).astype("<i2")
            describe(dataset)
        for name, values in (("lon", np.linspace(-179.95, 179.95, rows, dtype="f4")),
                             ("lat", np.linspace(-89.95, 89.95, columns, dtype="f4")), ("time", np.zeros(1, "<i4"))):
            describe(grid.create_dataset(name, data=values))
        for name, extent in (("time_bnds", (1, 2)), ("lon_bnds", (rows, 2)), ("lat_bnds", (columns, 2))):
            describe(grid.create_dataset(name, data=np.zeros(extent, "f4"), chunks=extent, compression=6))


def cmip_like(path, steps=780, rows=144, columns=192):
    """A climate model's monthly temperature, netCDF-4 style: nine variables with dimension scales, one chunk a
    month appended along an unlimited dimension, so that the nodes of its B-tree lie among the data."""
    random = np.random.default_rng(3)
    rough = np.cumsum(np.cumsum(random.standard_normal((rows, columns)), axis=0), axis=1)
    rough = (rough / np.abs(rough).max() * 30).astype("f4")
    with h5py.File(path, "w", libver=("v108", "v108"), track_order=True) as file:
        for number in range(45):
            file.attrs[f"global_attribute_{number:02}"] = np.bytes_("what the model was told " * (1 + number % 5))
        time = file.create_dataset("time", (0,), "f8", maxshape=(None,), chunks=(1,))
        bounds = file.create_dataset("time_bnds", (0, 2), "f8", maxshape=(None, 2), chunks=(1, 2), compression=4)
        time.make_scale("time")
        for name, size in (("lat", rows), ("lon", columns), ("bnds", 2)):
            file.create_dataset(name, data=np.linspace(-90, 90, size)).make_scale(name)
        for name, size in (("lat", rows), ("lon", columns)):
            pairs = file.create_dataset(f"{name}_bnds", data=np.full((size, 2), 0.5))
            pairs.dims[0].attach_scale(file[name])
            pairs.dims[1].attach_scale(file["bnds"])
        file.create_dataset("height", data=2.0)
        tas = file.create_dataset("tas", (0, rows, columns), "<f4", maxshape=(None, rows, columns),
                                  chunks=(1, rows, columns), shuffle=True, compression=1, fillvalue=np.float32(1e20))
        for name in ("standard_name", "long_name", "comment", "units", "cell_methods", "cell_measures", "history"):
            tas.attrs[name] = np.bytes_("near-surface air temperature " * 2)
        for axis, name in enumerate(("time", "lat", "lon")):
            tas.dims[axis].attach_scale(file[name])
        for step, frame in enumerate(fields(steps, rows, columns, 0.02)):
            for dataset in (time, bounds, tas):
                dataset.resize(step + 1, axis=0)
            tas[step] = frame + rough
            time[step] = 30.0 * step + 15
            bounds[step] = 30.0 * step, 30.0 * step + 30


def newgrat_like(path):
    """35,000 empty groups and a scalar with 100 attributes in one dense root group, newest format."""
    with h5py.File(path, "w", libver="latest") as file:
        for number in range(1, 35001):
            file.create_group(f"GROUP{number}")
        scalar = file.create_dataset("DATASET_NAME", data=np.int32(0))
        for number in range(1, 101):
            scalar.attrs[f"ATTR{number}"] = np.int32(0)


def many10k(path, libver):
    with h5py.File(path, "w", libver=libver) as file:
        for number in range(10000):
            dataset = file.create_dataset(f"dataset_{number:05}", data=np.arange(10, dtype="<f4") + number)
            for name, value in (("scale", 1.5), ("count", 7), ("units", np.bytes_("m s-1")),
                                ("shape", np.arange(4)), ("offset", np.float32(2))):
                dataset.attrs[name] = value


def many10k_earliest(path):
    """10,000 small datasets with 5 attributes each in one symbol-table group."""
    many10k(path, "earliest")


def many10k_latest(path):
    """10,000 small datasets with 5 attributes each in one dense group."""
    many10k(path, "latest")


def early(group, name, extent, chunk):
    """A float32 dataset without filters whose chunks are allocated, but not written, when it grows."""
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_chunk(chunk)
    plist.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    plist.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
    space = h5py.h5s.create_simple(extent, (h5py.h5s.UNLIMITED, *extent[1:]))
    return h5py.Dataset(h5py.h5d.create(group.id, name.encode(), h5py.h5t.IEEE_F32LE, space, plist))


def sparse1g(path):
    """1 GB long and mostly a hole: 60 variables in 6 groups whose metadata lies scattered over all of it."""
    with h5py.File(path, "w", libver=("v108", "v108")) as file:
        for name, size in (("time", 8000), ("lat", 180), ("lon", 360)):
            file.create_dataset(name, data=np.arange(size, dtype="f8")).make_scale(name)
        for number in range(60):
            steps = 8000 // 60 + (number < 8000 % 60)
            data = early(file.require_group(f"group_{number % 6}"), f"var_{number:02}", (steps, 90, 360), (1, 90, 360))
            for name in range(8):
                data.attrs[f"attribute_{name}"] = f"about variable {number}, " * 4
            data[steps // 2] = np.float32(number)


def scattered(path):
    """19 GB long, almost all a hole: 292,192 chunks whose B-tree grew with them, its nodes spread over the file."""
    with h5py.File(path, "w", libver=("v108", "v108")) as file:
        data = early(file, "data", (0, 128, 128), (1, 128, 128))
        data.resize(292192, axis=0)
        for step in range(0, 292192, 9973):
            data[step] = np.float32(step)


def codecs(path):
    """32 MiB of float32 in 1 MiB chunks for each of the filters that deflate is not; needs hdf5plugin."""
    import hdf5plugin
    filters = {
        "lzf": dict(compression="lzf", shuffle=True), "szip": dict(compression="szip"),
        "scaleoffset": dict(scaleoffset=2), "bzip2": hdf5plugin.BZip2(), "lz4": hdf5plugin.LZ4(),
        "zstd": dict(shuffle=True, **hdf5plugin.Zstd()), "blosc": hdf5plugin.Blosc(cname="lz4", shuffle=1),
        "blosc2": hdf5plugin.Blosc2(cname="zstd", filters=1), "bitshuffle": hdf5plugin.Bitshuffle(cname="lz4"),
        "zfp": hdf5plugin.Zfp(accuracy=0.01), "sz": hdf5plugin.SZ(absolute=0.01), "sz3": hdf5plugin.SZ3(absolute=0.01),
        "sperr": hdf5plugin.Sperr(absolute=0.01),
    }
    with h5py.File(path, "w") as file:
        for name, options in filters.items():
            data = file.create_dataset(name, (32, *FRAMES[1:]), "<f4", chunks=(1, *FRAMES[1:]), **options)
            fill(data, fields(32, *FRAMES[1:], 0.05))


def virtual64(path):
    """A virtual dataset of 256 MiB, each of its 64 frames a file of its own in the folder virtual64_frames."""
    frames = os.path.join(os.path.dirname(path), "virtual64_frames")
    os.makedirs(frames, exist_ok=True)
    layout = h5py.VirtualLayout((64, 1024, 1024), "<f4")
    for step, frame in enumerate(fields(64, 1024, 1024, 0.05)):
        name = f"virtual64_frames/{step:02}.h5"
        with h5py.File(os.path.join(os.path.dirname(path), name), "w") as file:
            file["data"] = frame
        layout[step] = h5py.VirtualSource(name, "data", frame.shape)
    with h5py.File(path, "w") as file:
        file.create_virtual_dataset("data", layout)


def demo(path):
    """The demo's sample: 200 MB of a daily temperature, netCDF-4 style in the oldest format (superblock 0), with
    groups, dimension scales, and B-tree nodes between the chunks of one appended variable."""
    steps, rows, columns = 365, 361, 384
    with h5py.File(path, "w", libver=("earliest", "v108")) as file:
        file.attrs["title"] = np.bytes_("A sample in the shape of a reanalysis")
        file.attrs["Conventions"] = np.bytes_("CF-1.8")
        surface, masks = file.create_group("surface"), file.create_group("masks")
        lat = file.create_dataset("lat", data=np.linspace(90, -90, rows))
        lon = file.create_dataset("lon", data=np.linspace(0, 360, columns, endpoint=False))
        time = file.create_dataset("time", (0,), "f8", maxshape=(None,), chunks=(512,))
        for name, scale, units in (("lat", lat, "degrees_north"), ("lon", lon, "degrees_east"),
                                   ("time", time, "days since 2001-01-01")):
            scale.make_scale(name)
            scale.attrs["units"] = np.bytes_(units)
        t2m = surface.create_dataset("t2m", (0, rows, columns), "<f4", maxshape=(None, rows, columns),
                                     chunks=(1, rows, columns), shuffle=True, compression=4, fillvalue=np.float32(1e20))
        t2m.attrs["long_name"], t2m.attrs["units"] = np.bytes_("temperature at 2 m"), np.bytes_("K")
        land = masks.create_dataset("land", data=continents(rows, columns).astype("i1"), compression=4)
        for dataset, scales in ((t2m, (time, lat, lon)), (land, (lat, lon))):
            for axis, scale in enumerate(scales):
                dataset.dims[axis].attach_scale(scale)
        warm = 12 * continents(rows, columns)
        for step, frame in enumerate(fields(steps, rows, columns, 0.05)):
            for dataset in (time, t2m):
                dataset.resize(step + 1, axis=0)
            t2m[step] = frame + warm * np.float32(np.sin(2 * np.pi * step / 365))
            time[step] = step


def continents(rows, columns):
    """A smooth land mask between 0 and 1, of no particular planet."""
    y = np.linspace(-1.5, 1.5, rows)[:, None]
    x = np.linspace(0, 2 * np.pi, columns)[None, :]
    height = np.sin(2 * x + 1) * np.cos(2 * y) + 0.6 * np.cos(3 * x - 2 * y) + 0.4 * np.sin(5 * x) * np.cos(3 * y)
    return (1 / (1 + np.exp(-12 * (height - 0.25)))).astype("f4")


SHAPES = {function.__name__: function for function in (
    contig512, contig128be, defl512, defl512_latest, int16, imerg_like, cmip_like, newgrat_like, many10k_earliest,
    many10k_latest, sparse1g, scattered, codecs, virtual64, demo)}
BENCH = [name for name in SHAPES if name != "demo"]


def ensure(name, folder):
    """The path of a shape in a folder, made there if it is missing."""
    path = os.path.join(str(folder), f"{name}.h5")
    if not os.path.exists(path):
        os.makedirs(str(folder), exist_ok=True)
        part = f"{path}.{os.getpid()}.part"
        SHAPES[name](part)
        os.replace(part, path)
    return path


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    for name in sys.argv[2:] or BENCH:
        path = ensure(name, sys.argv[1])
        print(path, os.path.getsize(path), flush=True)


if __name__ == "__main__":
    main()
