// The table of trained networks. Command line, tests that loop over all methods, and experiments
// read it.
#pragma once

#include <span>

#include "mgnn/models/model.h"

namespace mgnn {

struct Method {
  const char* name;
  const char* summary;
  const char* paper;
  bool nodes, graphs;  // the levels it has an output for
  std::unique_ptr<Model> (*make)();
};
std::span<const Method> methods();

// Throws Error (usage) with the nearest name.
const Method& find_method(std::string_view name);

std::unique_ptr<Model> make_mgnn();
std::unique_ptr<Model> make_gcn();
std::unique_ptr<Model> make_sage();
std::unique_ptr<Model> make_gat();
std::unique_ptr<Model> make_gin();
std::unique_ptr<Model> make_bgnn();
std::unique_ptr<Model> make_mixhop();
std::unique_ptr<Model> make_motifnet();
std::unique_ptr<Model> make_gdc();
std::unique_ptr<Model> make_cadnet();
std::unique_ptr<Model> make_egat();
std::unique_ptr<Model> make_esage();
std::unique_ptr<Model> make_egat_sage();
std::unique_ptr<Model> make_graclus();
std::unique_ptr<Model> make_topkpool();
std::unique_ptr<Model> make_edgepool();
std::unique_ptr<Model> make_asap();
std::unique_ptr<Model> make_globalatt();

}  // namespace mgnn
