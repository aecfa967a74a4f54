// Makers of the networks in the table of methods (methods.cc).
#pragma once

#include "mgnn/models/model.h"

namespace mgnn {

std::unique_ptr<Model> make_mgnn();
std::unique_ptr<Model> make_gcn();
std::unique_ptr<Model> make_sage();
std::unique_ptr<Model> make_gat();
std::unique_ptr<Model> make_gin();
std::unique_ptr<Model> make_rgcn();
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
