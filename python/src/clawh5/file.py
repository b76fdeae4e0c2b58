"""Files."""

import io
import itertools
import json
import os

from . import _ffi
from ._calls import text
from ._connection import Connection, absolute, is_remote
from .group import Group, root_description

_SIGNATURE = b"\x89HDF\r\n\x1a\n"
_IGNORED = frozenset({  # of h5py's options, those that mean nothing here
    "libver", "userblock_size", "swmr", "rdcc_nslots", "rdcc_w0", "track_order", "fs_strategy", "fs_persist",
    "fs_threshold", "fs_page_size", "page_buf_size", "min_meta_keep", "min_raw_keep", "locking",
    "alignment_threshold", "alignment_interval", "meta_block_size", "track_times",
})
_SEVERAL = ("family", "split", "multi", "onion")
_NEWEST = 2**64 - 1
_DRIVERS = (None, "sec2", "stdio", "core", "fileobj", "ros3", "windows", *_SEVERAL)
_DRIVER_OPTIONS = {"core": {"backing_store"}, "family": {"memb_size"}, "split": {"meta_ext", "raw_ext"}, "onion": {"revision"}}
_EXTERNAL = {None: 0, True: 0, False: _ffi.OPEN_NO_EXTERNAL, "anywhere": _ffi.OPEN_EXTERNAL_ANYWHERE}
_VIEWS = {None: 0, "last-available": _ffi.VIEW_LAST_AVAILABLE, "first-missing": _ffi.VIEW_FIRST_MISSING}
_numbers = itertools.count()


def _is_image(data):
    """Tell whether bytes hold an HDF5 signature where one may lie."""
    at = 0
    while at + len(_SIGNATURE) <= len(data):
        if bytes(data[at:at + len(_SIGNATURE)]) == _SIGNATURE:
            return True
        at = at * 2 or 512
    return False


def _source(name):
    """Return (location, image, filename) for what File was given."""
    if hasattr(name, "read") and hasattr(name, "seek"):
        name.seek(0)
        return None, bytes(name.read()), repr(name)
    if isinstance(name, (bytearray, memoryview)) or isinstance(name, bytes) and _is_image(name):
        return None, bytes(name), f"memory-{next(_numbers)}"
    path = os.fspath(name)
    if isinstance(path, bytes):
        path = os.fsdecode(path)
    return absolute(path), None, path


def _split_location(location, extension):
    """Return the name of the metadata file of the split driver, whose extension may be a pattern."""
    if isinstance(extension, bytes):
        extension = os.fsdecode(extension)
    return extension.replace("%s", location) if "%s" in extension else location + extension


def _headers(storage_options):
    options = dict(storage_options or {})
    headers = options.pop("headers", {})
    if options:
        raise TypeError(f"unknown storage_options: {', '.join(sorted(options))}; known: headers")
    return tuple(headers.items())


class File(Group):
    """An HDF5 file, open for reading; its root group.

    Parameters
    ----------
    name : str, os.PathLike, bytes, or file-like object
        A path, an ``http(s)://`` or ``file://`` URL, the content of a file
        (bytes, bytearray, memoryview), or an object with ``read`` and
        ``seek``, which is read into memory.
    mode : {'r'}
        Files are not written.
    driver : {'family', 'split', 'multi', 'sec2', ...}, optional
        How the file lies in files, which is found out without it. 'family':
        ``name`` may be a printf pattern (``x%d.h5``); 'split', 'multi': what
        the names begin with. 'onion': a ``revision`` (int; the newest one
        without it) of a file with an ``.onion`` file beside it. 'sec2': one
        file, whatever it says. Other drivers of h5py mean nothing here.
    storage_options : dict, optional
        ``{'headers': {name: value}}``: sent with every HTTP request.
    block_size, first_block : int, optional
        Bytes of a block of metadata fetched from a server (64 KiB), and of
        the first one.
    cache_bytes, chunk_cache_bytes, memory_budget : int, optional
        Bytes of the cache of blocks, of the cache of decoded chunks, and that
        one read may use beyond its result (64 MiB each).
    max_requests, max_retries : int, optional
        Requests under way at once (16); retries of one (5).
    timeout : float, optional
        Seconds for one request with its retries (60).
    workers : int, optional
        Threads that decode (one a core).
    max_chunk_mib : int, optional
        Largest decoded chunk, MiB (4,096).
    allow_full_download : bool or int, optional
        Download whole files from servers without byte ranges; an int is the
        largest size in bytes (1 GiB).
    external_links : bool or {'anywhere'}, optional
        Open other files that this one leads to, by external links, as sources
        of virtual datasets, or as external raw files: those in its directory
        or below (True, the default), anywhere on the same host, or none.
    virtual_view : {'last-available', 'first-missing'}, optional
        Whether a virtual dataset with an unlimited dimension goes to the end
        of its longest source (default) or to where the first one ends
        (H5Pset_virtual_view).
    virtual_printf_gap : int, optional
        Missing sources in a row that do not end such a dataset whose sources
        are numbered (H5Pset_virtual_printf_gap); 0 by default.

    Other options of h5py.File are accepted and mean nothing here.

    Raises
    ------
    FileNotFoundError, PermissionError
    FileFormatError
        The file is not HDF5 or is damaged (an OSError).
    io.UnsupportedOperation
        A mode other than 'r'.

    Warns
    -----
    FileWarning
        The program that wrote the file did not close it, or a part of it is
        missing: it is read as far as it goes.
    """

    __slots__ = ()

    def __init__(self, name, mode="r", driver=None, *, storage_options=None, block_size=None, first_block=None,
                 cache_bytes=None, chunk_cache_bytes=None, rdcc_nbytes=None, memory_budget=None, max_requests=None,
                 max_retries=None, timeout=None, workers=None, max_chunk_mib=None, allow_full_download=False,
                 external_links=None, virtual_view=None, virtual_printf_gap=0, **ignored):
        if mode not in (None, "r"):
            raise io.UnsupportedOperation(f"clawh5 reads files; it does not write them (mode {mode!r})")
        if driver not in _DRIVERS:
            raise ValueError(f"Unknown driver type {driver!r}")
        unknown = ignored.keys() - _IGNORED - _DRIVER_OPTIONS.get(driver, set())
        if unknown:
            raise TypeError(f"File() got unexpected options: {', '.join(sorted(unknown))}")
        flags = _EXTERNAL[external_links]
        if allow_full_download:
            flags |= _ffi.OPEN_FULL_DOWNLOAD
        limit = allow_full_download if allow_full_download is not True else None
        options = {
            "block_size": block_size, "first_block": first_block, "cache_bytes": cache_bytes,
            "chunk_cache_bytes": chunk_cache_bytes or rdcc_nbytes, "memory_budget": memory_budget,
            "max_requests": max_requests, "max_retries": max_retries, "workers": workers,
            "timeout_ms": None if timeout is None else max(1, round(timeout * 1000)),
            "max_chunk_mib": max_chunk_mib, "virtual_view": _VIEWS[virtual_view],
            "virtual_printf_gap": virtual_printf_gap, "flags": flags, "max_download": limit or None,
            "headers": _headers(storage_options), "driver": driver if driver in ("sec2", "stdio", *_SEVERAL) else None,
        }
        if driver == "onion":
            revision = ignored.get("revision")
            options["revision"] = _NEWEST if revision is None else revision
        location, image, filename = _source(name)
        if driver == "split" and "meta_ext" in ignored:
            location = _split_location(location, ignored["meta_ext"])
        conn = Connection(location, image, {k: v for k, v in options.items() if v}, filename=filename)
        super().__init__(conn, root_description(conn), "/")

    @classmethod
    def _of(cls, conn):
        """Return a File for an open Connection."""
        self = object.__new__(cls)
        Group.__init__(self, conn, root_description(conn), "/")
        return self

    @classmethod
    def in_memory(cls, file_image, **options):
        """Open the content of a file (bytes)."""
        return cls(io.BytesIO(file_image), **options)

    @property
    def filename(self):
        """The path or URL as it was given (str)."""
        return self._conn.filename

    @property
    def mode(self):
        """'r'."""
        return "r"

    @property
    def driver(self):
        """How the file is reached: 'http', 'core' (memory), 'sec2' (disk), or the driver that was asked for."""
        if self._conn.location is None:
            return "core"
        if is_remote(self._conn.location):
            return "http"
        return self._conn.options.get("driver") or "sec2"

    @property
    def userblock_size(self):
        """Bytes before the HDF5 data."""
        return self._conn.info["superblock"]["base"]

    @property
    def swmr_mode(self):
        """False: a file is read as it was when it was opened."""
        return False

    @property
    def size(self):
        """Bytes of the file."""
        return self._conn.info["size"]

    @property
    def identity(self):
        """What pins the file: entity tag, or size and time of change (str)."""
        return self._conn.identity

    def stats(self):
        """Return the counters since the file was opened.

        Returns
        -------
        dict
            'requests', 'rounds' (requests that started after another had
            ended), 'bytes_fetched', 'bytes_asked', 'retries', 'block_hits',
            'block_misses', 'chunks_decoded', 'chunk_hits', 'chunk_misses',
            'seconds_waiting', 'seconds_decoding'.
        """
        return json.loads(text("clawh5_stats", self._conn.file().id))

    def flush(self):
        """Do nothing: files are not written."""

    def close(self):
        """Close the file and everything opened from it. Closing twice is fine."""
        self._conn.close()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def __reduce__(self):
        return File._of, (self._conn,)

    def _repr_html_(self):
        from ._html import file_html

        return file_html(self)

    def __repr__(self):
        if not self:
            return "<Closed HDF5 file>"
        return f'<HDF5 file "{os.path.basename(self.filename)}" (mode {self.mode})>'


def is_hdf5(name):
    """Tell whether a path, URL or content is HDF5; False also if there is nothing."""
    try:
        location, image, _ = _source(name)
        if image is not None:
            return _is_image(image)
        if is_remote(location):
            File(name).close()
            return True
        with open(location.removeprefix("file://"), "rb") as stream:
            at = 0
            while True:
                stream.seek(at)
                head = stream.read(len(_SIGNATURE))
                if head == _SIGNATURE:
                    return True
                if len(head) < len(_SIGNATURE):
                    return False
                at = at * 2 or 512
    except OSError:
        return False
