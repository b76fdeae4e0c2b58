"""How objects were created, in the manner of ``h5py.h5p``: what is asked when reading."""

from . import h5d

CRT_ORDER_TRACKED, CRT_ORDER_INDEXED = 1, 2

_LAYOUTS = {"compact": h5d.COMPACT, "contiguous": h5d.CONTIGUOUS, "chunked": h5d.CHUNKED, "virtual": h5d.VIRTUAL}
_FILLS = {
    "undefined": h5d.FILL_VALUE_UNDEFINED, "default": h5d.FILL_VALUE_DEFAULT, "defined": h5d.FILL_VALUE_USER_DEFINED,
}
_ALLOC_TIMES = {
    "default": h5d.ALLOC_TIME_DEFAULT, "early": h5d.ALLOC_TIME_EARLY, "late": h5d.ALLOC_TIME_LATE,
    "incremental": h5d.ALLOC_TIME_INCR,
}
_FILL_TIMES = {"alloc": h5d.FILL_TIME_ALLOC, "never": h5d.FILL_TIME_NEVER, "ifset": h5d.FILL_TIME_IFSET}


class PropertyList:
    """What ``obj.id.get_create_plist()`` gives."""

    def __init__(self, obj):
        self._obj, self._raw = obj, obj._desc.raw

    # --- groups and datasets

    def get_attr_creation_order(self):
        """Return CRT_ORDER_TRACKED if attributes are kept in their order of creation, else 0."""
        return CRT_ORDER_TRACKED if self._raw.get("attributes_tracked") else 0

    def get_link_creation_order(self):
        """Return which of CRT_ORDER_TRACKED and CRT_ORDER_INDEXED hold for the links of a group."""
        tracked = CRT_ORDER_TRACKED if self._raw.get("links_tracked") else 0
        return tracked | (CRT_ORDER_INDEXED if self._raw.get("links_indexed") else 0)

    def close(self):
        """Do nothing."""

    # --- datasets

    def get_layout(self):
        """Return h5d.COMPACT, CONTIGUOUS, CHUNKED or VIRTUAL."""
        return _LAYOUTS[self._raw["layout"]["class"]]

    def get_chunk(self):
        """Return the dimensions of a chunk. ValueError unless chunked."""
        if "chunks" not in self._raw["layout"]:
            raise ValueError("Not a chunked dataset")
        return tuple(self._raw["layout"]["chunks"])

    def get_nfilters(self):
        """Return the number of filters."""
        return len(self._raw.get("filters", ()))

    def get_filter(self, filter_idx):
        """Return (number, flags, parameters, name) of a filter; the name is bytes."""
        filters = self._raw.get("filters", ())
        if not 0 <= filter_idx < len(filters):
            raise ValueError(f"filter {filter_idx} of {len(filters)}")
        f = filters[filter_idx]
        return f["id"], int(f["optional"]), tuple(f["params"]), f["name"].encode("utf-8", "surrogateescape")

    def get_filter_by_id(self, filter_code):
        """Return (flags, parameters, name) of the filter of a registered number, None if it is not used."""
        for i, f in enumerate(self._raw.get("filters", ())):
            if f["id"] == filter_code:
                return self.get_filter(i)[1:]
        return None

    def fill_value_defined(self):
        """Return h5d.FILL_VALUE_UNDEFINED, FILL_VALUE_DEFAULT or FILL_VALUE_USER_DEFINED."""
        return _FILLS[self._raw["fill"]["state"]]

    def get_fill_time(self):
        """Return h5d.FILL_TIME_ALLOC, FILL_TIME_NEVER or FILL_TIME_IFSET."""
        return _FILL_TIMES[self._raw["fill"]["time"]]

    def get_alloc_time(self):
        """Return h5d.ALLOC_TIME_EARLY, ALLOC_TIME_LATE, ALLOC_TIME_INCR or ALLOC_TIME_DEFAULT."""
        return _ALLOC_TIMES[self._raw["fill"]["alloc"]]

    def get_external_count(self):
        """Return the number of external raw files."""
        return len(self._obj.external or ())

    def get_external(self, idx=0):
        """Return (name, offset, size) of an external raw file; the name is bytes."""
        name, offset, size = (self._obj.external or ())[idx]
        return name.encode("utf-8", "surrogateescape"), offset, size

    def get_virtual_count(self):
        """Return the number of mappings of a virtual dataset."""
        return self._raw["layout"].get("nmappings", 0)

    def get_virtual_filename(self, index=0):
        """Return the name of the file of a mapping's source."""
        return self._obj.virtual_sources()[index].file_name

    def get_virtual_dsetname(self, index=0):
        """Return the name of a mapping's source."""
        return self._obj.virtual_sources()[index].dset_name

    def get_virtual_vspace(self, index=0):
        """Return the elements of the virtual dataset that a mapping fills."""
        return self._obj.virtual_sources()[index].vspace

    def get_virtual_srcspace(self, index=0):
        """Return the elements of a mapping's source."""
        return self._obj.virtual_sources()[index].src_space
