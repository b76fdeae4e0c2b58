"""Builds the shared library and puts it into the wheel.

The library comes from the source tree that this folder lies in, by its
scripts/build-library. CLAWH5_PREBUILT names a library to take instead.
"""

import os
import pathlib
import shutil
import subprocess
import sysconfig

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parent
LIBRARY = "libclawh5.so"


def build_library():
    """Build the library; return its path."""
    prebuilt = os.environ.get("CLAWH5_PREBUILT")
    if prebuilt:
        return pathlib.Path(prebuilt)
    if not (TREE / "go.mod").exists():
        raise SystemExit("clawh5 is built from its whole source tree; set CLAWH5_PREBUILT to a built library otherwise")
    subprocess.run([TREE / "scripts" / "build-library", TREE / "build"], check=True)
    return TREE / "build" / LIBRARY


class BuildWithLibrary(build_py):
    """Copies the library into the package that is being built."""

    def run(self):
        super().run()
        if self.editable_mode:
            build_library()  # found in build/ of the tree
            return
        target = pathlib.Path(self.build_lib) / "clawh5" / "lib"
        target.mkdir(parents=True, exist_ok=True)
        shutil.copy2(build_library(), target / LIBRARY)


class PlatformWheel(bdist_wheel):
    """Any Python 3, this platform only."""

    def get_tag(self):
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        return "py3", "none", platform


class BinaryDistribution(Distribution):
    def has_ext_modules(self):
        return True


setup(distclass=BinaryDistribution, cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": PlatformWheel})
