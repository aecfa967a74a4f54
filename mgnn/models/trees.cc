#include "mgnn/models/trees.h"

#include <fmt/format.h>

#include <new>

#include "mgnn/base/error.h"

#ifdef MGNN_XGBOOST
#include <xgboost/c_api.h>

#include "mgnn/base/loaded_library.h"
#endif

namespace mgnn {

#ifdef MGNN_XGBOOST

namespace {

const LoadedLibrary& libxgboost() {
  static const LoadedLibrary library("libxgboost.so.0", "libxgboost0");
  return library;
}

#define MGNN_FUNCTION(name) \
  decltype(::name)* const name = libxgboost().function<decltype(::name)>(#name)
struct TreeLibrary {
  MGNN_FUNCTION(XGBGetLastError);
  MGNN_FUNCTION(XGBoosterCreate);
  MGNN_FUNCTION(XGBoosterFree);
  MGNN_FUNCTION(XGBoosterPredictFromDMatrix);
  MGNN_FUNCTION(XGBoosterSetParam);
  MGNN_FUNCTION(XGBoosterUpdateOneIter);
  MGNN_FUNCTION(XGDMatrixCreateFromCSREx);
  MGNN_FUNCTION(XGDMatrixCreateFromDense);
  MGNN_FUNCTION(XGDMatrixFree);
  MGNN_FUNCTION(XGDMatrixSetFloatInfo);
  MGNN_FUNCTION(XGDMatrixSetInfoFromInterface);
  MGNN_FUNCTION(XGDMatrixSliceDMatrix);
};
#undef MGNN_FUNCTION

const TreeLibrary& xgboost() {
  static const TreeLibrary library;
  return library;
}

void checked(int status) {
  if (status == 0) return;
  const std::string_view reason = xgboost().XGBGetLastError();
  if (reason.find("bad_alloc") != reason.npos) throw std::bad_alloc();
  fail("XGBoost: {}", reason.substr(0, reason.find('\n')));  // a stack trace may follow
}

struct FreeMatrix {
  void operator()(void* handle) const { xgboost().XGDMatrixFree(handle); }
};
using Table = std::unique_ptr<void, FreeMatrix>;
struct FreeBooster {
  void operator()(void* handle) const { xgboost().XGBoosterFree(handle); }
};
using Booster = std::unique_ptr<void, FreeBooster>;

// The array interface that XGBoost reads.
std::string interface_of(const Matrix& m) {
  return fmt::format(R"({{"data": [{}, true], "shape": [{}, {}], "typestr": "<f4", "version": 3}})",
                     reinterpret_cast<uintptr_t>(m.data.data()), m.rows, m.cols);
}

Table table_of(const Matrix& x) {
  DMatrixHandle handle = nullptr;
  checked(xgboost().XGDMatrixCreateFromDense(interface_of(x).c_str(),
                                             R"({"missing": NaN, "nthread": 1})", &handle));
  return Table(handle);
}

Table table_of(const SparseFeatures& x) {
  const std::vector<size_t> start(x.pattern.start.begin(), x.pattern.start.end());
  const std::vector<unsigned> index(x.pattern.index.begin(), x.pattern.index.end());
  DMatrixHandle handle = nullptr;
  checked(xgboost().XGDMatrixCreateFromCSREx(start.data(), index.data(), x.value.data(),
                                             start.size(), index.size(), size_t(x.pattern.cols),
                                             &handle));
  return Table(handle);
}

Table rows_of(const Table& all, std::span<const NodeId> rows) {
  DMatrixHandle handle = nullptr;
  checked(xgboost().XGDMatrixSliceDMatrix(all.get(), rows.data(), rows.size(), &handle));
  return Table(handle);
}

using Settings = std::vector<std::pair<const char*, std::string>>;

Matrix fitted(const Table& train, const Table& all, const TreeOptions& options, Settings settings) {
  const DMatrixHandle tables[] = {train.get()};
  BoosterHandle handle = nullptr;
  checked(xgboost().XGBoosterCreate(tables, 1, &handle));
  const Booster booster(handle);
  settings.insert(settings.end(), {{"max_depth", fmt::format("{}", options.depth)},
                                   {"eta", fmt::format("{}", options.rate)},
                                   {"tree_method", "hist"},
                                   {"nthread", "1"},
                                   {"verbosity", "0"}});
  for (const auto& [name, value] : settings)
    checked(xgboost().XGBoosterSetParam(handle, name, value.c_str()));
  for (int64_t i = 0; i < options.rounds; i++)
    checked(xgboost().XGBoosterUpdateOneIter(handle, int(i), train.get()));
  const bst_ulong* shape = nullptr;
  bst_ulong dimensions = 0;
  const float* result = nullptr;
  checked(xgboost().XGBoosterPredictFromDMatrix(
      handle, all.get(),
      R"({"type": 0, "training": false, "iteration_begin": 0, "iteration_end": 0,
          "strict_shape": true})",
      &shape, &dimensions, &result));
  Matrix predictions(int64_t(shape[0]), dimensions > 1 ? int64_t(shape[1]) : 1);
  std::copy_n(result, predictions.data.size(), predictions.data.begin());
  return predictions;
}

}  // namespace

struct Trees::Tables {
  Table all, train;
};

bool has_trees() { return libxgboost().is_there(); }

Trees::Trees(const std::variant<Matrix, SparseFeatures>& x, std::span<const NodeId> train) {
  Table all = std::visit([](const auto& features) { return table_of(features); }, x);
  Table part = rows_of(all, train);
  tables_ = std::make_unique<Tables>(Tables{std::move(all), std::move(part)});
}

Trees::~Trees() = default;

Matrix Trees::class_probabilities(std::span<const float> label, int64_t classes,
                                  const TreeOptions& options) {
  checked(
      xgboost().XGDMatrixSetFloatInfo(tables_->train.get(), "label", label.data(), label.size()));
  return fitted(tables_->train, tables_->all, options,
                {{"objective", "multi:softprob"}, {"num_class", fmt::format("{}", classes)}});
}

Matrix Trees::regression(const Matrix& target, const TreeOptions& options) {
  checked(xgboost().XGDMatrixSetInfoFromInterface(tables_->train.get(), "label",
                                                  interface_of(target).c_str()));
  return fitted(tables_->train, tables_->all, options,
                {{"objective", "reg:squarederror"}, {"base_score", "0"}});
}

#else

struct Trees::Tables {};

bool has_trees() { return false; }

Trees::Trees(const std::variant<Matrix, SparseFeatures>&, std::span<const NodeId>) {
  fail("this build has no XGBoost, which bgnn needs");
}
Trees::~Trees() = default;
Matrix Trees::class_probabilities(std::span<const float>, int64_t, const TreeOptions&) {
  return {};
}
Matrix Trees::regression(const Matrix&, const TreeOptions&) { return {}; }

#endif

}  // namespace mgnn
