"""Estimators and transformers for scikit-learn.

Rows of X are nodes (ids or numbers of a graph that is a parameter), pairs of nodes, or graphs, so
that `cross_val_score`, `GridSearchCV` and pipelines work as they do with tables. Parameters that
are None are left to the network's own defaults; `mgnn.settings()` lists all that `settings` takes.
"""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._call import UsageError
from ._optional import need
from .dataset import Dataset
from .embedding import embed, embed_unseen
from .graph import Graph, as_graph
from .motifs import census, motif_features
from .runs import Run, train

need("sklearn")
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin  # noqa: E402
from sklearn.utils.validation import check_is_fitted  # noqa: E402

_SETTINGS = {  # parameter: setting
    "layers": "model.layers", "per_motif": "model.per_motif", "motifs": "model.motifs",
    "counting": "model.counting", "normalisation": "model.normalisation", "base": "model.base",
    "dropout": "model.dropout", "input_dropout": "model.input_dropout",
    "epochs": "train.epochs", "patience": "train.patience",
    "learning_rate": "train.learning_rate", "weight_decay": "train.weight_decay"}


def _motif_text(motifs: Any) -> Any:
    return motifs if motifs is None or isinstance(motifs, str) else ",".join(map(str, motifs))


def _seed(random_state: Any) -> int:
    if random_state is None or not isinstance(random_state, (int, np.integer)):
        raise UsageError(f"random_state is {random_state!r}; it is a whole number, so that the "
                         "result can be had again")
    return int(random_state)


class _Estimator(BaseEstimator):  # type: ignore[misc]
    """What all estimators share: rows are not numbers, and scikit-learn is not to check them."""

    def _more_tags(self) -> dict[str, Any]:
        return {"no_validation": True, "X_types": ["string", "categorical"]}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.no_validation = True
        tags.input_tags.two_d_array = False
        return tags


class _Trained(_Estimator):
    """A classifier with a network behind it."""

    def _train(self, dataset: Dataset, task: str) -> None:
        stated = {setting: getattr(self, name) for name, setting in _SETTINGS.items()
                  if getattr(self, name, None) is not None}
        if "model.motifs" in stated:
            stated["model.motifs"] = _motif_text(stated["model.motifs"])
        self.run_: Run = train(dataset, task=task, model=self.model, seed=_seed(self.random_state),
                               threads=self.n_jobs if (self.n_jobs or 0) > 0 else None,
                               progress=bool(self.verbose), **stated, **(self.settings or {}))

    def _split(self, items: NDArray[np.int64], code: NDArray[np.int64]) -> dict[str, Any]:
        """Items to select the best epoch by: a share of each class, drawn with random_state."""
        if not 0 < self.validation_fraction < 1:
            raise UsageError(f"validation_fraction is {self.validation_fraction}; it is between "
                             "0 and 1")
        rng = np.random.RandomState(_seed(self.random_state) % 2**32)
        chosen = np.zeros(len(items), bool)
        for number in range(code.max() + 1):
            of_class = rng.permutation(np.flatnonzero(code == number))
            chosen[of_class[:int(len(of_class) * self.validation_fraction)]] = True
        if not chosen.any():
            chosen[rng.randint(len(items))] = True
        # The network is tested on nothing here: that is for scikit-learn to do.
        return {"train": items[~chosen], "validation": items[chosen]}

    def _encode(self, y: Any) -> NDArray[np.int64]:
        y = np.asarray(y)
        if y.ndim == 2 and y.shape[1] == 1:
            y = y[:, 0]
        self.classes_, code = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise UsageError(f"y has {len(self.classes_)} class; classifying needs at least 2")
        numbers: NDArray[np.int64] = code.astype(np.int64)
        return numbers

    def predict(self, X: Any) -> NDArray[Any]:
        """The likeliest class of each row."""
        check_is_fitted(self, "run_")
        labels: NDArray[Any] = self.classes_[self.predict_proba(X).argmax(axis=1)]
        return labels

    def predict_proba(self, X: Any) -> NDArray[Any]:
        raise NotImplementedError


def _column(X: Any) -> Any:
    """Nodes of (n,) or (n, 1); others are refused."""
    if hasattr(X, "to_numpy"):
        X = X.to_numpy()
    shape = np.shape(X)
    if len(shape) == 2 and shape[1] == 1:
        return [row[0] for row in X] if isinstance(X, list) else np.asarray(X)[:, 0]
    if len(shape) != 1:
        raise UsageError(f"X has the shape {shape}; its rows are nodes: (n,) or (n, 1)")
    return X


class NodeClassifier(ClassifierMixin, _Trained):  # type: ignore[misc]
    """Classes of the nodes of `graph`: X are nodes, y their classes.

    All of the graph is seen by `fit`, but only the labels of X. After `set_params(graph=other)` a
    fitted estimator predicts nodes of another graph.
    """

    def __init__(self, graph: Any = None, features: Any = None, model: str = "mgnn", *,
                 layers: Any = None, per_motif: Any = None, motifs: Any = None,
                 counting: Any = None, normalisation: Any = None, base: Any = None,
                 dropout: Any = None, input_dropout: Any = None, epochs: Any = None,
                 patience: Any = None, learning_rate: Any = None, weight_decay: Any = None,
                 settings: Any = None, validation_fraction: float = 0.2, random_state: int = 0,
                 n_jobs: Any = None, verbose: Any = False) -> None:
        self.graph, self.features, self.model = graph, features, model
        self.layers, self.per_motif, self.motifs = layers, per_motif, motifs
        self.counting, self.normalisation, self.base = counting, normalisation, base
        self.dropout, self.input_dropout = dropout, input_dropout
        self.epochs, self.patience = epochs, patience
        self.learning_rate, self.weight_decay = learning_rate, weight_decay
        self.settings, self.validation_fraction = settings, validation_fraction
        self.random_state, self.n_jobs, self.verbose = random_state, n_jobs, verbose

    def _of_graph(self) -> tuple[Graph, Any, Any]:
        if self.graph is None:
            raise UsageError("NodeClassifier needs a graph: NodeClassifier(graph=...)")
        of = self.graph
        features = getattr(of, "x", None) if self.features is None else self.features
        attributes = (of.info.get("num_attributes")
                      if isinstance(of, Dataset) and self.features is None else None)
        return as_graph(of), features, attributes

    def fit(self, X: Any, y: Any) -> NodeClassifier:
        graph, features, attributes = self._of_graph()
        nodes, code = graph.index_of(_column(X)), self._encode(y)
        if len(nodes) != len(code):
            raise UsageError(f"X has {len(nodes)} rows, y has {len(code)}")
        label = np.full(len(graph), -1, np.int64)
        label[nodes] = code
        data = Dataset(graph, features, label, num_attributes=attributes,
                       class_names=[str(c) for c in self.classes_],
                       splits={"fit": self._split(nodes, code)})
        self._train(data, "node")
        self.n_features_in_ = 1
        self._kept: Any = None
        return self

    def fit_adjacency(self, adjacency: Any, X: Any, y: Any) -> NodeClassifier:
        """In scikit-network's order: matrix, features, and a class for each node (-1: unknown)."""
        self.set_params(graph=as_graph(adjacency), features=X)
        y = np.asarray(y)
        known = np.flatnonzero(y >= 0) if y.dtype.kind in "iuf" else np.arange(len(y))
        graph = as_graph(self.graph)
        return self.fit(known if graph.ids is None else graph.ids[known], y[known])

    def predict_proba(self, X: Any) -> NDArray[Any]:
        """(rows, classes) of any nodes of the graph."""
        check_is_fitted(self, "run_")
        graph, features, attributes = self._of_graph()
        key = (self.graph, self.features)
        if self._kept is None or any(a is not b for a, b in zip(self._kept[0], key)):
            data = Dataset(graph, features, num_attributes=attributes)
            self._kept = key, self.run_.predict(data).probability
        chances: NDArray[Any] = self._kept[1][graph.index_of(_column(X))]
        return chances

    def __getstate__(self) -> Any:
        state = super().__getstate__()
        return {**state, "_kept": None} if "_kept" in state else state


class GraphClassifier(ClassifierMixin, _Trained):  # type: ignore[misc]
    """Classes of graphs: X is a list of graphs or, with `data`, numbers of graphs of that set."""

    def __init__(self, data: Any = None, model: str = "mgnn", *, layers: Any = None,
                 per_motif: Any = None, motifs: Any = None, counting: Any = None,
                 normalisation: Any = None, base: Any = None, dropout: Any = None,
                 input_dropout: Any = None, epochs: Any = None, patience: Any = None,
                 learning_rate: Any = None, weight_decay: Any = None, settings: Any = None,
                 validation_fraction: float = 0.2, random_state: int = 0, n_jobs: Any = None,
                 verbose: Any = False) -> None:
        self.data, self.model = data, model
        self.layers, self.per_motif, self.motifs = layers, per_motif, motifs
        self.counting, self.normalisation, self.base = counting, normalisation, base
        self.dropout, self.input_dropout = dropout, input_dropout
        self.epochs, self.patience = epochs, patience
        self.learning_rate, self.weight_decay = learning_rate, weight_decay
        self.settings, self.validation_fraction = settings, validation_fraction
        self.random_state, self.n_jobs, self.verbose = random_state, n_jobs, verbose

    def _set(self, X: Any, code: Any, splits: Any) -> Dataset:
        names = None if code is None else [str(c) for c in self.classes_]
        if self.data is None:
            return Dataset.from_graphs(list(X), y=code, class_names=names, splits=splits)
        of = self.data
        if of.graph_start is None:
            raise UsageError("data is one graph; GraphClassifier needs a set of graphs")
        return Dataset(of.graph, of.x, code, class_names=names, graph_start=of.graph_start,
                       num_attributes=of.info.get("num_attributes"), splits=splits)

    def fit(self, X: Any, y: Any) -> GraphClassifier:
        code = self._encode(y)
        items = np.arange(len(code)) if self.data is None else np.asarray(_column(X), np.int64)
        if len(X) != len(code):
            raise UsageError(f"X has {len(X)} rows, y has {len(code)}")
        label = code
        if self.data is not None:
            label = np.full(self.data.num_items, -1, np.int64)
            label[items] = code
        self._train(self._set(X, label, {"fit": self._split(items, code)}), "graph")
        return self

    def predict_proba(self, X: Any) -> NDArray[Any]:
        """(graphs, classes)."""
        check_is_fitted(self, "run_")
        chances: NDArray[Any] = self.run_.predict(self._set(X, None, None)).probability
        return chances if self.data is None else chances[np.asarray(_column(X), np.int64)]


class LinkPredictor(ClassifierMixin, _Trained):  # type: ignore[misc]
    """Whether pairs of nodes are joined: X are pairs (n, 2), y says which are edges.

    `fit` learns from the graph that the pairs with y = 1 make (without y: all pairs), so that edges
    which cross-validation holds out are not seen; the library draws its own pairs without an edge.
    `graph` says what nodes there are, and whether edges have a direction.
    """

    def __init__(self, graph: Any = None, features: Any = None, model: str = "mgnn", *,
                 layers: Any = None, per_motif: Any = None, motifs: Any = None,
                 counting: Any = None, dropout: Any = None, epochs: Any = None,
                 patience: Any = None, learning_rate: Any = None, weight_decay: Any = None,
                 settings: Any = None, random_state: int = 0, n_jobs: Any = None,
                 verbose: Any = False) -> None:
        self.graph, self.features, self.model = graph, features, model
        self.layers, self.per_motif, self.motifs = layers, per_motif, motifs
        self.counting, self.dropout = counting, dropout
        self.epochs, self.patience = epochs, patience
        self.learning_rate, self.weight_decay = learning_rate, weight_decay
        self.settings, self.random_state = settings, random_state
        self.n_jobs, self.verbose = n_jobs, verbose

    def _pairs(self, X: Any) -> NDArray[np.int64]:
        X = np.asarray(X)
        if X.ndim != 2 or X.shape[1] != 2:
            raise UsageError(f"X has the shape {X.shape}; its rows are pairs of nodes: (n, 2)")
        if self.graph is None:
            raise UsageError("LinkPredictor needs a graph: LinkPredictor(graph=...)")
        graph = as_graph(self.graph)
        return np.stack([graph.index_of(X[:, 0]), graph.index_of(X[:, 1])], 1)

    def fit(self, X: Any, y: Any = None) -> LinkPredictor:
        pairs, of = self._pairs(X), as_graph(self.graph)
        if y is not None:
            pairs = pairs[np.asarray(y).astype(bool)]
        known = Graph.from_edge_index(np.ascontiguousarray(pairs.T), num_nodes=len(of))
        features = getattr(self.graph, "x", None) if self.features is None else self.features
        self._train(Dataset(known.undirected() if of.is_undirected else known, features), "link")
        self.classes_ = np.array([0, 1])
        return self

    def predict_proba(self, X: Any) -> NDArray[Any]:
        """(pairs, 2): calibrated chances of no edge and of an edge."""
        check_is_fitted(self, "run_")
        chance = self.run_.score_pairs(self._pairs(X), probability=True)
        return np.stack([1 - chance, chance], 1)

    def decision_function(self, X: Any) -> NDArray[Any]:
        """Scores of pairs: the higher, the likelier an edge."""
        check_is_fitted(self, "run_")
        scores: NDArray[Any] = self.run_.score_pairs(self._pairs(X))
        return scores


class MotifFeatures(TransformerMixin, _Estimator):  # type: ignore[misc]
    """Motif counts: with `graph` X are its nodes; without, X is a list of graphs."""

    def __init__(self, graph: Any = None, *, counting: str = "induced", roles: bool = False,
                 scale: str = "log1p") -> None:
        self.graph, self.counting, self.roles, self.scale = graph, counting, roles, scale

    def fit(self, X: Any, y: Any = None) -> MotifFeatures:
        self.n_features_out_ = 30 if self.roles else 13
        return self

    def transform(self, X: Any) -> NDArray[np.float32]:
        if self.graph is not None:
            graph = as_graph(self.graph)
            table = motif_features(graph, counting=self.counting, roles=self.roles,
                                   scale=self.scale)
            return table[graph.index_of(_column(X))]
        if self.roles:
            raise UsageError("roles are of nodes: give a graph, or roles=False")
        rows = [census(graph, counting=self.counting, progress=False).total for graph in X]
        counts: Any = np.array(rows, np.float64).reshape(-1, 13)
        scaled = np.log1p(counts) if self.scale == "log1p" else counts
        return np.asarray(scaled, np.float32)

    def __sklearn_is_fitted__(self) -> bool:
        return True


class NodeEmbedding(TransformerMixin, _Estimator):  # type: ignore[misc]
    """Vectors of the nodes of `graph`, made by `fit`; `transform` picks those of X."""

    def __init__(self, graph: Any = None, method: str = "node2vec", dimension: int = 128, *,
                 options: Any = None, random_state: int = 0) -> None:
        self.graph, self.method, self.dimension = graph, method, dimension
        self.options, self.random_state = options, random_state

    def fit(self, X: Any = None, y: Any = None) -> NodeEmbedding:
        if self.graph is None:
            raise UsageError("NodeEmbedding needs a graph: NodeEmbedding(graph=...)")
        self.embedding_ = embed(self.graph if isinstance(self.graph, Dataset)
                                else as_graph(self.graph), self.method, dimension=self.dimension,
                                seed=_seed(self.random_state), progress=False,
                                **(self.options or {}))
        return self

    def transform(self, X: Any) -> NDArray[np.float32]:
        check_is_fitted(self, "embedding_")
        return self.embedding_[as_graph(self.graph).index_of(_column(X))]


class GraphEmbedding(TransformerMixin, _Estimator):  # type: ignore[misc]
    """Vectors of the graphs of a list."""

    def __init__(self, method: str = "graph2vec", dimension: Any = None, *, options: Any = None,
                 random_state: int = 0) -> None:
        self.method, self.dimension = method, dimension
        self.options, self.random_state = options, random_state

    def _stated(self) -> dict[str, Any]:
        return dict(dimension=self.dimension, seed=_seed(self.random_state), progress=False,
                    **(self.options or {}))

    def fit(self, X: Any, y: Any = None) -> GraphEmbedding:
        self.graphs_ = [as_graph(graph) for graph in X]
        self.embedding_ = embed(self.graphs_, self.method, **self._stated())
        return self

    def transform(self, X: Any) -> NDArray[np.float32]:
        check_is_fitted(self, "embedding_")
        graphs = [as_graph(graph) for graph in X]
        if len(graphs) == len(self.graphs_) and all(a == b for a, b in zip(graphs, self.graphs_)):
            return self.embedding_
        return embed_unseen(self.graphs_, graphs, self.method, **self._stated())
