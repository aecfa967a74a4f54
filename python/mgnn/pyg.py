"""Transforms for PyTorch Geometric.

They need of a `Data` only edge_index, num_nodes, x and the setting of attributes, and follow the
conventions of its own transforms: `attr_name=None` appends to x.
"""
from __future__ import annotations

import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._call import UsageError
from ._optional import need
from .dataset import Dataset
from .graph import Graph
from .motifs import census, motif_features, motif_matrices, motif_numbers

need("torch")
import torch  # noqa: E402

try:
    from torch_geometric.transforms import BaseTransform
except ImportError:
    class BaseTransform:  # type: ignore[no-redef]
        """What PyG's own does: transforms a shallow copy."""

        def __call__(self, data: Any) -> Any:
            return self.forward(copy.copy(data))

        def forward(self, data: Any) -> Any:
            raise NotImplementedError


def _tensor(array: NDArray[Any]) -> Any:
    return torch.from_numpy(np.ascontiguousarray(array))


def _graph(data: Any) -> Graph:
    if hasattr(data, "edge_index_dict"):
        raise UsageError("this transform is for Data, not HeteroData; use to_homogeneous() first")
    return Graph.from_pyg(data)


def _attach(data: Any, values: NDArray[Any], attr_name: str | None) -> Any:
    made = _tensor(values.astype(np.float32))
    if attr_name is not None:
        setattr(data, attr_name, made.to(data.edge_index.device))
        return data
    x = getattr(data, "x", None)
    if x is None:
        data.x = made.to(data.edge_index.device)
    else:
        x = x.view(-1, 1) if x.dim() == 1 else x
        data.x = torch.cat([x, made.to(x.device, x.dtype)], dim=-1)
    return data


class _NodeCounts(BaseTransform):  # type: ignore[misc]
    roles = False

    def __init__(self, counting: str = "induced", attr_name: str | None = None,
                 log: bool = True) -> None:
        self.counting, self.attr_name, self.log = counting, attr_name, log

    def forward(self, data: Any) -> Any:
        values = motif_features(_graph(data), counting=self.counting, roles=self.roles,
                                scale="log1p" if self.log else "none")
        return _attach(data, values, self.attr_name)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(counting={self.counting!r}, attr_name={self.attr_name!r})"


class AddMotifCounts(_NodeCounts):
    """(nodes, 13): how many instances of each motif a node is part of."""

    def __init__(self, counting: str = "induced", attr_name: str | None = "motif_counts",
                 log: bool = True) -> None:
        super().__init__(counting, attr_name, log)


class AddMotifRoles(_NodeCounts):
    """(nodes, 30): the same by the position of the node in the instance."""

    roles = True

    def __init__(self, counting: str = "induced", attr_name: str | None = "motif_roles",
                 log: bool = True) -> None:
        super().__init__(counting, attr_name, log)


class AddMotifEdgeCounts(BaseTransform):  # type: ignore[misc]
    """(edges, 13): instances that contain each arc, in the order of edge_index; 0 for loops."""

    def __init__(self, counting: str = "induced", attr_name: str = "edge_attr",
                 log: bool = True) -> None:
        self.counting, self.attr_name, self.log = counting, attr_name, log

    def forward(self, data: Any) -> Any:
        graph = _graph(data)
        table = census(graph, counting=self.counting, per="arc", progress=False).table
        assert table is not None
        counts = np.zeros((data.edge_index.shape[1], 13), np.float32)
        given = data.edge_index.cpu().numpy()
        known = given[0] != given[1]
        counts[known] = table[_places(graph, given[:, known])]
        made = _tensor(np.log1p(counts) if self.log else counts).to(data.edge_index.device)
        before = getattr(data, self.attr_name, None)
        if before is not None:
            before = before.view(-1, 1) if before.dim() == 1 else before
            made = torch.cat([before, made.to(before.dtype)], dim=-1)
        setattr(data, self.attr_name, made)
        return data

    def __repr__(self) -> str:
        return f"AddMotifEdgeCounts(counting={self.counting!r}, attr_name={self.attr_name!r})"


def _places(graph: Graph, arcs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where each arc is in the order of the graph."""
    n = graph.num_nodes
    source, target = graph.edge_index()
    places: NDArray[np.int64] = np.searchsorted(source * n + target, arcs[0] * n + arcs[1])
    return places


class MotifAdjacency(BaseTransform):  # type: ignore[misc]
    """Motif matrices on their pattern: `motif_edge_index` (2, e) and `motif_weight` (e, motifs)."""

    def __init__(self, motifs: Any = "all", counting: str = "subgraph", entry: str = "edge",
                 normalisation: str = "symmetric") -> None:
        self.motifs, self.counting = motif_numbers(motifs), counting
        self.entry, self.normalisation = entry, normalisation

    def forward(self, data: Any) -> Any:
        matrices = motif_matrices(_graph(data), motifs=self.motifs, counting=self.counting,
                                  entry=self.entry, progress=False)
        columns = [matrices.normalised(k, self.normalisation) for k in self.motifs]
        pattern = columns[0]
        rows = np.repeat(np.arange(pattern.shape[0]), np.diff(pattern.indptr))
        device = data.edge_index.device
        data.motif_edge_index = _tensor(
            np.stack([rows, pattern.indices]).astype(np.int64)).to(device)
        data.motif_weight = _tensor(
            np.stack([m.data for m in columns], 1).astype(np.float32)).to(device)
        return data

    def __repr__(self) -> str:
        return f"MotifAdjacency({len(self.motifs)} motifs, {self.normalisation!r})"


class LinkSplit(BaseTransform):  # type: ignore[misc]
    """Splits edges into training, validation and test: three copies of the data.

    The messages of all three are those of training edges. Both directions of an undirected edge
    are held out together, whatever was said of the data; no pair without an edge, of any part, is
    an edge of any part, and none is drawn twice. `negatives="typed"` draws ends of the same node
    types as those of the edge (`data.node_type`), "uniform" any. `edge_label_index` and
    `edge_label` hold edges, then as many pairs without one.
    """

    def __init__(self, num_val: float = 0.05, num_test: float = 0.1, *,
                 negatives: str = "uniform", seed: int = 0) -> None:
        if negatives not in ("uniform", "typed"):
            raise UsageError(f"negatives is {negatives!r}; it is uniform or typed")
        if min(num_val, num_test) < 0 or num_val + num_test >= 1:
            raise UsageError("num_val and num_test are shares of the edges, together below 1")
        self.num_val, self.num_test = num_val, num_test
        self.negatives, self.seed = negatives, seed

    def forward(self, data: Any) -> Any:
        graph, rng = _graph(data), np.random.default_rng(self.seed)
        edges = graph.edge_index()
        if graph.is_undirected:
            edges = edges[:, edges[0] < edges[1]]
        edges = edges[:, rng.permutation(edges.shape[1])]
        count = edges.shape[1]
        test, validation = int(count * self.num_test), int(count * self.num_val)
        parts = np.split(edges, [count - test - validation, count - test], axis=1)
        without = np.split(self._without_edge(data, graph, edges, rng),
                           [count - test - validation, count - test], axis=1)
        messages = parts[0]
        if graph.is_undirected:
            messages = np.concatenate([messages, messages[::-1]], 1)
        return tuple(self._part(data, messages, *both) for both in zip(parts, without))

    @staticmethod
    def _part(data: Any, messages: Any, edges: Any, without: Any) -> Any:
        part, device = copy.copy(data), data.edge_index.device
        part.edge_index = _tensor(messages).to(device)
        part.edge_label_index = _tensor(np.concatenate([edges, without], 1)).to(device)
        part.edge_label = torch.cat([torch.ones(edges.shape[1]), torch.zeros(without.shape[1])]
                                    ).to(device)
        return part

    def _without_edge(self, data: Any, graph: Graph, edges: Any, rng: Any) -> Any:
        """One pair without an edge for each edge."""
        n, count = graph.num_nodes, edges.shape[1]
        both = graph.edge_index()
        taken = set((both[0] * n + both[1]).tolist())
        pools = self._pools(data, n)
        chosen = np.empty((2, count), np.int64)
        for i in range(count):
            ends = [pools[0][pools[1][v]] for v in edges[:, i]]
            for _ in range(1000):
                u, v = (int(pool[rng.integers(len(pool))]) for pool in ends)
                if u != v and u * n + v not in taken:
                    break
            else:
                raise UsageError("the graph is too dense: no pair without an edge was found in "
                                 "1000 draws")
            taken.add(u * n + v)
            if graph.is_undirected:
                taken.add(v * n + u)
            chosen[:, i] = u, v
        return chosen

    def _pools(self, data: Any, n: int) -> tuple[list[Any], Any]:
        if self.negatives == "uniform":
            return [np.arange(n)], np.zeros(n, np.int64)
        kind = getattr(data, "node_type", None)
        if kind is None:
            raise UsageError("negatives='typed' needs data.node_type")
        kind = kind.cpu().numpy()
        return [np.flatnonzero(kind == k) for k in range(int(kind.max()) + 1)], kind

    def __repr__(self) -> str:
        return f"LinkSplit({self.num_val}, {self.num_test}, negatives={self.negatives!r})"


def from_dataset(dataset: Dataset) -> Any:
    """A torch_geometric Data with x, y and edge_index; a list of them for a set of graphs."""
    make = need("torch_geometric.data").Data
    if dataset.relations:
        raise UsageError("a dataset with relations is not made into HeteroData yet")
    x, y = dataset.x, dataset.y
    x = None if x is None else _tensor(np.array(x.todense() if hasattr(x, "todense") else x))
    if isinstance(y, list):  # several labels: a column of zeros and ones for each class
        y = np.stack([np.isin(np.arange(len(dataset.class_names)), labels) for labels in y]) * 1.0
    y = None if y is None else _tensor(np.array(y, np.int64 if y.dtype.kind == "i" else np.float32))
    if dataset.graph_start is None:
        return make(x=x, y=y, edge_index=_tensor(dataset.graph.edge_index()),
                    num_nodes=dataset.num_nodes)
    found = []
    for i, (graph, first) in enumerate(zip(dataset.graphs(), dataset.graph_start.tolist())):
        part = None if x is None else x[first:first + len(graph)]
        found.append(make(x=part, y=None if y is None else y[i:i + 1],
                          edge_index=_tensor(graph.edge_index()), num_nodes=len(graph)))
    return found
