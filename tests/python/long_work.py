"""Work that takes minutes, and its interruption by Ctrl-C; for test_interrupt.py and the bench.

  long_work.py NAME     says "begins", works, and says what became of it
"""
import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np

if "MGNN_INSTALLED" not in os.environ:
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

import mgnn


def dense_graph(n=5_000):
    joined = np.random.default_rng(0).random((n, n), np.float32) < 0.5
    return mgnn.Graph.from_edge_index(np.stack(np.nonzero(joined)), num_nodes=n)


def ring(n=20_000):
    nodes = np.arange(n)
    return mgnn.Graph.from_edges(nodes, (nodes + 1) % n, num_nodes=n, undirected=True)


def karate():
    return mgnn.load("karate")


WORK = {
    "census": (dense_graph, lambda graph: mgnn.census(graph, threads=1)),
    "roles": (dense_graph, lambda graph: mgnn.census(graph, per="role", threads=2)),
    "matrices": (dense_graph, lambda graph: mgnn.motif_matrices(graph, threads=2)),
    "null model": (ring, lambda graph: mgnn.null_model(graph, 10**6)),
    "training": (karate, lambda data: mgnn.train(data, epochs=10**9, patience=0)),
    "repetitions": (karate, lambda data: mgnn.train(data, epochs=10**9, patience=0, seeds=4,
                                                    threads=2)),
    "node2vec": (ring, lambda graph: mgnn.embed(graph, "node2vec", epochs=10**6)),
    "hope": (ring, lambda graph: mgnn.embed(graph, "hope", power_iterations=10**6)),
}


def work(name):
    prepare, run = WORK[name]
    data = prepare()
    print("begins", flush=True)
    try:
        run(data)
        outcome = "finished"
    except KeyboardInterrupt as interrupt:
        # The library's own interruption comes before Python's: without it the work ran to its end.
        ended = isinstance(interrupt.__context__, KeyboardInterrupt)
        outcome = "interrupted" if ended else "interrupted too late"
    print(outcome, time.monotonic(), flush=True)


def interrupted(name, after=0.5, timeout=100):
    """What became of that work in another process, and seconds from the signal to its end."""
    # What shells start in the background ignores SIGINT, and so would its children.
    with subprocess.Popen([sys.executable, __file__, name], stdout=subprocess.PIPE, text=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as child:
        try:
            assert child.stdout.readline() == "begins\n"
            time.sleep(after)
            sent = time.monotonic()
            child.send_signal(signal.SIGINT)
            output, _ = child.communicate(timeout=timeout)
        except BaseException:
            child.kill()
            raise
    outcome, ended = output.rsplit(maxsplit=1)
    return outcome, float(ended) - sent


if __name__ == "__main__":
    work(sys.argv[1])
