"""A motif layer among layers of one's own, trained by torch."""
import sys

try:
    import torch
    import scipy.sparse  # noqa: F401
except ImportError:
    print("needs torch and SciPy", file=sys.stderr)
    sys.exit(77)

from mgnn.torch import MotifConv

torch.manual_seed(0)
n = 150
y = torch.arange(n) % 2
weight = torch.where(y[:, None] == y, 0.12, 0.02).triu(1)
edges = torch.bernoulli(weight).nonzero().T
edge_index = torch.cat([edges, edges.flip(0)], 1)
x = torch.randn(n, 8) + 0.5 * y[:, None]


class Network(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.motifs = MotifConv(8, width=16, per_motif=4, motifs="closed")
        self.head = torch.nn.Linear(self.motifs.out_channels, 2)

    def forward(self, x, edge_index):
        return self.head(self.motifs(x, edge_index))


network = Network()
optimiser = torch.optim.Adam(network.parameters(), lr=0.01)
train = torch.arange(n) < 100
for epoch in range(61):
    optimiser.zero_grad()
    loss = torch.nn.functional.cross_entropy(network(x, edge_index)[train], y[train])
    loss.backward()
    optimiser.step()
    if epoch % 20 == 0:
        print(f"epoch {epoch}: loss {loss.item():.3f}")
network.eval()
correct = network(x, edge_index).argmax(1)[~train] == y[~train]
print(f"accuracy {correct.float().mean().item():.2f}")
