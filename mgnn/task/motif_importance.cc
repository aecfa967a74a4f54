#include "mgnn/task/motif_importance.h"

#include <numeric>

#include "mgnn/models/batch.h"
#include "mgnn/models/operators.h"
#include "mgnn/task/input_scale.h"
#include "mgnn/task/supervised.h"

namespace mgnn {
namespace {

constexpr int64_t kBatchSize = 128;  // of graphs; it does not change their outputs

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
  for (size_t i = 0; i < items.size(); i++) right += predicted[i] == dataset.label[items[i]];
  return double(right) / double(items.size());
}

}  // namespace

std::vector<MotifImportance> motif_importance(const Dataset& dataset, const Result& result) {
  const Repetition& best = result.runs[result.best];
  const std::vector<NodeId>& items = best.split.validation;
  if (items.empty() || !best.others.empty()) return {};  // it is of one network
  Batch batch = whole_batch(dataset, *result.model);
  if (batch.operators.motifs.set.empty()) return {};
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
  std::vector<MotifImportance> importances;
  for (const int motif : batch.operators.motifs.set.numbers()) {
    const ScopedMotifRemoval removal(batch.operators, motif);
    const std::vector<int32_t> without = predicted();
    MotifImportance importance{motif, share_right(without, dataset, items)};
    importance.drop = accuracy - importance.accuracy;
    for (size_t i = 0; i < items.size(); i++) importance.changed += without[i] != with_all[i];
    importances.push_back(importance);
  }
  return importances;
}

}  // namespace mgnn
