"""What ``Group.get(name, getlink=True)`` returns."""


class HardLink:
    """A link to an object of the same file."""

    def __repr__(self):
        return "<HardLink>"


class SoftLink:
    """A link that names a path of the same file.

    Attributes
    ----------
    path : str
        The path, absolute or relative to the link's group; may lead nowhere.
    """

    def __init__(self, path):
        self._path = str(path)

    @property
    def path(self):
        """The path (str)."""
        return self._path

    def __repr__(self):
        return f'<SoftLink to "{self.path}">'


class ExternalLink:
    """A link that names a path of another file.

    Attributes
    ----------
    filename, path : str
        The file, and the path in it; either may lead nowhere.
    """

    def __init__(self, filename, path):
        self._filename = str(filename)
        self._path = path

    @property
    def path(self):
        """The path in the file."""
        return self._path

    @property
    def filename(self):
        """The file, relative to this one's folder or absolute (str)."""
        return self._filename

    def __repr__(self):
        return f'<ExternalLink to "{self.path}" in file "{self.filename}"'


LINK_CLASSES = {"hard": HardLink, "soft": SoftLink, "external": ExternalLink}


def make(link):
    """Return the object for one member of "links" of a description."""
    kind = link["kind"]
    if kind == "hard":
        return HardLink()
    if kind == "soft":
        return SoftLink(link["target"])
    if kind == "external":
        return ExternalLink(link["file"], link["target"])
    raise TypeError("Unknown link type")
