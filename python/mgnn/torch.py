"""Motif networks as PyTorch modules: `MotifConv` is one layer, `MGNN` the whole network.

Contiguous float32 tensors in main memory go through the library's own kernels
(`backend="native"`); all others, and `backend="torch"`, through operations of torch itself. Both
compute docs/model.md, and the names of an `MGNN`'s parameters are those of model.safetensors.
"""
from __future__ import annotations

import math
import warnings
import weakref
from typing import Any, Iterator, Sequence, cast

import numpy as np

from . import _compiled, _native
from ._call import UsageError
from ._native import SparseFeatures
from ._optional import need
from .graph import Graph
from .motifs import MotifMatrices, motif_matrices, motif_numbers

need("torch")
import torch  # noqa: E402
from torch import nn  # noqa: E402

Tensor = Any

__all__ = ["MGNN", "MotifConv", "MotifOperators", "SparseFeatures", "from_run"]

_GATES = {"sigmoid": torch.sigmoid, "tanh": torch.tanh}
_BASES = ("gcn", "none")
_IN_TORCH = ("symmetric", "row", "none")
_NORMALISATIONS = ("symmetric", "row", "none", "centred", "published")


def _choice(name: str, value: str, allowed: Sequence[str]) -> str:
    if value not in allowed:
        raise UsageError(f"{name} is {value!r}; it is one of {', '.join(allowed)}")
    return value


# ---- sparse matrices in torch


class _Product(torch.autograd.Function):  # type: ignore[misc]
    """matrix @ x for a constant sparse matrix whose transpose is given."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, matrix: Tensor, transpose: Tensor) -> Tensor:
        ctx.matrices = matrix, transpose
        return torch.sparse.mm(matrix, x)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Any:
        matrix, transpose = ctx.matrices
        return _Product.apply(gradient.contiguous(), transpose, matrix), None, None


class _Sparse:
    """A constant sparse matrix, kept in every dtype and on every device it is used with."""

    def __init__(self, matrix: Any) -> None:
        self.matrix = matrix.tocsr()
        self.tensors: dict[Any, tuple[Tensor, Tensor]] = {}

    def _both(self, x: Tensor) -> tuple[Tensor, Tensor]:
        key = x.dtype, x.device
        if key not in self.tensors:
            self.tensors[key] = (_csr_tensor(self.matrix, x), _csr_tensor(self.matrix.T.tocsr(), x))
        return self.tensors[key]

    def tensor(self, like: Tensor) -> Tensor:
        """As a sparse CSR tensor of the same type and place."""
        return self._both(like)[0]

    def __matmul__(self, x: Tensor) -> Tensor:
        return _Product.apply(x.contiguous(), *self._both(x))


def _csr_tensor(matrix: Any, like: Tensor) -> Tensor:
    parts = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), matrix.data
    start, column, value = (torch.from_numpy(np.array(part)) for part in parts)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that sparse CSR is a young part of torch
        return torch.sparse_csr_tensor(start, column, value.to(like.dtype), matrix.shape,
                                       device=like.device)


# ---- the matrices of a graph


def _normalised(matrix: Any, kind: str) -> Any:
    """D^-1/2 X D^-1/2, D^-1 X or X in double precision; rows without entries stay empty."""
    matrix = matrix.tocsr().astype(np.float64)
    if kind == "none":
        return matrix
    degree = np.asarray(matrix.sum(axis=1)).ravel()
    inverse = np.divide(1.0, degree, out=np.zeros_like(degree), where=degree > 0)
    scale = inverse if kind == "row" else np.sqrt(inverse)
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    matrix.data = matrix.data * scale[rows]
    if kind == "symmetric":
        matrix.data = matrix.data * scale[matrix.indices]
    return matrix


class MotifOperators:
    """The matrices that the layers multiply by, counted once per graph.

    `graph` is an `mgnn.Graph` or an edge_index tensor of shape (2, arcs). Messages come from all
    neighbours (`direction="both"`), or along ("in") or against ("out") the arcs.
    """

    def __init__(self, graph: Any, num_nodes: int | None = None, *, motifs: Any = "all",
                 counting: str = "subgraph", entry: str = "edge",
                 normalisation: str = "symmetric", direction: str = "both") -> None:
        self.normalisation = _choice("normalisation", normalisation, _NORMALISATIONS)
        self.direction = _choice("direction", direction, ("both", "in", "out"))
        if isinstance(graph, torch.Tensor):
            graph = graph.detach().cpu()  # counting is done in main memory
        self.graph = graph if isinstance(graph, Graph) else Graph.from_edge_index(
            graph, num_nodes=num_nodes)
        self.num_nodes = self.graph.num_nodes
        self.motifs = motif_numbers(motifs)
        self.settings = {"motifs": ",".join(map(str, self.motifs)), "counting": counting,
                         "entry": entry, "normalisation": normalisation}
        self._matrices: MotifMatrices | None = None
        self._native: dict[str, Any] = {}
        self.number = _native.register(self)
        self._adjacency: _Sparse | None = None
        self._distinct: list[_Sparse] = []
        self._place: list[int] = []

    @property
    def matrices(self) -> MotifMatrices:
        """The counts that they are made of."""
        if self._matrices is None:
            self._matrices = motif_matrices(
                self.graph, motifs=self.motifs, counting=self.settings["counting"],
                entry=self.settings["entry"], progress=False)
        return self._matrices

    def native(self, network: _native.Network) -> Any:
        """The same for the library's kernels."""
        base = network.settings["base"]
        if base not in self._native:
            self._native[base] = network.operators(self.graph, self.direction)
        return self._native[base]

    def _messages(self) -> Any:
        if self.normalisation not in _IN_TORCH:
            raise UsageError(f"normalisation {self.normalisation!r} is for backend='native'; in "
                             f"torch there are {', '.join(_IN_TORCH)}")
        arcs = self.graph.to_scipy()
        if self.direction == "both":
            both = (arcs + arcs.T).tocsr()
            both.data[:] = 1
            return both
        return arcs if self.direction == "out" else arcs.T.tocsr()

    @property
    def adjacency(self) -> _Sparse:
        if self._adjacency is None:
            self._adjacency = _Sparse(_normalised(self._messages(), self.normalisation))
        return self._adjacency

    @property
    def distinct(self) -> list[_Sparse]:
        """The motif matrices that differ; `place[k]` is which of them motif k has, or -1."""
        if not self._distinct:
            self._fill()
        return self._distinct

    @property
    def place(self) -> list[int]:
        if not self._place:
            self._fill()
        return self._place

    def _fill(self) -> None:
        made: dict[Any, int] = {}
        for k in self.motifs:
            array, factor = self.matrices.shared[k]
            key = (array, factor if self.normalisation == "none" else 1)
            if array is not None and key not in made:
                made[key] = len(made)
                self._distinct.append(_Sparse(_normalised(self.matrices[k], self.normalisation)))
            self._place.append(-1 if array is None else made[key])

    def __repr__(self) -> str:
        return (f"MotifOperators({self.num_nodes} nodes, {len(self.motifs)} motifs, "
                f"{self.normalisation})")


_kept: dict[int, tuple[Any, tuple[Any, ...], MotifOperators]] = {}


@_native.uncompiled
def _operators_of(graph: Any, num_nodes: int, settings: dict[str, Any]) -> MotifOperators:
    """The operators of a tensor, counted again if it has changed, or of a graph, which cannot."""
    if not isinstance(graph, (Graph, torch.Tensor)):
        return MotifOperators(graph, num_nodes, **settings)  # nobody would tell of a change
    version = graph._version if isinstance(graph, torch.Tensor) else 0
    key = version, num_nodes, tuple(sorted((k, str(v)) for k, v in settings.items()))
    place, kept = id(graph), _kept
    known = kept.get(place)
    if known is not None and known[0]() is graph and known[1] == key:
        return known[2]

    def forget(_: Any) -> None:
        kept.pop(place, None)

    operators = MotifOperators(graph, num_nodes, **settings)
    kept[place] = weakref.ref(graph, forget), key, operators
    return operators


# ---- which kernels


def _uses_native(backend: str, x: Any, parameters: Any) -> bool:
    if backend == "torch":
        return False
    tensors = [x, *parameters] if isinstance(x, torch.Tensor) else [*parameters]
    if _native.fits(*tensors):
        return True
    if backend == "native":
        raise UsageError("backend='native' is for float32 tensors in main memory; others go "
                         "through backend='torch'")
    return False


def _ready(x: Any) -> Any:
    return x if _native.is_sparse(x) else x.contiguous()


def _named_weights(module: Any, network: _native.Network, prefix: str = "") -> list[Tensor]:
    """The module's parameters in the order of the network's weights."""
    named = dict(module.named_parameters())
    return [named[name.removeprefix(prefix)].contiguous() for name in network.names]


def _pass(module: Any, operators: MotifOperators, x: Any, prefix: str = "") -> Tensor:
    """Through the library, in one piece."""
    weights = _named_weights(module, module.network, prefix)
    rest = module.training, module.out_channels
    if _compiled.is_compiling() and not _native.is_sparse(x):
        return _compiled.apply(module.network, operators, x, weights, *rest)
    return _native.apply(module.network, operators.native(module.network), _ready(x), weights,
                         *rest)


# ---- the layer


class _Linear(nn.Module):  # type: ignore[misc]
    """x W + b with W (in, out), b (1, out): the layout of model.safetensors."""

    def __init__(self, rows: int, columns: int, bias_rows: int = 1, bias: bool = True) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(rows, columns))
        self.bias = nn.Parameter(torch.empty(bias_rows, columns)) if bias else None

    def forward(self, x: Tensor) -> Tensor:
        return x @ self.weight + self.bias


def _uniform(tensor: Tensor, bound: float) -> None:
    nn.init.uniform_(tensor, -bound, bound)


class MotifConv(nn.Module):  # type: ignore[misc]
    """One layer of MGNN: (n, in_channels) to (n, motifs * per_motif).

    `graph` in `forward` is an edge_index tensor, an `mgnn.Graph` or `MotifOperators`.
    """

    def __init__(self, in_channels: int, width: int = 16, per_motif: int = 6, *,
                 motifs: Any = "all", counting: str = "subgraph", entry: str = "edge",
                 normalisation: str = "symmetric", direction: str = "both", base: str = "gcn",
                 root: bool = True, bias: bool = True, gate: str = "sigmoid",
                 motif_dropout: float = 0.1, gate_dropout: float = 0.1,
                 backend: str = "auto") -> None:
        super().__init__()
        self.in_channels, self.width, self.per_motif = in_channels, width, per_motif
        self.base, self.gate = _choice("base", base, _BASES), _choice("gate", gate, list(_GATES))
        self.backend = _choice("backend", backend, ("auto", "native", "torch"))
        self.motif_dropout, self.gate_dropout = motif_dropout, gate_dropout
        self.settings = dict(motifs=motifs, counting=counting, entry=entry,
                             normalisation=normalisation, direction=direction)
        self.motifs = motif_numbers(motifs)
        count = len(self.motifs)
        self.out_channels = count * per_motif
        self.weight = nn.Parameter(torch.empty(in_channels, width))
        has_root = root and base == "gcn"
        self.root = _Linear(in_channels, width, bias=False) if has_root else None
        self.bias = nn.Parameter(torch.empty(1, width)) if bias else None
        self.motif = _Linear(width, per_motif)
        self.others = _Linear(count * count * width, per_motif, bias_rows=count)
        self.network = _native.Network({
            "layers": [width], "input_dropout": 0.0, **self.native_settings()}, in_channels, 0)
        self.reset_parameters()

    def native_settings(self) -> dict[str, Any]:
        """The settings of the library's network that this layer is."""
        names = {k: v for k, v in self.settings.items() if k not in ("motifs", "direction")}
        return {"motifs": ",".join(map(str, self.motifs)), "per_motif": self.per_motif,
                "base": self.base, "root": self.root is not None, "bias": self.bias is not None,
                "gate": self.gate, "motif_dropout": self.motif_dropout,
                "attention_dropout": self.gate_dropout, **names}

    def reset_parameters(self) -> None:
        """Xavier for weights, biases of the redundancy minimisation as those of `Linear`."""
        for weight in (self.weight, self.root and self.root.weight, self.motif.weight,
                       self.others.weight):
            if weight is not None:
                nn.init.xavier_uniform_(weight)
        if self.bias is not None:
            nn.init.zeros_(self.bias)
        _uniform(self.motif.bias, 1 / math.sqrt(self.width))
        _uniform(self.others.bias, 1 / math.sqrt(len(self.motifs) * self.width))

    def operators(self, graph: Any, num_nodes: int) -> MotifOperators:
        if not isinstance(graph, MotifOperators):
            return cast(MotifOperators, _operators_of(graph, num_nodes, self.settings))
        if graph.num_nodes != num_nodes:
            raise UsageError(f"operators of {graph.num_nodes} nodes for {num_nodes} rows of x")
        if graph.motifs != self.motifs:
            raise UsageError(f"operators of motifs {graph.motifs}, the layer is of {self.motifs}")
        return graph

    def forward(self, x: Tensor, graph: Any) -> Tensor:
        operators = self.operators(graph, x.shape[0])
        if not _uses_native(self.backend, x, self.parameters()):
            return self._forward_torch(x, operators)
        return _pass(self, operators, x, "layer1.")

    def _forward_torch(self, x: Tensor, operators: MotifOperators) -> Tensor:
        z = self._base(x, operators)
        h = [matrix @ z for matrix in operators.distinct]
        return self._minimise_redundancy(h, z, operators.place)

    def _base(self, x: Tensor, operators: MotifOperators) -> Tensor:
        z = x @ self.weight
        if self.base == "gcn":
            z = operators.adjacency @ z
        if self.root is not None:
            z = z + x @ self.root.weight
        return z if self.bias is None else z + self.bias

    def _minimise_redundancy(self, h: list[Tensor], z: Tensor, place: list[int]) -> Tensor:
        """relu(β_k (f_k - g_k)) for all motifs side by side; g of all motifs is one product."""
        n, count, d = z.shape[0], len(self.motifs), self.per_motif
        zero = z.new_zeros(n, d)
        w_f = nn.functional.dropout(self.motif.weight, self.motif_dropout, self.training)
        own = [matrix @ w_f for matrix in h]
        f = torch.stack([own[j] if j >= 0 else zero for j in place], 1) + self.motif.bias
        rest = self.others.weight.view(count, count, self.width, d)  # (k, i, width, d)
        inputs, weights = [z], [rest.diagonal(dim1=0, dim2=1).permute(0, 2, 1)]
        for j, matrix in enumerate(h):
            uses = z.new_tensor([[float(place[i] == j and i != k) for i in range(count)]
                                 for k in range(count)])
            inputs.append(matrix)
            weights.append(torch.einsum("kiwd,ki->wkd", rest, uses))
        folded = torch.cat([w.reshape(self.width, count * d) for w in weights])
        g = (torch.cat(inputs, 1) @ folded).view(n, count, d) + self.others.bias
        beta = _GATES[self.gate]((f * g).sum(-1, keepdim=True))
        beta = nn.functional.dropout(beta, self.gate_dropout, self.training)
        return torch.relu(beta * (f - g)).reshape(n, count * d)


class _Scaling(nn.Module):  # type: ignore[misc]
    """(x - mean) * factor of the first columns, what is missing being filled in."""

    def __init__(self, columns: int) -> None:
        super().__init__()
        for name, value in (("mean", 0.0), ("factor", 1.0), ("fill", 0.0)):
            self.register_buffer(name, torch.full((1, columns), value))

    def forward(self, x: Tensor) -> Tensor:
        columns = self.mean.shape[1]
        first = x[:, :columns]
        first = (torch.where(first.isnan(), self.fill, first) - self.mean) * self.factor
        return first if columns == x.shape[1] else torch.cat([first, x[:, columns:]], 1)


class MGNN(nn.Module):  # type: ignore[misc]
    """The network of node tasks: motif layers, then a linear layer; see `from_run`."""

    def __init__(self, in_channels: int, out_channels: int, layers: Sequence[int] = (16,), *,
                 input_dropout: float = 0.5, dropout: float = 0.5, scaled_columns: int = 0,
                 **layer_options: Any) -> None:
        super().__init__()
        self.input = _Scaling(scaled_columns) if scaled_columns else None
        if not layers:
            raise UsageError("layers is empty; a network has at least one")
        self.input_dropout, self.dropout = input_dropout, dropout
        self.in_channels, self.out_channels = in_channels, out_channels
        self.num_layers = len(layers)
        for number, width in enumerate(layers, 1):
            layer = MotifConv(in_channels, width, **layer_options)
            self.add_module(f"layer{number}", layer)
            in_channels = layer.out_channels
        first = next(self.layers())
        self.output = _Linear(in_channels, out_channels)
        self.backend = first.backend
        self.network = _native.Network({
            "layers": list(layers), "input_dropout": input_dropout, "dropout": dropout,
            **first.native_settings()}, self.in_channels, out_channels)
        for parameter in self.output.parameters():
            _uniform(parameter, 1 / math.sqrt(in_channels))

    def layers(self) -> Iterator[MotifConv]:
        for number in range(1, self.num_layers + 1):
            yield cast(MotifConv, getattr(self, f"layer{number}"))

    def _scaled(self, x: Any) -> Any:
        if self.input is None:
            return x
        if _native.is_sparse(x):
            raise UsageError("this network standardises its input, which is for dense x")
        return self.input(x)

    def embed(self, x: Tensor, graph: Any) -> Tensor:
        """The representation of every node: the output of the last layer."""
        x, p = self._scaled(x), self.input_dropout
        for layer in self.layers():
            x = layer(nn.functional.dropout(x, p, self.training), graph)
            p = self.dropout
        return x

    def forward(self, x: Tensor, graph: Any) -> Tensor:
        """(n, out_channels). In one pass of the library where x is float32 in main memory; x may
        then also be sparse: `SparseFeatures`, or a matrix of SciPy or torch that is read anew each
        time."""
        if _uses_native(self.backend, x, self.parameters()):
            operators = next(self.layers()).operators(graph, x.shape[0])
            return _pass(self, operators, self._scaled(x))
        h = nn.functional.dropout(self.embed(x, graph), self.dropout, self.training)
        return self.output(h)

    def export(self) -> dict[str, np.ndarray[Any, Any]]:
        """The weights by their names in model.safetensors."""
        return {name: value.detach().cpu().numpy() for name, value in self.state_dict().items()}


_LAYER_OPTIONS = ("per_motif", "counting", "entry", "normalisation", "base", "root", "bias",
                  "gate", "motif_dropout")
_FIXED = {"aggregate": "sum", "attention": False, "delta": True, "rectify": True,
          "combine": "concat", "motif_weights": "none", "bases": 0}


def from_run(run: Any, **options: Any) -> MGNN:
    """A trained `mgnn` for nodes as a module in evaluation mode; `options`: `backend="torch"`."""
    config = run.config
    model = config["model"]
    if model["name"] != "mgnn" or "mlp" in " ".join(run.weights()):
        raise UsageError(f"this run is of {model['name']} for {run.task}; from_run takes mgnn for "
                         "nodes")
    for name, value in _FIXED.items():
        if model.get(name, value) != value:
            raise UsageError(f"this run has {name} = {model[name]!r}; the module has {value!r}")
    weights = run.weights()
    first, last = weights["layer1.weight"], weights["output.weight"]
    options = {"motifs": model["motifs"], "gate_dropout": model["attention_dropout"],
               "direction": config["train"]["direction"],
               **{name: model[name] for name in _LAYER_OPTIONS}, **options}
    network = MGNN(first.shape[0], last.shape[1], model["layers"], dropout=model["dropout"],
                   input_dropout=model["input_dropout"],
                   scaled_columns=weights["input.mean"].shape[1] if "input.mean" in weights else 0,
                   **options)
    stored = {name: torch.from_numpy(np.array(value)) for name, value in weights.items()}
    if network.input is not None and "input.fill" not in stored:
        stored["input.fill"] = network.input.fill
    network.load_state_dict(stored)
    network.eval()
    return network
