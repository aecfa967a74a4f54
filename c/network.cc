// Networks on the caller's tensors. Values of x and their gradients stay where the caller has them;
// weights, which are few, are copied to and fro.

#include <algorithm>
#include <cmath>
#include <limits>

#include "c/handles.h"
#include "c/options_json.h"
#include "mgnn/models/operators.h"

namespace mgnn::c {
namespace {

struct Network {
  std::string name;
  std::unique_ptr<Model> model;  // built
  Shape shape;
  Parameters weights;          // initial
  int64_t representation = 0;  // columns
};

std::unique_ptr<Model> copy_of(const Network& network) {
  std::unique_ptr<Model> copy = find_method(network.name).make();
  copy_values(network.model->options(), copy->options());
  return copy;
}

void set_options(Model& model, const char* settings) {
  constexpr std::string_view kPrefix = "model.";
  for (Setting& setting : settings_of(settings)) {
    if (setting.name.starts_with(kPrefix)) setting.name.erase(0, kPrefix.size());
    set_option(model.options(), setting);
  }
}

Operators operators_of(const Network& network, const GraphView& view, Direction direction) {
  return with_direction(copy_of(network), direction)->operators(view);
}

// Found by a pass over a small graph.
int64_t representation_columns(Network& network) {
  const Graph cycle = make_graph(4, {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 0}});
  Batch batch{.num_nodes = 4, .x = Matrix(4, network.shape.in), .operators = {}};
  batch.operators = operators_of(network, cycle, Direction::in);
  batch.graph_start = {0, 4};
  Tape<float> tape;
  tape.start_evaluation();
  Step<float> step(tape, network.weights, batch);
  return network.model->forward(step).representation.cols;
}

Network new_network_of(const mgnn_network_options& asked) {
  Network network{.name = text_of(asked.name, "mgnn"), .model = {}, .shape = {}, .weights = {}};
  const Method& method = find_method(network.name);
  const Level level = asked.per_graph ? Level::graph : Level::node;
  constexpr int64_t kMaxColumns = std::numeric_limits<int32_t>::max();
  check(asked.in > 0 && asked.in <= kMaxColumns && asked.out >= 0 && asked.out <= kMaxColumns,
        "a network from {} to {} columns", asked.in, asked.out);
  check(asked.out > 0 || (network.name == "mgnn" && level == Level::node),
        "out is 0, but only mgnn for nodes has no output layer");
  check(method.supports(level), "{} has no output for {}s", network.name, name_of(level));
  network.model = method.make();
  set_options(*network.model, asked.settings);
  network.shape = {.in = asked.in, .out = asked.out, .level = level};
  Rng rng(asked.seed);
  network.model->build(network.shape, network.weights, rng);
  network.representation = representation_columns(network);
  return network;
}

mgnn_weight_info info_of(const Parameters& weights, int64_t i) {
  check(i >= 0 && i < std::ssize(weights.all), "weight {} of {}", i, weights.all.size());
  const NamedParameter& p = weights.all[size_t(i)];
  return {.size = 0,
          .name = p.name.c_str(),
          .rows = p.rows,
          .cols = p.cols,
          .values = weights.value_of(p),
          .learns = p.learns};
}

void check_weights(const Network& network, std::span<const float> weight) {
  const ArcWeights kind = network.model->arc_weights();
  if (weight.empty()) return;
  check(kind != ArcWeights::unused, "{} does not use weights of arcs with these settings",
        network.name);
  for (size_t e = 0; e < weight.size(); e++)
    check(std::isfinite(weight[e]) && (kind == ArcWeights::finite || weight[e] >= 0) &&
              (kind != ArcWeights::positive || weight[e] > 0),
          "the weight of arc {} is {}, which {} cannot use", e, weight[e], network.name);
}

// The caller's weights into the flat array.
void take_weights(const float* const* given, Parameters& weights) {
  needed(given, "weights");
  for (size_t i = 0; i < weights.all.size(); i++)
    if (weights.all[i].size() > 0)
      std::copy_n(&needed(given[i], "weights"), weights.all[i].size(),
                  weights.value_of(weights.all[i]));
}

void give_matrix(const Var<float>& from, float* to) {
  if (to) std::copy_n(from.value, from.size(), to);
}

}  // namespace
}  // namespace mgnn::c

struct mgnn_network {
  std::shared_ptr<const mgnn::c::Network> network;
};
struct mgnn_operators {
  std::shared_ptr<const mgnn::Batch> batch;  // without features
};
struct mgnn_sparse {
  std::shared_ptr<const mgnn::SparseFeatures> features;
};

// What a backward pass needs of the forward pass before it.
struct mgnn_pass {
  std::shared_ptr<const mgnn::c::Network> network;
  mgnn::Parameters weights;
  mgnn::Tape<float> tape = mgnn::Tape<float>(0);
  std::shared_ptr<const mgnn::Batch> batch = {};
  std::shared_ptr<const mgnn::SparseFeatures> sparse = {};
  std::unique_ptr<mgnn::Step<float>> step = {};
  mgnn::Output<float> output = {};
  mgnn::Var<float> x = {};  // where it learns
  bool is_ready = false;    // for backward
};

namespace mgnn::c {
namespace {

void set_input(mgnn_pass& pass, const mgnn_operators& operators, const mgnn_sparse* sparse,
               const mgnn_forward& f) {
  const Shape& shape = pass.network->shape;
  check(f.rows == operators.batch->num_nodes && f.cols == shape.in,
        "x ({}, {}) for {} nodes and {} columns", f.rows, f.cols, operators.batch->num_nodes,
        shape.in);
  check(!f.x != !sparse, "x is to be dense or sparse, one of the two");
  pass.x = {};
  pass.sparse = {};
  if (sparse) {
    check(!f.x_learns, "the gradient of sparse features is not computed");
    pass.sparse = sparse->features;
    check(pass.sparse->pattern.rows == f.rows && pass.sparse->pattern.cols == f.cols,
          "sparse features ({}, {}) for x ({}, {})", pass.sparse->pattern.rows,
          pass.sparse->pattern.cols, f.rows, f.cols);
    pass.step->sparse_input = pass.sparse.get();
    return;
  }
  float later = 0;  // where its gradient goes is known when it is made
  pass.step->input = pass.tape.input(f.rows, f.cols, f.x, f.x_learns ? &later : nullptr);
  if (!pass.step->input.learns()) return;
  pass.x = pass.step->input;
  pass.x.gradient->at = nullptr;
}

void run_forward(mgnn_pass& pass, const mgnn_operators& operators, const mgnn_forward& f) {
  pass.is_ready = false;
  pass.step.reset();
  take_weights(f.weights, pass.weights);
  pass.batch = operators.batch;
  pass.tape.set_seed(f.seed);
  pass.tape.start_training(f.step);
  pass.tape.set_training(f.training != 0);
  pass.tape.set_recording(f.keeps_gradient != 0);
  pass.step = std::make_unique<Step<float>>(pass.tape, pass.weights, *pass.batch);
  set_input(pass, operators, f.sparse, f);
  pass.output = pass.network->model->forward(*pass.step);
  check_interrupted();
  check(!f.out || pass.output.out.tape, "the network has no output, only a representation");
  if (f.out) give_matrix(pass.output.out, f.out);
  give_matrix(pass.output.representation, f.representation);
  const auto& all = pass.weights.all;
  for (size_t i = 0; f.training && f.statistics && i < all.size(); i++)
    if (!all[i].learns && f.statistics[i])
      std::copy_n(pass.weights.value_of(all[i]), all[i].size(), f.statistics[i]);
  pass.is_ready = f.keeps_gradient != 0;
}

void run_backward(mgnn_pass& pass, const mgnn_backward& b) {
  check(pass.is_ready, "backward needs a forward pass that keeps gradients, and each only once");
  check(!b.d_out || pass.output.out.tape, "the network has no output, only a representation");
  check(!b.d_x || pass.x.tape, "d_x: x does not learn in this pass");
  pass.is_ready = false;
  pass.weights.zero_grad();
  if (b.d_x) {
    std::fill_n(b.d_x, pass.x.size(), 0.f);
    pass.x.gradient->at = b.d_x;
  }
  const Tape<float>::Seed seeds[] = {{pass.output.out, b.d_out},
                                     {pass.output.representation, b.d_representation}};
  pass.tape.backward(seeds);
  check_interrupted();
  const auto& all = pass.weights.all;
  for (size_t i = 0; b.d_weights && i < all.size(); i++)
    if (b.d_weights[i]) std::copy_n(pass.weights.grad_of(all[i]), all[i].size(), b.d_weights[i]);
}

}  // namespace
}  // namespace mgnn::c

using namespace mgnn;
using namespace mgnn::c;

int mgnn_network_new(const mgnn_network_options* options, mgnn_network** network) {
  return guarded([&] {
    needed(network, "network");
    const auto asked = given(&needed(options, "options"), "mgnn_network_options");
    *network = new mgnn_network{std::make_shared<const Network>(new_network_of(asked))};
  });
}
void mgnn_network_free(mgnn_network* network) { delete network; }

int mgnn_network_num_weights(const mgnn_network* network, int64_t* count) {
  return guarded([&] {
    needed(count, "count") = std::ssize(needed(network, "network").network->weights.all);
  });
}

int mgnn_network_weight(const mgnn_network* network, int64_t i, mgnn_weight_info* info) {
  return guarded([&] {
    give(info_of(needed(network, "network").network->weights, i), info, "mgnn_weight_info");
  });
}

int mgnn_network_info(const mgnn_network* network, mgnn_buffer** json) {
  return guarded([&] {
    const Network& n = *needed(network, "network").network;
    Json blocks = Json::array();
    for (const MotifBlock& block : n.model->motif_blocks())
      blocks.push_back({{"motif", block.motif}, {"first", block.first}, {"count", block.count}});
    needed(json, "json") = new_buffer(Json{{"name", n.name},
                                           {"in", n.shape.in},
                                           {"out", n.shape.out},
                                           {"level", name_of(n.shape.level)},
                                           {"representation", n.representation},
                                           {"motif_blocks", blocks},
                                           {"options", json_of_options(copy_of(n)->options())}});
  });
}

int mgnn_operators_new(const mgnn_call* call, const mgnn_network* network, const mgnn_graph* graph,
                       const mgnn_operators_options* options, mgnn_operators** operators) {
  return in_call(call, [&] {
    needed(operators, "operators");
    const Network& n = *needed(network, "network").network;
    const Graph& g = graph_of(graph);
    const auto asked = given(options, "mgnn_operators_options");
    std::span<const float> weight;
    if (asked.arc_weight) weight = {asked.arc_weight, size_t(g.num_arcs())};
    check_weights(n, weight);
    Batch batch{.num_nodes = g.num_nodes(), .x = Matrix(), .operators = {}};
    batch.graph_start = {0, g.num_nodes()};
    if (asked.num_graphs > 0) {
      const auto start = graph_starts(asked.graph_start, asked.num_graphs, g.num_nodes());
      batch.graph_start.assign(start.begin(), start.end());
    }
    const auto direction = parse_name<Direction>("direction", text_of(asked.direction, "in"));
    batch.operators = operators_of(n, {g, weight}, direction);
    check_interrupted();
    *operators = new mgnn_operators{std::make_shared<const Batch>(std::move(batch))};
  });
}
void mgnn_operators_free(mgnn_operators* operators) { delete operators; }

int mgnn_operators_get(const mgnn_operators* operators, const char* name,
                       mgnn_operator_info* info) {
  return guarded([&] {
    const Operators& all = needed(operators, "operators").batch->operators;
    const std::string asked = &needed(name, "name");
    check(asked == "adjacency" || asked == "motifs", "operator {} is not adjacency or motifs",
          in_quotes(asked));
    const Operator& a = asked == "adjacency" ? all.adjacency : all.motifs.interleaved;
    give({.size = 0,
          .rows = a.pattern.rows,
          .cols = a.pattern.cols,
          .entries = a.pattern.nnz(),
          .count = a.count,
          .start = a.pattern.start.data(),
          .index = a.pattern.index.data(),
          .value = a.value.data()},
         info, "mgnn_operator_info");
  });
}

int mgnn_operators_map(const mgnn_operators* operators, int64_t* count, const int32_t** index,
                       const float** factor) {
  return guarded([&] {
    const BundleMap& map = needed(operators, "operators").batch->operators.motifs.map;
    needed(count, "count") = map.size();
    needed(index, "index") = map.index.data();
    needed(factor, "factor") = map.factor.data();
  });
}

int mgnn_sparse_new(const mgnn_call* call, int64_t rows, int64_t cols, const void* indptr,
                    int32_t indptr_type, const void* indices, int32_t indices_type,
                    const float* values, mgnn_sparse** sparse) {
  return in_call(call, [&] {
    needed(sparse, "sparse");
    SparseMatrix matrix{csr_of(rows, cols, indptr, indptr_type, indices, indices_type), {}};
    if (matrix.pattern.nnz() > 0)
      matrix.value.assign(&needed(values, "values"), values + matrix.pattern.nnz());
    *sparse = new mgnn_sparse{
        std::make_shared<const SparseFeatures>(make_sparse_features(std::move(matrix)))};
  });
}
void mgnn_sparse_free(mgnn_sparse* sparse) { delete sparse; }

int mgnn_pass_new(const mgnn_network* network, mgnn_pass** pass) {
  return guarded([&] {
    const auto& shared = needed(network, "network").network;
    needed(pass, "pass") = new mgnn_pass{.network = shared, .weights = shared->weights};
  });
}
void mgnn_pass_free(mgnn_pass* pass) { delete pass; }

int mgnn_pass_forward(const mgnn_call* call, mgnn_pass* pass, const mgnn_operators* operators,
                      const mgnn_forward* forward) {
  return in_call(call, [&] {
    run_forward(needed(pass, "pass"), needed(operators, "operators"),
                given(&needed(forward, "forward"), "mgnn_forward"));
  });
}

int mgnn_pass_backward(const mgnn_call* call, mgnn_pass* pass, const mgnn_backward* backward) {
  return in_call(call, [&] {
    run_backward(needed(pass, "pass"), given(&needed(backward, "backward"), "mgnn_backward"));
  });
}
