"""Packages that only some modules need."""
from __future__ import annotations

import importlib
from typing import Any

_DEBIAN = {"sklearn": "python3-sklearn", "torch_geometric": None}


def need(module: str) -> Any:
    """The module of another package, or an ImportError that says how to get it."""
    package = module.partition(".")[0]
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != package:
            raise
        debian = _DEBIAN.get(package, f"python3-{package}")
        where = f" (on Debian: apt install {debian})" if debian else ""
        raise ImportError(f"this part of mgnn needs {package}, which is not installed{where}",
                          name=package) from None
