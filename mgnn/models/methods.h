// The table of trained networks, for the command line, experiments, and tests that loop over them.
#pragma once

#include <span>

#include "mgnn/models/model.h"

namespace mgnn {

enum class Levels { both, nodes, graphs };

struct Method {
  const char* name;
  const char* summary;
  const char* paper;
  std::unique_ptr<Model> (*make)();
  Levels levels = Levels::both;  // those that it has an output for

  constexpr bool supports(Level level) const {
    return levels == Levels::both || (levels == Levels::nodes) == (level == Level::node);
  }
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
