"""The examples of README.md and python/README.md run as they stand there, but for the names of files."""
import re
import subprocess

import clawh5
import h5py
import numpy as np
import pytest

from _env import BUILD, ROOT



def examples(language, path="README.md"):
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / path).read_text(), re.S)


@pytest.fixture
def sample(tmp_path):
    """A file with what the examples ask for; values count up."""
    path = tmp_path / "sample.h5"
    with h5py.File(path, "w") as f:
        f.attrs["title"] = "a sample"
        d = f.create_dataset("surface/t2m", data=np.arange(2 * 30 * 8, dtype="f4").reshape(2, 30, 8), chunks=(1, 30, 8))
        d.attrs["units"] = "K"
        f["x"] = np.arange(3 * 40, dtype="i4").reshape(3, 40)
        f["group/temperature"] = h5py.SoftLink("/surface/t2m")
    return path


def test_the_python_example_runs(sample, capsys):
    code, = examples("python")
    assert "http://127.0.0.1:8000/demo.h5" in code
    names = {"clawh5": clawh5}
    exec(code.replace("http://127.0.0.1:8000/demo.h5", str(sample)), names)
    expected = np.arange(2 * 30 * 8, dtype="f4").reshape(2, 30, 8)[0, 10:20, ::2]
    assert np.array_equal(names["values"], expected)
    assert "['group', 'surface', 'x'] a sample" in capsys.readouterr().out


def test_the_examples_of_the_package_run(sample, capsys):
    for code in examples("python", "python/README.md"):
        assert "https://example.org/data.nc" in code
        exec(code.replace("https://example.org/data.nc", str(sample)), {})
        shown = capsys.readouterr().out
        for expected in re.findall(r"^# (.*)$", code, re.M):
            assert expected in shown.splitlines()


def test_the_c_example_runs(sample, tmp_path):
    code, = examples("c")
    assert '"file.h5"' in code
    (tmp_path / "slice.c").write_text(code.replace('"file.h5"', f'"{sample}"'))
    program = tmp_path / "slice"
    subprocess.run(["gcc", "-Wall", "-Werror", "-o", program, tmp_path / "slice.c", f"-I{BUILD}/include", f"-L{BUILD}",
                    "-lclawh5", f"-Wl,-rpath,{BUILD}"], check=True)
    out = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    assert out == "10 ... 18\n"  # x[0, 10:20:2]
