// The inner loops of numbering nodes, once per instruction set (see base/cpu.h).
#pragma once

#include <span>

#include "mgnn/base/cpu.h"
#include "mgnn/graph/graph.h"

namespace mgnn {

// 64 ids: which of them occur, and how many smaller ids do.
struct RankWord {
  uint64_t bits, before;
};

// mark_ids sets the bits of all ends; several threads may do so at once.
// replace_by_ranks puts in place of every end the number of smaller ids that occur.
MGNN_DECLARE_KERNELS(void mark_ids(std::span<const Edge> edges, uint64_t* bits);
                     void replace_by_ranks(std::span<Edge> edges, const RankWord* ranks);)

}  // namespace mgnn
