"""From a networkx graph to a pandas table of motif counts, embeddings and clustering."""
import sys

try:
    import networkx
    import pandas
    import scipy  # noqa: F401
except ImportError:
    print("needs networkx, pandas and SciPy", file=sys.stderr)
    sys.exit(77)

import mgnn
from mgnn import networkx as fast

club = networkx.karate_club_graph()
table = mgnn.census(mgnn.Graph.from_networkx(club), counting="induced", per="node").to_pandas()
table["clustering"] = pandas.Series(fast.clustering(club))
table["club"] = pandas.Series(dict(club.nodes("club")))
print(table[["M4", "M13", "clustering", "club"]].head())
print(table.groupby("club")[["M4", "M13"]].mean())

vectors = mgnn.embed(mgnn.Graph.from_networkx(club), "hope", dimension=4)
print(pandas.DataFrame(vectors, index=list(club)).head().round(2))
