"""Why a network answers what it does."""
from __future__ import annotations

import html
from typing import Any, Callable

import numpy as np

from ._call import UsageError
from ._optional import need


class Explanation:
    """What an answer is made of: shares of motifs that add up to the score, neighbours, instances of
    motifs by name, arcs, features, and what changes without them. `Run.explain` makes it.

    The attributes are those of the JSON document (docs/explain.md), which is `document`.
    """

    def __init__(self, document: dict[str, Any], draw: Callable[[str], bytes]) -> None:
        self.document, self._draw = document, draw

    @property
    def score(self) -> float:
        """The logit (of pairs: the score) that is explained."""
        return float(self.document["score"])

    @property
    def probability(self) -> float | None:
        chance: float | None = self.document["probability"]
        return chance

    @property
    def answer(self) -> str | None:
        """The predicted class; None where numbers or pairs are predicted."""
        found: str | None = self.document["answer"]
        return found

    @property
    def kind(self) -> str:
        """Whether shares are exact, piecewise-linear, first-order or none."""
        return str(self.document["shares"]["kind"])

    @property
    def bias(self) -> float:
        return float(self.document["shares"]["bias"])

    @property
    def motifs(self) -> dict[str, float]:
        """The share of every motif. Motifs with equal matrices share arbitrarily: see
        `document["shares"]["motifs"]` for what is told apart."""
        return {name: share for row in self.document["shares"]["motifs"]
                for name, share in row["parts"].items()}

    @property
    def neighbours(self) -> list[dict[str, Any]]:
        return list(self.document["neighbours"])

    @property
    def instances(self) -> list[dict[str, Any]]:
        return list(self.document["instances"])

    @property
    def arcs(self) -> list[dict[str, Any]]:
        return list(self.document["arcs"])

    @property
    def features(self) -> list[dict[str, Any]]:
        return list(self.document["features"])

    @property
    def fidelity(self) -> dict[str, Any] | None:
        found: dict[str, Any] | None = self.document["fidelity"]
        return found

    @property
    def counterfactual(self) -> dict[str, Any] | None:
        found: dict[str, Any] | None = self.document["counterfactual"]
        return found

    def to_networkx(self) -> Any:
        """A DiGraph of the arcs with attribute `share`; explained nodes have `explained=True`."""
        graph = need("networkx").DiGraph()
        for name in self.document["nodes"]:
            graph.add_node(name, explained=True)
        for arc in self.arcs:
            graph.add_edge(arc["from"], arc["to"], share=arc["share"], motif=arc["motif"])
            if arc["mutual"]:
                graph.add_edge(arc["to"], arc["from"], share=arc["share"], motif=arc["motif"])
        return graph

    def to_pyg(self, data: Any = None) -> Any:
        """A torch_geometric.explain.Explanation with `edge_index`, `edge_mask` and `node_names`: of the
        arcs here; or with `data`, a mgnn.Dataset, of all its arcs, zero where there is no share."""
        torch = need("torch")
        explain = need("torch_geometric.explain")
        names = list(dict.fromkeys(
            [*self.document["nodes"], *(arc[end] for arc in self.arcs for end in ("from", "to"))]))
        if data is not None:
            ids = data.graph.ids
            names = [str(i) for i in (range(data.graph.num_nodes) if ids is None else ids)]
        place = {name: i for i, name in enumerate(names)}
        share: dict[tuple[int, int], float] = {}
        for arc in self.arcs:
            u, v = place[arc["from"]], place[arc["to"]]
            share[u, v] = arc["share"]
            if arc["mutual"]:
                share[v, u] = arc["share"]
        if data is None:
            pairs = np.array(list(share), np.int64).reshape(-1, 2).T
        else:
            pairs = np.asarray(data.graph.edge_index())
        mask = [share.get((int(u), int(v)), 0.0) for u, v in pairs.T]
        return explain.Explanation(
            edge_index=torch.from_numpy(np.array(pairs)), edge_mask=torch.tensor(mask),
            node_names=names, num_nodes=len(names))

    def svg(self) -> str:
        """The picture: arcs by their shares, at most 60 nodes."""
        return self._draw("svg").decode()

    def save(self, path: Any) -> None:
        """Writes .svg, .png, .html or .graphml (Cytoscape), by the ending."""
        ending = str(path).rpartition(".")[2]
        if ending not in ("svg", "png", "html", "graphml"):
            raise UsageError(f"{path}: write .svg, .png, .html or .graphml")
        content = self._draw(ending)
        with open(path, "wb") as file:
            file.write(content)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(', '.join(row['motifs']))}</td><td>{row['share']:.4f}</td></tr>"
            for row in self.document["shares"]["motifs"])
        picture = self.svg()
        drawn = picture[picture.index("<svg"):]
        return (f"<div><b>{html.escape(self._title())}</b>{drawn}<table>{rows}"
                f"<tr><td>bias</td><td>{self.bias:.4f}</td></tr></table></div>")

    def _title(self) -> str:
        of = " – ".join(self.document["nodes"]) or f"graph {self.document['graph']}"
        said = f": {self.answer}" if self.answer is not None else ""
        return f"{of}{said}, {self.document['explained']} {self.score:.4f}"

    def __repr__(self) -> str:
        return f"Explanation({self._title()})"
