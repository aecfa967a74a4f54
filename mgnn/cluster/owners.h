// Which rank has which node, and asking the ranks for what they know of their nodes.
#pragma once

#include "mgnn/base/rng.h"
#include "mgnn/comm/comm.h"

namespace mgnn {

// Nodes belong to 512 virtual parts by a hash, and parts to ranks in order: every rank has about the
// same share of any graph.
struct Owners {
  static constexpr uint64_t kParts = 512;
  int ranks = 1;

  int of(NodeId node) const {
    return int(mix_bits(uint64_t(node) + 1) % kParts * uint64_t(ranks) / kParts);
  }
};

// Nodes that this rank asks other ranks about, and those that others ask it about.
class Asked {
 public:
  // REQUIRES: no node of `wanted` twice. Called by all ranks.
  Asked(Comm& comm, const Owners& owners, std::span<const NodeId> wanted);

  // The nodes that rank r asks for, by r.
  const PerRank<NodeId>& of_others() const { return asked_; }

  // answer(node) for each node that is asked for -> the answers for `wanted`, in its order. Called by all.
  template <class T, class Answer>
  Array<T> answers(Comm& comm, const Answer& answer) const {
    PerRank<T> out{Array<T>(asked_.values.size()), asked_.start};
    for (size_t i = 0; i < asked_.values.size(); i++) out.values[i] = answer(asked_.values[i]);
    const PerRank<T> in = exchange_lists(comm, out);
    Array<T> result(place_.size());
    for (size_t i = 0; i < place_.size(); i++) result[i] = in.values[place_[i]];
    return result;
  }

 private:
  Array<int64_t> place_;  // of each wanted node among the answers, which come by rank
  PerRank<NodeId> asked_;
};

}  // namespace mgnn
