"""What test_fork.py runs: _fork_scenarios.py SCENARIO LOCATION prints "right" if every process read the right values."""
import multiprocessing
import os
import pickle
import signal
import sys
import threading

import numpy as np

from _env import open_file

WHOLE = np.arange(200 * 61, dtype="<i4").reshape(200, 61)
NAMES = ("fixed", "tree", "extensible_raw")

file = None  # opened and used in the parent, inherited by forked children


def use(handle, first=0):
    """Read through a handle and check; also lists, so that more than one kind of call is made."""
    for number, name in enumerate(NAMES):
        rows = slice(first + number, 200 - number, 3)
        np.testing.assert_array_equal(handle[name][rows], WHOLE[rows])
    assert set(NAMES) <= set(handle)
    return True


def use_inherited(first):
    return use(file, first)


def in_child(function):
    """Fork; True if the child ran the function without an exception within a minute."""
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        try:
            function()
            os._exit(0)
        except BaseException as error:
            print(f"child: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def pool_by_fork():
    with multiprocessing.get_context("fork").Pool(4) as pool:
        return all(pool.map_async(use_inherited, range(16)).get(60))


def pool_by_spawn():
    dataset = file["tree"]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        return all(pool.map_async(use, [file] * 4).get(60)) and all(
            np.array_equal(got, WHOLE[3]) for got in pool.starmap_async(_row, [(dataset, 3)] * 4).get(60))


def _row(dataset, row):
    return dataset[row]


def nested_forks():
    def child():
        use(file)
        assert in_child(lambda: (use(file), in_child(lambda: use(file)) or os._exit(3)))
        use(file)

    return in_child(child)


def forks_while_threads_read():
    stop = threading.Event()

    def read():
        while not stop.is_set():
            use(file)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        return all(in_child(lambda: use(file)) for _ in range(8))
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def pickled():
    again = pickle.loads(pickle.dumps(file))
    dataset = pickle.loads(pickle.dumps(file["fixed"]))
    group = pickle.loads(pickle.dumps(file["/"]))
    return use(again) and use(group) and np.array_equal(dataset[5:9], WHOLE[5:9])


def small_calls_in_a_child():
    dataset = file["fixed"]

    def child():
        assert dataset.shape == (200, 61) and dataset.attrs.keys() is not None and len(file) >= 6
        np.testing.assert_array_equal(dataset[7, 3:5], WHOLE[7, 3:5])
        file.close()

    return in_child(child)


def child_opens_its_own():
    def child():
        with open_file(sys.argv[2]) as own:
            use(own)

    return in_child(child)


def parent_goes_on():
    return all(in_child(lambda: use(file)) and use(file) for _ in range(4))


def main():
    global file
    signal.alarm(110)
    file = open_file(sys.argv[2])
    use(file)
    print("right" if globals()[sys.argv[1]]() else "wrong")


if __name__ == "__main__":
    main()
