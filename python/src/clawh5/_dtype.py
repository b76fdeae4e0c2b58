"""HDF5 datatypes of a description: the numpy dtype users see, and decoding.

``codec_of`` gives one ``Codec`` a datatype; equal datatypes share it, so that
dtypes of ten thousand datasets are one object.
"""

import numpy as np

from . import _ffi
from . import _vlen
from .reference import Reference, RegionReference, revised
from .special import enum_dtype, opaque_dtype, ref_dtype, regionref_dtype, string_dtype, vlen_dtype

_ORDER = {"le": "<", "be": ">"}

# Sizes of datatypes in the memory of libhdf5: h5py's compound offsets follow
# them, also where numpy needs less.
_HVL_SIZE, _CHAR_POINTER_SIZE, _OBJECT_REF_SIZE, _REGION_REF_SIZE, _REVISED_REF_SIZE = 16, 8, 8, 12, 64

MEMORY_TYPES = {
    "i1": _ffi.MEMORY_INT8, "u1": _ffi.MEMORY_UINT8, "i2": _ffi.MEMORY_INT16, "u2": _ffi.MEMORY_UINT16,
    "i4": _ffi.MEMORY_INT32, "u4": _ffi.MEMORY_UINT32, "i8": _ffi.MEMORY_INT64, "u8": _ffi.MEMORY_UINT64,
    "f2": _ffi.MEMORY_FLOAT16, "f4": _ffi.MEMORY_FLOAT32, "f8": _ffi.MEMORY_FLOAT64,
}


class Codec:
    """How elements of one datatype become numpy values.

    Attributes
    ----------
    dtype : numpy.dtype
        As h5py gives it, metadata included.
    raw : numpy.dtype
        Layout of an element as the library writes it.
    result : numpy.dtype
        Of arrays that are read directly.
    size : int
        Bytes of an element as the library writes it.
    h5size : int
        Bytes of an element in the memory of libhdf5.
    variable : bool
        Elements hold variable-length data: they come with a heap.
    direct : bool
        What the library writes is what users get, once ``finish`` has seen it.
    number : bool
        HDF5 converts it to other numbers.
    """

    variable = False
    direct = True
    number = False

    def __init__(self, dtype, raw=None, h5size=None):
        self.dtype = dtype
        self.raw = dtype if raw is None else raw
        self.result = self.dtype
        self.size = self.raw.itemsize
        self.h5size = self.size if h5size is None else h5size

    def finish(self, array):
        """Correct, in place, an array that was read directly."""

    def decode(self, raw, heap):
        """Return an array of ``dtype`` from one of ``raw`` and the heap (bytes)."""
        self.finish(raw)
        return raw


class Number(Codec):
    """Integers and floats that numpy has, bit for bit."""

    number = True

    def __init__(self, dtype):
        super().__init__(dtype, np.dtype(dtype.str))
        # h5py's dtypes of floats name their byte order, its arrays' need not.
        self.result = self.raw


class PartialInteger(Codec):
    """Integers that do not fill their bytes."""

    direct, number = False, True

    def __init__(self, dtype, precision, offset):
        super().__init__(dtype)
        self._precision, self._offset = precision, offset

    def decode(self, raw, heap):
        unsigned = raw.astype(np.dtype(f"u{self.size}"), copy=False).view(f"u{self.size}")
        shift = 8 * self.size - self._precision
        high = unsigned << np.array(shift - self._offset, unsigned.dtype)
        signed = high.view(f"{self.dtype.kind}{self.size}")
        return np.asarray(signed >> np.array(shift, signed.dtype), self.dtype)


class Converted(Codec):
    """Numbers that the library converts to what numpy has."""

    direct, number = False, True

    def __init__(self, dtype, facts, target):
        super().__init__(dtype, np.dtype((np.void, facts["size"])))
        self._facts, self._target = facts, target

    def decode(self, raw, heap):
        from . import h5t  # which needs this module

        # Codecs outlive files: kept here, the types would be open handles for as long.
        types = h5t.text_to_dtype(_description(self._facts)), h5t.text_to_dtype(self._target)
        out = np.empty(raw.shape, self.dtype.newbyteorder("<"))
        h5t.convert_into(*types, raw.size, np.ascontiguousarray(raw), out)
        return np.asarray(out, self.dtype)


def _description(facts):
    """Describe a float, or a complex number of floats, as h5t.text_to_dtype reads it."""
    if facts["class"] == "complex":
        return "H5T_COMPLEX { " + _description(facts["base"]) + " }"
    orders = {"le": "little-endian", "be": "big-endian", "vax": "mixed-endian"}
    norms = {"none": "NONE", "msb": "MSBSET", "implied": "IMPLIED"}
    pads = ("H5T_PAD_ZERO", "H5T_PAD_ONE")
    properties = [
        f"ORDER {orders[facts['order']]}", f"OFFSET {facts['bit_offset']}", f"SIGN {facts['sign']}",
        "EXPONENT {} {}".format(*facts["exponent"]), "MANTISSA {} {}".format(*facts["mantissa"]), f"BIAS {facts['bias']}",
        f"NORM H5T_NORM_{norms[facts['normalization']]}", f"LSB_PAD {pads[facts['low_pad']]}",
        f"MSB_PAD {pads[facts['high_pad']]}", f"INPAD {pads[facts['internal_pad']]}",
    ]
    return f"{8 * facts['size']}-bit floating-point {facts['precision']}-bit precision {{ {'; '.join(properties)}; }}"


class FixedString(Codec):
    """Fixed-length strings: unused bytes become NUL, as HDF5 converts them."""

    def __init__(self, dtype, pad):
        super().__init__(dtype)
        self._pad = pad

    def finish(self, array):
        if self._pad == "nullpad" or array.size == 0 or self.size < 2 and self._pad == "nullterm":
            return
        octets = np.ascontiguousarray(array).view("u1").reshape(array.shape + (self.size,))
        if self._pad == "nullterm":
            unused = np.logical_or.accumulate(octets == 0, axis=-1)
        else:
            unused = np.logical_and.accumulate((octets == 0x20)[..., ::-1], axis=-1)[..., ::-1]
        if octets[unused].any():
            octets[unused] = 0
            array[...] = octets.view(array.dtype).reshape(array.shape)


class VariableString(Codec):
    """Variable-length strings: bytes objects, as h5py reads them."""

    variable, direct = True, False

    def __init__(self, dtype):
        super().__init__(dtype, _vlen.SLOT, _CHAR_POINTER_SIZE)

    def decode(self, raw, heap):
        return _vlen.strings(raw, heap, self.dtype)


class VariableSequence(Codec):
    """Variable-length sequences: an array an element."""

    variable, direct = True, False

    def __init__(self, base):
        super().__init__(vlen_dtype(base.dtype), _vlen.SLOT, _HVL_SIZE)
        self._base = base

    def decode(self, raw, heap):
        return _vlen.sequences(raw, heap, self.dtype, self._base)


class ReferenceCodec(Codec):
    """References; ``make`` makes one of its bytes."""

    direct = False

    def __init__(self, dtype, size, h5size, make):
        super().__init__(dtype, np.dtype((np.void, size)), h5size)
        self._make = make

    def decode(self, raw, heap):
        out = np.empty(raw.shape, self.dtype)
        out.reshape(-1)[:] = [self._make(item.tobytes()) for item in raw.reshape(-1)]
        return out


class Boolean(Codec):
    """The enumeration FALSE, TRUE."""

    def __init__(self, base):
        super().__init__(np.dtype("bool"), base.dtype if base.size > 1 else np.dtype("bool"), base.size)
        self.direct = base.size == 1

    def decode(self, raw, heap):
        return raw.astype("bool", copy=False)


class Compound(Codec):
    """Structures."""

    def __init__(self, names, members, offsets, size):
        raw = np.dtype({"names": names, "formats": [m.raw for m in members], "offsets": offsets, "itemsize": size})
        shrink, places, end = 0, {}, 0
        for i in sorted(range(len(names)), key=offsets.__getitem__):
            # A member that numpy needs more bytes for than the file moves those behind it: h5py lets them overlap.
            places[i] = max(offsets[i] - shrink, end)
            shrink += members[i].size - members[i].h5size
            end = places[i] + members[i].dtype.itemsize
        itemsize = max(size - shrink, end)
        places = [places[i] for i in range(len(names))]
        dtype = np.dtype({"names": names, "formats": [m.dtype for m in members], "offsets": places, "itemsize": itemsize})
        super().__init__(dtype, raw, itemsize)
        self.members = dict(zip(names, members))
        self.variable = any(m.variable for m in members)
        self.direct = all(m.direct for m in members) and (places, itemsize) == (offsets, size)

    def finish(self, array):
        for name, member in self.members.items():
            member.finish(array[name])

    def decode(self, raw, heap, dtype=None):
        dtype = dtype or self.dtype
        out = np.zeros(raw.shape, dtype)
        for name in dtype.names:
            out[name] = self.members[name].decode(raw[name], heap)
        return out


class CompatibleComplex(Codec):
    """The structure of two floats r and i."""

    def __init__(self, compound, part):
        order, width = part.dtype.str[0], part.dtype.itemsize
        dtype = np.dtype(f"{order}c{2 * width}")
        places = [compound.raw.fields[name][1] for name in "ri"]
        self.direct = places == [0, width] and compound.size == 2 * width and part.direct
        super().__init__(dtype, dtype if self.direct else compound.raw, compound.h5size)
        self._part = part

    def decode(self, raw, heap):
        if self.direct:
            return raw
        out = np.empty(raw.shape, self.dtype)
        out.real, out.imag = (self._part.decode(raw[name], heap) for name in "ri")
        return out


class Array(Codec):
    """Fixed-size arrays as elements."""

    def __init__(self, base, dims):
        super().__init__(np.dtype((base.dtype, dims)), np.dtype((base.raw, dims)),
                         base.h5size * int(np.prod(dims, dtype=object)))
        self.base = base
        self.variable, self.direct = base.variable, base.direct
        self.finish = base.finish
        self.decode = base.decode


_FLOATS = {  # (size, sign, exponent, mantissa, bias, normalization) of floats that numpy has
    (2, 15, (10, 5), (0, 10), 15, "implied"): "f2",
    (4, 31, (23, 8), (0, 23), 127, "implied"): "f4",
    (8, 63, (52, 11), (0, 52), 1023, "implied"): "f8",
}
_EXTENDED = (16, 79, (64, 15), (0, 64), 16383, "none")
if np.finfo(np.longdouble).nmant == 63 and np.dtype(np.longdouble).itemsize == 16:
    _FLOATS[_EXTENDED] = "f16"
_TARGETS = {"f2": "H5T_IEEE_F16LE", "f4": "H5T_IEEE_F32LE", "f8": "H5T_IEEE_F64LE", "f16": "H5T_NATIVE_LDOUBLE"}
_FLOAT_LIMITS = [("f2", 2, 10, 16, -14), ("f4", 4, 23, 128, -126), ("f8", 8, 52, 1024, -1022),
                 ("f16", 16, 64, 16384, -16382)]  # name, size, mantissa bits, exponent range


def _order(facts):
    try:
        return _ORDER[facts["order"]]
    except KeyError:
        raise TypeError(f"No NumPy equivalent for byte order {facts['order']!r} exists") from None


def _integer(facts):
    dtype = np.dtype(f"{_order(facts)}{'i' if facts.get('signed') else 'u'}{facts['size']}")
    if facts["precision"] == 8 * facts["size"] and facts["bit_offset"] == 0:
        return Number(dtype)
    return PartialInteger(dtype, facts["precision"], facts["bit_offset"])


def _bitfield(facts):
    return Codec(np.dtype(f"{_order(facts)}u{facts['size']}"))


def _layout(facts):
    return (facts["size"], facts["sign"], tuple(facts["exponent"]), tuple(facts["mantissa"]), facts["bias"],
            facts["normalization"])


def _float(facts):
    order = _order(facts)
    (_, exp_size), (_, man_size) = facts["exponent"], facts["mantissa"]
    layout = _layout(facts)
    if layout in _FLOATS:
        return Number(np.dtype(_FLOATS[layout]).newbyteorder(order))
    for name, size, mantissa, high, low in _FLOAT_LIMITS:
        if (size >= facts["size"] and man_size <= mantissa and (1 << exp_size) - facts["bias"] - 1 <= high
                and 1 - facts["bias"] >= low):
            break
    else:
        raise ValueError(f"Insufficient precision in available types to represent {layout}")
    return Converted(np.dtype(name).newbyteorder(order), facts, _TARGETS[name])


def _time(facts):
    raise TypeError("No NumPy equivalent for TypeTimeID exists")


def _string(facts):
    encoding = "utf-8" if facts.get("cset") == "utf8" else "ascii"
    if facts["variable"]:
        return VariableString(string_dtype(encoding))
    return FixedString(string_dtype(encoding, facts["size"]), facts["pad"])


def _opaque(facts):
    tag = facts.get("tag", "")
    if tag.startswith("NUMPY:"):
        dtype = opaque_dtype(tag[len("NUMPY:"):])
        if dtype.itemsize == facts["size"]:
            return Codec(dtype)
    return Codec(np.dtype(f"|V{facts['size']}"))


def _compound(facts):
    names = [m["name"] for m in facts["members"]]
    members = [_build(m["type"]) for m in facts["members"]]
    codec = Compound(names, members, [m["offset"] for m in facts["members"]], facts["size"])
    if names == ["r", "i"] and members[0].dtype == members[1].dtype and members[0].dtype.kind == "f" \
            and members[0].dtype.itemsize in (4, 8, 16):
        return CompatibleComplex(codec, members[0])
    return codec


def _enum(facts):
    base = _build(facts["base"])
    values = dict(zip(facts["names"], facts["values"]))
    if values == {"FALSE": 0, "TRUE": 1}:
        return Boolean(base)
    codec = _integer(facts["base"])
    codec.dtype = codec.result = enum_dtype(values, base.dtype)
    if codec.direct:
        codec.raw = codec.dtype
    return codec


def _array(facts):
    return Array(_build(facts["base"]), tuple(facts["dims"]))


def _vlen_sequence(facts):
    return VariableSequence(_build(facts["base"]))


def _complex(facts):
    part = facts["base"]
    if part["size"] not in (4, 8, 16):
        raise TypeError(f"No NumPy equivalent for TypeComplexID of size {facts['size']} bytes found")
    dtype = np.dtype(f"{_order(part)}c{2 * part['size']}")
    if _layout(part) in _FLOATS:
        return Codec(dtype)
    return Converted(dtype, facts, f"H5T_COMPLEX {{ {_TARGETS['f' + str(part['size'])]} }}")


def _reference(facts):
    if facts["kind"] == "object":
        return ReferenceCodec(ref_dtype, facts["size"], _OBJECT_REF_SIZE, Reference)
    if facts["kind"] == "region":
        return ReferenceCodec(regionref_dtype, facts["size"], _REGION_REF_SIZE, RegionReference)
    return ReferenceCodec(ref_dtype, facts["size"], _REVISED_REF_SIZE, revised)


_BUILDERS = {
    "integer": _integer, "bitfield": _bitfield, "float": _float, "time": _time, "string": _string,
    "opaque": _opaque, "compound": _compound, "enum": _enum, "array": _array, "vlen": _vlen_sequence,
    "complex": _complex, "reference": _reference,
}


def _build(facts):
    return _BUILDERS[facts["class"]](facts)


_codecs = {}
_MAX_CODECS = 10_000


def codec_of(facts):
    """Return the codec of a TYPE of a description.

    Raises
    ------
    TypeError, ValueError
        numpy has no equivalent; as h5py.
    """
    key = repr(facts)
    codec = _codecs.get(key)
    if codec is None:
        codec = _build(facts)
        if len(_codecs) >= _MAX_CODECS:
            _codecs.clear()
        _codecs[key] = codec
    return codec
