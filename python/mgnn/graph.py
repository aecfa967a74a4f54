"""Directed graphs, fixed once made."""
from __future__ import annotations

import pickle
from ctypes import byref, c_int64, c_void_p
from typing import Any, Iterable, Mapping, NamedTuple, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _abi, _arrays
from ._call import Call, Handle, UsageError, borrowed, document, library, new, pointer, struct
from ._ids import Index, as_ids, id_array, node_numbers, number
from ._optional import need


class Dropped(NamedTuple):
    """What was left out when the graph was made."""

    loops: int
    duplicates: int


class Graph:
    """A directed graph of the nodes 0 .. num_nodes - 1, without loops and repeated arcs.

    An undirected graph is one in which every arc has its reverse. Graphs never change: any number
    of threads may use one, and a copy is the graph itself. Make one with `from_edges` and its
    kin, or read one with `mgnn.load`.
    """

    def __init__(self, handle: Handle, ids: NDArray[Any] | None = None) -> None:
        info = struct(_abi.graph_info)
        library.mgnn_graph_get_info(handle, byref(info))
        self._handle = handle
        self.num_nodes: int = info.num_nodes
        self.num_arcs: int = info.num_arcs
        self.is_undirected = bool(info.undirected)
        self.dropped = Dropped(info.loops_dropped, info.duplicates_dropped)
        self.fingerprint = f"{info.fingerprint:016x}"
        self.ids = self._stored_ids() if ids is None and info.ids != _abi.NO_IDS else ids
        self._index: Index | None = None
        self._rows: tuple[NDArray[np.int64], NDArray[np.int32]] | None = None

    # ---- made of other things

    @classmethod
    def from_edges(cls, source: Any, target: Any = None, *, num_nodes: int | None = None,
                   ids: Any = None, undirected: bool = False) -> Graph:
        """Of two sequences, of one array (E, 2) or (2, E), or of an iterable of pairs.

        Whole numbers are the nodes 0 .. n-1 themselves. Strings and other hashable objects become
        `ids`, in the order in which they are met; with `ids="infer"` so do whole numbers. With a
        sequence of `ids`, source and target are entries of it.
        """
        first, second = _arrays.ends(source, target)
        if ids is None and not _arrays.are_numbers(first, second):
            ids = "infer"
        if isinstance(ids, str) and ids == "infer":
            found, (first, second) = number(first, second)
            return cls._of_arcs(first, second, num_nodes, undirected, found)
        if ids is not None:
            names = as_ids(ids, len(ids) if num_nodes is None else num_nodes)
            index = Index(names)
            return cls._of_arcs(index(first), index(second), len(names), undirected, names)
        return cls._of_arcs(first, second, num_nodes, undirected, None)

    @classmethod
    def _of_arcs(cls, first: Any, second: Any, num_nodes: int | None, undirected: bool,
                 ids: NDArray[Any] | None) -> Graph:
        first, second, stride, kind = _arrays.strided_pair(first, second)
        if ids is not None and num_nodes is not None and len(ids) != num_nodes:
            raise UsageError(f"{len(ids)} different ids for num_nodes={num_nodes}; "
                             "name all nodes with ids=[...]")
        n = len(ids) if ids is not None else -1 if num_nodes is None else int(num_nodes)
        if num_nodes is not None and num_nodes < 0:
            raise UsageError(f"num_nodes is {num_nodes}; use 0 or more")
        handle = new("graph")
        with Call() as call:
            library.mgnn_graph_from_arcs(
                call, n, len(first), _arrays.address(first), _arrays.address(second), stride, kind,
                _abi.UNDIRECTED if undirected else 0, byref(handle))
        return cls(handle)._named(ids)

    @classmethod
    def from_edge_index(cls, edge_index: Any, *, num_nodes: int | None = None) -> Graph:
        """Of a (2, arcs) array of node numbers: NumPy, torch, or anything with DLPack."""
        array = _arrays.host(edge_index)
        if array.ndim != 2 or array.shape[0] != 2:
            raise UsageError(f"edge_index has the shape {array.shape}; it is (2, arcs)")
        _arrays.require_whole_numbers(array, "edge_index")
        return cls._of_arcs(array[0], array[1], num_nodes, False, None)

    @classmethod
    def from_scipy(cls, matrix: Any, *, ids: Any = None) -> Graph:
        """Of a square sparse matrix: its stored entries that are not zero are the arcs."""
        if matrix.shape[0] != matrix.shape[1]:
            raise UsageError(f"the matrix is {matrix.shape[0]} x {matrix.shape[1]}; an adjacency "
                             "matrix is square")
        rows = matrix.tocsr()
        if np.count_nonzero(rows.data) < rows.data.size:
            rows = rows.copy()
            rows.eliminate_zeros()
        return cls._of_rows(rows.indptr, rows.indices,
                            None if ids is None else as_ids(ids, matrix.shape[0]))

    @classmethod
    def _of_rows(cls, indptr: Any, indices: Any, ids: NDArray[Any] | None) -> Graph:
        indptr, indices = _arrays.index_array(indptr), _arrays.index_array(indices)
        handle = new("graph")
        with Call() as call:
            library.mgnn_graph_from_csr(
                call, len(indptr) - 1, pointer(indptr), indptr.itemsize, pointer(indices),
                indices.itemsize, 0, byref(handle))
        return cls(handle)._named(ids)

    @classmethod
    def from_networkx(cls, graph: Any, *, nodelist: Sequence[Any] | None = None) -> Graph:
        """Of a networkx graph; parallel edges become one. `nodelist`: order and choice of nodes."""
        if nodelist is not None:
            graph = graph.subgraph(nodelist)
        nodes = list(graph) if nodelist is None else list(nodelist)
        place = dict(zip(nodes, range(len(nodes))))
        if len(place) < len(nodes) or any(node not in graph for node in nodes):
            raise UsageError("nodelist has a node twice, or one that is not in the graph")
        start: list[int] = [0]
        column: list[int] = []
        rows = graph.adj
        for node in nodes:
            column.extend(map(place.__getitem__, rows[node]))
            start.append(len(column))
        trivial = nodes == list(range(len(nodes))) and all(type(v) is int for v in nodes[:1])
        return cls._of_rows(np.array(start), np.array(column, np.int64),
                            None if trivial else as_ids(nodes, len(nodes)))

    @classmethod
    def from_pandas(cls, frame: Any, source: str = "source", target: str = "target", *,
                    ids: Any = None, undirected: bool = False) -> Graph:
        """Of two columns of a pandas frame, or of anything with `__arrow_c_stream__`."""
        first, second = _arrays.frame_columns(frame, [source, target])
        return cls.from_edges(first, second, ids=ids, undirected=undirected)

    @classmethod
    def from_pyg(cls, data: Any) -> Graph:
        """Of a PyG `Data`."""
        return cls.from_edge_index(data.edge_index, num_nodes=data.num_nodes)

    # ---- what the nodes are called

    def _named(self, ids: NDArray[Any] | None) -> Graph:
        if ids is None:
            return self
        named, info, _keep = new("graph"), *_arrays.c_ids(ids)
        library.mgnn_graph_with_ids(self._handle, byref(info), byref(named))
        other = type(self)(named, ids)
        other.dropped = self.dropped
        return other

    def _stored_ids(self) -> NDArray[Any]:
        info = struct(_abi.ids)
        library.mgnn_graph_get_ids(self._handle, byref(info))
        return _arrays.python_ids(self._handle, info)

    def index_of(self, ids: Any) -> NDArray[np.int64]:
        """Numbers of the nodes that are called so; KeyError with near names for unknown ones."""
        if isinstance(ids, (str, int, np.integer)):
            ids = [ids]
        if self.ids is None:
            return node_numbers(ids, self.num_nodes)
        if self._index is None:
            self._index = Index(self.ids)
        return self._index(ids)

    # ---- its arrays

    def _out_rows(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        if self._rows is None:
            start, index = c_void_p(), c_void_p()
            library.mgnn_graph_out_rows(self._handle, byref(start), byref(index))
            self._rows = (borrowed(self._handle, start.value, self.num_nodes + 1, np.int64),
                          borrowed(self._handle, index.value, self.num_arcs, np.int32))
        return self._rows

    @property
    def indptr(self) -> NDArray[np.int64]:
        """(num_nodes + 1) where each node's row of `indices` begins; a read-only view."""
        return self._out_rows()[0]

    @property
    def indices(self) -> NDArray[np.int32]:
        """(num_arcs) the nodes that arcs go to, ascending in each row; a read-only view."""
        return self._out_rows()[1]

    def edge_index(self) -> NDArray[np.int64]:
        """(2, num_arcs) sources and targets in the order of `indices`; fresh."""
        arcs = np.empty((2, self.num_arcs), np.int64)
        library.mgnn_graph_arcs(self._handle, pointer(arcs[0]), pointer(arcs[1]))
        return arcs

    def to_scipy(self) -> Any:
        """Adjacency matrix, a scipy.sparse.csr_array of ones; `indices` is shared, not copied."""
        return _arrays.csr_matrix(np.ones(self.num_arcs, np.float32), self.indices, self.indptr,
                                  self.num_nodes)

    def to_networkx(self) -> Any:
        """A networkx DiGraph, or a Graph if undirected, whose nodes are the ids."""
        networkx = need("networkx")
        graph = networkx.Graph() if self.is_undirected else networkx.DiGraph()
        names = range(self.num_nodes) if self.ids is None else self.ids.tolist()
        graph.add_nodes_from(names)
        source, target = (end.tolist() for end in self.edge_index())
        graph.add_edges_from((names[u], names[v]) for u, v in zip(source, target))
        return graph

    # ---- other graphs

    def reversed(self) -> Graph:
        """Every arc the other way round."""
        return self._made(library.mgnn_graph_reversed)

    def undirected(self) -> Graph:
        """With the reverse of every arc."""
        return self._made(library.mgnn_graph_undirected)

    def _made(self, function: Any) -> Graph:
        handle = new("graph")
        with Call() as call:
            function(call, self._handle, byref(handle))
        return type(self)(handle, self.ids)

    def subgraph(self, nodes: Any) -> Graph:
        """The given nodes (by number, in ascending order) and the arcs among them."""
        kept = node_numbers(nodes, self.num_nodes)
        if np.any(kept[1:] <= kept[:-1]):
            raise UsageError("nodes of a subgraph are in ascending order, none twice: sort them")
        handle = new("graph")
        with Call() as call:
            library.mgnn_graph_subgraph(call, self._handle, pointer(kept), len(kept), byref(handle))
        if self.ids is not None:
            return type(self)(handle, self.ids[kept])
        unnamed, nothing = new("graph"), struct(_abi.ids, kind=_abi.NO_IDS)
        library.mgnn_graph_with_ids(handle, byref(nothing), byref(unnamed))
        return type(self)(unnamed)

    def summary(self) -> dict[str, Any]:
        """Nodes, arcs, degrees, reciprocity, components."""
        with Call() as call:
            found: dict[str, Any] = document(library.mgnn_graph_summary, call, self._handle)
        return found

    # ---- what every Python object has

    def __len__(self) -> int:
        return self.num_nodes

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        return self is other or (
            self.fingerprint == other.fingerprint and self.num_nodes == other.num_nodes
            and np.array_equal(self.indptr, other.indptr)
            and np.array_equal(self.indices, other.indices) and _same_ids(self.ids, other.ids))

    def __hash__(self) -> int:
        return hash((self.num_nodes, self.fingerprint))

    def __copy__(self) -> Graph:
        return self

    def __deepcopy__(self, memo: Mapping[int, Any]) -> Graph:
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        rows: Iterable[Any] = (self.indptr, self.indices)
        if protocol >= 5:
            rows = [pickle.PickleBuffer(array) for array in rows]
        return _restored, (*rows, self.ids, tuple(self.dropped))

    def __repr__(self) -> str:
        edges = (f"{self.num_arcs // 2} undirected edges" if self.is_undirected and self.num_arcs
                 else f"{self.num_arcs} arcs")
        return f"Graph({self.num_nodes} nodes, {edges})"


def _same_ids(a: NDArray[Any] | None, b: NDArray[Any] | None) -> bool:
    return a is b or (a is not None and b is not None and a.tolist() == b.tolist())


def _restored(indptr: Any, indices: Any, ids: Any, dropped: tuple[int, int]) -> Graph:
    rows = (np.frombuffer(indptr, np.int64), np.frombuffer(indices, np.int32))
    graph = Graph._of_rows(*rows, None if ids is None else id_array(ids))
    graph.dropped = Dropped(*dropped)
    return graph


def as_graph(graph: Any) -> Graph:
    """A Graph of whatever holds one: Graph, Dataset, networkx, SciPy, PyG, edge_index."""
    if isinstance(graph, Graph):
        return graph
    if isinstance(getattr(graph, "graph", None), Graph):
        return graph.graph  # type: ignore[no-any-return]
    if hasattr(graph, "edge_index") and hasattr(graph, "num_nodes"):
        return Graph.from_pyg(graph)
    if hasattr(graph, "adj") and hasattr(graph, "nodes"):
        return Graph.from_networkx(graph)
    if hasattr(graph, "tocsr"):
        return Graph.from_scipy(graph)
    if hasattr(graph, "shape") and len(graph.shape) == 2 and graph.shape[0] == 2:
        return Graph.from_edge_index(graph)
    raise UsageError(f"a {type(graph).__name__} is not a graph; mgnn.Graph.from_edges makes one")
