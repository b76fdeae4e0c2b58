"""The project's own range server (clawh5 serve), with what it counted and logged."""
import json
import subprocess
import urllib.request
from urllib.parse import quote

import pytest

from _env import CLI


class Server:
    """Serves a folder; options are the flags of clawh5 serve, as in latency="20ms", fail_every=5."""

    def __init__(self, folder, **options):
        if not CLI.exists():
            pytest.skip(f"no {CLI} (make build)")
        flags = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
        self.process = subprocess.Popen([str(CLI), "serve", str(folder), "--port=0", *flags],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        if " at " not in line:
            raise RuntimeError(f"clawh5 serve said {line!r}")
        self.address = line.rsplit(" at ", 1)[1].strip().rstrip("/")

    def url(self, name):
        return f"{self.address}/{quote(str(name))}"

    def _get(self, what):
        with urllib.request.urlopen(f"{self.address}/{what}", timeout=30) as answer:
            return answer.read()

    def reset(self):
        self._get("__reset")

    def stats(self):
        return json.loads(self._get("__stats"))

    def log(self):
        """One entry a request: at_ms, ms, range, status, bytes."""
        return json.loads(self._get("__log")) or []

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def rounds(log):
    """Dependent rounds: the longest chain of requests of which each began after the one before had ended."""
    count, end = 0, float("-inf")
    for entry in sorted(log, key=lambda e: e["at_ms"] + e["ms"]):
        if entry["at_ms"] >= end:
            count += 1
            end = entry["at_ms"] + entry["ms"]
    return count
