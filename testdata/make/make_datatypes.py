"""Write what libhdf5 says about datatypes, asked through the library inside of h5py.

    python testdata/make/make_datatypes.py

core/internal/datatype/testdata/h5t.json.gz:
  predefined  name -> H5Tencode
  types       of each: "encoded" (H5Tencode), "text" (H5LTdtype_to_text, null where that cannot express the type),
              "native" (H5Tencode of H5Tget_native_type, null where there is none), "classes" (that H5Tdetect_class
              finds), "order", "precision", "offset", "size"
  equal       pairs of indices into types for which H5Tequal holds
  texts       DDL -> H5Tencode of what H5LTtext_to_dtype makes of it
"""

import ctypes
import gzip
import json
import pathlib
import random

import h5py
from h5py import h5t

OUT = pathlib.Path(__file__).resolve().parents[2] / "core/internal/datatype/testdata/h5t.json.gz"
LIBS = pathlib.Path(h5py.__file__).parent.parent / "h5py.libs"
HDF5, HL = (ctypes.CDLL(str(next(LIBS.glob(p)))) for p in ("libhdf5-*", "libhdf5_hl-*"))
HID = ctypes.c_int64


def function(lib, name, result, *args):
    f = getattr(lib, name)
    f.restype, f.argtypes = result, args
    return f


SIZE = ctypes.POINTER(ctypes.c_size_t)
H5Tencode = function(HDF5, "H5Tencode", ctypes.c_int, HID, ctypes.c_void_p, SIZE)
H5Tget_native_type = function(HDF5, "H5Tget_native_type", HID, HID, ctypes.c_int)
H5Tget_order = function(HDF5, "H5Tget_order", ctypes.c_int, HID)
H5Tget_precision = function(HDF5, "H5Tget_precision", ctypes.c_size_t, HID)
H5Tget_offset = function(HDF5, "H5Tget_offset", ctypes.c_int, HID)
H5Tset_precision = function(HDF5, "H5Tset_precision", ctypes.c_int, HID, ctypes.c_size_t)
H5Tset_offset = function(HDF5, "H5Tset_offset", ctypes.c_int, HID, ctypes.c_size_t)
H5Tset_pad = function(HDF5, "H5Tset_pad", ctypes.c_int, HID, ctypes.c_int, ctypes.c_int)
H5LTdtype_to_text = function(HL, "H5LTdtype_to_text", ctypes.c_int, HID, ctypes.c_char_p, ctypes.c_int, SIZE)
H5LTtext_to_dtype = function(HL, "H5LTtext_to_dtype", HID, ctypes.c_char_p, ctypes.c_int)


def encoded(hid):
    n = ctypes.c_size_t(0)
    if hid < 0 or H5Tencode(hid, None, n) < 0:
        return None
    buf = ctypes.create_string_buffer(n.value)
    assert H5Tencode(hid, buf, n) >= 0
    return buf.raw.hex()


def text(t):
    # The library prints what it cannot express in words of its own, clips the
    # values of wide enumerations, and forgets its indentation when it fails.
    if not expressible(t):
        return None
    n = ctypes.c_size_t(0)
    assert H5LTdtype_to_text(t.id, None, 0, n) >= 0
    buf = ctypes.create_string_buffer(n.value + 1)
    assert H5LTdtype_to_text(t.id, buf, 0, n) >= 0
    return buf.value.decode("latin-1")


def expressible(t):
    kind = t.get_class()
    if kind in (h5t.INTEGER, h5t.FLOAT):
        return any(t.equal(known) for known in NUMBERS)
    if kind in (h5t.BITFIELD, h5t.TIME):
        return False
    if kind == h5t.REFERENCE:
        return t.equal(h5t.STD_REF_OBJ) or t.equal(h5t.STD_REF_DSETREG)
    if kind == h5t.COMPOUND:
        end = max((t.get_member_offset(i) + t.get_member_type(i).get_size() for i in range(t.get_nmembers())), default=1)
        return end == t.get_size() and all(expressible(t.get_member_type(i)) for i in range(t.get_nmembers()))
    if kind == h5t.ENUM:
        return t.get_nmembers() > 0 and t.get_size() <= 4 and expressible(t.get_super())
    if kind in (h5t.ARRAY, h5t.VLEN, h5t.COMPLEX):
        return expressible(t.get_super())
    return True


def predefined():
    names = """STD_I8 STD_I16 STD_I32 STD_I64 STD_U8 STD_U16 STD_U32 STD_U64 STD_B8 STD_B16 STD_B32 STD_B64
               IEEE_F16 IEEE_F32 IEEE_F64 FLOAT_BFLOAT16 UNIX_D32 UNIX_D64
               COMPLEX_IEEE_F16 COMPLEX_IEEE_F32 COMPLEX_IEEE_F64""".split()
    names = [n + o for n in names for o in ("LE", "BE")]
    names += "FLOAT_F8E4M3 FLOAT_F8E5M2 VAX_F32 VAX_F64 STD_REF_OBJ STD_REF_DSETREG STD_REF C_S1 FORTRAN_S1".split()
    names += ["NATIVE_" + n for n in """SCHAR SHORT INT LONG LLONG UCHAR USHORT UINT ULONG ULLONG B8 B16 B32 B64 HADDR HSIZE
        HSSIZE HERR HBOOL FLOAT16 FLOAT DOUBLE LDOUBLE FLOAT_COMPLEX DOUBLE_COMPLEX LDOUBLE_COMPLEX OPAQUE""".split()]
    names += [f"NATIVE_{u}INT{k}{n}" for u in ("", "U") for k in ("", "_LEAST", "_FAST") for n in (8, 16, 32, 64)]
    return {"H5T_" + n: HID.in_dll(HDF5, f"H5T_{n}_g").value for n in names}


PREDEFINED = predefined()


def known(name):
    """The predefined type of a name, through its encoding: h5py has not all of them."""
    return h5t.decode(bytes.fromhex(encoded(PREDEFINED[name])))


NUMBERS = [known(n) for n in PREDEFINED
           if "_STD_I" in n or "_STD_U" in n or "_IEEE_F" in n or "_FLOAT_" in n or n == "H5T_NATIVE_LDOUBLE"
           if "COMPLEX" not in n]


class Maker:
    """Random types."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def number(self):
        kinds = ("STD_I", "STD_U", "STD_B", "T_IEEE", "VAX", "FLOAT_", "LDOUBLE")
        t = known(self.random.choice([n for n in PREDEFINED if "COMPLEX" not in n and any(k in n for k in kinds)]))
        return self.odd(t) if self.random.random() < 0.3 else t

    def odd(self, t):
        r = self.random
        if isinstance(t, h5t.TypeFloatID):
            exponent, mantissa = r.randint(1, 15), r.randint(1, 40)
            precision, low = exponent + mantissa + 1 + r.randint(0, 3), r.randint(0, 5)
            t = h5t.IEEE_F64LE.copy()
            t.set_size(16)
            t.set_order(r.choice([h5t.ORDER_LE, h5t.ORDER_BE]))
            t.set_precision(128)
            t.set_fields(low + precision - 1, low + mantissa, exponent, low, mantissa)
            t.set_offset(0)
            t.set_ebias(r.randint(0, 1 << exponent))
            t.set_norm(r.choice([h5t.NORM_IMPLIED, h5t.NORM_MSBSET, h5t.NORM_NONE]))
            t.set_inpad(r.choice([h5t.PAD_ZERO, h5t.PAD_ONE]))
        else:
            size = r.randint(1, 17)
            t.set_size(size)
            precision = r.randint(1, 8 * size)
            assert H5Tset_precision(t.id, precision) >= 0 and H5Tset_offset(t.id, r.randint(0, 8 * size - precision)) >= 0
        assert H5Tset_pad(t.id, r.randint(0, 1), r.randint(0, 1)) >= 0
        return t

    def string(self):
        t = h5t.C_S1.copy()
        t.set_size(self.random.choice([1, 3, 17, h5t.VARIABLE]))
        t.set_cset(self.random.choice([h5t.CSET_ASCII, h5t.CSET_UTF8]))
        t.set_strpad(self.random.choice([h5t.STR_NULLTERM, h5t.STR_NULLPAD, h5t.STR_SPACEPAD]))
        return t

    def opaque(self):
        t = h5t.create(h5t.OPAQUE, self.random.randint(1, 40))
        t.set_tag(b"a tag of some length, maybe"[:self.random.randint(1, 27)])
        return t

    def enum(self):
        r = self.random
        base = known(f"H5T_STD_{r.choice('IU')}{r.choice([8, 16, 32, 64])}{r.choice(['LE', 'BE'])}")
        t = h5t.enum_create(base)
        for i in range(r.randint(1, 5)):
            t.enum_insert(r.choice([b"RED", b"GREEN", b"a name of many letters "]) + b"%d" % i, 3 * i + r.randint(0, 2))
        return t

    def compound(self, depth):
        r = self.random
        members = [self.type(depth - 1) for _ in range(r.randint(1, 4))]
        places, end = [], 0
        for m in members:
            end += r.choice([0, 0, 1, 4])
            places.append(end)
            end += m.get_size()
        t = h5t.create(h5t.COMPOUND, end + r.choice([0, 0, 3]))
        order = list(range(len(members)))
        if r.random() < 0.3:
            r.shuffle(order)
        for i in order:
            t.insert(b"member%d" % i + b"x" * r.randint(0, 9), places[i], members[i])
        return t

    def type(self, depth=3):
        r = self.random
        leaf = [self.number, self.number, self.string, self.opaque, self.enum,
                lambda: known(r.choice(["H5T_STD_REF_OBJ", "H5T_STD_REF_DSETREG", "H5T_STD_REF"])),
                lambda: known(r.choice([n for n in PREDEFINED if "COMPLEX_IEEE" in n])),
                lambda: known(r.choice(["H5T_UNIX_D32LE", "H5T_UNIX_D64BE"]))]
        inner = [lambda: self.compound(depth), lambda: self.compound(depth), lambda: h5t.vlen_create(self.type(depth - 1)),
                 lambda: h5t.array_create(self.type(depth - 1), tuple(r.randint(1, 3) for _ in range(r.randint(1, 3))))]
        return r.choice(leaf + inner if depth > 0 else leaf)()


TEXTS = """H5T_NATIVE_CHAR
H5T_FLOAT_BFLOAT16LE
H5T_STRING { STRSIZE 3; STRPAD H5T_STR_NULLPAD; CSET H5T_CSET_UTF8; CTYPE H5T_FORTRAN_S1; }
H5T_STRING{STRSIZE H5T_VARIABLE;STRPAD H5T_STR_SPACEPAD;CSET H5T_CSET_ASCII;CTYPE H5T_C_S1;}
H5T_COMPLEX { H5T_IEEE_F32LE }
H5T_COMPLEX_IEEE_F64BE
H5T_COMPOUND { }
H5T_COMPOUND { H5T_STD_I8LE "a"; H5T_STD_I32LE "b" : 4; H5T_STD_I32LE "c"; }
H5T_COMPOUND { H5T_STD_I8LE "a" : 0; H5T_STD_I32LE "b" : 0; }
H5T_COMPOUND { H5T_STD_I8LE "b" : 9; H5T_STD_I32LE "a" : 1; }
H5T_COMPOUND { H5T_COMPOUND { H5T_STD_I16BE "x"; } "a name" : 3; H5T_VLEN { H5T_STD_I8LE } "v" : 8; }
H5T_ENUM { H5T_STD_I16LE; }
H5T_ENUM { H5T_STD_U16BE; "A" 1; "B" 65535; }
H5T_ARRAY { [2][3] H5T_ARRAY { [4] H5T_STD_I8LE } }
H5T_OPAQUE { OPQ_SIZE 3; OPQ_TAG "t a g"; }""".splitlines()


def describe(t):
    native = encoded(H5Tget_native_type(t.id, 0))
    return {"encoded": encoded(t.id), "text": text(t), "native": native,
            "classes": [c for c in range(12) if t.detect_class(c)], "size": t.get_size(),
            "order": H5Tget_order(t.id), "precision": H5Tget_precision(t.id), "offset": H5Tget_offset(t.id)}


def main():
    types = [known(n) for n in PREDEFINED] + [Maker(seed).type() for seed in range(400)]
    result = {
        "predefined": {n: encoded(i) for n, i in PREDEFINED.items()},
        "types": [describe(t) for t in types],
        "equal": [[i, j] for i, t in enumerate(types) for j, u in enumerate(types) if i < j and t.equal(u)],
        "texts": {s: encoded(H5LTtext_to_dtype(s.encode(), 0)) for s in TEXTS},
    }
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_bytes(gzip.compress(json.dumps(result, separators=(",", ":")).encode(), mtime=0))


if __name__ == "__main__":
    main()
