#!/usr/bin/python3
"""Runs the blocks of the tutorials as a reader would, from the top of each page to its end.

  console.py TOOL LIBRARY [PAGE…]

A ```console block has commands behind "$ " and, below each, what a terminal shows; a line "…" stands for any
number of lines, and "…" within a line for any characters. `$ cat FILE` of a file that is not there writes it.
A ```python block runs in the page's one Python program; "# needs: MODULE" leaves it out where there is none.
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def blocks(page):
    """(kind, first line's number, lines) of every fenced block."""
    lines = page.read_text().splitlines()
    start = kind = None
    for number, line in enumerate(lines, 1):
        if not line.startswith("```"):
            continue
        if start is None:
            start, kind = number, line.strip("`")
        else:
            yield kind, start + 1, lines[start:number - 1]
            start = None


def commands(first, lines):
    """(line number, command, lines shown) of a console block."""
    result = []
    for number, line in enumerate(lines, first):
        if line.startswith("$ "):
            result.append((number, line[2:], []))
        else:
            result[-1][2].append(line)
    return result


def pattern(shown):
    parts = []
    for line in shown:
        if line == "…":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*".join(map(re.escape, line.rstrip().split("…"))) + r"[ ]*\n")
    return "".join(parts) + (r"(?:\n)*" if shown and shown[-1] != "…" else r"(?:.*\n)*")


def run_command(command, shown, folder, environment):
    """What went wrong, or nothing."""
    name = command.removeprefix("cat ")
    if name != command and not (folder / name).exists():
        (folder / name).write_text("\n".join(shown) + "\n")
        return None
    done = subprocess.run(["sh", "-c", command.partition(" #")[0]], cwd=folder, env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=240)
    if done.returncode != 0:
        return f"exit code {done.returncode}:\n{done.stdout}"
    said = done.stdout if done.stdout.endswith("\n") or not done.stdout else done.stdout + "\n"
    if shown and not re.fullmatch(pattern(shown), said):
        return f"it printed:\n{said}"
    return None


def runnable(code):
    needs = re.match(r"# needs: (\w+)", code)
    return not needs or subprocess.run(["/usr/bin/python3", "-c", f"import {needs[1]}"],
                                       capture_output=True).returncode == 0


def check(page, tool, library):
    problems, count = [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "bin").mkdir()
        (folder / "bin/mgnn").symlink_to(tool)
        environment = {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}", "NO_COLOR": "1",
                       "MGNN_TRAIN_EPOCHS": "60", "COLUMNS": "200", "MGNN_LIBRARY": str(library),
                       "PYTHONPATH": str(ROOT / "python"), "MGNN_THREADS": "1"}
        code = ""
        for kind, first, lines in blocks(page):
            if kind == "console":
                for number, command, shown in commands(first, lines):
                    count += 1
                    problem = run_command(command, shown, folder, environment)
                    if problem:
                        problems.append(f"{page.name}:{number}: $ {command}\n{problem}")
            elif kind == "python" and runnable("\n".join(lines)):
                code += "\n".join(lines) + "\n"
                count += 1
        for left in folder.glob("*.pid"):  # of a page that stopped in the middle
            try:
                os.kill(int(left.read_text()), signal.SIGTERM)
            except ProcessLookupError:
                pass
        if code:
            done = subprocess.run(["/usr/bin/python3", "-c", code], cwd=folder, env=environment,
                                  text=True, capture_output=True, timeout=240)
            if done.returncode != 0:
                problems.append(f"{page.name}: Python blocks: {done.stderr}")
    return count, problems


def main():
    tool, library = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
    pages = [pathlib.Path(p) for p in sys.argv[3:]] or sorted((ROOT / "docs/tutorials").glob("*.md"))
    total, problems = 0, []
    for page in pages:
        count, found = check(page, tool, library)
        total += count
        problems += found
    print(*problems, sep="\n\n")
    print(f"{total} commands and blocks of {len(pages)} pages, {len(problems)} wrong")
    sys.exit(1 if problems or total == 0 else 0)


if __name__ == "__main__":
    main()
