"""What goes wrong is told by the exception h5py users catch, with the facts of the error."""

import io
import os

import h5py
import numpy as np
import pytest

import clawh5


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "e.h5"
    with h5py.File(path, "w") as f:
        f["d"] = np.arange(10)
        f["g/x"] = 1
        f["ext"] = h5py.ExternalLink("absent.h5", "/x")
        f.attrs["a"] = 1
    return str(path)


def test_a_missing_file_is_not_found(tmp_path):
    with pytest.raises(FileNotFoundError):
        clawh5.File(tmp_path / "absent.h5")
    assert not clawh5.is_hdf5(tmp_path / "absent.h5")


def test_another_format_is_told_from_a_damaged_file(tmp_path, path):
    text = tmp_path / "t.txt"
    text.write_bytes(b"no HDF5 at all" * 100)
    with pytest.raises(clawh5.NotHDF5Error) as caught:
        clawh5.File(text)
    assert isinstance(caught.value, OSError) and caught.value.status == -1
    assert not clawh5.is_hdf5(text)

    with open(path, "rb") as stream:
        content = stream.read()
    with pytest.raises(clawh5.CorruptError) as caught:
        clawh5.File(content[:len(content) // 2])["d"][:]
    assert isinstance(caught.value, OSError) and caught.value.status == -2 and str(caught.value)


@pytest.fixture
def unreadable(path):
    os.chmod(path, 0)
    return path


@pytest.fixture
def plain_user():
    """Root may read everything: be another user for the time of a test."""
    before, nobody = os.geteuid(), 65534
    if before == 0:
        os.seteuid(nobody)
    yield
    os.seteuid(before)


def test_a_file_that_may_not_be_read_is_a_permission_error(unreadable, plain_user):
    with pytest.raises(PermissionError):
        clawh5.File(unreadable)


@pytest.mark.parametrize("mode", ["w", "a", "r+", "x", "w-"])
def test_modes_that_write_are_refused(path, mode):
    with pytest.raises(io.UnsupportedOperation):
        clawh5.File(path, mode)


def test_writing_methods_refuse(path):
    with clawh5.File(path) as f:
        for write in (lambda: f.create_group("n"), lambda: f.create_dataset("n", data=1), 
                      lambda: f["d"].resize((3,)), lambda: f["d"].__setitem__(0, 1), lambda: f.attrs.create("b", 1),
                      lambda: f.attrs.__setitem__("a", 2), lambda: f.__delitem__("d"), lambda: f.__setitem__("n", 1)):
            with pytest.raises((io.UnsupportedOperation, AttributeError)):
                write()


def test_unknown_options_are_refused(path):
    with pytest.raises(TypeError):
        clawh5.File(path, chache_bytes=1)
    with pytest.raises(TypeError):
        clawh5.File(path, storage_options={"header": {}})
    with pytest.raises(ValueError):
        clawh5.File(path, driver="mpio")


def test_options_of_h5py_are_accepted(path):
    with clawh5.File(path, "r", libver="latest", swmr=True, rdcc_nbytes=1 << 20, locking=False) as f:
        assert f["d"][3] == 3


def test_everything_of_a_closed_file_is_false_and_refuses(path):
    f = clawh5.File(path)
    d, g, attrs = f["d"], f["g"], f.attrs
    assert d[0] == 0 and f and d
    f.close()
    f.close()
    assert not f and not d and not g
    for use in (lambda: d[1], lambda: f["d"], lambda: list(g), lambda: d[...], lambda: d[[1, 2]]):
        with pytest.raises(ValueError):
            use()
    assert "d" not in f
    assert [repr(o) for o in (f, d, g, attrs)] == [
        "<Closed HDF5 file>", "<Closed HDF5 dataset>", "<Closed HDF5 group>", "<Attributes of closed HDF5 object>"]


def test_a_refused_external_link_is_missing_and_says_how_to_allow_it(path):
    with clawh5.File(path, external_links=False) as f:
        with pytest.raises(KeyError) as caught:
            f["ext"]
        assert isinstance(caught.value, PermissionError) and "external" in str(caught.value)
        assert dict(f.items())["ext"] is None


def test_external_links_are_followed(tmp_path, path):
    with h5py.File(tmp_path / "absent.h5", "w") as f:
        f["x"] = np.arange(5)
    with clawh5.File(path) as f:
        np.testing.assert_array_equal(f["ext"][:], np.arange(5))


def test_messages_name_what_is_missing(path):
    with clawh5.File(path) as f:
        with pytest.raises(KeyError, match="nope"):
            f["g/nope"]
        with pytest.raises(KeyError, match="nope"):
            f.attrs["nope"]
        assert list(f["g"]) == ["x"]
        with pytest.raises(KeyError, match="nope"):
            f["g/nope"]


def test_names_with_nul_are_refused(path):
    with clawh5.File(path) as f, pytest.raises(ValueError):
        f["d\0x"]
