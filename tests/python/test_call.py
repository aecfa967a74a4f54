"""Threads, progress, signals, fork, memory."""
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import mgnn
from conftest import ROOT, TOOL, random_arcs

LARGE = dict(n=3_000, arcs=200_000)


def large_graph(seed=0):
    return mgnn.Graph.from_edge_index(random_arcs(seed, **LARGE), num_nodes=LARGE["n"])


def in_another_process(code, **more):
    return subprocess.run([sys.executable, "-X", "dev", "-W", "error", "-c", code],
                          capture_output=True, text=True, timeout=120, cwd=ROOT,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, **more)


def test_threads_are_of_the_call():
    before = mgnn.get_num_threads()
    with mgnn.threads(3):
        assert mgnn.get_num_threads() == 3
        seen = []
        other = threading.Thread(target=lambda: seen.append(mgnn.get_num_threads()))
        other.start()
        other.join()
        assert seen and seen != [3]
        with mgnn.threads(1):
            assert mgnn.get_num_threads() == 1
        assert mgnn.get_num_threads() == 3
    assert mgnn.get_num_threads() == before
    mgnn.set_num_threads(2)
    try:
        assert mgnn.get_num_threads() == 2
    finally:
        mgnn.set_num_threads(0)
    for wrong in (-1, 1.5, True, None):
        with pytest.raises(mgnn.UsageError, match="threads"):
            mgnn.set_num_threads(wrong)


def test_threads_of_torch_are_left_alone():
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    mgnn.census(large_graph(), threads=1)
    mgnn.census(large_graph(), threads=2)
    assert torch.get_num_threads() == before


def test_many_threads_at_once():
    graphs = [mgnn.Graph.from_edge_index(random_arcs(i, 300, 4000), num_nodes=300)
              for i in range(8)]
    expected = [mgnn.census(graph, per="node").table for graph in graphs]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(3):
            for found, table in zip(pool.map(lambda g: mgnn.census(g, per="node", threads=2).table,
                                             graphs), expected):
                assert np.array_equal(found, table)


def test_the_interpreter_runs_on_during_a_call():
    graph, ticks, done = large_graph(), [0], threading.Event()

    def tick():
        while not done.is_set():
            ticks[0] += 1
            time.sleep(0.001)

    other = threading.Thread(target=tick)
    other.start()
    try:
        mgnn.null_model(graph, 2, threads=1)
    finally:
        done.set()
        other.join()
    assert ticks[0] > 20


def test_progress_is_told():
    class Enough(Exception):
        pass

    seen = []

    def told(*what):
        seen.append(what)
        if len(seen) == 3:
            raise Enough

    with pytest.raises(Enough):
        mgnn.null_model(large_graph(), 10_000, threads=1, progress=told)
    assert all(isinstance(label, str) and done <= total for label, done, total, note in seen)
    assert seen[0][1] <= seen[-1][1] <= 10_000


def test_exceptions_of_progress_end_the_call():
    def fail(label, done, total, note):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        mgnn.null_model(large_graph(), 10_000, threads=1, progress=fail)


def test_a_signal_interrupts():
    graph = large_graph()
    handler = signal.getsignal(signal.SIGINT)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        mgnn.null_model(graph, 100_000)
    assert signal.getsignal(signal.SIGINT) is handler
    assert mgnn.census(graph).total.sum() > 0


def test_handlers_of_others_are_respected():
    class Mine(Exception):
        pass

    def handle(number, frame):
        raise Mine

    before = signal.signal(signal.SIGALRM, handle)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(Mine):
            mgnn.null_model(large_graph(), 100_000)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_forked_child_works():
    done = in_another_process("""
import os, sys, numpy as np, mgnn
graph = mgnn.Graph.from_edge_index(np.random.default_rng(0).integers(0, 2000, (2, 100000)))
expected = mgnn.census(graph, threads=2).total.tolist()
child = os.fork()
if child == 0:
    os._exit(0 if mgnn.census(graph, threads=2).total.tolist() == expected else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
""")
    assert done.returncode == 0, done.stderr


def test_multiprocessing():
    done = in_another_process("""
import multiprocessing, numpy as np, mgnn

def count(graph):
    return mgnn.census(graph).total.tolist()

if __name__ == "__main__":
    graphs = [mgnn.Graph.from_edge_index(np.random.default_rng(i).integers(0, 50, (2, 300)))
              for i in range(6)]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(count, graphs) == [count(graph) for graph in graphs]
""")
    assert done.returncode == 0, done.stderr


def test_import_is_light():
    done = in_another_process("""
import sys, mgnn
for name in ("scipy", "networkx", "sklearn", "pandas", "torch", "tqdm"):
    assert name not in sys.modules, name
""")
    assert done.returncode == 0, done.stderr


def test_handles_do_not_grow():
    def work(times):
        for _ in range(times):
            graph = mgnn.Graph.from_edges([0, 1, 2], [1, 2, 0])
            graph.indices, mgnn.motif_matrices(graph, motifs=4)
            try:
                mgnn.census(graph, counting="wrong")
            except mgnn.UsageError:
                pass

    work(500)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    work(10_000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4000  # KiB


def test_results_are_not_copied():
    graph = mgnn.Graph.from_edge_index(random_arcs(0), num_nodes=40)
    vectors = mgnn.embed(graph, "hope", dimension=4)
    assert vectors.base is not None and vectors.flags.writeable
    vectors[:] = 0


def test_errors_can_be_pickled():
    import pickle
    error = pickle.loads(pickle.dumps(mgnn.DataError("a", "f.csv", 3)))
    assert (str(error), error.path, error.line) == ("a", "f.csv", 3)


def test_versions(capsys):
    mgnn.show_versions()
    assert f"version: {mgnn.__version__}" in capsys.readouterr().out
    assert mgnn.doctor()["threads"] >= 1


def test_the_module_is_the_tool(tool):
    path = os.pathsep.join([os.path.dirname(TOOL), os.environ["PATH"]])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PATH": path}
    done = subprocess.run([sys.executable, "-m", "mgnn", "--version"], capture_output=True,
                          text=True, env=environment)
    assert done.returncode == 0 and mgnn.__version__ in done.stdout
