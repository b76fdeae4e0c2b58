"""The files of the corpus read over HTTP: the same as from disk, and under faults the same or an error."""
import os
from pathlib import Path

import pytest

import _workers
from _compare import compare
from _env import CORPUS, MODULE

SERVED = CORPUS.parent
LIMITS = _workers.Limits(seconds=120)


def over_http(files, server, workers, **options):
    """What the module under test says about each file when it reads it from a server."""
    jobs = [("_diff_worker", "describe", dict(reader=MODULE, location=server.url(os.path.relpath(path, SERVED)),
                                              options=options)) for _, path, _ in files]
    return _workers.run(jobs, workers, LIMITS)


def differences(files, local, remote, errors_allowed):
    for (name, _, _), there in zip(files, remote):
        if isinstance(there, _workers.WorkerError):
            yield f"{name}: {type(there).__name__}: {there}"
        elif not isinstance(local[name], _workers.WorkerError):
            verdict = compare(local[name], there, errors_allowed)
            if verdict.wrong:
                yield f"{name}: {verdict.wrong[:3]}"


def test_files_are_the_same_over_http(corpus, local, serve):
    remote = over_http(corpus, serve(SERVED), 2)
    complaints = list(differences(corpus, local, remote, errors_allowed=False))
    assert not complaints, f"{len(complaints)} files:\n" + "\n".join(complaints[:20])


FAULTS = [dict(fail_every=3), dict(truncate_every=2), dict(reset_every=3, truncate_every=5, fail_every=7)]


@pytest.mark.parametrize("faults", FAULTS, ids=str)
def test_files_are_the_same_or_an_error_on_a_failing_server(corpus, local, serve, faults):
    """The files are dealt out to the kinds of fault."""
    files = corpus[FAULTS.index(faults)::len(FAULTS)]
    server = serve(SERVED, **faults)
    complaints = list(differences(files, local, over_http(files, server, 8), errors_allowed=True))
    assert server.stats()["failed"] > 0
    assert not complaints, f"{len(complaints)} files:\n" + "\n".join(complaints[:20])


def test_without_retries_failures_are_errors_and_never_data(corpus, local, serve):
    files = [file for file in corpus if file[1].stat().st_size < 1 << 16][::4]
    remote = over_http(files, serve(SERVED, truncate_every=2), 4, max_retries=1, timeout=0.2)
    complaints = list(differences(files, local, remote, errors_allowed=True))
    assert not complaints, "\n".join(complaints[:20])


def test_a_file_that_changes_while_it_is_read_is_an_error(corpus, serve, reader):
    path = next((path for _, path, _ in corpus if 8 << 20 < path.stat().st_size), None)
    if path is None:
        pytest.skip("no large file")
    server = serve(path.parent, change_after=1)
    with pytest.raises(OSError):
        with reader.File(server.url(Path(path).name), "r") as file:
            for name in file:
                file[name][()]
