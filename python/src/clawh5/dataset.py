"""Datasets."""

import json

import numpy as np

from . import _read
from ._dtype import CompatibleComplex, Compound
from ._errors import UnsupportedError
from ._filters import pipeline_settings
from ._region import region_selection
from ._selection import everything, select
from .base import HLObject
from .mapping import Empty, refuse_writing
from .reference import RegionReference
from .special import check_string_dtype
from .views import AsStrView, AsTypeView, ChunkIterator, FieldsView

# Rows fetched at once by iteration, bytes.
_ITERATION_BYTES = 1 << 20


class Dataset(HLObject):
    """A dataset: an array in a file, read by indexing.

    ``d[...]`` takes what h5py takes: integers, slices with positive steps, an
    ellipsis, one list of increasing indices, boolean masks, field names.

    Attributes
    ----------
    shape, maxshape : tuple of int, or None for a null dataspace
        None in maxshape stands for an unlimited dimension.
    dtype : numpy.dtype
    chunks : tuple of int, or None unless chunked
    size : int
        Elements.
    nbytes : int
        Bytes of all elements, uncompressed.
    """

    __slots__ = ()

    # --- what it is

    @property
    def shape(self):
        """Dimensions (tuple of int); None for a null dataspace."""
        return self._desc.shape

    @property
    def dtype(self):
        """The numpy dtype of the elements. TypeError if numpy has none."""
        return self._desc.codec.dtype

    @property
    def ndim(self):
        """Number of dimensions."""
        shape = self._desc.shape
        return 0 if shape is None else len(shape)

    @property
    def maxshape(self):
        """Dimensions up to which the dataset could grow; None for no limit."""
        if self._desc.shape is None:
            return None
        return tuple(self._desc.raw.get("maxshape") or self._desc.shape)

    @property
    def size(self):
        """Number of elements; None for a null dataspace."""
        if self._desc.shape is None:
            return None
        out = 1
        for n in self._desc.shape:
            out *= n
        return out

    @property
    def nbytes(self):
        """Bytes of all elements, uncompressed."""
        return (self.size or 0) * self.dtype.itemsize

    @property
    def chunks(self):
        """Dimensions of a chunk; None unless chunked."""
        layout = self._desc.layout
        return tuple(layout["chunks"]) if layout["class"] == "chunked" else None

    @property
    def _filters(self):
        return pipeline_settings(self._desc.raw.get("filters", ()))

    @property
    def compression(self):
        """'gzip', 'lzf', 'szip', 'unknown' for another compressor, or None."""
        names = self._filters
        for name in ("gzip", "lzf", "szip"):
            if name in names:
                return name
        return "unknown" if any(n not in ("shuffle", "fletcher32", "scaleoffset") for n in names) else None

    @property
    def compression_opts(self):
        """Setting of the compressor: the level of gzip (int), a pair for szip."""
        return self._filters.get(self.compression)

    @property
    def filter_ids(self):
        """Registered numbers of the filters, in order."""
        return tuple(f["id"] for f in self._desc.raw.get("filters", ()))

    @property
    def filter_names(self):
        """Names of the filters as stored in the file, in order."""
        return tuple(f["name"] for f in self._desc.raw.get("filters", ()))

    @property
    def shuffle(self):
        """Whether bytes are shuffled before compression."""
        return "shuffle" in self._filters

    @property
    def fletcher32(self):
        """Whether chunks carry a Fletcher-32 checksum."""
        return "fletcher32" in self._filters

    @property
    def scaleoffset(self):
        """Setting of the scale-offset filter (int), None without it."""
        settings = self._filters.get("scaleoffset")
        return None if settings is None else settings[1]

    @property
    def external(self):
        """(name, offset, size) of each external raw file, None without any."""
        layout = self._desc.layout
        if not layout.get("external"):
            return None
        return [tuple(f) for f in layout["external_files"]]

    @property
    def is_virtual(self):
        """Whether this is a virtual dataset."""
        return self._desc.layout["class"] == "virtual"

    def virtual_sources(self):
        """Return the mappings of a virtual dataset, as a list of VDSmap.

        Raises
        ------
        RuntimeError
            This is not a virtual dataset.
        """
        from ._virtual import mappings

        if not self.is_virtual:
            raise RuntimeError("Not a virtual dataset")
        return mappings(self)

    @property
    def fillvalue(self):
        """What never-written elements read as; zero unless the file says otherwise."""
        from ._fill import fill_value

        return fill_value(self._desc)

    @property
    def dims(self):
        """The dimension scales attached to each dimension."""
        from .dims import DimensionManager

        return DimensionManager(self)

    @property
    def is_scale(self):
        """Whether this dataset is a dimension scale."""
        from .dims import is_scale

        return is_scale(self)

    # --- reading

    def __getitem__(self, args, new_dtype=None):
        """Read elements.

        Returns
        -------
        numpy array, numpy scalar, or Empty
            An index that is an integer takes its dimension away.

        Raises
        ------
        IndexError, ValueError, TypeError
            The index does not fit; as h5py.
        OSError, NotImplementedError
            The data cannot be read.
        """
        reader = self._desc.reader
        if reader is not None and new_dtype is None:
            out = reader.read(args)
            if out is not None:
                return out
        return self._getitem(args if isinstance(args, tuple) else (args,), new_dtype)

    def _getitem(self, args, dtype, progress=None):
        if any(a is None for a in args):
            raise TypeError("Indexing with None (or np.newaxis) is not supported")
        description = self._desc
        names = tuple(a for a in args if isinstance(a, str))
        if names and description.shape is not None:
            rest = tuple(a for a in args if not isinstance(a, str))
            view = FieldsView(self, dtype or self.dtype, names[0] if len(names) == 1 else names)
            return view[rest]
        if not description.shape:
            return self._scalar(args, dtype, progress)
        selection = self._select(args)
        out = _read.read(self._conn, description, selection, dtype, self._subset(dtype), progress)
        if description.reader is None or description.reader.stale():
            description.reader = _read.fast_reader(self._conn, description)
        return out if selection.out_shape else out[()]

    def _select(self, args):
        if len(args) == 1 and isinstance(args[0], RegionReference):
            return region_selection(self._conn, self._desc.shape, args[0])
        return select(self._desc.shape, args)

    def _subset(self, dtype):
        """Return dtype if it picks fields of this dataset's compound, else None."""
        if dtype is None or dtype.names is None or not isinstance(self._desc.codec, Compound):
            return None
        return None if dtype == self.dtype else dtype

    def _scalar(self, args, dtype, progress):
        """Read a dataset without dimensions."""
        whole = args == () or (len(args) == 1 and args[0] is Ellipsis)
        if self._desc.shape is None:
            if whole:
                return Empty(self.dtype)
            raise ValueError("Empty datasets cannot be sliced")
        if not whole:
            raise ValueError("Illegal slicing argument for scalar dataspace")
        out = _read.read(self._conn, self._desc, None, dtype, self._subset(dtype), progress)
        return out if args else out[()]

    def _plain_selection(self, args):
        """Return the Selection of an index without names, None for other datasets and indices."""
        args = args if isinstance(args, tuple) else (args,)
        if not self._desc.shape or any(a is None or isinstance(a, str) for a in args):
            return None
        return select(self._desc.shape, args)

    def read(self, selection=(), *, dtype=None, progress=None):
        """Read elements, telling how far it is.

        Parameters
        ----------
        selection : object
            What ``d[...]`` takes.
        dtype : dtype, optional
            As ``astype``.
        progress : callable, optional
            Called as ``progress(bytes_done, bytes_total)`` ten times a second
            and at the end; bytes of the result, the total 0 while not known.
        """
        args = selection if isinstance(selection, tuple) else (selection,)
        return self._getitem(args, None if dtype is None else np.dtype(dtype), progress)

    def read_many(self, selections, *, progress=None):
        """Read several selections at once; return a list of the results."""
        return _read.read_many([(self, s) for s in selections], progress)

    def plan(self, selection=()):
        """Tell what reading a selection would do, without reading data.

        Returns
        -------
        dict
            'elements', 'requests', 'bytes' (fetched by them), and 'parts': for
            each part of the data its 'layout', 'boxes' (chunks or pieces
            touched), how many of them are 'stored', 'held' in memory and to
            'decode', its 'requests' and 'bytes', and the bytes 'wanted'.
        """
        args = selection if isinstance(selection, tuple) else (selection,)
        chosen = select(self._desc.shape, args).struct() if self._desc.shape else None
        return json.loads(self._conn.text("clawh5_plan", self._conn.object(self._desc).id, chosen))

    def read_direct(self, dest, source_sel=None, dest_sel=None):
        """Read into an existing array.

        Parameters
        ----------
        dest : numpy array
            Writable; read into without a copy if it is C-contiguous, of a type
            HDF5 converts to, and wholly selected.
        source_sel, dest_sel : index expressions (``numpy.s_[...]``), optional

        Raises
        ------
        TypeError
            The shapes do not fit; or the dataset has a null dataspace.
        """
        shape = self._desc.shape
        if shape is None:
            raise TypeError("Empty datasets have no numpy representation")
        if shape and source_sel is not None:
            source = select(shape, source_sel if isinstance(source_sel, tuple) else (source_sel,))
        else:
            source = everything(shape) if shape else None
        got = source.out_shape if source is not None else ()
        if dest_sel is None and self._read_into(dest, source, got):
            return
        values = _read.read(self._conn, self._desc, source, None if dest.dtype == self.dtype else dest.dtype)
        target = () if dest_sel is None else dest_sel
        try:
            dest[target] = values
        except ValueError:
            raise TypeError(f"Can't broadcast {got} -> {dest[target].shape}") from None

    def _read_into(self, dest, source, got):
        codec = self._desc.codec
        if dest.shape != got or not dest.flags.c_contiguous or not dest.flags.writeable:
            return False
        if not codec.direct:
            return _read.fill_as(self._conn, self._desc, source, dest.dtype, dest)
        if dest.dtype == codec.dtype and codec.dtype.subdtype is None:
            memory = 0
        else:
            memory = _read.memory_for(codec, dest.dtype) if dest.dtype.isnative else None
        if memory is None:
            return _read.fill_as(self._conn, self._desc, source, dest.dtype, dest)
        _read.fill(self._conn, self._desc, source, memory, dest)
        if memory == 0:
            codec.finish(dest)
        return True

    def __array__(self, dtype=None, copy=None):
        """Return the whole dataset as an array."""
        if copy is False:
            raise ValueError("Dataset.__array__ received copy=False but memory allocation cannot be avoided on read")
        if self._desc.shape is None:
            raise TypeError("Empty datasets have no numpy representation")
        wanted = None if dtype is None or np.dtype(dtype) == self.dtype else np.dtype(dtype)
        if self._desc.shape:
            return np.asarray(self._getitem((), wanted))
        return self._getitem((Ellipsis,), wanted)

    def __len__(self):
        return self.len()

    def len(self):
        """Length of the first dimension. TypeError for a scalar."""
        if not self._desc.shape:
            raise TypeError("Attempt to take len() of scalar dataset")
        return self._desc.shape[0]

    def __iter__(self):
        """Iterate over the first dimension. Rows are fetched about a megabyte at once."""
        shape = self._desc.shape
        if not shape:
            raise TypeError("Can't iterate over a scalar dataset")
        row = max(1, self.nbytes // max(1, shape[0]))
        step = max(1, _ITERATION_BYTES // row)
        for first in range(0, shape[0], step):
            yield from self[first:first + step]

    def iter_chunks(self, sel=None):
        """Iterate over the chunks that a selection touches, as tuples of slices.

        Raises
        ------
        TypeError
            The dataset is not chunked.
        ValueError
            ``sel`` is not within the dataset.
        """
        return ChunkIterator(self, sel)

    # --- other ways to see it

    def astype(self, dtype):
        """Return a view that reads elements as another dtype, numbers by HDF5's rules."""
        dtype = np.dtype(dtype)
        if dtype == self.dtype:
            return self
        if dtype.kind == "T" and check_string_dtype(self.dtype) is None:
            raise TypeError(f"dset.astype({dtype}) can only be used on datasets with an HDF5 string datatype")
        return AsTypeView(self, dtype)

    def asstr(self, encoding=None, errors="strict"):
        """Return a view that reads strings as str.

        Parameters
        ----------
        encoding : str, optional
            Instead of the one the file names.
        errors : str
            As in ``bytes.decode``.
        """
        info = check_string_dtype(self.dtype)
        if info is None:
            raise TypeError("dset.asstr() can only be used on datasets with an HDF5 string datatype")
        return AsStrView(self, encoding or info.encoding, errors)

    def fields(self, names, *, _prior_dtype=None):
        """Return a view that reads one field (a str) or several of a compound."""
        return FieldsView(self, _prior_dtype or self.dtype, names)

    def _read_fields(self, args, dtype):
        """Read fields of a compound: ``dtype`` names them."""
        codec = self._desc.codec
        if isinstance(codec, CompatibleComplex):
            raise ValueError("Field names only allowed for compound types")
        return self._getitem(args if isinstance(args, tuple) else (args,), dtype)

    def refresh(self):
        """Do nothing: an open file does not change."""

    flush = refresh

    def _repr_html_(self):
        from ._html import dataset_html

        return dataset_html(self)

    def __repr__(self):
        if not self:
            return "<Closed HDF5 dataset>"
        name = self._base_name()
        shown = "(anonymous)" if name is None else f'"{name}"'
        try:
            shape = self.shape
        except UnsupportedError:
            shape = "unknown"
        return f'<HDF5 dataset {shown}: shape {shape}, type "{self.dtype.str}">'

    __setitem__ = resize = write_direct = make_scale = refuse_writing
