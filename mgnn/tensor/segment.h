// Sums, means, maxima and softmax over runs of rows: the nodes of a graph, the edges of a node.
#pragma once

#include <span>

#include "mgnn/tensor/tape.h"

namespace mgnn {

// `start` (segments + 1) ascends from 0 to x.rows; segment s is rows start[s] .. start[s + 1] - 1,
// as in Csr::start. It must live as long as the step. Results of the first three: (segments, cols),
// 0 for an empty segment.
template <class T>
Var<T> segment_sum(Var<T> x, std::span<const Offset> start);
template <class T>
Var<T> segment_mean(Var<T> x, std::span<const Offset> start);
// Of equal elements the first gets the gradient.
template <class T>
Var<T> segment_max(Var<T> x, std::span<const Offset> start);

// Softmax down each column of each segment; shape of x. Elements whose `mask` is 0 take no part
// and get 0; an empty mask (rows * cols otherwise) hides none.
template <class T>
Var<T> segment_softmax(Var<T> x, std::span<const Offset> start, std::span<const float> mask = {});

}  // namespace mgnn
