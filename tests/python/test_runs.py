import pickle
import re

import numpy as np
import pytest

import mgnn
from conftest import random_arcs


def two_groups(seed=0, n=60):
    """Two groups of nodes that are joined within, with weak features."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    edges = [(u, v) for u in range(n) for v in range(u)
             if rng.random() < (0.2 if y[u] == y[v] else 0.03)]
    x = rng.normal(size=(n, 4)) + y[:, None]
    return mgnn.Dataset(mgnn.Graph.from_edges(edges, num_nodes=n, undirected=True),
                        x.astype(np.float32), y, class_names=["left", "right"],
                        splits={"mine": (range(0, 30), range(30, 45), range(45, 60))})


SHORT = dict(epochs=15, patience=0, split="mine")


@pytest.fixture(scope="module")
def run():
    return mgnn.train(two_groups(), model="mgnn", **SHORT)


def test_training_gives_scores_and_predictions(run):
    assert run.task == "node" and run.class_names == ["left", "right"]
    predictions = run.predict()
    assert predictions.probability.shape == (60, 2)
    assert np.allclose(predictions.probability.sum(1), 1, atol=1e-5)
    data = two_groups()
    test = data.split("mine").test
    accuracy = (predictions.index[test] == data.y[test]).mean()
    assert accuracy == pytest.approx(run.scores["test"]["mean"], abs=1e-9)
    assert set(predictions.label) <= {"left", "right"}
    assert run.embed().shape == (60, 13 * 6)
    assert run.confusion.sum() == len(test)


def test_same_seed_same_bits(run):
    for threads in (1, 3):
        other = mgnn.train(two_groups(), model="mgnn", threads=threads, **SHORT)
        assert other.to_bytes() == run.to_bytes()
        assert np.array_equal(other.predict().probability, run.predict().probability)
    different = mgnn.train(two_groups(), model="mgnn", seed=1, **SHORT)
    assert not np.array_equal(different.predict().probability, run.predict().probability)


def test_as_the_tool(tool_json, data_dir, tmp_path):
    settings = dict(model="gcn", seeds=2)
    expected = tool_json("train", "cora", "--data-dir", data_dir, "--model", "gcn", "--seeds", 2,
                         "--epochs", 5, "-o", tmp_path / "tool")
    data = mgnn.load("cora", data_dir=data_dir)
    ours = mgnn.train(data, epochs=5, output=tmp_path / "ours", **settings)
    for key in ("test", "validation"):
        assert ours.scores[key]["mean"] == expected[key]["mean"]
        assert ours.scores[key]["runs"] == expected[key]["runs"]
    stored = mgnn.Run.load(tmp_path / "tool")
    for name, values in ours.weights().items():
        assert np.array_equal(values, stored.weights()[name]), name
    assert {p.name for p in (tmp_path / "ours").iterdir()} >= {"run.json", "model.safetensors"}
    with pytest.raises(mgnn.UsageError, match="overwrite=True"):
        mgnn.train(data, epochs=5, output=tmp_path / "ours", **settings)


def test_saved_loaded_pickled(run, tmp_path):
    run.save(tmp_path / "m.safetensors")
    expected = run.predict(two_groups()).probability
    for other in (mgnn.Run.load(tmp_path / "m.safetensors"), mgnn.Run.from_bytes(run.to_bytes()),
                  pickle.loads(pickle.dumps(run))):
        assert np.array_equal(other.predict(two_groups()).probability, expected)
        assert other.class_names == run.class_names
        assert other.to_bytes() == run.to_bytes()
    with pytest.raises(mgnn.UsageError, match="overwrite=True"):
        run.save(tmp_path / "m.safetensors")


def parts_of(page):
    """Titles, and figures and tables by their caption, without what differs from run to run."""
    figures = re.findall(r"<svg.*?</svg>", page, re.S)
    return re.findall(r"<h[12].*?</h[12]>", page, re.S), figures


@pytest.mark.parametrize("data, task", [("roles", "node"), ("triads", "graph"), ("toykg", "link"),
                                        ("karate", "unsupervised")])
def test_reports_as_the_tool(data, task, tool, tmp_path):
    tool("train", data, "--task", task, "--model", "gcn", "--seeds", 2, "--epochs", 3,
         "--no-output", "--report", tmp_path / "tool.html")
    run = mgnn.train(data, task=task, model="gcn", seeds=2, epochs=3)
    run.report(tmp_path / "ours.html")
    expected, found = ((tmp_path / f"{name}.html").read_text() for name in ("tool", "ours"))
    assert parts_of(found) == parts_of(expected)
    assert len(parts_of(found)[1]) >= 2


def test_reports_of_trainings_alone(tmp_path):
    run = mgnn.train("roles", epochs=2)
    run.report(tmp_path / "ours.html")
    with pytest.raises(mgnn.UsageError, match="overwrite=True"):
        run.report(tmp_path / "ours.html")
    run.report(tmp_path / "ours.html", overwrite=True)
    with pytest.raises(mgnn.UsageError, match="of this process"):
        mgnn.Run.from_bytes(run.to_bytes()).report(tmp_path / "other.html")
    assert not (tmp_path / "other.html").exists()


def test_weights_and_config(run):
    weights = run.weights()
    assert weights["layer1.weight"].shape == (4, 16)
    assert weights["output.weight"].shape == (78, 2)
    with pytest.raises(ValueError):
        weights["layer1.weight"][0, 0] = 1
    assert run.config["train"]["epochs"] == 15


def test_callback_and_history():
    seen = []

    def callback(record):
        seen.append(record)
        return record.epoch >= 4

    run = mgnn.train(two_groups(), callback=callback, **SHORT)
    assert [record.epoch for record in seen] == [1, 2, 3, 4]
    assert [row["epoch"] for row in run.history] == [1, 2, 3, 4]
    assert seen[0].train_loss == pytest.approx(run.history[0]["train_loss"])


def test_exceptions_of_callbacks_come_through():
    def callback(record):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        mgnn.train(two_groups(), callback=callback, **SHORT)


def test_unknown_settings_and_models():
    with pytest.raises(mgnn.UsageError, match="epochs"):
        mgnn.train(two_groups(), epohcs=5)
    with pytest.raises(mgnn.UsageError, match="mgnn"):
        mgnn.train(two_groups(), model="mgn")
    with pytest.raises(mgnn.UsageError, match="finite"):
        mgnn.train(two_groups(), dropout=float("nan"))


@pytest.mark.filterwarnings("error")
def test_doubtful_scores_and_unused_settings_are_said():
    data = two_groups()
    noise = mgnn.Dataset(data.graph, np.zeros((60, 1), np.float32), np.arange(60) % 2,
                         splits={"mine": (range(0, 30), range(30, 45), range(45, 60))})
    with pytest.warns(mgnn.NoteWarning) as told:
        run = mgnn.train(noise, **{**SHORT, "epochs": 1, "motifs": "none"})
    assert {str(w.message) for w in told} == set(run.scores["warnings"] + run.scores["notes"])
    assert all(w.filename == __file__ for w in told)


def test_callbacks_of_several_repetitions():
    seen = []
    mgnn.train(two_groups(), seeds=4, threads=2, callback=seen.append, **SHORT)
    assert sorted({record.run for record in seen}) == [0, 1, 2, 3]
    assert len(seen) == 4 * 15


def test_numbers_to_predict():
    base = two_groups()
    target = np.asarray(base.y) * 2.0 + 1
    data = mgnn.Dataset(base.graph, base.x, target,
                        splits={"mine": (range(0, 30), range(30, 45), range(45, 60))})
    run = mgnn.train(data, **SHORT)
    predictions = run.predict()
    assert predictions.is_regression and predictions.value.shape == (60,)
    with pytest.raises(mgnn.UsageError, match="use value"):
        predictions.label


def test_sets_of_graphs():
    graphs = [mgnn.Graph.from_edge_index(random_arcs(i, 10, 20 + 30 * (i % 2)), num_nodes=10)
              for i in range(20)]
    data = mgnn.Dataset.from_graphs(graphs, y=np.arange(20) % 2)
    run = mgnn.train(data, model="gin", epochs=5, folds=3)
    assert run.task == "graph" and run.predict().probability.shape == (20, 2)


def test_links():
    data = two_groups()
    run = mgnn.train(data, task="link", epochs=10, patience=0)
    ranking = run.rank(top=10)
    assert len(ranking) == 10 and (np.diff(ranking.score) <= 0).all()
    pairs = np.stack([ranking.source, ranking.target], 1)
    assert np.allclose(run.score_pairs(pairs), ranking.score, rtol=1e-5)
    assert np.allclose(run.score_pairs(pairs, probability=True), ranking.probability, rtol=1e-5)
    dense = data.graph.to_scipy().toarray()
    assert not dense[ranking.source, ranking.target].any()
    if ranking.contributions is not None:
        assert np.allclose(ranking.contributions.sum(1), ranking.score, rtol=1e-3, atol=1e-3)


def test_compare_and_search():
    found = mgnn.compare(two_groups(), ["gcn", "mgnn"], seeds=2, **SHORT)
    assert {row["model"] for row in found["models"]} == {"gcn", "mgnn"}
    trials = mgnn.search(two_groups(), trials=2, space={"dropout": "0..0.5"}, **SHORT)
    assert len(trials) == 2


def test_pandas(run):
    pandas = pytest.importorskip("pandas")
    frame = run.predict().to_pandas()
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == [
        "prediction", "left", "right"]


def test_embeddings(tool, tmp_path, data_dir):
    graph = two_groups().graph
    one = mgnn.embed(graph, "hope", dimension=8)
    assert one.shape == (60, 8) and one.dtype == np.float32 and one.flags.writeable
    vectors = mgnn.embed(graph, "node2vec", dimension=8, seed=3, threads=1)
    assert np.array_equal(vectors, mgnn.embed(graph, "node2vec", dimension=8, seed=3, threads=3))
    assert not np.array_equal(vectors, mgnn.embed(graph, "node2vec", dimension=8, seed=4))
    tool("embed", "cora", "--data-dir", data_dir, "--method", "hope", "--dimension", 8, "-o",
         tmp_path / "z.npy")
    assert np.array_equal(mgnn.embed(mgnn.load("cora", data_dir=data_dir), "hope", dimension=8),
                          np.load(tmp_path / "z.npy"))
    with pytest.raises(mgnn.UsageError, match="node2vec"):
        mgnn.embed(graph, "node2vecc")


def test_embeddings_of_graphs():
    graphs = [mgnn.Graph.from_edge_index(random_arcs(i, 10, 30), num_nodes=10) for i in range(8)]
    assert mgnn.embed(graphs, "feather").shape[0] == 8
    unseen = mgnn.embed_unseen(graphs[:6], graphs[6:], "graph2vec", dimension=4)
    assert unseen.shape == (2, 4)


def test_several_labels_an_item():
    graph = mgnn.Graph.from_edge_index(random_arcs(3, 60, 300), num_nodes=60)
    x = np.random.default_rng(0).normal(size=(60, 4)).astype(np.float32)
    labels = [[name for k, name in enumerate("abc") if x[i, k] > 0] for i in range(60)]
    data = mgnn.Dataset(graph, x, labels)
    short = {**SHORT, "split": "random"}
    run = mgnn.train(data, **short)
    assert run.task == "node-multilabel" and run.class_names == ["a", "b", "c"]
    chance = run.predict().probability
    assert chance.shape == (60, 3) and not np.allclose(chance.sum(axis=1), 1)
    again = mgnn.train(pickle.loads(pickle.dumps(data)), **short)
    assert np.array_equal(again.predict().probability, chance)
