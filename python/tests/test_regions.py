"""Region references lead where h5py says they do, and select what it reads."""
import clawh5
import h5py
import numpy as np
import pytest


@pytest.fixture
def regions(tmp_path):
    """A file of a (10, 20) dataset and region references of all kinds to it, as elements and as an attribute."""
    path = tmp_path / "regions.h5"
    with h5py.File(path, "w") as f:
        d = f.create_dataset("d", data=np.arange(200).reshape(10, 20), chunks=(4, 7))
        mask = np.zeros((10, 20), bool)
        mask[3, 4] = mask[7, 7] = True
        pieces = d.id.get_space()
        pieces.select_hyperslab((0, 0), (2, 2))
        pieces.select_hyperslab((5, 5), (2, 3), op=h5py.h5s.SELECT_OR)
        made = [d.regionref[1:3, 2:9], d.regionref[...], d.regionref[mask], d.regionref[[1, 4, 5], 3:5],
                d.regionref[0:10:2, 1:20:4], d.regionref[5, 5],
                h5py.h5r.create(d.id, b".", h5py.h5r.DATASET_REGION, pieces)]
        refs = f.create_dataset("refs", (len(made) + 1,), h5py.regionref_dtype)  # the last one stays null
        for i, ref in enumerate(made):
            refs[i] = ref
        d.attrs.create("r", d.regionref[2:4, ::3], dtype=h5py.regionref_dtype)
    return path


def told(reader, path):
    """What a reader tells of every reference that is not null."""
    out = []
    with reader.File(path, "r") as f:
        d = f["d"]
        for ref in [*f["refs"][()][:-1], d.attrs["r"]]:
            out.append((f[ref].name, d.regionref.shape(ref), tuple(map(int, d.regionref.selection(ref))),
                        d[ref].shape, d[ref].tolist()))
    return out


def test_regions_of_all_kinds_lead_to_the_same_elements(regions):
    assert told(clawh5, regions) == told(h5py, regions)


def test_a_null_region_reference_is_refused(regions):
    with clawh5.File(regions) as f:
        null = f["refs"][()][-1]
        assert not null
        for follow in (lambda: f[null], lambda: f["d"][null], lambda: f["d"].regionref.shape(null)):
            with pytest.raises(ValueError, match="null|Invalid"):
                follow()
