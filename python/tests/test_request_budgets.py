"""What a remote reading may cost: requests, dependent rounds and bytes, as the server counts them.

One request more than the budget fails. Rounds are counted twice: by the client
and from the times in the server's log, which needs a latency that is long
beside the time the client takes to see an answer and ask again.
"""
from pathlib import Path

import h5py
import numpy as np
import pytest

import _server
from _env import open_file, real_file, shape

BLOCK = 64 << 10


def walk(group):
    """Every object with shape, type and all attributes, as code for h5py does it."""
    seen = {group.name: dict(group.attrs)}
    for name in group:
        item = group[name]
        if hasattr(item, "shape"):
            seen[item.name] = item.shape, str(item.dtype), dict(item.attrs)
        else:
            seen.update(walk(item))
    return seen


class Remote:
    """A file behind a server, and what each step with it costs."""

    def __init__(self, serve, path, **options):
        path = Path(path)
        self.path = path
        self.server = serve(path.parent, latency="20ms")
        self.file = None
        self.options = options

    def open(self):
        self.file = open_file(self.server.url(self.path.name), **self.options)
        return self.file

    def cost(self, step):
        """The result of a step and its cost: requests, rounds and bytes."""
        rounds_before = self.client_rounds()
        self.server.reset()
        result = step()
        log = self.server.log()
        rounds = max(_server.rounds(log), self.client_rounds() - rounds_before)
        return result, Cost(len(log), rounds, sum(entry["bytes"] for entry in log), log)

    def client_rounds(self):
        return self.file.stats()["rounds"] if hasattr(self.file, "stats") else 0


class Cost:
    def __init__(self, requests, rounds, size, log):
        self.requests, self.rounds, self.bytes, self.log = requests, rounds, size, log

    def within(self, requests=None, rounds=None, size=None):
        """Whether no limit is passed; the text of what was spent if one is."""
        limits = ((self.requests, requests), (self.rounds, rounds), (self.bytes, size))
        assert all(limit is None or spent <= limit for spent, limit in limits), (
            f"{self.requests} requests, {self.rounds} rounds, {self.bytes:,} bytes; "
            f"allowed {requests}, {rounds}, {size}: {self.log}")


def same_tree(ours, path):
    with h5py.File(path, "r") as file:
        assert {name: comparable(facts) for name, facts in ours.items()} == {
            name: comparable(facts) for name, facts in walk(file).items()}


def comparable(facts):
    """What walk tells of an object, without the attributes that hold references."""
    *rest, attributes = facts if isinstance(facts, tuple) else (facts,)
    return rest, {name: str(value) for name, value in attributes.items() if not np.asarray(value).dtype.hasobject}


def same_values(ours, path, name, selection=()):
    with h5py.File(path, "r") as file:
        theirs = file[name][selection]
    assert ours.tobytes() == theirs.tobytes()


def stored_bytes(path, name):
    with h5py.File(path, "r") as file:
        dataset = file[name].id
        return sum(dataset.get_chunk_info(i).size for i in range(dataset.get_num_chunks()))


TREES = {"loop": walk, "tree": lambda file: file.tree() if hasattr(file, "tree") else walk(file)}


@pytest.fixture(params=TREES)
def tree(request):
    return TREES[request.param]


def open_and_list(remote, tree):
    seen, cost = remote.cost(lambda: tree(remote.open()))
    if isinstance(seen, dict):
        same_tree(seen, remote.path)
    return cost


def test_imerg_like_tree_and_dataset(serve, tree):
    remote = Remote(serve, shape("imerg_like"))
    open_and_list(remote, tree).within(requests=6, rounds=4, size=4_300_000)
    values, cost = remote.cost(lambda: remote.file["Grid/precipitation"][...])
    cost.within(requests=3)
    same_values(values, remote.path, "Grid/precipitation")


CMIP = {"cmip_bad_eg": (lambda: real_file("cmip_bad_eg.nc"), dict(requests=1, size=1_100_000), 3),
        "cmip_like": (lambda: shape("cmip_like"), dict(requests=3, size=2_200_000), 4)}


@pytest.mark.parametrize("name", CMIP)
def test_cmip_tree_and_one_time_step(serve, name, tree):
    path, budget, step_requests = CMIP[name]
    remote = Remote(serve, path())
    open_and_list(remote, tree).within(**budget)
    values, cost = remote.cost(lambda: remote.file["tas"][400])
    cost.within(requests=step_requests)
    same_values(values, remote.path, "tas", 400)


@pytest.mark.parametrize("name", CMIP)
def test_cmip_whole_variable(serve, name, tree):
    remote = Remote(serve, CMIP[name][0]())
    open_and_list(remote, tree)
    values, cost = remote.cost(lambda: remote.file["tas"][...])
    cost.within(requests=40, rounds=4, size=1.05 * stored_bytes(remote.path, "tas"))
    same_values(values, remote.path, "tas")


def test_one_name_of_a_large_group_is_found_without_listing_it(serve):
    """What is touched are blocks of 64 KiB; the cache may fetch more around each."""
    remote = Remote(serve, real_file("h5stat_newgrat.h5"), block_size=BLOCK, first_block=BLOCK)
    item, cost = remote.cost(lambda: remote.open()["GROUP17321"])
    assert len(item) == 0
    cost.within(requests=6, rounds=6, size=6 * (512 << 10))
    counters = remote.file.stats() if hasattr(remote.file, "stats") else {}
    assert counters.get("block_misses", 0) <= 6


def test_a_large_group_is_listed_for_the_bytes_of_its_file(serve):
    remote = Remote(serve, real_file("h5stat_newgrat.h5"))
    names, cost = remote.cost(lambda: list(remote.open()))
    assert len(names) == 35001
    cost.within(size=1.1 * remote.path.stat().st_size)
