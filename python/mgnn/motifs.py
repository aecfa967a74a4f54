"""Counts of the thirteen motifs, and their matrices."""
from __future__ import annotations

import functools
import re
from ctypes import byref, c_void_p
from typing import Any, Iterator, Mapping, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _abi, _arrays
from ._call import Call, UsageError, borrowed, document, library, new, pointer, struct, text
from ._optional import need
from .graph import Graph, as_graph

MOTIFS = tuple(f"M{k}" for k in range(1, 14))
TRIADS = ("003", "012", "102", "021D", "021U", "021C", "111D", "111U", "030T", "030C", "201",
          "120D", "120U", "120C", "210", "300")
_GROUPS = {"all": range(1, 14), "closed": range(1, 8), "open": range(8, 14)}


@functools.lru_cache(None)
def motif_table() -> dict[str, Any]:
    """Number, name, triad code, arcs and drawing of every motif."""
    found: dict[str, Any] = document(library.mgnn_motif_table)
    return found


def motif_numbers(motifs: Any) -> tuple[int, ...]:
    """Ascending numbers of "all", "closed", "M1-M4,13", 4 or [1, 2, 13]."""
    if isinstance(motifs, (int, np.integer)):
        return motif_numbers(str(int(motifs)))
    if not isinstance(motifs, str):
        return motif_numbers(",".join(map(str, motifs)))
    chosen: set[int] = set()
    for part in motifs.lower().replace(" ", "").split(","):
        match = re.fullmatch(r"m?(\d+)(?:-m?(\d+))?", part)
        if part in _GROUPS:
            chosen.update(_GROUPS[part])
        elif match and 1 <= int(match[1]) <= int(match[2] or match[1]) <= 13:
            chosen.update(range(int(match[1]), int(match[2] or match[1]) + 1))
        else:
            raise UsageError(f"{part!r} is not a motif; use numbers from 1 to 13, M1-M7, all, "
                             "closed or open")
    return tuple(sorted(chosen))


def _motif_text(motifs: Any) -> str:
    return ",".join(map(str, motif_numbers(motifs)))


# ---- census

class Census:
    """How often each motif occurs: `total` (13,), and `table` with a row for each item of `per`."""

    def __init__(self, counting: str, per: str | None, total: NDArray[np.int64],
                 table: NDArray[np.int64] | None, index: Any) -> None:
        self.counting, self.per, self.total, self.table = counting, per, total, table
        self.names = role_names() if per == "role" else MOTIFS
        self._index = index

    def to_pandas(self) -> Any:
        """A frame with a row for each item, or a series of the totals."""
        pandas = need("pandas")
        if self.table is None:
            return pandas.Series(self.total, index=list(MOTIFS), name=self.counting)
        return pandas.DataFrame(self.table, columns=list(self.names), index=self._pandas_index())

    def _pandas_index(self) -> Any:
        pandas = need("pandas")
        if self.per == "arc":
            return pandas.MultiIndex.from_arrays(list(self._index()), names=["source", "target"])
        return pandas.Index(self._index(), name="graph" if self.per == "graph" else "node")

    def __getitem__(self, motif: int | str) -> int:
        (number,) = motif_numbers(motif)
        return int(self.total[number - 1])

    def __repr__(self) -> str:
        counts = ", ".join(f"{name}: {n}" for name, n in zip(MOTIFS, map(int, self.total)))
        return f"Census({self.counting}; {counts})"


@functools.lru_cache(None)
def role_names() -> tuple[str, ...]:
    """Names of the 30 roles of a node, by motif and then by the first node that has it."""
    return tuple(f"M{row['number']}.{name}" for row in motif_table()["motifs"]
                 for name in dict.fromkeys(row["roles"]))


def _graph_starts(graph: Any) -> NDArray[np.int64] | None:
    start = getattr(graph, "graph_start", None)
    return None if start is None else np.ascontiguousarray(start, np.int64)


_ROWS = {"node": ("per_node", 13), "role": ("per_role", 30), "arc": ("per_arc", 13),
         "graph": ("per_graph", 13)}


def census(graph: Any, *, counting: str = "subgraph", per: str | None = None,
           threads: int | None = None, progress: Any = None) -> Census:
    """Instances of each motif in a graph.

    `counting`: "subgraph" (sets of arcs) or "induced" (the triad census). `per`: also for each
    "node", "role" (the 30 positions of a node), "arc" (in the order of `edge_index()`) or "graph"
    of a set. By one pass over the triangles; the same for any number of threads.
    """
    if per is not None and per not in _ROWS:
        raise UsageError(f"per is {per!r}; it is one of {', '.join(_ROWS)}")
    starts = _graph_starts(graph)
    of = as_graph(graph)
    if per == "graph" and starts is None:
        raise UsageError("per='graph' is for a set of graphs; this is one graph")
    options = struct(_abi.census_options, counting=text(counting))
    if per == "graph" and starts is not None:
        options.num_graphs, options.graph_start = len(starts) - 1, pointer(starts)
    total = np.zeros(13, np.int64)
    counts = struct(_abi.census_counts, total=pointer(total))
    table = None
    if per is not None:
        field, columns = _ROWS[per]
        rows = {"arc": of.num_arcs, "graph": options.num_graphs}.get(per, of.num_nodes)
        table = np.zeros((rows, columns), np.int64)
        setattr(counts, field, pointer(table))
    with Call(threads, progress) as call:
        library.mgnn_census(call, of._handle, byref(options), byref(counts))
    return Census(counting, per, total, table, lambda: _row_names(of, per, options.num_graphs))


def _row_names(graph: Graph, per: str | None, graphs: int) -> Any:
    if per == "graph":
        return np.arange(graphs)
    names = np.arange(graph.num_nodes) if graph.ids is None else graph.ids
    return names[graph.edge_index()] if per == "arc" else names


def triad_census(graph: Any, *, threads: int | None = None) -> dict[str, int]:
    """The 16 kinds of three nodes, as networkx.triadic_census gives them."""
    count = np.zeros(16, np.int64)
    with Call(threads, False) as call:
        library.mgnn_triad_census(call, as_graph(graph)._handle, pointer(count))
    return dict(zip(TRIADS, count.tolist()))


class NullModel(NamedTuple):
    """Counts of a graph beside those of random graphs with the same degrees, (13,) each.

    `z` is ±inf where the random graphs do not differ from each other. `p` is two-sided, by the
    rank among the random graphs, and `q` is p adjusted for thirteen tests.
    """

    observed: NDArray[np.int64]
    mean: NDArray[np.float64]
    std: NDArray[np.float64]
    z: NDArray[np.float64]
    p: NDArray[np.float64]
    q: NDArray[np.float64]

    def to_pandas(self) -> Any:
        return need("pandas").DataFrame(self._asdict(), index=list(MOTIFS))


def null_model(graph: Any, graphs: int = 100, *, counting: str = "induced", seed: int = 0,
               threads: int | None = None, progress: Any = None) -> NullModel:
    """Compares with `graphs` rewired graphs that keep every node's degrees."""
    observed = np.zeros(13, np.int64)
    mean, std, z, p, q = (np.zeros(13) for _ in range(5))
    counts = struct(_abi.null_counts, observed=pointer(observed), mean=pointer(mean),
                    deviation=pointer(std), z=pointer(z), p=pointer(p), q=pointer(q))
    of = as_graph(graph)
    with Call(threads, progress) as call:
        library.mgnn_null_model(call, of._handle, text(counting), graphs, seed, byref(counts))
    return NullModel(observed, mean, std, z, p, q)


def motif_features(graph: Any, *, counting: str = "induced", roles: bool = False,
                   scale: str = "log1p", threads: int | None = None) -> NDArray[np.float32]:
    """(nodes, 13) or, with roles, (nodes, 30) counts; `scale` is "log1p" or "none"."""
    if scale not in ("log1p", "none"):
        raise UsageError(f"scale is {scale!r}; it is log1p or none")
    table = census(graph, counting=counting, per="role" if roles else "node", threads=threads,
                   progress=False).table
    assert table is not None
    return (np.log1p(table) if scale == "log1p" else table).astype(np.float32)


# ---- matrices

class MotifMatrices(Mapping[int, Any]):
    """The matrices of some motifs on one pattern: `m[4]` is a scipy.sparse.csr_array.

    Matrices that are equal up to a factor share one array: `m.shared[k]` is (array, factor).
    """

    def __init__(self, handle: Any, graph: Graph, motifs: tuple[int, ...]) -> None:
        self._handle, self.graph, self.motifs = handle, graph, motifs
        info = struct(_abi.motifs_info)
        library.mgnn_motifs_get_info(handle, byref(info))
        self.weighted = bool(info.weighted)
        self.num_nodes, self.num_entries = int(info.num_nodes), int(info.entries)
        self.num_arrays = int(info.num_arrays)
        self.shared: dict[int, tuple[int | None, int]] = {
            k: (None if info.array[k - 1] < 0 else info.array[k - 1], info.factor[k - 1])
            for k in motifs}
        start, index = c_void_p(), c_void_p()
        library.mgnn_motifs_pattern(handle, byref(start), byref(index))
        self.indptr = borrowed(handle, start.value, self.num_nodes + 1, np.int64)
        self.indices = borrowed(handle, index.value, self.num_entries, np.int32)

    @property
    def pattern(self) -> Any:
        """The places that all matrices share, as a csr_array of ones."""
        return self._matrix(np.ones(self.num_entries, np.int8))

    def array(self, number: int) -> NDArray[Any]:
        """One of the `num_arrays` shared arrays (uint32, or float64 if weighted); read-only."""
        values = c_void_p()
        read = library.mgnn_motifs_weights if self.weighted else library.mgnn_motifs_values
        read(self._handle, number, byref(values))
        return borrowed(self._handle, values.value, self.num_entries,
                        np.float64 if self.weighted else np.uint32)

    def _require(self, motif: int) -> None:
        if motif not in self.motifs:
            raise KeyError(f"M{motif} was not asked for; there are "
                           f"{', '.join(f'M{k}' for k in self.motifs)}")

    def counts(self, motif: int) -> NDArray[np.int64]:
        """The entries of a motif on the pattern, (num_entries,) int64; fresh."""
        self._require(motif)
        values = np.empty(self.num_entries, np.int64)
        with Call(None, False) as call:
            library.mgnn_motifs_counts(call, self._handle, motif, pointer(values))
        return values

    def __getitem__(self, motif: int) -> Any:
        self._require(motif)
        array, factor = self.shared[motif]
        if array is None:
            return self._matrix(np.zeros(self.num_entries, self._dtype()))
        values = self.array(array)
        return self._matrix(values if factor == 1 else values.astype(self._dtype()) * factor)

    def _dtype(self) -> Any:
        return np.float64 if self.weighted else np.int64

    def normalised(self, motif: int, kind: str = "symmetric") -> Any:
        """A motif's matrix normalised: "symmetric", "row", "centred", "published" or "none"."""
        self._require(motif)
        of = self
        if kind == "centred":
            handle = new("motifs")
            with Call(None, False) as call:
                library.mgnn_motifs_with_diagonal(call, self._handle, byref(handle))
            of = MotifMatrices(handle, self.graph, self.motifs)
        values = np.empty(of.num_entries, np.float64)
        with Call(None, False) as call:
            library.mgnn_motifs_normalised(call, of._handle, motif, text(kind), pointer(values))
        return of._matrix(values)

    def write(self, path: Any, *, normalisation: str | None = None,
              overwrite: bool = False) -> None:
        """As .npz, .h5, or a folder/ of Matrix Market files."""
        with Call(None, False) as call:
            library.mgnn_motifs_write(call, self._handle, text(path), text(normalisation),
                                      overwrite)

    def _matrix(self, values: NDArray[Any]) -> Any:
        return _arrays.csr_matrix(values, self.indices, self.indptr, self.num_nodes)

    def __iter__(self) -> Iterator[int]:
        return iter(self.motifs)

    def __len__(self) -> int:
        return len(self.motifs)

    def __repr__(self) -> str:
        return (f"MotifMatrices({len(self.motifs)} motifs, {self.num_nodes} nodes, "
                f"{self.num_entries} entries, {self.num_arrays} different arrays)")


def motif_matrices(graph: Any, *, motifs: Any = "all", counting: str = "subgraph",
                   entry: str = "edge", weights: str | None = None, arc_weight: Any = None,
                   threads: int | None = None, progress: Any = None) -> MotifMatrices:
    """The matrices of the chosen motifs: entry (i, j) counts instances in which i and j meet.

    `weights` "mean" or "product" adds up the weights of instances' arcs in place of counting them;
    the weights are those of a Dataset, or `arc_weight` in the order of `edge_index()`.
    """
    of = as_graph(graph)
    if weights not in (None, "none") and arc_weight is None:
        arc_weight = getattr(graph, "arc_weight", None)
    if arc_weight is not None and weights in (None, "none"):
        raise UsageError("arc_weight is given but not used: say weights='mean' or 'product'")
    if arc_weight is not None:
        arc_weight = np.ascontiguousarray(arc_weight, np.float32)
        if arc_weight.shape != (of.num_arcs,):
            raise UsageError(f"arc_weight has the shape {arc_weight.shape}; "
                             f"it is ({of.num_arcs},), one for each arc")
    numbers = motif_numbers(motifs)
    options = struct(_abi.motif_options, motifs=text(_motif_text(motifs)), counting=text(counting),
                     entry=text(entry), weights=text(weights), arc_weight=pointer(arc_weight))
    handle = new("motifs")
    with Call(threads, progress) as call:
        library.mgnn_motifs_new(call, of._handle, byref(options), byref(handle))
    return MotifMatrices(handle, of, numbers)
