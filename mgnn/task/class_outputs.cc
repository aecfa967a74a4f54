#include "mgnn/task/class_outputs.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "mgnn/models/operators.h"

namespace mgnn {
namespace {

constexpr const char* kStrength = "smooth";
constexpr const char* kNetworkTemperature = "network_temperature";  // before smoothing
constexpr int kMaxRounds = 50;
constexpr double kPrecision = 1e-3;  // what later rounds would change
constexpr float kMinProbability = 1e-12f;

std::string temperature_name(int64_t member) {
  return fmt::format("member_{}_temperature", member + 1);
}

void add_logarithms(Matrix& probability) {
  for (float& p : probability.data) p = std::log(std::max(p, kMinProbability));
}

// softmax of a mixture needs no division: rows of probabilities sum to 1
Matrix network_probability(const Matrix& output, const Numbers& fitted) {
  const auto own = fitted.find(kNetworkTemperature);
  return softmax_rows(output, own == fitted.end() ? fitted.at("temperature") : own->second);
}

int rounds_of(double strength) {
  if (strength <= 0) return 0;
  return std::clamp(int(std::ceil(std::log(kPrecision) / std::log(strength))), 1, kMaxRounds);
}

void put_known(const KnownClasses& known, Matrix& p) {
  for (const NodeId v : known.nodes) {
    const std::span<float> row = p.row(v);
    std::fill(row.begin(), row.end(), 0.f);
    row[size_t(known.label[v])] = 1;
  }
}

double accuracy_of(const Matrix& p, const KnownClasses& known, std::span<const NodeId> rows) {
  int64_t right = 0;
  for (const NodeId v : rows) right += best_class(p.row(v)) == known.label[v];
  return rows.empty() ? 0 : double(right) / double(rows.size());
}

// `neighbours`: in both directions.
Matrix smoothed_over(const Matrix& start, const Csr& neighbours, const KnownClasses& known,
                     double strength) {
  Matrix now = start, next(start.rows, start.cols);
  put_known(known, now);
  for (int round = 0; round < rounds_of(strength); round++) {
    for (NodeId v = 0; v < NodeId(start.rows); v++) {
      const std::span<const NodeId> row = neighbours.row(v);
      const std::span<float> to = next.row(v);
      const std::span<const float> own = start.row(v);
      std::fill(to.begin(), to.end(), 0.f);
      for (const NodeId u : row)
        for (size_t c = 0; c < to.size(); c++) to[c] += now.row(u)[c];
      const float share = row.empty() ? 0.f : float(strength / double(row.size()));
      const float rest = row.empty() ? 1.f : float(1 - strength);
      for (size_t c = 0; c < to.size(); c++) to[c] = rest * own[c] + share * to[c];
    }
    put_known(known, next);
    std::swap(now, next);
  }
  for (const NodeId v : known.nodes)
    std::copy_n(start.row(v).data(), start.cols, now.row(v).data());
  return now;
}

Csr neighbours_of(const Graph& graph) { return message_graph(graph, Direction::both).out; }

}  // namespace

void put_temperature(int64_t member, double temperature, Numbers& fitted) {
  fitted[temperature_name(member)] = temperature;
}

Matrix mean_of_members(std::span<const Matrix> outputs, const Numbers& fitted) {
  Matrix sum(outputs[0].rows, outputs[0].cols);
  for (size_t m = 0; m < outputs.size(); m++) {
    const Matrix p = softmax_rows(outputs[m], fitted.at(temperature_name(int64_t(m))));
    for (size_t i = 0; i < sum.data.size(); i++) sum.data[i] += p.data[i];
  }
  for (float& p : sum.data) p /= float(outputs.size());
  add_logarithms(sum);
  return sum;
}

Option smoothing_option(Smoothing& smoothing) {
  const auto write = [](const Smoothing& s) {
    return s.automatic ? std::string("auto") : text_of(Value(s.strength));
  };
  const auto read = [](const std::string& text) -> Smoothing {
    if (text == "auto") return {.automatic = true};
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value >= 0) || value >= 1)
      fail_usage("smooth is {}; use auto or a number with 0 <= smooth < 1", in_quotes(text));
    return {.strength = value};
  };
  return text_option("smooth", smoothing, "auto|X", write, read,
                     "smooth predictions over edges, with the classes of training nodes held "
                     "fixed: 0 (not at all) to below 1, or auto: what is best on validation nodes");
}

Matrix smoothed_probabilities(const Matrix& probability, const Graph& graph,
                              const KnownClasses& known, double strength) {
  return smoothed_over(probability, neighbours_of(graph), known, strength);
}

double best_smoothing(const Matrix& probability, const Graph& graph, const KnownClasses& known,
                      std::span<const NodeId> validation) {
  const Csr neighbours = neighbours_of(graph);
  double best = 0, best_accuracy = accuracy_of(probability, known, validation);
  for (int tenths = 1; tenths <= 9; tenths++) {
    const double strength = tenths / 10.;
    const double accuracy =
        accuracy_of(smoothed_over(probability, neighbours, known, strength), known, validation);
    if (accuracy > best_accuracy) best = strength, best_accuracy = accuracy;
  }
  return best;
}

bool is_smoothed(const Numbers& fitted) {
  const auto strength = fitted.find(kStrength);
  return strength != fitted.end() && strength->second > 0;
}

Matrix smoothed_output(Matrix output, const Graph& graph, const KnownClasses& known,
                       std::span<const NodeId> validation, const Smoothing& smoothing,
                       Numbers& fitted) {
  const Matrix probability = network_probability(output, fitted);
  fitted[kStrength] = smoothing.automatic ? best_smoothing(probability, graph, known, validation)
                                          : smoothing.strength;
  if (!is_smoothed(fitted)) return output;
  fitted[kNetworkTemperature] = fitted.at("temperature");
  return smoothed_output(std::move(output), graph, &known, fitted);
}

Matrix smoothed_output(Matrix output, const Graph& graph, const KnownClasses* known,
                       const Numbers& fitted) {
  if (!is_smoothed(fitted)) return output;
  Matrix p = network_probability(output, fitted);
  if (known) p = smoothed_probabilities(p, graph, *known, fitted.at(kStrength));
  add_logarithms(p);
  if (known) return p;
  const auto temperature = float(fitted.at("temperature"));
  for (float& value : p.data) value *= temperature;
  return p;
}

}  // namespace mgnn
