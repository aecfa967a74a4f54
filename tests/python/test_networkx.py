import pytest

networkx = pytest.importorskip("networkx")

import mgnn
from mgnn import networkx as ours

UNDIRECTED = [networkx.karate_club_graph(), networkx.gnp_random_graph(60, 0.2, seed=1),
              networkx.path_graph(list("cabde")), networkx.complete_graph(7),
              networkx.empty_graph(4)]
DIRECTED = [networkx.gnp_random_graph(50, 0.15, seed=2, directed=True),
            networkx.DiGraph([("a", "b"), ("b", "a"), ("b", "c"), ("c", "a"), ("a", "a")]),
            networkx.complete_graph(6, networkx.DiGraph)]


@pytest.mark.parametrize("graph", UNDIRECTED)
def test_undirected(graph):
    for name in ("triangles", "clustering", "average_clustering", "transitivity",
                 "generalized_degree"):
        expected, found = getattr(networkx, name)(graph), getattr(ours, name)(graph)
        if isinstance(expected, dict) and name == "clustering":
            assert found == pytest.approx(expected, abs=1e-12)
        elif name == "generalized_degree":
            assert {n: {k: v for k, v in c.items() if v} for n, c in found.items()} == {
                n: {k: v for k, v in c.items() if v} for n, c in expected.items()}
        else:
            assert found == (expected if isinstance(expected, dict) else pytest.approx(expected))


@pytest.mark.parametrize("graph", DIRECTED)
def test_directed(graph):
    assert ours.clustering(graph) == pytest.approx(networkx.clustering(graph), abs=1e-12)
    assert ours.reciprocity(graph) == pytest.approx(networkx.reciprocity(graph))
    simple = networkx.DiGraph(graph)
    simple.remove_edges_from(list(networkx.selfloop_edges(simple)))
    assert ours.triadic_census(graph) == networkx.triadic_census(simple)
    with pytest.raises(mgnn.UsageError, match="undirected"):
        ours.triangles(graph)


def test_some_nodes():
    graph = UNDIRECTED[0]
    assert ours.triangles(graph, 0) == networkx.triangles(graph, 0)
    assert ours.triangles(graph, [0, 5]) == networkx.triangles(graph, [0, 5])
    assert ours.clustering(graph, 3) == pytest.approx(networkx.clustering(graph, 3))
    assert ours.average_clustering(graph, [1, 2]) == pytest.approx(
        networkx.average_clustering(graph, [1, 2]))
    assert ours.average_clustering(graph, count_zeros=False) == pytest.approx(
        networkx.average_clustering(graph, count_zeros=False))


def test_what_networkx_asks():
    backend, karate, directed = ours.backend, UNDIRECTED[0], DIRECTED[0]
    assert backend.can_run("triangles", (karate,), {}) is True
    assert backend.can_run("triadic_census", (directed,), {}) is True
    assert backend.can_run("triadic_census", (directed, None), {}) is True
    assert not backend.can_run("triangles", (directed,), {})  # networkx 3.2 asks so
    assert "undirected" in backend.can_run("triangles", (directed,), {})
    assert "multigraphs" in backend.can_run("clustering", (networkx.MultiGraph(),), {})
    assert "weights" in backend.can_run("clustering", (karate,), {"weight": "w"})
    assert "weights" in backend.can_run("clustering", (karate, None, "w"), {})
    assert "nodelist" in backend.can_run("triadic_census", (directed, [0]), {})
    large = networkx.gnp_random_graph(100, 0.9, seed=1)
    assert backend.should_run("triangles", (large,), {}) is True
    assert "pay" in backend.should_run("triangles", (karate,), {})
    converted = backend.convert_from_nx(karate, name="triangles", graph_name="G")
    assert converted.__networkx_backend__ == "mgnn"
    assert backend.triangles(converted) == networkx.triangles(karate)
    assert backend.convert_to_nx(converted) is karate
    import _mgnn_networkx_info
    info = _mgnn_networkx_info.get_info()
    assert all(callable(getattr(backend, name)) for name in info["functions"])


def test_dispatched_by_networkx():
    if not hasattr(networkx.utils, "backends"):
        pytest.skip(f"networkx {networkx.__version__} has no backends: 3.2 or later does")
    directed = networkx.gnp_random_graph(30, 0.2, seed=1, directed=True)
    found = networkx.triadic_census(directed, backend="mgnn")
    assert found == networkx.triadic_census(directed) and found == mgnn.triad_census(directed)
    found = networkx.triangles(UNDIRECTED[0], backend="mgnn")
    assert found == networkx.triangles(UNDIRECTED[0])
