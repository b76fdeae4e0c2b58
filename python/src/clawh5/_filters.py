"""Filters of a description in h5py's terms."""

_NAMES = {1: "gzip", 2: "shuffle", 3: "fletcher32", 4: "szip", 6: "scaleoffset", 32000: "lzf"}
_SZIP_ENTROPY, _SZIP_NEAREST = 4, 32


def _settings(ident, params):
    if ident == 1:
        return params[0] if params else None
    if ident == 4:
        mask, pixels = params[:2]
        coding = "ec" if mask & _SZIP_ENTROPY else "nn" if mask & _SZIP_NEAREST else None
        if coding is None:
            raise TypeError("Unknown SZIP configuration")
        return coding, pixels
    if ident == 32000 or not params:
        return None
    return tuple(params)


def pipeline_settings(filters):
    """Return filter name (its number as str if it has none in h5py) -> settings, in order."""
    return {_NAMES.get(f["id"], str(f["id"])): _settings(f["id"], f["params"]) for f in filters}
