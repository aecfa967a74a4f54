#include "mgnn/cluster/owners.h"

namespace mgnn {

Asked::Asked(Comm& comm, const Owners& owners, std::span<const NodeId> wanted)
    : place_(wanted.size()) {
  std::vector<int64_t> counts(size_t(comm.size()), 0);
  for (const NodeId node : wanted) counts[owners.of(node)]++;
  PerRank<NodeId> out = per_rank<NodeId>(counts);
  std::vector<int64_t> next = out.start;
  for (size_t i = 0; i < wanted.size(); i++) {
    place_[i] = next[owners.of(wanted[i])]++;
    out.values[place_[i]] = wanted[i];
  }
  asked_ = exchange_lists(comm, out);
}

}  // namespace mgnn
