"""Finds libmgnn_c.so and makes its functions ready to be called."""
from __future__ import annotations

import ctypes
import os
import pathlib
from typing import Any

from . import _abi

_NAME = "libmgnn_c.so"
_NOT_CHECKED = ("mgnn_abi_version", "mgnn_error")  # all others return a kind of error


def _places() -> list[str]:
    """MGNN_LIBRARY, the package itself, a build beside it, then where the system looks."""
    stated = os.environ.get("MGNN_LIBRARY")
    if stated:
        return [stated]
    package = pathlib.Path(__file__).resolve().parent
    build = package.parent.parent / "build/release/lib"
    ours = [str(p / _NAME) for p in (package / "lib", build) if (p / _NAME).exists()]
    return [*ours, f"{_NAME}.{_abi.ABI_VERSION}", _NAME]  # the system has the latter for compilers


def _load() -> ctypes.CDLL:
    tried = []
    for place in _places():
        try:
            return ctypes.CDLL(place)
        except OSError as error:
            tried.append(str(error))
    raise ImportError(f"mgnn cannot load its library; set MGNN_LIBRARY to the path of {_NAME}: "
                      + "; ".join(tried))


class Library:
    """The functions of the library, each declared when it is first used."""

    def __init__(self, check: Any) -> None:
        self._loaded, self._check = _load(), check

    def __getattr__(self, name: str) -> Any:
        if name not in _abi.FUNCTIONS:
            raise AttributeError(name)
        result, *arguments = _abi.FUNCTIONS[name]
        function = getattr(self._loaded, name)
        function.restype, function.argtypes = result, arguments
        if result is not None and name not in _NOT_CHECKED:
            function.errcheck = self._check
        setattr(self, name, function)
        return function


def open_library(check: Any) -> Library:
    library = Library(check)
    version = library.mgnn_abi_version()
    if version != _abi.ABI_VERSION:
        raise ImportError(f"{library._loaded._name} has version {version} of the interface, this "
                          f"package needs {_abi.ABI_VERSION}: install them together")
    return library
