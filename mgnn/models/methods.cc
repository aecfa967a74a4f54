#include "mgnn/models/methods.h"

#include <fmt/format.h>

#include <array>

namespace mgnn {

std::span<const Method> methods() {
  static constexpr std::array kMethods = {
      Method{.name = "mgnn",
             .summary = "motif graph neural network",
             .paper = "Chen et al., TNNLS 2023",
             .make = make_mgnn},
      Method{.name = "gcn",
             .summary = "graph convolutional network",
             .paper = "Kipf, Welling, ICLR 2017",
             .make = make_gcn},
      Method{.name = "sage",
             .summary = "GraphSAGE with max, mean or pool aggregation",
             .paper = "Hamilton et al., NeurIPS 2017",
             .make = make_sage},
      Method{.name = "gat",
             .summary = "graph attention network, or GATv2",
             .paper = "Veličković et al., ICLR 2018",
             .make = make_gat},
      Method{.name = "gin",
             .summary = "graph isomorphism network",
             .paper = "Xu et al., ICLR 2019",
             .make = make_gin},
      Method{.name = "bgnn",
             .summary = "boosted trees and a GAT, trained alternately",
             .paper = "Ivanov, Prokhorenkova, ICLR 2021",
             .make = make_bgnn,
             .levels = Levels::nodes},
      Method{.name = "mixhop",
             .summary = "concatenated powers of the adjacency matrix",
             .paper = "Abu-El-Haija et al., ICML 2019",
             .make = make_mixhop},
      Method{.name = "motifnet",
             .summary = "spectral filters on motif Laplacians",
             .paper = "Monti et al., IEEE DSW 2018",
             .make = make_motifnet},
      Method{.name = "gdc",
             .summary = "GCN on a sparsified graph diffusion",
             .paper = "Klicpera et al., NeurIPS 2019",
             .make = make_gdc},
      Method{.name = "cadnet",
             .summary = "class-attentive diffusion",
             .paper = "Lim et al., AAAI 2021",
             .make = make_cadnet},
      Method{.name = "egat",
             .summary = "ensemble of 13 small GAT, trained jointly",
             .paper = "Chen et al., TNNLS 2023",
             .make = make_egat},
      Method{.name = "esage",
             .summary = "ensemble of 13 small GraphSAGE, trained jointly",
             .paper = "Chen et al., TNNLS 2023",
             .make = make_esage},
      Method{.name = "egat+sage",
             .summary = "ensemble of 6 small GAT and 7 GraphSAGE, trained jointly",
             .paper = "Chen et al., TNNLS 2023",
             .make = make_egat_sage},
      Method{.name = "graclus",
             .summary = "pooling that merges matched neighbours",
             .paper = "Dhillon et al., PAMI 2007",
             .make = make_graclus,
             .levels = Levels::graphs},
      Method{.name = "topkpool",
             .summary = "pooling that keeps the top-scoring nodes",
             .paper = "Gao, Ji, ICML 2019",
             .make = make_topkpool,
             .levels = Levels::graphs},
      Method{.name = "edgepool",
             .summary = "pooling that contracts the top-scoring edges",
             .paper = "Diehl, 2019",
             .make = make_edgepool,
             .levels = Levels::graphs},
      Method{.name = "asap",
             .summary = "pooling that keeps the top-scoring clusters",
             .paper = "Ranjan et al., AAAI 2020",
             .make = make_asap,
             .levels = Levels::graphs},
      Method{.name = "globalatt",
             .summary = "GraphSAGE with attention readout",
             .paper = "Li et al., ICLR 2016",
             .make = make_globalatt,
             .levels = Levels::graphs},
  };
  return kMethods;
}

const Method& find_method(std::string_view name) {
  std::vector<std::string> names;
  for (const Method& method : methods()) {
    if (method.name == name) return method;
    names.push_back(method.name);
  }
  fail_usage("there is no model {}; {}", in_quotes(name),
             did_you_mean(name, names, fmt::format("known are {}", fmt::join(names, ", "))));
}

}  // namespace mgnn
