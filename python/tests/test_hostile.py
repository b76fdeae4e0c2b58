"""Damaged and malicious files: an error or right data, soon, in little memory, and never the end of the process.

Every reading is done in a worker process that is watched and replaced. The
limit on time is one of CPU time, so that a busy machine does not fail it; a
reading that waits for ever is found by the watch.
"""
import struct
import tempfile

import pytest

import _workers
import make_small
from _env import CACHE, CORPUS

CPU_SECONDS = 2
MEBIBYTES = 256
WATCH = _workers.Limits(seconds=60, rss=2 << 30)
STEP = 512  # offsets of one job


def hostile_files():
    files = sorted(path for path in (CORPUS / "hostile").rglob("*") if path.is_file())
    if not files:
        pytest.skip(f"no hostile files in {CORPUS} (set CLAWH5_CORPUS)")
    return files


def test_malformed_files_cost_little_and_kill_nothing(table):
    files = hostile_files()
    jobs = [("_hostile_worker", "cost", dict(path=str(path))) for path in files]
    complaints, opened = [], 0
    for path, result in zip(files, _workers.run(jobs, 2, WATCH)):
        name = path.relative_to(CORPUS)
        if isinstance(result, _workers.WorkerError):
            complaints.append(f"{name}: {type(result).__name__}: {result}")
            continue
        outcome, cpu, mebibytes = result
        opened += outcome == "opened"
        if cpu > CPU_SECONDS or mebibytes > MEBIBYTES:
            complaints.append(f"{name}: {cpu:.1f} s, {mebibytes:.0f} MiB: {outcome}")
    table("hostile files", [f"{len(files)} files, {opened} of them opened, {len(complaints)} complaints"])
    assert not complaints, "\n".join(complaints)


@pytest.fixture(scope="module")
def small_files():
    return make_small.make(str(CACHE / "small"))


@pytest.mark.parametrize("kind", ["cut", "flip"])
def test_damage_at_every_byte_is_survived(small_files, kind, table):
    complaints, dearest, memory = [], (0.0, 0, ""), 0.0
    for path in small_files:
        for found, (seconds, at), mebibytes in damage_everywhere(path, kind):
            complaints += [f"{path}: {text}" for text in found]
            if mebibytes > MEBIBYTES:
                complaints.append(f"{path}: {mebibytes:.0f} MiB in the {STEP} offsets around {at}")
            dearest, memory = max(dearest, (seconds, at, path)), max(memory, mebibytes)
    table(f"{kind} at every byte", [f"dearest: {dearest[0]:.2f} s at byte {dearest[1]} of {dearest[2]}; {memory:.0f} MiB"])
    if dearest[0] > CPU_SECONDS:
        complaints.append(f"{dearest[2]}: {kind} at {dearest[1]}: {dearest[0]:.1f} s")
    assert not complaints, "\n".join(complaints[:50])


def damage_everywhere(path, kind):
    """The results of damage over all offsets of a file. After a death the rest of its range is tried again."""
    with open(path, "rb") as file:
        size = len(file.read())
    ranges = [(first, min(first + STEP, size)) for first in range(0, size, STEP)]
    with tempfile.TemporaryDirectory() as folder:
        while ranges:
            jobs = [_job(path, kind, *part, f"{folder}/{part[0]}") for part in ranges]
            results = _workers.run(jobs, 2, WATCH)
            again = []
            for (first, last), job, result in zip(ranges, jobs, results):
                if not isinstance(result, _workers.WorkerError):
                    yield result
                    continue
                at, = struct.unpack("<Q", open(job[2]["progress"], "rb").read(8))
                yield [f"{kind} at {at}: {type(result).__name__}: {result}"], (0.0, at), 0.0
                rest = (at + 1, last) if kind == "flip" else (first, at)
                if isinstance(result, _workers.Died) and rest[0] < rest[1]:
                    again.append(rest)
            ranges = again


def _job(path, kind, first, last, progress):
    with open(progress, "wb") as file:
        file.write(struct.pack("<Q", first))
    return "_hostile_worker", "damage", dict(path=path, kind=kind, first=first, last=last, progress=progress)


