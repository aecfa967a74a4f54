// From pair histograms and degrees to entries of motif matrices; compiled once per instruction set.
#pragma once

#include "mgnn/motif/pair_forms.h"
#include "mgnn/motif/triangle_pass.h"

namespace mgnn {

struct ValueOutput {
  uint32_t* value;  // on the pattern's places
  int lane;
};

struct ValueJob {
  const PairForms* forms;
  const RankedPairs* pairs;
  const PairHistograms* histograms;
  const Csr* pattern;  // `connected`, or the same with diagonal places
  bool closed_lanes, open_lanes, open_lanes_need_common;
};

namespace generic {
// Rows first .. last - 1 of the pattern to every output.
void write_values(const ValueJob& job, NodeId first, NodeId last, const ValueOutput* outputs,
                  int num_outputs);
// Sums of these rows: (last - first, kLanes).
void sum_values(const ValueJob& job, NodeId first, NodeId last, int64_t* sums);
}  // namespace generic
namespace avx2 {
void write_values(const ValueJob& job, NodeId first, NodeId last, const ValueOutput* outputs,
                  int num_outputs);
void sum_values(const ValueJob& job, NodeId first, NodeId last, int64_t* sums);
}  // namespace avx2

}  // namespace mgnn
