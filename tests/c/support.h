// What tests of the C interface share.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "mgnn_c.h"

template <class T, void (*release)(T*)>
struct Release {
  void operator()(T* handle) const { release(handle); }
};
template <class T, void (*release)(T*)>
using Handle = std::unique_ptr<T, Release<T, release>>;
using GraphHandle = Handle<mgnn_graph, mgnn_graph_free>;
using DatasetHandle = Handle<mgnn_dataset, mgnn_dataset_free>;
using MotifsHandle = Handle<mgnn_motifs, mgnn_motifs_free>;
using MatrixHandle = Handle<mgnn_matrix, mgnn_matrix_free>;
using RunHandle = Handle<mgnn_run, mgnn_run_free>;
using RankingHandle = Handle<mgnn_ranking, mgnn_ranking_free>;
using NetworkHandle = Handle<mgnn_network, mgnn_network_free>;
using OperatorsHandle = Handle<mgnn_operators, mgnn_operators_free>;
using PassHandle = Handle<mgnn_pass, mgnn_pass_free>;
using SparseHandle = Handle<mgnn_sparse, mgnn_sparse_free>;
using CancelHandle = Handle<mgnn_cancel, mgnn_cancel_free>;

inline mgnn_error_info last_error() {
  mgnn_error_info info{};
  info.size = sizeof info;
  EXPECT_EQ(mgnn_error(&info), MGNN_OK);
  return info;
}

#define EXPECT_OK(call) EXPECT_EQ((call), MGNN_OK) << last_error().message
#define ASSERT_OK(call) ASSERT_EQ((call), MGNN_OK) << last_error().message

// What a function puts into its last argument.
template <class Owner, class Make>
Owner made(Make make) {
  typename Owner::pointer handle = nullptr;
  EXPECT_OK(make(&handle));
  return Owner(handle);
}

template <class Make>
std::string bytes_of(Make make) {
  mgnn_buffer* buffer = nullptr;
  EXPECT_OK(make(&buffer));
  const char* bytes = nullptr;
  int64_t size = 0;
  EXPECT_OK(mgnn_buffer_data(buffer, &bytes, &size));
  std::string text(bytes ? bytes : "", size_t(size));
  mgnn_buffer_free(buffer);
  return text;
}
template <class Make>
nlohmann::ordered_json json_of(Make make) {
  return nlohmann::ordered_json::parse(bytes_of(make));
}

struct Arcs {
  int64_t nodes = 0;
  std::vector<int64_t> from, to;
};

// Random, with loops and repetitions; the same for the same seed.
inline Arcs random_arcs(int64_t nodes, int64_t count, uint64_t seed) {
  Arcs arcs{.nodes = nodes};
  uint64_t state = seed * 2654435761u + 12345;
  const auto next = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return int64_t((state >> 33) % uint64_t(nodes));
  };
  for (int64_t i = 0; i < count; i++) {
    arcs.from.push_back(next());
    arcs.to.push_back(next());
  }
  return arcs;
}

inline GraphHandle graph_of(const Arcs& arcs, const mgnn_call* call = nullptr) {
  return made<GraphHandle>([&](mgnn_graph** graph) {
    return mgnn_graph_from_arcs(call, arcs.nodes, int64_t(arcs.from.size()), arcs.from.data(),
                                arcs.to.data(), 1, MGNN_INT64, 0, graph);
  });
}

inline GraphHandle loaded_graph(const char* name) {
  return made<GraphHandle>(
      [&](mgnn_graph** graph) { return mgnn_graph_load(nullptr, name, nullptr, graph); });
}
inline DatasetHandle loaded(const char* name, const char* settings = nullptr) {
  return made<DatasetHandle>(
      [&](mgnn_dataset** dataset) { return mgnn_dataset_load(nullptr, name, settings, dataset); });
}

template <class Struct>
Struct sized() {
  Struct zeros{};
  zeros.size = sizeof(Struct);
  return zeros;
}

inline mgnn_graph_info info_of(const mgnn_graph* graph) {
  auto info = sized<mgnn_graph_info>();
  EXPECT_OK(mgnn_graph_get_info(graph, &info));
  return info;
}

// The census of the whole graph.
inline std::vector<int64_t> totals(const mgnn_graph* graph, const mgnn_call* call = nullptr,
                                   const char* counting = nullptr) {
  std::vector<int64_t> total(MGNN_MOTIFS);
  auto options = sized<mgnn_census_options>();
  options.counting = counting;
  auto counts = sized<mgnn_census_counts>();
  counts.total = total.data();
  EXPECT_OK(mgnn_census(call, graph, &options, &counts));
  return total;
}

inline std::vector<float> values_of(mgnn_matrix* matrix, int64_t* rows = nullptr) {
  int64_t r = 0, c = 0;
  float* values = nullptr;
  EXPECT_OK(mgnn_matrix_data(matrix, &r, &c, &values));
  if (rows) *rows = r;
  return {values, values + r * c};
}
