import gc

import numpy as np
import pytest

import mgnn
from conftest import random_arcs

sparse = pytest.importorskip("scipy.sparse")


def by_products(graph):
    """M1 .. M7 by products of matrices (Benson, Gleich, Leskovec 2016), induced counting."""
    a = graph.to_scipy().astype(np.int64).tocsr()
    b = a.multiply(a.T).tocsr()  # mutual pairs
    u = (a - b).tocsr()          # single arcs
    t = u.T.tocsr()

    def m(x, y, z):
        return (x @ y).multiply(z).toarray()

    c1 = m(u, u, t)
    c2 = m(b, u, t) + m(u, b, t) + m(u, u, b)
    c3 = m(b, b, u) + m(b, u, b) + m(u, b, b)
    c5 = m(u, u, u) + m(u, t, u) + m(t, u, u)
    return {1: c1 + c1.T, 2: c2 + c2.T, 3: c3 + c3.T, 4: m(b, b, b), 5: c5 + c5.T,
            6: m(u, b, u) + m(b, t, t) + m(t, u, b), 7: m(t, b, t) + m(b, u, u) + m(u, t, b)}


@pytest.mark.parametrize("seed", range(3))
def test_closed_motifs_by_products(seed):
    graph = mgnn.Graph.from_edge_index(random_arcs(seed, 30, 350), num_nodes=30)
    found = mgnn.motif_matrices(graph, motifs="closed", counting="induced")
    for k, expected in by_products(graph).items():
        assert expected.any()
        assert np.array_equal(found[k].toarray(), expected), k


def test_sums_are_those_of_the_census(graph):
    for counting in ("subgraph", "induced"):
        total = mgnn.census(graph, counting=counting).total
        found = mgnn.motif_matrices(graph, counting=counting)
        for k in found:
            assert found.counts(k).sum() == (6 if k <= 7 else 4) * total[k - 1]


def test_shared_arrays(graph):
    found = mgnn.motif_matrices(graph)
    assert len(found) == 13 and list(found) == list(range(1, 14))
    for k, (array, factor) in found.shared.items():
        expected = found.counts(k)
        matrix = found[k]
        assert np.array_equal(matrix.data, expected)
        assert np.shares_memory(matrix.indices, found.indices) or not len(expected)
        if array is not None and factor == 1 and len(expected):
            assert np.shares_memory(matrix.data, found.array(array))
    if found.num_arrays:
        with pytest.raises(ValueError):
            found.array(0)[:1] = 0


def test_arrays_outlive_their_matrices():
    graph = mgnn.Graph.from_edge_index(random_arcs(1), num_nodes=40)
    found = mgnn.motif_matrices(graph)
    matrix, expected = found[4], found.counts(4)
    del found, graph
    gc.collect()
    assert np.array_equal(matrix.data, expected)


def test_normalised(graph):
    found = mgnn.motif_matrices(graph)
    for k in (1, 4, 8, 13):
        dense = found[k].toarray().astype(float)
        degree = dense.sum(1)
        inverse = np.divide(1, degree, out=np.zeros_like(degree), where=degree > 0)
        half = np.sqrt(inverse)
        assert np.allclose(found.normalised(k).toarray(), half[:, None] * dense * half)
        assert np.allclose(found.normalised(k, "row").toarray(), inverse[:, None] * dense)
        symmetric = half[:, None] * dense * half
        assert np.allclose(found.normalised(k, "published").toarray(), -symmetric.T)
        largest = np.linalg.eigvalsh(symmetric).max() if len(dense) else 0
        centred = symmetric - np.diag(np.where(degree > 0, largest / 2, 0))
        assert np.allclose(found.normalised(k, "centred").toarray(), centred, atol=1e-5)


def test_as_the_tool(tool, tmp_path, data_dir):
    tool("motifs", "cora", "--data-dir", data_dir, "-o", tmp_path / "m.npz")
    with np.load(tmp_path / "m.npz") as stored:
        found = mgnn.motif_matrices(mgnn.load("cora", data_dir=data_dir))
        assert np.array_equal(stored["indptr"], found.indptr)
        assert np.array_equal(stored["indices"], found.indices)
        for k in found:
            assert np.array_equal(stored[f"m{k}"], found.counts(k))


def test_weights_of_one_give_the_counts(graph):
    counted = mgnn.motif_matrices(graph)
    weighted = mgnn.motif_matrices(graph, weights="mean", arc_weight=np.ones(graph.num_arcs))
    assert weighted.weighted
    for k in counted:
        assert np.allclose(weighted[k].toarray(), counted[k].toarray())
    with pytest.raises(mgnn.UsageError, match="not used"):
        mgnn.motif_matrices(graph, arc_weight=np.ones(graph.num_arcs))
    with pytest.raises(mgnn.UsageError, match="one for each arc"):
        mgnn.motif_matrices(graph, weights="mean", arc_weight=np.ones(graph.num_arcs + 1))


def test_motif_numbers():
    from mgnn.motifs import motif_numbers
    assert motif_numbers("M1-M3,13, 5") == (1, 2, 3, 5, 13)
    assert motif_numbers([4, 2]) == (2, 4) and motif_numbers(7) == (7,)
    assert motif_numbers("open") == tuple(range(8, 14))
    for wrong in ("0", "14", "M0-M3", "x", "5-3", ""):
        with pytest.raises(mgnn.UsageError, match="not a motif"):
            motif_numbers(wrong)


def test_not_asked_for(graph):
    found = mgnn.motif_matrices(graph, motifs=[1, 4])
    assert found.motifs == (1, 4)
    with pytest.raises(KeyError, match="M5 was not asked for"):
        found[5]


def test_written(graph, tmp_path):
    found = mgnn.motif_matrices(graph)
    found.write(tmp_path / "m.npz")
    with np.load(tmp_path / "m.npz") as stored:
        assert np.array_equal(stored["m5"], found.counts(5))
    with pytest.raises(mgnn.UsageError, match="overwrite=True"):
        found.write(tmp_path / "m.npz")
    found.write(tmp_path / "m.npz", overwrite=True)
