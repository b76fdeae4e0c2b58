#!/usr/bin/env python3
"""References of both generations in every place that can hold one, and what libhdf5 says of each.

    python3 make_references.py FOLDER

h5py has no revised references (H5R_ref_t, HDF5 1.12), so the libhdf5 that it brings along is called.
"""
import ctypes
import json
import os
import sys

import h5py
import numpy as np


def library():
    """The libhdf5 that h5py has loaded."""
    with open("/proc/self/maps") as maps:
        paths = {line.split()[-1] for line in maps if "libhdf5-" in line or "libhdf5.so" in line}
    return ctypes.CDLL(sorted(paths)[0])


LIB = library()
HID = ctypes.c_int64
REF_SIZE = 64  # H5R_REF_BUF_SIZE
LIB.H5Rcreate_object.argtypes = [HID, ctypes.c_char_p, HID, ctypes.c_void_p]
LIB.H5Rcreate_region.argtypes = [HID, ctypes.c_char_p, HID, HID, ctypes.c_void_p]
LIB.H5Rcreate_attr.argtypes = [HID, ctypes.c_char_p, ctypes.c_char_p, HID, ctypes.c_void_p]
LIB.H5Tcreate.restype = LIB.H5Tarray_create2.restype = LIB.H5Tvlen_create.restype = HID
LIB.H5Tcreate.argtypes = [ctypes.c_int, ctypes.c_size_t]
LIB.H5Tinsert.argtypes = [HID, ctypes.c_char_p, ctypes.c_size_t, HID]
LIB.H5Tarray_create2.argtypes = [HID, ctypes.c_uint, ctypes.c_void_p]
LIB.H5Tvlen_create.argtypes = [HID]
LIB.H5Dcreate2.restype = LIB.H5Acreate2.restype = HID
LIB.H5Dcreate2.argtypes = [HID, ctypes.c_char_p, HID, HID, HID, HID, HID]
LIB.H5Dwrite.argtypes = [HID, HID, HID, HID, HID, ctypes.c_void_p]
LIB.H5Acreate2.argtypes = [HID, ctypes.c_char_p, HID, HID, HID, HID]
LIB.H5Awrite.argtypes = [HID, HID, ctypes.c_void_p]
LIB.H5Dclose.argtypes = LIB.H5Aclose.argtypes = [HID]
REF = HID.in_dll(LIB, "H5T_STD_REF_g").value
INT = HID.in_dll(LIB, "H5T_NATIVE_INT32_g").value


def check(result):
    if result < 0:
        raise RuntimeError("libhdf5 failed")
    return result


class References:
    """Memory for n references; None is a null one."""

    def __init__(self, makers):
        self.memory = ctypes.create_string_buffer(REF_SIZE * len(makers))
        for i, make in enumerate(makers):
            if make is not None:
                make(ctypes.addressof(self.memory) + REF_SIZE * i)


def to_object(file, path):
    return lambda at: check(LIB.H5Rcreate_object(file.id.id, path, 0, at))


def to_region(file, path, space):
    return lambda at: check(LIB.H5Rcreate_region(file.id.id, path, space.id, 0, at))


def to_attribute(file, path, name):
    return lambda at: check(LIB.H5Rcreate_attr(file.id.id, path, name, 0, at))


def write(file, name, datatype, n, memory):
    space = h5py.h5s.create_simple((n,))
    dataset = check(LIB.H5Dcreate2(file.id.id, name, datatype, space.id, 0, 0, 0))
    check(LIB.H5Dwrite(dataset, datatype, 0, 0, 0, memory))
    check(LIB.H5Dclose(dataset))


def write_attribute(file, name, datatype, n, memory):
    space = h5py.h5s.create_simple((n,))
    attribute = check(LIB.H5Acreate2(file.id.id, name, datatype, space.id, 0, 0))
    check(LIB.H5Awrite(attribute, datatype, memory))
    check(LIB.H5Aclose(attribute))


def spaces(libver):
    """Selections of a (10, 10) dataset of every kind, with what files of a version say of them."""
    shape = (10, 10)
    out = {}
    out["all"] = h5py.h5s.create_simple(shape), {"kind": "all"}
    none = h5py.h5s.create_simple(shape)
    none.select_none()
    out["none"] = none, {"kind": "none"}
    slab = h5py.h5s.create_simple(shape)
    slab.select_hyperslab((1, 2), (2, 2), (4, 3), (2, 1))
    out["slab"] = slab, {"kind": "hyperslab", "start": [1, 2], "stride": [4, 3], "count": [2, 2], "block": [2, 1]}
    if libver == "earliest":  # which lists the blocks
        corners = [[row, column, row + 1, column] for row in (1, 5) for column in (2, 5)]
        out["slab"] = slab, {"kind": "blocks", "blocks": sum(corners, [])}
    points = h5py.h5s.create_simple(shape)
    points.select_elements([(9, 9), (0, 1), (5, 4)])
    out["points"] = points, {"kind": "points", "points": [9, 9, 0, 1, 5, 4]}
    blocks = h5py.h5s.create_simple(shape)
    blocks.select_hyperslab((0, 0), (1, 1), None, (2, 2))
    blocks.select_hyperslab((5, 5), (1, 1), None, (3, 1), op=h5py.h5s.SELECT_OR)
    out["blocks"] = blocks, {"kind": "blocks", "blocks": [0, 0, 1, 1, 5, 5, 7, 5]}
    return out


def make(folder, libver, sizes=8):
    target = os.path.join(folder, f"references_target_{libver}.h5")
    with h5py.File(target, "w", libver=(libver, "latest")) as other:
        other["far"] = np.arange(5, dtype="<i4")
        other["far"].attrs["note"] = np.int32(7)
    name = f"references_{libver}.h5"
    fapl = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    fapl.set_libver_bounds({"earliest": h5py.h5f.LIBVER_EARLIEST, "latest": h5py.h5f.LIBVER_LATEST}[libver],
                           h5py.h5f.LIBVER_LATEST)
    fcpl = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    fcpl.set_sizes(sizes, sizes)
    os.chdir(folder)  # external references keep the name by which a file was opened
    with h5py.File(h5py.h5f.create(name.encode(), h5py.h5f.ACC_TRUNC, fcpl, fapl)) as file, \
            h5py.File(os.path.basename(target), "r") as other:
        grid = file.create_dataset("group/grid", data=np.arange(100, dtype="<i4").reshape(10, 10))
        grid.attrs["units"] = np.int32(1)
        file["type"] = np.dtype("<i4")
        selections = spaces(libver)
        address = lambda o: h5py.h5o.get_info(o.id).addr
        kind = lambda k, o, **more: {"kind": k, "address": address(o), **more}
        truth = {}

        def add(key, makers, expected):
            write(file, key.encode(), REF, len(makers), References(makers).memory)
            truth[key] = expected

        add("objects", [to_object(file, b"/group/grid"), to_object(file, b"/group"), None, to_object(file, b"/type"),
                        to_object(other, b"/far")],
            [kind("object2", grid), kind("object2", file["group"]), {"kind": "object2", "null": True},
             kind("object2", file["type"]), kind("object2", other["far"], file=os.path.basename(target))])
        add("regions", [to_region(file, b"/group/grid", s) for s, _ in selections.values()],
            [kind("region2", grid, selection=d) for _, d in selections.values()])
        far = h5py.h5s.create_simple((5,))
        far.select_hyperslab((1,), (2,))
        far_truth = {"kind": "hyperslab", "start": [1], "stride": [1], "count": [1], "block": [2]}
        if libver == "earliest":
            far_truth = {"kind": "blocks", "blocks": [1, 2]}
        add("mixed", [to_attribute(file, b"/group/grid", b"units"), to_object(file, b"/group/grid"),
                      to_region(other, b"/far", far), to_attribute(other, b"/far", b"note"), None],
            [kind("attribute", grid, attribute="units"), kind("object2", grid),
             kind("region2", other["far"], file=os.path.basename(target), selection=far_truth),
             kind("attribute", other["far"], file=os.path.basename(target), attribute="note"),
             {"kind": "object2", "null": True}])

        pair = [to_object(file, b"/group/grid"), to_attribute(file, b"/group/grid", b"units")]
        pair_truth = [kind("object2", grid), kind("attribute", grid, attribute="units")]
        write_attribute(file, b"in_attribute", REF, 2, References(pair).memory)
        truth["@in_attribute"] = pair_truth
        dims = (ctypes.c_uint64 * 1)(2)
        write(file, b"in_array", check(LIB.H5Tarray_create2(REF, 1, dims)), 1, References(pair).memory)
        truth["in_array"] = [pair_truth]
        compound = check(LIB.H5Tcreate(6, 8 + REF_SIZE))
        check(LIB.H5Tinsert(compound, b"number", 0, INT))
        check(LIB.H5Tinsert(compound, b"ref", 8, REF))
        memory = ctypes.create_string_buffer(2 * (8 + REF_SIZE))
        for i, maker in enumerate(pair):
            ctypes.memmove(ctypes.addressof(memory) + i * (8 + REF_SIZE), (ctypes.c_int32 * 1)(i + 40), 4)
            maker(ctypes.addressof(memory) + i * (8 + REF_SIZE) + 8)
        write(file, b"in_compound", compound, 2, memory)
        truth["in_compound"] = [{"number": 40 + i, "ref": r} for i, r in enumerate(pair_truth)]
        refs = References(pair)
        sequences = (ctypes.c_uint64 * 4)(2, ctypes.addressof(refs.memory), 0, 0)
        write(file, b"in_vlen", check(LIB.H5Tvlen_create(REF)), 2, sequences)
        truth["in_vlen"] = [pair_truth, []]

        old = file.create_dataset("old_objects", (3,), h5py.ref_dtype)
        old[0], old[1] = grid.ref, file["group"].ref
        truth["old_objects"] = [kind("object", grid), kind("object", file["group"]), {"kind": "object", "null": True}]
        regions = file.create_dataset("old_regions", (len(selections) + 1,), h5py.regionref_dtype)
        for i, (space, _) in enumerate(selections.values()):
            regions[i] = h5py.h5r.create(file.id, b"/group/grid", h5py.h5r.DATASET_REGION, space)
        truth["old_regions"] = [kind("region", grid, selection=d) for _, d in selections.values()]
        truth["old_regions"].append({"kind": "region", "null": True})
    with open(os.path.join(folder, f"references_{libver}.json"), "w") as out:
        out.write("{" + ",\n ".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in truth.items()) + "}\n")


if __name__ == "__main__":
    folder = os.path.abspath(sys.argv[1])
    make(folder, "earliest", 4)
    make(folder, "latest")
