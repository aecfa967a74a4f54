#!/usr/bin/python3
"""Puts the libraries that a wheel needs into it, as auditwheel does; needs patchelf, binutils and cc.

  repair_wheel.py WHEEL FOLDER     writes the repaired wheel into FOLDER

Everything but what every Linux has goes into mgnn/lib under a name of its own, so that no other
library of the process is taken for it. The few functions that Debian 12 has in a newer version than
manylinux_2_34 are taken in their older one, or from libmgnn_random.so (python/mgnn_random.c). The
platform in the wheel's name is that of the newest version of a symbol that anything in it needs.
"""
import hashlib
import os
import pathlib
import re
import shutil
import struct
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


# Versions that manylinux_2_34 lacks, what is used of them, and an older version of the same functions;
# None: there is no older one, and libmgnn_random.so has them.
NEWER = {
    "GLIBC_2.35": ({"hypot"}, "GLIBC_2.2.5"),  # differed in errno only
    "GLIBC_2.36": ({"arc4random", "arc4random_buf"}, None),
    # std::condition_variable::wait, since then without exceptions
    "GLIBCXX_3.4.30": ({"_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE"},
                       "GLIBCXX_3.4.11"),
}
RANDOM = "libmgnn_random.so"


def elf_hash(name):
    h = 0
    for byte in name:
        h = (h << 4) + byte
        h = (h ^ (h >> 24 & 0xf0)) & 0x0fffffff
    return h


class Versions:
    """The versions of symbols that a 64-bit file needs, to be changed in place."""

    SHT_DYNSYM, SHT_VERNEED, SHT_VERSYM = 11, 0x6ffffffe, 0x6fffffff

    def __init__(self, data):
        self.data = bytearray(data)
        assert self.data[:6] == b"\x7fELF\x02\x01", "a 64-bit little-endian file"
        start, = struct.unpack_from("<Q", data, 40)
        size, count = struct.unpack_from("<HH", data, 58)
        headers = [struct.unpack_from("<IIQQQQIIQQ", data, start + i * size) for i in range(count)]
        by_kind = {header[1]: header for header in headers}
        self.needs, self.versym, self.dynsym = (
            by_kind.get(kind) for kind in (self.SHT_VERNEED, self.SHT_VERSYM, self.SHT_DYNSYM))
        self.strings = headers[self.dynsym[6]][4:6]

    def string(self, offset):
        at = self.strings[0] + offset
        return bytes(self.data[at:self.data.index(0, at)])

    def auxiliaries(self):
        """Where each version is needed: (position, index of its symbols, name)."""
        at = self.needs[4] if self.needs else 0
        while at:
            _, count, _, auxiliary, following = struct.unpack_from("<HHIII", self.data, at)
            here = at + auxiliary
            for _ in range(count):
                _, _, index, name, step = struct.unpack_from("<IHHII", self.data, here)
                yield here, index & 0x7fff, self.string(name).decode()
                here += step
            at = at + following if following else 0

    def symbols(self, index):
        """Positions of the versions of all symbols with that one, and their names."""
        for i in range(self.dynsym[5] // 24):
            at = self.versym[4] + 2 * i
            if struct.unpack_from("<H", self.data, at)[0] & 0x7fff == index:
                name, = struct.unpack_from("<I", self.data, self.dynsym[4] + 24 * i)
                yield at, self.string(name).decode()

    def rename(self, at, old, new):
        """The version at `at`; its name is one that is there, or as long as the old one."""
        start, size = self.strings
        offset = self.data.find(new.encode() + b"\0", start, start + size) - start
        if offset < 0:
            assert len(new) == len(old), new
            offset, = struct.unpack_from("<I", self.data, at + 8)
            self.data[start + offset:start + offset + len(new)] = new.encode()
        struct.pack_into("<I", self.data, at, elf_hash(new.encode()))
        struct.pack_into("<I", self.data, at + 8, offset)

    def make_older(self):
        """Whether anything needs RANDOM now."""
        needs_random = False
        for at, index, name in list(self.auxiliaries()):
            known, older = NEWER.get(name, (set(), None))
            users = list(self.symbols(index))
            if not {user for _, user in users} <= known:
                continue  # which the wheel's platform will tell
            if older is None:
                needs_random = True
                for position, _ in users:
                    struct.pack_into("<H", self.data, position, 1)  # of any version
            self.rename(at, name, older or "GLIBC_2.2.5")
        return needs_random


def make_older(file):
    versions = Versions(file.read_bytes())
    if versions.make_older():
        run("patchelf", "--add-needed", RANDOM, file)  # which may move everything
        versions = Versions(file.read_bytes())
        versions.make_older()
    file.write_bytes(versions.data)


def platform_of(files):
    """(2, 34) for manylinux_2_34: by PEP 600, its systems have GCC 11's libstdc++."""
    used = "\n".join(run("objdump", "-T", file) for file in files)
    newest = max((int(a), int(b)) for a, b in re.findall(r"GLIBC_(\d+)\.(\d+)", used))
    runtime = max(map(int, re.findall(r"GLIBCXX_3\.4\.(\d+)", used)))
    return max(newest, (2, 34 + max(0, runtime - 29)))


def main(wheel, out):
    os.makedirs(out, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        run(sys.executable, "-m", "wheel", "unpack", "-d", folder, wheel)
        (root,) = pathlib.Path(folder).iterdir()
        library, tool = root / "mgnn/lib/libmgnn_c.so", root / "mgnn/bin/mgnn"
        new = vendor(collect([library, tool]), library.parent)
        redirect(tool, new, "$ORIGIN/../lib")
        for file in [library, *(library.parent / name for name in new.values())]:
            redirect(file, new, "$ORIGIN")
        for file in [tool, *library.parent.iterdir()]:
            make_older(file)
        run("cc", "-shared", "-fPIC", "-O2", "-Wall", "-Wl,-soname," + RANDOM, "-o",
            library.parent / RANDOM, pathlib.Path(__file__).with_name("mgnn_random.c"))
        major, minor = platform_of([tool, *library.parent.iterdir()])
        info = next(root.glob("*.dist-info/WHEEL"))
        tag = f"Tag: py3-none-manylinux_{major}_{minor}_x86_64"
        info.write_text(re.sub(r"Tag: py3-none-\w+", tag, info.read_text()))
        os.chmod(tool, 0o755)
        print(run(sys.executable, "-m", "wheel", "pack", "-d", out, root).strip())


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
