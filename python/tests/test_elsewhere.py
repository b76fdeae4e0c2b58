"""Virtual datasets, references, datatypes and files of several parts: pickled, in forked children, in threads."""
import pickle
import shutil

import h5py
import numpy as np
import pytest

import clawh5
import make_drivers
import make_references
from _env import ROOT
from _fork_scenarios import in_child
from test_threads import in_threads

VIRTUAL = ROOT / "testdata" / "files" / "virtual"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("elsewhere")
    make_drivers.make(str(folder))
    make_references.make(str(folder), "latest", 8)
    return folder


@pytest.fixture(params=["virtual", "references", "family", "split", "linked"])
def case(request, folder):
    """How a file is opened, and a function that tells what it holds."""
    name, options, told = {
        "virtual": (VIRTUAL / "mapped.h5", {}, mapped),
        "references": ("references_latest.h5", {"external_links": True}, referred),
        "family": ("family_latest_%03d.h5", {"driver": "family", "memb_size": 7000}, parts),
        "split": ("split_latest", {"driver": "split", "meta_ext": "-m.h5", "raw_ext": "-r.h5"}, parts),
        "linked": ("linking_%d.h5", {"driver": "family"}, linked),
    }[request.param]
    if told is linked:
        with h5py.File(folder / name, "w", driver="family", memb_size=4096) as f:
            f["far"] = h5py.ExternalLink("linked.h5", "/")
        with h5py.File(folder / "linked.h5", "w") as f:
            f["x"] = np.arange(5)
    return lambda: clawh5.File(folder / name, **options), told


def mapped(f):
    rows = f["rows"]
    return (rows[1:, ::3].tolist(), f["nested"][()].tolist(), rows.fillvalue.item(), str(rows.id.get_type()),
            [m.src_space.get_regular_hyperslab() for m in rows.virtual_sources()])


def referred(f):
    refs = f["regions"][()]
    return [f[r].name if r else None for r in f["objects"]], [f[r][r].tolist() for r in refs], refs.tolist()


def parts(f):
    return f["chunked"][5:40:3].tolist(), f["contiguous"][()].sum(), list(f["group"]), f.driver, clawh5.dtype_to_text(f["texts"])


def linked(f):
    group = f["far"]
    return list(group), group["x"][1:].tolist(), group.file.filename


def test_pickled_files_and_objects_tell_the_same(case):
    open_case, told = case
    with open_case() as file:
        expected = told(file)
        for again in (pickle.loads(pickle.dumps(file)), pickle.loads(pickle.dumps(file["/"])).file):
            assert told(again) == expected
        for name in file:
            if file.get(name, getclass=True) is clawh5.Dataset:
                again = pickle.loads(pickle.dumps(file[name]))
                assert again == file[name] and repr(again) == repr(file[name])


def test_forked_children_tell_the_same(case):
    open_case, told = case
    with open_case() as file:
        expected = told(file)
        kept = [file[name] for name in file]

        def child():
            assert told(file) == expected
            assert [repr(item) for item in kept] == [repr(file[name]) for name in file]

        assert in_child(child) and in_child(lambda: in_child(child) or 1 / 0)
        assert told(file) == expected


def test_threads_tell_the_same(case):
    open_case, told = case
    with open_case() as file:
        expected = told(file)
    with open_case() as file:  # of which nothing is known yet

        def look(number):
            for _ in range(5):
                assert told(file) == expected

        assert not in_threads(8, look)


def test_objects_behind_links_are_pickled_by_their_own_place(folder):
    with h5py.File(folder / "to.h5", "w") as f:
        f["far"] = h5py.ExternalLink("references_latest.h5", "/group/grid")
    with clawh5.File(folder / "to.h5") as f:
        again = pickle.loads(pickle.dumps(f["far"]))
        assert again == f["far"] and again[3, 4] == f["far"][3, 4] and again.file.filename.endswith("references_latest.h5")


def test_a_changed_part_is_not_unpickled(folder, tmp_path):
    for path in folder.glob("family_latest_*.h5"):
        shutil.copy(path, tmp_path)
    with clawh5.File(tmp_path / "family_latest_%03d.h5", driver="family") as f:
        text = pickle.dumps(f)
    last = max(tmp_path.iterdir())
    last.write_bytes(last.read_bytes() + b"\0")
    with pytest.raises(clawh5.ChangedError):
        pickle.loads(text)


def test_datatypes_outlive_processes_and_files(folder):
    with clawh5.File(folder / "references_latest.h5") as f:
        types = [f["in_compound"].id.get_type(), f["objects"].id.get_type(), clawh5.h5t.STD_I16BE,
                 clawh5.text_to_dtype('H5T_ENUM { H5T_STD_U8LE; "a" 3; }')]
    told = [(clawh5.dtype_to_text(t), t.encode(), t.get_size()) for t in types]

    def same(some):
        return [(clawh5.dtype_to_text(t), t.encode(), t.get_size()) for t in some] == told

    assert same(pickle.loads(pickle.dumps(types)))

    def child():
        assert same(types) and same([t.copy() for t in types]) and types[3].enum_nameof(3) == b"a"
        assert same(pickle.loads(pickle.dumps(types)))

    assert in_child(child) and same(types)
    assert not in_threads(8, lambda number: [same(types) or 1 / 0 for _ in range(20)])
