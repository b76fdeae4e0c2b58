"""Find and load the shared library; give a forked child a copy of its own.

``load()`` returns a namespace with one attribute per function of the header.
``state.generation`` changes in a forked child: handles made before are then
of a library that the child cannot use, and are reopened where they are used.
"""

import atexit
import ctypes
import os
import shutil
import sys
import tempfile
import threading
from types import SimpleNamespace

from . import _ffi

_NAME = "libclawh5.so"


class _State:
    """What every entry looks at. One instance, never replaced."""

    __slots__ = ("functions", "generation", "lock", "loaded_path", "exiting")

    def __init__(self):
        self.functions = None
        self.generation = 0
        self.lock = threading.RLock()
        self.loaded_path = None
        self.exiting = False


state = _State()


def candidates():
    """Paths where the library may lie, in the order they are tried."""
    chosen = os.environ.get("CLAWH5_LIBRARY")
    if chosen:
        return [chosen]
    here = os.path.dirname(os.path.abspath(__file__))
    tree = os.path.dirname(os.path.dirname(os.path.dirname(here)))
    return [os.path.join(here, "lib", _NAME), os.path.join(tree, "build", _NAME)]


def find():
    """Return the path of the library.

    Raises
    ------
    ImportError
        No candidate exists; the message lists them.
    """
    paths = candidates()
    for path in paths:
        if os.path.exists(path):
            return path
    raise ImportError(
        "the clawh5 library was not found; looked at " + ", ".join(paths)
        + ". Set CLAWH5_LIBRARY to its path, or build it with `make build`."
    )


def _bind(library):
    version = library.clawh5_abi_version
    version.restype, version.argtypes = _ffi.SIGNATURES["clawh5_abi_version"]
    found = version()
    if found != _ffi.ABI_VERSION:
        raise ImportError(f"{library._name} has ABI {found}, this package needs {_ffi.ABI_VERSION}")
    functions = SimpleNamespace(library=library)
    for name, (restype, argtypes) in _ffi.SIGNATURES.items():
        function = library[name]
        function.restype, function.argtypes = restype, argtypes
        setattr(functions, name, function)
    functions.fast_read_slab = library["clawh5_read_slab"]
    functions.fast_read_slab.restype, functions.fast_read_slab.argtypes = _ffi.FAST_READ_SLAB
    return functions


def _private_copy(path):
    """Load a second, independent copy of the library.

    The loader tells libraries apart by inode and by name: a file in memory has
    a new inode, and its descriptor stays open so that a child of this child
    gets another number and with it another name.
    """
    if hasattr(os, "memfd_create"):
        fd = os.memfd_create("clawh5")
        with open(path, "rb") as source, open(fd, "wb", closefd=False) as target:
            shutil.copyfileobj(source, target, 1 << 20)
        return ctypes.CDLL(f"/proc/self/fd/{fd}")
    folder = tempfile.mkdtemp(prefix="clawh5-")
    try:
        copy = os.path.join(folder, f"{os.getpid()}-{_NAME}")
        shutil.copyfile(path, copy)
        return ctypes.CDLL(copy)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def load():
    """Return the functions of the library, loading it on first use."""
    functions = state.functions
    if functions is None:
        with state.lock:
            if state.functions is None:
                if state.generation == 0:
                    path = find()
                    state.functions = _bind(ctypes.CDLL(path))
                    state.loaded_path = path
                else:
                    path = state.loaded_path or find()
                    state.functions = _bind(_private_copy(path))
            functions = state.functions
    return functions


def _after_fork_in_child():
    # The lock may be held by a thread that does not exist here.
    state.lock = threading.RLock()
    if state.functions is not None:
        state.functions = None
        state.generation += 1


def _at_exit():
    state.exiting = True


if sys.platform != "win32":
    os.register_at_fork(after_in_child=_after_fork_in_child)
atexit.register(_at_exit)
