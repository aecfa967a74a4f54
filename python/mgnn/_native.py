"""The library's own kernels as functions of torch with gradients."""
from __future__ import annotations

import itertools
import threading
import weakref
from ctypes import addressof, byref, c_int64, c_void_p
from typing import Any, Mapping, Sequence

import numpy as np

from . import _abi, _arrays, _settings
from ._call import Call, Handle, library, new, pointer, struct, text
from ._optional import need
from .graph import Graph

need("torch")
import torch  # noqa: E402

_MAX_SEED = 2**62


# What torch.compile calls by number, since its operations take no objects.
_numbers = itertools.count()
_numbered: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()


def register(thing: Any) -> int:
    number = next(_numbers)
    _numbered[number] = thing
    return number


def registered(number: int) -> Any:
    thing = _numbered.get(number)
    if thing is None:
        raise RuntimeError("the MotifOperators of a compiled pass are gone; keep them until its "
                           "backward pass is over")
    return thing


class Network:
    """A network of the library whose weights are tensors of the caller."""

    def __init__(self, settings: Mapping[str, Any], columns: int, out: int,
                 name: str = "mgnn") -> None:
        self.settings, self.columns, self.out = dict(settings), columns, out
        lines = _settings.lines(self.settings)
        options = struct(_abi.network_options, name=text(name), settings=lines, in_=columns,
                         out=out)
        self.handle = new("network")
        library.mgnn_network_new(byref(options), byref(self.handle))
        self.names, self.shapes = self._weights()
        self.passes: list[Handle] = []
        self.number = register(self)
        self.lock = threading.Lock()

    def _weights(self) -> tuple[list[str], list[tuple[int, int]]]:
        count = c_int64()
        library.mgnn_network_num_weights(self.handle, byref(count))
        names, shapes = [], []
        for i in range(count.value):
            info = struct(_abi.weight_info)
            library.mgnn_network_weight(self.handle, i, byref(info))
            names.append(info.name.decode())
            shapes.append((info.rows, info.cols))
        return names, shapes

    def operators(self, graph: Graph, direction: str) -> Handle:
        made = new("operators")
        options = struct(_abi.operators_options, direction=text(direction))
        with Call(None, False) as call:
            library.mgnn_operators_new(call, self.handle, graph._handle, byref(options),
                                       byref(made))
        return made

    def take_pass(self) -> Handle:
        """A pass that nobody uses; its memory is used again and again."""
        with self.lock:
            if self.passes:
                return self.passes.pop()
        made = new("pass")
        library.mgnn_pass_new(self.handle, byref(made))
        return made

    def give_back(self, used: Handle) -> None:
        with self.lock:
            self.passes.append(used)

    def __reduce__(self) -> Any:
        return Network, (self.settings, self.columns, self.out)

    def __deepcopy__(self, memo: Any) -> Network:
        return Network(self.settings, self.columns, self.out)


class Pass:
    """A forward pass whose memory goes back when its graph of gradients is dropped."""

    def __init__(self, network: Network) -> None:
        self.network, self.handle = network, network.take_pass()

    def __del__(self) -> None:
        self.network.give_back(self.handle)


def new_seed() -> Any:
    """Of the masks of one pass, by torch's generator."""
    return torch.randint(_MAX_SEED, ())


def _addresses(tensors: Sequence[Any]) -> Any:
    return (c_void_p * len(tensors))(*(None if t is None else t.data_ptr() for t in tensors))


def forward(used: Handle, network: Network, operators: Handle, x: Any, sparse: Any,
            weights: Sequence[Any], seed: int | None, made: Any, keeps: bool,
            x_learns: bool) -> None:
    """Fills `made`; a seed is for training, None for none."""
    addresses = _addresses(weights)
    options = struct(_abi.forward, rows=made.shape[0], cols=network.columns,
                     weights=addressof(addresses), training=int(seed is not None),
                     keeps_gradient=int(keeps), seed=seed or 0, step=1)
    if x is None:
        options.sparse = sparse.handle
    else:
        options.x, options.x_learns = x.data_ptr(), int(x_learns)
    setattr(options, "out" if network.out else "representation", made.data_ptr())
    with Call(None, False) as call:
        library.mgnn_pass_forward(call, used, operators, byref(options))


def backward(used: Handle, network: Network, gradient: Any, d_x: Any, d_weights: Any) -> None:
    """Fills the gradients that are not None."""
    addresses = _addresses(d_weights)
    options = struct(_abi.backward, d_weights=addressof(addresses),
                     d_x=None if d_x is None else d_x.data_ptr())
    setattr(options, "d_out" if network.out else "d_representation", gradient.data_ptr())
    with Call(None, False) as call:
        library.mgnn_pass_backward(call, used, byref(options))


class _Apply(torch.autograd.Function):  # type: ignore[misc]
    """forward: (n, out), or the representation where the network has no output."""

    @staticmethod
    def forward(ctx: Any, network: Network, operators: Handle, sparse: Any, training: bool,
                rows: int, columns: int, x: Any, *weights: Any) -> Any:
        used = Pass(network)
        made = torch.empty(rows, columns)
        forward(used.handle, network, operators, x, sparse, weights,
                int(new_seed().item()) if training else None, made,
                any(ctx.needs_input_grad), ctx.needs_input_grad[6])
        ctx.used, ctx.operators, ctx.sparse = used, operators, sparse
        ctx.has_x = x is not None
        ctx.save_for_backward(*([x] if ctx.has_x else []), *weights)
        return made

    @staticmethod
    @torch.autograd.function.once_differentiable  # type: ignore
    def backward(ctx: Any, gradient: Any) -> Any:
        saved = ctx.saved_tensors  # refuses tensors that have changed since
        x, weights = (saved[0], saved[1:]) if ctx.has_x else (None, saved)
        if ctx.used is None:
            raise RuntimeError("this part of the graph was gone through already; call backward "
                               "once, or retain_graph with backend='torch'")
        d_x = torch.empty_like(x) if ctx.needs_input_grad[6] else None
        d_weights = [torch.empty_like(w) if needed else None
                     for w, needed in zip(weights, ctx.needs_input_grad[7:])]
        backward(ctx.used.handle, ctx.used.network, gradient.contiguous(), d_x, d_weights)
        ctx.used = None
        return (None,) * 6 + (d_x, *d_weights)


def uncompiled(function: Any) -> Any:
    """Left alone by torch.compile."""
    compiler: Any = getattr(torch, "compiler", None)
    return compiler.disable(function) if hasattr(compiler, "disable") else function


@uncompiled
def apply(network: Network, operators: Handle, x: Any, weights: Sequence[Any], training: bool,
          columns: int) -> Any:
    """The network on dense x (contiguous float32) or on sparse features."""
    if not torch.is_grad_enabled():  # so that nothing is kept for a backward pass
        weights = [weight.detach() for weight in weights]
        x = x.detach() if isinstance(x, torch.Tensor) else x
    sparse = None
    if is_sparse(x):
        sparse = x if isinstance(x, SparseFeatures) else SparseFeatures(x)
    return _Apply.apply(network, operators, sparse, training, x.shape[0], columns,
                        None if sparse else x, *weights)


def fits(*tensors: Any) -> bool:
    """Whether the library can work on these tensors as they are."""
    return all(t.dtype == torch.float32 and t.device.type == "cpu" for t in tensors)


# ---- sparse features


class SparseFeatures:
    """Sparse features as the library has them, copied once to be used in many passes."""

    def __init__(self, x: Any) -> None:
        indptr, indices, values, self.shape = _arrays.sparse_features(
            x if hasattr(x, "tocsr") else _scipy_matrix(x))
        self.handle = new("sparse")
        with Call(None, False) as call:
            library.mgnn_sparse_new(call, *self.shape, pointer(indptr), indptr.itemsize,
                                    pointer(indices), indices.itemsize, pointer(values),
                                    byref(self.handle))


def is_sparse(x: Any) -> bool:
    return (isinstance(x, SparseFeatures) or hasattr(x, "tocsr")
            or getattr(x, "layout", torch.strided) != torch.strided)


def _scipy_matrix(x: Any) -> Any:
    sparse = need("scipy.sparse")
    if x.layout == torch.sparse_csr:
        parts = x.values(), x.col_indices(), x.crow_indices()
        return sparse.csr_array(tuple(p.detach().numpy() for p in parts), shape=tuple(x.shape))
    x = x.detach().coalesce()
    rows, columns = x.indices().numpy()
    return sparse.csr_array((x.values().numpy(), (rows.astype(np.int64), columns)),
                            shape=tuple(x.shape))
