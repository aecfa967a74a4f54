#include "mgnn/models/methods.h"

#include <fmt/format.h>

#include <array>

namespace mgnn {

std::span<const Method> methods() {
  static constexpr std::array kMethods = {
      Method{"mgnn", "motif graph neural network", "Chen et al., TNNLS 2023", true, true,
             make_mgnn},
      Method{"gcn", "graph convolutional network", "Kipf, Welling, ICLR 2017", true, true,
             make_gcn},
      Method{"sage", "GraphSAGE: own features and the largest (mean, pool) of the neighbours'",
             "Hamilton et al., NeurIPS 2017", true, true, make_sage},
      Method{"gat", "graph attention network, or GATv2", "Veličković et al., ICLR 2018", true, true,
             make_gat},
      Method{"gin", "graph isomorphism network", "Xu et al., ICLR 2019", true, true, make_gin},
      Method{"bgnn", "boosted trees and a GAT in turns", "Ivanov, Prokhorenkova, ICLR 2021", true,
             false, make_bgnn},
      Method{"mixhop", "neighbours at several distances side by side",
             "Abu-El-Haija et al., ICML 2019", true, true, make_mixhop},
      Method{"motifnet", "spectral filters on motif Laplacians", "Monti et al., IEEE DSW 2018",
             true, true, make_motifnet},
      Method{"gdc", "GCN on the strongest arcs of a diffusion", "Klicpera et al., NeurIPS 2019",
             true, true, make_gdc},
      Method{"cadnet", "class-attentive diffusion", "Lim et al., AAAI 2021", true, true,
             make_cadnet},
      Method{"egat", "13 small GAT trained jointly", "Chen et al., TNNLS 2023", true, true,
             make_egat},
      Method{"esage", "13 small GraphSAGE trained jointly", "Chen et al., TNNLS 2023", true, true,
             make_esage},
      Method{"egat+sage", "6 small GAT and 7 GraphSAGE trained jointly", "Chen et al., TNNLS 2023",
             true, true, make_egat_sage},
      Method{"graclus", "matched neighbours become one", "Dhillon et al., PAMI 2007", false, true,
             make_graclus},
      Method{"topkpool", "the best nodes stay", "Gao, Ji, ICML 2019", false, true, make_topkpool},
      Method{"edgepool", "nodes at the best edges become one", "Diehl, 2019", false, true,
             make_edgepool},
      Method{"asap", "the fittest clusters stay", "Ranjan et al., AAAI 2020", false, true,
             make_asap},
      Method{"globalatt", "GraphSAGE and a readout by attention", "Li et al., ICLR 2016", false,
             true, make_globalatt},
  };
  return kMethods;
}

const Method& find_method(std::string_view name) {
  std::vector<std::string> known;
  for (const Method& method : methods()) {
    if (method.name == name) return method;
    known.push_back(method.name);
  }
  fail_usage("there is no model {}; {}", in_quotes(name),
             did_you_mean(name, known, fmt::format("known are {}", fmt::join(known, ", "))));
}

}  // namespace mgnn
