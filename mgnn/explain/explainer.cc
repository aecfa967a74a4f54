#include "mgnn/explain/explainer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mgnn/data/edges.h"
#include "mgnn/data/nodes_by_name.h"
#include "mgnn/explain/explanation_text.h"
#include "mgnn/task/input_scale.h"
#include "mgnn/task/link_prediction.h"
#include "mgnn/task/rank_pairs.h"
#include "mgnn/task/tasks.h"
#include "mgnn/task/training.h"

namespace mgnn {
namespace {

// What decides which instances a matrix counts, where the network has such options.
InstanceOptions instance_options(Model& network, const Dataset& data) {
  InstanceOptions result;
  const Options options = network.options();
  const auto set = [&](const char* name, const Option& to) {
    for (const Option& option : options)
      if (option.name == name) to.set(option.get());
  };
  set("counting", choice("counting", result.counting, ""));
  set("entry", choice("entry", result.entry, ""));
  set("motif_weights", choice("motif_weights", result.weights, ""));
  result.arc_weight = data.arc_weight;
  return result;
}

// As a set of one: sparse features as they were made for the batch.
Features features_in(const Batch& batch) {
  if (const auto* sparse = std::get_if<SparseFeatures>(&batch.x))
    return SparseMatrix{sparse->pattern, sparse->value};
  return std::get<Matrix>(batch.x);
}

std::vector<NodeId> nodes_of_graph(const Dataset& data, NodeId graph) {
  std::vector<NodeId> nodes(
      size_t(data.graph_start[size_t(graph) + 1] - data.graph_start[size_t(graph)]));
  std::iota(nodes.begin(), nodes.end(), data.graph_start[size_t(graph)]);
  return nodes;
}

bool has_probabilities(const TrainedModel& model) { return !model.class_names.empty(); }

bool has_label_sets(const TrainedModel& model) {
  return model.config->task_name.ends_with("multilabel");
}

}  // namespace

Explainer::Explainer(const TrainedModel& model, const Dataset& dataset)
    : model_(model), dataset_(dataset) {
  check_one_network(model, "an explanation");
  if (model.config->task().predicts_pairs())
    load_links();
  else if (model.shape.level == Level::graph)
    load_graphs();
  else
    load_nodes();
  if (subject_ != Subject::pair) model.config->task().answers(model, Matrix(0, outputs_.cols));
  instances_ = instance_options(*model.config->network, seen_);
  for (const Option& option : model.config->network->options())
    if (const Value value = option.get(); option.name == "layers")
      if (const auto* layers = std::get_if<std::vector<int64_t>>(&value))
        num_layers_ = int(layers->size());
}

void Explainer::load_nodes() {
  if (dataset_.is_set())
    fail_data("{}: is a set of graphs, but the model was trained on nodes", dataset_.name);
  seen_ = rescaled(aligned_to(model_, dataset_), scale_in(model_.weights));
  batch_ = whole_batch(seen_, *model_.model);
  Parameters weights = model_.weights;
  evaluate(*model_.model, weights, batch_,
           [&](const Output<float>& output) { outputs_ = copied(output.out); });
}

void Explainer::load_links() {
  subject_ = Subject::pair;
  decoder_ = link_options_of(*model_.config).decoder;
  LinkData data = training_data(model_, dataset_);
  seen_ = arcs_of_part(with_trained_arcs(model_, dataset_), data.split.graph);
  seen_.features = features_in(data.batch);
  batch_ = std::move(data.batch);
  Parameters weights = model_.weights;
  evaluate(*model_.model, weights, batch_,
           [&](const Output<float>& output) { outputs_ = copied(output.out); });
}

void Explainer::load_graphs() {
  subject_ = Subject::graph;
  if (!dataset_.is_set())
    fail_data("{}: is one graph, but the model was trained on a set of graphs", dataset_.name);
  seen_ = rescaled(aligned_to(model_, dataset_), scale_in(model_.weights));
  outputs_ = model_.config->task().predict(const_cast<TrainedModel&>(model_), dataset_).output;
}

int64_t Explainer::num_items() const {
  return subject_ == Subject::graph ? dataset_.num_graphs() : dataset_.graph.num_nodes();
}

std::string Explainer::item_name(int64_t item) const {
  return subject_ == Subject::graph ? dataset_.graph_ids.name(NodeId(item))
                                    : dataset_.ids.name(NodeId(item));
}

NodeId Explainer::find(const NodeIds& ids, NodeId count, const std::string& name,
                       const char* what) const {
  const NodeId at = NodesByName(ids, count).find(name);
  if (at >= 0) return at;
  std::vector<std::string> names;
  for (NodeId v = 0; v < count; v++) names.push_back(ids.name(v));
  fail_usage(
      "{}: there is no {} {}; {}", dataset_.name, what, in_quotes(name),
      did_you_mean(name, names, names.empty() ? "" : "give it as the data do: " + names.front()));
}

int32_t Explainer::column_of(const Question& question, std::span<const float> output) const {
  if (question.class_name.empty()) return best_class(output);
  const auto& names = model_.class_names;
  if (names.empty())
    fail_usage("class {}: {} predicts {}, not classes", in_quotes(question.class_name), model_.path,
               subject_ == Subject::pair ? "pairs" : "numbers");
  const auto at = std::find(names.begin(), names.end(), question.class_name);
  if (at == names.end())
    fail_usage("there is no class {}; {}", in_quotes(question.class_name),
               did_you_mean(question.class_name, names,
                            fmt::format("the classes are {}", fmt::join(names, ", "))));
  return int32_t(at - names.begin());
}

std::optional<double> Explainer::probability_of(std::span<const float> output,
                                                int32_t column) const {
  if (subject_ == Subject::pair) return calibration_of(model_).probability(double(output[0]));
  if (!has_probabilities(model_)) return {};
  Matrix row(1, int64_t(output.size()));
  std::copy(output.begin(), output.end(), row.data.begin());
  return double(model_.config->task().answers(model_, row)(0, column));
}

std::string Explainer::answer_text(std::span<const float> output) const {
  if (subject_ == Subject::pair) return "";
  if (!has_probabilities(model_)) {
    Matrix row(1, int64_t(output.size()));
    std::copy(output.begin(), output.end(), row.data.begin());
    return fmt::format("{:.5g}", model_.config->task().answers(model_, row)(0, 0));
  }
  if (!has_label_sets(model_)) return model_.class_names[size_t(best_class(output))];
  std::string text;
  for (size_t c = 0; c < output.size(); c++)
    if (output[c] > 0) text += (text.empty() ? "" : ", ") + model_.class_names[c];
  return text.empty() ? "none" : text;
}

Explainer::Asked Explainer::asked(const Question& question) const {
  if (question.subject != subject_)
    fail_usage("{}: was trained for {}; ask it about a {}, not a {}", model_.path,
               model_.config->entry().title, name_of(subject_), name_of(question.subject));
  Asked result;
  Explanation& to = result.begun;
  to.subject = subject_;
  result.number.subject = subject_;
  const NodeId n = dataset_.graph.num_nodes();
  if (subject_ == Subject::pair) {
    to.nodes = {find(dataset_.ids, n, question.first, "node"),
                find(dataset_.ids, n, question.second, "node")};
    if (to.nodes[0] == to.nodes[1])
      fail_usage("{}: a pair has two different nodes", in_quotes(question.first));
    result.number = {subject_, to.nodes[0], to.nodes[1], 0, decoder_};
    column_of(question, std::span<const float>(outputs_.data).first(1));
    NodePairs pairs;
    pairs.push_back({to.nodes[0], to.nodes[1]});
    result.answer.output = pair_scores(outputs_, decoder_, pairs);
    to.explained = "score";
  } else {
    const bool graphs = subject_ == Subject::graph;
    const NodeId item =
        graphs ? find(dataset_.graph_ids, dataset_.num_graphs(), question.first, "graph")
               : find(dataset_.ids, n, question.first, "node");
    if (graphs)
      to.graph = item;
    else
      to.nodes = {item};
    const std::span<const float> output = outputs_.row(item);
    result.answer.output.assign(output.begin(), output.end());
    result.answer.column = result.number.column = column_of(question, output);
    result.number.row = graphs ? 0 : item;
    to.explained =
        has_probabilities(model_) ? model_.class_names[size_t(result.answer.column)] : "value";
  }
  to.answer = answer_text(result.answer.output);
  to.score = result.answer.score = double(result.answer.output[size_t(result.answer.column)]);
  to.probability = result.answer.probability =
      probability_of(result.answer.output, result.answer.column);
  return result;
}

Explainer::Surroundings Explainer::graph_of(const Asked& asked) const {
  if (subject_ != Subject::graph) return {.data = &seen_, .number = asked.number};
  Surroundings around{.number = asked.number};
  around.nodes = nodes_of_graph(seen_, asked.begun.graph);
  around.own = part_of(seen_, around.nodes, true);
  return around;
}

Attribution Explainer::attribution_of(const Asked& asked, const Surroundings& around) const {
  Parameters weights = model_.weights;
  if (around.data) return attribute(*model_.model, weights, batch_, asked.number);
  return attribute(*model_.model, weights, whole_batch(around.own, *model_.model), asked.number);
}

void Explainer::put_shares(const Attribution& attribution, Explanation& to) const {
  to.kind = attribution.kind;
  to.bias = attribution.bias;
  double sum = attribution.bias;
  for (size_t g = 0; g < attribution.groups.size() && !attribution.motif.empty(); g++) {
    MotifShare share{.motifs = attribution.groups[g], .absent = attribution.absent[g] != 0};
    for (const int motif : share.motifs) {
      const auto at = std::find(attribution.motifs.begin(), attribution.motifs.end(), motif);
      share.part.push_back(attribution.motif[size_t(at - attribution.motifs.begin())]);
      share.share += share.part.back();
    }
    sum += share.share;
    to.motifs.push_back(std::move(share));
  }
  if (to.kind != ShareKind::none) to.rest = attribution.score - sum;
  to.score = attribution.score;
}

namespace {

template <class T>
void cut(std::vector<T>& list, int64_t top) {
  std::stable_sort(list.begin(), list.end(),
                   [](const T& a, const T& b) { return std::abs(a.share) > std::abs(b.share); });
  if (top > 0 && int64_t(list.size()) > top) list.resize(size_t(top));
}

// Everything that a node sends, through whatever matrix.
std::vector<NeighbourShare> neighbour_shares(const Attribution& attribution) {
  std::vector<EntryShare> entries = attribution.entries;
  std::stable_sort(entries.begin(), entries.end(),
                   [](const EntryShare& a, const EntryShare& b) { return a.from < b.from; });
  std::vector<NeighbourShare> result;
  std::vector<double> by_group(attribution.groups.size());
  for (size_t i = 0; i < entries.size();) {
    NeighbourShare neighbour{.node = entries[i].from};
    std::fill(by_group.begin(), by_group.end(), 0.);
    for (; i < entries.size() && entries[i].from == neighbour.node; i++) {
      neighbour.share += entries[i].share;
      if (entries[i].group < 0)
        neighbour.messages += entries[i].share;
      else
        by_group[size_t(entries[i].group)] += entries[i].share;
    }
    const auto strongest =
        std::max_element(by_group.begin(), by_group.end(),
                         [](double a, double b) { return std::abs(a) < std::abs(b); });
    if (strongest != by_group.end() && *strongest != 0)
      neighbour.strongest = attribution.groups[size_t(strongest - by_group.begin())];
    result.push_back(std::move(neighbour));
  }
  return result;
}

}  // namespace

void Explainer::put_lists(const Attribution& attribution, const Spread& spread,
                          const Surroundings& around, int64_t top, Explanation& to) const {
  to.neighbours = neighbour_shares(attribution);
  for (NeighbourShare& neighbour : to.neighbours) neighbour.node = around.name_of(neighbour.node);
  if (subject_ != Subject::graph)
    std::erase_if(to.neighbours, [&](const NeighbourShare& neighbour) {
      return std::find(to.nodes.begin(), to.nodes.end(), neighbour.node) != to.nodes.end();
    });
  cut(to.neighbours, top);
  to.instances = spread.instances;
  cut(to.instances, top);
  for (InstanceShare& instance : to.instances)
    for (NodeId& v : instance.nodes) v = around.name_of(v);
  for (size_t f = 0; f < attribution.feature.size(); f++) {
    const double share = attribution.feature[f];
    if (share == 0) continue;
    const bool named = f < dataset_.feature_names.size();
    const bool identity =
        !named && int64_t(attribution.feature.size()) == seen_.graph.num_nodes() &&
        subject_ != Subject::graph && std::holds_alternative<SparseMatrix>(seen_.features);
    to.features.push_back({named      ? dataset_.feature_names[f]
                           : identity ? "is " + dataset_.ids.name(NodeId(f))
                                      : fmt::format("feature {}", f),
                           share});
  }
  cut(to.features, top);
  if (spread.spread < spread.entries && instances_.counting != Counting::published)
    to.remarks.push_back(
        fmt::format("instances are those of the {} pairs with the largest shares, of {}; the "
                    "shares of the others stay "
                    "with their pairs",
                    spread.spread, spread.entries));
  if (instances_.counting == Counting::published && !attribution.groups.empty())
    to.remarks.push_back(
        "there are no instances: what counting published counts are not sets of three nodes");
}

Explanation Explainer::motif_shares(const Question& question) const {
  Asked asked = this->asked(question);
  const Surroundings around = graph_of(asked);
  put_shares(attribution_of(asked, around), asked.begun);
  return asked.begun;
}

Spread Explainer::arc_scores(const Question& question, SpreadOver over) const {
  const Asked asked = this->asked(question);
  const Surroundings around = graph_of(asked);
  const Dataset& data = around.data ? *around.data : around.own;
  Spread spread = spread_over_arcs(attribution_of(asked, around), data.graph, instances_, over);
  for (ArcShare& arc : spread.arcs)
    arc.from = around.name_of(arc.from), arc.to = around.name_of(arc.to);
  for (InstanceShare& instance : spread.instances)
    for (NodeId& v : instance.nodes) v = around.name_of(v);
  return spread;
}

// What follows from counting anew, in the numbers of the part that is counted.
void Explainer::put_recounts(Asked& asked, const Spread& spread,
                             const ExplainOptions& options) const {
  const Surroundings around = recount_of(asked);
  std::vector<ArcShare> arcs = spread.arcs;
  if (subject_ != Subject::graph && !around.nodes.empty()) {
    const auto place = [&](NodeId v) {
      const auto at = std::lower_bound(around.nodes.begin(), around.nodes.end(), v);
      return NodeId(at - around.nodes.begin());
    };
    std::erase_if(arcs, [&](const ArcShare& arc) {
      return !std::binary_search(around.nodes.begin(), around.nodes.end(), arc.from) ||
             !std::binary_search(around.nodes.begin(), around.nodes.end(), arc.to);
    });
    for (ArcShare& arc : arcs) arc.from = place(arc.from), arc.to = place(arc.to);
  }
  std::stable_sort(arcs.begin(), arcs.end(),
                   [](const ArcShare& a, const ArcShare& b) { return a.share > b.share; });
  if (options.fidelity) put_fidelity(asked, around, arcs, options, asked.begun);
  if (options.counterfactual) put_counterfactual(asked, around, arcs, options, asked.begun);
  if (model_.facts.contains("features_from") &&
      model_.facts.at("features_from").starts_with("degrees and motif counts"))
    asked.begun.remarks.push_back(
        "where arcs are removed, matrices are counted anew, but features made of degrees and motif "
        "counts stay");
}

namespace {

bool have_one_of(const std::vector<int>& group, const std::vector<int>& motifs) {
  return std::any_of(group.begin(), group.end(), [&](int motif) {
    return std::find(motifs.begin(), motifs.end(), motif) != motifs.end();
  });
}

// Of the entries, those of the chosen motifs' matrices.
void keep_motifs(const std::vector<int>& motifs, Attribution& attribution, Explanation& to) {
  if (motifs.empty()) return;
  for (const int motif : motifs)
    if (std::none_of(attribution.groups.begin(), attribution.groups.end(),
                     [=](const auto& group) { return have_one_of(group, {motif}); }))
      fail_usage("the network has no motif M{}", motif);
  std::erase_if(attribution.entries, [&](const EntryShare& entry) {
    return entry.group < 0 || !have_one_of(attribution.groups[size_t(entry.group)], motifs);
  });
  to.remarks.push_back(fmt::format("neighbours, instances and arcs are of the matrices of {} alone",
                                   motifs_text(motifs)));
}

}  // namespace

Explanation Explainer::explain(const Question& question, const ExplainOptions& options) const {
  Asked asked = this->asked(question);
  Explanation& to = asked.begun;
  const Surroundings around = graph_of(asked);
  const Dataset& data = around.data ? *around.data : around.own;
  Attribution attribution = attribution_of(asked, around);
  put_shares(attribution, to);
  keep_motifs(options.motifs, attribution, to);
  const Spread spread = spread_over_arcs(attribution, data.graph, instances_);
  put_lists(attribution, spread, around, options.top, to);
  to.arcs = spread.arcs;
  cut(to.arcs, options.picture_arcs);
  for (ArcShare& arc : to.arcs)
    arc.from = around.name_of(arc.from), arc.to = around.name_of(arc.to);
  if (options.fidelity || options.counterfactual) put_recounts(asked, spread, options);
  if (attribution.entries.empty() && options.motifs.empty())
    to.remarks.push_back(
        fmt::format("{} does not multiply by matrices of the graph, so there are no shares of "
                    "neighbours and arcs; "
                    "those of features are gradient x input",
                    model_.config->model));
  return to;
}

}  // namespace mgnn
