"""Embeddings with the interface of the package karateclub: `fit`, `get_embedding`, `infer`.

Settings and results are the library's own; `variant="karateclub"` makes them as that package does.
"""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np
from numpy.typing import NDArray

from ._call import UsageError
from .embedding import embed, embed_unseen
from .graph import Graph, as_graph


class _Method:
    method = ""

    def __init__(self, dimensions: int | None = None, seed: int = 42, *,
                 variant: str | None = None, **options: Any) -> None:
        self.stated = dict(dimension=dimensions, seed=seed, variant=variant, **options)
        self._embedding: NDArray[np.float32] | None = None

    def get_embedding(self) -> NDArray[np.float32]:
        if self._embedding is None:
            raise UsageError("call fit() first")
        return self._embedding

    def get_params(self) -> dict[str, Any]:
        return dict(self.stated)


class _NodeMethod(_Method):
    def fit(self, graph: Any) -> None:
        self._embedding = embed(as_graph(graph), self.method, progress=False, **self.stated)


class _GraphMethod(_Method):
    def fit(self, graphs: Sequence[Any]) -> None:
        self._graphs: list[Graph] = [as_graph(graph) for graph in graphs]
        self._embedding = embed(self._graphs, self.method, progress=False, **self.stated)

    def infer(self, graphs: Sequence[Any]) -> NDArray[np.float32]:
        """Vectors of graphs that were not given to `fit`."""
        self.get_embedding()
        return embed_unseen(self._graphs, [as_graph(graph) for graph in graphs], self.method,
                            progress=False, **self.stated)


class DeepWalk(_NodeMethod):
    method = "deepwalk"


class Node2Vec(_NodeMethod):
    method = "node2vec"


class GraRep(_NodeMethod):
    method = "grarep"


class HOPE(_NodeMethod):
    method = "hope"


class Graph2Vec(_GraphMethod):
    method = "graph2vec"


class GL2Vec(_GraphMethod):
    method = "gl2vec"


class NetLSD(_GraphMethod):
    method = "netlsd"


class FeatherGraph(_GraphMethod):
    method = "feather"
