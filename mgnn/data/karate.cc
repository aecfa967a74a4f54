// W. W. Zachary. "An information flow model for conflict and fission in small groups", Journal of
// Anthropological Research 33, 1977: figure 1 and table 1. Members are numbered from 1, as there.

#include <algorithm>

#include "mgnn/data/embedded.h"
#include "mgnn/data/features.h"

namespace mgnn {
namespace {

constexpr NodeId kMembers = 34, kMrHi = 0, kOfficer = 33;

constexpr Edge kFriendships[] = {
    {1, 2},   {1, 3},   {1, 4},   {1, 5},   {1, 6},   {1, 7},   {1, 8},   {1, 9},   {1, 11},
    {1, 12},  {1, 13},  {1, 14},  {1, 18},  {1, 20},  {1, 22},  {1, 32},  {2, 3},   {2, 4},
    {2, 8},   {2, 14},  {2, 18},  {2, 20},  {2, 22},  {2, 31},  {3, 4},   {3, 8},   {3, 9},
    {3, 10},  {3, 14},  {3, 28},  {3, 29},  {3, 33},  {4, 8},   {4, 13},  {4, 14},  {5, 7},
    {5, 11},  {6, 7},   {6, 11},  {6, 17},  {7, 17},  {9, 31},  {9, 33},  {9, 34},  {10, 34},
    {14, 34}, {15, 33}, {15, 34}, {16, 33}, {16, 34}, {19, 33}, {19, 34}, {20, 34}, {21, 33},
    {21, 34}, {23, 33}, {23, 34}, {24, 26}, {24, 28}, {24, 30}, {24, 33}, {24, 34}, {25, 26},
    {25, 28}, {25, 32}, {26, 32}, {27, 30}, {27, 34}, {28, 34}, {29, 32}, {29, 34}, {30, 33},
    {30, 34}, {31, 33}, {31, 34}, {32, 33}, {32, 34}, {33, 34}};
constexpr NodeId kWithMrHi[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 17, 18, 20, 22};

}  // namespace

Dataset karate_dataset() {
  Dataset d;
  d.name = "karate";
  Array<Edge> edges;
  for (const Edge& e : kFriendships) edges.push_back({e.from - 1, e.to - 1});
  BuiltGraph built = build_graph(kMembers, std::move(edges), {.symmetrise = true});
  d.graph = std::move(built.graph);
  d.build = built.stats;
  d.class_names = {"Mr. Hi", "Officer"};
  d.label.assign(kMembers, 1);
  for (const NodeId member : kWithMrHi) d.label[member - 1] = 0;
  for (NodeId member = 1; member <= kMembers; member++) d.ids.number.push_back(member);
  d.features = identity_features(kMembers);
  d.features_from = "identity";

  Split leaders{"leaders", {kMrHi, kOfficer}, {1, 32}, {}};  // one known member of each side
  for (NodeId u = 2; u < 32; u++) leaders.test.push_back(u);
  d.splits = {leaders};
  return d;
}

}  // namespace mgnn
