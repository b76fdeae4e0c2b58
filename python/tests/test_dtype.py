"""Datatypes numpy has not: what h5py reads is expected, from types made by hand."""

import gc

import h5py
import numpy as np
import pytest
from h5py import h5a, h5d, h5s, h5t

import clawh5
from clawh5._dtype import codec_of
from clawh5._lib import load


def partial(base, precision, offset):
    kind = base.copy()
    kind.set_precision(precision)
    kind.set_offset(offset)
    return kind


def uncommon(size, sign, exponent, mantissa, bias):
    kind = h5t.IEEE_F32LE.copy() if size <= 4 else h5t.IEEE_F64LE.copy()
    if size > 8:
        kind.set_size(size)
        kind.set_precision(8 * size)
    kind.set_fields(sign, *exponent, *mantissa)
    kind.set_ebias(bias)
    kind.set_precision(8 * size)
    kind.set_size(size)
    return kind


def explicit(kind):
    kind.set_norm(h5t.NORM_NONE)
    return kind


TYPES = {
    "12 of 16 bits": (partial(h5t.STD_I16LE, 12, 2), np.array([-2048, -1, 0, 5, 2047])),
    "12 of 16 bits, big-endian": (partial(h5t.STD_I16BE, 12, 0), np.array([-2048, -1, 0, 5, 2047])),
    "20 of 32 bits, unsigned": (partial(h5t.STD_U32LE, 20, 7), np.array([0, 1, 1 << 19, (1 << 20) - 1])),
    "bfloat16": (uncommon(2, 15, (7, 8), (0, 7), 127), np.array([0.0, -0.0, 1.5, -3.0, np.inf, -np.inf, 1e38])),
    "a leading bit that is stored": (explicit(uncommon(4, 31, (23, 8), (0, 23), 127)), np.array([0.0, 1.0, -2.5, np.inf, 1e-30])),
    "12 bytes": (uncommon(12, 95, (80, 15), (20, 60), 16383), np.array([0.0, 1.0, -2.5, 1e300, -np.inf])),
    "24-bit float": (uncommon(3, 23, (16, 7), (0, 16), 63), np.array([0.0, 1.0, -2.5, 1e-19, 6e18])),
}


@pytest.mark.parametrize("name", TYPES)
def test_numbers_of_uncommon_layouts_equal_h5py(tmp_path, name):
    kind, values = TYPES[name]
    path = str(tmp_path / "n.h5")
    with h5py.File(path, "w") as f:
        space = h5s.create_simple(values.shape)
        h5d.create(f.id, b"d", kind, space).write(h5s.ALL, h5s.ALL, values)
    with h5py.File(path) as f, clawh5.File(path) as c:
        assert c["d"].dtype == f["d"].dtype
        np.testing.assert_array_equal(c["d"][:], f["d"][:])
        assert c["d"][1] == f["d"][1]


def test_uncommon_numbers_in_records_equal_h5py(tmp_path):
    path, pair = str(tmp_path / "r.h5"), h5t.create(h5t.COMPOUND, 16)
    kinds = [TYPES[name][0] for name in ("12 of 16 bits", "bfloat16", "a leading bit that is stored")]
    for at, (name, kind) in enumerate(zip((b"i", b"b", b"f"), kinds)):
        pair.insert(name, 5 * at, kind)
    values = np.array([(-3, 1.5, 2.25), (2047, -np.inf, 1e10)], [("i", "i2"), ("b", "f4"), ("f", "f4")])
    with h5py.File(path, "w") as f:
        h5d.create(f.id, b"d", pair, h5s.create_simple((2,))).write(h5s.ALL, h5s.ALL, values)
    with h5py.File(path) as f, clawh5.File(path) as c:
        assert c["d"].dtype == f["d"].dtype
        np.testing.assert_array_equal(c["d"][:], f["d"][:])
        np.testing.assert_array_equal(c["d"].astype([("b", "f8")])[:], f["d"].astype([("b", "f8")])[:])


def test_numbers_that_numpy_needs_more_bytes_for_do_not_overlap_in_records(tmp_path):
    """h5py keeps the offsets of the file, where one number is written over the other."""
    path, packed, outer = str(tmp_path / "o.h5"), h5t.create(h5t.COMPOUND, 5), h5t.create(h5t.COMPOUND, 11)
    packed.insert(b"n", 3, h5t.STD_I16BE)
    packed.insert(b"x", 0, TYPES["24-bit float"][0])
    for at, name in ((0, b"p"), (5, b"q")):
        outer.insert(name, at, packed)
    outer.insert(b"end", 10, h5t.STD_U8LE)
    # 24 bits: sign 23, exponent of 7 from 16, bias 63: 1.0 is 3f0000, -2.5 is c04000.
    stored = bytes.fromhex("00003f a7f2 0040c0 0102 2a")
    with h5py.File(path, "w") as f:
        space = h5s.create(h5s.SCALAR)
        h5d.create(f.id, b"d", outer, space).write(h5s.ALL, h5s.ALL, np.frombuffer(stored, "V11"), outer)
    with clawh5.File(path) as c:
        got = c["d"][()]
        assert got.tolist() == ((0xA7F2 - 65536, 1.0), (0x0102, -2.5), 42)
        assert c["d"].fields("q")[()]["x"] == -2.5


def test_scalar_attributes_of_uncommon_numbers_are_scalars(tmp_path):
    path, kind = str(tmp_path / "a.h5"), TYPES["24-bit float"][0]
    with h5py.File(path, "w") as f:
        h5a.create(f.id, b"a", kind, h5s.create(h5s.SCALAR)).write(np.array(-2.5))
    with h5py.File(path) as f, clawh5.File(path) as c:
        assert type(c.attrs["a"]) is type(f.attrs["a"]) and c.attrs["a"] == f.attrs["a"] == -2.5


def test_arrays_of_strings_in_attributes_are_str(tmp_path):
    path, base = str(tmp_path / "a.h5"), h5t.C_S1.copy()
    base.set_size(h5t.VARIABLE)
    with h5py.File(path, "w") as f:
        a = h5a.create(f.id, b"a", h5t.array_create(base, (2,)), h5s.create_simple((1,)))
        a.write(np.array([[b"a", b"\xc3\xa9"]], object), h5t.array_create(h5t.py_create(h5py.string_dtype()), (2,)))
    with h5py.File(path) as f, clawh5.File(path) as c:
        assert c.attrs["a"].tolist() == f.attrs["a"].tolist() == [["a", "é"]]


def test_opaque_data_of_another_size_than_its_tag_says_is_bytes(tmp_path):
    path, kind = str(tmp_path / "t.h5"), h5t.create(h5t.OPAQUE, 3)
    kind.set_tag(b"NUMPY:>i4")
    with h5py.File(path, "w") as f:
        h5d.create(f.id, b"d", kind, h5s.create_simple((2,))).write(h5s.ALL, h5s.ALL, np.frombuffer(b"abcdef", "V3"), kind)
    with clawh5.File(path) as c:
        assert c["d"].dtype == "V3" and c["d"][:].tobytes() == b"abcdef"


def test_numbers_of_uncommon_layouts_leave_no_handle_open(tmp_path):
    path = str(tmp_path / "h.h5")
    with h5py.File(path, "w") as f:
        h5d.create(f.id, b"d", TYPES["24-bit float"][0], h5s.create_simple((2,)))
    gc.collect()
    before = load().clawh5_open_handles()
    with clawh5.File(path) as c:
        assert c["d"][:].tolist() == [0, 0]
    assert load().clawh5_open_handles() == before


@pytest.mark.parametrize("pad, stored", [
    (h5t.STR_NULLTERM, b"ab\0cd"), (h5t.STR_NULLPAD, b"ab\0cd"), (h5t.STR_SPACEPAD, b"ab   "),
    (h5t.STR_SPACEPAD, b" b c "), (h5t.STR_NULLTERM, b"abcde"), (h5t.STR_SPACEPAD, b"     "),
])
def test_padding_of_strings_is_taken_off_as_by_h5py(tmp_path, pad, stored):
    path = str(tmp_path / "s.h5")
    kind = h5t.C_S1.copy()
    kind.set_size(5)
    kind.set_strpad(pad)
    pair = h5t.create(h5t.COMPOUND, 6)
    pair.insert(b"n", 0, h5t.STD_I8LE)
    pair.insert(b"s", 1, kind)
    with h5py.File(path, "w") as f:
        h5d.create(f.id, b"d", kind, h5s.create_simple((2,))).write(
            h5s.ALL, h5s.ALL, np.frombuffer(stored * 2, "V5"), kind)
        h5d.create(f.id, b"c", pair, h5s.create_simple((1,))).write(
            h5s.ALL, h5s.ALL, np.frombuffer(b"\1" + stored, "V6"), pair)
    with h5py.File(path) as f, clawh5.File(path) as c:
        assert c["d"][:].tobytes() == f["d"][:].tobytes()
        assert c["c"]["s"].tobytes() == f["c"]["s"].tobytes()


def test_equal_datatypes_share_one_codec():
    facts = {"class": "integer", "size": 4, "order": "le", "signed": True, "precision": 32, "bit_offset": 0}
    assert codec_of(dict(facts)) is codec_of(dict(facts))


@pytest.mark.parametrize("facts, error", [
    ({"class": "time", "size": 4, "order": "le"}, TypeError),
    ({"class": "integer", "size": 3, "order": "le", "signed": True, "precision": 24, "bit_offset": 0}, TypeError),
])
def test_types_without_equivalent_are_type_errors(facts, error):
    with pytest.raises(error):
        codec_of(facts)


HELPERS = [
    lambda m: m.string_dtype().metadata, lambda m: m.string_dtype("ascii", 4).metadata,
    lambda m: m.check_string_dtype(m.string_dtype("ascii", 4)), lambda m: m.check_string_dtype(np.dtype("S3")),
    lambda m: m.check_string_dtype(np.dtype("i4")), lambda m: m.check_vlen_dtype(m.vlen_dtype(np.int8)),
    lambda m: m.check_enum_dtype(m.enum_dtype({"a": 1}, "i2")), lambda m: m.check_enum_dtype(np.dtype("i2")),
    lambda m: m.check_ref_dtype(m.ref_dtype) is m.Reference, lambda m: m.check_dtype(vlen=m.special_dtype(vlen=str)),
    lambda m: m.check_dtype(ref=m.special_dtype(ref=m.RegionReference)) is m.RegionReference,
    lambda m: m.special_dtype(enum=("i1", {"x": 3})).metadata, lambda m: m.check_opaque_dtype(m.opaque_dtype("M8[s]")),
    lambda m: m.string_dtype("latin-1"), lambda m: m.string_dtype(length=1.5), lambda m: m.enum_dtype({}, "f4"),
    lambda m: m.special_dtype(), lambda m: m.special_dtype(what=1), lambda m: m.check_dtype(what=np.dtype("i4")),
    lambda m: m.special_dtype(ref=int),
]


@pytest.mark.parametrize("use", HELPERS, ids=range(len(HELPERS)))
def test_helpers_answer_as_h5pys_do(use):
    try:
        expected = use(h5py)
    except Exception as exc:
        with pytest.raises(type(exc)):
            use(clawh5)
    else:
        assert repr(use(clawh5)) == repr(expected)
