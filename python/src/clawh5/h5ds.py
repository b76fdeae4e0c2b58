"""Dimension scales, in the manner of ``h5py.h5ds``; identifiers are those of ``Dataset.id``."""

from . import dims


def is_scale(dset):
    """Tell whether a dataset is a dimension scale."""
    return dims.is_scale(dset._obj)


def get_scale_name(dscale):
    """Return the name of a dimension scale (bytes)."""
    return dims.scale_name(dscale._obj).encode("utf-8", "surrogateescape")


def get_label(dset, idx):
    """Return the label of a dimension (bytes); b'' without one."""
    return dset._obj.dims[idx].label.encode("utf-8", "surrogateescape")


def get_num_scales(dset, dim):
    """Return how many scales are attached to a dimension."""
    return len(dset._obj.dims[dim])
