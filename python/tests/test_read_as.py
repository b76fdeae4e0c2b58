"""Reading into other dtypes: what h5py gives, and what read_direct leaves alone."""

from pathlib import Path

import h5py
import numpy as np
import pytest

import clawh5

TYPES = Path(__file__).parents[2] / "testdata/files/read_as/types.h5"


@pytest.fixture(scope="module")
def files():
    with clawh5.File(TYPES) as ours, h5py.File(TYPES) as theirs:
        yield ours, theirs


@pytest.mark.parametrize("name, dtype", [
    ("record", [("x", "f4"), ("id", "i8")]),
    ("record_chunked", [("name", "S3"), ("none", "i4")]),
    ("record_holes", [("v", "f8", (3,)), ("id", ">i2")]),
    ("record_2d", {"names": ["id"], "formats": ["u1"], "offsets": [4], "itemsize": 12}),
    ("record_chunked", [("none", "i4")]),
    ("deep", [("i", "f8")]),
    ("deep", [("r", [("a", "i8")])]),
    ("ints", "i2"), ("floats", "u1"), ("floats", ">f4"), ("colours", "f4"), ("complex", "f4"),
])
def test_astype_converts_as_h5py_does(files, name, dtype):
    ours, theirs = (f[name].astype(np.dtype(dtype)) for f in files)
    for index in ((), slice(1, None, 2)):
        got, want = ours[index], theirs[index]
        assert got.dtype == want.dtype and got.shape == want.shape
        if want.dtype.names is None:
            np.testing.assert_array_equal(got, want)
            continue
        for field in want.dtype.names:
            np.testing.assert_array_equal(got[field], want[field])


@pytest.mark.parametrize("name", ["record", "record_chunked", "record_holes"])
def test_read_direct_leaves_other_fields_alone(files, name):
    dtype = np.dtype([("none", "i4"), ("x", "f4"), ("id", "i8")])
    got, want = np.full(20, 7, dtype), np.full(20, 7, dtype)
    for f, out in zip(files, (got, want)):
        f[name].read_direct(out)
    np.testing.assert_array_equal(got, want)
    assert (got["none"] == 7).all()
