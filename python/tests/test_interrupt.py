"""Ctrl-C ends whatever waits on a server."""

import http.server
import os
import signal
import threading
import time

import h5py
import numpy as np
import pytest

import clawh5

STALL = 30  # seconds the server holds back; no test may take that long


class Stalling(http.server.BaseHTTPRequestHandler):
    """Serves byte ranges of one content; holds back those that begin after ``server.stall_after``."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        first, _, last = self.headers["Range"].removeprefix("bytes=").partition("-")
        content = self.server.content
        first = int(first)
        body = content[first:min(len(content), int(last or len(content)) + 1)]
        if first >= self.server.stall_after:
            self.server.reached.set()
            self.server.release.wait(STALL)
        try:
            self.send_response(206)
            self.send_header("ETag", '"1"')
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Content-Range", f"bytes {first}-{first + len(body) - 1}/{len(content)}")
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            pass

    def log_message(self, *args):
        pass


@pytest.fixture
def server(tmp_path):
    path = tmp_path / "i.h5"
    with h5py.File(path, "w", libver="latest") as f:
        f["d"] = np.zeros(8 << 20, "u1")
        f["late"] = np.zeros(100)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Stalling)
    server.daemon_threads = True
    server.content, server.stall_after = path.read_bytes(), 1 << 60
    server.reached, server.release = threading.Event(), threading.Event()
    server.url = f"http://127.0.0.1:{server.server_port}/i.h5"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.release.set()
    server.shutdown()


def interrupted(server, use):
    """Run ``use``, press Ctrl-C once the server holds back; return the seconds until it acted."""
    pressed = []

    def press():
        if server.reached.wait(STALL):
            time.sleep(0.05)
            pressed.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=press)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        use()
        thread.join()
    took = time.monotonic() - pressed[0]
    thread.join()
    print(f"Ctrl-C acted after {took * 1000:.0f} ms")
    return took


def test_ctrl_c_ends_opening(server):
    server.stall_after = 0
    assert interrupted(server, lambda: clawh5.File(server.url)) < STALL / 2


def test_ctrl_c_ends_reading_and_the_file_stays_usable(server):
    with clawh5.File(server.url, first_block=64 << 10, block_size=64 << 10) as f:
        d = f["d"]
        server.stall_after = 1 << 20
        assert interrupted(server, lambda: d[:]) < STALL / 2
        server.stall_after = 1 << 60
        server.release.set()
        assert not d[:].any()


def test_ctrl_c_ends_describing(server):
    with clawh5.File(server.url, first_block=4 << 10, block_size=4 << 10) as f:
        server.stall_after = 4 << 10
        try:
            assert interrupted(server, lambda: [f["late"], f["d"], f["late"][:], f["d"][:]]) < STALL / 2
        finally:
            server.release.set()
