#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/divided.h"
#include "cli/graph_options.h"
#include "cli/motif_options.h"
#include "cli/notes.h"
#include "cli/option_flags.h"
#include "cli/verb.h"
#include "mgnn/base/clock.h"
#include "mgnn/base/file.h"
#include "mgnn/base/human.h"
#include "mgnn/base/memory.h"
#include "mgnn/data/counting.h"
#include "mgnn/motif/motif_file.h"

namespace mgnn {
namespace {

struct MotifsOptions {
  GraphSource source;
  MotifOptions motif;
  MotifWeights weights = MotifWeights::none;
  MotifFileOptions file;
  std::string output, format;
  double memory_limit_gib = 0;
  bool dry_run = false;
  bool pieces = false;
};

TextTable table_of(const MotifMatrices& m) {
  TextTable table{{{"motif"},
                   {"arcs"},
                   {"triad"},
                   {"non-zeros", Align::right},
                   {"sum", Align::right},
                   {"largest", Align::right},
                   {"stored as"}},
                  {}};
  for (int k : m.motifs.numbers()) {
    int64_t non_zeros = 0, sum = 0, largest = 0;
    for (Offset e = 0; e < m.pattern.nnz() && !m.is_zero(k); e++) {
      const int64_t count = m.count(k, e);
      non_zeros += count != 0;
      sum += count;
      largest = std::max(largest, count);
    }
    const MotifRef& ref = m.of[k - 1];
    const std::string stored =
        ref.array < 0 ? "nothing" : fmt::format("{} × array {}", ref.factor, ref.array);
    table.rows.push_back(
        {motif_label(k), motif(k).drawing, motif(k).triad, non_zeros, sum, largest, stored});
  }
  return table;
}

TextTable table_of(const WeightedMotifMatrices& m) {
  TextTable table{{{"motif"},
                   {"arcs"},
                   {"triad"},
                   {"non-zeros", Align::right},
                   {"sum", Align::right},
                   {"largest", Align::right}},
                  {}};
  for (int k : m.motifs.numbers()) {
    int64_t non_zeros = 0;
    double largest = 0;
    for (const double x : m.value[k - 1]) {
      non_zeros += x != 0;
      largest = std::max(largest, x);
    }
    table.rows.push_back({motif_label(k), motif(k).drawing, motif(k).triad, non_zeros,
                          fmt::format("{:.6g}", m.sum(k)), fmt::format("{:.6g}", largest)});
  }
  return table;
}

int64_t num_arrays(const MotifMatrices& m) { return int64_t(m.values.size()); }
int64_t num_arrays(const WeightedMotifMatrices& m) { return m.motifs.size(); }

template <class Matrices>
nlohmann::ordered_json json_of(const CountedGraph& graph, const Matrices& m, double seconds,
                               const MotifsOptions& options) {
  nlohmann::ordered_json sums;
  for (int k : m.motifs.numbers()) sums[motif_label(k)] = m.sum(k);
  return {{"path", options.output},
          {"nodes", graph.nodes},
          {"arcs", graph.arcs},
          {"counting", name_of(m.counting)},
          {"entry", name_of(m.entry)},
          {"weights", name_of(options.weights)},
          {"normalisation", name_of(options.file.normalisation)},
          {"pattern_entries", m.pattern.nnz()},
          {"distinct_matrices", num_arrays(m)},
          {"sums", sums},
          {"seconds", seconds},
          {"peak_memory_bytes", peak_memory_bytes()}};
}

// A place of the pattern for either direction of every arc, one array for every motif, and where
// instances are weighted the sums around the nodes; the leaves
// of open motifs with --entry pair are not foreseen here, and bounded by --memory-limit.
void print_plan(const CountedGraph& graph, const MotifsOptions& options) {
  const int64_t places = 2 * graph.arcs + graph.nodes;
  const int64_t motifs = options.motif.motifs.size();
  const int64_t bytes = options.weights == MotifWeights::none ? places * 4 * (1 + motifs)
                                                              : places * (4 + 8 * motifs + 96);
  print(fmt::format("would write {}: motifs {} of {} nodes and {} arcs, at most {} in memory\n",
                    options.output, options.motif.motifs.text(), human_count(graph.nodes),
                    human_count(graph.arcs), human_bytes(bytes)));
}

template <class Matrices>
void write(const CountedGraph& graph, const Matrices& matrices, double seconds,
           const MotifsOptions& options, const Globals& globals) {
  write_motif_matrices(options.output, matrices, graph.ids, graph.fingerprint, options.file);
  if (globals.json) return print_json(json_of(graph, matrices, seconds, options));
  print(table_of(matrices));
  print(fmt::format("\nwrote {}: counted in {} ({} arcs/s), {} of memory\n", options.output,
                    human_seconds(seconds),
                    human_count(int64_t(double(graph.arcs) / std::max(seconds, 1e-9))),
                    human_bytes(peak_memory_bytes())));
}

void check_options(MotifsOptions& options) {
  if (options.output == "-") fail_usage("-o: motif matrices go to a file or folder, not to -");
  if (options.pieces && options.file.normalisation != Normalisation::none)
    fail_usage("--pieces holds counts; a normalisation needs all rows in one file");
  if (options.pieces && !options.format.empty() && options.format != "npz")
    fail_usage("--pieces are .npz files, not {}", options.format);
  if (!(options.memory_limit_gib >= 0))
    fail_usage("--memory-limit: use a number of GiB, 0 or more");
  options.motif.pair_memory_limit = int64_t(options.memory_limit_gib * 0x1p30);
  if (options.pieces) return check_pieces(options.output, options.file.overwrite);
  options.file.format = options.format.empty()
                            ? motif_format_of(options.output)
                            : parse_name<MotifFormat>("--format", options.format);
  if (options.file.format == MotifFormat::mtx)
    check_motif_folder(options.output, options.file.overwrite);
  else
    check_writable(options.output, options.file.overwrite);
}

// Of the pieces of all ranks.
TextTable table_of_pieces(const RankMatrices& part) {
  TextTable table{
      {{"motif"}, {"arcs"}, {"triad"}, {"non-zeros", Align::right}, {"sum", Align::right}}, {}};
  for (const int k : part.motifs.numbers()) {
    int64_t sums[2] = {};
    for (Offset e = 0; e < Offset(part.index.size()); e++) {
      sums[0] += part.count(k, e) != 0;
      sums[1] += part.count(k, e);
    }
    sum_over_ranks(ranks(), sums);
    table.rows.push_back({motif_label(k), motif(k).drawing, motif(k).triad, sums[0], sums[1]});
  }
  return table;
}

void write_in_pieces(const RankGraph& graph, const RankMatrices& part, double seconds,
                     const MotifsOptions& options, const Globals& globals) {
  write_pieces(options.output, graph, part);
  const TextTable table = table_of_pieces(part);  // by all ranks
  if (globals.json)
    return print_json({{"path", options.output},
                       {"nodes", graph.num_nodes},
                       {"arcs", graph.num_arcs},
                       {"counting", name_of(part.counting)},
                       {"entry", name_of(part.entry)},
                       {"pieces", ranks().size()},
                       {"seconds", seconds},
                       {"peak_memory_bytes", peak_memory_bytes()}});
  print(table);
  print(fmt::format("\nwrote {}: {} pieces, counted in {}\n", options.output, ranks().size(),
                    human_seconds(seconds)));
}

void run_divided(MotifsOptions& options, const Globals& globals) {
  all_or_none(ranks(), [&] {
    if (options.weights != MotifWeights::none)
      fail_usage("--weights is not divided among ranks; start it once");
    MotifsOptions checked = options;  // the first rank alone looks at the files
    if (ranks().rank() == 0) check_options(checked);
  });
  options.motif.pair_memory_limit = int64_t(options.memory_limit_gib * 0x1p30);
  const RankGraph graph = load_divided(options.source, globals);
  const CountedGraph counted = counted_graph(graph);
  if (options.dry_run) return print_plan(counted, options);
  const Stopwatch watch;
  const RankMatrices part = divided_matrices(ranks(), graph, options.motif);
  if (options.pieces) return write_in_pieces(graph, part, watch.seconds(), options, globals);
  const MotifMatrices matrices = gather_matrices(ranks(), graph, part);
  const double seconds = watch.seconds();
  all_or_none(ranks(), [&] {
    if (ranks().rank() > 0) return;
    check_options(options);
    write(counted, matrices, seconds, options, globals);
  });
}

void run(MotifsOptions& options, const Globals& globals) {
  if (ranks().size() > 1 || options.pieces) return run_divided(options, globals);
  check_options(options);
  Dataset dataset = options.source.load_without_notes(globals);
  std::vector<std::string> notes;
  if (options.weights != MotifWeights::none && dataset.arc_weight.empty())
    fail_usage("--weights {}: {} has no weights of arcs", name_of(options.weights), dataset.name);
  if (options.weights == MotifWeights::none && !dataset.arc_weight.empty())
    notes.push_back(fmt::format(
        "{}: the weights of arcs are not used: instances are counted (--weights mean or product)",
        dataset.name));
  tell_notes(dataset, globals, notes);
  const CountedGraph graph = {dataset.graph.num_nodes(), dataset.graph.num_arcs(),
                              std::move(dataset.ids), fingerprint(dataset.graph)};
  if (options.dry_run) return print_plan(graph, options);
  const Stopwatch watch;
  options.motif.counting = counting_for(options.motif.counting, dataset);
  if (options.weights == MotifWeights::none) {
    const MotifMatrices matrices = motif_matrices(dataset.graph, options.motif);
    return write(graph, matrices, watch.seconds(), options, globals);
  }
  const WeightedMotifMatrices matrices =
      weighted_motif_matrices(dataset.graph, dataset.arc_weight, options.weights, options.motif);
  write(graph, matrices, watch.seconds(), options, globals);
}

}  // namespace

Action add_motifs(CLI::App& command, const Globals& globals) {
  const auto options = std::make_shared<MotifsOptions>();
  options->file.overwrite = false;
  add_graph_options(command, options->source);
  command
      .add_option("-o,--output", options->output, "file to write: .npz, .h5, or folder/ of .mtx")
      ->type_name("FILE")
      ->required();
  add_motifs_option(command, options->motif.motifs);
  add_counting_option(command, options->motif.counting);
  add_option_flag(command, "--entry",
                  choice("entry", options->motif.entry,
                         "what an entry (i, j) counts: instances with the arc i → j, with i and j "
                         "joined either way, or with both of them"));
  add_option_flag(
      command, "--weights",
      choice("weights", options->weights,
             "what an instance adds to an entry: 1 (none), or the mean or product of the "
             "weights of its arcs"));
  add_option_flag(command, "--normalise",
                  choice("normalise", options->file.normalisation,
                         "normalisation of the matrices; none: counts, or weights"));
  command.add_option("-f,--format", options->format, "npz, h5 or mtx (default: by the ending)")
      ->type_name("FORMAT");
  command
      .add_option("--memory-limit", options->memory_limit_gib,
                  "maximum GiB for --entry pair of open motifs; 0: half of what is free")
      ->type_name("GIB");
  command.add_flag("--pieces", options->pieces,
                   "write each rank's rows to a file of its own, in the folder that -o names");
  add_force_flag(command, options->file.overwrite);
  command.add_flag("-n,--dry-run", options->dry_run, "say what would be made, and its size");
  command.footer(
      "  mgnn motifs cora -o cora.npz\n"
      "  mgnn motifs web.txt -o m.h5 --motifs 1,4,13 --counting induced\n"
      "  mgnn motifs web.txt -o folder/ --normalise symmetric\n"
      "  mgnn motifs trade.csv -o m.npz --weights product\n\n" +
      motif_legend());
  return [options, &globals] { run(*options, globals); };
}

}  // namespace mgnn
