#include "mgnn/models/methods.h"

#include <fmt/format.h>

#include "mgnn/base/names.h"

namespace mgnn {
namespace {

constexpr Method only(Levels levels, Method method) {
  method.levels = levels;
  return method;
}

std::vector<Method>& table() {
  static std::vector<Method> methods = {
      {"mgnn", "motif graph neural network", "Chen et al., TNNLS 2023", make_mgnn},
      {"gcn", "graph convolutional network", "Kipf, Welling, ICLR 2017", make_gcn},
      {"sage", "GraphSAGE with max, mean or pool aggregation", "Hamilton et al., NeurIPS 2017",
       make_sage},
      {"gat", "graph attention network, or GATv2", "Veličković et al., ICLR 2018", make_gat},
      {"gin", "graph isomorphism network", "Xu et al., ICLR 2019", make_gin},
      {"rgcn", "relational GCN: a weight for each relation", "Schlichtkrull et al., ESWC 2018",
       make_rgcn},
      only(Levels::nodes, {"bgnn", "boosted trees and a GAT, trained alternately",
                           "Ivanov, Prokhorenkova, ICLR 2021", make_bgnn}),
      {"mixhop", "concatenated powers of the adjacency matrix", "Abu-El-Haija et al., ICML 2019",
       make_mixhop},
      {"motifnet", "spectral filters on motif Laplacians", "Monti et al., IEEE DSW 2018",
       make_motifnet},
      {"gdc", "GCN on a sparsified graph diffusion", "Klicpera et al., NeurIPS 2019", make_gdc},
      {"cadnet", "class-attentive diffusion", "Lim et al., AAAI 2021", make_cadnet},
      {"egat", "ensemble of 13 small GAT, trained jointly", "Chen et al., TNNLS 2023", make_egat},
      {"esage", "ensemble of 13 small GraphSAGE, trained jointly", "Chen et al., TNNLS 2023",
       make_esage},
      {"egat+sage", "ensemble of 6 small GAT and 7 GraphSAGE, trained jointly",
       "Chen et al., TNNLS 2023", make_egat_sage},
      only(Levels::graphs, {"graclus", "pooling that merges matched neighbours",
                            "Dhillon et al., PAMI 2007", make_graclus}),
      only(Levels::graphs, {"topkpool", "pooling that keeps the top-scoring nodes",
                            "Gao, Ji, ICML 2019", make_topkpool}),
      only(Levels::graphs, {"edgepool", "pooling that contracts the top-scoring edges",
                            "Diehl, 2019", make_edgepool}),
      only(Levels::graphs, {"asap", "pooling that keeps the top-scoring clusters",
                            "Ranjan et al., AAAI 2020", make_asap}),
      only(Levels::graphs, {"globalatt", "GraphSAGE with attention readout", "Li et al., ICLR 2016",
                            make_globalatt}),
  };
  return methods;
}

}  // namespace

std::span<const Method> methods() { return table(); }

void add_method(const Method& method) {
  for (const Method& other : methods())
    check(std::string_view(other.name) != method.name, "there is a model {} already", method.name);
  table().push_back(method);
}

const Method& find_method(std::string_view name) { return find_by_name(methods(), "model", name); }

}  // namespace mgnn
