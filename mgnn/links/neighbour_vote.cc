// The k nodes u' whose partners are most like those of u, by the cosine of their sets, vote for their
// partners:
//
//   vote(u, v) = Σ_{u' ∈ kNN(u)} cos(P(u), P(u')) [v ∈ P(u')],  cos(P, Q) = |P ∩ Q| / √(|P| |Q|)
//
// and the same from the other side, where the targets most like v vote for their sources. Of nodes
// that are equally alike the smaller numbers are taken.

#include <algorithm>
#include <cmath>
#include <memory>

#include "mgnn/base/parallel.h"
#include "mgnn/links/heuristics.h"

namespace mgnn {
namespace {

constexpr size_t kNearest = 20;

struct Voter {
  NodeId node;
  float cosine;
};

// The nearest nodes of `node`, whose partners are in `to`; `from` is the transpose.
void nearest(const Csr& to, const Csr& from, NodeId node, std::vector<int32_t>& common,
             std::vector<Voter>& voters) {
  voters.clear();
  std::vector<NodeId> reached;
  for (const NodeId partner : to.row(node))
    for (const NodeId other : from.row(partner))
      if (other != node && common[size_t(other)]++ == 0) reached.push_back(other);
  for (const NodeId other : reached) {
    const double sizes = double(to.row_size(node)) * double(to.row_size(other));
    voters.push_back({other, float(common[size_t(other)] / std::sqrt(sizes))});
    common[size_t(other)] = 0;
  }
  const size_t k = std::min(kNearest, voters.size());
  std::partial_sort(voters.begin(), voters.begin() + std::ptrdiff_t(k), voters.end(),
                    [](const Voter& a, const Voter& b) {
                      return a.cosine != b.cosine ? a.cosine > b.cosine : a.node < b.node;
                    });
  voters.resize(k);
}

// For whom each node votes.
struct Votes {
  std::vector<std::vector<Voter>> of;  // (nodes) of u': the nodes that have it among their nearest
};
Votes votes_of(const Csr& to, const Csr& from) {
  std::vector<std::vector<Voter>> near(size_t(to.rows));
  ParallelError error;
#pragma omp parallel if (worth_threads(to.nnz() * 100))
  {
    std::vector<int32_t> common;
    error.run([&] { common.assign(size_t(to.rows), 0); });
#pragma omp for schedule(dynamic, 64)
    for (NodeId u = 0; u < to.rows; u++)
      error.run([&] {
        check_interrupted();
        if (to.row_size(u) > 0) nearest(to, from, u, common, near[size_t(u)]);
      });
  }
  error.rethrow();
  Votes votes{std::vector<std::vector<Voter>>(size_t(to.rows))};
  for (NodeId u = 0; u < to.rows; u++)
    for (const Voter& voter : near[size_t(u)])
      votes.of[size_t(voter.node)].push_back({u, voter.cosine});
  return votes;
}

void add_source_votes(const Graph& partners, NodeId u, float* scores) {
  std::vector<int32_t> common(size_t(partners.num_nodes()), 0);
  std::vector<Voter> voters;
  nearest(partners.out, partners.in, u, common, voters);
  for (const Voter& voter : voters)
    for (const NodeId v : partners.out.row(voter.node)) scores[v] += voter.cosine;
}

void add_target_votes(const Graph& partners, const Votes& votes, NodeId u, float* scores) {
  for (const NodeId voter : partners.out.row(u))
    for (const Voter& v : votes.of[size_t(voter)]) scores[v.node] += v.cosine;
}

SourceScorer vote(const LinkEvidence& evidence, bool sources_vote, bool targets_vote) {
  const Graph& partners = evidence.partners;
  const auto votes =
      std::make_shared<const Votes>(targets_vote ? votes_of(partners.in, partners.out) : Votes{});
  return [&partners, votes, sources_vote, targets_vote](std::span<const NodeId> sources,
                                                        float* scores) {
    for (const NodeId u : sources) {
      std::fill_n(scores, partners.num_nodes(), 0.f);
      if (sources_vote) add_source_votes(partners, u, scores);
      if (targets_vote) add_target_votes(partners, *votes, u, scores);
      scores += partners.num_nodes();
    }
  };
}

}  // namespace

SourceScorer neighbour_vote(const LinkEvidence& evidence) { return vote(evidence, true, true); }
SourceScorer neighbour_vote_of_sources(const LinkEvidence& evidence) {
  return vote(evidence, true, false);
}
SourceScorer neighbour_vote_of_targets(const LinkEvidence& evidence) {
  return vote(evidence, false, true);
}

}  // namespace mgnn
