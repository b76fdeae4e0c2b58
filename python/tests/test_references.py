"""References of both generations, which make_references.py made with libhdf5 itself."""
import pickle
import sys

import clawh5
import h5py
import numpy as np
import pytest

import _env

sys.path.insert(0, str(_env.ROOT / "testdata" / "make"))
import make_references  # noqa: E402


@pytest.fixture(scope="module", params=["earliest", "latest"])
def path(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("references")
    make_references.make(str(folder), request.param, 4 if request.param == "earliest" else 8)
    return folder / f"references_{request.param}.h5"


@pytest.fixture
def file(path):
    with clawh5.File(path, external_links=True) as f:
        yield f


def names(file, refs):
    return [file[ref].name if ref else None for ref in refs]


def test_objects(file):
    refs = file["objects"][()]
    assert refs.dtype == h5py.ref_dtype and [type(r) for r in refs] == [clawh5.Reference] * 5
    assert names(file, refs) == ["/group/grid", "/group", None, "/type", "/far"]
    assert file[refs[0]] == file["group/grid"] and refs[0].address == file["group/grid"].ref.address
    assert file[refs[4]].file.filename.endswith(file.filename.replace("references_", "references_target_").rsplit("/")[-1])
    np.testing.assert_array_equal(file[refs[4]][()], np.arange(5))
    with pytest.raises(ValueError):
        file[refs[2]]


def test_references_that_are_made_are_those_of_the_file(file):
    for name, ref in zip(("group/grid", "group"), file["old_objects"][()]):
        assert file[name].ref == ref and hash(file[name].ref) == hash(ref)
        assert file[file[name].ref] == file[name]


def test_regions(file):
    grid = np.arange(100).reshape(10, 10)
    every, nothing, slab, points, blocks = refs = file["regions"][()]
    assert {type(r) for r in refs} == {clawh5.RegionReference}
    data = file["group/grid"]
    np.testing.assert_array_equal(data[every], grid)
    assert data[nothing].size == 0
    np.testing.assert_array_equal(data[slab].ravel(), grid[[1, 2, 5, 6]][:, [2, 5]].ravel())
    np.testing.assert_array_equal(data[points], [99, 1, 54])
    np.testing.assert_array_equal(data[blocks], [0, 1, 10, 11, 55, 65, 75])
    assert data.regionref.shape(slab) == (10, 10)


def test_attributes_and_other_files(file):
    attribute, obj, far, far_attribute, null = file["mixed"][()]
    assert [bool(r) for r in (attribute, obj, far, far_attribute, null)] == [True] * 4 + [False]
    assert type(attribute) is type(far_attribute) is clawh5.AttributeReference
    assert file[attribute].name == "/group/grid" and file[attribute].attrs[attribute] == 1
    other = file["objects"][4]
    with pytest.raises(ValueError, match="followed first"):
        file[other][far]
    np.testing.assert_array_equal(file[far][far], [1, 2])
    assert file[far_attribute].attrs[far_attribute] == 7


def test_other_files_can_be_refused(path):
    with clawh5.File(path, external_links=False) as f:
        with pytest.raises(clawh5.LinkRefusedError):
            f[f["objects"][4]]


def test_references_inside_other_types(file):
    expected = ["/group/grid", "/group/grid"]
    assert names(file, file.attrs["in_attribute"]) == expected
    assert names(file, file["in_array"][0]) == expected
    assert names(file, file["in_compound"]["ref"]) == expected and list(file["in_compound"]["number"]) == [40, 41]
    first, second = file["in_vlen"][()]
    assert names(file, first) == expected and len(second) == 0
    assert [type(r) for r in first] == [clawh5.Reference, clawh5.AttributeReference]


def test_references_are_values(file):
    refs = file["objects"][()]
    assert pickle.loads(pickle.dumps(refs[0])) == refs[0] == file["mixed"][1]
    assert len({*refs, *file["objects"][()]}) == 5


def test_older_ones_are_what_h5py_reads(path):
    with clawh5.File(path) as f, h5py.File(path) as h:
        if h.id.get_create_plist().get_sizes() != (8, 8):
            pytest.skip("h5py takes all references to have eight bytes")
        theirs = h["old_objects"][()]
        assert h[theirs[0]] == h["group/grid"] and h[theirs[1]] == h["group"] and not theirs[2]
        assert names(f, f["old_objects"][()]) == ["/group/grid", "/group", None]
        for ours, theirs in zip(f["old_regions"][:-1], h["old_regions"][:-1]):
            np.testing.assert_array_equal(f[ours][ours], h[theirs][theirs])


def test_objects_behind_external_links_belong_to_their_file(tmp_path):
    # Both roots lie at the same address.
    with h5py.File(tmp_path / "a.h5", "w") as f:
        f["one"] = 1
        f["ext"] = h5py.ExternalLink("b.h5", "/")
    with h5py.File(tmp_path / "b.h5", "w") as f:
        f["two/x"] = 2
        f.attrs["which"] = "b"

    def told(module, **options):
        with module.File(tmp_path / "a.h5", "r", **options) as f:
            g = f["ext"]
            return (list(f), list(g), g.name, g["two/x"][()], f["ext/two/x"].name, f["ext/two"].parent.name,
                    g.attrs["which"], g == f, f["ext/two"].file["two"].name, list(g["two"]))

    assert told(clawh5, external_links=True) == told(h5py)
