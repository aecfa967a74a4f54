// Which places of an index list name each row.
#pragma once

#include <algorithm>
#include <span>

#include "mgnn/base/types.h"
#include "mgnn/tensor/tape.h"

namespace mgnn {

struct InverseIndex {
  Offset* start;  // (rows + 1)
  Offset* place;  // index[place[e]] = r for start[r] <= e < start[r + 1], ascending
};

// By counting; O(rows + places). Lives in the arena. REQUIRES: 0 <= index < rows.
inline InverseIndex inverse_index(std::span<const NodeId> index, int64_t rows, Arena& arena) {
  const InverseIndex inverse{arena.array<Offset>(rows + 2),
                             arena.array<Offset>(int64_t(index.size()))};
  if (MetaScope::active()) return inverse;
  Offset* next = inverse.start + 1;  // while filling: where row r goes on is next[r]
  std::fill_n(inverse.start, rows + 2, 0);
  for (const NodeId r : index) next[r + 1]++;
  for (int64_t r = 0; r < rows; r++) next[r + 1] += next[r];
  for (size_t i = 0; i < index.size(); i++) inverse.place[next[index[i]]++] = Offset(i);
  return inverse;
}

}  // namespace mgnn
