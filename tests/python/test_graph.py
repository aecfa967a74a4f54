import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mgnn

pairs = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=40)


def arcs_of(graph):
    return set(map(tuple, graph.edge_index().T.tolist()))


@given(pairs)
@settings(deadline=None, max_examples=50)
def test_edges_are_a_set_without_loops(edges):
    graph = mgnn.Graph.from_edges(edges, num_nodes=10)
    expected = {(u, v) for u, v in edges if u != v}
    assert arcs_of(graph) == expected
    assert graph.num_arcs == len(expected)
    loops = sum(u == v for u, v in edges)
    assert graph.dropped.loops == loops
    assert graph.dropped.duplicates >= len(edges) - loops - len(expected)
    assert graph.is_undirected == all((v, u) in expected for u, v in expected)


@given(pairs)
@settings(deadline=None, max_examples=25)
def test_undirected_and_reversed(edges):
    graph = mgnn.Graph.from_edges(edges, num_nodes=10)
    arcs = arcs_of(graph)
    assert arcs_of(graph.reversed()) == {(v, u) for u, v in arcs}
    assert arcs_of(graph.undirected()) == arcs | {(v, u) for u, v in arcs}
    assert mgnn.Graph.from_edges(edges, num_nodes=10, undirected=True) == graph.undirected()
    assert graph.reversed().reversed() == graph


def test_ways_to_say_the_same_edges():
    source, target = [0, 1, 2, 2], [1, 2, 0, 3]
    expected = mgnn.Graph.from_edges(source, target)
    array = np.array([source, target])
    for same in (mgnn.Graph.from_edges(array), mgnn.Graph.from_edges(array.T),
                 mgnn.Graph.from_edges(zip(source, target)),
                 mgnn.Graph.from_edge_index(array.astype(np.int32)),
                 mgnn.Graph.from_edge_index(array.astype(np.uint16)),
                 mgnn.Graph.from_edge_index(np.asfortranarray(array)),
                 mgnn.Graph.from_edge_index(np.repeat(array, 2, axis=1)[:, ::2]),
                 mgnn.Graph.from_edges(array[0], array[1].astype(np.int32))):
        assert same == expected and hash(same) == hash(expected)
    assert expected != mgnn.Graph.from_edges(source, target, num_nodes=5)


def test_names():
    graph = mgnn.Graph.from_edges([("b", "a"), ("a", "ü"), ("ü", "b")])
    assert graph.ids.tolist() == ["b", "a", "ü"]
    assert arcs_of(graph) == {(0, 1), (1, 2), (2, 0)}
    assert graph.index_of(["ü", "b"]).tolist() == [2, 0]
    assert graph.index_of("a").tolist() == [1]
    with pytest.raises(KeyError, match="no node is called 'aa'"):
        graph.index_of(["aa"])
    stated = mgnn.Graph.from_edges(["x"], ["y"], ids=["y", "z", "x"])
    assert stated.edge_index().tolist() == [[2], [0]]
    with pytest.raises(KeyError, match="near are Alice"):
        mgnn.Graph.from_edges([("Alice", "Bob")]).index_of(["Alise"])


def test_any_hashable_is_a_name():
    graph = mgnn.Graph.from_edges([((0, 1), None), (None, frozenset([1])), (1, "1")])
    assert graph.ids.tolist() == [(0, 1), None, frozenset([1]), 1, "1"]
    assert graph.index_of([None, "1"]).tolist() == [1, 4]


def test_whole_numbers_with_gaps():
    graph = mgnn.Graph.from_edges([10**12, -5], [-5, 7], ids="infer")
    assert graph.ids.tolist() == [10**12, -5, 7]
    assert graph.num_nodes == 3
    assert graph.index_of([7]).tolist() == [2]


@pytest.mark.parametrize("call, message", [
    (lambda: mgnn.Graph.from_edges([0], [1, 2]), "1 sources and 2 targets"),
    (lambda: mgnn.Graph.from_edges(np.zeros((2, 2), int)), "by rows or by columns"),
    (lambda: mgnn.Graph.from_edges(np.zeros((3, 4), int)), r"\(3, 4\)"),
    (lambda: mgnn.Graph.from_edges([(0, 1, 2)]), "pairs"),
    (lambda: mgnn.Graph.from_edge_index(np.zeros((2, 3))), "whole numbers"),
    (lambda: mgnn.Graph.from_edge_index([[0], [5]], num_nodes=3), "5"),
    (lambda: mgnn.Graph.from_edge_index([[0], [-1]]), "-1"),
    (lambda: mgnn.Graph.from_edges(["a"], ["b"], num_nodes=5), "ids"),
])
def test_refusals(call, message):
    with pytest.raises(mgnn.UsageError, match=message) as caught:
        call()
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, mgnn.Error)


def test_ids_must_fit():
    with pytest.raises(ValueError, match="two nodes have the id 'a'"):
        mgnn.Graph.from_edges([], [], ids=["a", "b", "a"])
    with pytest.raises(ValueError, match="2 ids for 3 nodes"):
        mgnn.Graph.from_edges([], [], num_nodes=3, ids=["a", "b"])


def test_empty_graphs():
    for graph in (mgnn.Graph.from_edges([]), mgnn.Graph.from_edges([], [], num_nodes=0)):
        assert len(graph) == 0 and graph.edge_index().shape == (2, 0)
    lonely = mgnn.Graph.from_edges([], num_nodes=3)
    assert lonely.indptr.tolist() == [0, 0, 0, 0] and lonely.indices.tolist() == []
    assert mgnn.census(lonely).total.tolist() == [0] * 13


def test_views_are_read_only_and_outlive_the_graph(graph):
    indptr, indices = graph.indptr, graph.indices
    expected = indices.copy()
    with pytest.raises(ValueError):
        indptr[0] = 1
    assert graph.indptr is indptr
    assert not indices.flags.writeable
    del graph
    assert np.array_equal(indices, expected)


def test_scipy_both_ways(graph):
    sparse = pytest.importorskip("scipy.sparse")
    matrix = graph.to_scipy()
    assert np.shares_memory(matrix.indices, graph.indices) or not graph.num_arcs
    assert mgnn.Graph.from_scipy(matrix) == graph
    assert mgnn.Graph.from_scipy(matrix.tocoo()) == graph
    assert mgnn.Graph.from_scipy(sparse.csc_matrix(matrix)) == graph
    with_zero = sparse.csr_array(([0.0, 2.0], ([0, 1], [1, 2])), shape=(3, 3))
    assert arcs_of(mgnn.Graph.from_scipy(with_zero)) == {(1, 2)}
    with pytest.raises(mgnn.UsageError, match="square"):
        mgnn.Graph.from_scipy(sparse.csr_array((2, 3)))


def test_networkx_both_ways():
    networkx = pytest.importorskip("networkx")
    for source in (networkx.gnp_random_graph(30, 0.1, seed=1, directed=True),
                   networkx.karate_club_graph(), networkx.path_graph(list("cab")),
                   networkx.MultiDiGraph([(0, 1), (0, 1), (1, 1)])):
        graph = mgnn.Graph.from_networkx(source)
        back = graph.to_networkx()
        simple = networkx.Graph(source) if graph.is_undirected else networkx.DiGraph(source)
        simple.remove_edges_from(list(networkx.selfloop_edges(simple)))
        assert list(back) == list(source)
        assert set(back.edges) == set(simple.edges) or {frozenset(e) for e in back.edges} == {
            frozenset(e) for e in simple.edges}
    part = mgnn.Graph.from_networkx(networkx.path_graph(list("cab")), nodelist=["b", "a"])
    assert part.ids.tolist() == ["b", "a"] and part.num_arcs == 2
    with pytest.raises(mgnn.UsageError, match="nodelist"):
        mgnn.Graph.from_networkx(networkx.path_graph(3), nodelist=[0, 0])


def test_pandas():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"source": ["a", "b"], "target": ["b", "c"], "weight": [1, 2]})
    graph = mgnn.Graph.from_pandas(frame)
    assert graph.ids.tolist() == ["a", "b", "c"]
    with pytest.raises(mgnn.UsageError, match="no column 'to'; there are 'source'"):
        mgnn.Graph.from_pandas(frame, target="to")
    frame.loc[1, "target"] = None
    with pytest.raises(mgnn.UsageError, match="row 1"):
        mgnn.Graph.from_pandas(frame)


def test_dlpack_and_tensors():
    torch = pytest.importorskip("torch")
    edges = torch.tensor([[0, 1, 2], [1, 2, 0]])
    graph = mgnn.Graph.from_edge_index(edges)
    assert arcs_of(graph) == {(0, 1), (1, 2), (2, 0)}
    assert mgnn.Graph.from_edge_index(edges.t().contiguous().t()) == graph
    with pytest.raises(mgnn.UsageError, match="detach"):
        mgnn.Graph.from_edge_index(torch.zeros(2, 3, requires_grad=True))


def test_subgraph_keeps_names():
    graph = mgnn.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a")])
    part = graph.subgraph([0, 2])
    assert part.ids.tolist() == ["a", "c"] and arcs_of(part) == {(1, 0)}
    with pytest.raises(mgnn.UsageError, match="ascending"):
        graph.subgraph([2, 0])
    with pytest.raises(IndexError):
        graph.subgraph([7])


def test_copies_and_pickles(graph):
    assert copy.copy(graph) is graph and copy.deepcopy(graph) is graph
    for protocol in range(2, 6):
        assert pickle.loads(pickle.dumps(graph, protocol=protocol)) == graph
    buffers = []
    data = pickle.dumps(graph, protocol=5, buffer_callback=buffers.append)
    assert len(data) < 600
    other = pickle.loads(data, buffers=buffers)
    assert other == graph and other.dropped == graph.dropped
    named = mgnn.Graph.from_edges([("a", "b"), ("b", "c")])
    assert pickle.loads(pickle.dumps(named)) == named
    assert pickle.loads(pickle.dumps(named)).ids.tolist() == ["a", "b", "c"]


def test_summary(graph):
    summary = graph.summary()
    assert summary["nodes"] == len(graph) and summary["arcs"] == graph.num_arcs


def test_what_is_not_a_graph():
    with pytest.raises(mgnn.UsageError, match="a dict is not a graph"):
        mgnn.census({})
