// What census and motifs do on several ranks.
#pragma once

#include "cli/graph_options.h"
#include "cli/ranks.h"
#include "mgnn/cluster/divided_motifs.h"
#include "mgnn/motif/motif_file.h"

namespace mgnn {

// What the tool says of a graph whose motifs were counted.
struct CountedGraph {
  NodeId nodes = 0;
  Offset arcs = 0;
  NodeIds ids = {};  // on rank 0
  uint64_t fingerprint = 0;
};

// This rank's rows. Plain edge lists are read in parts; of all else every rank reads the whole and keeps
// its part, which is said. Rank 0 tells the notes.
RankGraph load_divided(const GraphSource& source, const Globals& globals);
CountedGraph counted_graph(const RankGraph& graph);  // called by all ranks

// A folder with one .npz of each rank's rows and index.json, which says what they are. Called by all ranks.
void check_pieces(const std::string& path, bool overwrite);
void write_pieces(const std::string& path, const RankGraph& graph, const RankMatrices& part);

}  // namespace mgnn
