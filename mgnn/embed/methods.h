// Makers of the methods in the table of embeddings (methods.cc).
#pragma once

#include "mgnn/embed/embedding.h"

namespace mgnn {

std::unique_ptr<Embedding> make_deepwalk();
std::unique_ptr<Embedding> make_node2vec();
std::unique_ptr<Embedding> make_grarep();
std::unique_ptr<Embedding> make_hope();
std::unique_ptr<Embedding> make_graph2vec();
std::unique_ptr<Embedding> make_gl2vec();
std::unique_ptr<Embedding> make_netlsd();
std::unique_ptr<Embedding> make_feather();

}  // namespace mgnn
