"""From arrays to a trained network, its scores and its predictions."""
import numpy as np

import mgnn

rng = np.random.default_rng(0)
n = 200
group = np.arange(n) % 2
edges = [(u, v) for u in range(n) for v in range(u)
         if rng.random() < (0.08 if group[u] == group[v] else 0.02)]
features = rng.normal(size=(n, 8)).astype(np.float32) + 0.3 * group[:, None].astype(np.float32)
order = rng.permutation(n)

data = mgnn.Dataset(
    mgnn.Graph.from_edges(edges, num_nodes=n, undirected=True), features, group,
    class_names=["even", "odd"],
    splits={"mine": (order[:100], order[100:150], order[150:])})
print(data)

run = mgnn.train(data, model="mgnn", split="mine", epochs=60, seeds=2)
print(run)
print("test accuracy", round(run.scores["test"]["mean"], 3))
print("first nodes:", run.predict().label[:5])

run.save("model.safetensors", overwrite=True)
again = mgnn.Run.load("model.safetensors")
assert np.array_equal(again.predict(data).probability, run.predict(data).probability)
