#include "cli/motif_options.h"

#include <CLI/CLI.hpp>

#include "cli/option_flags.h"
#include "mgnn/report/table.h"

namespace mgnn {

void add_counting_option(CLI::App& command, Counting& counting) {
  add_option_flag(
      command, "--counting",
      choice("counting", counting,
             "what is an instance: a set of arcs that forms the motif (subgraph), "
             "three nodes with no other arc among them (induced), or what the paper's "
             "released code counts (published: its version for one graph or for sets of "
             "graphs, as the data are; each can be named)"));
}

void add_motifs_option(CLI::App& command, MotifSet& motifs) {
  command
      .add_option_function<std::string>(
          "--motifs", [&motifs](const std::string& text) { motifs = parse_motifs(text); },
          "which motifs: 1,4,13 or M1-M7, closed, open, all")
      ->type_name("LIST");
}

std::string motif_legend() {
  TextTable table{{{""}, {""}, {""}, {""}}, {}};
  for (const Motif& m : all_motifs())
    table.rows.push_back({"  " + motif_label(m.number), m.drawing, m.triad, m.name});
  return text_of(table);
}

}  // namespace mgnn
