"""What tools/faults and tools/kill-test share: commands on small inputs, and what they must leave.

A command runs in a copy of the folder that `prepare` makes: inputs, finished runs, and older outputs
that it is told to overwrite. What it leaves is compared with what an undisturbed run leaves, apart
from times.
"""
import dataclasses
import functools
import itertools
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

import served

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIMEOUT = 60
SERVE = ["--port", "0", "--no-token", "--workers", "1", "--json"]
SMALL = ["--patience", "0", "--profile", "none"]


@dataclasses.dataclass
class Command:
    name: str
    words: list
    older: list = dataclasses.field(default_factory=list)  # outputs that are there already
    run: str = ""          # folder of the run, which --resume continues
    prints_times: bool = False  # so that what it prints is never the same
    appends: tuple = ()    # outputs that grow line by line
    leave: tuple = ()      # of older outputs, what --force removes before the work begins


def training(name, data, flags, epochs, **more):
    words = ["train", data, "--epochs", str(epochs), "--checkpoint-every", "2", *SMALL, *flags,
             "-o", f"out/{name}"]
    return Command(name, words, run=f"out/{name}", **more)


def commands(epochs=1):
    """`epochs`: how many times longer trainings last than they must."""
    e = epochs
    return [
        training("node", "karate", ["--model", "gcn", "--log", "out/log.csv", "--report",
                                    "out/report.html", "--force"], 4 * e,
                 older=["out/log.csv", "out/report.html"]),
        training("graph", "triads", ["--model", "gin", "--folds", "3"], 2 * e),
        training("link", "toykg", ["--task", "link", "--model", "gcn", "--seeds", "2"], 3 * e),
        training("unsupervised", "karate", ["--task", "unsupervised", "--model", "gcn"], 4 * e),
        training("tables", "club-edges.tsv", ["--nodes", "club-nodes.csv", "--label-column",
                                              "label", "--model", "gcn"], 3 * e),
        training("forced", "karate", ["--model", "sage", "--force"], 2 * e,
                 leave=("out/forced/run.json",)),
        Command("resume", ["train", "--resume", "out/half"], run="out/half"),
        Command("predict", ["predict", "runs/node", "-o", "out/predictions.csv", "--force"],
                ["out/predictions.csv"]),
        Command("inspect", ["inspect", "runs/node"]),
        Command("explain", ["explain", "runs/node", "--node", "1", "-o", "out/why.html", "--force"],
                ["out/why.html"]),
        Command("explain-graph", ["explain", "runs/node", "--node", "2", "-o", "out/why.graphml"]),
        Command("plan", ["plan", "club-edges.tsv", "--ranks", "2,4"]),
        Command("serve", ["serve", "runs/node", *SERVE, "--log", "out/access.jsonl"],
                appends=("out/access.jsonl",)),
        Command("embed", ["embed", "club-edges.tsv", "--method", "hope", "--dimension", "4", "-o",
                          "out/z.npy", "--force"], ["out/z.npy"]),
        Command("embed-model", ["embed", "--model", "runs/unsupervised", "-o", "out/z.csv"]),
        Command("census", ["census", "club-edges.tsv", "--per-node", "out/nodes.csv", "--per-edge",
                           "out/edges.csv", "--force"], ["out/nodes.csv"]),
        Command("motifs", ["motifs", "club-edges.tsv", "-o", "out/m.npz", "--force"],
                ["out/m.npz"]),
        Command("motifs-folder", ["motifs", "club-edges.tsv", "-o", "out/matrices/", "--force"]),
        Command("motifs-new-folder", ["motifs", "club-edges.tsv", "-o", "out/new/"]),
        Command("convert", ["convert", "club-edges.tsv", "out/g.npz", "--force"], ["out/g.npz"]),
        Command("convert-text", ["convert", "club.npz", "out/g.tsv", "--force"], ["out/g.tsv"]),
        Command("info", ["info", "club-edges.tsv", "--json"]),
        Command("compare", ["compare", "karate", "--models", "gcn,hope", "--seeds", "2",
                            "--epochs", str(3 * e), *SMALL, "--folder", "out/compare"],
                run="out/compare", prints_times=True),
        Command("search", ["search", "karate", "--model", "gcn", "--trials", "3", "--epochs",
                           str(3 * e), *SMALL, "--folder", "out/search", "-o", "out/trials.csv",
                           "--force"], ["out/trials.csv"], run="out/search"),
        Command("rank", ["rank", "runs/link", "--top", "5", "-o", "out/rank.tsv", "--force"],
                ["out/rank.tsv"]),
        Command("generate", ["generate", "er", "--nodes", "30", "--arcs", "60", "-o",
                             "out/er.tsv", "--force"], ["out/er.tsv"]),
        Command("reproduce", ["reproduce", "expressiveness", "--smallest", "--results",
                              "out/results", "-o", "out/tables", "--report", "out/page.html",
                              "--force"], ["out/page.html"]),
    ]


class Program:
    """The tool, without network, threads or anything of the user."""

    def __init__(self, path):
        self.path = str(pathlib.Path(path).resolve())
        self.environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "LC_ALL": "C.UTF-8",
                            "MGNN_OFFLINE": "1", "MGNN_THREADS": "1", "XDG_CACHE_HOME": "/nonexistent",
                            "OMP_WAIT_POLICY": "passive"}

    def start(self, words, folder, **environment):
        out, err = open(folder / "stdout", "wb"), open(folder / "stderr", "wb")
        return subprocess.Popen([self.path, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=out,
                                stderr=err, env={**self.environment, **environment},
                                start_new_session=True)

    def run(self, words, folder, **environment):
        """The exit code, negative if a signal ended it; None: it hangs."""
        process = self.start(words, folder, **environment)
        if words[0] == "serve":
            try:
                return served.ask(process, folder, words[1].rsplit("/")[-1])
            except served.Hangs:
                return None
        try:
            return process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return None

    def must(self, words, folder):
        if self.run(words, folder) != 0:
            raise SystemExit(f"mgnn {' '.join(words)} failed: {(folder / 'stderr').read_text()}")


def prepare(program, folder, list_of_commands):
    """Inputs, finished runs and older outputs."""
    (folder / "out").mkdir(parents=True)
    for name in ("club-edges.tsv", "club-nodes.csv"):
        shutil.copy(ROOT / "examples" / name, folder)
    program.must(["convert", "club-edges.tsv", "club.npz"], folder)
    program.must(["train", "karate", "--model", "gcn", "--epochs", "3", *SMALL, "-o", "runs/node"],
                 folder)
    program.must(["train", "toykg", "--task", "link", "--model", "gcn", "--epochs", "2", *SMALL, "-o",
                  "runs/link"], folder)
    program.must(["train", "karate", "--task", "unsupervised", "--model", "gcn", "--epochs", "2",
                  *SMALL, "-o", "runs/unsupervised"], folder)
    program.must(["train", "karate", "--model", "gcn", "--epochs", "2", *SMALL, "-o", "out/forced"],
                 folder)
    program.must(["motifs", "club-edges.tsv", "-o", "out/matrices/", "--motifs", "1,2"], folder)
    begin_run(program, folder)
    for command in list_of_commands:
        for path in command.older:
            (folder / path).write_text(f"older {path}\n")


def begin_run(program, folder):
    """A run that was killed half-way."""
    words = ["train", "karate", "--model", "gcn", "--epochs", "4000", "--checkpoint-every", "3990",
             *SMALL, "-o", "out/half"]
    process = program.start(words, folder)
    while not (folder / "out/half/checkpoint-0.safetensors").exists() and process.poll() is None:
        time.sleep(0.0005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    for path in (folder / "out/half").glob("*.tmp"):
        path.unlink()
    if (folder / "out/half/run.json").exists():
        raise SystemExit("the run to resume was finished before it could be killed")


# ---- what is compared

TIMES = [
    (rb'nonce="[\w-]+"', rb'nonce="#"'),  # of the server's page, new for each answer
    (rb'"(\w{0,20}seconds\w{0,20}|time|peak_memory_bytes|date|(?:mgnn\.)?sha256|times)": ?(\{[^}]*\}|"[^"]*"|[^,}\s]+)', rb'"\1": #'),
    (rb"\b\d+(\.\d+)? ?(ns|\xc2\xb5s|us|ms|s|min|h|MB|MiB|GB|GiB|kB|KiB)\b", rb"#"),
    (rb"[\d.,]{1,12} ?\w{0,8} arcs/s", rb"#"),
    (rb"\b\d{4}-\d\d-\d\d\b( \d\d:\d\d UTC)?", rb"#"),
    (rb'("route":"models".{0,60}"bytes":)\d+', rb"\1#"),  # with the seconds of loading
]


@functools.lru_cache(maxsize=None)  # inputs are the same again and again
def without_times(data):
    for pattern, replacement in TIMES:
        data = re.sub(pattern, replacement, data)
    return data


def new_folder(work, numbers=itertools.count()):
    """A name for a copy of the inputs; all are of one length, since files hold them."""
    return work / f"{next(numbers):09}"


def tree(folder):
    """Content of all files below, without times and the folder's name; folders end in a slash."""
    content, here = {}, str(folder.resolve()).encode()
    for where, folders, files in os.walk(folder):
        base = os.path.relpath(where, folder)
        for name in folders:
            content[os.path.normpath(f"{base}/{name}") + "/"] = b""
        for name in files:
            path = os.path.normpath(f"{base}/{name}")
            if path not in ("stderr", "counts"):
                data = pathlib.Path(where, name).read_bytes().replace(here, b"/folder")
                if name.endswith(".html"):
                    data = re.sub(rb"mgnn (train|reproduce) [^<]*", b"command", data)
                binary = name.endswith((".npz", ".npy", ".png"))
                content[path] = data if binary else without_times(data)
    return content


def differences(found, expected):
    return [path for path in sorted(found.keys() | expected.keys())
            if found.get(path) != expected.get(path)]


def is_temporary(path):
    return path.rstrip("/").endswith(".tmp") or ".tmp/" in path


def is_checkpoint(command, path):
    return bool(command.run) and path.startswith(command.run + "/") and bool(
        re.search(r"-\d+\.safetensors$", path))


def damage(command, before, found, expected):
    """What an end before the end must not leave: sentences."""
    said = []
    for path in sorted(before.keys() | found.keys()):
        if path == "stdout" or is_checkpoint(command, path):
            continue
        now = found.get(path)
        if now is None:
            if path not in command.leave and path in expected:
                said.append(f"{path} is lost")
        elif path in command.appends and expected[path].startswith(now):
            continue
        elif now != before.get(path) and now != expected.get(path):
            if path not in before and path not in expected:
                said.append(f"{path} is left")
            else:
                said.append(f"{path} is neither the older nor the new one")
    return said


def again(command, folder):
    """The words that finish what was begun in the folder."""
    if command.words[1] == "--resume":
        return command.words
    if not command.run:
        writes = "-o" in command.words and "--force" not in command.words
        return command.words + (["--force"] if writes else [])
    begun = any((folder / command.run / name).exists() for name in ("config.toml", "plan.json"))
    finished = (folder / command.run / "run.json").exists()
    if not begun or finished or command.name == "forced":
        return command.words + ([] if "--force" in command.words else ["--force"])
    words = [command.words[0], "--resume", command.run]
    for flag in ("--log", "--report"):
        if flag in command.words:
            words += command.words[command.words.index(flag):][:2]
    if command.words[0] == "search":
        words += ["-o", "out/trials.csv"]
    return words + (["--force"] if "--force" in command.words else [])
