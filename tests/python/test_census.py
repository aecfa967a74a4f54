import itertools
import re

import numpy as np
import pytest

import mgnn
from conftest import random_arcs


def induced_by_brute_force(graph):
    """Triads by networkx's codes, from the definition: isomorphism with the motif table's arcs."""
    motifs = {row["number"]: [tuple(map(int, arc)) for arc in row["arcs"]]
              for row in mgnn.motif_table()["motifs"]}
    number_of = {frozenset((p[a], p[b]) for a, b in arcs): k
                 for k, arcs in motifs.items() for p in itertools.permutations(range(3))}
    dense = np.zeros((len(graph), len(graph)), bool)
    dense[tuple(graph.edge_index())] = True
    table = np.zeros((len(graph), 13), np.int64)
    arcs = {}
    for nodes in itertools.combinations(range(len(graph)), 3):
        present = frozenset((a, b) for a in range(3) for b in range(3)
                            if dense[nodes[a], nodes[b]])
        if present in number_of:
            table[list(nodes), number_of[present] - 1] += 1
            for a, b in present:
                row = arcs.setdefault((nodes[a], nodes[b]), np.zeros(13, int))
                row[number_of[present] - 1] += 1
    return table, arcs


def test_per_node_and_arc_by_brute_force(graph):
    table, arcs = induced_by_brute_force(graph)
    found = mgnn.census(graph, counting="induced", per="node")
    assert np.array_equal(found.table, table)
    assert np.array_equal(found.total, table.sum(0) // 3)
    by_arc = mgnn.census(graph, counting="induced", per="arc").table
    for row, arc in zip(by_arc, graph.edge_index().T.tolist()):
        assert np.array_equal(row, arcs.get(tuple(arc), np.zeros(13, int)))


def test_roles_sum_to_nodes(graph):
    for counting in ("induced", "subgraph"):
        found = mgnn.census(graph, counting=counting, per="role")
        nodes = mgnn.census(graph, counting=counting, per="node")
        assert len(found.names) == 30 == len(set(found.names))
        motif_of = [int(re.match(r"M(\d+)", name)[1]) for name in found.names]
        summed = np.zeros_like(nodes.table)
        for column, motif in enumerate(motif_of):
            summed[:, motif - 1] += found.table[:, column]
        assert np.array_equal(summed, nodes.table)


def test_triads_against_networkx(graph):
    networkx = pytest.importorskip("networkx")
    expected = networkx.triadic_census(graph.to_networkx().to_directed())
    found = mgnn.triad_census(graph)
    assert {k: v for k, v in found.items()} == expected
    assert list(found) == list(networkx.algorithms.triads.TRIAD_NAMES)


def test_threads_do_not_matter(graph):
    one = mgnn.census(graph, threads=1, per="node")
    with mgnn.threads(3):
        three = mgnn.census(graph, per="node")
    assert np.array_equal(one.table, three.table)


def test_as_the_tool(tool_json, data_dir):
    for counting in ("subgraph", "induced"):
        expected = tool_json("census", "cora", "--counting", counting, "--data-dir", data_dir)
        found = mgnn.census(mgnn.load("cora", data_dir=data_dir), counting=counting)
        assert {f"M{k}": found[k] for k in range(1, 14)} == expected["motifs"]


def test_sets_of_graphs():
    graphs = [mgnn.Graph.from_edge_index(random_arcs(i, 10, 30), num_nodes=10) for i in range(5)]
    union = mgnn.Dataset.from_graphs(graphs)
    found = mgnn.census(union, per="graph")
    assert np.array_equal(found.table, [mgnn.census(g).total for g in graphs])
    with pytest.raises(mgnn.UsageError, match="one graph"):
        mgnn.census(graphs[0], per="graph")


def test_to_pandas(graph):
    pandas = pytest.importorskip("pandas")
    for per in (None, "node", "arc"):
        frame = mgnn.census(graph, per=per).to_pandas()
        assert isinstance(frame, (pandas.DataFrame, pandas.Series))
    assert list(mgnn.census(mgnn.Graph.from_edges([("a", "b")]), per="node").to_pandas().index) == [
        "a", "b"]


def test_results_are_fresh_and_writable(graph):
    found = mgnn.census(graph, per="node")
    found.table[:] = 7
    assert not np.array_equal(found.table, mgnn.census(graph, per="node").table) or not len(graph)


def test_null_model():
    graph = mgnn.Graph.from_edge_index(random_arcs(3, 60, 300), num_nodes=60)
    found = mgnn.null_model(graph, 20, seed=5)
    assert np.array_equal(found.observed, mgnn.census(graph, counting="induced").total)
    again = mgnn.null_model(graph, 20, seed=5, threads=1)
    assert all(np.array_equal(a, b) for a, b in zip(found, again))
    some = found.std > 0
    assert np.allclose(found.z[some], ((found.observed - found.mean) / found.std)[some])
    assert not np.array_equal(found.mean, mgnn.null_model(graph, 20, seed=6).mean)
    with pytest.raises(mgnn.UsageError):
        mgnn.null_model(graph, 1)
    assert ((found.p > 0) & (found.p <= found.q) & (found.q <= 1)).all()


def test_motif_features(graph):
    table = mgnn.census(graph, counting="induced", per="node").table
    features = mgnn.motif_features(graph)
    assert features.dtype == np.float32 and np.allclose(features, np.log1p(table))
    assert np.array_equal(mgnn.motif_features(graph, scale="none"), table)


def test_role_features(graph):
    assert mgnn.motif_features(graph, roles=True).shape == (len(graph), 30)
    assert mgnn.census(graph, per="role").to_pandas().shape == (len(graph), 30)


def test_refusals(graph):
    with pytest.raises(mgnn.UsageError, match="per is 'edge'"):
        mgnn.census(graph, per="edge")
    with pytest.raises(mgnn.UsageError, match="induced"):
        mgnn.census(graph, counting="inducd")
    with pytest.raises(mgnn.UsageError, match="published"):
        mgnn.census(graph, counting="published")
