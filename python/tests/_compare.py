"""Compare two descriptions of one file (see _canon.py)."""
import re
from dataclasses import dataclass, field

from _canon import Absent, Failure


@dataclass
class Verdict:
    """What a comparison found; each entry is (path, aspect, text)."""
    wrong: list = field(default_factory=list)
    unsupported: list = field(default_factory=list)

    @property
    def word(self):
        return "wrong" if self.wrong else "unsupported" if self.unsupported else "equal"

    @property
    def reason(self):
        """The first unsupported thing without the numbers and names that make each file's text its own."""
        return generic(self.unsupported[0][2]) if self.unsupported else ""


def generic(text):
    text = re.sub(r"'[^']*'|\"[^\"]*\"", "…", text.split("\n")[0])
    return re.sub(r"0x[0-9a-fA-F]+|\d+", "N", text)[:160]


def compare(reference, ours, errors_allowed=False):
    """Where reference raised nothing must be equal; NotImplementedError of ours is unsupported.

    With errors_allowed any error of ours is right: only different data is wrong.
    """
    verdict = Verdict()
    if isinstance(ours, Failure) or isinstance(reference, Failure):
        _aspect(verdict, "", "open", reference, ours, errors_allowed)
        return verdict
    for path in reference.keys() | ours.keys():
        if path in reference and path in ours:
            _object(verdict, path, reference[path], ours[path], errors_allowed)
        elif path in reference:
            if not _failed_above(ours, path):
                verdict.wrong.append((path, "object", "we do not list it"))
        elif not _failed_above(reference, path):
            verdict.wrong.append((path, "object", "only we list it"))
    return verdict


def _object(verdict, path, reference, ours, errors_allowed):
    if any(isinstance(side.get("object"), Failure) for side in (reference, ours)):
        _aspect(verdict, path, "object", reference.get("object"), ours.get("object"), errors_allowed)
        return
    for aspect in reference.keys() | ours.keys():
        if aspect in reference and aspect in ours:
            _aspect(verdict, path, aspect, reference[aspect], ours[aspect], errors_allowed)
        elif not _failed_list(reference, ours):
            side = "we do not have it" if aspect in reference else "only we have it"
            verdict.wrong.append((path, aspect, side))


def _aspect(verdict, path, aspect, reference, ours, errors_allowed):
    if isinstance(reference, (Failure, Absent)) or isinstance(ours, Absent) or reference == ours:
        return
    if isinstance(ours, Failure):
        if ours.unsupported:
            verdict.unsupported.append((path, aspect, ours.text))
        elif not errors_allowed:
            verdict.wrong.append((path, aspect, f"{ours.kind}: {ours.text}; expected {reference!r:.300}"))
        return
    verdict.wrong.append((path, aspect, f"{ours!r:.400}; expected {reference!r:.400}"))


def _failed_list(*sides):
    return any(isinstance(side.get(name), Failure) for side in sides for name in ("attributes", "names", "link"))


def _failed_above(description, path):
    while path != "/":
        path = path.rpartition("/")[0] or "/"
        above = description.get(path, {})
        if any(isinstance(above.get(name), Failure) for name in ("object", "names", "link")):
            return True
    return False
