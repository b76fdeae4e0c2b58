"""Where the tests find things, and which module they test.

CLAWH5_TEST_MODULE  the module under test, clawh5 by default. With h5py the
                    tests test themselves: h5py must agree with h5py.
CLAWH5_CORPUS       the conformance corpus, ../shared/corpus beside the project
                    by default; ../real is looked for beside it.
CLAWH5_CLI          the command line tool, build/clawh5 by default.
CLAWH5_SHAPES       a folder that holds files of testdata/make/shapes.py already.
"""
import importlib
import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
CACHE = BUILD / "testdata"
CORPUS = Path(os.environ.get("CLAWH5_CORPUS") or ROOT.parent / "shared" / "corpus")
REAL = CORPUS.parent / "real"
CLI = Path(os.environ.get("CLAWH5_CLI") or BUILD / "clawh5")
MODULE = os.environ.get("CLAWH5_TEST_MODULE") or "clawh5"

sys.path.insert(0, str(ROOT / "testdata" / "make"))


def module():
    return importlib.import_module(MODULE)


def open_file(location, reader=None, **options):
    """Open a path or URL with a reader module, the one under test by default."""
    reader = reader or module()
    location = str(location)
    if reader.__name__ != "h5py":
        return reader.File(location, "r", **options)
    if not location.startswith("http"):
        return reader.File(location, "r")
    import fsspec

    filesystem = fsspec.filesystem("http", skip_instance_cache=True)
    return reader.File(filesystem.open(location, "rb"), "r")


def corpus_files():
    """(name, path, sha256) of every valid file of the corpus and of the real files."""
    manifest = CORPUS / "MANIFEST.tsv"
    if not manifest.exists():
        pytest.skip(f"no corpus at {CORPUS} (set CLAWH5_CORPUS)")
    rows = [line.split("\t") for line in manifest.read_text().splitlines()[1:]]
    files = [(row[0], CORPUS / row[0], row[1]) for row in rows if row[7] == "valid"]
    return files + [(f"real/{path.name}", path, None) for path in real_files()]


def real_files():
    return sorted(p for p in REAL.glob("*") if p.suffix in (".nc", ".h5"))


def real_file(name):
    path = REAL / name
    if not path.exists():
        pytest.skip(f"no {path} (set CLAWH5_CORPUS to the corpus it lies beside)")
    return path


def shape(name):
    """A generated file of realistic shape, made at first use and kept under build/."""
    import shapes

    return shapes.ensure(name, os.environ.get("CLAWH5_SHAPES") or CACHE / "shapes")
