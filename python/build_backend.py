"""Builds the package for pip: setuptools, after CMake has built the library and the tool.

`pip install --no-build-isolation .` needs no network. The wheel is for any Python 3, and for the
kind of machine that it was built on. With MGNN_SYSTEM_LIBRARY set it is for any machine and holds
Python files only: the library is that of the system, as in Debian's package.
"""
import contextlib
import os
import pathlib
import re
import shutil
import subprocess

from setuptools.build_meta import *  # noqa: F403
from setuptools import build_meta
from wheel.bdist_wheel import bdist_wheel

ROOT = pathlib.Path(__file__).resolve().parent.parent
SYSTEM_LIBRARY = bool(os.environ.get("MGNN_SYSTEM_LIBRARY"))
VERSION = re.search(r"project\(mgnn VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


class PlatformWheel(bdist_wheel):
    """py3-none-PLATFORM: compiled, but by no interface of Python."""

    def finalize_options(self):
        self.distribution.has_ext_modules = lambda: not SYSTEM_LIBRARY  # platlib or purelib
        super().finalize_options()

    def get_tag(self):
        if SYSTEM_LIBRARY:
            return "py3", "none", "any"
        return "py3", "none", os.environ.get("MGNN_WHEEL_PLATFORM") or super().get_tag()[2]


def compiled():
    """The folder of a build: MGNN_BUILD_DIR as it is, or build/release, brought up to date."""
    if "MGNN_BUILD_DIR" in os.environ:
        return pathlib.Path(os.environ["MGNN_BUILD_DIR"])
    build = ROOT / "build/release"
    configure = ["cmake", "--preset", "release", "-DMGNN_BUILD_C=ON"]
    if not (build / "CMakeCache.txt").exists():
        configure.append("-DMGNN_BUILD_TESTS=OFF")
    jobs = str(len(os.sched_getaffinity(0)))
    subprocess.run(configure, cwd=ROOT, check=True)
    subprocess.run(["cmake", "--build", "--preset", "release", "-j", jobs, "--target", "mgnn_c",
                    "mgnn_cli"], cwd=ROOT, check=True)
    return build


@contextlib.contextmanager
def library_in_package():
    """The package has libmgnn_c.so and the tool while the wheel is made; nothing stale stays."""
    build, package = compiled(), ROOT / "python/mgnn"
    folders = [package / "lib", package / "bin", ROOT / "build/lib"]
    try:
        for file, folder in ((build / "lib/libmgnn_c.so", "lib"), (build / "bin/mgnn", "bin")):
            (package / folder).mkdir(exist_ok=True)
            copy = shutil.copy(file, package / folder)
            subprocess.run(["strip", "--strip-unneeded", copy], check=True)
        yield
    finally:
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with contextlib.nullcontext() if SYSTEM_LIBRARY else library_in_package():
        return build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    compiled()  # the package finds it in build/release
    return build_meta.build_editable(wheel_directory, config_settings, metadata_directory)
