"""Virtual datasets of random mappings are what h5py reads of them."""
import pathlib
import random

import h5py
import numpy as np
import pytest
from h5py import h5d, h5p, h5s, h5t

import clawh5

TYPES = ["<i4", ">i2", "<f8", "<u2", ">f4", "i1"]


def random_shape(r, rank):
    return tuple(r.randint(1, (40, 12, 7, 5)[rank - 1]) for _ in range(rank))


def random_slab(r, shape):
    """A regular hyperslab as (start, stride, count, block)."""
    slab = [[], [], [], []]
    for n in shape:
        start = r.randrange(n) if r.random() < 0.6 else 0
        block = r.randint(1, min(3, n - start))
        stride = block + r.randint(0, 3)
        count = r.randint(1, (n - start - block) // stride + 1)
        if r.random() < 0.4:
            start, stride, count, block = 0, 1, n, 1
        for part, v in zip(slab, (start, stride, count, block)):
            part.append(v)
    return [tuple(part) for part in slab]


def random_space(r, shape):
    space = h5s.create_simple(shape)
    if r.random() < 0.1:
        return space  # all
    start, stride, count, block = random_slab(r, shape)
    space.select_hyperslab(start, count, stride, block)
    for _ in range(r.choice((0, 0, 1, 2))):
        start, stride, count, block = random_slab(r, shape)
        space.select_hyperslab(start, count, stride, block, op=r.choice((h5s.SELECT_OR, h5s.SELECT_XOR)))
    return space


def random_mapping(r, vshape):
    """A pair of spaces with as many elements."""
    while True:
        virtual = random_space(r, vshape)
        if r.random() < 0.5:  # the same selection in a source that may be larger
            shape = tuple(n + r.randint(0, 2) for n in vshape)
            if virtual.get_select_type() == h5s.SEL_ALL:
                return virtual, h5s.create_simple(vshape), vshape
            source = virtual.copy()
            source.set_extent_simple(shape)
            return virtual, source, shape
        shape = random_shape(r, r.randint(1, 3))
        source = random_space(r, shape)
        if source.get_select_npoints() == virtual.get_select_npoints():
            return virtual, source, shape


def make_virtual(r, folder, index):
    """Write a virtual dataset and its sources; return its path."""
    vshape = random_shape(r, r.randint(1, 3))
    maps = h5p.create(h5p.DATASET_CREATE)
    dtype = np.dtype(r.choice(TYPES))
    if r.random() < 0.7:
        maps.set_fill_value(np.array(r.randint(1, 100), dtype))
    path = folder / f"v{index}.h5"
    with h5py.File(path, "w", libver=r.choice(("v110", "latest"))) as f:
        for i in range(r.randint(1, 4)):
            virtual, source, shape = random_mapping(r, vshape)
            own, name = r.random() < 0.2, f"s{index}_{i}.h5"
            if own or r.random() < 0.85:
                values = np.array([r.randint(0, 120) for _ in range(int(np.prod(shape)))]).reshape(shape)
                options = {}
                if r.random() < 0.5:
                    options = dict(chunks=tuple(r.randint(1, n) for n in shape))
                    if r.random() < 0.6:
                        options |= dict(compression="gzip", shuffle=True)
                with _same(f) if own else h5py.File(folder / name, "w") as out:
                    out.create_dataset(f"d{i}", data=values.astype(r.choice(TYPES)), **options)
            maps.set_virtual(virtual, b"." if own else name.encode(), f"d{i}".encode(), source)
        h5d.create(f.id, b"v", h5t.py_create(dtype), h5s.create_simple(vshape), dcpl=maps)
    return path


class _same:
    def __init__(self, f):
        self.f = f

    def __enter__(self):
        return self.f

    def __exit__(self, *exc):
        pass


def trusted(dataset, folder):
    """Where h5py is to be believed: libhdf5 leaves holes as they are in memory where other elements are mapped twice."""
    times = np.zeros(dataset.shape, int)
    for m in dataset.virtual_sources():
        if not (folder / m.file_name).exists():
            continue
        if m.vspace.get_select_type() != h5s.SEL_HYPERSLABS:
            times += m.vspace.get_select_type() == h5s.SEL_ALL
            continue
        for first, last in m.vspace.get_select_hyper_blocklist():
            times[tuple(slice(a, b + 1) for a, b in zip(first, last))] += 1
    return np.ones(dataset.shape, bool) if times.max(initial=0) < 2 else times > 0


def random_index(r, shape):
    index = []
    for n in shape:
        kind = r.random()
        if kind < 0.2:
            index.append(r.randrange(n))
        elif kind < 0.8:
            start = r.randrange(n)
            index.append(slice(start, r.randint(start, n), r.choice((1, 1, 2, 3))))
        else:
            index.append(slice(None))
    if r.random() < 0.15:
        axis = r.randrange(len(shape))
        index = [slice(i, i + 1) if isinstance(i, int) else i for i in index]  # numpy takes both for lists
        index[axis] = sorted(r.sample(range(shape[axis]), r.randint(1, shape[axis])))
    return tuple(index)


@pytest.mark.parametrize("seed", range(4))
def test_random_mappings_read_as_h5py_reads_them(tmp_path, seed):
    r = random.Random(seed)
    for index in range(12):
        path = make_virtual(r, tmp_path, index)
        with h5py.File(path) as theirs, clawh5.File(path) as ours:
            a, b = theirs["v"], ours["v"]
            assert a.shape == b.shape
            want = np.where(trusted(b, tmp_path), a[...], a.fillvalue)
            np.testing.assert_array_equal(want, b[...])
            for _ in range(8):
                chosen = random_index(r, a.shape)
                np.testing.assert_array_equal(want[chosen], b[chosen], err_msg=f"{path} {chosen}")
            mask = np.array([r.random() < 0.3 for _ in range(a.size)]).reshape(a.shape)
            if mask.any():
                np.testing.assert_array_equal(want[mask], b[mask])


UNLIMITED = h5s.UNLIMITED
VIEWS = {"last-available": h5d.VDS_LAST_AVAILABLE, "first-missing": h5d.VDS_FIRST_MISSING}


def open_as(f, view, gap):
    """Open v as h5py does with a view and a gap."""
    access = h5p.create(h5p.DATASET_ACCESS)
    access.set_virtual_view(VIEWS[view])
    access.set_virtual_printf_gap(gap)
    return h5py.Dataset(h5d.open(f.id, b"v", access))


def endless(dims, axis, start, stride, block):
    """A selection of all positions but on one axis, where it has no end; block None is one block without end."""
    space = h5s.create_simple(tuple(dims), tuple(UNLIMITED if d == axis else n for d, n in enumerate(dims)))
    starts, strides, counts, blocks = [0] * len(dims), [1] * len(dims), [1] * len(dims), list(dims)
    starts[axis] = start
    if block is None:
        counts[axis], blocks[axis] = 1, UNLIMITED
    else:
        strides[axis], counts[axis], blocks[axis] = stride, UNLIMITED, block
    space.select_hyperslab(tuple(starts), tuple(counts), tuple(strides), tuple(blocks))
    return space


def make_endless(r, folder, index):
    """Write a virtual dataset with an unlimited axis and its sources; return its path."""
    rank = r.randint(1, 3)
    axis = r.randrange(rank)
    dims = [r.randint(1, 4) for _ in range(rank)]
    dims[axis] = r.randint(0, 6)
    maps = h5p.create(h5p.DATASET_CREATE)
    maps.set_fill_value(np.array(77, "i4"))
    path = folder / f"u{index}.h5"

    def source(name, shape):
        with h5py.File(folder / name, "w") as f:
            maxshape = tuple(None if d == axis else n for d, n in enumerate(shape))
            values = r.randint(100, 1000) + np.arange(np.prod(shape), dtype="i4")
            f.create_dataset("d", data=values.reshape(shape), maxshape=maxshape, chunks=tuple(max(1, n // 2) for n in shape))

    count = r.randint(1, 3)
    stride, block = r.choice(((count, 1), (2 * count, 2), (3 * count, 2)))
    for i in range(count):
        shape = list(dims)
        if r.random() < 0.5:  # numbered: one source a block
            shape[axis] = block
            for number in range(r.randint(0, 5)):
                if r.random() < 0.75:
                    source(f"n{index}_{i}_{number}.h5", shape)
            inner = h5s.create_simple(tuple(shape))
            inner.select_hyperslab((0,) * rank, tuple(shape))
            maps.set_virtual(endless(dims, axis, i * stride // count, stride, block), f"n{index}_{i}_%b.h5".encode(), b"d",
                             inner)
            continue
        shape[axis] = r.randint(1, 9)
        if r.random() < 0.85:
            source(f"e{index}_{i}.h5", shape)
        inner = endless(dims, axis, r.randint(0, 2), 1, None) if r.random() < 0.7 else endless(dims, axis, 0, 3, 1)
        maps.set_virtual(endless(dims, axis, i * stride // count, stride, block), f"e{index}_{i}.h5".encode(), b"d", inner)
    with h5py.File(path, "w", libver="latest") as f:
        space = h5s.create_simple(tuple(dims), tuple(UNLIMITED if d == axis else n for d, n in enumerate(dims)))
        h5d.create(f.id, b"v", h5t.NATIVE_INT32, space, dcpl=maps)
    return path


@pytest.mark.parametrize("seed", range(4))
def test_virtual_datasets_without_end_are_as_long_as_h5py_finds_them(tmp_path, seed):
    r = random.Random(seed)
    for index in range(12):
        path = make_endless(r, tmp_path, index)
        for view, gap in (("last-available", 0), ("last-available", 2), ("first-missing", 0)):
            options = dict(virtual_view=view, virtual_printf_gap=gap)
            with h5py.File(path) as f, clawh5.File(path, **options) as ours:
                theirs = open_as(f, view, gap)
                what = f"{path} {view} {gap}"
                assert theirs.shape == ours["v"].shape, what
                np.testing.assert_array_equal(theirs[...], ours["v"][...], err_msg=what)


FILES = pathlib.Path(__file__).parents[2] / "testdata" / "files" / "virtual"


def test_mappings_are_told_as_h5py_tells_them():
    with h5py.File(FILES / "mapped.h5") as theirs, clawh5.File(FILES / "mapped.h5") as ours:
        for name in theirs:
            assert theirs[name].is_virtual == ours[name].is_virtual
            if not theirs[name].is_virtual:
                continue
            for a, b in zip(theirs[name].virtual_sources(), ours[name].virtual_sources(), strict=True):
                assert (a.file_name, a.dset_name) == (b.file_name, b.dset_name)
                for one, other in ((a.vspace, b.vspace), (a.src_space, b.src_space)):
                    assert one.get_select_type() == other.get_select_type()
                    if one.get_select_type() != h5s.SEL_HYPERSLABS:
                        continue
                    np.testing.assert_array_equal(one.get_select_hyper_blocklist(), other.get_select_hyper_blocklist())
                    if one.is_regular_hyperslab():
                        assert one.get_regular_hyperslab() == other.get_regular_hyperslab()
        with pytest.raises(RuntimeError):
            ours["own"].virtual_sources()


def test_mappings_of_listed_datasets_are_told():
    with clawh5.File(FILES / "mapped.h5") as f:
        by_name = {name: d for name, d in f.items()}
        assert [m.file_name for m in by_name["rows"].virtual_sources()] == [f"source_{i}.h5" for i in range(4)]


def test_other_files_can_be_refused():
    with clawh5.File(FILES / "mapped.h5", external_links=False) as f:
        with pytest.raises(PermissionError):
            f["rows"][...]
        assert f["same_file"][0] == 500
    with clawh5.File(FILES / "external.h5", external_links=False) as f:
        with pytest.raises(PermissionError):
            f["parts"][...]
    with clawh5.File(FILES / "external.h5") as f:
        assert f["parts"].external == [("raw_a.bin", 3, 20), ("raw_b.bin", 0, 24), ("raw_c.bin", 8, 2**64 - 1)]
        with pytest.raises(OSError, match="raw_none.bin"):
            f["missing"][...]
