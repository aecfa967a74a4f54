"""Bars on a terminal and in a notebook."""
import os
import pty
import re
import subprocess
import sys

import pytest

from conftest import ROOT

# Seconds on a fast machine: bars are for what takes long.
WORK = """
import numpy as np, mgnn
nodes = np.arange(60_000)
graph = mgnn.Graph.from_edges(nodes, (nodes + 1) % 60_000, num_nodes=60_000, undirected=True)
mgnn.null_model(graph, 30, threads=1, progress={progress})
"""


def environment():
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def seen_on_a_terminal(progress):
    """What the work writes to standard error, which is a terminal."""
    ours, its = pty.openpty()
    seen = b""
    with subprocess.Popen([sys.executable, "-c", WORK.format(progress=progress)], stderr=its,
                          cwd=ROOT, env=environment()) as child:
        os.close(its)
        try:
            while part := os.read(ours, 4096):
                seen += part
        except OSError:  # the other end is closed
            pass
    os.close(ours)
    assert child.returncode == 0, seen
    return seen.decode()


def test_a_terminal_has_a_bar_that_is_wiped():
    seen = seen_on_a_terminal(None)
    shown = [int(n) for n in re.findall(r"\rnull model \[#*\.*\] (\d+) %", seen)]
    assert len(shown) > 2 and shown == sorted(shown) and shown[-1] <= 100
    assert re.search(r"\r +\r$", seen)
    assert seen_on_a_terminal(False) == ""


def test_others_have_none_unless_asked_for():
    def seen(progress):
        done = subprocess.run([sys.executable, "-c", WORK.format(progress=progress)], check=True,
                              capture_output=True, text=True, cwd=ROOT, env=environment())
        assert done.stdout == ""
        return done.stderr

    assert seen(None) == ""
    assert "null model [" in seen(True)


def test_a_notebook_has_tqdm(tmp_path, monkeypatch):
    for name in ("tqdm", "ipykernel"):
        pytest.importorskip(name)
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    kernel = tmp_path / "kernels/ours/kernel.json"
    kernel.parent.mkdir(parents=True)
    kernel.write_text(f'{{"display_name": "ours", "language": "python", "argv": ["{sys.executable}", '
                      '"-m", "ipykernel_launcher", "-f", "{connection_file}"]}')
    notebook = nbformat.v4.new_notebook(cells=[
        nbformat.v4.new_code_cell(WORK.format(progress=how)) for how in ("None", "False")])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="ours",
                            resources={"metadata": {"path": str(tmp_path)}}).execute()
    told, silent = ("".join(output.get("text", "") for output in cell.outputs)
                    for cell in notebook.cells)
    assert "null model:" in told and "/30" in told
    assert silent == ""
