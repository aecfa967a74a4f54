import copy
import pickle

import numpy as np
import pytest

torch = pytest.importorskip("torch")
sparse = pytest.importorskip("scipy.sparse")

import mgnn
from conftest import random_arcs
from mgnn.torch import MGNN, MotifConv, MotifOperators, SparseFeatures, from_run


def example(seed=0, n=25, columns=5, arcs=120):
    torch.manual_seed(seed)
    return torch.randn(n, columns), torch.from_numpy(random_arcs(seed, n, arcs))


def dense_layer(layer, x, operators):
    """Equations 2 to 7, motif by motif, with dense matrices."""
    def matrix(scipy_matrix):
        return torch.from_numpy(scipy_matrix.toarray()).to(x.dtype)

    both = operators.graph.undirected().to_scipy().toarray().astype(float)
    degree = both.sum(1)
    half = np.divide(1, np.sqrt(degree), out=np.zeros_like(degree), where=degree > 0)
    z = x @ layer.weight
    if layer.base == "gcn":
        z = torch.from_numpy(half[:, None] * both * half).to(x.dtype) @ z
    z = z + x @ layer.root.weight + layer.bias
    h = [matrix(operators.matrices.normalised(k)) @ z for k in layer.motifs]
    rest = layer.others.weight.view(len(h), len(h), layer.width, layer.per_motif)
    outputs = []
    for k in range(len(h)):
        f = h[k] @ layer.motif.weight + layer.motif.bias
        g = layer.others.bias[k] + sum((z if i == k else h[i]) @ rest[k, i] for i in range(len(h)))
        gate = torch.sigmoid if layer.gate == "sigmoid" else torch.tanh
        outputs.append(torch.relu(gate((f * g).sum(1, keepdim=True)) * (f - g)))
    return torch.cat(outputs, 1)


@pytest.mark.parametrize("motifs", ["all", "M1-M4,8"])
@pytest.mark.parametrize("gate", ["sigmoid", "tanh"])
def test_torch_path_is_the_formula(motifs, gate):
    x, edges = example()
    layer = MotifConv(5, 4, 3, motifs=motifs, gate=gate, backend="torch").double().eval()
    operators = MotifOperators(edges, 25, motifs=motifs)
    assert torch.allclose(layer(x.double(), operators), dense_layer(layer, x.double(), operators))


def test_gradcheck_of_the_torch_path():
    x, edges = example(n=8, columns=3, arcs=40)
    layer = MotifConv(3, 2, 2, motifs="1-5", backend="torch").double().eval()
    operators = MotifOperators(edges, 8, motifs="1-5")
    x = x.double().requires_grad_()
    names = [name for name, _ in layer.named_parameters()]

    def function(x, *values):
        for name, value in zip(names, values):
            module, _, leaf = name.rpartition(".")
            owner = layer.get_submodule(module)
            del owner._parameters[leaf]
            setattr(owner, leaf, value)
            owner._parameters[leaf] = value
        return layer(x, operators)

    values = [p.detach().clone().requires_grad_() for p in layer.parameters()]
    assert torch.autograd.gradcheck(function, (x, *values), atol=1e-6)


def gradients(layer, x, operators, weight):
    x = x.clone().requires_grad_()
    layer.zero_grad()
    out = layer(x, operators)
    (out * weight).sum().backward()
    return [out.detach(), x.grad, *(p.grad.clone() for p in layer.parameters())]


@pytest.mark.parametrize("options", [
    {}, {"base": "none"}, {"gate": "tanh", "counting": "induced"}, {"normalisation": "row"},
    {"normalisation": "none", "motifs": "closed"}, {"direction": "in", "entry": "arc"},
    {"direction": "out", "root": False, "bias": False}])
def test_native_and_torch_paths_agree(options):
    x, edges = example()
    native = MotifConv(5, 16, 6, backend="native", **options).eval()
    plain = copy.deepcopy(native)
    plain.backend = "torch"
    weight = torch.randn(25, native.out_channels)
    operators = MotifOperators(edges, 25, **native.settings)
    expected = gradients(plain, x, operators, weight)
    for a, b in zip(gradients(native, x, operators, weight), expected):
        assert torch.allclose(a, b, rtol=1e-4, atol=1e-5 * max(1, b.abs().max().item()))


def test_without_gradients():
    x, edges = example()
    layer = MotifConv(5).eval()
    expected = layer(x, edges)
    with torch.no_grad():
        found = layer(x, edges)
    assert torch.equal(found, expected) and not found.requires_grad and expected.requires_grad
    with torch.inference_mode():
        assert torch.equal(layer(x, edges), expected)


def test_backends_by_tensor():
    x, edges = example()
    layer = MotifConv(5)
    assert layer(x, edges).shape == (25, 78)
    assert layer.double()(x.double(), edges).dtype == torch.float64
    with pytest.raises(mgnn.UsageError, match="float32"):
        MotifConv(5, backend="native").double()(x.double(), edges)
    undetached = x.clone().requires_grad_()
    with pytest.raises(mgnn.UsageError, match="25 nodes for 3 rows"):
        layer.float()(x[:3], MotifOperators(edges, 25))
    assert layer(undetached, edges).requires_grad


def network_and_data(**options):
    x, edges = example(n=40, columns=6, arcs=200)
    torch.manual_seed(1)
    return MGNN(6, 3, (8, 4), per_motif=3, **options), x, edges


def test_whole_network_is_its_layers():
    network, x, edges = network_and_data()
    network.eval()
    plain = copy.deepcopy(network)
    for module in plain.modules():
        if hasattr(module, "backend"):
            module.backend = "torch"
    assert torch.allclose(network(x, edges), plain(x, edges), rtol=1e-4, atol=1e-5)
    weight = torch.randn(40, 3)
    for a, b in zip(gradients(network, x, edges, weight), gradients(plain, x, edges, weight)):
        assert torch.allclose(a, b, rtol=1e-4, atol=1e-5 * max(1, b.abs().max().item()))


def test_sparse_features():
    network, _, edges = network_and_data()
    network.eval()
    x = sparse.random(40, 6, density=0.3, format="csr", dtype=np.float32, random_state=1)
    expected = network(torch.from_numpy(x.toarray()), edges)
    tensor = torch.from_numpy(x.toarray()).to_sparse()
    for given in (x, x.tocsc(), tensor, SparseFeatures(x)):
        assert torch.allclose(network(given, edges), expected, atol=1e-5)
    network.train()
    network(x, edges).sum().backward()
    assert all(p.grad is not None for p in network.parameters())


def test_training_learns_and_repeats():
    def trained():
        network, x, edges = network_and_data()
        torch.manual_seed(3)
        y = torch.arange(40) % 3
        optimiser = torch.optim.Adam(network.parameters(), lr=0.02)
        losses = []
        for _ in range(40):
            optimiser.zero_grad()
            loss = torch.nn.functional.cross_entropy(network(x, edges), y)
            loss.backward()
            optimiser.step()
            losses.append(loss.item())
        return losses

    losses = trained()
    assert np.mean(losses[-5:]) < losses[0]
    assert losses == trained()


def test_dropout_is_of_training_only():
    network, x, edges = network_and_data()
    network.train()
    torch.manual_seed(5)
    a, b = network(x, edges), network(x, edges)
    assert not torch.equal(a, b)
    torch.manual_seed(5)
    assert torch.equal(a, network(x, edges))
    network.eval()
    assert torch.equal(network(x, edges), network(x, edges))


@pytest.mark.parametrize("standardise", [True, False])
def test_from_a_run_and_back(standardise):
    rng = np.random.default_rng(0)
    graph = mgnn.Graph.from_edge_index(random_arcs(2, 60, 400), num_nodes=60)
    data = mgnn.Dataset(graph, 3 * rng.normal(size=(60, 5)).astype(np.float32) + 1,
                        np.arange(60) % 2)
    run = mgnn.train(data, model="mgnn", epochs=5, patience=0, layers=[8, 4], per_motif=3,
                     standardise=standardise)
    expected = run.outputs(data)
    for backend in ("native", "torch"):
        module = from_run(run, backend=backend)
        found = module(torch.from_numpy(np.array(data.x)), graph)
        assert np.allclose(found.detach().numpy(), expected, rtol=1e-4, atol=1e-5)
    stored = module.export()
    assert set(stored) == set(run.weights())
    assert all(np.array_equal(stored[name], value) for name, value in run.weights().items())
    with pytest.raises(mgnn.UsageError, match="from_run takes mgnn"):
        from_run(mgnn.train(data, model="gcn", epochs=2, patience=0))


def test_edges_are_counted_again_when_they_change():
    x, edges = example()
    layer = MotifConv(5).eval()
    first = layer(x, edges)
    assert torch.equal(layer(x, edges), first)
    edges[0, 0] = (edges[0, 0] + 1) % 25
    edges[1] = edges[1].flip(0)
    assert not torch.equal(layer(x, edges), first)
    assert torch.equal(layer(x, edges), layer(x, edges.clone()))


def test_copies_pickles_and_threads():
    network, x, edges = network_and_data()
    network.eval()
    expected = network(x, edges)
    assert torch.equal(copy.deepcopy(network)(x, edges), expected)
    assert torch.equal(pickle.loads(pickle.dumps(network))(x, edges), expected)
    other = MGNN(6, 3, (8, 4), per_motif=3)
    other.load_state_dict(network.state_dict())
    with mgnn.threads(3):
        assert torch.equal(other.eval()(x, edges), expected)


def test_two_passes_before_a_backward():
    layer = MotifConv(5, 4, 3).eval()
    x, edges = example()
    operators = MotifOperators(edges, 25)
    a, b = x.clone().requires_grad_(), (2 * x).requires_grad_()
    first, second = layer(a, operators), layer(b, operators)
    first.sum().backward()
    second.sum().backward()
    c = x.clone().requires_grad_()
    layer(c, operators).sum().backward()
    assert torch.equal(a.grad, c.grad)


def test_changed_inputs_are_noticed():
    layer = MotifConv(5, 4, 3).eval()
    x, edges = example()
    out = layer(x, edges)
    with torch.no_grad():
        layer.weight += 1
    with pytest.raises(RuntimeError, match="modified by an inplace"):
        out.sum().backward()


def test_names_are_those_of_the_library():
    network, _, _ = network_and_data()
    assert list(network.network.names) and set(network.network.names) == set(network.state_dict())
    shapes = {name: tuple(value.shape) for name, value in network.state_dict().items()}
    assert shapes == dict(zip(network.network.names, network.network.shapes))


def compiled(function, **options):
    if not hasattr(torch.library, "custom_op"):
        pytest.skip(f"torch {torch.__version__} has no operations of one's own (2.4)")
    torch._dynamo.reset()
    return torch.compile(function, **options)


QUIET = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning",
                                   "ignore::ResourceWarning", "ignore::UserWarning")


@QUIET
@pytest.mark.parametrize("mode", ["eager", "aot_eager"])
@pytest.mark.parametrize("training", [False, True])
def test_compiled_layers_are_the_eager_ones(mode, training):
    x, edges = example()
    layer = MotifConv(5, 8, 4).train(training)
    operators = MotifOperators(edges, 25)
    weight = torch.randn(25, layer.out_channels)
    run = compiled(lambda x: layer(x, operators), backend=mode, fullgraph=True)
    torch.manual_seed(4)
    expected = gradients(layer, x, operators, weight)
    layer.zero_grad()
    given = x.clone().requires_grad_()
    torch.manual_seed(4)
    out = run(given)
    (out * weight).sum().backward()
    found = [out.detach(), given.grad, *(p.grad for p in layer.parameters())]
    assert len(found) == len(expected)
    assert all(torch.equal(a, b) for a, b in zip(found, expected))


@QUIET
@pytest.mark.parametrize("mode", ["aot_eager"])
def test_compiled_networks_train(mode):
    network, x, edges = network_and_data()
    other = copy.deepcopy(network)
    operators = MotifOperators(edges, 40)
    y = torch.arange(40) % 3

    def trained(module, forward):
        torch.manual_seed(3)
        optimiser = torch.optim.Adam(module.parameters(), lr=0.02)
        for _ in range(5):
            optimiser.zero_grad()
            torch.nn.functional.cross_entropy(forward(x, operators), y).backward()
            optimiser.step()
        return module.state_dict()

    expected = trained(network, network)
    found = trained(other, compiled(other, backend=mode, fullgraph=True))
    assert all(torch.equal(found[name], value) for name, value in expected.items())


@QUIET
def test_compiled_with_edges_and_sparse_features():
    network, x, edges = network_and_data()
    network.eval()
    run = compiled(network, backend="aot_eager")
    assert torch.equal(run(x, edges), network(x, edges))
    edges[1] = edges[1].flip(0)  # counted again
    assert torch.equal(run(x, edges), network(x, edges))
    features = SparseFeatures(x.to_sparse())
    assert torch.equal(run(features, edges), network(features, edges))


@QUIET
def test_the_operation_is_as_torch_wants_it():
    compiled(lambda x: x)
    from mgnn import _compiled
    layer, (x, edges) = MotifConv(5, 4, 3), example()
    operators = MotifOperators(edges, 25)
    weights = [p.detach().clone().requires_grad_() for p in layer.parameters()]
    named = dict(zip((name for name, _ in layer.named_parameters()), weights))
    weights = [named[name.removeprefix("layer1.")] for name in layer.network.names]
    arguments = (x.requires_grad_(), weights, None, layer.network.number, operators.number,
                 layer.out_channels)
    torch.library.opcheck(_compiled._apply_op, arguments)
