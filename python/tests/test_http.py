"""The files of the corpus read over HTTP: the same as from disk, and under faults the same or an error."""
import os
from pathlib import Path

import pytest

import _reference
import _workers
from _compare import compare
from _env import CORPUS, MODULE, corpus_files

LIMITS = _workers.Limits(seconds=120)


def describe_all(locations, workers, **options):
    """What the module under test says about each location, two ways of failing included."""
    jobs = [("_diff_worker", "describe", dict(reader=MODULE, location=location, options=options))
            for location in locations]
    return _workers.run(jobs, workers, LIMITS)


@pytest.fixture(scope="module")
def files():
    """The files with their places below the folder that is served, without those that kill h5py."""
    found = corpus_files()
    references = _reference.descriptions(found)
    return [(name, os.path.relpath(path, CORPUS.parent), path) for name, path, _ in found
            if not isinstance(references[name], _workers.WorkerError)]


@pytest.fixture(scope="module")
def local(files):
    return describe_all([str(path) for _, _, path in files], 2)


def differences(files, local, remote, errors_allowed):
    for (name, _, _), here, there in zip(files, local, remote):
        if isinstance(there, _workers.WorkerError):
            yield f"{name}: {type(there).__name__}: {there}"
        elif not isinstance(here, _workers.WorkerError):
            verdict = compare(here, there, errors_allowed)
            if verdict.wrong:
                yield f"{name}: {verdict.wrong[:3]}"


def test_files_are_the_same_over_http(files, local, serve):
    server = serve(CORPUS.parent)
    remote = describe_all([server.url(place) for _, place, _ in files], 2)
    complaints = list(differences(files, local, remote, errors_allowed=False))
    assert not complaints, f"{len(complaints)} files:\n" + "\n".join(complaints[:20])


FAULTS = [dict(fail_every=3), dict(truncate_every=2), dict(reset_every=3, truncate_every=5, fail_every=7)]


@pytest.mark.parametrize("faults", FAULTS, ids=str)
def test_files_are_the_same_or_an_error_on_a_failing_server(files, local, serve, faults):
    """The files are dealt out to the kinds of fault."""
    part = slice(FAULTS.index(faults), None, len(FAULTS))
    server = serve(CORPUS.parent, **faults)
    remote = describe_all([server.url(place) for _, place, _ in files[part]], 8)
    complaints = list(differences(files[part], local[part], remote, errors_allowed=True))
    assert server.stats()["failed"] > 0
    assert not complaints, f"{len(complaints)} files:\n" + "\n".join(complaints[:20])


def test_without_retries_failures_are_errors_and_never_data(files, local, serve):
    server = serve(CORPUS.parent, truncate_every=2)
    some = [(f, here) for f, here in zip(files, local) if f[2].stat().st_size < 1 << 16][::4]
    remote = describe_all([server.url(f[1]) for f, _ in some], 4, max_retries=1, timeout=0.2)
    complaints = list(differences([f for f, _ in some], [here for _, here in some], remote, errors_allowed=True))
    assert not complaints, "\n".join(complaints[:20])


def test_a_file_that_changes_while_it_is_read_is_an_error(serve, reader):
    path = next((p for _, p, _ in corpus_files() if 8 << 20 < p.stat().st_size), None)
    if path is None:
        pytest.skip("no large file")
    server = serve(path.parent, change_after=1)
    with pytest.raises(OSError):
        with reader.File(server.url(Path(path).name), "r") as file:
            for name in file:
                file[name][()]
