"""h5netcdf, which asks h5py's low-level identifiers, reads through clawh5 what it reads through h5py."""
import subprocess
import sys

import numpy as np
import pytest

READ = """
import importlib, sys
module = importlib.import_module(sys.argv[1])
sys.modules["h5py"] = module
# h5netcdf knows h5py by these names.
module.__name__ = "h5py"
module.Dataset.__module__ = module.Datatype.__module__ = "h5py._hl"
import h5netcdf

def tell(group):
    print(group.name, dict(group.attrs), [(k, d.size, d.isunlimited()) for k, d in group.dimensions.items()])
    print(list(group.enumtypes), list(group.cmptypes), list(group.vltypes))
    for name, v in group.variables.items():
        print(name, v.dimensions, v.shape, v.dtype, v.chunks, v.filters(), dict(v.attrs), v[...].tolist())
    for child in group.groups.values():
        tell(child)

with h5netcdf.File(sys.argv[2], "r") as f:
    tell(f)
"""


@pytest.fixture
def path(tmp_path):
    netCDF4 = pytest.importorskip("netCDF4")
    pytest.importorskip("h5netcdf")
    with netCDF4.Dataset(tmp_path / "n.nc", "w") as f:
        f.title, f.numbers = "a title", np.arange(3)
        f.createDimension("time"), f.createDimension("x", 4), f.createDimension("bare", 2)
        f.createVariable("time", "f8", ("time",))[:] = [1, 2, 3]
        v = f.createVariable("t", "f4", ("time", "x"), zlib=True, complevel=3, shuffle=True, fletcher32=True,
                             chunksizes=(1, 2), fill_value=-1)
        v.units = "K"
        v[:] = np.arange(12).reshape(3, 4)
        f.createVariable("both", "i2", ("x", "x"))[:] = np.eye(4)
        f.createVariable("words", str, ("x",))[:] = np.array(["a", "bc", "", "é"], object)
        colors = f.createEnumType("u1", "colors", {"red": 0, "green": 1})
        f.createVariable("color", colors, ("x",))[:] = [0, 1, 1, 0]
        pair = f.createCompoundType(np.dtype([("a", "i4"), ("b", "f8")]), "pair")
        f.createVariable("pairs", pair, ("x",))[:] = np.ones(4, pair.dtype)
        group = f.createGroup("below")
        group.createDimension("y", 2)
        group.createVariable("z", "i8", ("y", "x"))[:] = np.arange(8).reshape(2, 4)
    return tmp_path / "n.nc"


def told(module, path):
    return subprocess.run([sys.executable, "-c", READ, module, path], capture_output=True, text=True, timeout=120)


def test_h5netcdf_reads_the_same_through_clawh5(path):
    theirs, ours = told("h5py", path), told("clawh5", path)
    assert "['colors'] ['pair']" in theirs.stdout, theirs.stderr
    assert (ours.stdout, ours.returncode) == (theirs.stdout, 0), ours.stderr[-2000:]
