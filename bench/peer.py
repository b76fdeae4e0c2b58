"""One reader doing one thing: the child processes of bench.py.

    python peer.py READER TASK LOCATION [DATASET]

Prepares, runs once to warm up, prints "ready"; then answers every line of
stdin with the seconds of one run. "peak" instead of a line break asks for the
peak of memory in bytes since the start, without the destination.
"""
import os
import random
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import numpy as np

READER, TASK, LOCATION, DATASET, *_ = *sys.argv[1:], None

# What a call of h5py is charged with must not be an import.
if READER.startswith("h5py") or READER == "download":
    import h5py as module
    import hdf5plugin  # noqa: F401
elif READER == "fsspec":
    import fsspec.implementations.http
    import h5py as module
elif READER == "hidefix":
    import hidefix
elif READER == "clawh5":
    import clawh5 as module


def open_file():
    if READER == "fsspec":
        remote = fsspec.filesystem("http", skip_instance_cache=True)
        return module.File(remote.open(LOCATION, block_size=4 << 20, cache_type="blockcache"))
    if READER == "download":
        copy = tempfile.NamedTemporaryFile(suffix=".h5")
        with urllib.request.urlopen(LOCATION) as answer:
            while part := answer.read(1 << 20):
                copy.write(part)
        copy.flush()
        file = module.File(copy.name)
        file.downloaded = copy
        return file
    return module.File(LOCATION, "r")


def open_dataset():
    """The dataset and its shape."""
    dataset = hidefix.Index(LOCATION).dataset(DATASET) if READER == "hidefix" else open_file()[DATASET]
    shape = dataset.shape
    return dataset, tuple(shape() if callable(shape) else shape)


def touched(shape, dtype):
    """A destination whose pages are there, so that the kernel's part is not measured."""
    array = np.empty(shape, dtype)
    array.view(np.uint8).reshape(-1)[...] = 1
    return array


def in_native_order(dataset):
    return dataset.dtype.newbyteorder("=")


# --------------------------------------------------------------- local tasks

def whole():
    """The whole dataset into a touched array in native byte order. hidefix makes the array itself."""
    if READER == "hidefix":
        dataset, shape = open_dataset()
        everything = tuple(slice(0, n) for n in shape)
        return lambda: dataset[everything]
    if READER == "pread":
        size = os.path.getsize(LOCATION)
        into = touched((size,), np.uint8)
        file = os.open(LOCATION, os.O_RDONLY)
        return lambda: preadv_all(file, into, size)
    dataset, shape = open_dataset()
    into = touched(shape, in_native_order(dataset))
    return lambda: dataset.read_direct(into)


def preadv_all(file, into, size):
    view, done = memoryview(into), 0
    while done < size:
        done += os.preadv(file, [view[done:]], done)


def some_chunks():
    """One chunk in a hundred, spread over the dataset."""
    dataset, shape = open_dataset()
    steps = range(50, shape[0], 100)
    if READER == "hidefix":
        rest = tuple(slice(0, n) for n in shape[1:])
        return lambda: [dataset[(slice(step, step + 1), *rest)] for step in steps]
    into = touched(shape[1:], in_native_order(dataset))
    return lambda: [dataset.read_direct(into, np.s_[step]) for step in steps]


def small_slices():
    """1,000 slices of (1, 16, 16) at random places."""
    dataset, shape = open_dataset()
    rng = random.Random(1)
    places = [tuple(rng.randrange(n - size + 1) for n, size in zip(shape, (1, 16, 16))) for _ in range(1000)]
    selections = [np.s_[t:t + 1, y:y + 16, x:x + 16] for t, y, x in places]
    return lambda: [dataset[selection] for selection in selections]


def list_all(attributes):
    def run():
        with open_file() as file:
            for name in file:
                item = file[name]
                item.shape, item.dtype
                if attributes:
                    dict(item.attrs)
    return run


def listing():
    """Open, and every dataset's shape and type by h5py's loop."""
    return list_all(False)


def listing_with_attributes():
    return list_all(True)


def bulk():
    """Open, and one call that describes everything but attributes."""
    def run():
        with open_file() as file:
            file.tree(attributes=False)
    return run


def bulk_with_attributes():
    """Open, and one call that describes everything."""
    def run():
        with open_file() as file:
            file.tree()
    return run


def bulk_looked_at():
    """bulk_with_attributes, and the shape and type of every object taken from it."""
    def run():
        with open_file() as file:
            for item in file.tree().values():
                if hasattr(item, "shape"):
                    item.shape, item.dtype
    return run


# -------------------------------------------------------------- remote tasks

def remote(read):
    def run():
        file = open_file()
        read(file)
        file.close()
    return run


def walk(group):
    dict(group.attrs)
    for name in group:
        item = group[name]
        if hasattr(item, "shape"):
            item.shape, item.dtype, dict(item.attrs)
        else:
            walk(item)


def remote_tree():
    return remote(walk)


def remote_whole():
    return remote(lambda file: file[DATASET][...])


def remote_step():
    return remote(lambda file: file[DATASET][len(file[DATASET]) // 2])


def remote_region():
    """20 by 20 elements of 300 consecutive steps: a point's history, with its surroundings."""
    return remote(lambda file: file[DATASET][200:500, 60:80, 60:80])


def peak_bytes():
    fields = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(fields["VmHWM"].split()[0]) * 1024


def main():
    run = globals()[TASK]()
    before = peak_bytes()  # with the destination, which is touched by now
    if not TASK.startswith("remote"):
        run()
    print("ready", flush=True)
    for line in sys.stdin:
        if line.strip() == "peak":
            print(peak_bytes() - before, flush=True)
            continue
        began = time.perf_counter()
        result = run()
        print(f"{time.perf_counter() - began:.9f}", flush=True)
        del result


if __name__ == "__main__":
    main()
