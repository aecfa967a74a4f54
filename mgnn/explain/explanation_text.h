// Explanations as people and programs read them.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "mgnn/data/dataset.h"
#include "mgnn/explain/explanation.h"
#include "mgnn/report/html.h"

namespace mgnn {

// "M5", "M1-M7,M13"
std::string motifs_text(const std::vector<int>& motifs);
// "TP53 → MDM2 ← ATM"; of three joined pairs the last stands behind: "a → b → c, a → c".
std::string instance_text(const InstanceShare& instance, const Dataset& dataset);
std::string arc_text(const ArcShare& arc, const Dataset& dataset);  // "a → b", "a ↔ b"
// "node p53: class tumour, logit 3.21, probability 0.97"
std::string headline(const Explanation& explanation, const Dataset& dataset);

// The document of docs/explain.md; `version` in it is Explanation::kSchema.
nlohmann::ordered_json json_of(const Explanation& explanation, const Dataset& dataset);

// Tables and sentences, for a terminal and for a page; those that are empty are left out.
std::vector<Block> blocks_of(const Explanation& explanation, const Dataset& dataset);

nlohmann::ordered_json json_of(const Summary& summary);
// The mean size of shares, by class and motif, as a table and as a heat map.
std::vector<Block> blocks_of(const Summary& summary);
nlohmann::ordered_json json_of(const SanityCheck& check);
std::string text_of(const SanityCheck& check);

// For Cytoscape, yEd, Gephi and networkx: the arcs of the explanation with their shares.
std::string graphml_of(const Explanation& explanation, const Dataset& dataset);

}  // namespace mgnn
