"""Expressions an h5py user writes give the same here: values, reprs, errors.

Each is evaluated with h5py and with clawh5 on one file; what h5py says is
expected. Where h5py raises, an exception of a compatible class is.
"""

import contextlib
import io
import re

import h5py
import numpy as np
import pytest

import clawh5

ELEMENT_TYPES = {
    "s": h5py.string_dtype(length=5), "vs": h5py.string_dtype(), "va": h5py.string_dtype("ascii"),
    "fs": np.dtype("S4"), "v": h5py.vlen_dtype(np.int32), "r": h5py.ref_dtype,
    "e": h5py.enum_dtype({"a": 1, "b": 2}), "b": np.dtype(bool), "c": np.dtype("c8"), "ar": np.dtype("(2,3)f4"),
    "op": np.dtype("V5"), "h": np.dtype("f2"), "be": np.dtype(">i4"), "ld": np.dtype(np.longdouble),
    "dt": h5py.opaque_dtype(np.dtype("M8[s]")), "vv": h5py.vlen_dtype(h5py.vlen_dtype(np.int16)),
    "cp": np.dtype([("a", "i4"), ("b", h5py.string_dtype()), ("v", h5py.vlen_dtype("f8")), ("c", "u1"),
                    ("r", h5py.ref_dtype), ("z", "(2,)S3")]),
}
INDICES = [
    (0, 0), -3, 2, None, slice(None, None, -1), [1, 0], [0, 5], 1.5, [0.5], np.array([[0, 1], [1, 0]]), slice(5, 1),
    (Ellipsis, Ellipsis), [True, False], np.array([True, False]), np.array([True]), [True], [], True,
    (np.array([0, 1]), np.array([0, 1])), np.int8(1), (Ellipsis, 1), (0, Ellipsis, 1), slice(0, 2, 2), (),
    np.array([[True, False], [False, True]]), np.array([True, True]), np.zeros((2, 2), bool), (slice(0, 0), [2]),
]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("api") / "api.h5"
    with h5py.File(path, "w") as f:
        for name, dtype in ELEMENT_TYPES.items():
            f.create_dataset(name, (2,), dtype=dtype)
        f["i2"] = np.arange(4).reshape(2, 2)
        f["vs"][0], f["va"][1] = "héé", b"abc"
        f["v"][0], f["e"][1], f["b"][1], f["c"][0] = [1, 2, 3], 2, True, 1 + 2j
        f["fs"][:], f["ar"][1], f["h"][:] = [b"ab", b"abcd"], np.arange(6).reshape(2, 3), [1.5, np.inf]
        f["r"][1] = f["v"].ref
        f["cp"][0] = (7, "xyz", np.arange(3.0), 3, f["i2"].ref, [b"a", b"b"])
        f["sc"], f["st"], f["null"] = 5, "abc", h5py.Empty("f4")
        f["g/h/x"] = np.arange(60.0).reshape(3, 4, 5)
        f["g/dt"] = np.dtype("f8")
        f["soft"], f["nowhere"] = h5py.SoftLink("/i2"), h5py.SoftLink("/nope")
        f["ext"] = h5py.ExternalLink("absent.h5", "/x")
        f["z"] = f["i2"]
        f.create_dataset("ch", data=np.arange(70).reshape(7, 10), chunks=(3, 4), compression="gzip",
                         compression_opts=3, shuffle=True, fletcher32=True, maxshape=(None, 10), fillvalue=-1)
        f.create_dataset("so", data=np.arange(50), chunks=(10,), scaleoffset=0)
        ordered = f.create_group("ordered", track_order=True)
        for name in "cab":
            ordered.create_group(name)
        f["ch"].dims[0].label = "time"
        f["t"] = np.arange(7.0)
        f["t"].make_scale("hours")
        f["ch"].dims[0].attach_scale(f["t"])
        for name, value in {
            "text": "é", "bytes": np.bytes_("abc"), "texts": ["a", "b"], "int": 3, "list": [1, 2],
            "empty": h5py.Empty("f4"), "ref": f["v"].ref, "bool": True, "none": "", "matrix": np.eye(2),
            "compound": np.array((1, 2.5), dtype=[("a", "i4"), ("b", "f8")]),
        }.items():
            f.attrs[name] = value
        f["i2"].attrs["g"] = 1
    return str(path)


ONE_BY_ONE = [f"f[{name!r}]{what}" for name in ELEMENT_TYPES
              for what in ("[0]", "[1]", "[:]", "[...]", ".dtype.metadata", ".dtype", ".fillvalue", "", ".dtype.str")]
INDEXED = [f"f[{name!r}][INDICES[{i}]]" for name in ("i2", "vs") for i in range(len(INDICES))]
OBJECTS = """
list(f) | list(reversed(f)) | list(f.keys()) | list(f.values()) | list(f.items()) | len(f) | f | f['/'] | f.name
f.keys() | f.values() | f['g'].keys() | f.parent | f.mode | f.userblock_size | bool(f) | list(f['ordered'])
f['nope'] | f['i2/x'] | f['nope/x'] | f[3] | f[''] | f['//i2'] | f['.'] | f['i2/.'] | f['i2/'] | f['soft'] | f['nowhere']
f['ext'] | f['soft'].name | f['g/h/x'].name | f['g']['h']['x'].parent | f['g/h/x'].file | f['g'] == f['/g']
f['z'] == f['i2'] | f == f['/'] | hash(f['z']) == hash(f['i2']) | f['g'] == 3
'' in f | '/' in f | '.' in f | 'soft' in f | 'nowhere' in f | 'ext' in f | 'g/h' in f | 'g/no' in f | 'i2/x' in f
f.get('nope') | f.get('nope', 4) | f.get('nope', getlink=True) | f.get('soft', getlink=True) | f.get('ext', getlink=True)
f.get('soft', getlink=True).path | f.get('ext', getlink=True).filename | f.get('i2', getclass=True).__name__
f.get('g', getclass=True).__name__ | f.get('g/dt', getclass=True).__name__ | f.get('nope', getclass=True)
f.get('soft', getclass=True, getlink=True).__name__ | f.get('i2', getclass=True, getlink=True).__name__
f.visit(print) | f.visititems(lambda n, o: print(n, o)) | f.visit_links(print) | f['g'].visit(lambda n: n)
f.visititems_links(lambda n, o: print(n, type(o).__name__)) | f['ordered'].visit(print)
f.require_group('g') | f.require_group('i2') | f.require_group('nope') | f.require_dataset('i2', (2, 2), 'i4')
f.require_dataset('i2', (2, 2), 'i4', exact=True) | f.require_dataset('i2', (2, 2), 'i8', exact=True)
f.require_dataset('t', 7, 'f4') | f.require_dataset('t', 6, 'f4') | f.require_dataset('g', (2,), 'i4')
f.require_dataset('nope', (2,), 'i4') | f.require_dataset('t', (7,), complex) | f.require_dataset('sc', (), 'i4')
f[f['r'][1]] | f[f['r'][0]] | f[f['r'][1]].name | bool(f['r'][0]) | f['g/dt'] | f['g/dt'].dtype
""".replace("\n", "|").split("|")
DATASETS = """
f['null'] | f['null'][()] | f['null'][...] | f['null'][0] | f['null'].shape | f['null'].size | f['null'].nbytes
f['null'].maxshape | f['sc'][()] | f['sc'][...] | f['sc'][0] | f['sc'][:] | f['st'][()] | f['st'][...] | f['st'].asstr()[()]
len(f['sc']) | list(f['sc']) | len(f['i2']) | f['i2'].len() | f['i2'].size, f['i2'].nbytes, f['i2'].ndim
f['i2']['a'] | f['cp']['zz'] | f['cp']['a'] | f['cp']['b'] | f['cp']['b', 'c'][0] | f['cp'][0:1, 'v'] | f['cp'][0]['z']
f['cp'].fields('a')[:] | f['cp'].fields(['a', 'c'])[0] | f['i2'].fields('a') | f['cp'].fields('b').dtype
f['vs'].asstr()[:] | f['vs'].asstr()[0] | f['i2'].asstr() | f['va'].asstr('latin-1')[1] | f['fs'].asstr()[:]
f['i2'].astype('f4')[0] | f['i2'].astype('f4')[0, 0] | f['i2'].astype('>i2')[:] | f['i2'].astype(bool)[:]
f['e'].astype('i4')[:] | f['b'].astype('u1')[:] | f['fs'].astype('S2')[:] | f['ch'].astype('i1')[6] | f['h'].astype('f8')[0]
np.asarray(f['vs']) | np.asarray(f['sc']) | np.asarray(f['ch']).sum() | np.asarray(f['i2'], dtype='f4')
np.array(f['ch'].astype('u2')) | [row.sum() for row in f['ch']] | [x for x in f['t']]
f['g/h/x'][1, :, 2] | f['g/h/x'][::2, 1:3, [0, 2, 4]] | f['g/h/x'][-1] | f['g/h/x'][1:, ..., 0]
f['g/h/x'][:, np.array([True, False, True, False])] | f['g/h/x'][f['g/h/x'][()] > 40]
f['ch'].chunks | f['ch'].compression | f['ch'].compression_opts | f['ch'].shuffle | f['ch'].fletcher32
f['ch'].maxshape | f['ch'].scaleoffset | f['so'].scaleoffset | f['so'].compression | f['i2'].compression | f['i2'].chunks
f['ch'].fillvalue | f['ch'].external | f['ch'].is_virtual | list(f['ch'].iter_chunks()) | f['i2'].iter_chunks()
list(f['ch'].iter_chunks((slice(1, 5), slice(2, 9)))) | list(f['ch'].iter_chunks(slice(0, 2)))
f['ch'].dims[0].label | f['ch'].dims[1].label | len(f['ch'].dims) | len(f['ch'].dims[0]) | f['ch'].dims[0].keys()
f['ch'].dims[0].values() | f['ch'].dims[0]['hours'] | f['ch'].dims[0][0] | f['ch'].dims[0]['no'] | f['ch'].dims[2]
f['t'].is_scale | f['ch'].is_scale | f['i2'].read_direct(np.zeros(3))
f['ch'].id.get_num_chunks() | f['ch'].id.get_chunk_info(0) | f['ch'].id.get_chunk_info_by_coord((3, 4))
f['ch'].id.get_storage_size() | f['i2'].id.get_offset() | f['ch'].id.get_offset() | f['i2'].id.get_storage_size()
f['i2'].id.get_num_chunks() | f['i2'].id.get_space().get_simple_extent_dims() | f['i2'].id.get_type().get_class()
f['cp'].id.get_type().get_size() | f['ch'].id.get_create_plist().get_filter(1) | f['ch'].id.get_create_plist().get_layout()
""".replace("\n", "|").split("|")
ATTRIBUTES = """
f.attrs.keys() | list(f.attrs.items()) | len(f.attrs) | f.attrs['no'] | f.attrs[3] | 3 in f.attrs | 'int' in f.attrs
'no' in f.attrs | f.attrs.get('no', 'd') | f.attrs['text'] | f.attrs['bytes'] | f.attrs['texts'] | f.attrs['matrix']
f.attrs['compound'] | f.attrs['compound'].dtype | f.attrs['empty'] | f.attrs['bool'] | f[f.attrs['ref']]
type(f.attrs['int']).__name__ | dict(f['i2'].attrs) | f.attrs.get_id('matrix').shape | f.attrs.get_id('text').dtype.metadata
""".replace("\n", "|").split("|")


def evaluate(module, path, expression):
    out = io.StringIO()
    with module.File(path, "r") as f, contextlib.redirect_stdout(out):
        value = eval(expression, {"f": f, "np": np, "INDICES": INDICES, "print": print})
        shown = repr(value)
    shown = re.sub(r"\b(h5py|clawh5)(\.\w+)*\.(\w+)", r"\3", shown)
    return re.sub(r"0x[0-9a-f]+", "0x", shown) + out.getvalue()


EXPRESSIONS = [e.strip() for e in ONE_BY_ONE + INDEXED + OBJECTS + DATASETS + ATTRIBUTES if e.strip()]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_an_expression_gives_what_h5py_gives(path, expression):
    try:
        expected = evaluate(h5py, path, expression)
    except Exception as exc:
        with pytest.raises(type(exc)):
            evaluate(clawh5, path, expression)
    else:
        assert evaluate(clawh5, path, expression) == expected


def test_read_direct_fills_the_given_array(path):
    with clawh5.File(path) as f:
        for dtype in ("i8", ">i4", "f4", "f2"):
            dest = np.full((3, 12), 9, dtype)
            f["ch"].read_direct(dest, np.s_[2:5, ::2], np.s_[:, 3:8])
            expected = np.full((3, 12), 9, dtype)
            expected[:, 3:8] = np.arange(70).reshape(7, 10)[2:5, ::2]
            np.testing.assert_array_equal(dest, expected)
            whole = np.zeros((7, 10), dtype)
            f["ch"].read_direct(whole)
            np.testing.assert_array_equal(whole, np.arange(70).reshape(7, 10))


def test_read_many_gives_what_single_reads_give(path):
    requests = [("ch", np.s_[1:4, ::3]), ("vs", ()), ("cp", 0), ("sc", ()), ("i2", [0]), ("cp", "a"), ("ch", np.s_[0:0])]
    with clawh5.File(path) as f:
        for (name, selection), value in zip(requests, f.read_many(requests)):
            assert repr(value) == repr(f[name][selection])


def test_the_tree_holds_every_object_once(path):
    names = []
    with h5py.File(path) as f:
        f.visit(names.append)
    with clawh5.File(path) as f:
        tree = f.tree()
        assert list(tree) == [""] + names
        assert tree["g/h/x"] == f["g/h/x"] and tree["g/h/x"].shape == (3, 4, 5)
        assert "ordered/" in str(tree)


def test_progress_ends_with_all_bytes(path):
    seen = []
    with clawh5.File(path) as f:
        f["ch"].read(progress=lambda done, total: seen.append((done, total)))
        assert seen[-1] == (f["ch"].nbytes, f["ch"].nbytes)


def test_a_plan_counts_the_elements_of_the_selection(path):
    with clawh5.File(path) as f:
        assert f["ch"].plan(np.s_[0:3, 0:4])["elements"] == 12
        assert f["sc"].plan()["elements"] == 1


@pytest.mark.parametrize("make", [bytes, bytearray, memoryview, io.BytesIO])
def test_content_in_memory_is_a_file(path, make):
    with open(path, "rb") as stream:
        content = stream.read()
    assert clawh5.is_hdf5(path)
    with clawh5.File(make(content)) as f:
        assert f["i2"][1, 1] == 3 and f.driver == "core"
