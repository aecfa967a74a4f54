"""Reproduces embeddings and class probabilities of trained MGNNs with NumPy, as docs/model.md says.

  reproduce_embedding.py MGNN

Trains small networks with the tool MGNN, computes their forward passes from model.safetensors and
the graph alone, and compares with `mgnn embed` and `mgnn predict`. Exits with 77 (skipped) where
NumPy is missing.
"""
import csv
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile
import tomllib

try:
    import numpy as np
except ImportError:
    print("skipped: no python3-numpy here")
    sys.exit(77)

MOTIFS = [  # arcs of M1 .. M13 on the nodes 0, 1, 2
    "01 12 20", "01 10 12 20", "01 10 12 21 20", "01 10 12 21 20 02", "01 12 02", "01 10 20 21",
    "01 10 02 12", "01 02", "01 20", "10 20", "01 10 02", "01 10 20", "01 10 02 20"]


# ---- the file


def read_safetensors(path):
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + size])
    metadata = header.pop("__metadata__")
    tensors = {}
    for name, entry in header.items():
        first, last = entry["data_offsets"]
        assert entry["dtype"] == "F32", name
        values = np.frombuffer(data[8 + size + first:8 + size + last], "<f4")
        tensors[name] = values.reshape(entry["shape"]).astype(np.float64)
    return tensors, metadata


# ---- sparse matrices: (rows, columns, values)


def times(matrix, x):
    rows, columns, values = matrix
    result = np.zeros_like(x)
    np.add.at(result, rows, values[:, None] * x[columns])
    return result


def normalised(matrix, n, kind):
    rows, columns, values = matrix
    degree = np.bincount(rows, values, n)
    scale = np.where(degree > 0, degree, 1)
    if kind == "row":
        return rows, columns, values / scale[rows]
    if kind == "none":
        return matrix
    values = np.where(degree[columns] > 0, values / np.sqrt(scale[rows] * scale[columns]), 0)
    if kind == "symmetric":
        return rows, columns, values
    if kind == "published":  # of the motif matrices, which are symmetric
        return columns, rows, -values
    assert kind == "centred", kind
    dense = np.zeros((n, n))
    np.add.at(dense, (rows, columns), values)
    largest = np.linalg.eigvals(dense).real.max()
    diagonal = np.flatnonzero(degree > 0)
    return (np.append(rows, diagonal), np.append(columns, diagonal),
            np.append(values, np.full(len(diagonal), -largest / 2)))


def messages(arcs, direction):
    """The arcs along which messages go."""
    if direction == "in":
        return arcs
    if direction == "out":
        return arcs[::-1]
    return np.unique(np.hstack([arcs, arcs[::-1]]), axis=1)


def channels(w, name, h, arcs, n, o):
    result = []
    if o["skip"]:
        result.append(h @ w[name + ".skip.weight"] + w[name + ".skip.bias"])
    if o["diffuse"]:
        start = y = h @ w[name + ".diffuse.weight"]
        s = normalised(with_loops(arcs, n), n, "symmetric")
        for _ in range(o["diffuse"]):
            y = 0.9 * times(s, y) + 0.1 * start
        result.append(y + w[name + ".diffuse.bias"])
    return [np.maximum(x, 0) for x in result]


def adjacency(arcs, n, kind):
    """Row v lists the in-neighbours of v."""
    sources, targets = arcs
    if kind != "published":
        return normalised((targets, sources, np.ones(len(sources))), n, kind)
    degree = np.maximum(np.bincount(sources, minlength=n), 1)
    present = (np.bincount(sources, minlength=n) > 0)[targets]
    return targets, sources, -(present / np.sqrt(degree[sources] * degree[targets]))


# ---- motif matrices, by their definition


def instances_of(code, counting):
    """For each motif the arc sets that are instances of it among three nodes with these arcs."""
    result = []
    for text in MOTIFS:
        arcs = [(int(a), int(b)) for a, b in text.split()]
        placed = {frozenset((p[a], p[b]) for a, b in arcs)
                  for p in itertools.permutations(range(3))}
        result.append([s for s in placed if s == code or (counting == "subgraph" and s < code)])
    return result


def motif_matrices(arcs, n, counting, entry):
    joined, arc_set = [set() for _ in range(n)], set(zip(*(a.tolist() for a in arcs)))
    for u, v in arc_set:
        joined[u].add(v)
        joined[v].add(u)
    triples = {tuple(sorted((v, a, b))) for v in range(n)
               for a, b in itertools.combinations(joined[v], 2)}
    counts, cache = [{} for _ in MOTIFS], {}
    for triple in triples:
        code = frozenset((i, j) for i, j in itertools.permutations(range(3), 2)
                         if (triple[i], triple[j]) in arc_set)
        if code not in cache:
            cache[code] = instances_of(code, counting)
        for k, instances in enumerate(cache[code]):
            for instance in instances:
                places = {"arc": instance, "pair": itertools.permutations(range(3), 2),
                          "edge": instance | {(j, i) for i, j in instance}}[entry]
                for i, j in places:
                    place = triple[i], triple[j]
                    counts[k][place] = counts[k].get(place, 0) + 1
    return [(np.array([p[0] for p in c], int), np.array([p[1] for p in c], int),
             np.array(list(c.values()), float)) for c in counts]


# ---- the forward pass in evaluation mode


def softmax_by_row(rows, score, n):
    power = np.exp(score - score.max(initial=0))
    return power / np.bincount(rows, power, n)[rows]


def attention(matrix, x, target, source, n):
    rows, columns, values = matrix
    score = (x @ target)[rows] + (x @ source)[columns]
    alpha = softmax_by_row(rows, np.where(score > 0, score, 0.2 * score), n)
    return rows, columns, alpha * values


def with_loops(arcs, n):
    loops = np.arange(n)
    rows, columns = np.append(arcs[1], loops), np.append(arcs[0], loops)
    return rows, columns, np.ones(len(rows))


def base_layer(w, name, h, arcs, n, o):
    hw, bias = h @ w[name + ".weight"], w.get(name + ".bias", 0)
    if o["base"] == "none":
        return hw + bias
    if o["base"] == "gin":
        hidden = np.maximum(times(with_loops(arcs, n), hw) + bias, 0)
        return hidden @ w[name + ".gin.weight"] + w[name + ".gin.bias"]
    if o["base"] == "gat":
        a = attention(with_loops(arcs, n), hw, w[name + ".attention.target"][:, 0],
                      w[name + ".attention.source"][:, 0], n)
        return times(a, hw) + bias
    a = adjacency(arcs, n, "row" if o["base"] == "sage" else o["normalisation"])
    root = h @ w[name + ".root.weight"] if name + ".root.weight" in w else 0
    return times(a, hw) + root + bias


def motif_wise(w, name, z, matrices, n, o):
    result = []
    for k, matrix in enumerate(matrices):
        rows, columns, values = matrix
        matrix = rows[values != 0], columns[values != 0], values[values != 0]
        if o["aggregate"] == "mean":
            matrix = *matrix[:2], matrix[2] / np.bincount(matrix[0], minlength=n)[matrix[0]]
        if o["attention"]:
            matrix = attention(matrix, z, w[name + ".motif_attention.target"][:, k],
                               w[name + ".motif_attention.source"][:, k], n)
        if o["aggregate"] == "max":
            largest = np.full_like(z, -np.inf)
            np.maximum.at(largest, matrix[0], matrix[2][:, None] * z[matrix[1]])
            result.append(np.where(np.isinf(largest), 0, largest))
        else:
            result.append(times(matrix, z))
    return result


def minimised(w, name, h, z, o):
    result, rows = [], len(h) * z.shape[1]
    for k in range(len(h)):
        others = np.hstack([z if i == k else h[i] for i in range(len(h))])
        f = h[k] @ w[name + ".motif.weight"] + w[name + ".motif.bias"]
        weight = w[name + ".others.weight"][k * rows:(k + 1) * rows]
        g = others @ weight + w[name + ".others.bias"][k]
        t = (f * g).sum(1, keepdims=True)
        beta = np.tanh(t) if o["gate"] == "tanh" else 0.5 + 0.5 * np.tanh(t / 2)
        result.append(beta * (f - g))
    return [np.maximum(x, 0) if o["rectify"] else x for x in result]


def batch_norm(w, name, x):
    x = (x - w[name + ".running_mean"]) / np.sqrt(w[name + ".running_var"] + 1e-5)
    return x * w[name + ".weight"] + w[name + ".bias"]


def mlp(w, name, x):
    x = x @ w[name + ".first.weight"] + w[name + ".first.bias"]
    x = np.maximum(batch_norm(w, name + ".norm", x), 0)
    return np.maximum(x @ w[name + ".second.weight"] + w[name + ".second.bias"], 0)


def numbers_in(text):
    """[1, 8, 9] of "M1,M8-M9"."""
    ends = [[int(end.lstrip("M")) for end in part.split("-")] for part in text.split(",")]
    return [k for first, *last in ends for k in range(first, (last or [first])[0] + 1)]


def forward(w, metadata, x, arcs, graph_of):
    """Representation and logits; graph_of: the graph of each node, for graph tasks."""
    config = tomllib.loads(metadata["config"])
    o, n, h = config["model"], len(x), x.astype(float)
    if "input.mean" in w:
        scaled = w["input.mean"].shape[1]
        h[:, :scaled] = (h[:, :scaled] - w["input.mean"]) * w["input.factor"]
    x, layers = h, []
    matrices = motif_matrices(arcs, n, o["counting"], o["entry"])
    if o["motifs"] != "all":
        matrices = [matrices[k - 1] for k in numbers_in(o["motifs"])]
    direction = config["train"]["direction"]
    matrices = [normalised(m, n, o["normalisation"]) for m in matrices]
    sent = messages(arcs, direction)
    for name in (f"layer{l + 1}" for l in range(len(o["layers"]))):
        z = base_layer(w, name, h, sent, n, o)
        motifs = motif_wise(w, name, z, matrices, n, o)
        parts = (minimised(w, name, motifs, z, o) if o["delta"]
                 else [np.maximum(p, 0) for p in motifs])
        more = channels(w, name, h, sent, n, o)
        h = {"concat": np.hstack, "sum": lambda p: np.sum(p, 0), "mean": lambda p: np.mean(p, 0),
             "max": lambda p: np.max(p, 0)}[o["combine"]](parts)
        h = np.hstack([h, *more])
        if json.loads(metadata["shape"])["level"] == "graph":
            h = mlp(w, name + ".mlp", h)
            layers.append(h)
    output = h
    if json.loads(metadata["shape"])["level"] == "graph":
        used = layers[-1:] + (layers[:-1] if o["jump"] else []) + ([x] if o["raw_sums"] else [])
        summed = np.hstack(used)
        h = np.zeros((graph_of.max() + 1, summed.shape[1]))  # sum readout
        np.add.at(h, graph_of, summed)
        if o["graph_norm"]:
            h = batch_norm(w, "graph_norm", h)
        output = np.maximum(h @ w["hidden.weight"] + w["hidden.bias"], 0)
    return h, output @ w["output.weight"] + w["output.bias"]


# ---- data


def read_csv(path):
    with open(path, newline="") as file:
        return list(csv.reader(file))


def degree_profile(arcs, n):
    pairs = {(u, v) for a, b in zip(*arcs) for u, v in ((a, b), (b, a))}
    rows, columns = (np.array(side) for side in zip(*pairs))
    degree = np.bincount(rows, minlength=n).astype(float)
    x = np.zeros((n, 5))
    for v in range(n):
        around = degree[columns[rows == v]]
        if len(around):
            x[v] = degree[v], around.min(), around.max(), around.mean(), around.std()
    return x


def embedded_graph(mgnn, folder, name):
    path = folder / (name + ".csv")
    run(mgnn, "convert", name, path)
    pairs = read_csv(path)
    ids = sorted({v for pair in pairs for v in pair}, key=int)
    number = {v: i for i, v in enumerate(ids)}
    return np.array([[number[v] for v in pair] for pair in pairs]).T, ids


def write_csv(path, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows(rows)


def own_graph(folder):
    """A random directed graph with four measured columns."""
    rng, n = np.random.default_rng(1), 40
    arcs = np.array(np.nonzero((rng.random((n, n)) < 0.12) & ~np.eye(n, dtype=bool)))
    x = rng.normal([3, -20, 0, 0.1], [1, 10, 100, 0.01], (n, 4)).astype("f4")
    write_csv(folder / "edges.csv", [["from", "to"], *arcs.T.tolist()])
    write_csv(folder / "nodes.csv", [["id", "label", "a", "b", "c", "d"],
                                     *([v, "xy"[v % 2], *x[v].tolist()] for v in range(n))])
    return x, arcs


def own_set(folder):
    """Random graphs of 8 nodes with two measured columns."""
    rng, count, size = np.random.default_rng(2), 30, 8
    folder.mkdir()
    arcs = [np.array(np.nonzero((rng.random((size, size)) < 0.3) & ~np.eye(size, dtype=bool)))
            for _ in range(count)]
    x = rng.normal([5, -1], [2, 0.1], (count * size, 2)).astype("f4")
    write_csv(folder / "graphs.csv", [["id", "label"], *([g, "xy"[g % 2]] for g in range(count))])
    nodes = ([r // size, r % size, *x[r].tolist()] for r in range(len(x)))
    edges = ([g, *pair] for g in range(count) for pair in arcs[g].T.tolist())
    write_csv(folder / "nodes.csv", [["graph", "id", "a", "b"], *nodes])
    write_csv(folder / "edges.csv", [["graph", "from", "to"], *edges])
    return (x, np.hstack([arcs[g] + g * size for g in range(count)]),
            np.repeat(np.arange(count), size))


# ---- comparison


def run(*arguments):
    subprocess.run([str(a) for a in arguments], check=True, stdout=subprocess.DEVNULL)


def largest_error(found, expected):
    return np.abs(found - expected).max() / max(np.abs(expected).max(), 1e-3)


def check(mgnn, folder, title, data, settings, x, arcs, graph_of=None, ids=None):
    trained = folder / "run"
    options = [word for setting in settings for word in ("--set", setting)]
    run(mgnn, "train", *data, "-m", "mgnn", "--profile", "none", "--epochs", 5, *options,
        "-o", trained, "--force", "--quiet")
    run(mgnn, "embed", "--model", trained, "-o", folder / "z.csv", "--force")
    run(mgnn, "predict", trained, "-o", folder / "p.csv", "--force")
    w, metadata = read_safetensors(trained / "model.safetensors")
    embedding, logits = forward(w, metadata, x, arcs, graph_of)
    logits /= json.loads(metadata["fitted"])["temperature"]
    power = np.exp(logits - logits.max(1, keepdims=True))
    probability = power / power.sum(1, keepdims=True)
    ids, errors = ids or [str(v) for v in range(len(embedding))], []
    for path, expected, prefix in (("z.csv", embedding, ""), ("p.csv", probability, "p(")):
        head, *rows = read_csv(folder / path)
        columns = [c for c in range(1, len(head)) if head[c].startswith(prefix)]
        by_id = {row[0]: [float(row[c]) for c in columns] for row in rows}
        errors.append(largest_error(np.array([by_id[v] for v in ids]), expected))
    print(f"{title}: relative error {errors[0]:.1e} of the embedding, {errors[1]:.1e} of p")
    assert np.abs(embedding).max() > 1e-3, "the embedding is zero"
    return max(errors) < 1e-4


def main(mgnn):
    with tempfile.TemporaryDirectory() as name:
        folder, good = pathlib.Path(name), True
        arcs, ids = embedded_graph(mgnn, folder, "karate")
        good &= check(mgnn, folder, "karate, defaults", ["karate", "--features", "identity"],
                      ["layers=8,4"], np.eye(len(ids)), arcs, ids=ids)
        good &= check(mgnn, folder, "karate, centred", ["karate", "--features", "degree-profile"],
                      ["layers=8,4", "normalisation=centred", "entry=pair", "base=gin"],
                      degree_profile(arcs, len(ids)), arcs, ids=ids)
        arcs, ids = embedded_graph(mgnn, folder, "roles")
        good &= check(mgnn, folder, "roles, induced", ["roles", "--features", "constant"],
                      ["layers=8,4", "counting=induced", "gate=tanh", "combine=mean"],
                      np.ones((len(ids), 1)), arcs, ids=ids)
        x, arcs = own_graph(folder)
        own = [folder / "edges.csv", "--nodes", folder / "nodes.csv"]
        for settings in ([], ["direction=in"], ["direction=out", "normalisation=row"],
                         ["direction=in", "normalisation=published", "motifs=1,5,8-13"],
                         ["entry=arc", "normalisation=row", "root=false", "bias=false"],
                         ["skip=true", "diffuse=5", "direction=in"],
                         ["attention=true", "base=sage", "rectify=false"],
                         ["aggregate=max", "base=gat", "combine=max", "normalisation=none"],
                         ["aggregate=mean", "delta=false", "base=none", "combine=sum"]):
            good &= check(mgnn, folder, "own graph, " + " ".join(settings or ["defaults"]), own,
                          ["layers=8,4", *settings], x, arcs)
        x, arcs, graph_of = own_set(folder / "set")
        for settings in ([], ["jump=true", "raw_sums=true", "graph_norm=true"]):
            good &= check(mgnn, folder, "own set of graphs " + " ".join(settings), [folder / "set"],
                          ["layers=8,4", "mlp=16", *settings], x, arcs, graph_of)
        sys.exit(0 if good else "embeddings differ from the tool's")


main(sys.argv[1])
