"""One handle used by many threads, and the time that Ctrl-C takes."""
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import make_selections
from _env import CACHE, MODULE, open_file, shape

THREADS = 16
SLICES = 60


@pytest.fixture(scope="module")
def path():
    make_selections.make(str(CACHE / "threads"))
    return CACHE / "threads" / "selections_large_latest.h5"


def random_slices(seed, count):
    rng = random.Random(seed)
    for _ in range(count):
        rows, columns = sorted(rng.sample(range(201), 2)), sorted(rng.sample(range(62), 2))
        yield rng.choice(["fixed", "extensible", "tree", "fixed_raw", "tree_raw"]), np.s_[
            rows[0]:rows[1]:rng.randint(1, 3), columns[0]:columns[1]]


def in_threads(count, function):
    """Run function(number) in count threads at once; the exceptions they raised."""
    errors, start = [], threading.Barrier(count)

    def run(number):
        try:
            start.wait()
            function(number)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads), "threads hang"
    return errors


@pytest.mark.parametrize("remote", [False, True], ids=["disk", "http"])
def test_threads_read_random_slices_from_one_handle(path, remote, serve):
    whole = np.arange(200 * 61, dtype="<i4").reshape(200, 61)
    place = serve(path.parent).url(path.name) if remote else path
    with open_file(place, **({} if MODULE == "h5py" else {"chunk_cache_bytes": 4096})) as file:
        def read(number):
            for name, index in random_slices(number, SLICES):
                np.testing.assert_array_equal(file[name][index], whole[index])

        assert not in_threads(THREADS, read)


def test_threads_list_and_describe_from_one_handle(path):
    with open_file(path) as file:
        def look(number):
            for _ in range(20):
                assert {name: file[name].shape for name in file} == dict.fromkeys(file, (200, 61))

        assert not in_threads(THREADS, look)


def test_closing_while_threads_read_is_an_error_and_no_crash(path):
    if MODULE == "h5py":
        pytest.skip("libhdf5 makes closing wait")
    file = open_file(path)
    dataset = file["tree"]
    reading = threading.Semaphore(0)

    def read(number):
        try:
            for _ in range(500):
                dataset[...]
                reading.release()
        except (ValueError, OSError, RuntimeError, KeyError):
            reading.release()

    threads = [threading.Thread(target=read, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(8):
        reading.acquire()
    file.close()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)


INTERRUPTED = """
import sys, time
sys.path.insert(0, {tests!r})
from _env import open_file
file = open_file({url!r}, max_requests=1)
print("reading", flush=True)
try:
    {action}
    print("finished", flush=True)
except KeyboardInterrupt:
    print("interrupted %.6f" % time.time(), flush=True)
"""


@pytest.mark.parametrize("action", ["file['tas'][...]", "file.visititems(lambda name, item: None)"])
def test_ctrl_c_ends_a_slow_reading_soon(action, serve):
    if MODULE == "h5py":
        pytest.skip("h5py over fsspec is not what is tested")
    path = Path(shape("cmip_like"))
    server = serve(path.parent, bandwidth="2MB") if "tas" in action else serve(path.parent, latency="700ms")
    code = INTERRUPTED.format(tests=str(Path(__file__).parent), url=server.url(path.name), action=action)
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "reading\n"
        time.sleep(0.5)
        sent = time.time()
        process.send_signal(signal.SIGINT)
        word, _, when = process.stdout.readline().partition(" ")
        assert word == "interrupted", word
        # 200 ms are promised; the rest is for a busy machine to start a thread.
        assert float(when) - sent < 0.7
        assert process.wait(10) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
