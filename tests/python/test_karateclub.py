import numpy as np
import pytest

networkx = pytest.importorskip("networkx")

import mgnn
from mgnn import karateclub


@pytest.mark.parametrize("name", ["DeepWalk", "Node2Vec", "GraRep", "HOPE"])
def test_nodes(name):
    graph = networkx.karate_club_graph()
    method = getattr(karateclub, name)(8, seed=1)
    with pytest.raises(mgnn.UsageError, match="fit"):
        method.get_embedding()
    method.fit(graph)
    expected = mgnn.embed(mgnn.Graph.from_networkx(graph), name.lower(), dimension=8, seed=1)
    assert np.array_equal(method.get_embedding(), expected)


@pytest.mark.parametrize("name, dimension", [("Graph2Vec", 4), ("GL2Vec", 4), ("NetLSD", None),
                                             ("FeatherGraph", None)])
def test_graphs(name, dimension):
    graphs = [networkx.newman_watts_strogatz_graph(12, 4, 0.3, seed=i) for i in range(6)]
    method = getattr(karateclub, name)(dimension)
    method.fit(graphs[:5])
    assert method.get_embedding().shape[0] == 5
    if name == "Graph2Vec":
        assert method.infer(graphs[5:]).shape == (1, 4)
