"""Every valid file of the corpus is read with h5py and with us, and everything is compared.

differential_expected.txt lists the files that are not yet equal, each with the
reason. It may only shrink: a listed file that has become equal must be taken
out (CLAWH5_REWRITE_EXPECTED=1 does it), an unlisted one must be equal.
LIBHDF5_FAULTS are values that libhdf5 itself gets wrong; a test here defends ours.
"""
import os
from collections import Counter, defaultdict
from pathlib import Path

import clawh5
import numpy as np
import pytest

import _reference
import _workers
from _canon import Failure
from _compare import compare
from _env import MODULE

EXPECTED = Path(__file__).with_name("differential_expected.txt")

LIBHDF5_FAULTS = {
    # libhdf5 2.0 does not convert quad parts of complex numbers: it returns the file's bytes as if
    # they were the machine's long double.
    ("scigolib/hdf5_official/tcomplex.h5", "/DatasetLongDoubleComplex", "values"),
    ("scigolib/hdf5_official/tcomplex.h5", "/DatasetLongDoubleComplex", "fillvalue"),
}


@pytest.fixture(scope="module")
def outcome(corpus, local):
    """name -> (word, reason, details) for every file; words are those of WORDS."""
    references = _reference.descriptions(corpus)
    results = {}
    for name, own in local.items():
        reference = references[name]
        if isinstance(own, _workers.WorkerError) and not (MODULE == "h5py" and type(own) is type(reference)):
            results[name] = "wrong", "", [("", type(own).__name__, str(own))]
        elif isinstance(reference, _workers.WorkerError):
            results[name] = "h5py dies", "", []
        elif isinstance(reference, Failure):
            results[name] = "h5py cannot", "", []
        else:
            verdict = compare(reference, own)
            verdict.wrong = [(path, aspect, text) for path, aspect, text in verdict.wrong
                             if (name, path, aspect) not in LIBHDF5_FAULTS]
            results[name] = verdict.word, verdict.reason, verdict.wrong or verdict.unsupported
    return results


WORDS = ("equal", "unsupported", "wrong", "h5py cannot", "h5py dies")


def summary(results):
    counts = Counter(word for word, _, _ in results.values())
    yield "  ".join(f"{word} {counts[word]}" for word in WORDS)
    reasons = defaultdict(list)
    for name, (word, reason, _) in results.items():
        if word == "unsupported":
            reasons[reason].append(name)
    for reason, names in sorted(reasons.items(), key=lambda item: -len(item[1])):
        yield f"unsupported {len(names):4}  {reason}   ({names[0]})"
    for name, (word, _, details) in results.items():
        if word == "wrong":
            yield f"wrong  {name}  " + "; ".join(f"{path} {aspect}: {text:.300}" for path, aspect, text in details[:3])


def test_no_file_is_read_wrong(outcome, table):
    table("differential: h5py and " + MODULE, summary(outcome))
    wrong = [name for name, (word, _, _) in outcome.items() if word == "wrong"]
    assert not wrong, f"{len(wrong)} files are read wrong: {wrong[:20]}"


def test_at_least_85_percent_are_equal_in_everything(outcome):
    words = [word for word, _, _ in outcome.values()]
    readable = [word for word in words if word in ("equal", "unsupported", "wrong")]
    assert words.count("equal") >= 0.85 * len(readable)


def test_files_not_yet_equal_are_as_expected(outcome):
    unequal = {name: f"{word}: {reason}" for name, (word, reason, _) in sorted(outcome.items())
               if word in ("unsupported", "wrong")}
    if os.environ.get("CLAWH5_REWRITE_EXPECTED"):
        EXPECTED.write_text("".join(f"{name}\t{reason}\n" for name, reason in unequal.items()))
    expected = {line.split("\t")[0] for line in EXPECTED.read_text().splitlines() if line}
    assert not unequal.keys() - expected, "these files must be equal, or be read as before"
    assert not expected - unequal.keys(), "these files are equal now: take them out of " + EXPECTED.name


def test_complex_numbers_with_quad_parts_are_those_of_the_same_dataset_in_double(corpus):
    paths = [path for name, path, _ in corpus if name == "scigolib/hdf5_official/tcomplex.h5"]
    with clawh5.File(*paths) as f:
        quad, double = f["DatasetLongDoubleComplex"], f["DatasetDoubleComplex"]
        assert np.array_equal(quad[...].astype(double.dtype), double[...])
        assert quad.fillvalue == double.fillvalue
