"""`python -m mgnn` is the tool."""
from __future__ import annotations

import os
import pathlib
import shutil
import sys


def _tool() -> str | None:
    package = pathlib.Path(__file__).resolve().parent
    for place in (package / "bin/mgnn", package.parent.parent / "build/release/bin/mgnn"):
        if place.exists():
            return str(place)
    found = shutil.which("mgnn")
    if found is not None:
        with open(found, "rb") as file:
            return found if file.read(4) == b"\x7fELF" else None  # not the script that calls this
    return None


def main() -> None:
    tool = _tool()
    if tool is None:
        sys.exit("the tool mgnn is not in this package, and not on the PATH")
    os.execv(tool, [tool, *sys.argv[1:]])


if __name__ == "__main__":
    main()
