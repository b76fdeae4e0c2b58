"""Worker processes that survive nothing and are replaced.

A worker (see _worker.py) answers one job at a time over its pipes. A job that
kills its worker, takes longer than its deadline, or grows beyond the memory
limit gives Died, TimedOut or TooBig, and the next job gets a fresh worker.
"""
import os
import pickle
import queue
import select
import struct
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent


class WorkerError(Exception):
    pass


class Died(WorkerError):
    pass


class TimedOut(WorkerError):
    pass


class TooBig(WorkerError):
    pass


class JobFailed(WorkerError):
    """The job function itself raised; the text is its traceback."""


@dataclass
class Limits:
    seconds: float = 120
    rss: int = 8 << 30


class Worker:
    def __init__(self, env=None):
        self.process = subprocess.Popen(
            [sys.executable, "-X", "faulthandler", str(HERE / "_worker.py")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, **(env or {})})
        self.stderr = b""
        os.set_blocking(self.process.stderr.fileno(), False)

    def ask(self, job, limits):
        frame = pickle.dumps(job)
        try:
            self.process.stdin.write(struct.pack("<Q", len(frame)) + frame)
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Died(self.death()) from None
        deadline = time.monotonic() + limits.seconds
        size, = struct.unpack("<Q", self._read(8, deadline, limits))
        ok, result = pickle.loads(self._read(size, deadline, limits))
        if not ok:
            raise JobFailed(result)
        return result

    def _read(self, size, deadline, limits):
        data = bytearray()
        out = self.process.stdout.fileno()
        while len(data) < size:
            ready, _, _ = select.select([out], [], [], 0.1)
            if ready:
                part = os.read(out, min(size - len(data), 1 << 20))
                if not part:
                    raise Died(self.death())
                data += part
                continue
            self.drain()
            if time.monotonic() > deadline:
                self.kill()
                raise TimedOut(f"no answer within {limits.seconds} s")
            if self.rss() > limits.rss:
                self.kill()
                raise TooBig(f"more than {limits.rss >> 20} MiB")
        return bytes(data)

    def rss(self):
        try:
            fields = Path(f"/proc/{self.process.pid}/statm").read_text().split()
            return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, IndexError):
            return 0

    def drain(self):
        """Keep the end of what the worker says on stderr, so that it never blocks on it."""
        try:
            while part := os.read(self.process.stderr.fileno(), 1 << 16):
                self.stderr = (self.stderr + part)[-1 << 16:]
        except BlockingIOError:
            pass

    def death(self):
        try:
            code = self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.kill()
            code = "alive, but silent"
        self.drain()
        return f"status {code}: {self.stderr[:2000].decode(errors='replace')}"

    def kill(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.kill()
        for stream in (self.process.stdout, self.process.stderr):
            stream.close()


def run(jobs, count=2, limits=Limits(), env=None, retry_deaths=False):
    """The results of all jobs, in their order; a WorkerError stands for a job that failed.

    retry_deaths gives a job that killed a used worker a second chance in a
    fresh one: what an earlier job left behind may have been the cause.
    """
    results = [None] * len(jobs)
    todo = queue.SimpleQueue()
    for numbered in enumerate(jobs):
        todo.put(numbered)

    def serve():
        worker, fresh = None, True
        while True:
            try:
                index, job = todo.get_nowait()
            except queue.Empty:
                break
            while True:
                if worker is None:
                    worker, fresh = Worker(env), True
                try:
                    results[index] = worker.ask(job, limits)
                except JobFailed as error:
                    results[index] = error
                except WorkerError as error:
                    worker.close()
                    worker = None
                    if retry_deaths and isinstance(error, Died) and not fresh:
                        continue
                    results[index] = error
                fresh = False
                break
        if worker:
            worker.close()

    threads = [threading.Thread(target=serve) for _ in range(max(1, min(count, len(jobs))))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results
