"""What is known of the objects of one file: descriptions and group listings.

Files do not change while they are open (a changed one is an error), so what a
description has told stays true. A ``Catalogue`` belongs to one Connection.
"""

import gc
import json
import weakref
from collections import OrderedDict

from ._dtype import codec_of
from ._errors import ObjectNotFoundError
from ._lib import state

_LONG_TEXT = 64 << 10
_MAX_PATHS = 1024
_MAX_LISTINGS = 10_000


class lazy:
    """A property computed once an object. Without a lock, so that fork is safe."""

    def __init__(self, function):
        self._function = function
        self.__doc__ = function.__doc__

    def __set_name__(self, owner, name):
        self._name = name

    def __get__(self, obj, cls):
        if obj is None:
            return self
        value = obj.__dict__[self._name] = self._function(obj)
        return value


class Types:
    """The "types" of one description; codecs are made on demand."""

    __slots__ = ("_facts", "_codecs")

    def __init__(self, facts):
        self._facts = facts
        self._codecs = [None] * len(facts)

    def codec(self, index):
        codec = self._codecs[index]
        if codec is None:
            codec = self._codecs[index] = codec_of(self._facts[index])
        return codec

    def facts(self, index):
        return self._facts[index]


class Description:
    """One object: an OBJECT of a description.

    Attributes
    ----------
    raw : dict
        The OBJECT.
    types : Types
    kind : {'group', 'dataset', 'datatype', 'unknown'}
    address : int
    path : str or None
        Where it was found, from the root; None if it was opened otherwise.
    listing : Listing or None
        The listing of the group it was found in.
    handle : Handle or None
    """

    def __init__(self, raw, types, path=None, listing=None):
        self.raw, self.types, self.path, self.listing = raw, types, path, listing
        self.kind, self.address = raw["kind"], raw["address"]
        self.handle = None
        self.reader = None

    @lazy
    def codec(self):
        """Codec of the elements (dataset) or of the type itself (datatype)."""
        return self.types.codec(self.raw["type"])

    @lazy
    def facts(self):
        """The TYPE itself."""
        return self.types.facts(self.raw["type"])

    @lazy
    def shape(self):
        """Tuple of int; None for a null dataspace."""
        if self.raw["space"] == "null":
            return None
        return tuple(self.raw["shape"])

    @lazy
    def layout(self):
        return self.raw["layout"]

    @property
    def attributes(self):
        """Attribute name -> (ATTRIBUTE, Types); None while not known."""
        if self.listing is not None and self.listing.with_attributes:
            raw = self.listing.children.get(self.address)
            if raw is not None and raw is not self.raw and "error" not in raw:
                self.raw, self.types = raw, self.listing.types
                self.__dict__.pop("_attributes", None)
        return self._attributes

    @lazy
    def _attributes(self):
        listed = self.raw.get("attributes")
        if listed is None or (listed and "value" not in listed[0]):
            return None
        return {a["name"]: (a, self.types) for a in listed}

    def learn_attributes(self, raw, types):
        """Take the attributes of a later, fuller description of the same object."""
        self.__dict__["_attributes"] = {a["name"]: (a, types) for a in raw.get("attributes", ())}


class Listing:
    """The links of one group, and what is known of the objects behind them.

    Attributes
    ----------
    address : int
        Of the group.
    links : dict
        Name -> link, in the order in which h5py iterates.
    children : dict or None
        Address -> OBJECT of what hard links lead to.
    with_attributes : bool
        Those OBJECTs tell attributes and values.
    misses : int
        Children that were asked for one by one since.
    iterating : int
        Iterations under way.
    """

    def __init__(self, address, links):
        self.address = address
        self.links = {link["name"]: link for link in links}
        self.children = None
        self.types = None
        self.with_attributes = False
        self.misses = 0
        self.attribute_misses = 0
        self.iterating = 0

    def fill(self, children, types, with_attributes):
        self.types, self.children = types, children
        self.with_attributes = with_attributes


def parse(text):
    """Return the OBJECTs and the Types of a description."""
    collecting = len(text) > _LONG_TEXT and gc.isenabled()
    if collecting:
        gc.disable()  # it would look through the growing document again and again, which doubles the time
    try:
        document = json.loads(text)
    finally:
        if collecting:
            gc.enable()
    return document["objects"], Types(document["types"])


class Catalogue:
    """Everything known of one file."""

    def __init__(self):
        self._objects = weakref.WeakValueDictionary()
        self._paths = OrderedDict()
        self._listings = OrderedDict()
        self.trees = set()

    def description(self, raw, types, path=None, listing=None):
        """Return the Description of an OBJECT, the known one if there is one."""
        if "error" in raw:
            raise LookupError(raw["error"])
        known = self._objects.get(raw["address"])
        if known is None:
            known = self._objects[raw["address"]] = Description(raw, types, path, listing)
        return known

    def at_path(self, path):
        return self._paths.get(path)

    def remember_path(self, path, description):
        with state.lock:
            self._paths[path] = description
            if len(self._paths) > _MAX_PATHS:
                self._paths.popitem(last=False)

    def listing(self, address):
        return self._listings.get(address)

    def remember_listing(self, address, links):
        listing = Listing(address, links)
        with state.lock:
            self._listings[address] = listing
            if len(self._listings) > _MAX_LISTINGS:
                self._listings.popitem(last=False)
        return listing

    def remember_tree(self, text, with_attributes):
        """Learn a whole TREE description."""
        objects, types = parse(text)
        children = {raw["address"]: raw for raw in objects}
        for raw in objects:
            if "links" in raw:
                self.remember_listing(raw["address"], raw["links"]).fill(children, types, with_attributes)
        self.trees.add(objects[0]["address"])

    def child(self, listing, name):
        """Return the Description behind a name of a listing, None if it must be asked for.

        Raises
        ------
        KeyError
            The group has no such link.
        """
        link = listing.links.get(name)
        if link is None:
            raise ObjectNotFoundError(f"Unable to open object (object {name!r} doesn't exist)")
        if link["kind"] != "hard":
            return None
        known = self._objects.get(link["address"])
        if known is not None:
            return known
        raw = listing.children.get(link["address"]) if listing.children is not None else None
        if raw is None or "error" in raw:
            return None
        known = self._objects[raw["address"]] = Description(raw, listing.types, None, listing)
        return known
