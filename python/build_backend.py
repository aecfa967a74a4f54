"""Builds the package for pip: setuptools, after CMake has built the library and the tool.

`pip install --no-build-isolation .` needs no network. The wheel is for any Python 3, and for the
kind of machine that it was built on.
"""
import os
import pathlib
import re
import shutil
import subprocess

from setuptools.build_meta import *  # noqa: F403
from setuptools import build_meta
from wheel.bdist_wheel import bdist_wheel

ROOT = pathlib.Path(__file__).resolve().parent.parent
VERSION = re.search(r"project\(mgnn VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


class PlatformWheel(bdist_wheel):
    """py3-none-PLATFORM: compiled, but by no interface of Python."""

    def finalize_options(self):
        self.distribution.has_ext_modules = lambda: True  # so that it goes to platlib
        super().finalize_options()

    def get_tag(self):
        return "py3", "none", os.environ.get("MGNN_WHEEL_PLATFORM") or super().get_tag()[2]


def build_library():
    """Puts libmgnn_c.so and the tool into the package."""
    build = ROOT / "build/release"
    configure = ["cmake", "--preset", "release", "-DMGNN_BUILD_C=ON"]
    if not (build / "CMakeCache.txt").exists():
        configure.append("-DMGNN_BUILD_TESTS=OFF")
    jobs = str(len(os.sched_getaffinity(0)))
    for command in (configure, ["cmake", "--build", "--preset", "release", "-j", jobs,
                                "--target", "mgnn_c", "mgnn_cli"]):
        subprocess.run(command, cwd=ROOT, check=True)
    for file, folder in ((build / "lib/libmgnn_c.so", "lib"), (build / "bin/mgnn", "bin")):
        target = ROOT / "python/mgnn" / folder
        target.mkdir(exist_ok=True)
        shutil.copy(file, target)
        subprocess.run(["strip", "--strip-unneeded", target / file.name], check=True)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    build_library()
    return build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    build_library()
    return build_meta.build_editable(wheel_directory, config_settings, metadata_directory)
