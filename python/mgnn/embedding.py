"""Embeddings without a network."""
from __future__ import annotations

from ctypes import byref
from typing import Any, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _abi, _settings
from ._call import Call, document, library, matrix_array, new, struct, text
from .dataset import Dataset


def methods() -> list[dict[str, Any]]:
    """Networks and embeddings with their options, defaults and papers."""
    found: list[dict[str, Any]] = []
    for kind, function in (("embedding", library.mgnn_embed_methods),
                           ("network", library.mgnn_networks)):
        rows = document(function)
        found += [{"kind": kind, **row} for row in rows]
    return found


def as_dataset(data: Any) -> Dataset:
    """A Dataset of whatever holds a graph; a list of graphs is a set."""
    if isinstance(data, Dataset):
        return data
    if isinstance(data, (list, tuple)):
        return Dataset.from_graphs(data)
    return Dataset(data)


def _options(method: str, dimension: int | None, seed: int, variant: str | None,
             options: dict[str, Any]) -> Any:
    lines = _settings.lines({"dimension": dimension, **options})
    return struct(_abi.embed_options, method=text(method), settings=lines, variant=text(variant),
                  seed=seed)


def embed(data: Any, method: str = "node2vec", *, dimension: int | None = None, seed: int = 0,
          variant: str | None = None, threads: int | None = None, progress: Any = None,
          **options: Any) -> NDArray[np.float32]:
    """Vectors of the nodes of a graph, or of the graphs of a set; `methods()` lists the methods.

    The same seed gives the same bits for any number of threads.
    """
    dataset, vectors = as_dataset(data), new("matrix")
    stated = _options(method, dimension, seed, variant, options)
    with Call(threads, progress) as call:
        library.mgnn_embed(call, dataset._handle, byref(stated), byref(vectors))
    return matrix_array(vectors)


def embed_unseen(fitted: Any, unseen: Sequence[Any] | Dataset, method: str = "graph2vec", *,
                 dimension: int | None = None, seed: int = 0, variant: str | None = None,
                 threads: int | None = None, progress: Any = None,
                 **options: Any) -> NDArray[np.float32]:
    """Vectors of graphs that are not in `fitted`."""
    known, others, vectors = as_dataset(fitted), as_dataset(unseen), new("matrix")
    stated = _options(method, dimension, seed, variant, options)
    with Call(threads, progress) as call:
        library.mgnn_embed_unseen(call, known._handle, others._handle, byref(stated),
                                  byref(vectors))
    return matrix_array(vectors)
