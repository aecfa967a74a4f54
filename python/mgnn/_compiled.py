"""The library's kernels as an operation that torch.compile keeps whole (torch 2.4 and later).

An operation has no memory between its passes: the backward pass goes through the network again,
with the same masks.
"""
from __future__ import annotations

from typing import Any, Sequence

from . import _native
from ._optional import need

need("torch")
import torch  # noqa: E402

_ARGUMENTS = "Tensor x, Tensor[] weights, Tensor? seed, int network, int operators"


def _forward(used: Any, x: Any, weights: Sequence[Any], seed: Any, operators: int, columns: int,
             keeps: bool, x_learns: bool) -> Any:
    network = used.network
    made = torch.empty(x.shape[0], columns)
    _native.forward(used.handle, network, _native.registered(operators).native(network), x, None,
                    weights, None if seed is None else int(seed.item()), made, keeps, x_learns)
    return made


def _apply(x: Any, weights: Sequence[Any], seed: Any, network: int, operators: int,
           columns: int) -> Any:
    used = _native.Pass(_native.registered(network))
    x, weights = x.contiguous(), [w.contiguous() for w in weights]
    return _forward(used, x, weights, seed, operators, columns, False, False)


def _gradients(gradient: Any, x: Any, weights: Sequence[Any], seed: Any, network: int,
               operators: int, x_learns: bool) -> list[Any]:
    used = _native.Pass(_native.registered(network))
    x, weights = x.contiguous(), [w.contiguous() for w in weights]
    _forward(used, x, weights, seed, operators, gradient.shape[1], True, x_learns)
    made = [torch.empty_like(x)] if x_learns else []
    d_weights = [torch.empty_like(w) for w in weights]
    _native.backward(used.handle, used.network, gradient.contiguous(),
                     made[0] if x_learns else None, d_weights)
    return made + d_weights


def _keep(ctx: Any, inputs: Any, output: Any) -> None:
    x, weights, seed, *ctx.numbers, _ = inputs
    ctx.has_seed = seed is not None
    ctx.save_for_backward(x, *([seed] if ctx.has_seed else []), *weights)


def _backward(ctx: Any, gradient: Any) -> Any:
    x, *rest = ctx.saved_tensors
    seed = rest.pop(0) if ctx.has_seed else None
    x_learns = ctx.needs_input_grad[0]
    made = _gradients_op(gradient, x, rest, seed, *ctx.numbers, x_learns)
    d_x = made.pop(0) if x_learns else None
    return d_x, made, None, None, None, None


if hasattr(torch.library, "custom_op"):
    _apply_op = torch.library.custom_op(
        "mgnn::apply", _apply, mutates_args=(), device_types="cpu",
        schema=f"({_ARGUMENTS}, int columns) -> Tensor")
    _gradients_op = torch.library.custom_op(
        "mgnn::gradients", _gradients, mutates_args=(), device_types="cpu",
        schema=f"(Tensor gradient, {_ARGUMENTS}, bool x_learns) -> Tensor[]")
    _apply_op.register_fake(
        lambda x, weights, seed, network, operators, columns: x.new_empty(x.shape[0], columns))
    _gradients_op.register_fake(
        lambda gradient, x, weights, seed, network, operators, x_learns:
        [torch.empty_like(t, memory_format=torch.contiguous_format)
         for t in ([x] if x_learns else []) + list(weights)])
    _apply_op.register_autograd(_backward, setup_context=_keep)


def is_compiling() -> bool:
    """Whether this is being traced, by a torch that has operations of one's own."""
    compiler: Any = getattr(torch, "compiler", None)
    return hasattr(torch.library, "custom_op") and bool(compiler.is_compiling())


def apply(network: Any, operators: Any, x: Any, weights: Sequence[Any], training: bool,
          columns: int) -> Any:
    """As `_native.apply`, of dense x; `operators` is a MotifOperators."""
    seed = _native.new_seed() if training else None
    return _apply_op(x, list(weights), seed, network.number, operators.number, columns)
