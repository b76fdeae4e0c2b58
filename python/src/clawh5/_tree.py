"""A whole tree of objects at once."""

from collections.abc import Mapping

from ._connection import decode


class Tree(Mapping):
    """Everything below a group: path to object, in name order, the group first.

    ``str(tree)`` draws it.
    """

    def __init__(self, group):
        from .group import walk

        self._group = group
        self._links = list(walk(group._conn, group._desc))

    def __getitem__(self, path):
        return self._group[path] if path else self._group

    def __iter__(self):
        yield ""
        for path, _ in self._links:
            yield decode(path)

    def __len__(self):
        return 1 + len(self._links)

    def __str__(self):
        lines = [str(self._group.name)]
        for path in list(self)[1:]:
            lines.append("  " * (path.count("/") + 1) + path.rpartition("/")[2] + _facts(self[path]))
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self):
        from ._html import tree_html

        return tree_html(self)


def _facts(obj):
    from .dataset import Dataset
    from .group import Group

    if isinstance(obj, Group):
        return "/"
    try:
        if isinstance(obj, Dataset):
            return f"  {obj.shape}  {obj.dtype}" + (f"  chunks {obj.chunks}" if obj.chunks else "")
        return f"  type {obj.dtype}"
    except (TypeError, ValueError, NotImplementedError) as exc:
        return f"  ({exc})"
