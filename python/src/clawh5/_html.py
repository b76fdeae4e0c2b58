"""What notebooks show. Everything that comes from a file is escaped."""

from html import escape

_MAX_ROWS = 100
_MAX_VALUE = 120


def _row(*cells):
    return "<tr>" + "".join(f"<td style='text-align:left'>{c}</td>" for c in cells) + "</tr>"


def _table(rows):
    return f"<table>{''.join(rows)}</table>" if rows else ""


def _value(obj, name):
    try:
        shown = str(obj.attrs[name])
    except Exception as exc:  # one unreadable attribute must not hide the rest
        shown = f"({exc})"
    return escape(shown if len(shown) <= _MAX_VALUE else shown[:_MAX_VALUE] + " …")


def _attributes(obj):
    names = list(obj.attrs)
    if not names:
        return ""
    rows = [_row(escape(str(n)), _value(obj, n)) for n in names[:_MAX_ROWS]]
    return f"<details><summary>{len(names)} attributes</summary>{_table(rows)}</details>"


def _describe(obj):
    from .dataset import Dataset
    from .group import Group

    if isinstance(obj, Group):
        return f"group, {len(obj)} members"
    if not isinstance(obj, Dataset):
        return f"type {escape(_told(obj, 'dtype'))}"
    return escape(f"{_told(obj, 'shape')} {_told(obj, 'dtype')}")


def _told(obj, name):
    """Return a property as text, or why it cannot be told."""
    try:
        return str(getattr(obj, name))
    except (TypeError, ValueError, NotImplementedError) as exc:
        return f"({exc})"


def _child(group, name):
    link = group._link(name)
    if link["kind"] != "hard":
        return f"{link['kind']} link to {escape(str(link.get('target', '')))}"
    try:
        return _describe(group[name])
    except Exception as exc:  # one unreadable object must not hide the rest
        return escape(f"({exc})")


def group_html(group, title=None):
    """Return a group as a table of its members."""
    if not group:
        return escape(repr(group))
    names = list(group)
    rows = [_row(escape(str(n)), _child(group, n)) for n in names[:_MAX_ROWS]]
    if len(names) > _MAX_ROWS:
        rows.append(_row(f"… {len(names) - _MAX_ROWS} more", ""))
    return f"<div><b>{escape(title or repr(group))}</b>{_table(rows)}{_attributes(group)}</div>"


def file_html(file):
    """Return a file as its root group under its name and size."""
    if not file:
        return escape(repr(file))
    return group_html(file, f"{file.filename} ({file.size:,} bytes)")


def dataset_html(dataset):
    """Return a dataset as a table of its facts."""
    if not dataset:
        return escape(repr(dataset))
    rows = [_row(name, escape(_told(dataset, name)))
            for name in ("shape", "dtype", "chunks", "compression", "compression_opts", "nbytes")]
    return f"<div><b>{escape(str(dataset.name))}</b>{_table(rows)}{_attributes(dataset)}</div>"


def tree_html(tree):
    """Return a tree as preformatted text."""
    return f"<pre>{escape(str(tree))}</pre>"
