"""Transforms on what they need of a Data; PyG itself where it is installed."""
import copy
import types

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import mgnn
from conftest import random_arcs, without_warnings

with without_warnings():  # PyG's own import has some
    from mgnn import pyg


def data(seed=0, n=30, arcs=150, **more):
    edges = torch.from_numpy(random_arcs(seed, n, arcs))
    return types.SimpleNamespace(edge_index=edges, num_nodes=n, x=torch.ones(n, 2), **more)


def test_counts_of_nodes():
    given = data()
    made = pyg.AddMotifCounts()(given)
    expected = mgnn.motif_features(mgnn.Graph.from_edge_index(given.edge_index, num_nodes=30))
    assert np.array_equal(made.motif_counts.numpy(), expected)
    assert not hasattr(given, "motif_counts")
    appended = pyg.AddMotifCounts(attr_name=None, log=False)(given)
    assert appended.x.shape == (30, 15) and given.x.shape == (30, 2)
    assert np.allclose(np.log1p(appended.x[:, 2:].numpy()), expected)
    alone = types.SimpleNamespace(edge_index=given.edge_index, num_nodes=30, x=None)
    assert pyg.AddMotifCounts(attr_name=None)(alone).x.shape == (30, 13)


def test_roles():
    assert pyg.AddMotifRoles()(data()).motif_roles.shape == (30, 30)


def test_counts_of_edges_in_the_order_given():
    given = data()
    made = pyg.AddMotifEdgeCounts(log=False)(given).edge_attr.numpy()
    graph = mgnn.Graph.from_edge_index(given.edge_index, num_nodes=30)
    table = mgnn.census(graph, counting="induced", per="arc").table
    of = {tuple(arc): row for arc, row in zip(graph.edge_index().T.tolist(), table)}
    for (u, v), row in zip(given.edge_index.T.tolist(), made):
        assert np.array_equal(row, of[u, v] if u != v else np.zeros(13))
    twice = pyg.AddMotifEdgeCounts()(pyg.AddMotifEdgeCounts()(given))
    assert twice.edge_attr.shape == (150, 26)


def test_adjacency():
    given = data()
    made = pyg.MotifAdjacency(motifs="closed")(given)
    matrices = mgnn.motif_matrices(mgnn.Graph.from_edge_index(given.edge_index, num_nodes=30),
                                   motifs="closed")
    dense = torch.zeros(30, 30)
    dense[tuple(made.motif_edge_index)] = made.motif_weight[:, 3]
    assert np.allclose(dense, matrices.normalised(4).toarray())


@pytest.mark.parametrize("undirected", [False, True])
@pytest.mark.parametrize("negatives", ["uniform", "typed"])
def test_split_of_links_does_not_leak(undirected, negatives):
    given = data(node_type=torch.arange(30) % 3)
    if undirected:
        given.edge_index = torch.cat([given.edge_index, given.edge_index.flip(0)], 1)
    parts = pyg.LinkSplit(0.1, 0.2, negatives=negatives, seed=4)(given)
    again = pyg.LinkSplit(0.1, 0.2, negatives=negatives, seed=4)(given)
    assert all(torch.equal(a.edge_label_index, b.edge_label_index) for a, b in zip(parts, again))
    edges = {(u, v) for u, v in given.edge_index.T.tolist() if u != v}

    def key(u, v):
        return (min(u, v), max(u, v)) if undirected else (u, v)

    held, wrong = [], []
    for part in parts:
        for (u, v), label in zip(part.edge_label_index.T.tolist(), part.edge_label.tolist()):
            assert ((u, v) in edges) == bool(label)
            (held if label else wrong).append(key(u, v))
    assert len(set(held)) == len(held) == len({key(u, v) for u, v in edges})
    assert len(set(wrong)) == len(wrong) == len(held)
    train, validation, test = parts
    messages = {key(u, v) for u, v in train.edge_index.T.tolist()}
    for part in (validation, test):
        positive = part.edge_label_index[:, part.edge_label == 1].T.tolist()
        assert positive and not messages & {key(u, v) for u, v in positive}
        assert torch.equal(part.edge_index, train.edge_index)
    if negatives == "typed":
        kinds = [sorted((u % 3, v % 3)) if undirected else (u % 3, v % 3) for u, v in held]
        other = [sorted((u % 3, v % 3)) if undirected else (u % 3, v % 3) for u, v in wrong]
        assert sorted(map(tuple, kinds)) == sorted(map(tuple, other))


def test_refusals():
    with pytest.raises(mgnn.UsageError, match="node_type"):
        pyg.LinkSplit(negatives="typed")(data())
    with pytest.raises(mgnn.UsageError, match="together below 1"):
        pyg.LinkSplit(0.5, 0.5)
    full = data()
    full.edge_index = torch.tensor([[u, v] for u in range(5) for v in range(5) if u != v]).T
    full.num_nodes = 5
    with pytest.raises(mgnn.UsageError, match="too dense"):
        pyg.LinkSplit()(full)


def test_with_pyg_itself():
    geometric = pytest.importorskip("torch_geometric")
    from torch_geometric.data import Data
    from torch_geometric.transforms import Compose
    given = Data(edge_index=data().edge_index, num_nodes=30)
    made = Compose([pyg.AddMotifCounts(), pyg.AddMotifEdgeCounts(), pyg.MotifAdjacency()])(given)
    assert made.motif_counts.shape == (30, 13) and geometric.__version__
    assert copy.copy(made).num_nodes == 30
    assert mgnn.Graph.from_pyg(given).num_nodes == 30
    graph = mgnn.Graph.from_edges([(0, 1), (1, 2)])
    back = mgnn.Dataset(graph, np.ones((3, 2), np.float32), [0, 1, 0]).to_pyg()
    assert back.x.shape == (3, 2) and back.y.tolist() == [0, 1, 0]


def geometric_data(count=6):
    geometric = pytest.importorskip("torch_geometric")
    with without_warnings():
        from torch_geometric import loader
    graphs = []
    for i in range(count):
        edges = torch.from_numpy(random_arcs(i, 10 + i, 50))
        graphs.append(geometric.data.Data(edge_index=edges, num_nodes=10 + i,
                                          x=torch.ones(10 + i, 2)))
    return loader.DataLoader, graphs


class Counted(torch.utils.data.Dataset):
    """Counts motifs when an item is asked for, in the worker."""

    def __init__(self, graphs):
        self.graphs, self.transform = graphs, pyg.AddMotifRoles()

    def __len__(self):
        return len(self.graphs)

    def __getitem__(self, i):
        return self.transform(self.graphs[i])


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
@pytest.mark.parametrize("start", ["fork", "forkserver"])
def test_loaders_with_workers(start):
    DataLoader, graphs = geometric_data()
    mgnn.census(mgnn.Graph.from_pyg(graphs[0]), threads=2)  # so that a fork finds threads
    expected = torch.cat([pyg.AddMotifRoles()(g).motif_roles for g in graphs])
    for workers in (0, 2):
        loader = DataLoader(Counted(graphs), batch_size=2, num_workers=workers,
                            timeout=60 * (workers > 0),
                            multiprocessing_context=start if workers else None)
        batches = list(loader)
        assert torch.equal(torch.cat([batch.motif_roles for batch in batches]), expected)
    from mgnn.torch import MotifConv
    layer = MotifConv(2, 4, 2).eval()
    batch = batches[0]
    alone = [layer(g.x, g.edge_index) for g in graphs[:2]]
    assert torch.allclose(layer(batch.x, batch.edge_index), torch.cat(alone), atol=1e-6)


def test_datasets_as_data():
    geometric_data(1)
    graph = mgnn.Graph.from_edges([(0, 1), (1, 2), (2, 0)])
    one = mgnn.Dataset(graph, np.eye(3, dtype=np.float32), [0, 1, -1]).to_pyg()
    assert one.y.tolist() == [0, 1, -1] and torch.equal(one.x, torch.eye(3)) and one.num_edges == 3
    assert mgnn.Graph.from_pyg(one) == graph
    several = mgnn.Dataset(graph, y=[[0, 1], [], [1]]).to_pyg()
    assert several.y.tolist() == [[1, 1], [0, 0], [0, 1]]
    both = mgnn.Dataset.from_graphs([graph, graph], y=[0, 1]).to_pyg()
    assert [d.num_nodes for d in both] == [3, 3]
