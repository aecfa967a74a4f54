import pickle
import warnings

import numpy as np
import pytest

import mgnn
from conftest import random_arcs


def example(**more):
    graph = mgnn.Graph.from_edge_index(random_arcs(1), num_nodes=40)
    x = np.random.default_rng(0).normal(size=(40, 5)).astype(np.float32)
    y = np.arange(40) % 3
    return mgnn.Dataset(graph, x, y, **more)


def test_what_is_put_in_comes_out():
    data = example(class_names=["a", "b", "c"], feature_names=list("vwxyz"),
                   splits={"mine": (range(0, 20), range(20, 30), range(30, 40))})
    x = np.random.default_rng(0).normal(size=(40, 5)).astype(np.float32)
    assert np.array_equal(data.x, x)
    assert data.y.tolist() == [i % 3 for i in range(40)]
    assert data.class_names == ["a", "b", "c"] and data.feature_names == list("vwxyz")
    assert data.splits == ["mine"]
    split = data.split("mine")
    assert split.test.tolist() == list(range(30, 40)) and len(split.train) == 20
    assert data.num_items == len(data) == 40 and data.num_features == 5
    assert not data.x.flags.writeable
    assert data.graph.num_arcs == mgnn.Graph.from_edge_index(random_arcs(1), num_nodes=40).num_arcs


def test_dense_features_are_not_copied():
    graph = mgnn.Graph.from_edges([(0, 1), (1, 2)])
    x = np.arange(6, dtype=np.float32).reshape(3, 2)
    data = mgnn.Dataset(graph, x, [0, 1, 0])
    assert np.shares_memory(data.x, x)
    expected, view = x.copy(), data.x
    del data, x
    assert np.array_equal(view, expected)
    assert not np.shares_memory(mgnn.Dataset(graph, expected[:, ::-1]).x, expected)


def test_runs_keep_the_features_of_their_training():
    import gc
    from test_runs import SHORT, two_groups
    run = mgnn.train(two_groups(), **SHORT)
    expected = run.predict(two_groups()).probability
    gc.collect()
    assert np.array_equal(run.predict().probability, expected)


def test_sparse_features():
    sparse = pytest.importorskip("scipy.sparse")
    graph = mgnn.Graph.from_edge_index(random_arcs(1), num_nodes=40)
    x = sparse.random(40, 30, density=0.2, format="csr", dtype=np.float64, random_state=1)
    for given in (x, x.tocoo(), x.tocsc(), x.astype(np.float32)):
        found = mgnn.Dataset(graph, given).x
        assert np.allclose(found.toarray(), x.toarray(), atol=1e-7)


def test_answers_of_all_kinds():
    graph = mgnn.Graph.from_edges([(0, 1), (1, 2)])
    named = mgnn.Dataset(graph, y=["no", None, "yes"])
    assert named.class_names == ["no", "yes"] and named.y.tolist() == [0, -1, 1]
    numbers = mgnn.Dataset(graph, y=[0.5, np.nan, 2.0])
    assert numbers.y.dtype == np.float64 and np.isnan(numbers.y[1])
    with pytest.raises(mgnn.UsageError, match="targets"):
        mgnn.Dataset(graph, y=[0.5, 1, 2.0], class_names=["a"])


@pytest.mark.parametrize("more", [
    dict(x=np.zeros((3, 2), np.float32)), dict(x=np.zeros(40, np.float32)), dict(y=[0, 1]),
    dict(x=np.full((40, 2), "a")), dict(feature_names=["a"]), dict(arc_weight=[1.0]),
    dict(splits={"s": {"train": [0], "exam": [1]}}), dict(splits={"s": ([0], [0], [1])}),
    dict(y=np.full(40, -2)), dict(y=["a"] * 40, class_names=["b"])])
def test_refusals(more):
    graph = mgnn.Graph.from_edge_index(random_arcs(1), num_nodes=40)
    given = dict(x=np.zeros((40, 2), np.float32), y=np.arange(40) % 2)
    with pytest.raises(mgnn.Error):
        mgnn.Dataset(graph, **{**given, **more})


def test_large_conversions_are_warned_of():
    graph = mgnn.Graph.from_edges([], num_nodes=300_000)
    with pytest.warns(mgnn.PerformanceWarning, match="120 MB"):
        mgnn.Dataset(graph, np.zeros((300_000, 100), np.float64))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mgnn.Dataset(graph, np.zeros((300_000, 100), np.float32))


def test_sets_of_graphs():
    graphs = [mgnn.Graph.from_edge_index(random_arcs(i, 9, 20), num_nodes=9) for i in range(6)]
    data = mgnn.Dataset.from_graphs(graphs, y=[0, 1, 0, 1, 0, 1])
    assert data.graph_start.tolist() == [0, 9, 18, 27, 36, 45, 54]
    assert data.graphs() == graphs and len(data) == 6


def test_pickles():
    data = example(splits={"mine": ([0, 1], [2], [3])}, class_names=["a", "b", "c"])
    other = pickle.loads(pickle.dumps(data))
    assert np.array_equal(other.x, data.x) and np.array_equal(other.y, data.y)
    assert other.class_names == data.class_names and other.splits == data.splits
    assert other.graph == data.graph


OF_READING = {"remarks", "reading", "features_from", "loops_dropped", "duplicates_dropped",
              "nodes_dropped"}


def everything(data):
    x = data.x.toarray() if hasattr(data.x, "toarray") else data.x
    splits = {name: [part.tolist() for part in data.split(name)] for name in data.splits}
    arrays = [None if a is None else np.asarray(a).tolist()
              for a in (x, data.node_type, data.arc_weight, data.graph_start)]
    y = data.y
    y = [v.tolist() for v in y] if isinstance(y, list) else None if y is None else y.tolist()
    told = {k: v for k, v in data.info.items() if k not in OF_READING}
    return (data.graph, arrays, y, splits, told,
            {name: edges.tolist() for name, edges in data.relations.items()})


def test_relations_types_and_several_labels_pickle():
    arcs = random_arcs(1)[:, :60]
    arcs = arcs[:, arcs[0] != arcs[1]]
    graph = mgnn.Graph.from_edge_index(arcs, num_nodes=40)
    labels = [[], ["b", "a"], ("c",), None] * 10
    data = mgnn.Dataset(graph, y=labels, node_type=["z", "y"] * 20,
                        relations={"likes": arcs[:, :7], "knows": arcs[:, 7:11]},
                        splits={"mine": ([1, 5], [2], [6])},
                        arc_weight=np.arange(graph.num_arcs, dtype=np.float32))
    assert [v.tolist() for v in data.y[:4]] == [[], [0, 1], [2], []]
    assert data.class_names == ["a", "b", "c"] and data.info["multilabel"]
    assert np.array_equal(data.relations["likes"], arcs[:, :7])
    other = pickle.loads(pickle.dumps(data))
    assert everything(other) == everything(data)
    assert everything(pickle.loads(pickle.dumps(other))) == everything(data)
    whole = mgnn.Dataset(graph, y=data.y, class_names=data.class_names)
    assert [v.tolist() for v in whole.y] == [v.tolist() for v in data.y]


def test_splits_without_validation_pickle():
    data = example(splits={"mine": {"train": range(30), "test": range(30, 40)}})
    other = pickle.loads(pickle.dumps(data))
    assert other.info["splits"] == data.info["splits"]
    for seed in range(3):
        for part, found in zip(data.split("mine", seed), other.split("mine", seed)):
            assert np.array_equal(part, found)


def test_splits_of_all_kinds_of_answers():
    graph = mgnn.Graph.from_edge_index(random_arcs(1), num_nodes=40)
    for y in (None, np.where(np.arange(40) % 4, 0.5, np.nan), [[0, 1], []] * 20):
        for name in ("random", "mine"):
            data = mgnn.Dataset(graph, y=y, splits={"mine": (range(9), range(9, 20), [20, 21])})
            parts = np.concatenate(data.split(name))
            known = range(40) if y is None else [
                i for i in range(40) if (len(y[i]) if isinstance(y, list) else y[i] == y[i])]
            assert set(parts.tolist()) == (set(known) & set(range(22 if name == "mine" else 40)))


def test_datasets_of_files_pickle(tmp_path, data_dir):
    (tmp_path / "e.csv").write_text("a,b,kind\nu,v,x\nv,w,y\nw,u,x\n")
    typed = mgnn.load(tmp_path / "e.csv", relation_column="kind")
    assert set(typed.relations) == {"x", "y"}
    for data in (typed, mgnn.load("mutag", data_dir=data_dir)):
        assert everything(pickle.loads(pickle.dumps(data))) == everything(data)


@pytest.mark.parametrize("more, said", [
    (dict(relations={"r": [[0], [39]]}), "arc"), (dict(relations={"r": [0, 1]}), "2, edges"),
    (dict(y=[["a"]] * 40, class_names=["b"]), "class_names"), (dict(y=[[0], 1]), "lists"),
    (dict(relations={"r": [[0.5], [1]]}), "whole"), (dict(y=[[0]]), "label sets")])
def test_refusals_of_relations_and_label_sets(more, said):
    graph = mgnn.Graph.from_edges([(0, 1), (1, 2)], num_nodes=40)
    with pytest.raises(mgnn.UsageError, match=said):
        mgnn.Dataset(graph, **more)


def test_random_splits_are_by_seed():
    data = example()
    one, again, other = data.split(seed=1), data.split(seed=1), data.split(seed=2)
    assert all(np.array_equal(a, b) for a, b in zip(one, again))
    assert not np.array_equal(one.test, other.test)
    everything = np.concatenate(one)
    assert len(set(everything.tolist())) == len(everything)


def test_files(tmp_path):
    (tmp_path / "e.csv").write_text("source,target\na,b\nb,c\nc,a\n")
    (tmp_path / "n.csv").write_text("id,kind,size\na,x,1\nb,y,2\nc,x,3\n")
    data = mgnn.load(tmp_path / "e.csv", nodes=tmp_path / "n.csv", label="kind", features=["size"])
    assert data.ids.tolist() == ["a", "b", "c"] and data.class_names == ["x", "y"]
    assert data.num_features == 1
    assert mgnn.load(tmp_path / "e.csv", undirected=True).graph.is_undirected
    with pytest.raises(mgnn.UsageError):
        mgnn.load(tmp_path / "e.csv", no_such_setting=1)


def test_errors_have_file_and_line(tmp_path):
    bad = tmp_path / "bad.csv"
    bad.write_text("source,target\na,b\nb\n")
    with pytest.raises(mgnn.DataError) as caught:
        mgnn.load(bad)
    assert caught.value.path == str(bad) and caught.value.line == 3
    assert str(bad) in str(caught.value)
    with pytest.raises(mgnn.UsageError, match="mgnn.datasets"):
        mgnn.load("zzzzzzzzzz")
    with pytest.raises(mgnn.UsageError, match="did you mean cora"):
        mgnn.load("coraa")


def test_written_and_read_again(tmp_path):
    data = example(class_names=["a", "b", "c"])
    data.write(tmp_path / "d.safetensors")
    other = mgnn.load(tmp_path / "d.safetensors")
    assert other.graph == data.graph and np.array_equal(other.x, data.x)
    with pytest.raises(mgnn.UsageError, match="overwrite"):
        data.write(tmp_path / "d.safetensors")


def test_named_datasets(data_dir, tool_json):
    cora = mgnn.load("cora", data_dir=data_dir)
    facts = tool_json("info", "cora", "--data-dir", data_dir)
    assert cora.num_nodes == facts["nodes"] and cora.graph.num_arcs == facts["arcs"]
    assert cora.num_features == facts["features"] and len(cora.class_names) == facts["classes"]
    names = {info.name: info for info in mgnn.datasets(data_dir=data_dir)}
    assert names["cora"].here and "mutag" in names
    assert {info.name for info in mgnn.datasets(here=True, data_dir=data_dir)} <= set(names)
    mutag = mgnn.load("mutag", data_dir=data_dir)
    assert len(mutag) == 188 and len(mutag.graphs()) == 188


def test_other_features():
    data = example()
    other = data.with_features("structure")
    assert np.array_equal(data.x, example().x)
    assert other.num_features != 5 or not np.array_equal(other.x, data.x)


def test_settings_and_methods():
    names = {row["name"] for row in mgnn.settings()}
    assert {"train.epochs", "model.layers", "seed"} <= names
    methods = {row["name"]: row for row in mgnn.methods()}
    assert {"mgnn", "gcn", "node2vec", "netlsd"} <= set(methods)
    assert methods["node2vec"]["options"]
