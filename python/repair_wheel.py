#!/usr/bin/python3
"""Puts the libraries that a wheel needs into it, as auditwheel does; needs patchelf and binutils.

  repair_wheel.py WHEEL FOLDER     writes the repaired wheel into FOLDER

Everything but what every Linux has goes into mgnn/lib under a name of its own, so that no other
library of the process is taken for it. The platform in the wheel's name is that of the newest
symbol version of the C library that anything in it needs.
"""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# What PEP 600 lets wheels expect of the system.
SYSTEM = re.compile(r"(libc|libm|libdl|librt|libpthread|libnsl|libutil|libresolv|libgcc_s|"
                    r"libstdc\+\+|libz|ld-linux-x86-64|linux-vdso)\.so")


def run(*command):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True,
                          text=True).stdout


def needed(file):
    return [name for name in run("patchelf", "--print-needed", file).split()
            if not SYSTEM.match(name)]


def collect(binaries):
    """All libraries that the binaries need, directly or not: name -> path."""
    found = {}
    for binary in binaries:
        for name, path in re.findall(r"(\S+) => (/\S+)", run("ldd", binary)):
            if not SYSTEM.match(name):
                found[name] = pathlib.Path(path)
    return found


def vendor(libraries, folder):
    """Copies under names with a checksum: name -> new name."""
    new = {}
    for name, path in sorted(libraries.items()):
        stem, _, rest = name.partition(".so")
        checksum = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
        new[name] = f"{stem}-{checksum}.so{rest}"
        shutil.copy(path, folder / new[name])
        os.chmod(folder / new[name], 0o755)
        run("patchelf", "--set-soname", new[name], folder / new[name])
    return new


def redirect(file, new, rpath):
    for name in needed(file):
        run("patchelf", "--replace-needed", name, new[name], file)
    run("patchelf", "--force-rpath", "--set-rpath", rpath, file)


def newest_glibc(files):
    versions = {tuple(map(int, v)) for file in files
                for v in re.findall(r"GLIBC_(\d+)\.(\d+)", run("objdump", "-T", file))}
    return max(versions)


def main(wheel, out):
    with tempfile.TemporaryDirectory() as folder:
        run(sys.executable, "-m", "wheel", "unpack", "-d", folder, wheel)
        (root,) = pathlib.Path(folder).iterdir()
        library, tool = root / "mgnn/lib/libmgnn_c.so", root / "mgnn/bin/mgnn"
        new = vendor(collect([library, tool]), library.parent)
        redirect(tool, new, "$ORIGIN/../lib")
        for file in [library, *(library.parent / name for name in new.values())]:
            redirect(file, new, "$ORIGIN")
        major, minor = newest_glibc([tool, *library.parent.iterdir()])
        info = next(root.glob("*.dist-info/WHEEL"))
        tag = f"Tag: py3-none-manylinux_{major}_{minor}_x86_64"
        info.write_text(re.sub(r"Tag: py3-none-\w+", tag, info.read_text()))
        os.chmod(tool, 0o755)
        print(run(sys.executable, "-m", "wheel", "pack", "-d", out, root).strip())


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
