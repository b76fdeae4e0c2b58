"""Random selections of every kind give what h5py gives: values, types, shapes, and the class of the exception."""
import hashlib
import random
import warnings
from pathlib import Path

import h5py
import numpy as np
import pytest

import _canon
import make_selections
from _env import CACHE, open_file

PER_DATASET = 24
SOURCE = hashlib.sha256(Path(make_selections.__file__).read_bytes()).hexdigest()[:12]


@pytest.fixture(scope="module")
def paths():
    return make_selections.make(str(CACHE / f"selections-{SOURCE}"))


def random_slice(rng, n):
    """A slice with or without bounds and step, now and then beyond the extent, negative or empty."""
    bound = lambda: rng.choice([None, rng.randint(-n - 2, n + 3), rng.randint(0, max(n, 1))])
    step = rng.choice([None, None, 1, 2, 3, n or 1, n + 5])
    return slice(bound(), bound(), step)


def random_list(rng, n):
    picked = sorted(rng.sample(range(n), rng.randint(0, n)))
    return rng.choice([picked, np.array(picked, dtype=int), [i - n for i in picked] or picked])


def random_axis(rng, n):
    return rng.choices([lambda: random_slice(rng, n), lambda: rng.randint(-n, n - 1), lambda: slice(None),
                        lambda: np.int64(rng.randint(0, n - 1))], [6, 3, 2, 1])[0]()


def random_mask(rng, shape):
    density = rng.choice([0, 0.1, 0.5, 1])
    return np.random.default_rng(rng.randint(0, 1 << 30)).random(shape) < density


def regular(rng, shape):
    index = [random_axis(rng, n) for n in shape]
    if index and rng.random() < 0.3:
        keep = rng.randint(0, len(index))
        index[keep:] = []
        index.insert(rng.randint(0, len(index)), Ellipsis)
    return tuple(index if rng.random() < 0.8 or not index else index[:rng.randint(1, len(index))])


def with_list(rng, shape):
    index = [random_axis(rng, n) for n in shape]
    axis = rng.randrange(len(shape))
    index[axis] = random_list(rng, shape[axis]) if rng.random() < 0.7 else random_mask(rng, shape[axis])
    return tuple(index)


def with_two_lists(rng, shape):
    index = list(with_list(rng, shape))
    index[rng.randrange(len(shape))] = random_list(rng, shape[-1])
    return tuple(index)


def with_mask(rng, shape):
    return random_mask(rng, shape)


def invalid(rng, shape):
    """What h5py refuses: it must be refused with the same class of exception (or be allowed, as h5py allows it)."""
    n = shape[0] if shape else 1
    wrong = [n, -n - 1, slice(None, None, -1), slice(None, None, 0), slice(None, None, -2), None, np.newaxis, "missing",
             1.5, [n + 3], [2, 1], [0, 0], [-n - 4], np.ones(n + 1, bool), np.ones((*shape, 1), bool), (0,) * (len(shape) + 1),
             (Ellipsis, Ellipsis), [[0, 1]], object(), {}, slice("a", None), slice(0.5, None), b"missing", [1.5], [None], ()]
    return wrong[rng.randrange(len(wrong))]


def scalar(rng, shape):
    return rng.choice([(), Ellipsis, (Ellipsis,), 0, slice(None), [0], (0,), np.bool_(True), True])


def random_index(rng, shape):
    if not shape:
        return scalar(rng, shape)
    kinds, weights = (regular, with_list, with_two_lists, with_mask, invalid), (10, 4, 1, 2, 2)
    return rng.choices(kinds, weights)[0](rng, shape)


def outcome(dataset, index):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return dataset[index]
        except Exception as error:
            return error


CANON = _canon.Values()


def agree(ours, theirs):
    if isinstance(theirs, ValueError) and "hyperslab selections" in str(theirs) and isinstance(ours, np.ndarray):
        return ours.size == 0  # libhdf5 cannot combine a list of indices with an empty slice
    if isinstance(theirs, Exception) or isinstance(ours, Exception):
        return isinstance(ours, type(theirs)) and isinstance(theirs, Exception)
    return CANON.value(ours) == CANON.value(theirs)


def complaint(name, index, ours, theirs):
    def text(result):
        if isinstance(result, Exception):
            return f"{type(result).__name__}: {result}"
        return f"{type(result).__name__} {getattr(result, 'dtype', '')} {getattr(result, 'shape', '')} {result!r:.200}"
    return f"{name}[{index!r}]\n  ours   {text(ours)}\n  h5py's {text(theirs)}"


def compare_files(path, indexes):
    """Complaints about all (dataset, index) that indexes(name, h5py dataset) yields for a file."""
    count = 0
    with h5py.File(path, "r") as theirs, open_file(path) as ours:
        for name in theirs:
            for index in indexes(name, theirs[name]):
                count += 1
                expected, got = outcome(theirs[name], index), outcome(ours[name], index)
                if not agree(got, expected):
                    yield complaint(f"{Path(path).name} {name}", index, got, expected)
    assert count > 100


def test_random_selections_equal_h5py(paths):
    def indexes(name, dataset):
        rng = random.Random(name)
        for _ in range(PER_DATASET):
            yield random_index(rng, dataset.shape)

    complaints = [c for path in paths for c in compare_files(path, indexes)]
    assert not complaints, f"{len(complaints)} selections:\n" + "\n".join(complaints[:30])


def test_random_selections_of_fields_equal_h5py(paths):
    def indexes(name, dataset):
        rng = random.Random(name)
        for _ in range(PER_DATASET if dataset.dtype.names else 1):
            fields = list(dataset.dtype.names or ("x",)) + ["missing"]
            names = rng.choice([(rng.choice(fields),), tuple(rng.sample(fields[:-1], rng.randint(1, len(fields) - 1)))])
            yield (*names, *regular(rng, dataset.shape))
            yield names[0] if len(names) == 1 else list(names)

    complaints = [c for path in paths if "types" in path for c in compare_files(path, indexes)]
    assert not complaints, f"{len(complaints)} selections:\n" + "\n".join(complaints[:30])


def test_selections_equal_numpy_where_numpy_and_h5py_mean_the_same(paths):
    """An oracle apart from libhdf5: the array that was written, indexed by numpy."""
    rng = random.Random(6)
    for path in (p for p in paths if "layouts" in p):
        with open_file(path) as file:
            for rank, extent in make_selections.EXTENTS.items():
                whole = make_selections.values("i4", extent)
                for name in (n for n in file if n.endswith(str(rank)) and not n.startswith(("sparse", "implicit"))):
                    for _ in range(8):
                        index = tuple(rng.choice([slice(rng.randint(0, n), rng.randint(0, n), rng.randint(1, 3)),
                                                  rng.randint(-n, n - 1)]) for n in extent)
                        np.testing.assert_array_equal(file[name][index], whole[index], f"{path} {name} {index}")


def test_read_direct_fills_what_is_asked_for(paths):
    rng = random.Random(9)
    for path in (p for p in paths if "large" in p):
        with h5py.File(path, "r") as theirs, open_file(path) as ours:
            for name in theirs:
                for dtype in ("<i4", ">i4", "<f8", "<i2"):
                    a, b = (np.full((220, 80), 3, dtype) for _ in range(2))
                    rows, columns = sorted(rng.sample(range(201), 2)), sorted(rng.sample(range(62), 2))
                    source = np.s_[rows[0]:rows[1], columns[0]:columns[1]]
                    target = np.s_[5:5 + rows[1] - rows[0], 7:7 + columns[1] - columns[0]]
                    theirs[name].read_direct(a, source, target)
                    ours[name].read_direct(b, source, target)
                    np.testing.assert_array_equal(a, b, f"{path} {name} {source}")
