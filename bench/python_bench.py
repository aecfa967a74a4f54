#!/usr/bin/python3
"""The Python package beside what it is compared with; agreement first, then times in turns.

  python_bench.py [TRIALS]     needs networkx, SciPy and torch; MGNN_DATA_DIR for PubMed
"""
import os
import pathlib
import resource
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests/python")]

import networkx
import numpy as np
import torch

import mgnn
from mgnn import _abi
from mgnn._call import byref, library, pointer, struct
from mgnn.torch import MGNN, MotifOperators, SparseFeatures
from long_work import WORK, interrupted

TRIALS = int(sys.argv[1]) if len(sys.argv) > 1 else 5


def best(*functions, trials=TRIALS):
    """The minimum of the seconds of each, run in turns."""
    seconds = [[] for _ in functions]
    for _ in range(trials):
        for function, of in zip(functions, seconds):
            started = time.perf_counter()
            function()
            of.append(time.perf_counter() - started)
    return [min(of) for of in seconds]


def ratio(name, value):
    print(f"ratio {name} {value:.4g}", flush=True)


def census():
    graph = networkx.gnm_random_graph(3000, 30_000, seed=1, directed=True)
    assert mgnn.triad_census(graph) == networkx.triadic_census(graph)
    ours, theirs = best(lambda: mgnn.triad_census(graph), lambda: networkx.triadic_census(graph))
    print(f"triad census, conversion included: {ours * 1e3:.1f} ms, networkx {theirs * 1e3:.0f} ms")
    ratio("networkx_census", theirs / ours)


class Gcn(torch.nn.Module):
    """Two layers of 16 in plain torch."""

    def __init__(self, adjacency, columns, classes):
        super().__init__()
        self.adjacency = adjacency
        self.first = torch.nn.Linear(columns, 16)
        self.second = torch.nn.Linear(16, classes)

    def forward(self, x, _):
        dropout = torch.nn.functional.dropout
        h = torch.relu(self.adjacency @ self.first(dropout(x, 0.5, self.training)))
        return self.adjacency @ self.second(dropout(h, 0.5, self.training))


def one_epoch(network, x, graph, y, train):
    optimiser = torch.optim.Adam(network.parameters(), lr=0.01)

    def epoch():
        network.train()
        optimiser.zero_grad()
        torch.nn.functional.cross_entropy(network(x, graph)[train], y[train]).backward()
        optimiser.step()

    epoch()
    return epoch


def torch_epochs():
    data = mgnn.load("pubmed")
    dense = torch.from_numpy(np.ascontiguousarray(data.x.toarray(), dtype=np.float32))
    y, train = torch.from_numpy(np.array(data.y, np.int64)), torch.arange(0, data.num_nodes, 2)
    operators = MotifOperators(data.graph)
    torch.manual_seed(0)
    networks = [MGNN(dense.shape[1], len(data.class_names), backend=b)
                for b in ("native", "torch")]
    networks[1].load_state_dict(networks[0].state_dict())
    outputs = [network.eval()(dense, operators) for network in networks]
    assert torch.allclose(*outputs, rtol=1e-3, atol=1e-4)
    gcn = Gcn(operators.adjacency.tensor(dense), dense.shape[1], len(data.class_names))
    rows = {"MGNN, sparse features": (networks[0], SparseFeatures(data.x)),
            "MGNN, dense features": (networks[0], dense),
            "MGNN in plain torch": (networks[1], dense), "GCN in plain torch": (gcn, dense)}
    epochs = [one_epoch(network, x, operators, y, train) for network, x in rows.values()]
    seconds = dict(zip(rows, best(*epochs)))
    for name, of in seconds.items():
        print(f"an epoch on PubMed, {name}: {of * 1e3:.0f} ms")
    sparse, native, plain, gcn_seconds = seconds.values()
    ratio("torch_epoch_sparse", plain / sparse)
    ratio("torch_epoch_dense", plain / native)
    ratio("gcn_epoch_sparse", gcn_seconds / sparse)
    ratio("gcn_epoch_dense", gcn_seconds / native)


def call_overhead():
    graph = mgnn.Graph.from_edges([(0, 1), (1, 2), (2, 0)])
    count, times = np.zeros(16, np.int64), 100
    at, call = pointer(count), struct(_abi.call, threads=1)
    raw_call = byref(call)

    def raw():
        for _ in range(times):
            library.mgnn_triad_census(raw_call, graph._handle, at)

    def ours():
        for _ in range(times):
            mgnn.triad_census(graph)

    def smallest():
        for _ in range(times):
            library.mgnn_graph_get_info(graph._handle, info)

    information = struct(_abi.graph_info)
    info = byref(information)
    with mgnn.threads(1):
        raw_seconds, our_seconds, small = (
            s / times * 1e6 for s in best(raw, ours, smallest, trials=200 * TRIALS))
    print(f"a call: {small:.2f} µs by ctypes; a census of three nodes {raw_seconds:.2f} µs, "
          f"through the package {our_seconds:.2f} µs")
    ratio("call_overhead_us", our_seconds - raw_seconds)


def import_time():
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

    def run(code):
        return lambda: subprocess.run([sys.executable, "-c", code], check=True, env=environment)

    nothing, numpy, ours, used = best(*map(run, (
        "pass", "import numpy", "import mgnn", "import mgnn; mgnn.Graph")))
    print(f"import: mgnn {1e3 * (ours - nothing):.1f} ms; its first use "
          f"{1e3 * (used - ours):.0f} ms, of which NumPy {1e3 * (numpy - nothing):.0f} ms")
    ratio("import_ms", 1e3 * (ours - nothing))
    ratio("first_use_ms_without_numpy", 1e3 * (used - numpy))


def features():
    n = 500_000
    x = np.ones((n, 500), np.float32)  # 1 GB
    graph = mgnn.Graph.from_edges([], num_nodes=n)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    data = mgnn.Dataset(graph, x)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1e6
    assert np.shares_memory(data.x, x) or grown > 0.5
    print(f"1 GB of features: memory grows by {grown:.3f} GB")
    ratio("features_gb", grown)


def interruption():
    seconds = {}
    for name in WORK:
        outcome, seconds[name] = interrupted(name)
        assert outcome == "interrupted", name
    print("from Ctrl-C to its exception: " + ", ".join(
        f"{name} {1e3 * of:.0f} ms" for name, of in seconds.items()))
    ratio("interrupt_ms", 1e3 * max(seconds.values()))


if __name__ == "__main__":
    for part in (interruption, features, import_time, call_overhead, census, torch_epochs):
        part()
