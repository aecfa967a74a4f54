// Which edges are asked about, and which of them a network may see.
#pragma once

#include "mgnn/base/options.h"
#include "mgnn/data/dataset.h"
#include "mgnn/data/negatives.h"
#include "mgnn/links/heuristics.h"
#include "mgnn/models/link_decoder.h"

namespace mgnn {

struct LinkOptions {
  std::string relation;  // ask about its edges only
  std::string between;   // "A,B": ask about edges between nodes of these types only
  Decoder decoder = Decoder::inner;
  Negatives negatives = Negatives::typed;  // of training, validation and test
  int64_t dimension = 16;                  // columns of what a pair's score is made of
  double validation_share = 0.05, test_share = 0.1;
  int64_t hits = 10;                                        // k of Hits@k
  HeuristicChoice heuristics = HeuristicChoice::automatic;  // that the network is compared with
};
Options link_options(LinkOptions& options);

// Node types of both ends of what is asked about; -1: any.
struct LinkEnds {
  int32_t from = -1, to = -1;
};
// Throws Error (usage) that lists the relations or types there are if there is none of that name.
LinkEnds link_ends(const Dataset& dataset, const LinkOptions& options);

// The edges asked about, each once, ascending: as arcs where the decoder is directed; else as pairs
// whose first end has the type of link_ends(…).from, or is the smaller one.
NodePairs asked_pairs(const Dataset& dataset, const LinkOptions& options);

struct LinkSplit {
  NodePairs train, validation, test;
  Graph graph;  // without the pairs of validation and test, in either direction and any relation
};
// At random by shares. u -> v and v -> u are always on the same side. Throws Error (data) if fewer
// than 20 edges are asked about.
LinkSplit link_split(const Dataset& dataset, const LinkOptions& options, const Rng& rng);

}  // namespace mgnn
