"""What h5py's low-level identifiers tell about files, they tell here."""

import inspect

import h5py
import numpy as np
import pytest

import clawh5
from _env import ROOT

VIRTUAL = ROOT / "testdata" / "files" / "virtual"


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("identifiers") / "i.h5"
    with h5py.File(path, "w") as f:
        f.create_dataset("ch", data=np.arange(70).reshape(7, 10), chunks=(3, 4), compression="gzip", shuffle=True,
                         maxshape=(None, 10), fillvalue=-1, track_order=True)
        f.create_dataset("sparse", (4, 6), "i4", chunks=(2, 2), fill_time="never")[0, 0] = 1
        f.create_dataset("plain", data=np.arange(5.0))
        f.create_dataset("raw", (6,), "u1", external=[("a.bin", 1, 2), ("b.bin", 0, h5py.h5f.UNLIMITED)])
        f["scalar"], f["null"], f["text"] = 1, h5py.Empty("f4"), "abc"
        f["enum"], f["compound"] = h5py.enum_dtype({"a": 1}), np.dtype([("x", "i4")])
        f.create_group("g", track_order=True)["x"] = 1
        f["plain"].make_scale("hours")
        f["ch"].dims[0].label = "time"
        f["ch"].dims[1].attach_scale(f["plain"])
        f["ref"] = np.array([f["g/x"].ref, h5py.Reference()], h5py.ref_dtype)
        for name, value in {"list": [1, 2], "text": "é", "empty": h5py.Empty("f4"), "one": 1.5}.items():
            f.attrs[name] = value
    return path


DATASETS = ["ch", "sparse", "plain", "raw", "scalar", "null", "text"]
OF_DATASETS = """
d.id.shape | d.id.rank | d.id.dtype | bool(d.id.valid) | bool(d.id) | d.id.get_storage_size() | d.id.get_offset()
d.id.get_num_chunks() | d.id.get_chunk_info(1) | d.id.get_chunk_info_by_coord((0, 0)) | d.id.chunk_iter(lambda s: s)
d.id.get_space().shape | d.id.get_space().get_simple_extent_type() | d.id.get_space().get_simple_extent_ndims()
d.id.get_space().get_simple_extent_npoints() | d.id.get_space().get_simple_extent_dims()
d.id.get_space().get_select_npoints() | d.id.get_space().get_select_type() | d.id.get_space().is_simple()
d.id.get_space().get_simple_extent_dims(True) | d.id.get_space().is_regular_hyperslab() | d.id.get_type().get_class()
p.get_layout() | p.get_chunk() | p.get_nfilters() | p.get_filter(0) | p.get_filter(7) | p.get_filter_by_id(1)
p.get_filter_by_id(3) | p.fill_value_defined() | p.get_fill_time() | p.get_external_count() | p.get_external(1)
p.get_attr_creation_order() & m.h5p.CRT_ORDER_TRACKED | p.get_alloc_time()
m.h5ds.is_scale(d.id) | m.h5ds.get_num_scales(d.id, 1) | m.h5ds.get_label(d.id, 0)
""".replace("\n", "|").split("|")
OF_FILES = """
f['g'].id.get_num_objs() | f['g'].id.get_create_plist().get_link_creation_order()
f['/'].id.get_create_plist().get_link_creation_order() | f['/'].id.get_create_plist().get_attr_creation_order()
type(f['enum'].id).__name__ | type(f['compound'].id).__name__ | f['enum'].id.committed() | f['enum'].id.enum_valueof(b'a')
isinstance(f['enum'].id, m.h5t.TypeEnumID) | f['compound'].id.get_member_name(0) | bool(f['compound'].id)
m.h5ds.get_scale_name(f['plain'].id) | m.h5r.get_name(f['ref'][0], f.id) | m.h5r.get_name(f['ref'][1], f.id)
m.h5r.dereference(f['ref'][0], f.id).get_space().shape | m.h5r.dereference(f['ref'][1], f.id)
[f.attrs.get_id(n).name for n in f.attrs] | [f.attrs.get_id(n).get_name() for n in f.attrs]
[f.attrs.get_id(n).shape for n in f.attrs] | [f.attrs.get_id(n).get_space().shape for n in f.attrs]
[f.attrs.get_id(n).get_space().get_simple_extent_type() for n in f.attrs] | [f.attrs.get_id(n).dtype for n in f.attrs]
""".replace("\n", "|").split("|")


def same(path, expression, name=None):
    """Evaluate with h5py and here; what h5py says is expected, or an error where it has one."""
    def told(module):
        with module.File(path, "r") as f:
            d = None if name is None else f[name]
            return repr(eval(expression, {"f": f, "d": d, "m": module, "p": d and d.id.get_create_plist()}))

    try:
        expected = told(h5py)
    except Exception as exc:
        with pytest.raises((type(exc), *type(exc).__mro__[1:2])):
            told(clawh5)
    else:
        assert told(clawh5) == expected, (name, expression)


@pytest.mark.parametrize("expression", [e.strip() for e in OF_DATASETS if e.strip()])
def test_those_of_datasets(path, expression):
    for name in DATASETS:
        same(path, expression, name)


@pytest.mark.parametrize("expression", [e.strip() for e in OF_FILES if e.strip()])
def test_those_of_groups_types_and_attributes(path, expression):
    same(path, expression)


def test_those_of_virtual_datasets():
    with h5py.File(VIRTUAL / "mapped.h5") as theirs, clawh5.File(VIRTUAL / "mapped.h5") as ours:
        for name in filter(lambda name: theirs[name].is_virtual, theirs):
            a, b = theirs[name].id.get_create_plist(), ours[name].id.get_create_plist()
            assert a.get_virtual_count() == b.get_virtual_count()
            for i in range(a.get_virtual_count()):
                assert (a.get_virtual_filename(i), a.get_virtual_dsetname(i)) == (
                    b.get_virtual_filename(i), b.get_virtual_dsetname(i))
                spaces = [(a.get_virtual_vspace(i), b.get_virtual_vspace(i))]
                if a.get_virtual_srcspace(i).get_select_type() != h5py.h5s.SEL_ALL:
                    spaces.append((a.get_virtual_srcspace(i), b.get_virtual_srcspace(i)))
                for one, other in spaces:
                    for method in ("get_select_type", "get_select_bounds", "get_select_npoints", "get_simple_extent_dims",
                                   "get_simple_extent_ndims", "get_simple_extent_npoints"):
                        assert getattr(one, method)() == getattr(other, method)(), (name, i, method)
                    assert one.shape == other.shape
                    if one.get_select_type() == h5py.h5s.SEL_HYPERSLABS:
                        assert one.is_regular_hyperslab() == other.is_regular_hyperslab()
                        assert one.get_select_hyper_nblocks() == other.get_select_hyper_nblocks()


def test_a_selection_without_end_has_no_bounds(tmp_path):
    layout = h5py.VirtualLayout((2,), "i4", maxshape=(None,))
    source = h5py.VirtualSource("s.h5", "d", shape=(2,), maxshape=(None,))
    layout[:h5py.UNLIMITED] = source[:h5py.UNLIMITED]
    with h5py.File(tmp_path / "v.h5", "w", libver="latest") as f:
        f.create_virtual_dataset("v", layout)
    with clawh5.File(tmp_path / "v.h5") as f:
        space = f["v"].virtual_sources()[0].src_space
        assert clawh5.UNLIMITED in space.get_regular_hyperslab()[2] + space.get_regular_hyperslab()[3]
        for ask in (space.get_select_bounds, space.get_select_npoints, space.get_select_hyper_blocklist):
            with pytest.raises(ValueError, match="no end"):
                ask()


@pytest.mark.parametrize("module", ["h5d", "h5p", "h5r", "h5s", "h5t", "h5z"])
def test_numbers_are_h5pys(module):
    ours, theirs = getattr(clawh5, module), getattr(h5py, module)
    numbers = {name: value for name, value in vars(ours).items() if name.isupper() and isinstance(value, int)}
    assert numbers and numbers == {name: getattr(theirs, name, value) for name, value in numbers.items()}


# What h5py has for writing, or for the HDF5 library itself.
NOT_READING = {
    "File": {"libver", "meta_block_size"},
    "Group": set(), "Dataset": set(), "Datatype": set(), "AttributeManager": set(), "SoftLink": set(), "HardLink": set(),
    "ExternalLink": set(), "Empty": set(), "MultiBlockSlice": set(), "HLObject": set(),
}


def parameters(function):
    return [p.name for p in inspect.signature(function).parameters.values() if p.kind is not p.VAR_KEYWORD]


@pytest.mark.parametrize("name", NOT_READING)
def test_classes_have_the_members_of_h5pys_and_their_parameters(name):
    ours, theirs = getattr(clawh5, name), getattr(h5py, name)
    public = {n for n in dir(theirs) if not n.startswith("_")}
    assert public - set(dir(ours)) == NOT_READING[name]
    for member in public - NOT_READING[name]:
        mine, other = getattr(ours, member), getattr(theirs, member)
        if inspect.isfunction(mine) and mine.__name__ != "refuse_writing":
            assert parameters(mine)[:len(parameters(other))] == parameters(other), member


def test_functions_have_the_parameters_of_h5pys():
    for name, mine in vars(clawh5).items():
        if inspect.isfunction(mine) and hasattr(h5py, name) and name != "is_hdf5":
            assert parameters(mine) == parameters(getattr(h5py, name)), name


def test_everything_public_is_documented():
    for name in clawh5.__all__:
        thing = getattr(clawh5, name)
        if not (inspect.isclass(thing) or inspect.isfunction(thing) or inspect.ismodule(thing)):
            continue
        assert thing.__doc__, name
        for member, value in vars(thing).items() if not inspect.isfunction(thing) else ():
            if not member.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
                assert inspect.getdoc(value), f"{name}.{member}"
