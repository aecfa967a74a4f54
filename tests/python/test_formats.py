"""Files of graph programs, with NetworkX as the judge: what it writes we read alike, and the other way round."""
import json
import os

import numpy as np
import pytest

networkx = pytest.importorskip("networkx")

import mgnn


def graphs():
    for seed in range(3):
        for directed in (True, False):
            graph = networkx.gnp_random_graph(14, 0.2, seed=seed, directed=directed)
            names = {u: f"node {u}é&<" if u % 2 else f"n{u}" for u in graph}
            graph = networkx.relabel_nodes(graph, names)
            for u in graph:
                graph.nodes[u]["mass"] = round(len(u) * 1.5 + seed, 2)
            for k, (u, v) in enumerate(graph.edges):
                graph.edges[u, v]["weight"] = float(1 + k) / 4
            yield graph


def arcs_of_networkx(graph):
    arcs = {(u, v): float(w) for u, v, w in graph.edges(data="weight", default=1)}
    if not graph.is_directed():
        arcs.update({(v, u): w for (u, v), w in arcs.items()})
    return {arc: w for arc, w in arcs.items() if arc[0] != arc[1]}


def arcs_of(data):
    ids = [str(name) for name in data.ids]
    source, target = data.graph.edge_index()
    weight = data.arc_weight
    if weight is None or not len(weight):
        weight = np.ones(len(source))
    return {(ids[u], ids[v]): float(w) for u, v, w in zip(source, target, weight)}


def write_node_link(graph, path):
    with open(path, "w") as file:
        json.dump(networkx.node_link_data(graph), file)


def read_node_link(path):
    with open(path) as file:
        data = json.load(file)
    return networkx.node_link_graph(data)


def write_dot(graph, path):
    # pydot is not everywhere: the edges as networkx' own documentation writes them.
    arrow = "->" if graph.is_directed() else "--"
    with open(path, "w") as file:
        file.write("digraph {\n" if graph.is_directed() else "strict graph {\n")
        for u in graph:
            file.write(f'  "{u}" [mass={graph.nodes[u]["mass"]}];\n')
        for u, v, w in graph.edges(data="weight"):
            file.write(f'  "{u}" {arrow} "{v}" [weight={w}];\n')
        file.write("}\n")


WRITERS = {"graphml": networkx.write_graphml_xml, "gexf": networkx.write_gexf,
           "gml": networkx.write_gml, "net": networkx.write_pajek, "json": write_node_link,
           "dot": write_dot}


@pytest.mark.parametrize("ending", WRITERS)
@pytest.mark.filterwarnings("ignore:Node attribute")
def test_what_networkx_writes_is_read(ending, tmp_path):
    for graph in graphs():
        path = tmp_path / f"g.{ending}"
        WRITERS[ending](graph, path)
        data = mgnn.load(path)
        assert sorted(str(name) for name in data.ids) == sorted(graph)
        assert arcs_of(data) == pytest.approx(arcs_of_networkx(graph))
        if ending != "net":  # Pajek's attributes are texts of its own
            mass = dict(zip((str(name) for name in data.ids), np.asarray(data.x)[:, 0]))
            assert mass == pytest.approx({u: graph.nodes[u]["mass"] for u in graph})


READERS = {"graphml": networkx.read_graphml, "gexf": networkx.read_gexf, "json": read_node_link}


@pytest.mark.parametrize("ending", READERS)
def test_what_is_written_networkx_reads(ending, tmp_path):
    for graph in graphs():
        networkx.write_graphml_xml(graph, tmp_path / "g.graphml")
        data = mgnn.load(tmp_path / "g.graphml")
        path = tmp_path / f"h.{ending}"
        data.write(path, overwrite=True)
        read = READERS[ending](path)
        assert read.is_directed() == graph.is_directed()
        assert sorted(read) == sorted(graph)
        assert arcs_of_networkx(read) == pytest.approx(arcs_of_networkx(graph))
        assert {u: read.nodes[u]["mass"] for u in read} == pytest.approx(
            {u: graph.nodes[u]["mass"] for u in graph})


@pytest.mark.skipif("MGNN_TOOL" not in os.environ, reason="the tool is not there")
def test_census_of_nodes_for_drawing(tmp_path):
    import subprocess
    path = tmp_path / "karate.graphml"
    subprocess.run([os.environ["MGNN_TOOL"], "census", "karate", "--per-node", path], check=True,
                   capture_output=True)
    graph = networkx.read_graphml(path)
    triangles = networkx.triangles(graph)
    assert {u: graph.nodes[u]["M4"] for u in graph} == triangles
    assert set(networkx.get_node_attributes(graph, "class").values()) == set(
        mgnn.load("karate").class_names)
