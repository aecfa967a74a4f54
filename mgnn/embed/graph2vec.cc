// graph2vec: graphs as documents of the rooted subgraphs they contain. The rooted subgraph of a
// node, up to what the Weisfeiler-Lehman test distinguishes, is its colour. The document of a graph
// holds the colours of all its nodes at all steps; PV-DBOW, skip-gram with the document as the only
// input, gives it a vector. Graphs without nodes keep a small random one.
//
// karateclub's defaults leave out most subgraphs of small sets and stop early.
//
// Narayanan et al. "graph2vec: Learning Distributed Representations of Graphs", 2017.

#include <algorithm>

#include "mgnn/embed/methods.h"
#include "mgnn/embed/skip_gram.h"
#include "mgnn/embed/wl_colours.h"

namespace mgnn {
namespace {

struct Graph2VecOptions {
  int64_t steps = 2;      // Weisfeiler-Lehman iterations: the depth of a rooted subgraph
  bool labels = true;     // begin with node labels if there are any, else with degrees
  int64_t min_count = 1;  // ignore subgraphs with fewer occurrences in all graphs together
  SkipGramOptions skip_gram = {.epochs = 100};
};

using Documents = std::vector<std::vector<NodeId>>;  // (graphs) colours

// Colours are sorted: a document does not depend on the numbering of the nodes.
Documents documents(const std::vector<std::vector<int32_t>>& colours, const EmbedInput& input) {
  Documents documents(input.num_graphs());
  for (NodeId g = 0; g < input.num_graphs(); g++) {
    const auto [first, last] = input.nodes_of(g);
    for (const auto& of_step : colours)
      for (NodeId u = first; u < last; u++)
        if (of_step[u] >= 0) documents[g].push_back(of_step[u]);
    std::sort(documents[g].begin(), documents[g].end());
  }
  return documents;
}

void drop_rare(Documents& documents, int32_t num_colours, int64_t min_count) {
  if (min_count <= 1) return;
  std::vector<int64_t> count(num_colours, 0);
  for (const auto& document : documents)
    for (const NodeId colour : document) count[colour]++;
  for (auto& document : documents)
    std::erase_if(document, [&](NodeId colour) { return count[colour] < min_count; });
}

Corpus corpus_of(const Documents& documents, int32_t vocabulary) {
  return {.num_items = int64_t(documents.size()),
          .vocabulary = vocabulary,
          .tokens = [&](int64_t g, std::vector<NodeId>& tokens) { tokens = documents[g]; },
          .documents = true};
}

class Graph2Vec : public Embedding {
 public:
  Options options() override {
    Options options = {
        option("steps", o_.steps, "Weisfeiler-Lehman iterations"),
        option("labels", o_.labels, "begin with node labels if there are any, else with degrees"),
        option("min_count", o_.min_count, "ignore subgraphs with fewer occurrences"),
        option("subsample", o_.skip_gram.subsample,
               "downsample subgraphs of a higher frequency; 0: off")};
    append(options, skip_gram_options(o_.skip_gram));
    return options;
  }

  Matrix run(const EmbedInput& input) const override {
    WlColours colours;
    return fit(input, colours).input;
  }

  // The vectors of subgraphs are fixed; subgraphs that are not in `fitted` are ignored.
  Matrix infer(const EmbedInput& fitted, const EmbedInput& unseen) const override {
    WlColours colours;
    const TokenVectors vectors = fit(fitted, colours);
    Documents docs = documents(colours.known_colours(unseen, o_.steps, o_.labels), unseen);
    for (auto& document : docs)
      std::erase_if(document, [&](NodeId colour) { return vectors.count[colour] == 0; });
    return infer_documents(corpus_of(docs, colours.count()), vectors, o_.skip_gram);
  }

 private:
  TokenVectors fit(const EmbedInput& input, WlColours& colours) const {
    Documents docs = documents(colours.colours(input, o_.steps, o_.labels), input);
    drop_rare(docs, colours.count(), o_.min_count);
    return train_skip_gram(corpus_of(docs, colours.count()), o_.skip_gram);
  }

  Graph2VecOptions o_;
};

}  // namespace

std::unique_ptr<Embedding> make_graph2vec() { return std::make_unique<Graph2Vec>(); }

}  // namespace mgnn
