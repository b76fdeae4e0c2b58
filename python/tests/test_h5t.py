"""clawh5.h5t: the answers of h5py.h5t for types of files and types that are made; types as text."""

import pickle

import h5py
import numpy as np
import pytest
from _env import corpus_files
from h5py import h5t as theirs

import clawh5
from clawh5 import h5t as ours

# What a class of h5py's answers. The rest of the properties stands in what encode() gives.
QUESTIONS = {
    "TypeID": ["get_class", "get_size", "committed"],
    "TypeAtomicID": ["get_order", "get_precision", "get_offset", "get_pad"],
    "TypeIntegerID": ["get_sign"],
    "TypeFloatID": ["get_fields", "get_ebias", "get_norm", "get_inpad"],
    "TypeStringID": ["is_variable_str", "get_cset", "get_strpad"],
    "TypeOpaqueID": ["get_tag"],
    "TypeCompositeID": ["get_nmembers"],
    "TypeArrayID": ["get_array_ndims", "get_array_dims"],
}
OF_MEMBERS = {
    "TypeCompositeID": ["get_member_name"],
    "TypeCompoundID": ["get_member_offset", "get_member_class"],
    "TypeEnumID": ["get_member_value"],
}


def answer(function, *arguments):
    try:
        return function(*arguments)
    except (TypeError, ValueError, KeyError) as exc:
        return "KeyError" if isinstance(exc, KeyError) else "TypeError or ValueError"


def compare(mine, want, whole=True):
    """Compare everything that two TypeIDs tell."""
    # libhdf5 encodes members of an old compound that it raised to a later version in that version.
    if whole:
        assert mine.encode() == want.encode()
    assert type(mine).__name__ == type(want).__name__
    for base, names in QUESTIONS.items():
        if isinstance(want, getattr(theirs, base)):
            for name in names:
                assert answer(getattr(mine, name)) == answer(getattr(want, name)), name
    assert [mine.detect_class(c) for c in range(12)] == [want.detect_class(c) for c in range(12)]
    for base, names in OF_MEMBERS.items():
        if isinstance(want, getattr(theirs, base)):
            for i in range(want.get_nmembers()):
                for name in names:
                    assert answer(getattr(mine, name), i) == answer(getattr(want, name), i), name
    if isinstance(want, theirs.TypeCompoundID):
        for i in range(want.get_nmembers()):
            compare(mine.get_member_type(i), want.get_member_type(i), whole=False)
            assert mine.get_member_index(want.get_member_name(i)) == i
    if isinstance(want, (theirs.TypeEnumID, theirs.TypeArrayID, theirs.TypeVlenID)):
        compare(mine.get_super(), want.get_super(), whole=False)
    if isinstance(want, theirs.TypeEnumID):
        for i in range(want.get_nmembers()):
            name, value = want.get_member_name(i), want.get_member_value(i)
            if -2**63 <= mine.get_member_value(i) < 2**63:
                assert mine.enum_nameof(value) == name and mine.enum_valueof(name) == value
    read_back(mine)


def read_back(mine):
    """A type survives its bytes, its text, and pickling; libhdf5 reads the bytes."""
    for again in (ours.decode(mine.encode()), pickle.loads(pickle.dumps(mine))):
        assert again == mine and again.get_size() == mine.get_size()
    # A text does not tell what strings of variable length are made of: old writers made them of strings.
    described = ours.dtype_to_text(mine)
    again = ours.text_to_dtype(described)
    assert ours.dtype_to_text(again) == described and again.get_size() == mine.get_size()
    assert theirs.decode(mine.encode()).get_size() == mine.get_size()


MADE = {
    "ints": lambda h: h.STD_I64BE,
    "floats": lambda h: h.IEEE_F16LE,
    "long double": lambda h: h.NATIVE_LDOUBLE,
    "bitfield": lambda h: h.STD_B16BE,
    "reference": lambda h: h.STD_REF_OBJ,
    "region reference": lambda h: h.STD_REF_DSETREG,
    "complex": lambda h: h.COMPLEX_IEEE_F32BE,
    "time": lambda h: h.UNIX_D32LE,
    "fixed string": lambda h: string(h, 7, h.CSET_UTF8, h.STR_SPACEPAD),
    "variable string": lambda h: string(h, h.VARIABLE, h.CSET_UTF8, h.STR_NULLPAD),
    "opaque": lambda h: opaque(h, b"a tag"),
    "enum": lambda h: enum(h.STD_I16BE),
    "array": lambda h: h.array_create(enum(h.STD_U8LE), (2, 1, 3)),
    "rank 32": lambda h: h.array_create(h.STD_I8LE, (1,) * 32),
    "sequence": lambda h: h.vlen_create(h.vlen_create(string(h, h.VARIABLE, 0, 0))),
    "12 bits": lambda h: partial(h.STD_U32BE, 12, 5, (1, 0)),
    "float of 24 bits": lambda h: small_float(h),
    "compound": lambda h: compound(h),
}


def string(h, size, cset, strpad):
    made = h.C_S1.copy()
    made.set_size(size)
    made.set_cset(cset)
    made.set_strpad(strpad)
    return made


def opaque(h, tag):
    made = h.create(h.OPAQUE, 5)
    made.set_tag(tag)
    return made


def enum(base):
    h = ours if isinstance(base, ours.TypeID) else theirs
    made = h.enum_create(base)
    for i, name in enumerate((b"RED", b"a name of more than nineteen letters", b"x")):
        made.enum_insert(name, 3 * i)
    return made


def partial(base, precision, offset, pads):
    made = base.copy()
    made.set_precision(precision)
    made.set_offset(offset)
    made.set_pad(*pads)
    made.set_sign(1)
    return made


def small_float(h):
    made = h.IEEE_F32BE.copy()
    made.set_fields(23, 15, 8, 0, 15)
    made.set_precision(24)
    made.set_size(3)
    made.set_ebias(100)
    made.set_norm(h.NORM_MSBSET)
    made.set_inpad(h.PAD_ONE)
    return made


def compound(h):
    inner = h.create(h.COMPOUND, 24)
    inner.insert(b"s", 0, string(h, h.VARIABLE, 0, 0))
    inner.insert(b"n", 8, h.STD_I32LE)
    made = h.create(h.COMPOUND, 100)
    made.insert(b"b", 60, inner)
    made.insert(b"a", 1, h.STD_U8LE)
    made.insert(b"v", 2, h.vlen_create(inner))
    made.insert(b"r", 18, h.array_create(h.STD_REF_OBJ, (3,)))
    return made


@pytest.mark.parametrize("name", MADE)
def test_made_types_answer_as_in_h5py(name):
    compare(MADE[name](ours), MADE[name](theirs))


def test_packing_removes_gaps():
    mine, want = compound(ours), compound(theirs)
    mine.pack(), want.pack()
    compare(mine, want)


REFUSED = {
    "size 0": lambda h: h.STD_I8LE.copy().set_size(0),
    "a float too small": lambda h: h.IEEE_F32LE.copy().set_size(3),
    "fields that overlap": lambda h: h.IEEE_F32LE.copy().set_fields(31, 23, 8, 0, 24),
    "fields outside": lambda h: h.IEEE_F32LE.copy().set_fields(32, 23, 8, 0, 23),
    "predefined": lambda h: h.STD_I8LE.set_size(2),
    "members overlap": lambda h: compound(h).insert(b"c", 61, h.STD_I8LE),
    "members of one name": lambda h: compound(h).insert(b"a", 0, h.STD_I8LE),
    "member outside": lambda h: compound(h).insert(b"c", 93, h.STD_I64LE),
    "shrinking over a member": lambda h: compound(h).set_size(80),
    "enum of floats": lambda h: h.enum_create(h.IEEE_F32LE),
    "one name twice": lambda h: enum(h.STD_I8LE).enum_insert(b"RED", 100),
    "one value twice": lambda h: enum(h.STD_I8LE).enum_insert(b"BLUE", 3),
    "order of an enum with members": lambda h: h.array_create(h.STD_I8LE, ()),
    "rank 33": lambda h: h.array_create(h.STD_I8LE, (1,) * 33),
    "dimension 0": lambda h: h.array_create(h.STD_I8LE, (2, 0)),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("h", [ours, theirs], ids=["clawh5", "h5py"])
def test_what_libhdf5_refuses_is_refused(name, h):
    with pytest.raises((TypeError, ValueError, RuntimeError, KeyError)):
        REFUSED[name](h)


DTYPES = [
    "<i4", ">u2", "f2", "<f8", ">f4", "g", "c8", ">c16", "?", "S5", "V7", ("<i4", (2, 3)), ("S3", (2,)),
    clawh5.string_dtype(), clawh5.string_dtype("ascii"), clawh5.string_dtype("utf-8", 7),
    clawh5.opaque_dtype("M8[ns]"), clawh5.vlen_dtype("i2"), clawh5.enum_dtype({"A": 1, "B": -3}, "i2"),
    [("a", "u1"), ("s", clawh5.string_dtype()), ("v", clawh5.vlen_dtype("i4")), ("x", "<f4", (2, 3))],
    np.dtype([("a", "u1"), ("b", "f8")], align=True),
    np.dtype({"names": ["a", "b"], "formats": ["i4", "i2"], "offsets": [4, 0]}),
]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_types_of_numpy_are_h5pys(dtype):
    dtype = np.dtype(dtype)
    mine = ours.py_create(dtype, logical=True)
    assert mine.encode() == theirs.py_create(dtype, logical=True).encode()
    assert mine.dtype == theirs.py_create(dtype, logical=True).dtype
    read_back(mine)


def test_references_have_their_types():
    assert ours.py_create(clawh5.ref_dtype, logical=True) == ours.STD_REF_OBJ
    assert ours.py_create(clawh5.regionref_dtype, logical=True) == ours.STD_REF_DSETREG
    for dtype in ("U3", "O", "M8[s]"):
        with pytest.raises(TypeError):
            ours.py_create(dtype)


def test_text_says_what_libhdf5_says():
    text = ours.dtype_to_text(np.dtype([("a", "<i4"), ("s", "S3"), ("x", ">f8", (2, 3))]))
    # H5LTdtype_to_text of the same type
    assert text == """H5T_COMPOUND {
      H5T_STD_I32LE "a" : 0;
      H5T_STRING {
         STRSIZE 3;
         STRPAD H5T_STR_NULLPAD;
         CSET H5T_CSET_ASCII;
         CTYPE H5T_C_S1;
      } "s" : 4;
      H5T_ARRAY {
         [2][3] H5T_IEEE_F64BE
      } "x" : 7;
   }"""
    assert ours.text_to_dtype(text).dtype == np.dtype([("a", "<i4"), ("s", "S3"), ("x", ">f8", (2, 3))])
    with pytest.raises(TypeError, match="line 2, column 5"):
        ours.text_to_dtype("H5T_VLEN {\n    H5T_STD_I7LE }")


def test_text_of_datasets_and_named_types(tmp_path):
    with h5py.File(tmp_path / "x.h5", "w") as f:
        f["named"] = np.dtype("i2")
        f["data"] = np.arange(3, dtype=">u4")
        f["data"].attrs["a"] = np.float32(1)
    with clawh5.File(tmp_path / "x.h5") as f:
        assert ours.dtype_to_text(f["data"]) == "H5T_STD_U32BE"
        assert ours.dtype_to_text(f["named"]) == "H5T_STD_I16LE"
        assert f["named"].id.committed() and f["named"].id.get_order() == 0 and not f["data"].id.get_type().committed()
        assert f["data"].attrs.get_id("a").get_type() == ours.IEEE_F32LE
        with pytest.raises(TypeError):
            f["data"].id.get_type().set_size(8)
        kept = f["data"].id.get_type()
    assert kept.dtype == ">u4"


def test_conversion_is_in_place_as_in_h5py():
    pairs = [("<i4", ">f8"), ("<f8", "i1"), ("S5", "S3"), ([("a", "<i4"), ("b", "u1")], [("b", ">i2")])]
    for one, other in pairs:
        start = np.array([(3, 200)] * 4, one) if isinstance(one, list) else np.array([1, 2, 30, 4]).astype(one)
        told = []
        for h5t in (theirs, ours):
            source, target = (h5t.py_create(np.dtype(d), logical=True) for d in (one, other))
            buf = np.zeros(4 * max(source.get_size(), target.get_size()), "u1")
            buf[:start.nbytes] = start.view("u1")
            h5t.convert(source, target, 4, buf)
            told.append(buf[:4 * target.get_size()].tobytes())
        assert told[0] == told[1], (one, other)


def test_members_without_a_source_come_from_the_background():
    source, target = ours.py_create(np.dtype([("a", "<i4")])), ours.py_create(np.dtype([("b", "<i2"), ("a", "<f4")]))
    buf, background = np.zeros(12, "u1"), np.array([(7, 0), (8, 0)], [("b", "<i2"), ("a", "<f4")])
    buf[:8] = np.array([1, 2], "<i4").view("u1")
    ours.convert(source, target, 2, buf, background)
    assert buf.view(background.dtype).tolist() == [(7, 1.0), (8, 2.0)]
    with pytest.raises(ValueError):
        ours.convert(source, target, 2, np.zeros(11, "u1"))


def test_types_that_cannot_change_are_keys():
    locked = ours.STD_I32LE.copy()
    locked.lock()
    assert {ours.STD_I32LE: 1, ours.STD_I32BE: 2}[locked] == 1
    with pytest.raises(TypeError):
        hash(ours.STD_I32LE.copy())


def test_predefined_types_are_listed():
    listed = {name for name in dir(ours) if isinstance(getattr(ours, name), ours.TypeID)}
    named = {name for name in dir(theirs) if isinstance(getattr(theirs, name), theirs.TypeID)}
    assert len(listed & named) > 50
    for name in listed & named:
        assert getattr(ours, name).encode() == getattr(theirs, name).encode(), name


def test_unknown_names_are_no_types():
    for name in ("STD_I7LE", "nothing"):
        with pytest.raises(AttributeError):
            getattr(ours, name)


def sample(count):
    """Some files of the corpus, small ones, the same each time."""
    files = sorted((sha or "", name, path) for name, path, sha in corpus_files() if path.stat().st_size < 1 << 20)
    return files[::max(1, len(files) // count)]


def objects(group):
    """Yield objects below a group, each once, whatever can be opened."""
    seen, todo = set(), [group]
    while todo:
        node = todo.pop()
        for name in node:
            try:
                if not isinstance(node.get(name, getlink=True), h5py.HardLink):
                    continue
                item = node[name]
            except (OSError, KeyError, RuntimeError, ValueError, TypeError):
                continue
            if item.name in seen:
                continue
            key = h5py.h5o.get_info(item.id).addr
            if key not in seen:
                seen.add(key)
                yield item
                if isinstance(item, h5py.Group):
                    todo.append(item)


def types_of(item):
    """Yield where a type lies, and the type."""
    if isinstance(item, h5py.Dataset):
        yield None, item.id.get_type()
    elif isinstance(item, h5py.Datatype):
        yield None, item.id
    for i in range(h5py.h5a.get_num_attrs(item.id)):
        attribute = h5py.h5a.open(item.id, index=i)
        yield attribute.name, attribute.get_type()


def type_of(item):
    """The TypeID of an object or of an attribute's identifier."""
    if isinstance(item, clawh5.Datatype):
        return item.id
    return item.get_type() if hasattr(item, "get_type") else item.id.get_type()


def test_types_of_files_answer_as_in_h5py():
    compared = set()
    for _, name, path in sample(120):
        try:
            want = h5py.File(path)
        except OSError:
            continue
        with want, clawh5.File(path) as mine:
            for item in objects(want):
                for attribute, kind in types_of(item):
                    if (kind.encode(), kind.committed()) in compared:
                        continue
                    compared.add((kind.encode(), kind.committed()))
                    ours_there = mine[item.name] if attribute is None else mine[item.name].attrs.get_id(attribute.decode())
                    try:
                        compare(type_of(ours_there), kind)
                    except AssertionError as exc:
                        raise AssertionError(f"{name} {item.name} {attribute}: {exc}") from exc
    assert len(compared) > 100
