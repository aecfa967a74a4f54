"""Pages of the documentation: `make site`. Nothing is fetched from anywhere.

The reference is written anew into docs/reference/: of the tool from its own help, of Python from docstrings,
of C and C++ from the headers.
"""
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
project = "mgnn"
copyright = "mgnn maintainers"
version = release = re.search(r"project\(mgnn VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = f"mgnn {version}"
html_copy_source = False
exclude_patterns = ["measured"]
myst_heading_anchors = 3
myst_enable_extensions = ["dollarmath"]
suppress_warnings = ["myst.header"]  # tables and measured blocks begin below a second heading
smartquotes = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
add_module_names = False
autodoc_mock_imports = ["networkx", "pandas", "scipy", "sklearn", "torch", "torch_geometric"]
sys.path.insert(0, str(ROOT / "python"))
TOOL = os.environ.get("MGNN_TOOL", str(ROOT / "build/release/bin/mgnn"))
REFERENCE = ROOT / "docs/reference"


def tool_page():
    """The help of every verb, as the tool prints it."""
    def help_of(*verb):
        return subprocess.run([TOOL, "help", *verb], check=True, capture_output=True, text=True,
                              env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}).stdout
    summary = help_of()
    page = ["# The tool", "What `mgnn help` prints.", f"```text\n{summary}```"]
    for verb in re.findall(r"^  (\w+)  ", summary.partition("\nFlags\n")[0], re.M):
        page += [f"## mgnn {verb}", f"```text\n{help_of(verb)}```"]
    return page


def headers_page(title, text, headers):
    page = [f"# {title}", text]
    for header in headers:
        page += [f"## {header}", f"```{{literalinclude}} ../../{header}\n:language: cpp\n```"]
    return page


def python_page():
    page = ["# Python, by name", "All names of `import mgnn`, then those of its other modules."]
    for module in ("mgnn", "mgnn.sklearn", "mgnn.torch", "mgnn.pyg", "mgnn.networkx", "mgnn.karateclub"):
        source = "mgnn._api" if module == "mgnn" else module
        page += [f"## {module}", f"```{{eval-rst}}\n.. automodule:: {source}\n   :members:\n```"]
    return page


def write_reference(_):
    REFERENCE.mkdir(exist_ok=True)
    public = re.findall(r'#include "(.+)"', (ROOT / "mgnn/mgnn.h").read_text())
    pages = {
        "tool": tool_page(),
        "python": python_page(),
        "c": headers_page("C, by name", "The header of the C interface, whole.", ["c/mgnn_c.h"]),
        "cpp": headers_page("C++, by name", "The public headers; each function's contract is above it.",
                            sorted(public)),
    }
    for name, page in pages.items():
        (REFERENCE / f"{name}.md").write_text("\n\n".join(page) + "\n")


def setup(app):
    app.connect("builder-inited", write_reference)
