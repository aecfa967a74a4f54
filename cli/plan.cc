#include "mgnn/cluster/plan.h"

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/graph_options.h"
#include "cli/verb.h"
#include "mgnn/base/human.h"

namespace mgnn {
namespace {

using Json = nlohmann::ordered_json;

struct PlanVerb {
  GraphSource source;
  std::vector<int> ranks = {2, 4, 8};
};

// The largest of a rank.
template <class Field>
int64_t most(const std::vector<RankNeeds>& needs, Field RankNeeds::*field) {
  int64_t result = 0;
  for (const RankNeeds& rank : needs) result = std::max(result, int64_t(rank.*field));
  return result;
}

// How much more the busiest rank has to look up than the mean.
double imbalance(const std::vector<RankNeeds>& needs) {
  double sum = 0;
  for (const RankNeeds& rank : needs) sum += double(rank.lookups);
  return sum == 0 ? 1 : double(most(needs, &RankNeeds::lookups)) * double(needs.size()) / sum;
}

Json json_of(const std::vector<RankNeeds>& needs) {
  Json list = Json::array();
  for (const RankNeeds& rank : needs)
    list.push_back({{"nodes", rank.nodes},
                    {"neighbours", rank.neighbours},
                    {"foreign_nodes", rank.foreign_nodes},
                    {"lookups", rank.lookups},
                    {"census_bytes_sent", rank.census_bytes}});
  return {{"ranks", needs.size()}, {"of_rank", list}};
}

void run(const PlanVerb& verb, const Globals& globals) {
  const Dataset dataset = verb.source.load(globals);
  TextTable table{{{"ranks", Align::right},
                   {"nodes", Align::right},
                   {"neighbours", Align::right},
                   {"foreign nodes", Align::right},
                   {"look-ups", Align::right},
                   {"max/mean", Align::decimal, 3},
                   {"census sends", Align::right},
                   {"s at 10 Gbit/s", Align::decimal, 3},
                   {"s at 100 Gbit/s", Align::decimal, 3}},
                  {}};
  Json json = Json::array();
  for (const int ranks : verb.ranks) {
    const std::vector<RankNeeds> needs = plan_ranks(dataset.graph, ranks);
    json.push_back(json_of(needs));
    const int64_t bytes = most(needs, &RankNeeds::census_bytes);
    table.rows.push_back(
        {int64_t(ranks), most(needs, &RankNeeds::nodes), most(needs, &RankNeeds::neighbours),
         most(needs, &RankNeeds::foreign_nodes), most(needs, &RankNeeds::lookups), imbalance(needs),
         human_bytes(bytes), double(bytes) * 8 / 10e9, double(bytes) * 8 / 100e9});
  }
  if (globals.json) return print_json(json);
  print(table);
  print(
      "\nEach the largest of a rank. What a census sends is once the graph is there; it is known "
      "to the "
      "byte.\n");
}

}  // namespace

Action add_plan(CLI::App& command, const Globals& globals) {
  const auto verb = std::make_shared<PlanVerb>();
  add_graph_options(command, verb->source);
  command.add_option("--ranks", verb->ranks, "numbers of ranks to plan for")
      ->type_name("P,…")
      ->delimiter(',')
      ->capture_default_str()
      ->check(CLI::Range(1, 512).description(""));
  command.footer(
      "  mgnn plan wiki-vote --ranks 2,4,8\n"
      "  mgnn plan edges.tsv --ranks 64 --json");
  return [verb, &globals] { run(*verb, globals); };
}

}  // namespace mgnn
