#include "mgnn/embed/methods.h"

#include "mgnn/base/names.h"

namespace mgnn {
namespace {

std::vector<EmbeddingMethod>& table() {
  static std::vector<EmbeddingMethod> methods = {
      {.name = "deepwalk",
       .summary = "skip-gram on random walks",
       .paper = "Perozzi et al., KDD 2014",
       .level = Level::node,
       .make = make_deepwalk,
       .karateclub = {"loops=true", "cbow=true", "hierarchical=true", "subsample=1e-3", "window=5",
                      "rate=0.05"}},
      {.name = "node2vec",
       .summary = "skip-gram on walks biased by p and q",
       .paper = "Grover, Leskovec, KDD 2016",
       .level = Level::node,
       .make = make_node2vec},
      {.name = "grarep",
       .summary = "factorisation of log P^k for every k",
       .paper = "Cao et al., CIKM 2015",
       .level = Level::node,
       .make = make_grarep,
       .karateclub = {"karateclub=true"}},
      {.name = "hope",
       .summary = "factorisation of a node similarity",
       .paper = "Ou et al., KDD 2016",
       .level = Level::node,
       .make = make_hope,
       .karateclub = {"similarity=common-neighbours"}},
      {.name = "graph2vec",
       .summary = "PV-DBOW on rooted subgraphs",
       .paper = "Narayanan et al., 2017",
       .level = Level::graph,
       .make = make_graph2vec,
       .karateclub = {"labels=false", "min_count=5", "epochs=10", "subsample=1e-4"}},
      {.name = "gl2vec",
       .summary = "graph2vec of graphs and their line graphs",
       .paper = "Chen, Koga, ICONIP 2019",
       .level = Level::graph,
       .make = make_gl2vec,
       .karateclub = {"concat=false", "labels=false", "min_count=5", "epochs=10",
                      "subsample=1e-4"}},
      {.name = "netlsd",
       .summary = "heat or wave traces of the Laplacian",
       .paper = "Tsitsulin et al., KDD 2018",
       .level = Level::graph,
       .make = make_netlsd,
       .karateclub = {"karateclub=true"}},
      {.name = "feather",
       .summary = "characteristic functions of random walks",
       .paper = "Rozemberczki, Sarkar, CIKM 2020",
       .level = Level::graph,
       .make = make_feather,
       .karateclub = {"loops=true"}},
  };
  return methods;
}

}  // namespace

std::span<const EmbeddingMethod> embedding_methods() { return table(); }

void add_embedding_method(const EmbeddingMethod& method) {
  for (const EmbeddingMethod& other : embedding_methods())
    check(std::string_view(other.name) != method.name, "there is an embedding method {} already",
          method.name);
  table().push_back(method);
}

const EmbeddingMethod& find_embedding_method(std::string_view name) {
  return find_by_name(embedding_methods(), "embedding method", name);
}

std::unique_ptr<Embedding> make_embedding(const EmbeddingMethod& method, const Settings& settings,
                                          EmbeddingVariant variant) {
  const bool karateclub = variant == EmbeddingVariant::karateclub;
  check(!karateclub || !method.karateclub.empty(), "{} has no karateclub variant", method.name);
  std::unique_ptr<Embedding> embedding = method.make();
  const Options options = embedding->options();
  if (karateclub)
    for (const Setting& setting : method.karateclub) set_option(options, setting);
  for (const Setting& setting : settings) set_option(options, setting);
  return embedding;
}

Matrix Embedding::infer(const EmbedInput&, const EmbedInput&) const {
  fail_usage("this method embeds only the graphs that it is fitted on");
}

}  // namespace mgnn
