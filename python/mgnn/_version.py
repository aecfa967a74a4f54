"""Versions of the library and of what it works with."""
from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ._call import document, library

_library: dict[str, Any] = document(library.mgnn_version)
__version__: str = _library["version"]


def doctor() -> dict[str, Any]:
    """What this machine has: threads, memory, instructions, optional libraries, data folders."""
    found: dict[str, Any] = document(library.mgnn_doctor)
    return found


def show_versions() -> None:
    """Prints versions, for reports of defects."""
    rows = {**_library, "python": sys.version.split()[0], "numpy": np.__version__}
    for name in ("scipy", "networkx", "sklearn", "pandas", "torch", "torch_geometric"):
        if name in sys.modules:
            rows[name] = getattr(sys.modules[name], "__version__", "?")
    for name, value in rows.items():
        print(f"{name}: {value}")
