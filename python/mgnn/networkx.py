"""A backend for networkx (3.2 and later): `networkx.triadic_census(graph, backend="mgnn")`.

The functions can also be called as they are, with a graph of networkx or an `mgnn.Graph`.
"""
from __future__ import annotations

from collections import Counter
from typing import Any, Iterable

import numpy as np
from numpy.typing import NDArray

from ._call import UsageError
from .graph import Graph, as_graph
from .motifs import census, motif_matrices
from .motifs import triad_census as _triad_census

_WORTH = 2_000  # arcs from which converting pays

# 2 to the number of mutual pairs of M1 .. M7: how often networkx counts such a directed triangle.
_DIRECTED_TRIANGLES = 2 * np.array([1, 2, 4, 8, 1, 2, 2])


def _names(graph: Graph) -> list[Any]:
    return list(range(len(graph))) if graph.ids is None else list(graph.ids.tolist())


def _by_node(graph: Graph, values: Iterable[Any], nodes: Any) -> Any:
    """A dict for all nodes, or for some, or the value of a single one, as networkx does."""
    of = dict(zip(_names(graph), values))
    if nodes is None:
        return of
    try:
        if nodes in of:
            return of[nodes]
    except TypeError:
        pass  # a list of nodes
    return {node: of[node] for node in nodes if node in of}


def _require_undirected(graph: Graph, source: Any) -> None:
    directed = source.is_directed() if hasattr(source, "is_directed") else not graph.is_undirected
    if directed:
        raise UsageError("this is for undirected graphs")


def _triangles(graph: Graph) -> NDArray[np.int64]:
    """Mutual triangles of each node."""
    table = census(graph, counting="induced", per="node", progress=False).table
    assert table is not None
    return table[:, 3]


def triadic_census(G: Any, nodelist: Any = None) -> dict[str, int]:
    """The 16 kinds of three nodes of a directed graph."""
    if nodelist is not None:
        raise UsageError("nodelist is not implemented by mgnn; use networkx itself")
    return _triad_census(as_graph(G))


def triangles(G: Any, nodes: Any = None) -> Any:
    """Triangles of each node of an undirected graph."""
    graph = as_graph(G)
    _require_undirected(graph, G)
    return _by_node(graph, map(int, _triangles(graph)), nodes)


def _clustering(graph: Graph, directed: bool) -> NDArray[np.float64]:
    out = np.diff(graph.indptr)
    if not directed:
        possible, found = out * (out - 1), 2 * _triangles(graph)
    else:
        table = census(graph, counting="induced", per="node", progress=False).table
        assert table is not None
        reverse = graph.reversed()
        degree = out + np.diff(reverse.indptr)
        both = np.diff(graph.undirected().indptr)
        mutual = degree - both
        possible = 2 * (degree * (degree - 1) - 2 * mutual)
        found = table[:, :7] @ _DIRECTED_TRIANGLES
    shares = np.zeros(len(graph))
    np.divide(found, possible, out=shares, where=found > 0)
    return shares


def _is_directed(G: Any, graph: Graph) -> bool:
    return bool(G.is_directed()) if hasattr(G, "is_directed") else not graph.is_undirected


def clustering(G: Any, nodes: Any = None, weight: Any = None) -> Any:
    """Clustering coefficients, of directed graphs too; without weights."""
    if weight is not None:
        raise UsageError("weighted clustering is not implemented by mgnn; use networkx itself")
    graph = as_graph(G)
    values = map(float, _clustering(graph, _is_directed(G, graph)))
    return _by_node(graph, [value or 0 for value in values], nodes)


def average_clustering(G: Any, nodes: Any = None, weight: Any = None,
                       count_zeros: bool = True) -> float:
    """The mean of the clustering coefficients."""
    values = list(clustering(G, nodes, weight).values())
    if not count_zeros:
        values = [value for value in values if abs(value) > 0]
    return float(sum(values) / len(values))


def transitivity(G: Any) -> float:
    """The share of paths of two edges that are closed, of an undirected graph."""
    graph = as_graph(G)
    _require_undirected(graph, G)
    degree = np.diff(graph.indptr)
    paths = int((degree * (degree - 1)).sum())
    closed = 2 * int(_triangles(graph).sum())
    return closed / paths if closed else 0


def generalized_degree(G: Any, nodes: Any = None) -> Any:
    """For each node, how many of its edges are in how many triangles."""
    graph = as_graph(G)
    _require_undirected(graph, G)
    matrices = motif_matrices(graph, motifs=4, counting="induced", progress=False)
    rows: Any = np.split(matrices.counts(4), matrices.indptr[1:-1]) if len(graph) else []
    return _by_node(graph, [Counter(row.tolist()) for row in rows], nodes)


def reciprocity(G: Any, nodes: Any = None) -> float:
    """The share of arcs whose reverse is an arc."""
    if nodes is not None:
        raise UsageError("nodes is not implemented by mgnn; use networkx itself")
    graph = as_graph(G)
    arcs = graph.num_arcs + graph.dropped.loops
    if not arcs:
        raise UsageError("the graph has no arcs")
    mutual = 2 * graph.num_arcs - graph.undirected().num_arcs
    return mutual / arcs


# ---- what networkx calls

_PARAMETERS = {"triadic_census": ("G", "nodelist")}  # the others have G, nodes, weight


class _No(str):
    """A reason why not, which networkx 3.3 and later shows; 3.2 asks whether it is true."""

    def __bool__(self) -> bool:
        return False


class _Backend:
    """The functions, and what networkx needs to hand graphs over."""

    triadic_census = staticmethod(triadic_census)
    triangles = staticmethod(triangles)
    clustering = staticmethod(clustering)
    average_clustering = staticmethod(average_clustering)
    transitivity = staticmethod(transitivity)
    generalized_degree = staticmethod(generalized_degree)
    reciprocity = staticmethod(reciprocity)

    @staticmethod
    def convert_from_nx(graph: Any, **_: Any) -> Any:
        return _Converted(graph)

    @staticmethod
    def convert_to_nx(result: Any, **_: Any) -> Any:
        return result.source if isinstance(result, _Converted) else result

    @staticmethod
    def can_run(name: str, args: Any, kwargs: Any) -> Any:
        named = dict(zip(_PARAMETERS.get(name, ("G", "nodes", "weight")), args), **kwargs)
        graph = named["G"]
        if getattr(graph, "is_multigraph", lambda: False)():
            return _No("multigraphs are not implemented by mgnn")
        if named.get("weight") is not None:
            return _No("weights are not implemented by mgnn")
        if named.get("nodelist") is not None:
            return _No("nodelist is not implemented by mgnn")
        if name == "reciprocity" and named.get("nodes") is not None:
            return _No("nodes is not implemented by mgnn")
        directed = getattr(graph, "is_directed", lambda: False)()
        if directed and name in ("triangles", "transitivity", "generalized_degree"):
            return _No(f"{name} is for undirected graphs")
        return directed or name not in ("triadic_census", "reciprocity")

    @staticmethod
    def should_run(name: str, args: Any, kwargs: Any) -> Any:
        graph = args[0] if args else kwargs["G"]
        large = graph.number_of_edges() > _WORTH
        return large or _No(f"it has at most {_WORTH} edges, where converting does not pay")


class _Converted:
    """A graph of networkx and ours; networkx keeps it with the original."""

    __networkx_backend__ = "mgnn"

    def __init__(self, source: Any) -> None:
        self.source, self.graph = source, Graph.from_networkx(source)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "source":
            raise AttributeError(name)
        return getattr(self.source, name)


backend = _Backend()
