"""Structures that make_structures.py makes are read as h5py reads them."""
import subprocess
import sys

import clawh5
import h5py
import numpy as np
import pytest

import _env
import make_structures
from _told import told

# libhdf5 cannot read back what it writes: lengths of 16 bytes are not written at all; those of 2 and 4 bytes lose
# dimensions without limit, and those of 2 also the sizes of fractal heaps.
UNREADABLE = {"sizes_16_16_earliest.h5", "sizes_16_16_latest.h5", "sizes_2_2_latest.h5", "sizes_8_2_latest.h5"}
NOT_BY_H5PY = {"cache_image.h5", "sizes_16_8_earliest.h5", "sizes_4_4_latest.h5", "sizes_8_4_latest.h5"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("structures")
    # libhdf5 may crash when it closes files of sizes that it does not really support, by when they are written.
    subprocess.run([sys.executable, _env.ROOT / "testdata" / "make" / "make_structures.py", folder], capture_output=True)
    return folder


def test_all_files_are_equal(folder):
    compared = set()
    for path in sorted(folder.glob("*.h5")):
        if path.name in UNREADABLE | NOT_BY_H5PY:
            continue
        with h5py.File(path) as theirs, clawh5.File(path) as ours:
            assert told(ours) == told(theirs), path.name
        compared.add(path.name)
    assert len(compared) >= 13 and {"shared_list.h5", "shared_tree.h5", "heaps.h5", "header.h5",
                                     "paged_arrays.h5"} <= compared


@pytest.mark.parametrize("name", sorted(n for n in NOT_BY_H5PY if n.startswith("sizes")))
def test_files_that_libhdf5_writes_and_cannot_read(folder, name):
    with clawh5.File(folder / name) as odd, clawh5.File(folder / "sizes_4_8_latest.h5") as even:
        odd, even = told(odd), told(even)
        assert odd.keys() == even.keys() and all(odd[k][:3] == even[k][:3] for k in even)


@pytest.mark.parametrize("name", sorted(UNREADABLE))
def test_files_that_nobody_can_read_are_refused(folder, name):
    with pytest.raises((OSError, NotImplementedError)):
        with clawh5.File(folder / name) as f:
            told(f)


@pytest.mark.parametrize("name, axis", [("first", 0), ("middle", 1), ("last", 1)])
def test_paged_extensible_arrays_have_their_values_at_their_places(folder, name, axis):
    with clawh5.File(folder / "paged_arrays.h5") as f:
        values = f[name][()]
    written = np.isin(np.arange(values.shape[axis]), make_structures.PAGED)
    want = np.where(np.expand_dims(written, [i for i in range(values.ndim) if i != axis]),
                    np.arange(values.size).reshape(values.shape), -1)
    np.testing.assert_array_equal(values, want)


def test_a_metadata_cache_image(folder):
    with clawh5.File(folder / "cache_image.h5") as f:
        np.testing.assert_array_equal(f["numbers"][()], np.arange(10))
        assert [f[f"group/member{i}"][()] for i in range(30)] == list(range(30))
        assert [f["numbers"].attrs[f"attribute{i}"] for i in range(20)] == list(range(20))
        assert list(f["texts"]) == [b"text %d" % i for i in range(20)]


def test_shared_messages_are_really_shared(folder):
    # The encoded attribute lies once in the file, not sixty times.
    for name in "shared_list.h5", "shared_tree.h5":
        image = (folder / name).read_bytes()
        assert image.count(b"a text that is longer than ten bytes") == 1
        assert (b"SMLI" in image) == (name == "shared_list.h5")
