"""Declarations, types and examples."""
import ctypes
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

import pytest

from conftest import ROOT

EXAMPLES = sorted((ROOT / "examples/python").glob("*.py"))


def test_declarations_are_those_of_the_header():
    done = subprocess.run([sys.executable, ROOT / "python/generate_abi.py", "--check"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_sizes_of_structs_are_those_of_the_compiler(tmp_path):
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


def test_everything_is_loaded_at_its_first_use():
    code = """if True:
        import sys
        import mgnn
        assert "numpy" not in sys.modules and "ctypes" not in sys.modules
        assert not hasattr(mgnn, "nothing") and "numpy" in sys.modules
        import mgnn.runs, mgnn.embedding
        from mgnn import *
        missing = set(mgnn.__all__) - set(dir(mgnn)) | set(mgnn.__all__) - set(globals())
        assert not missing, missing
        assert embed is mgnn.embed and callable(embed) and mgnn.__version__
        assert all(getattr(mgnn, name) is not None for name in mgnn.__all__)
        print(len(mgnn.__all__))
        """
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True,
                          text=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert done.returncode == 0 and int(done.stdout) > 30, done.stderr


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


def repaired(wheel, folder, quiet):
    """The wheel with its libraries, which need what its platform promises and nothing newer."""
    subprocess.run([sys.executable, ROOT / "python/repair_wheel.py", wheel, folder / "out"], **quiet)
    (made,) = (folder / "out").glob("*.whl")
    version = pathlib.Path("/etc/debian_version")
    if version.exists() and version.read_text().startswith("12."):
        assert made.name.endswith("-manylinux_2_34_x86_64.whl")
    major, minor = map(int, re.search(r"manylinux_(\d+)_(\d+)_", made.name).groups())
    with zipfile.ZipFile(made) as archive:
        archive.extractall(folder / "files")
    files = [folder / "files/mgnn/bin/mgnn", *(folder / "files/mgnn/lib").iterdir()]
    assert len(files) > 10
    for file in files:
        told = subprocess.run(["readelf", "-VW", file], **quiet).stdout
        versions = re.findall(r"Name: GLIBC_(\d+)\.(\d+)", told)
        assert all((int(a), int(b)) <= (major, minor) for a, b in versions), file
    given = ctypes.CDLL(folder / "files/mgnn/lib/libmgnn_random.so")
    blocks = [ctypes.create_string_buffer(1 << 16) for _ in range(2)]
    for block in blocks:
        given.arc4random_buf(block, ctypes.c_size_t(len(block)))
    assert blocks[0].raw != blocks[1].raw and all(len(set(b.raw)) == 256 for b in blocks)
    return made


def test_installs_offline_and_makes_the_same_wheel_twice(tmp_path):
    build = pathlib.Path(os.environ.get("MGNN_LIBRARY", ROOT / "build/release/lib/x")).parent.parent
    if not (build / "lib/libmgnn_c.so").exists() or not (build / "bin/mgnn").exists():
        pytest.skip(f"no library and tool in {build}")
    try:
        import setuptools  # noqa: F401
        import venv
        import wheel  # noqa: F401
    except ImportError as error:
        pytest.skip(str(error))
    source = tmp_path / "source"
    shutil.copytree(ROOT / "python", source / "python",
                    ignore=shutil.ignore_patterns("__pycache__", "*.egg-info", "lib", "bin"))
    for name in ("pyproject.toml", "README.md", "LICENSE", "CMakeLists.txt"):
        shutil.copy(ROOT / name, source)
    environment = {**os.environ, "MGNN_BUILD_DIR": str(build), "SOURCE_DATE_EPOCH": "1700000000"}
    environment.pop("MGNN_LIBRARY", None)
    environment.pop("PYTHONPATH", None)
    venv.create(tmp_path / "venv", system_site_packages=True, with_pip=True)
    pip = [tmp_path / "venv/bin/pip", "--disable-pip-version-check", "--no-cache-dir"]
    quiet = dict(check=True, capture_output=True, text=True, env=environment)
    for name in ("a", "b"):
        subprocess.run([*pip, "wheel", "--no-index", "--no-deps", "--no-build-isolation", "-w",
                        tmp_path / name, source], **quiet)
    (one,), (other,) = ((tmp_path / name).glob("*.whl") for name in ("a", "b"))
    assert one.name.split("-")[2:4] == ["py3", "none"] and one.read_bytes() == other.read_bytes()
    if shutil.which("patchelf"):
        one = repaired(one, tmp_path, quiet)
    subprocess.run([*pip, "install", "--no-index", "--no-deps", one], **quiet)
    code = "import mgnn; print(mgnn.__file__, mgnn.census(mgnn.load('karate'))['M4'])"
    done = subprocess.run([tmp_path / "venv/bin/python", "-W", "error", "-c", code], cwd=tmp_path,
                          **quiet)
    place, count = done.stdout.split()
    assert place.startswith(str(tmp_path)) and count == "45"
    done = subprocess.run([tmp_path / "venv/bin/mgnn", "--version"], **quiet)
    assert done.stdout.startswith("mgnn ")
