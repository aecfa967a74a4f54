#!/usr/bin/env python3
"""Small files, and pipes without an end, that would take much memory are refused before they do.

  small_files.py MGNN
"""
import bz2
import gzip
import lzma
import os
import pathlib
import subprocess
import sys
import tempfile

MIB = 1 << 20
MEMORY = 256 * MIB  # beyond twice the input
BEFORE = 64 * MIB   # of the program itself, its libraries and the loader
LINES = b"1 2\n" * (4 * MIB)  # 16 MiB


def header(nodes, entries):
    return f"%%MatrixMarket matrix coordinate pattern general\n{nodes} {nodes} {entries}\n".encode()


FILES = {
    "claims.mtx": (header(2147483647, 0), 3),
    "claims_entries.mtx": (header(2147483647, 9 * 10**18), 3),
    "most_claimed.mtx": (header(4194304, 0), 0),
    "trap.txt.bz2": (bz2.compress(LINES) * 84, 3),  # 1.3 GiB
    "trap.txt.gz": (gzip.compress(LINES) * 640, 3),  # 10 MB, 10 GiB
    "trap.txt.xz": (lzma.compress(LINES) * 640, 3),
}


def run(mgnn, words, feed=None):
    """Exit code (-signal), standard error and the maximum of memory."""
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen([mgnn, *words], stderr=errors, stdout=subprocess.DEVNULL,
                                   stdin=subprocess.PIPE if feed else subprocess.DEVNULL)
        try:
            while feed:
                process.stdin.write(feed)
        except BrokenPipeError:
            pass
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        return process.returncode, errors.read().decode(), usage.ru_maxrss * 1024


def check(name, wanted, most, outcome):
    code, errors, memory = outcome
    lines = [line for line in errors.splitlines() if not line.startswith("mgnn: warning")]
    print(f"{name}: code {code}, {memory // MIB} of {most // MIB} MiB: {errors.strip()}")
    return code == wanted and memory <= most and len(lines) == (1 if wanted else 0)


def main():
    mgnn = pathlib.Path(sys.argv[1]).resolve()
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for name, (content, code) in FILES.items():
            path = pathlib.Path(folder) / name
            path.write_bytes(content)
            most = 2 * len(content) + MEMORY + BEFORE
            good &= check(name, code, most, run(mgnn, ["info", "-q", str(path)]))
    for text in (b"y\n" * 32768, b"1 2\n" * 16384, b"\0" * 65536):
        outcome = run(mgnn, ["census", "-", "--max-memory", "600M"], text)
        good &= check(f"endless {text[:4]}", 1, 600 * MIB, outcome)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
