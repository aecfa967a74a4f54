// The rooted subgraph of a node, up to what Weisfeiler and Lehman can tell apart, is its colour.
// The document of a graph holds the colours of all its nodes at all steps; PV-DBOW, skip-gram with
// the document as the only input, gives it a vector.
//
// Narayanan et al. "graph2vec: Learning Distributed Representations of Graphs", 2017.

#include "mgnn/embed/graph2vec.h"

#include <algorithm>

#include "mgnn/base/error.h"

namespace mgnn {
namespace {

// (graphs) sorted, so that a document does not tell in which order nodes were numbered.
std::vector<std::vector<NodeId>> documents(WlColours& colours, const EmbedInput& input,
                                           const Graph2VecOptions& o, bool learn) {
  const auto colour = colours.colours(input, o.steps, o.labels, learn);
  std::vector<std::vector<NodeId>> result(size_t(input.num_graphs()));
  for (NodeId g = 0; g < input.num_graphs(); g++) {
    const auto [first, last] = input.nodes_of(g);
    std::vector<NodeId>& document = result[size_t(g)];
    for (const auto& of_step : colour)
      for (NodeId u = first; u < last; u++)
        if (of_step[size_t(u)] >= 0) document.push_back(of_step[size_t(u)]);
    std::sort(document.begin(), document.end());
  }
  return result;
}

void drop_rare(std::vector<std::vector<NodeId>>& documents, int32_t num_colours,
               int64_t min_count) {
  if (min_count <= 1) return;
  std::vector<int64_t> count(size_t(num_colours), 0);
  for (const auto& document : documents)
    for (const NodeId colour : document) count[size_t(colour)]++;
  for (auto& document : documents)
    std::erase_if(document, [&](NodeId colour) { return count[size_t(colour)] < min_count; });
}

Corpus corpus_of(const std::vector<std::vector<NodeId>>& documents, int32_t vocabulary) {
  return {.num_items = int64_t(documents.size()),
          .vocabulary = vocabulary,
          .tokens = [&](int64_t g, std::vector<NodeId>& tokens) { tokens = documents[size_t(g)]; },
          .documents = true};
}

}  // namespace

Graph2Vec fit_graph2vec(const EmbedInput& input, const Graph2VecOptions& options) {
  Graph2Vec model{options, {}, {}};
  auto docs = documents(model.colours, input, options, true);
  drop_rare(docs, model.colours.count(), options.min_count);
  model.vectors = train_skip_gram(corpus_of(docs, model.colours.count()), options.skip_gram);
  return model;
}

Matrix infer(const Graph2Vec& model, const EmbedInput& unseen) {
  WlColours colours = model.colours;
  auto docs = documents(colours, unseen, model.options, false);
  for (auto& document : docs)  // nothing was learned of those that were left out
    std::erase_if(document, [&](NodeId c) { return model.vectors.count[size_t(c)] == 0; });
  return infer_documents(corpus_of(docs, colours.count()), model.vectors, model.options.skip_gram);
}

Matrix graph2vec(const EmbedInput& input, const Graph2VecOptions& options) {
  return fit_graph2vec(input, options).vectors.input;
}

Graph2VecOptions karateclub_graph2vec() {
  Graph2VecOptions options;
  options.labels = false;
  options.min_count = 5;
  options.skip_gram.epochs = 10;
  options.skip_gram.subsample = 1e-4;
  return options;
}

}  // namespace mgnn
