"""scikit-learn chooses settings of a network by cross-validation."""
import sys

import numpy as np

try:
    from sklearn.model_selection import GridSearchCV, cross_val_score
except ImportError:
    print("needs scikit-learn", file=sys.stderr)
    sys.exit(77)

import mgnn
from mgnn.sklearn import MotifFeatures, NodeClassifier

rng = np.random.default_rng(1)
n = 120
y = np.arange(n) % 3
edges = [(u, v) for u in range(n) for v in range(u)
         if rng.random() < (0.15 if y[u] == y[v] else 0.02)]
graph = mgnn.Graph.from_edges(edges, num_nodes=n, undirected=True)
nodes = np.arange(n)

model = NodeClassifier(graph, features=rng.normal(size=(n, 6)).astype(np.float32), epochs=30,
                       patience=0)
search = GridSearchCV(model, {"layers": [(8,), (16,)], "dropout": [0.0, 0.5]}, cv=3)
search.fit(nodes, y)
print("best settings", search.best_params_)
print("accuracy", cross_val_score(search.best_estimator_, nodes, y, cv=3).round(2))
print("motif counts of the first node", MotifFeatures(graph, scale="none").fit_transform(nodes)[0])
