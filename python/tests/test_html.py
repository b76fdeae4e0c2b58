"""What notebooks show is escaped and survives what cannot be read."""

import h5py
import pytest

import clawh5


@pytest.fixture
def f(tmp_path):
    path = tmp_path / "h.h5"
    with h5py.File(path, "w") as f:
        f["<b>&"] = [1, 2, 3]
        f["<b>&"].attrs["<i>"] = "<script>alert(1)</script>"
        f["g"] = h5py.SoftLink("/<u>")
        f.attrs["long"] = "x" * 10_000
        for i in range(150):
            f.create_group(f"many/{i}")
    with clawh5.File(path) as f:
        yield f


def test_nothing_of_the_file_is_markup(f):
    for shown in (f._repr_html_(), f["<b>&"]._repr_html_(), f.tree()._repr_html_()):
        assert "&lt;b&gt;&amp;" in shown
        assert not any(tag in shown for tag in ("<b>&", "<script>", "<u>", "<i>"))


def test_long_groups_and_values_are_cut(f):
    assert "50 more" in f["many"]._repr_html_()
    assert len(f._repr_html_()) < 5_000


def test_a_dataset_shows_its_facts(f):
    shown = f["<b>&"]._repr_html_()
    assert "(3,)" in shown and "int64" in shown and "1 attributes" in shown


def test_closed_objects_still_show_something(f):
    d = f["<b>&"]
    f.close()
    assert "Closed" in d._repr_html_() and "Closed" in f._repr_html_()
