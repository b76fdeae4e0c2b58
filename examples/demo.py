#!/usr/bin/env python3
"""One time slice of a remote file, by three ways.

    python3 examples/demo.py [--build BUILD]        (make demo does it)

Writes a sample of 200 MB in the manner of netCDF-4, serves it from this
machine as if it were 20 ms away at 100 MB/s a connection, and reads one time
slice of it: with clawh5; by downloading the file and reading it with h5py;
and with h5py over fsspec and a cache of 4 MiB blocks.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "testdata" / "make"))

VARIABLE, STEP = "surface/t2m", 200


class Server:
    """clawh5 serve, with the latency and bandwidth of the demo."""

    def __init__(self, tool, folder):
        self.process = subprocess.Popen(
            [str(tool), "serve", str(folder), "--port", "0", "--latency", "20ms", "--bandwidth", "100MB"],
            stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().rsplit(" at ", 1)[1].strip().rstrip("/")

    def get(self, what):
        with urllib.request.urlopen(f"{self.address}/{what}") as answer:
            return answer.read()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.process.terminate()
        self.process.wait()


def with_clawh5(url, folder):
    import clawh5

    with clawh5.File(url) as file:
        return file[VARIABLE][STEP], file.stats()["rounds"]


def with_download(url, folder):
    import h5py

    with tempfile.NamedTemporaryFile(dir=folder, suffix=".h5") as copy:
        with urllib.request.urlopen(url) as answer:
            while part := answer.read(1 << 20):
                copy.write(part)
        copy.flush()
        with h5py.File(copy.name) as file:
            return file[VARIABLE][STEP], 1


def with_fsspec(url, folder):
    import fsspec
    import h5py

    remote = fsspec.filesystem("http", skip_instance_cache=True)
    with remote.open(url, block_size=4 << 20, cache_type="blockcache") as stream, h5py.File(stream) as file:
        return file[VARIABLE][STEP], None


WAYS = {"clawh5": with_clawh5, "download the whole file, then h5py": with_download,
        "h5py over fsspec, 4 MiB block cache": with_fsspec}


def measured(way, server, url, folder):
    """(slice, requests, bytes, rounds, seconds) of one way, from the server's count and the clock."""
    server.get("__reset")
    began = time.perf_counter()
    values, rounds = way(url, folder)
    seconds = time.perf_counter() - began
    time.sleep(0.3)  # the server counts a request when the last of its answer is away
    counted = json.loads(server.get("__stats"))
    # fsspec and h5py make one request after another: each is a round.
    return values, counted["requests"], counted["bytes"], rounds or counted["requests"], seconds


def draw(values, lat, lon, path, title):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(9, 4.8), layout="constrained")
    mesh = axes.pcolormesh(lon, lat, values, cmap="RdYlBu_r", shading="nearest")
    figure.colorbar(mesh, label="temperature at 2 m (K)")
    axes.set(title=title, xlabel="longitude (°E)", ylabel="latitude (°N)")
    figure.savefig(path, dpi=110)


def show_tree(file):
    """Every object with what it is, indented by its depth."""
    print(f"  /                        {len(file)} links, {len(file.attrs)} attributes")

    def line(name, item):
        indent = "  " * (name.count("/") + 2)
        what = f"{item.dtype} {item.shape}, chunks {item.chunks}" if hasattr(item, "shape") else f"group of {len(item)}"
        print(f"{indent + name.rpartition('/')[2]:26} {what}")

    file.visititems(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="where clawh5 is, and where the results go")
    build = parser.parse_args().build
    folder = build / "demo"

    import clawh5
    import fsspec.implementations.http  # noqa: F401  here, so that no way is charged for its imports
    import h5py  # noqa: F401
    import numpy as np
    import shapes

    print("1. A sample file")
    path = shapes.ensure("demo", folder)
    print(f"   {os.path.relpath(path)}: {os.path.getsize(path) / 1e6:.0f} MB stored, superblock 0, one chunk a day,")
    print("   deflated, its B-tree nodes between the chunks.\n")

    with Server(build / "clawh5", folder) as server:
        url = f"{server.address}/demo.h5"
        print(f"2. Served at {url}\n   with 20 ms to the first byte and 100 MB/s a connection.\n")
        warm = clawh5.File(url)
        print("3. clawh5.File(url): the tree")
        show_tree(warm)
        spent = warm.stats()
        print(f"   took {spent['requests']} requests and {spent['bytes_fetched'] / 1e3:.0f} kB.\n")

        lat, lon = warm["lat"][...], warm["lon"][...]
        print(f"4. file[{VARIABLE!r}][{STEP}], from opening the file to the array in hand\n")
        print(f"   {'':38}{'requests':>9}{'rounds':>8}{'MB':>9}{'seconds':>10}")
        slices = []
        for name, way in WAYS.items():
            values, requests, size, rounds, seconds = measured(way, server, url, folder)
            slices.append(values)
            print(f"   {name:38}{requests:9}{rounds:8}{size / 1e6:9.2f}{seconds:10.3f}")
        warm.close()

    if not all(np.array_equal(values, slices[0]) for values in slices):
        sys.exit("   The three ways do not agree.")
    print("\n   All three give the same values.\n")
    picture = build / "demo.png"
    draw(slices[0], lat, lon, picture, f"{VARIABLE}, day {STEP}, read over HTTP with clawh5")
    print(f"5. A picture of it: {os.path.relpath(picture)}")


if __name__ == "__main__":
    main()
