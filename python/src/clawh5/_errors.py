"""Status of the library to Python exception: one table.

Every exception raised from here is a builtin class or a subclass of one, so
that code written for h5py catches it, and carries ``status``, ``offset`` (byte
in the file, None if unknown), ``structure`` (title in the specification),
``path`` (of the object) and ``http_status``.
"""

from . import _ffi


class FileFormatError(OSError):
    """The file is not HDF5, or contradicts the specification or itself."""


class NotHDF5Error(FileFormatError):
    """No HDF5 superblock was found."""


class CorruptError(FileFormatError):
    """The file contradicts the specification or itself."""


class ChangedError(OSError):
    """The file is no longer the one that was opened."""


class UnavailableError(OSError):
    """The store failed and retries did not help."""


class LimitError(OSError):
    """A limit of the options was reached."""


class UnsupportedError(NotImplementedError):
    """The file is right, this library cannot read it."""


class CancelledError(RuntimeError):
    """The operation was cancelled."""


class ForkError(RuntimeError):
    """A forked child used the library it inherited."""


class InternalError(RuntimeError):
    """A bug in clawh5."""


class ObjectNotFoundError(KeyError):
    """No object, link or attribute of that name."""

    def __str__(self):
        return str(self.args[0]) if self.args else ""


class FileWarning(UserWarning):
    """Something is odd about a file that is read all the same.

    The program that wrote it did not close it, so that what it held in memory
    is missing (h5py refuses such a file); or one of the files of which it is
    made is missing. What is read is right; what is missing is an error when
    it is asked for.
    """


class LinkRefusedError(PermissionError, ObjectNotFoundError):
    """An external link that the options do not allow to follow."""


EXCEPTIONS = {
    _ffi.E_NOT_HDF5: NotHDF5Error,
    _ffi.E_CORRUPT: CorruptError,
    _ffi.E_UNSUPPORTED: UnsupportedError,
    _ffi.E_NOT_FOUND: ObjectNotFoundError,
    _ffi.E_TYPE: TypeError,
    _ffi.E_SELECTION: ValueError,
    _ffi.E_SPACE: ValueError,
    _ffi.E_HANDLE: ValueError,
    _ffi.E_PERMISSION: PermissionError,
    _ffi.E_UNAVAILABLE: UnavailableError,
    _ffi.E_CHANGED: ChangedError,
    _ffi.E_TIMEOUT: TimeoutError,
    _ffi.E_CANCELLED: CancelledError,
    _ffi.E_LIMIT: LimitError,
    _ffi.E_FORK: ForkError,
    _ffi.E_INTERNAL: InternalError,
}


def _text(raw):
    return raw.decode("utf-8", "surrogateescape")


def make(status, err=None, *, opening=False):
    """Return the exception for a status.

    Parameters
    ----------
    status : int
        A negative clawh5_status.
    err : _ffi.Error, optional
        As the library filled it in.
    opening : bool
        A file was being opened: what is not found is then a file.
    """
    cls = EXCEPTIONS.get(status, InternalError)
    if opening and status == _ffi.E_NOT_FOUND:
        cls = FileNotFoundError
    message = _text(err.message) if err is not None else ""
    exc = cls(message or f"clawh5 status {status}")
    return annotate(exc, status, err)


def annotate(exc, status, err=None):
    """Add the facts of an error to an exception, and return it."""
    exc.status = status
    known = err is not None
    exc.offset = err.offset if known and err.offset >= 0 else None
    exc.structure = _text(err.structure) if known else ""
    exc.path = _text(err.path) if known else ""
    exc.http_status = err.http_status if known and err.http_status else None
    return exc
