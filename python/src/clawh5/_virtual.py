"""What virtual datasets are made of."""

import json
from collections import namedtuple

from .h5s import SpaceID


class VDSmap(namedtuple("VDSmap", ("vspace", "file_name", "dset_name", "src_space"))):
    """A mapping of a virtual dataset.

    Attributes
    ----------
    vspace, src_space : h5s.SpaceID
        The elements of the virtual dataset, and those of the source.
    file_name, dset_name : str
        The source; '.' is the file of the virtual dataset, '%b' stands for
        the number of a block.
    """

    __slots__ = ()


def mappings(dataset):
    """Return the VDSmaps of a virtual dataset."""
    layout = dataset._desc.layout
    if "mappings" not in layout:
        conn = dataset._conn
        _, text = conn.describe(conn.object(dataset._desc), b".", 0)
        layout = json.loads(text)["objects"][0]["layout"]
    return [VDSmap(SpaceID("simple", dataset.shape, dataset.maxshape, m["virtual"]), m["file"], m["dataset"],
                   SpaceID("simple", None, None, m["source"])) for m in layout["mappings"]]
