"""Motifs of a graph, and whether there are more of them than chance would give."""
import mgnn

graph = mgnn.Graph.from_edges(
    [("ann", "bob"), ("bob", "cem"), ("cem", "ann"), ("ann", "dee"), ("dee", "ann"), ("dee", "bob"),
     ("eva", "dee"), ("eva", "bob"), ("cem", "dee"), ("fay", "eva"), ("fay", "dee")])
print(graph)

census = mgnn.census(graph, counting="induced", per="node")
print(census)
for name, row in zip(graph.ids, census.table):
    print(name, {motif: int(n) for motif, n in zip(census.names, row) if n})

null = mgnn.null_model(graph, graphs=100, seed=1)
for number, z in enumerate(null.z, 1):
    if census[number]:
        print(f"M{number}: {census[number]} instances, z = {z:.2f}")
