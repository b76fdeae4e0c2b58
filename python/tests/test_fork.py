"""Handles in other processes: by fork, nested fork, spawn, and pickled. Right values, and no hang.

Each scenario runs in a process of its own (_fork_scenarios.py) with a time
limit: a Go runtime that is used after fork does not fail, it hangs.
"""
import subprocess
import sys
from pathlib import Path

import pytest

import make_selections
from _env import CACHE, MODULE

SCENARIOS = ["pool_by_fork", "pool_by_spawn", "nested_forks", "forks_while_threads_read", "pickled",
             "small_calls_in_a_child", "child_opens_its_own", "parent_goes_on"]


@pytest.mark.parametrize("remote", [False, True], ids=["disk", "http"])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_processes(scenario, remote, serve):
    if MODULE == "h5py" and (remote or scenario in ("pickled", "pool_by_spawn")):
        pytest.skip("h5py does not offer it")
    make_selections.make(str(CACHE / "threads"))
    path = CACHE / "threads" / "selections_large_latest.h5"
    place = serve(path.parent).url(path.name) if remote else str(path)
    script = Path(__file__).with_name("_fork_scenarios.py")
    done = subprocess.run([sys.executable, str(script), scenario, place], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stderr[-3000:]
