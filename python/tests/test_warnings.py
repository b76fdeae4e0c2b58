"""Files that h5py refuses because their writer did not close them are read, with a warning."""
import shutil
import struct
import warnings

import clawh5
import h5py
import numpy as np
import pytest

import _env


def left_open(path, flags=1):
    """Set the consistency flags of a version 3 superblock, and its checksum."""
    with open(path, "r+b") as f:
        head = bytearray(f.read(48))
        assert head[8] == 3
        head[11] = flags
        head[44:] = struct.pack("<I", lookup3(bytes(head[:44])))
        f.seek(0)
        f.write(head)


def lookup3(data):
    """Bob Jenkins' hashlittle of up to 44 bytes, a multiple of four."""
    mask = 0xffffffff
    rot = lambda x, k: (x << k | x >> (32 - k)) & mask
    a = b = c = (0xdeadbeef + len(data)) & mask
    words = list(struct.unpack(f"<{len(data) // 4}I", data))
    while len(words) > 3:
        a, b, c = (a + words[0]) & mask, (b + words[1]) & mask, (c + words[2]) & mask
        a = (a - c) & mask ^ rot(c, 4); c = (c + b) & mask
        b = (b - a) & mask ^ rot(a, 6); a = (a + c) & mask
        c = (c - b) & mask ^ rot(b, 8); b = (b + a) & mask
        a = (a - c) & mask ^ rot(c, 16); c = (c + b) & mask
        b = (b - a) & mask ^ rot(a, 19); a = (a + c) & mask
        c = (c - b) & mask ^ rot(b, 4); b = (b + a) & mask
        words = words[3:]
    for i, w in enumerate(words):
        a, b, c = (a + w * (i == 0)) & mask, (b + w * (i == 1)) & mask, (c + w * (i == 2)) & mask
    c = ((c ^ b) - rot(b, 14)) & mask
    a = ((a ^ c) - rot(c, 11)) & mask
    b = ((b ^ a) - rot(a, 25)) & mask
    c = ((c ^ b) - rot(b, 16)) & mask
    a = ((a ^ c) - rot(c, 4)) & mask
    b = ((b ^ a) - rot(a, 14)) & mask
    return ((c ^ b) - rot(b, 24)) & mask


@pytest.fixture
def path(tmp_path):
    with h5py.File(tmp_path / "f.h5", "w", libver="latest") as f:
        f["d"] = np.arange(20)
    return tmp_path / "f.h5"


@pytest.mark.parametrize("flags", [1, 5])
def test_a_file_left_open_is_read_with_a_warning(path, flags):
    left_open(path, flags)
    with pytest.raises(OSError):
        h5py.File(path)
    with pytest.warns(clawh5.FileWarning, match="did not close") as caught:
        f = clawh5.File(path)
    assert len(caught) == 1 and caught[0].filename == __file__
    np.testing.assert_array_equal(f["d"][()], np.arange(20))


def test_a_closed_file_is_read_without(path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clawh5.File(path).close()


@pytest.mark.parametrize("name", ["hdf5/misc/h5clear_sec2_v3.h5", "hdf5/misc/latest_h5clear_sec2_v3.h5",
                                  "jhdf/test_byteshuffle_compressed_datasets_latest.hdf5"])
def test_files_that_h5clear_repairs_are_read_as_it_leaves_them(name, tmp_path):
    source = _env.CORPUS / "hostile" / name
    if not source.exists():
        pytest.skip("the corpus is not there")
    repaired = tmp_path / "repaired.h5"
    shutil.copy(source, repaired)
    left_open(repaired, 0)

    def told(f):
        out = {}
        f.visititems(lambda n, o: out.update({n: o[()].tolist() if hasattr(o, "dtype") and hasattr(o, "shape") else None}))
        return out

    with pytest.warns(clawh5.FileWarning):
        ours = told(clawh5.File(source))
    assert ours == told(h5py.File(repaired)) and (ours or "clear" in name)


@pytest.mark.parametrize("before, after", [(0, 512), (512, 0), (512, 2048), (1024, 512)])
def test_a_user_block_may_come_and_go(tmp_path, before, after):
    # libhdf5 takes all addresses to count from where it finds the superblock.
    for libver in "earliest", "latest":
        made, moved = tmp_path / "made.h5", tmp_path / "moved.h5"
        with h5py.File(made, "w", libver=libver, userblock_size=before) as f:
            f["g/d"] = np.arange(30)
            f.create_dataset("c", data=np.arange(100), chunks=(9,), compression=1)
        moved.write_bytes(b"\1" * after + made.read_bytes()[before:])
        with h5py.File(moved) as theirs, clawh5.File(moved) as ours:
            assert ours.userblock_size == after
            for name in "g/d", "c":
                np.testing.assert_array_equal(ours[name][()], theirs[name][()])
