import pickle

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn")
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import mgnn
from conftest import random_arcs
from mgnn.sklearn import (GraphClassifier, GraphEmbedding, LinkPredictor, MotifFeatures,
                          NodeClassifier, NodeEmbedding)

SHORT = dict(epochs=10, patience=0)
ALL = [NodeClassifier, GraphClassifier, LinkPredictor, MotifFeatures, NodeEmbedding,
       GraphEmbedding]


def example(named=False, n=60):
    rng = np.random.default_rng(0)
    y = np.array(["left", "right"])[np.arange(n) % 2]
    edges = [(u, v) for u in range(n) for v in range(u)
             if rng.random() < (0.25 if y[u] == y[v] else 0.02)]
    ids = np.array([f"n{i}" for i in range(n)])
    pairs = [(ids[u], ids[v]) for u, v in edges] if named else edges
    graph = mgnn.Graph.from_edges(pairs, ids=ids if named else None, undirected=True,
                                  num_nodes=n)
    x = (rng.normal(size=(n, 4)) + (y == "left")[:, None]).astype(np.float32)
    return graph, x, ids if named else np.arange(n), y


@pytest.mark.parametrize("named", [False, True])
def test_nodes(named):
    graph, x, nodes, y = example(named)
    model = NodeClassifier(graph, x, **SHORT).fit(nodes[:40], y[:40])
    assert model.classes_.tolist() == ["left", "right"]
    chances = model.predict_proba(nodes[40:])
    assert chances.shape == (20, 2) and np.allclose(chances.sum(1), 1, atol=1e-5)
    assert model.score(nodes[40:], y[40:]) > 0.6
    column = nodes.reshape(-1, 1)
    assert np.array_equal(model.predict(column[40:]), model.predict(nodes[40:]))
    other = pickle.loads(pickle.dumps(model))
    assert np.array_equal(other.predict_proba(nodes), model.predict_proba(nodes))


def test_labels_of_others_are_not_seen():
    graph, x, nodes, y = example()
    wrong = y.copy()
    wrong[40:] = "left"
    a = NodeClassifier(graph, x, **SHORT).fit(nodes[:40], y[:40]).predict_proba(nodes)
    b = NodeClassifier(graph, x, **SHORT).fit(nodes[:40], wrong[:40]).predict_proba(nodes)
    assert np.array_equal(a, b)


def test_cross_validation_grid_search_clone():
    graph, x, nodes, y = example()
    model = NodeClassifier(graph, x, **SHORT)
    copy = clone(model)
    assert copy.graph is graph and copy.get_params()["epochs"] == 10
    scores = cross_val_score(model, nodes, y, cv=StratifiedKFold(3))
    assert scores.shape == (3,) and scores.mean() > 0.6
    search = GridSearchCV(model, {"dropout": [0.0, 0.5], "layers": [(8,), (16,)]}, cv=2)
    search.fit(nodes.reshape(-1, 1), y)
    assert set(search.best_params_) == {"dropout", "layers"}
    again = GridSearchCV(model, {"dropout": [0.0, 0.5], "layers": [(8,), (16,)]}, cv=2)
    again.fit(nodes.reshape(-1, 1), y)
    assert np.array_equal(search.cv_results_["mean_test_score"],
                          again.cv_results_["mean_test_score"])


def test_another_graph_after_fit():
    graph, x, nodes, y = example()
    model = NodeClassifier(graph, x, **SHORT).fit(nodes, y)
    part = graph.subgraph(np.arange(30))
    expected = model.run_.predict(mgnn.Dataset(part, x[:30])).probability
    model.set_params(graph=part, features=x[:30])
    assert np.array_equal(model.predict_proba(np.arange(30)), expected)


def test_in_the_order_of_scikit_network():
    graph, x, nodes, y = example()
    labels = np.where(nodes < 40, (y == "right").astype(int), -1)
    model = NodeClassifier(**SHORT).fit_adjacency(graph.to_scipy(), x, labels)
    expected = NodeClassifier(graph, x, **SHORT).fit(nodes[:40], labels[:40])
    assert np.array_equal(model.predict(nodes), expected.predict(nodes))


def test_graphs():
    graphs = [mgnn.Graph.from_edge_index(random_arcs(i, 10, 15 + 40 * (i % 2)), num_nodes=10)
              for i in range(30)]
    y = np.arange(30) % 2
    model = GraphClassifier(model="gin", **SHORT).fit(graphs[:20], y[:20])
    assert model.predict_proba(graphs[20:]).shape == (10, 2)
    data = mgnn.Dataset.from_graphs(graphs)
    by_number = GraphClassifier(data, model="gin", **SHORT)
    assert cross_val_score(by_number, np.arange(30), y, cv=2).shape == (2,)


def test_links():
    graph, x, _, _ = example()
    edges = graph.edge_index().T
    edges = edges[edges[:, 0] < edges[:, 1]]
    rng = np.random.default_rng(1)
    others = rng.integers(0, 60, edges.shape)
    model = LinkPredictor(graph, x, **SHORT).fit(edges)
    chances = model.predict_proba(np.concatenate([edges, others]))
    assert chances.shape == (2 * len(edges), 2) and np.allclose(chances.sum(1), 1)
    assert model.predict(edges).shape == (len(edges),)
    order = np.argsort(model.decision_function(edges))
    assert (np.diff(model.predict_proba(edges)[order, 1]) >= -1e-6).all()


def test_transformers():
    graph, x, nodes, y = example()
    features = MotifFeatures(graph)
    assert np.array_equal(features.fit_transform(nodes), mgnn.motif_features(graph))
    pipeline = make_pipeline(NodeEmbedding(graph, "hope", 8), StandardScaler(),
                             LogisticRegression())
    assert cross_val_score(pipeline, nodes, y, cv=3).mean() > 0.6
    graphs = [mgnn.Graph.from_edge_index(random_arcs(i, 10, 30), num_nodes=10) for i in range(6)]
    assert MotifFeatures().fit_transform(graphs).shape == (6, 13)
    embedding = GraphEmbedding("graph2vec", 4).fit(graphs)
    assert embedding.transform(graphs).shape == (6, 4)
    assert embedding.transform(graphs[:2]).shape == (2, 4)


def test_parameters_are_settings():
    from mgnn.sklearn import _SETTINGS
    names = {row["name"] for row in mgnn.settings(model__name="mgnn")}
    assert set(_SETTINGS.values()) <= names


@pytest.mark.parametrize("kind", ALL)
def test_conventions(kind):
    from sklearn.utils import estimator_checks as checks
    name, model = kind.__name__, kind()
    checks.check_parameters_default_constructible(name, model)
    checks.check_no_attributes_set_in_init(name, model)
    checks.check_get_params_invariance(name, model)
    checks.check_set_params(name, model)
    checks.check_estimators_unfitted if hasattr(model, "predict") else None
    assert kind.__name__ in repr(model)


def test_refusals():
    graph, x, nodes, y = example()
    with pytest.raises(mgnn.UsageError, match="needs a graph"):
        NodeClassifier().fit(nodes, y)
    with pytest.raises(mgnn.UsageError, match="rows are nodes"):
        NodeClassifier(graph, x, **SHORT).fit(np.zeros((60, 2)), y)
    with pytest.raises(mgnn.UsageError, match="at least 2"):
        NodeClassifier(graph, x, **SHORT).fit(nodes[:3], ["a", "a", "a"])
    with pytest.raises(mgnn.UsageError, match="random_state"):
        NodeClassifier(graph, x, random_state=None, **SHORT).fit(nodes, y)
    with pytest.raises(sklearn.exceptions.NotFittedError):
        NodeClassifier(graph, x).predict(nodes)
