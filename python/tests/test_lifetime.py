"""Handles are closed, objects survive what they should, and processes end well."""

import gc
import os
import pickle
import subprocess
import sys
import textwrap
import threading

import h5py
import numpy as np
import pytest

import clawh5
from clawh5._lib import load


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "l.h5"
    with h5py.File(path, "w") as f:
        f["d"] = np.arange(1000.0).reshape(10, 100)
        f["g/s"] = ["a", "b"]
        f["g"].attrs["n"] = 4
    return str(path)


def test_closing_a_file_closes_every_handle(path):
    gc.collect()
    before = load().clawh5_open_handles()
    f = clawh5.File(path)
    objects = [f["d"], f["g"], f["g/s"]]
    objects[0][0], objects[2][:], f.tree()
    assert load().clawh5_open_handles() > before
    f.close()
    assert load().clawh5_open_handles() == before


def test_forgetting_everything_closes_every_handle(path):
    gc.collect()
    before = load().clawh5_open_handles()
    d = clawh5.File(path)["d"]
    assert d[3, 7] == 307  # the file stays open while an object of it is known
    del d
    gc.collect()
    assert load().clawh5_open_handles() == before


@pytest.mark.parametrize("name", ["/", "g", "g/s", "d"])
def test_objects_are_pickled_by_place(path, name):
    with clawh5.File(path) as f:
        again = pickle.loads(pickle.dumps(f[name]))
        assert again == f[name] and again.name == f[name].name and type(again) is type(f[name])
    assert again
    if isinstance(again, clawh5.Dataset):
        with h5py.File(path) as f:
            assert repr(again[...]) == repr(f[name][...])


def test_files_in_memory_are_pickled_whole(path):
    with open(path, "rb") as stream, clawh5.File(stream) as f:
        text = pickle.dumps(f)
    os.remove(path)
    assert pickle.loads(text)["d"][9, 99] == 999


def test_a_changed_file_is_not_unpickled(path):
    with clawh5.File(path) as f:
        text = pickle.dumps(f["d"])
    with h5py.File(path, "a") as f:
        f["more"] = np.zeros(100)
    with pytest.raises(clawh5.ChangedError):
        pickle.loads(text)


def test_a_closed_file_is_not_pickled(path):
    f = clawh5.File(path)
    f.close()
    with pytest.raises(ValueError):
        pickle.dumps(f)


def test_unpickled_objects_of_one_file_share_it(path):
    with clawh5.File(path) as f:
        texts = [pickle.dumps(f["d"]), pickle.dumps(f["g"])]
    first, second = map(pickle.loads, texts)
    assert first.file == second.file and first._conn is second._conn


@pytest.mark.parametrize("ending", ["", "f.close()", "del f", "import sys; sys.exit(0)", "import gc; gc.collect()"])
def test_a_process_ends_cleanly(path, ending):
    code = textwrap.dedent(f"""
        import clawh5
        f = clawh5.File({path!r})
        d = f['d']; s = f['g/s']
        assert d[1, 2] == 102 and s[0] == b'a'
        cycle = [d, s]; cycle.append(cycle)
    """) + ending
    done = subprocess.run([sys.executable, "-X", "dev", "-c", code], capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")


def test_closing_while_others_read_gives_values_or_errors(path):
    f = clawh5.File(path)
    d, wrong, expected = f["d"], [], np.arange(1000.0).reshape(10, 100)

    def read():
        for i in range(300):
            try:
                got = d[i % 10]
            except ValueError:
                return
            if not np.array_equal(got, expected[i % 10]):
                wrong.append(i)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for t in threads:
        t.start()
    f.close()
    for t in threads:
        t.join()
    assert not wrong
