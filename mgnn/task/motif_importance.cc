#include "mgnn/task/motif_importance.h"

#include <numeric>

#include "mgnn/models/batch.h"
#include "mgnn/motif/motifs.h"
#include "mgnn/task/input_scale.h"
#include "mgnn/task/supervised.h"

namespace mgnn {
namespace {

constexpr int64_t kBatchSize = 128;  // of graphs; it does not change their outputs

// What of the operators of MGNN belongs to its motif k (from 0), without it; see models/mgnn.cc.
class Silenced {
 public:
  Silenced(Operators& operators, size_t k) : operators_(operators), k_(k) {
    if (!operators.values.empty())
      swap_column();
    else if (!operators.maps.empty())
      std::swap(operators.maps[0].index[k], index_);
    else
      std::swap(operators.fixed[1 + k], replaced_ = without_values(operators.fixed[1 + k]));
  }
  ~Silenced() {
    if (!operators_.values.empty())
      swap_column();
    else if (!operators_.maps.empty())
      std::swap(operators_.maps[0].index[k_], index_);
    else
      std::swap(operators_.fixed[1 + k_], replaced_);
  }
  Silenced(const Silenced&) = delete;
  Silenced& operator=(const Silenced&) = delete;

 private:
  static Operator without_values(Operator one) {
    std::fill(one.value.begin(), one.value.end(), 0.f);
    std::fill(one.transposed_value.begin(), one.transposed_value.end(), 0.f);
    return one;
  }
  void swap_column() {
    Array<float>& value = operators_.values[0];
    const size_t motifs = operators_.maps[0].index.size();
    column_.resize(value.size() / motifs, 0.f);
    for (size_t e = 0; e < column_.size(); e++) std::swap(column_[e], value[e * motifs + k_]);
  }

  Operators& operators_;
  const size_t k_;
  int32_t index_ = -1;
  Operator replaced_;
  std::vector<float> column_;
};

std::vector<int32_t> classes_of(const Matrix& logits) {
  std::vector<int32_t> found;
  for (int64_t r = 0; r < logits.rows; r++) found.push_back(best_class(logits.row(r)));
  return found;
}

Matrix rows_of(const Matrix& all, std::span<const NodeId> rows) {
  Matrix part(int64_t(rows.size()), all.cols);
  for (size_t r = 0; r < rows.size(); r++)
    std::copy_n(all.row(rows[r]).data(), all.cols, part.row(int64_t(r)).data());
  return part;
}

double share_right(const std::vector<int32_t>& predicted, const Dataset& dataset,
                   std::span<const NodeId> items) {
  int64_t right = 0;
  for (size_t i = 0; i < items.size(); i++)
    right += predicted[i] == dataset.label[size_t(items[i])];
  return double(right) / double(items.size());
}

MotifSet motifs_of(Model& network) {
  for (const Option& one : network.options())
    if (one.name == "motifs") {
      const std::string text = text_of(one.get());
      return text == "none" ? MotifSet() : parse_motifs(text);
    }
  return {};
}

}  // namespace

std::vector<MotifImportance> motif_importance(const Dataset& dataset, const Result& result) {
  const Repetition& best = result.runs[result.best];
  const std::vector<NodeId>& items = best.split.validation;
  if (items.empty()) return {};
  Batch batch = whole_batch(dataset, *result.model);
  Parameters weights = best.state.weights;
  if (auto* dense = std::get_if<Matrix>(&batch.x); dense && !dataset.is_set())
    rescale(*dense, scale_in(weights));
  const auto predicted = [&] {
    if (dataset.is_set())
      return classes_of(graph_outputs(*result.model, weights, batch, items, kBatchSize).output);
    std::vector<int32_t> found;
    evaluate(*result.model, weights, batch, [&](const Output<float>& out) {
      found = classes_of(rows_of(copied(out.out), items));
    });
    return found;
  };
  const std::vector<int32_t> with_all = predicted();
  const double accuracy = share_right(with_all, dataset, items);
  std::vector<MotifImportance> found;
  for (const int motif : motifs_of(*std::const_pointer_cast<Model>(result.model)).numbers()) {
    const Silenced silenced(batch.operators, found.size());
    const std::vector<int32_t> without = predicted();
    MotifImportance one{motif, share_right(without, dataset, items)};
    one.drop = accuracy - one.accuracy;
    for (size_t i = 0; i < items.size(); i++) one.changed += without[i] != with_all[i];
    found.push_back(one);
  }
  return found;
}

}  // namespace mgnn
