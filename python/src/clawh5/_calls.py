"""Calls of the library that may take long, and calls that fill a text.

Whatever may wait on a server runs as a started operation or on a helper
thread, and is looked at every 100 ms, so that Ctrl-C acts.
"""

import ctypes
import threading

from . import _errors, _ffi
from ._lib import load, state

POLL_MS = 100
_FIRST_TEXT = 16 << 10


def check(status, err, opening=False):
    """Raise the exception of a status that is not OK."""
    if status != _ffi.OK:
        raise _errors.make(status, err, opening=opening)


class Operation:
    """A started operation: wait, take the result, free. Use as a context.

    Parameters
    ----------
    start : str
        Name of the function that starts it.
    arguments
        Of that function, up to the operation.
    keep : object, optional
        What owns the destination. It lives until the library does not write
        to it any more, wherever an exception strikes.
    opening : bool
        A file is being opened.
    """

    def __init__(self, start, *arguments, keep=None, opening=False):
        self._lib = load()
        self._err = _ffi.Error()
        self._opening = opening
        self._keep = keep
        self._op = _ffi.Id()
        check(getattr(self._lib, start)(*arguments, self._op, self._err), self._err, opening)

    @property
    def _id(self):
        return self._op.value

    def free(self):
        """Cancel it if it has not ended; its destination is the caller's again afterwards."""
        id_, self._op.value = self._op.value, 0
        if id_:
            self._lib.clawh5_op_free(id_, None)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.free()

    def __del__(self):
        # In a forked child the operation is the parent's.
        if self._op.value and state is not None and self._lib is state.functions:
            self.free()

    def wait(self, progress=None):
        """Wait until it has ended.

        Parameters
        ----------
        progress : callable, optional
            Called as ``progress(bytes_done, bytes_total)`` every 100 ms and at the end.
        """
        done = ctypes.c_int32()
        while not done.value:
            check(self._lib.clawh5_op_wait(self._id, POLL_MS, done, self._err), self._err, self._opening)
            if progress is not None:
                progress(*self._progress())

    def _progress(self):
        done, total = ctypes.c_uint64(), ctypes.c_uint64()
        check(self._lib.clawh5_op_progress(self._id, done, total, self._err), self._err)
        return done.value, total.value

    def result(self):
        """Return the handle the operation made (0 if none) and the bytes of its text or heap."""
        handle, size = _ffi.Id(), ctypes.c_size_t()
        check(self._lib.clawh5_op_result(self._id, handle, size, self._err), self._err)
        return handle.value, size.value

    def copy(self, size):
        """Return the text or heap as bytes."""
        if size == 0:
            return b""
        buffer = (ctypes.c_char * size)()
        check(self._lib.clawh5_op_copy(self._id, ctypes.addressof(buffer), size, self._err), self._err)
        return buffer.raw


class _Buffer(threading.local):
    def __init__(self):
        self.memory = (ctypes.c_char * _FIRST_TEXT)()


_buffer = _Buffer()


def scratch():
    """Return this thread's text buffer, good until the next call that fills a text."""
    return _buffer.memory


def text(name, *arguments):
    """Call a function that fills a text; return the text as bytes."""
    function, err, size = getattr(load(), name), _ffi.Error(), ctypes.c_size_t()
    memory = scratch()
    while True:
        status = function(*arguments, ctypes.addressof(memory), len(memory), size, err)
        if status == _ffi.OK:
            return ctypes.string_at(memory, size.value)
        if status != _ffi.E_SPACE or size.value < len(memory):
            raise _errors.make(status, err)
        memory = (ctypes.c_char * (size.value + 1))()


def handle(name, *arguments):
    """Call a function that makes a handle; return it."""
    err, out = _ffi.Error(), _ffi.Id()
    check(getattr(load(), name)(*arguments, out, err), err)
    return out.value


def interruptible(remote, function, *arguments):
    """Call a function; if it may wait on a server, on a thread of its own.

    After KeyboardInterrupt the call goes on in the background until the store
    times out; its result is dropped.
    """
    if not remote or threading.current_thread() is not threading.main_thread():
        return function(*arguments)
    outcome = []

    def run():
        try:
            outcome.append((function(*arguments), None))
        except BaseException as exc:  # handed to the caller below
            outcome.append((None, exc))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(POLL_MS / 1000)
    result, exc = outcome[0]
    if exc is not None:
        raise exc
    return result
