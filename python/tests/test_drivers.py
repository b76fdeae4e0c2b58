"""Files that HDF5's family and split drivers keep in several ones are read as h5py reads them."""
import pickle
import struct
import sys

import clawh5
import h5py
import numpy as np
import pytest

import _env

sys.path.insert(0, str(_env.ROOT / "testdata" / "make"))
import make_drivers  # noqa: E402


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("drivers")
    make_drivers.make(str(folder))
    return folder


def told(module, *args, **options):
    with module.File(*args, **options) as f:
        return [f["contiguous"][()].tolist(), f["chunked"][5:40:3].tolist(), list(f["texts"][250:]),
                list(f["group"]), f["group"].attrs["list"].tolist()]


@pytest.mark.parametrize("libver", ["earliest", "latest"])
@pytest.mark.parametrize("name, options", [
    ("family_{}_%03d.h5", {"driver": "family", "memb_size": 7000}),
    ("split_{}", {"driver": "split", "meta_ext": b"-m.h5", "raw_ext": b"-r.h5"}),
    ("split_{}", {"driver": "split", "meta_ext": b"%s-m.h5", "raw_ext": b"%s-r.h5"}),
])
def test_drivers_are_h5pys(folder, name, options, libver):
    path = str(folder / name.format(libver))
    assert told(clawh5, path, "r", **options) == told(h5py, path, "r", **options)


@pytest.mark.parametrize("name", ["family_latest_000.h5", "split_latest-m.h5", "multi_latest", "multi_earliest-s.h5", "three.super"])
def test_the_driver_is_found_out(folder, name):
    values = told(clawh5, folder / name)
    assert values == told(h5py, folder / "family_latest_%03d.h5", "r", driver="family", memb_size=7000)
    assert values == told(clawh5, folder / "split_latest", driver="split")
    with clawh5.File(folder / name) as f, pickle.loads(pickle.dumps(f)) as again:
        np.testing.assert_array_equal(again["contiguous"][()], np.arange(3000))


def test_revisions(tmp_path):
    # An onion file as libhdf5's driver writes it, with one revision whose only page replaces the last one.
    path = tmp_path / "f.h5"
    with h5py.File(path, "w") as f:
        f.create_dataset("d", data=np.zeros(8, "u1"))
    original = path.read_bytes()
    changed = original[:-8] + bytes(range(8))
    with h5py.File(path) as f:
        assert f["d"].id.get_offset() == len(original) - 8

    def summed(p):
        a = b = 0
        for i in range(0, len(p), 2):
            a += p[i] << 8 | (p[i + 1] if i + 1 < len(p) else 0)
            b += a
        return p + struct.pack("<HH", (a - 1) % 65535 + 1, (b - 1) % 65535 + 1)

    assert len(original) % 8 == 0
    page = bytes(range(8))
    record = summed(struct.pack("<4sIQQ16sQIQI", b"ORRS", 1, 0, 0, b"20220506T054529Z", len(changed), 8, 1, 1)
                    + summed(struct.pack("<QQ", len(original) - 8, 40)) + b"\0")
    history = summed(struct.pack("<4sIQQQI", b"OWHS", 1, 1, 48, len(record), 0))
    header = summed(struct.pack("<4sIIQQQ", b"OHDH", 1, 8, len(original), 48 + len(record), len(history)))
    (tmp_path / "f.h5.onion").write_bytes(header + page + record + history)
    for options, expected in (({}, [0] * 8), ({"driver": "onion", "revision": 0}, [0] * 8),
                              ({"driver": "onion", "revision": 1}, list(range(8))), ({"driver": "onion"}, list(range(8)))):
        with clawh5.File(path, **options) as f, pickle.loads(pickle.dumps(f)) as again:
            assert f["d"][()].tolist() == again["d"][()].tolist() == expected


@pytest.mark.parametrize("options", [{"driver": "core", "backing_store": False}, {"driver": "stdio"}, {"driver": "sec2"}])
def test_drivers_of_one_file_change_nothing(folder, options):
    plain = folder / "plain.h5"
    with h5py.File(plain, "w") as f:
        f["x"] = np.arange(4)
    with h5py.File(plain, "r", **options) as theirs, clawh5.File(plain, "r", **options) as ours:
        assert ours["x"][2:].tolist() == theirs["x"][2:].tolist()


def test_sec2_is_one_file(folder):
    with pytest.raises(OSError):
        clawh5.File(folder / "family_latest_000.h5", driver="sec2")
    with pytest.raises(TypeError):
        clawh5.File(folder / "family_latest_000.h5", memb_size=7000)
