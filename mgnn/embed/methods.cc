#include "mgnn/embed/methods.h"

#include <fmt/format.h>

#include <array>

#include "mgnn/embed/deepwalk.h"
#include "mgnn/embed/feather.h"
#include "mgnn/embed/gl2vec.h"
#include "mgnn/embed/grarep.h"
#include "mgnn/embed/hope.h"
#include "mgnn/embed/netlsd.h"
#include "mgnn/embed/node2vec.h"

namespace mgnn {
namespace {

Option rate_option(SkipGramOptions& o) {
  return searched(option("rate", o.rate, "learning rate at the beginning"), 0.005, 0.1, true);
}

// Of those that learn from sequences or documents.
Options learning_options(SkipGramOptions& o) {
  return {option("dimension", o.dimension, "numbers in a vector"),
          option("negatives", o.negatives, "noise tokens for each that was seen"),
          option("epochs", o.epochs, "times that everything is learned from"),
          rate_option(o),
          option("last_rate", o.last_rate, "learning rate at the end"),
          option("unordered", o.unordered,
                 "threads do not wait for each other: faster, but not the same every time"),
          option("seed", o.seed, "seed of all random numbers")};
}

Options walk_options(int64_t& walks, int64_t& length, SkipGramOptions& o) {
  Options all = {
      option("walks", walks, "from every node"),
      option("length", length, "of a walk, in nodes"),
      option("window", o.window, "nodes to either side that count as near"),
      option("share_negatives", o.share_negatives, "the same noise for all pairs of one window"),
      option("cbow", o.cbow, "the window's mean against its centre, not skip-gram"),
      option("hierarchical", o.hierarchical, "with cbow: hierarchical softmax besides the noise"),
      option("subsample", o.subsample, "thin out nodes of a larger share than this; 0: none")};
  append(all, learning_options(o));
  return all;
}

Options options_of(DeepWalkOptions& o) {
  Options all = walk_options(o.walks, o.length, o.skip_gram);
  all.push_back(option("loops", o.loops, "walks may also stay where they are"));
  return all;
}

Options options_of(Node2VecOptions& o) {
  Options all = {searched(option("p", o.p, "small: walks turn back often"), 0.25, 4, true),
                 searched(option("q", o.q, "small: walks go far"), 0.25, 4, true)};
  append(all, walk_options(o.walks, o.length, o.skip_gram));
  return all;
}

Options options_of(GraRepOptions& o) {
  return {option("dimension", o.dimension, "numbers in a vector, of all steps together"),
          option("steps", o.steps, "walks of 1 to so many steps"),
          option("normalise", o.normalise, "each step's part of a vector to length 1"),
          option("power_iterations", o.power_iterations, "of the randomized decomposition"),
          option("karateclub", o.karateclub, "another matrix: see docs/embeddings.md"),
          option("seed", o.seed, "seed of all random numbers")};
}

Options options_of(HopeOptions& o) {
  return {option("dimension", o.dimension, "numbers in a vector, half of them as target"),
          choice<Similarity>("similarity", o.similarity,
                             {{"katz", Similarity::katz},
                              {"common-neighbours", Similarity::common_neighbours},
                              {"adamic-adar", Similarity::adamic_adar},
                              {"resource-allocation", Similarity::resource_allocation},
                              {"rooted-pagerank", Similarity::rooted_pagerank}},
                             "what inner products stand for"),
          option("beta", o.beta, "of katz; 0: half of the largest that can be"),
          option("alpha", o.alpha, "of rooted-pagerank: probability to walk on"),
          option("power_iterations", o.power_iterations, "of the randomized decomposition"),
          option("seed", o.seed, "seed of all random numbers")};
}

Options options_of(Graph2VecOptions& o) {
  Options all = {option("steps", o.steps, "of Weisfeiler and Lehman"),
                 option("labels", o.labels, "begin with node labels where there are any"),
                 option("min_count", o.min_count, "leave out subgraphs that occur less often"),
                 option("subsample", o.skip_gram.subsample,
                        "thin out subgraphs of a larger share than this; 0: none")};
  append(all, learning_options(o.skip_gram));
  return all;
}

Options options_of(Gl2VecOptions& o) {
  Options all = {option("concat", o.concat, "graph and line graph; else the line graph alone")};
  append(all, options_of(o.graph2vec));
  return all;
}

Options options_of(NetLsdOptions& o) {
  return {choice<LsdKernel>("kernel", o.kernel,
                            {{"heat", LsdKernel::heat}, {"wave", LsdKernel::wave}}, "whose trace"),
          choice<LsdNormalisation>("normalisation", o.normalisation,
                                   {{"none", LsdNormalisation::none},
                                    {"empty", LsdNormalisation::empty},
                                    {"complete", LsdNormalisation::complete}},
                                   "by the trace of which graph the trace is divided"),
          option("scales", o.scales, "points of time: numbers in a vector (twice that for wave)"),
          option("exact_up_to", o.exact_up_to, "nodes; larger graphs by random probes"),
          option("probes", o.probes, "random vectors for a large graph"),
          option("steps", o.steps, "of Lanczos for each"),
          option("karateclub", o.karateclub, "without the two smallest eigenvalues"),
          option("seed", o.seed, "seed of all random numbers")};
}

Options options_of(FeatherOptions& o) {
  return {option("order", o.order, "walks of 1 to so many steps"),
          option("points", o.points, "at which functions are evaluated"),
          option("last_point", o.last_point, "the largest of them"),
          option("clustering", o.clustering, "besides degrees, clustering coefficients"),
          option("loops", o.loops, "every node has a loop that counts twice"),
          option("seed", o.seed, "seed of all random numbers")};
}

template <class O, Matrix (*function)(const EmbedInput&, const O&)>
class EmbeddingOf : public Embedding {
 public:
  explicit EmbeddingOf(O options) : o_(std::move(options)) {}
  Options options() override { return options_of(o_); }
  Matrix run(const EmbedInput& input) const override { return function(input, o_); }
  Matrix infer(const EmbedInput& fitted, const EmbedInput& unseen) const override {
    if constexpr (std::is_same_v<O, Graph2VecOptions>)
      return mgnn::infer(fit_graph2vec(fitted, o_), unseen);
    else
      return Embedding::infer(fitted, unseen);
  }

 private:
  O o_;
};

// A method with options that `settings` gives.
template <class O, Matrix (*function)(const EmbedInput&, const O&), O (*settings)()>
std::unique_ptr<Embedding> make() {
  return std::make_unique<EmbeddingOf<O, function>>(settings());
}
template <class O>
O standard() {
  return O{};
}
GraRepOptions karateclub_grarep() { return {.karateclub = true}; }
NetLsdOptions karateclub_netlsd() { return {.karateclub = true}; }
FeatherOptions karateclub_feather() { return {.loops = true}; }

}  // namespace

Matrix Embedding::infer(const EmbedInput&, const EmbedInput&) const {
  fail_usage("only graph2vec can embed graphs that it was not fitted on");
}

std::span<const EmbeddingMethod> embedding_methods() {
  static constexpr std::array kMethods = {
      EmbeddingMethod{"deepwalk", "random walks as sentences", "Perozzi et al., KDD 2014", true,
                      make<DeepWalkOptions, deepwalk, standard>,
                      make<DeepWalkOptions, deepwalk, karateclub_deepwalk>},
      EmbeddingMethod{"node2vec", "walks that stay near or go far", "Grover, Leskovec, KDD 2016",
                      true, make<Node2VecOptions, node2vec, standard>, nullptr},
      EmbeddingMethod{"grarep", "a factorisation for each number of steps", "Cao et al., CIKM 2015",
                      true, make<GraRepOptions, grarep, standard>,
                      make<GraRepOptions, grarep, karateclub_grarep>},
      EmbeddingMethod{"hope", "inner products are similarities", "Ou et al., KDD 2016", true,
                      make<HopeOptions, hope, standard>, make<HopeOptions, hope, karateclub_hope>},
      EmbeddingMethod{"graph2vec", "graphs as documents of rooted subgraphs",
                      "Narayanan et al., 2017", false, make<Graph2VecOptions, graph2vec, standard>,
                      make<Graph2VecOptions, graph2vec, karateclub_graph2vec>},
      EmbeddingMethod{"gl2vec", "graph2vec with line graphs", "Chen, Koga, ICONIP 2019", false,
                      make<Gl2VecOptions, gl2vec, standard>,
                      make<Gl2VecOptions, gl2vec, karateclub_gl2vec>},
      EmbeddingMethod{"netlsd", "traces of heat and wave", "Tsitsulin et al., KDD 2018", false,
                      make<NetLsdOptions, netlsd, standard>,
                      make<NetLsdOptions, netlsd, karateclub_netlsd>},
      EmbeddingMethod{"feather", "characteristic functions of walks",
                      "Rozemberczki, Sarkar, CIKM 2020", false,
                      make<FeatherOptions, feather, standard>,
                      make<FeatherOptions, feather, karateclub_feather>},
  };
  return kMethods;
}

const EmbeddingMethod& find_embedding_method(std::string_view name) {
  std::vector<std::string> known;
  for (const EmbeddingMethod& method : embedding_methods()) {
    if (method.name == name) return method;
    known.push_back(method.name);
  }
  fail_usage("there is no embedding method {}; {}", in_quotes(name),
             did_you_mean(name, known, fmt::format("known are {}", fmt::join(known, ", "))));
}

}  // namespace mgnn
