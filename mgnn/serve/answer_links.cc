// Answers of a network for links: scores of given pairs, and the likeliest partners of a node.
#include <algorithm>

#include "mgnn/serve/answers.h"
#include "mgnn/task/rank_warnings.h"
#include "mgnn/task/tasks.h"

namespace mgnn {
namespace {

const ServedLinks& links_of(const ServedModel& model) {
  if (!model.links)
    throw HttpError(422, fmt::format("{} was trained for {}; pairs are scored by a network trained "
                                     "for links",
                                     model.name, model.model.config->entry().title));
  return *model.links;
}

const LinkOptions& trained_options(const ServedModel& model) {
  return link_options_of(*model.model.config);
}

// Whether the data have an edge there, in either direction unless pairs are directed.
bool is_known(const ServedModel& model, NodeId u, NodeId v) {
  const Graph& graph = model.dataset.graph;
  return graph.has_arc(u, v) ||
         (!is_directed(trained_options(model).decoder) && graph.has_arc(v, u));
}

bool is_trained_on(const ServedModel& model, NodeId u, NodeId v) {
  const Graph& graph = model.links->data.split.graph;
  return graph.has_arc(u, v) ||
         (!is_directed(trained_options(model).decoder) && graph.has_arc(v, u));
}

Json shares_json(const Contributions& motifs, int64_t pair) {
  Json json = Json::object();
  for (size_t k = 0; k < motifs.names.size(); k++)
    json[motifs.names[k]] = shortest(motifs.value(pair, int64_t(k)));
  return json;
}

Json pair_json(const ServedModel& model, const RankedPair& pair, const Contributions& motifs,
               int64_t place) {
  Json json = {
      {"from", model.item_name(pair.from)},
      {"to", model.item_name(pair.to)},
      {"score", shortest(pair.score)},
      {"probability", shortest(float(model.links->calibration.probability(double(pair.score))))},
      {"known", is_known(model, pair.from, pair.to)}};
  if (is_known(model, pair.from, pair.to))
    json["trained_on"] = is_trained_on(model, pair.from, pair.to);
  if (!motifs.names.empty()) json["motifs"] = shares_json(motifs, place);
  return json;
}

Json pairs_json(const ServedModel& model, std::span<const RankedPair> pairs) {
  const Contributions motifs =
      motif_contributions(model.model, model.representation, model.output, pairs);
  Json list = Json::array();
  for (size_t i = 0; i < pairs.size(); i++)
    list.push_back(pair_json(model, pairs[i], motifs, int64_t(i)));
  return list;
}

// What the request asks about: the question of the training, or another relation or type of partners.
LinkOptions asked_options(const Query& q, NodeId node) {
  LinkOptions options = trained_options(q.model);
  const std::string relation = text_field(q.body, "relation"), type = text_field(q.body, "type");
  if (!relation.empty() && !type.empty())
    throw HttpError(422, "relation and type exclude each other; use one of them");
  if (!relation.empty()) {
    options.relation = relation;
    options.between.clear();
  }
  if (type.empty()) return options;
  const std::vector<std::string>& known = q.model.dataset.node_type_names;
  if (std::find(known.begin(), known.end(), type) == known.end())
    throw HttpError(422,
                    known.empty() ? fmt::format("{}: nodes have no types", q.model.name)
                                  : fmt::format("there is no node type {}", in_quotes(type)),
                    known);
  options.relation.clear();
  options.between = q.model.type_of(node) + "," + type;
  return options;
}

RankQuestion asked_question(const Query& q, const LinkOptions& options, NodeId node) {
  try {
    return rank_question(q.model.dataset, options, node);
  } catch (const Error& error) {
    throw HttpError(422, error.what());
  }
}

Json warnings_json(const ServedModel& model, const LinkOptions& asked) {
  const LinkData& data = model.links->data;
  const PairScores held_out = held_out_pairs(data);
  const LinkOptions& trained = trained_options(model);
  const std::vector<float> score = pair_scores(model.output, trained.decoder, held_out.pairs);
  const size_t count = held_out.num_validation;
  return rank_warnings({.dataset = model.dataset,
                        .trained = trained,
                        .asked = asked,
                        .training_pairs = data.split.train,
                        .validation_auroc = auroc(std::span(score).first(count),
                                                  std::span(held_out.positive).first(count)),
                        .positives = int64_t(data.split.validation.size()),
                        .negatives = int64_t(data.validation_negatives.size()),
                        .calibration = model.links->calibration});
}

}  // namespace

Response answer_pairs(const Query& q) {
  const ServedLinks& links = links_of(q.model);
  std::vector<std::string> ends;
  for (const Json& pair : q.body.at("pairs"))
    for (const Json& end : pair) ends.push_back(id_of(end, "pairs"));
  const std::vector<NodeId> nodes = q.model.find_items(ends);
  std::vector<RankedPair> pairs;
  for (size_t i = 0; i + 1 < nodes.size(); i += 2) {
    const auto left = links.ends.left.row(nodes[i]), right = links.ends.right.row(nodes[i + 1]);
    float score = 0;
    for (size_t c = 0; c < left.size(); c++) score += left[c] * right[c];
    pairs.push_back({nodes[i], nodes[i + 1], score});
  }
  return json_response({{"model", q.model.name},
                        {"version", q.model.version},
                        {"pairs", pairs_json(q.model, pairs)}},
                       int64_t(pairs.size()));
}

Response answer_rank(const Query& q) {
  const ServedLinks& links = links_of(q.model);
  const NodeId node = q.model.find_item(text_field(q.body, "node"));
  const LinkOptions options = asked_options(q, node);
  const RankQuestion question = asked_question(q, options, node);
  const bool exclude_known = boolean_field(q.body, "exclude_known", true);
  const std::vector<RankedPair> pairs = rank_pairs(
      links.ends.left, links.ends.right, question,
      exclude_known ? q.model.dataset.graph : links.no_arcs, integer_field(q.body, "top", 20));
  return json_response({{"model", q.model.name},
                        {"version", q.model.version},
                        {"node", q.model.item_name(node)},
                        {"candidates", std::max(question.sources.size(), question.targets.size())},
                        {"warnings", warnings_json(q.model, options)},
                        {"pairs", pairs_json(q.model, pairs)}},
                       int64_t(pairs.size()));
}

}  // namespace mgnn
