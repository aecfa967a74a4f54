// C (+)= A B for blocks that one thread handles: included by *_kernel.cc only.
//
// A tile of C, a few rows by two vectors of columns, stays in registers while a piece of the depth
// goes by; the matching panel of B is copied to be contiguous and padded with zeros. A may have any
// strides, since its elements are broadcast one by one.
#pragma once

#include "mgnn/tensor/gemm_kernel.h"
#include "mgnn/tensor/vector_kernel.h"

namespace mgnn::MGNN_KERNEL {
namespace {

constexpr int kDepthPiece = 128;

// `to` (depth, width), zeros beyond `cols`.
template <class T>
void pack_panel(const T* b, int64_t b_row, int64_t b_col, int64_t depth, int64_t cols,
                int64_t width, T* to) {
  for (int64_t p = 0; p < depth; p++) {
    for (int64_t j = 0; j < cols; j++) to[p * width + j] = b[p * b_row + j * b_col];
    for (int64_t j = cols; j < width; j++) to[p * width + j] = 0;
  }
}

template <class T, int vectors>
struct Panel {
  const T* b;
  int64_t b_row;
  int64_t cols;  // of C that it covers: at most the width
  static constexpr int width = vectors * kLanes<T>;
};

template <class T, int height, int vectors>
inline void tile(const T* a, int64_t a_row, int64_t a_col, const Panel<T, vectors>& panel,
                 int64_t depth, T* c, int64_t c_row, bool add) {
  using V = Vec<T, kLanes<T>>;
  V sum[height][vectors] = {};
  for (int64_t p = 0; p < depth; p++) {
    V b[vectors];
    for (int v = 0; v < vectors; v++) b[v] = load<V>(panel.b + p * panel.b_row + v * kLanes<T>);
    for (int i = 0; i < height; i++) {
      const T x = a[i * a_row + p * a_col];
      for (int v = 0; v < vectors; v++) sum[i][v] += x * b[v];
    }
  }
  for (int i = 0; i < height; i++) {
    T* to = c + i * c_row;
    if (panel.cols == panel.width) {
      for (int v = 0; v < vectors; v++) {
        T* at = to + v * kLanes<T>;
        store(at, add ? load<V>(at) + sum[i][v] : sum[i][v]);
      }
    } else {
      T buffer[Panel<T, vectors>::width];
      for (int v = 0; v < vectors; v++) store(buffer + v * kLanes<T>, sum[i][v]);
      for (int64_t j = 0; j < panel.cols; j++) to[j] = add ? to[j] + buffer[j] : buffer[j];
    }
  }
}

// Rows i .. i + height - 1 against one panel.
template <int height, class T, int vectors>
inline void tile_rows(const Gemm<T>& g, const T* a, T* c, int64_t i, int64_t depth, bool add,
                      const Panel<T, vectors>& panel) {
  tile<T, height>(a + i * g.a_row, g.a_row, g.a_col, panel, depth, c + i * g.c_row, g.c_row, add);
}

// All rows against one panel, for the piece of the sum that begins at p.
template <class T, int vectors>
void panel_times(const Gemm<T>& g, int64_t p, int64_t depth, int64_t column,
                 const Panel<T, vectors>& panel) {
  constexpr int kHeight = vectors == 1 ? 12 : 6;  // enough sums under way to hide the latency
  const bool add = g.add || p > 0;
  const T* a = g.a + p * g.a_col;
  T* c = g.c + column;
  int64_t i = 0;
  for (; i + kHeight <= g.rows; i += kHeight) tile_rows<kHeight>(g, a, c, i, depth, add, panel);
  for (; i + 6 <= g.rows; i += 6) tile_rows<6>(g, a, c, i, depth, add, panel);
  switch (g.rows - i) {
    case 5:
      return tile_rows<5>(g, a, c, i, depth, add, panel);
    case 4:
      return tile_rows<4>(g, a, c, i, depth, add, panel);
    case 3:
      return tile_rows<3>(g, a, c, i, depth, add, panel);
    case 2:
      return tile_rows<2>(g, a, c, i, depth, add, panel);
    case 1:
      return tile_rows<1>(g, a, c, i, depth, add, panel);
  }
}

// One panel from column `j` on; gives the first column after it.
template <class T, int vectors>
int64_t next_panel(const Gemm<T>& g, int64_t p, int64_t depth, int64_t j) {
  constexpr int kWidth = Panel<T, vectors>::width;
  const int64_t cols = smaller<int64_t>(kWidth, g.cols - j);
  const T* b = g.b + p * g.b_row + j * g.b_col;
  if (g.b_col == 1 && cols == kWidth) {
    panel_times<T, vectors>(g, p, depth, j, {b, g.b_row, cols});
  } else {
    alignas(64) T packed[kDepthPiece * kWidth];
    pack_panel(b, g.b_row, g.b_col, depth, cols, kWidth, packed);
    panel_times<T, vectors>(g, p, depth, j, {packed, kWidth, cols});
  }
  return j + kWidth;
}

template <class T>
void gemm_block(const Gemm<T>& g) {
  if (g.depth == 0 && !g.add)
    for (int64_t i = 0; i < g.rows; i++)
      for (int64_t j = 0; j < g.cols; j++) g.c[i * g.c_row + j] = 0;
  for (int64_t p = 0; p < g.depth; p += kDepthPiece) {
    const int64_t depth = smaller<int64_t>(kDepthPiece, g.depth - p);
    for (int64_t j = 0; j < g.cols;)
      j = g.cols - j <= kLanes<T> ? next_panel<T, 1>(g, p, depth, j)
                                  : next_panel<T, 2>(g, p, depth, j);
  }
}

}  // namespace
}  // namespace mgnn::MGNN_KERNEL
