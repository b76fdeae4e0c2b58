"""One open file: its handle, how to open it again, and what is known of it."""

import ctypes
import json
import os
import warnings
import weakref

from . import _errors, _ffi
from ._calls import Operation, check, handle, interruptible, scratch, text
from ._describe import Catalogue
from ._lib import load, state

_U64 = ("block_size", "first_block", "cache_bytes", "chunk_cache_bytes", "memory_budget", "max_download",
        "virtual_printf_gap", "revision")
_U32 = ("max_requests", "max_retries", "timeout_ms", "workers", "max_chunk_mib", "virtual_view")
OPTION_NAMES = frozenset(_U64 + _U32 + ("flags", "headers", "driver"))


class Handle:
    """A handle of the library, closed when the last reference to it is gone.

    A handle of the library that a forked child inherited is forgotten, not
    closed: it is the parent's.
    """

    __slots__ = ("id", "generation", "__weakref__")

    def __init__(self, id_):
        self.id = id_
        self.generation = state.generation

    def close(self):
        id_, self.id = self.id, 0
        if id_ and self.generation == state.generation and not state.exiting:
            load().clawh5_close(id_, None)

    def __del__(self):
        # At interpreter shutdown the modules may be gone already.
        if self.id and state is not None and state.functions is not None:
            self.close()


def _options(options, identity):
    struct = _ffi.OpenOptions(struct_size=ctypes.sizeof(_ffi.OpenOptions))
    for name in _U64 + _U32:
        setattr(struct, name, options.get(name, 0))
    struct.flags = options.get("flags", 0)
    headers = options.get("headers")
    if headers:
        lines = [f"{key}: {value}".encode() for key, value in headers]
        struct.headers = (ctypes.c_char_p * (len(lines) + 1))(*lines, None)
    if options.get("driver"):
        struct.driver = options["driver"].encode()
    if identity:
        struct.expect_identity = identity.encode("utf-8", "surrogateescape")
    return struct


def is_remote(location):
    """Tell whether a location is on a server."""
    return "://" in location and not location.startswith("file://")


class Connection:
    """An open file, shared by all objects of it.

    Parameters
    ----------
    location : str or None
        A path or URL; None for a file in memory.
    image : bytes or None
        The file in memory; kept, so that forked children can open it again.
    options : dict
        Members of clawh5_open_options.
    identity : str, optional
        Refuse the file unless it has this identity.
    """

    def __init__(self, location, image, options, identity=None, filename=None):
        self.location, self.image, self.options = location, image, options
        self.filename = filename
        self.remote = location is not None and is_remote(location)
        self._begin(self._open(identity))

    def _begin(self, file, info=None):
        self.closed = False
        self.catalogue = Catalogue()
        self._handles = weakref.WeakSet()
        self._linked = {}
        self._file = file
        self.info = info or json.loads(text("clawh5_file_info", file.id))
        for told in self.info.get("warnings", ()):
            warnings.warn(f"{self.filename or self.info['location']}: {told}", _errors.FileWarning, stacklevel=4)
        self.identity = self.info["identity"]
        self.key = (self.location or id(self.image), self.identity)

    def owner(self, opened):
        """Return the Connection of the file that an object lies in: another one behind external links.

        Parameters
        ----------
        opened : Handle
            Of an object found from here.
        """
        file = Handle(handle("clawh5_object_file", opened.id))
        info = json.loads(text("clawh5_file_info", file.id))
        location = info["location"]
        if location == self.info["location"]:
            return self
        with state.lock:
            other = self._linked.get(location)
            if other is None or other.closed:
                other = self._linked[location] = object.__new__(Connection)
                other.location, other.image, other.options, other.filename = location, None, self.options, location
                other.remote = self.remote
                other._begin(file, info)
        return other

    def _open(self, identity):
        options = _options(self.options, identity)
        if self.location is None:
            return Handle(handle("clawh5_open_memory", self.image, len(self.image), options))
        location = self.location.encode("utf-8", "surrogateescape")
        if self.remote:
            with Operation("clawh5_open_start", location, options, opening=True) as op:
                op.wait()
                return Handle(op.result()[0])
        err, out = _ffi.Error(), _ffi.Id()
        check(load().clawh5_open(location, options, out, err), err, opening=True)
        return Handle(out.value)

    def file(self):
        """Return the live Handle of the file, reopened in a forked child."""
        if self.closed:
            raise ValueError("the file is closed")
        current = self._file
        if current.generation != state.generation:
            with state.lock:
                if self._file.generation != state.generation:
                    self._file = self._open(None if self.image is not None else self.identity)
                current = self._file
        return current

    def object(self, description):
        """Return a live Handle of an object, opened or reopened where needed."""
        current = description.handle
        if current is not None and current.generation == state.generation and current.id:
            return current
        opened = interruptible(self.remote, handle, "clawh5_object_open_address", self.file().id, description.address)
        return self.adopt(description, Handle(opened))

    def adopt(self, description, new):
        """Make ``new`` the handle of an object unless another thread was first."""
        with state.lock:
            current = description.handle
            if current is not None and current.generation == state.generation and current.id:
                return current
            description.handle = new
            self._handles.add(new)
        return new

    def describe(self, loc, path, flags):
        """Describe an object and what ``flags`` asks for; one round for what can be one.

        Parameters
        ----------
        loc : Handle
        path : bytes
            Below loc.

        Returns
        -------
        Handle, str
            Of the object; and the JSON text.
        """
        flags |= _ffi.DESCRIBE_CREATION_ORDER
        many = flags & (_ffi.DESCRIBE_LINKS | _ffi.DESCRIBE_CHILDREN | _ffi.DESCRIBE_TREE | _ffi.DESCRIBE_VALUES)
        if self.remote or many:
            with Operation("clawh5_describe_start", loc.id, path, flags) as op:
                op.wait()
                id_, size = op.result()
                return Handle(id_), op.copy(size)
        return self._describe_small(loc, path, flags)

    @staticmethod
    def _describe_small(loc, path, flags):
        memory, size = scratch(), ctypes.c_size_t()
        err, out = _ffi.Error(), _ffi.Id()
        status = load().clawh5_object_describe(
            loc.id, path, flags, out, ctypes.addressof(memory), len(memory), size, err)
        if status == _ffi.OK:
            return Handle(out.value), ctypes.string_at(memory, size.value)
        if status != _ffi.E_SPACE:
            raise _errors.make(status, err)
        opened = Handle(out.value)
        return opened, text("clawh5_describe", opened.id, b"", flags)

    def text(self, name, *arguments):
        """Call a function that fills a text."""
        return interruptible(self.remote, text, name, *arguments)

    def close(self):
        """Close the file and all its objects. Closing twice is fine."""
        if self.closed:
            return
        self.closed = True
        for opened in list(self._handles):
            opened.close()
        self._file.close()
        for other in list(self._linked.values()):
            other.close()

    def __reduce__(self):
        if self.closed:
            raise ValueError("a closed file cannot be pickled")
        return reopen, (self.location, self.image, self.options, self.identity, self.filename)


_reopened = weakref.WeakValueDictionary()


def reopen(location, image, options, identity, filename):
    """Open what was pickled; CLAWH5_E_CHANGED if it is another file now.

    Files on disks and servers are opened once a process, however many of their
    objects are unpickled one by one.
    """
    if image is not None:
        return Connection(location, image, options, None, filename)
    key = (location, identity, repr(sorted(options.items())), state.generation)
    known = _reopened.get(key)
    if known is None or known.closed:
        known = _reopened[key] = Connection(location, image, options, identity, filename)
    return known


def encode(name):
    """Return a path or name as the library takes it.

    Raises
    ------
    TypeError
        Neither str nor bytes.
    ValueError
        It holds a NUL.
    """
    if isinstance(name, str):
        name = name.encode("utf-8", "surrogateescape")
    elif not isinstance(name, bytes):
        raise TypeError(f"A name should be string or bytes, not {type(name)}")
    if b"\0" in name:
        raise ValueError("embedded null byte")
    return name


def decode(name):
    """Return a name as h5py gives it: str, or bytes where it is not UTF-8."""
    if name.isascii():
        return name
    try:
        name.encode("utf-8")
        return name
    except UnicodeEncodeError:
        return name.encode("utf-8", "surrogateescape")


def absolute(path):
    """Return a location that stays right when the working directory changes."""
    if "://" in path:
        return path
    return os.path.abspath(path)
