"""The tables of _ffi.py say what include/clawh5.h says."""

import ctypes
import pathlib
import re

import pytest

from clawh5 import _errors, _ffi

HEADER = pathlib.Path(__file__).resolve().parents[2] / "include" / "clawh5.h"

SCALARS = {
    "int32_t": ctypes.c_int32, "int64_t": ctypes.c_int64, "uint32_t": ctypes.c_uint32,
    "uint64_t": ctypes.c_uint64, "size_t": ctypes.c_size_t,
    "clawh5_id": ctypes.c_int64, "clawh5_status": ctypes.c_int32,
}


@pytest.fixture(scope="module")
def source():
    if not HEADER.exists():
        pytest.skip("the header lies outside this copy of the package")
    return re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.S)


def ctype_of(text):
    """The ctypes type of a C declaration without its name."""
    words = text.replace("*", " * ").split()
    const = words[0] == "const"
    words = [w for w in words if w != "const"]
    base, stars = words[0], words.count("*")
    if stars == 0:
        return SCALARS[base]
    if base == "void":
        return ctypes.c_void_p
    if base == "char":
        if stars == 1:
            return ctypes.c_char_p if const else ctypes.c_void_p
        return ctypes.POINTER(ctypes.c_char_p)
    result = _ffi.STRUCTS.get(base) or SCALARS[base]
    for _ in range(stars):
        result = ctypes.POINTER(result)
    return result


def split_name(declaration):
    match = re.fullmatch(r"(.*?)([A-Za-z_]\w*)((?:\[\w+\])?)", declaration.strip(), re.S)
    return match.group(1).strip(), match.group(2), match.group(3)


def test_functions_have_the_signatures_of_the_header(source):
    found = {}
    for result, name, params in re.findall(r"CLAWH5_API\s+([\w\s]+?[\s*]+)(clawh5_\w+)\(([^)]*)\);", source):
        arguments = [] if params.strip() == "void" else [
            ctype_of(split_name(p)[0]) for p in params.split(",")]
        found[name] = (ctype_of(result), arguments)
    assert len(found) > 30
    assert found.keys() == _ffi.SIGNATURES.keys()
    for name, signature in found.items():
        assert _ffi.SIGNATURES[name] == signature, name


def test_structs_have_the_members_of_the_header(source):
    found = dict((name, body) for body, name in re.findall(
        r"typedef struct clawh5_\w+ \{(.*?)\}\s*(clawh5_\w+);", source, re.S))
    assert found.keys() == _ffi.STRUCTS.keys()
    for name, body in found.items():
        members = []
        for declaration in filter(None, (d.strip() for d in body.split(";"))):
            first, *others = declaration.split(",")
            kind, member, array = split_name(first)
            ctype = ctypes.c_char * int(array[1:-1]) if array else ctype_of(kind)
            members.append((member, ctype))
            members += [(other.strip(" *"), ctype) for other in others]
        assert _ffi.STRUCTS[name]._fields_ == members, name


def test_constants_have_the_values_of_the_header(source):
    values = {name: int(value) for name, value in re.findall(r"CLAWH5_(\w+)\s*=\s*(-?\d+)", source)}
    prefixes = ("E_", "OPEN_", "DESCRIBE_", "SELECT_", "MEMORY_", "TYPE_")
    for name, value in values.items():
        if name == "OK" or name.startswith(prefixes):
            assert getattr(_ffi, name) == value, name
    abi = re.search(r"#define CLAWH5_ABI_VERSION (\d+)", source)
    assert _ffi.ABI_VERSION == int(abi.group(1))


def test_every_status_has_an_exception(source):
    statuses = {int(v) for v in re.findall(r"CLAWH5_E_\w+\s*=\s*(-\d+)", source)}
    assert statuses == _errors.EXCEPTIONS.keys()


def test_an_exception_carries_the_facts_of_the_error():
    err = _ffi.Error(_ffi.E_CORRUPT, 0, 77, b"Local Heap", b"/g", b"bad signature")
    exc = _errors.make(_ffi.E_CORRUPT, err)
    assert isinstance(exc, OSError)
    assert (exc.status, exc.offset, exc.structure, exc.path) == (-2, 77, "Local Heap", "/g")
    assert str(exc) == "bad signature"
    missing = _errors.make(_ffi.E_NOT_FOUND, None)
    assert isinstance(missing, KeyError) and missing.offset is None
    assert isinstance(_errors.make(_ffi.E_NOT_FOUND, None, opening=True), FileNotFoundError)
