import re

import pytest

import mgnn


@pytest.fixture(scope="module")
def run():
    return mgnn.train(mgnn.load("roles"), epochs=20, layers=[8])


@pytest.fixture(scope="module")
def explanation(run):
    return run.explain(node=3, top=5)


def test_shares_add_up_to_the_score(run, explanation):
    assert explanation.kind == "exact" and len(explanation.motifs) == 13
    total = sum(explanation.motifs.values()) + explanation.bias
    assert total == pytest.approx(explanation.score, abs=1e-5)
    assert explanation.answer == run.predict().label[3]
    chance = run.predict().probability[3].max()
    assert explanation.probability == pytest.approx(chance, abs=1e-4)


def test_lists_are_as_long_as_asked(explanation):
    assert len(explanation.neighbours) <= 5 and len(explanation.instances) <= 5
    assert explanation.fidelity["random_draws"] > 0
    assert {"from", "to", "share"} <= set(explanation.arcs[0])


def test_another_class_and_no_recount(run):
    other = run.explain(node=3, class_name="bystander", recount=False)
    assert other.document["explained"] == "bystander"
    assert other.fidelity is None and other.counterfactual is None


def test_pairs_and_graphs():
    links = mgnn.train("toykg", task="link", epochs=3, layers=[8])
    pair = links.explain(pair=("compound:0003", "disease:0007"), recount=False)
    total = sum(pair.motifs.values()) + pair.bias
    assert total == pytest.approx(pair.score, abs=1e-4) and pair.answer is None
    graphs = mgnn.train("triads", epochs=2, layers=[8])
    assert graphs.explain(graph=7, recount=False).kind == "piecewise-linear"


def test_pictures(tmp_path, explanation):
    assert "<svg" in explanation.svg()
    page = explanation._repr_html_()
    assert page.count("<svg") == 1 and "bias" in page
    explanation.save(tmp_path / "why.graphml")
    assert "<graphml" in (tmp_path / "why.graphml").read_text()
    with pytest.raises(mgnn.UsageError, match="write .svg"):
        explanation.save(tmp_path / "why.txt")
    assert re.match(r"Explanation\(3: \w+, ", repr(explanation))


def test_to_networkx(explanation):
    networkx = pytest.importorskip("networkx")
    graph = explanation.to_networkx()
    assert isinstance(graph, networkx.DiGraph) and graph.nodes["3"]["explained"]
    assert graph.number_of_edges() >= len(explanation.arcs)


def test_to_pyg(explanation):
    pytest.importorskip("torch_geometric")
    pyg = explanation.to_pyg()
    assert pyg.edge_index.shape[1] == len(pyg.edge_mask) >= len(explanation.arcs)
    whole = explanation.to_pyg(mgnn.load("roles"))
    assert (whole.edge_mask != 0).sum() == len(pyg.edge_mask)


def test_questions_without_an_answer(run):
    with pytest.raises(mgnn.UsageError, match="one of node, pair and graph"):
        run.explain()
    with pytest.raises(mgnn.UsageError, match="one of node, pair and graph"):
        run.explain(node=1, graph=2)
    with pytest.raises(mgnn.UsageError, match="pair is two nodes"):
        run.explain(pair="ab")
    with pytest.raises(mgnn.UsageError, match="there is no node"):
        run.explain(node="nobody")
    with pytest.raises(mgnn.UsageError, match="top is 0"):
        run.explain(node=3, top=0)
