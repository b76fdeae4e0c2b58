#!/usr/bin/env python3
"""Look into an HDF5 or netCDF-4 file, local or remote, and read a piece of it.

    python3 examples/read.py FILE_OR_URL                          the tree
    python3 examples/read.py FILE_OR_URL /path/to/dataset         its shape, type, attributes and first values
    python3 examples/read.py FILE_OR_URL /path/to/dataset 0,10:20 the values of a slice
"""
import sys

import clawh5


def parse(text):
    """'0,10:20,::2' as an index."""
    return tuple(slice(*(int(n) if n else None for n in part.split(":"))) if ":" in part else int(part)
                 for part in text.split(","))


def main(location, path=None, index=None):
    with clawh5.File(location) as file:
        if path is None:
            print(file.tree())
            return
        dataset = file[path]
        if index is not None:
            print(dataset[parse(index)])
            return
        print(f"{dataset.name}: {dataset.dtype}, shape {dataset.shape}, chunks {dataset.chunks}")
        for name, value in dataset.attrs.items():
            print(f"  {name} = {value!r}")
        print(dataset[tuple(slice(0, 3) for _ in dataset.shape)])


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 4 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    main(*sys.argv[1:])
