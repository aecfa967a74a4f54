"""Declarations, types and examples."""
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

from conftest import ROOT

EXAMPLES = sorted((ROOT / "examples/python").glob("*.py"))


def test_declarations_are_those_of_the_header():
    done = subprocess.run([sys.executable, ROOT / "python/generate_abi.py", "--check"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_sizes_of_structs_are_those_of_the_compiler(tmp_path):
    import ctypes
    from mgnn import _abi
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler here")
    kinds = [name for name, kind in vars(_abi).items()
             if isinstance(kind, type) and issubclass(kind, ctypes.Structure)
             and kind is not ctypes.Structure]
    rows = []
    for name in kinds:
        rows.append(f'printf("{name} %zu\\n", sizeof(mgnn_{name}));')
        rows += [f'printf("{name}.{field} %zu\\n", offsetof(mgnn_{name}, {field}));'
                 for field, _ in getattr(_abi, name)._fields_]
    (tmp_path / "sizes.c").write_text(
        '#include <stddef.h>\n#include <stdio.h>\n#include "c/mgnn_c.h"\n'
        "int main(void) {" + "\n".join(rows) + "}\n")
    subprocess.run([compiler, "-I", ROOT, tmp_path / "sizes.c", "-o", tmp_path / "sizes"],
                   check=True)
    printed = subprocess.run([tmp_path / "sizes"], capture_output=True, text=True, check=True)
    for line in printed.stdout.splitlines():
        name, number = line.split()
        kind, _, field = name.partition(".")
        kind = getattr(_abi, kind)
        assert int(number) == (getattr(kind, field).offset if field else ctypes.sizeof(kind)), line


def test_types():
    if shutil.which("mypy") is None:
        pytest.skip("mypy is not installed")
    done = subprocess.run(["mypy", "--strict", "--no-incremental", "--config-file",
                           ROOT / "pyproject.toml", ROOT / "python/mgnn"], capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("example", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_examples(example, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", example], capture_output=True, text=True, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    if done.returncode == 77:
        pytest.skip(done.stderr.strip() or "needs a package that is not installed")
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_there_are_examples():
    assert len(EXAMPLES) == 5
