"""A canonical description of everything an h5py-shaped module says about a file.

The description maps each path to its aspects (shape, dtype, an attribute, the
values, ...). Two readers agree on a file if their descriptions are equal.
Values are hashed bit for bit; hashes and short previews keep it small. An
aspect whose reading raised an exception is a Failure.
"""
import hashlib
from typing import NamedTuple

import numpy as np


class Failure(NamedTuple):
    kind: str
    text: str
    unsupported: bool


class Value(NamedTuple):
    form: str  # array, scalar, str, bytes, Empty, reference, ...
    dtype: object
    shape: tuple
    digest: str
    preview: str


class Absent(NamedTuple):
    """The reader does not offer this optional aspect."""
    text: str


def attempt(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:
        return Failure(type(error).__name__, str(error)[:500], isinstance(error, NotImplementedError))


def optional(function, *arguments):
    """attempt for what h5py's low-level interface offers and another reader need not."""
    try:
        return function(*arguments)
    except AttributeError as error:
        return Absent(str(error)[:200])
    except Exception as error:
        return Failure(type(error).__name__, str(error)[:500], isinstance(error, NotImplementedError))


def describe(file, max_bytes=1 << 29):
    """The description of an open file. Datasets beyond max_bytes are sampled at both ends."""
    return _Description(file, max_bytes).aspects


class Values:
    """Values of a file in canonical form. References are told by the path in paths at which their target was met."""

    def __init__(self, file=None, paths=None):
        self.file = file
        self.paths = {} if paths is None else paths

    def target(self, item):
        return kind(item), self.paths.get(item) or item.name

    def value(self, value):
        if isinstance(value, (np.ndarray, np.generic)):
            digest = hashlib.blake2b(digest_size=16)
            array = np.asarray(value)
            self.feed(digest, array)
            form = "array" if isinstance(value, np.ndarray) else "scalar"
            return Value(form, dtype(array.dtype), array.shape, digest.hexdigest(), self.preview(array))
        if kind(value) == "Empty":
            return Value("Empty", dtype(value.dtype), (), "", "")
        if isinstance(value, (list, tuple)):
            return tuple(self.value(v) for v in value)
        element = self.element(value)
        return Value(element[0], None, (), hashlib.blake2b(repr(element).encode("utf-8", "surrogatepass"),
                                                           digest_size=16).hexdigest(), repr(element)[:200])

    def sequence(self, item):
        """A variable-length element. h5py gives it neither byte order nor metadata, whatever its type: the bytes,
        which h5py has from the file as they are, and the kind of the elements are what can be compared."""
        value = self.value(item)
        return value.form, without_order(np.asarray(item).dtype), value.shape, value.digest

    def feed(self, digest, array):
        """Hash the elements: plain ones by their bytes, compounds by field (their padding has no meaning)."""
        if array.dtype.names is not None:
            for name in array.dtype.names:
                self.feed(digest, array[name])
        elif array.dtype.hasobject:
            for item in array.ravel():
                digest.update(repr(self.element(item)).encode("utf-8", "surrogatepass"))
        else:
            digest.update(significant(array).tobytes())

    def preview(self, array):
        first = array.ravel()[:4]
        if not array.dtype.hasobject:
            return repr(first.tolist())[:200]
        return "" if array.dtype.names else repr([self.element(item) for item in first])[:200]

    def element(self, item):
        if isinstance(item, (bytes, str, bool, int, float, complex, type(None))):
            return type(item).__name__, item
        if isinstance(item, (np.ndarray, np.generic)):
            return self.sequence(item)
        if kind(item) in ("Reference", "RegionReference"):
            if not item:
                return kind(item), None
            target = attempt(lambda: self.target(self.file[item]))
            if isinstance(target, Failure) and target.unsupported:
                raise NotImplementedError(target.text)
            return kind(item), "dangling" if isinstance(target, Failure) else target
        return kind(item), repr(item)


class _Description:
    def __init__(self, file, max_bytes):
        self.file = file
        self.max_bytes = max_bytes
        self.aspects = {}
        self.paths = {}  # object -> path it was first met at
        self.values = Values(file, self.paths)
        self.soft = []
        self.walk()
        for path, target in self.soft:
            self.aspects[path]["leads to"] = attempt(lambda: self.values.target(self.file[target]))
        for item, path in list(self.paths.items()):
            self.attributes(self.aspects[path], item)
            if kind(item) == "Dataset":
                self.dataset(self.aspects[path], item)
            elif kind(item) == "Datatype":
                self.aspects[path]["dtype"] = attempt(lambda: dtype(item.dtype))

    def walk(self):
        root = attempt(lambda: self.file["/"])
        self.aspects["/"] = {"object": root if isinstance(root, Failure) else kind(root)}
        if isinstance(root, Failure):
            return
        self.paths[root] = "/"
        groups = [("/", root)]
        while groups:
            path, group = groups.pop()
            names = attempt(lambda: tuple(group))
            self.aspects[path]["names"] = names
            self.aspects[path]["count"] = attempt(lambda: len(group))
            for name in () if isinstance(names, Failure) else names:
                child = f"{path.rstrip('/')}/{name}"
                item = self.child(child, group, name)
                if item is not None:
                    groups.append((child, item))

    def child(self, path, group, name):
        """Record the link and what it leads to; a group not met before is returned."""
        aspects = self.aspects[path] = {"link": attempt(lambda: link(group.get(name, getlink=True)))}
        if isinstance(aspects["link"], Failure) or aspects["link"][0] == "ExternalLink":
            return None
        if aspects["link"][0] == "SoftLink":
            self.soft.append((path, path))
            return None
        item = attempt(lambda: group[name])
        if isinstance(item, Failure):
            aspects["object"] = item
            return None
        if item in self.paths:
            aspects["object"] = ("same as", self.paths[item])
            return None
        self.paths[item] = path
        aspects["object"] = kind(item)
        return item if kind(item) == "Group" else None

    def attributes(self, aspects, item):
        names = aspects["attributes"] = attempt(lambda: tuple(item.attrs))
        for name in () if isinstance(names, Failure) else names:
            aspects[f"attribute {name}"] = attempt(lambda: self.values.value(item.attrs[name]))
            aspects[f"attribute type {name}"] = optional(lambda: attribute_type(item.attrs.get_id(name)))

    PROPERTIES = ("shape", "maxshape", "size", "ndim", "chunks", "compression", "compression_opts", "shuffle",
                  "fletcher32", "scaleoffset", "is_virtual", "external")

    def dataset(self, aspects, item):
        for name in self.PROPERTIES:
            aspects[name] = attempt(lambda: plain(getattr(item, name)))
        aspects["dtype"] = attempt(lambda: dtype(item.dtype))
        aspects["fillvalue"] = attempt(lambda: self.values.value(item.fillvalue))
        aspects["filters"] = optional(lambda: filters(item.id.get_create_plist()))
        aspects["committed"] = aspects["dtype"]
        if not isinstance(aspects["dtype"], Failure):
            aspects["committed"] = optional(lambda: bool(item.id.get_type().committed()))
        aspects["scale"] = optional(lambda: item.is_scale)
        aspects["dimensions"] = optional(lambda: self.dimensions(item))
        aspects["values"] = attempt(lambda: self.contents(item))

    def dimensions(self, item):
        return tuple((dim.label, tuple((name, self.values.target(scale)) for name, scale in dim.items())) for dim in item.dims)

    def contents(self, item):
        if not item.shape or item.size * max(item.dtype.itemsize, 1) <= self.max_bytes:
            value = item[()]
            is_sequence = item.shape == () and isinstance((item.dtype.metadata or {}).get("vlen"), np.dtype)
            return self.values.sequence(value) if is_sequence else self.values.value(value)
        budget = min(self.max_bytes, 1 << 22) // max(item.dtype.itemsize, 1)
        return tuple(self.values.value(item[corner]) for corner in corners(item.shape, budget))


def significant(array):
    """The bytes that carry values: all of them but the padding of x87 long doubles."""
    array = np.ascontiguousarray(array)
    if array.dtype.kind not in "fc" or array.dtype not in (np.longdouble, np.clongdouble):
        return array
    return array.view(np.uint8).reshape(-1, np.dtype(np.longdouble).itemsize)[:, :10]


def kind(item):
    name = type(item).__name__
    return "Group" if name == "File" else name


def link(item):
    return kind(item), getattr(item, "path", None), getattr(item, "filename", None)


def plain(item):
    """Properties as plain Python values."""
    if isinstance(item, (tuple, list)):
        return tuple(plain(i) for i in item)
    return item.item() if isinstance(item, np.generic) else item


def filters(plist):
    return tuple(plain(plist.get_filter(i))[:3] for i in range(plist.get_nfilters()))


def attribute_type(attribute):
    return dtype(attribute.dtype), tuple(attribute.shape or ())


def corners(shape, budget):
    """Hyperslabs of at most budget elements at the first and the last corner of a shape."""
    sizes, left = [], budget
    for n in reversed(shape):
        sizes.append(max(1, min(n, left)))
        left = max(1, left // max(n, 1))
    sizes.reverse()
    yield tuple(slice(0, s) for s in sizes)
    yield tuple(slice(n - s, n) for n, s in zip(shape, sizes))


def dtype(dt):
    """A dtype as nested tuples, with the metadata in which h5py keeps what numpy has no place for."""
    metadata = tuple(sorted((key, _metadata(item)) for key, item in (dt.metadata or {}).items()))
    if dt.subdtype:
        return "array", dt.shape, dtype(dt.base), metadata
    if dt.names is not None:
        fields = tuple((name, dt.fields[name][1], dtype(dt.fields[name][0])) for name in dt.names)
        return "compound", dt.itemsize, fields, metadata
    return (dt.str, metadata)


def without_order(dt):
    """What is left of a dtype without byte orders and metadata."""
    if dt.names is not None:
        return tuple((name, without_order(dt.fields[name][0])) for name in dt.names)
    return dt.base.kind, dt.base.itemsize, dt.shape


def _metadata(item):
    if isinstance(item, np.dtype):
        return dtype(item)
    if isinstance(item, dict):
        return tuple((name, int(value)) for name, value in item.items())
    return item.__name__ if isinstance(item, type) else item
