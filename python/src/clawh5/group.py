"""Groups: names to objects."""

import json

import numpy as np

from . import _ffi, links
from ._calls import handle, interruptible
from ._connection import Handle, decode, encode
from ._describe import parse
from ._errors import LinkRefusedError, ObjectNotFoundError, annotate
from ._region import follow
from .base import HLObject, join, split
from .datatype import Datatype
from .mapping import MappingHDF5, refuse_writing
from .reference import Reference
from .dataset import Dataset

_SELF = b"."
_WITH_VALUES = _ffi.DESCRIBE_ATTRIBUTES | _ffi.DESCRIBE_VALUES
# After so many children of a listed group were opened one by one, all are described in one call.
_PATIENCE = 2


def wrap(conn, description, name):
    """Return the object for a description."""
    cls = _CLASSES.get(description.kind)
    if cls is None:
        raise TypeError("Unknown object type")
    return cls(conn, description, name)


def object_at(conn, address, name=None):
    """Return the object whose header lies at an address of the file."""
    description = conn.catalogue._objects.get(address)
    if description is None:
        file = conn.file()
        opened = Handle(interruptible(conn.remote, handle, "clawh5_object_open_address", file.id, address))
        description = _describe_opened(conn, opened, name)
    return wrap(conn, description, name)


def _describe_opened(conn, opened, path):
    """Return the Description of an object of which only the Handle is known."""
    _, text = conn.describe(opened, _SELF, 0)
    objects, types = parse(text)
    description = conn.catalogue.description(objects[0], types, path)
    conn.adopt(description, opened)
    return description


def referenced(conn, reference):
    """Return the object that a reference leads to, of the file it lies in."""
    told = follow(conn, reference)
    if "file" not in told:
        return object_at(conn, told["address"])
    raw = reference._raw
    try:
        opened = Handle(interruptible(conn.remote, handle, "clawh5_reference_open", conn.file().id, raw, len(raw)))
    except PermissionError as exc:
        raise _refused(exc) from None
    owner = conn.owner(opened)
    known = owner.catalogue._objects.get(told["address"])
    return wrap(owner, known or _describe_opened(owner, opened, None), None)


def _refused(exc):
    """Return the exception for a link or a reference to another file that was not followed."""
    return exc if exc.http_status is not None else annotate(LinkRefusedError(str(exc)), exc.status)


def load_listing(conn, description):
    """Return the Listing of a group, fetching its links if need be."""
    listing = conn.catalogue.listing(description.address)
    if listing is None:
        _, text = conn.describe(conn.object(description), _SELF, _ffi.DESCRIBE_LINKS)
        objects, _ = parse(text)
        listing = conn.catalogue.remember_listing(description.address, objects[0].get("links", ()))
    return listing


def load_children(conn, description, listing, with_attributes):
    """Describe all children of a group in one call."""
    with_attributes = with_attributes or conn.remote
    if listing.children is not None and (listing.with_attributes or not with_attributes):
        return
    flags = _ffi.DESCRIBE_CHILDREN | (_WITH_VALUES if with_attributes else 0)
    _, text = conn.describe(conn.object(description), _SELF, flags)
    objects, types = parse(text)
    listing.fill({raw["address"]: raw for raw in objects[1:]}, types, with_attributes)


def load_tree(conn, description, with_attributes=False):
    """Describe everything below a group in one call."""
    if description.address in conn.catalogue.trees and not with_attributes:
        return
    with_attributes = with_attributes or conn.remote
    flags = _ffi.DESCRIBE_TREE | _ffi.DESCRIBE_LINKS | (_WITH_VALUES if with_attributes else 0)
    _, text = conn.describe(conn.object(description), _SELF, flags)
    conn.catalogue.remember_tree(text, with_attributes)


def _sorted_links(listing):
    return sorted(listing.links.values(), key=lambda link: encode(link["name"]))


def walk(conn, description, prefix="", seen=None, once=True):
    """Yield (path, link) of every link below a group, in name order, depth first.

    ``once``: only hard links, each object at most once, as ``visit`` does;
    otherwise every link, each group entered at most once.
    """
    if seen is None:
        seen = {description.address}
    stack = [(prefix, iter(_sorted_links(load_listing(conn, description))))]
    while stack:
        base, pending = stack[-1]
        link = next(pending, None)
        if link is None:
            stack.pop()
            continue
        hard = link["kind"] == "hard"
        new = hard and link["address"] not in seen
        if once and not new:
            continue
        path = base + link["name"]
        yield path, link
        if not new:
            continue
        seen.add(link["address"])
        below = conn.catalogue.listing(link["address"])
        if below is not None:
            stack.append((path + "/", iter(_sorted_links(below))))


def find_path(conn, address):
    """Return a path of the object at an address, None if no hard link leads to it."""
    root = root_description(conn)
    if address == root.address:
        return "/"
    load_tree(conn, root)
    for path, link in walk(conn, root):
        if link["address"] == address:
            return "/" + path
    return None


def root_description(conn):
    """Return the Description of the root group."""
    known = conn.catalogue.at_path("/")
    if known is None:
        opened, text = conn.describe(conn.file(), b"/", 0)
        objects, types = parse(text)
        known = conn.catalogue.description(objects[0], types, "/")
        conn.adopt(known, opened)
        conn.catalogue.remember_path("/", known)
    return known


class Group(HLObject, MappingHDF5):
    """A group: a mapping of names to groups, datasets and named types.

    ``g[name]`` takes names, paths with ``/`` and object references. Iteration
    is in the order of creation where the file tracks it, else by name.
    """

    __slots__ = ("_cached_listing",)

    def __init__(self, conn, description, name):
        super().__init__(conn, description, name)
        self._cached_listing = None

    # --- one object

    def __getitem__(self, name):
        """Open an object.

        Raises
        ------
        KeyError
            There is no such object.
        TypeError
            name is not a str, bytes or Reference.
        """
        listing = self._cached_listing
        if listing is not None and type(name) is str and name in listing.links and not self._conn.closed:
            description = self._child(self._desc, listing, name)
            if description is not None:
                return wrap(self._conn, description, join(self._name, (name,)))
        return self._slow_getitem(name)

    def _slow_getitem(self, name):
        if isinstance(name, Reference):
            return referenced(self._conn, name)
        if not isinstance(name, (str, bytes)):
            raise TypeError(f"Accessing a group is done with bytes or str, not {type(name)}")
        conn, description, full = self._resolve(name)
        return wrap(conn, description, full)

    def _resolve(self, name):
        """Return a name or path below this group as Connection, Description, and path from the root."""
        conn = self._conn
        if conn.closed:
            raise ValueError("the file is closed")
        text = name.decode("utf-8", "surrogateescape") if isinstance(name, bytes) else name
        if not text:
            raise ObjectNotFoundError("Unable to open object (name parameter cannot be an empty string)")
        parts = split(text)
        absolute = text.startswith("/")
        start = root_description(conn) if absolute else self._desc
        full = join("/" if absolute else self._name, parts)
        description = start
        for part in parts:
            listing = conn.catalogue.listing(description.address) if description.kind == "group" else None
            description = self._child(description, listing, part) if listing is not None else None
            if description is None:
                return self._ask(start, parts, full)
        return conn, description, full

    def _child(self, group, listing, name):
        """Return the Description of a child of a listed group, None if the library must be asked."""
        known = self._conn.catalogue.child(listing, name)
        if known is None and listing.children is None and listing.links[name]["kind"] == "hard":
            listing.misses += 1
            if listing.iterating or listing.misses > _PATIENCE:
                load_children(self._conn, group, listing, False)
                known = self._conn.catalogue.child(listing, name)
        return known

    def _ask(self, start, parts, full):
        conn = self._conn
        known = conn.catalogue.at_path(full) if full is not None else None
        if known is not None:
            return conn, known, full
        if full is not None:
            loc, path = conn.file(), full
        else:
            loc, path = conn.object(start), "/".join(parts)
        try:
            opened, text = conn.describe(loc, encode(path), 0)
        except PermissionError as exc:
            raise _refused(exc) from None
        objects, types = parse(text)
        owner = conn.owner(opened) if "file" in objects[0] else conn
        if owner is not conn:
            full = None  # in its own file, found by a search
        known = owner.catalogue.description(objects[0], types, full)
        owner.adopt(known, opened)
        if full is not None:
            conn.catalogue.remember_path(full, known)
        return owner, known, full

    def get(self, name, default=None, getclass=False, getlink=False, elink_mode=None, elink_locking=None,
            elink_swmr=None):
        """Return an object, its class, or its link; ``default`` if there is none.

        Parameters
        ----------
        name : str, bytes or Reference
        default : object
        getclass : bool
            Return the class instead of the object.
        getlink : bool
            Return a HardLink, SoftLink or ExternalLink (or its class).
        elink_mode, elink_locking, elink_swmr : object
            As in h5py; they mean nothing here.
        """
        if getlink:
            try:
                link = self._link(name)
            except KeyError:
                return default
            if getclass:
                return links.LINK_CLASSES[link["kind"]]
            return links.make(link)
        try:
            if getclass:
                return type(self[name])
            return self[name]
        except KeyError:
            return default

    def _link(self, name):
        """Return the link of a name or path, not followed. KeyError if there is none."""
        conn = self._conn
        text = name.decode("utf-8", "surrogateescape") if isinstance(name, bytes) else name
        listing = conn.catalogue.listing(self._desc.address)
        if listing is not None and text in listing.links:
            return listing.links[text]
        if not text:
            raise ObjectNotFoundError("name parameter cannot be an empty string")
        if not split(text):
            return {"kind": "hard", "name": text}
        loc = conn.file() if text.startswith("/") else conn.object(self._desc)
        return json.loads(conn.text("clawh5_link", loc.id, encode(text)))

    def __contains__(self, name):
        """Tell whether a link of that name exists. Where a soft or external one leads is not looked at."""
        if self._conn.closed:
            return False
        if isinstance(name, Reference):
            return bool(name)
        encode(name)
        try:
            self._link(name)
        except (KeyError, TypeError):
            return False
        return True

    # --- all of them

    def _listing(self):
        listing = self._cached_listing
        if listing is None:
            listing = self._cached_listing = load_listing(self._conn, self._desc)
        return listing

    def __len__(self):
        if self._conn.closed:
            raise ValueError("the file is closed")
        return self._desc.raw["nlinks"]

    def __iter__(self):
        listing = self._listing()
        listing.iterating += 1
        try:
            for name in listing.links:
                yield decode(name)
        finally:
            listing.iterating -= 1

    def __reversed__(self):
        for name in reversed(self._listing().links):
            yield decode(name)

    def visit(self, func):
        """Call ``func(name)`` for every object below, once each, in name order.

        Soft and external links are not followed. Stops when func returns
        something other than None, and returns that.
        """
        return self._visit(True, lambda name, link: func(name))

    def visititems(self, func):
        """Call ``func(name, object)`` for every object below, as ``visit`` does."""
        return self._visit(True, lambda name, link: func(name, self[name]))

    def visit_links(self, func):
        """Call ``func(name)`` for every link below, each group entered once, in name order."""
        return self._visit(False, lambda name, link: func(name))

    def visititems_links(self, func):
        """Call ``func(name, link)`` for every link below, as ``visit_links`` does."""
        return self._visit(False, lambda name, link: func(name, links.make(link)))

    def _visit(self, once, call):
        load_tree(self._conn, self._desc)
        for path, link in walk(self._conn, self._desc, once=once):
            result = call(decode(path), link)
            if result is not None:
                return result
        return None

    def tree(self, attributes=True):
        """Return everything below this group, fetched in one call.

        Parameters
        ----------
        attributes : bool
            Fetch attributes with their values too; those that are left out are
            fetched when they are asked for.

        Returns
        -------
        Tree
            A mapping of path (below this group) to object, this group first
            under ``""``; printing it draws the tree.
        """
        from ._tree import Tree

        load_tree(self._conn, self._desc, with_attributes=attributes)
        return Tree(self)

    def read_many(self, requests, *, progress=None):
        """Read several selections at once.

        Parameters
        ----------
        requests : iterable of (dataset, selection)
            dataset: a Dataset or a path below this group; selection: what
            ``dataset[...]`` takes.
        progress : callable, optional
            Called with (bytes done, bytes total) of the current read.

        Returns
        -------
        list of what ``dataset[selection]`` gives
        """
        from ._read import read_many

        pairs = [(self[d] if isinstance(d, (str, bytes)) else d, s) for d, s in requests]
        return read_many(pairs, progress)

    def require_group(self, name):
        """Return the group of a name.

        Raises
        ------
        TypeError
            There is another object of that name.
        io.UnsupportedOperation
            There is none: files are not written.
        """
        return self._required(name, Group)

    def require_dataset(self, name, shape, dtype, exact=False, **kwds):
        """Return the dataset of a name, if it has the shape and a dtype that holds the one that is asked for.

        Parameters
        ----------
        name : str or bytes
        shape : int or tuple of int
        dtype : dtype
        exact : bool
            The dtype is to be the same.

        Raises
        ------
        TypeError
            The object of that name is not a dataset, or another one.
        io.UnsupportedOperation
            There is none: files are not written.
        """
        dataset, dtype = self._required(name, Dataset), np.dtype(dtype)
        if "maxshape" not in kwds and dataset.shape != ((shape,) if isinstance(shape, int) else tuple(shape)):
            raise TypeError(f"Shapes do not match (existing {dataset.shape} vs new {shape})")
        if dtype != dataset.dtype if exact else not np.can_cast(dtype, dataset.dtype):
            raise TypeError(f"Datatypes cannot be safely cast (existing {dataset.dtype} vs new {dtype})")
        return dataset

    def _required(self, name, cls):
        if name not in self:
            refuse_writing()
        found = self[name]
        if not isinstance(found, cls):
            raise TypeError(f"Incompatible object ({type(found).__name__}) already exists")
        return found

    def _repr_html_(self):
        from ._html import group_html

        return group_html(self)

    def __repr__(self):
        if not self:
            return "<Closed HDF5 group>"
        shown = "(anonymous)" if self.name is None else f'"{self.name}"'
        return f"<HDF5 group {shown} ({len(self)} members)>"

    __setitem__ = __delitem__ = create_group = create_dataset = create_dataset_like = refuse_writing
    create_virtual_dataset = build_virtual_dataset = refuse_writing
    move = copy = pop = popitem = clear = update = setdefault = refuse_writing


_CLASSES = {"group": Group, "dataset": Dataset, "datatype": Datatype}
