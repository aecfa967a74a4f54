#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/graph_options.h"
#include "cli/notes.h"
#include "cli/option_flags.h"
#include "cli/ranks.h"
#include "cli/trial_flags.h"
#include "cli/verb.h"
#include "mgnn/base/clock.h"
#include "mgnn/base/file.h"
#include "mgnn/base/human.h"
#include "mgnn/base/memory.h"
#include "mgnn/base/toml.h"
#include "mgnn/data/embedding_file.h"
#include "mgnn/task/probe.h"
#include "mgnn/task/trained_model.h"

namespace mgnn {
namespace {

struct EmbedVerb {
  GraphSource source;
  std::string method;  // empty: that of the file, or node2vec
  std::string file;    // of settings
  std::string fit_on;
  std::string model;  // a trained run, instead of a method
  EmbeddingVariant variant = EmbeddingVariant::paper;
  std::vector<std::pair<std::string, Setting>> flags;  // each with what it was given by
  Settings sets;                                       // --set
  bool states_seed = false;
  bool show_config = false;
  std::string output;
  std::optional<EmbeddingFormat> format;
  bool force = false, dry_run = false;
  bool evaluate = false;
  ProbeOptions probe;
};

// Takes the name of the method out of the settings of a file; a flag comes first.
std::string method_of(const EmbedVerb& verb, Settings& file) {
  std::string method = "node2vec";
  std::erase_if(file, [&](const Setting& setting) {
    if (setting.name != "method") return false;
    method = text_of(setting.value);
    return true;
  });
  return verb.method.empty() ? method : verb.method;
}

// The method with the values of the file, then those of the environment, the flags and --set.
std::unique_ptr<Embedding> configured(const EmbeddingMethod& method, const EmbedVerb& verb,
                                      const Settings& file, const Globals& globals) {
  std::unique_ptr<Embedding> embedding = make_embedding(method, {}, verb.variant);
  const Options options = embedding->options();
  for (const Setting& setting : file) set_option(options, setting);
  for (const Setting& setting : environment_settings(options, "embed."))
    set_option(options, setting);
  if (verb.states_seed) set_option(options, {"seed", std::to_string(globals.seed)});
  for (const auto& [flag, setting] : verb.flags) {
    const bool has_option = std::any_of(options.begin(), options.end(),
                                        [&](const Option& o) { return o.name == setting.name; });
    if (!has_option) fail_usage("{}: {} has no option {}", flag, method.name, setting.name);
    set_option(options, setting);
  }
  for (const Setting& setting : verb.sets) set_option(options, setting);
  return embedding;
}

void print_config(const EmbeddingMethod& method, Embedding& embedding, bool json) {
  if (json) {
    nlohmann::ordered_json values = {{"method", method.name}};
    values.update(json_of(embedding.options()));
    return print_json(values);
  }
  TextTable table{{{""}, {""}, {""}}, {}};
  for (const Option& option : embedding.options())
    table.rows.push_back({option.name, "= " + toml_of(option.get()), "# " + option.help});
  print("method = \"" + std::string(method.name) + "\"\n" + text_of(table));
}

void check_outputs(const EmbedVerb& verb) {
  if (verb.output.empty() && !verb.evaluate)
    fail_usage("nothing to do: use -o FILE, --evaluate, or both");
  if (verb.output.empty() || verb.output == "-") return;
  check_writable(verb.output, verb.force);
  if (verb.output.ends_with(".npy")) check_writable(ids_path(verb.output), verb.force);
}

struct Embedded {
  Matrix z = {};  // (nodes or graphs, dimension)
  double seconds = 0;
  std::optional<Probe> probe = {};
};

nlohmann::ordered_json json_of(const EmbedVerb& verb, const Dataset& dataset,
                               const Embedded& embedded) {
  nlohmann::ordered_json json = {{"method", verb.method},
                                 {"variant", name_of(verb.variant)},
                                 {"dataset", dataset.name},
                                 {"rows", embedded.z.rows},
                                 {"dimension", embedded.z.cols},
                                 {"seconds", embedded.seconds},
                                 {"peak_memory_bytes", peak_memory_bytes()}};
  if (!verb.output.empty()) json["path"] = verb.output;
  if (embedded.probe)
    json["test"] = {{"metric", "accuracy"},
                    {"split", split_name(dataset, verb.probe.split)},
                    {"standardised", verb.probe.regression.standardise},
                    {"mean", embedded.probe->test().mean},
                    {"std", embedded.probe->test().std},
                    {"runs", embedded.probe->accuracy}};
  return json;
}

std::string probe_sentence(const EmbedVerb& verb, const Dataset& dataset, const Probe& probe) {
  const std::string split = split_name(dataset, verb.probe.split);
  std::string how = fmt::format("{} {} splits", verb.probe.seeds, split);
  if (dataset.is_set()) how = fmt::format("{} folds, {}", probe.accuracy.size(), split);
  return fmt::format("logistic regression on {} features: test accuracy {:.4f} ± {:.4f} ({})\n",
                     verb.probe.regression.standardise ? "standardised" : "raw", probe.test().mean,
                     probe.test().std, how);
}

void print_summary(const EmbedVerb& verb, const Dataset& dataset, const Embedded& embedded) {
  const std::string summary =
      fmt::format("{} vectors of {} numbers by {}{} in {}, {} of memory\n",
                  human_count(embedded.z.rows), embedded.z.cols, verb.method,
                  verb.variant == EmbeddingVariant::karateclub ? " (karateclub variant)" : "",
                  human_seconds(embedded.seconds), human_bytes(peak_memory_bytes()));
  print(verb.output.empty() ? summary : "wrote " + verb.output + ": " + summary);
  if (embedded.probe) print(probe_sentence(verb, dataset, *embedded.probe));
}

EmbeddingFormat checked_format(const EmbedVerb& verb) {
  const EmbeddingFormat format = verb.format || verb.output.empty()
                                     ? verb.format.value_or(EmbeddingFormat::npy)
                                     : embedding_format_of(verb.output);
  if (verb.output == "-" && (format == EmbeddingFormat::npy || format == EmbeddingFormat::npz))
    fail_usage("-o -: only text goes to standard output; use --format csv, tsv or word2vec");
  return format;
}

// Writes, evaluates and prints.
void finish(EmbedVerb& verb, const Globals& globals, EmbeddingFormat format, const Dataset& dataset,
            Level level, Embedded& embedded) {
  if (!verb.output.empty())
    write_embedding(verb.output, format, embedded.z, level == Level::node ? dataset.ids : NodeIds(),
                    verb.force);
  verb.probe.seed = globals.seed;
  if (verb.evaluate) embedded.probe = probe(embedded.z, dataset, verb.probe);
  if (verb.output == "-") return;
  if (globals.json) return print_json(json_of(verb, dataset, embedded));
  print_summary(verb, dataset, embedded);
}

void print_plan(const Dataset& dataset, bool graphs, const std::string& method) {
  print(fmt::format("would embed the {} of {} by {}\n",
                    graphs ? human_count(dataset.num_graphs()) + " graphs"
                           : human_count(dataset.graph.num_nodes()) + " nodes",
                    dataset.name, method));
}

// What is stated of a method is of no use where a trained network is asked for.
void refuse_settings_of_methods(const EmbedVerb& verb) {
  const std::pair<const char*, bool> flags[] = {
      {"--method", !verb.method.empty()},
      {"--config", !verb.file.empty()},
      {"--set", !verb.sets.empty()},
      {"--variant", verb.variant != EmbeddingVariant::paper},
      {"--fit-on", !verb.fit_on.empty()},
      {"--show-config", verb.show_config},
      {verb.flags.empty() ? "" : verb.flags[0].first.c_str(), !verb.flags.empty()}};
  for (const auto& [flag, stated] : flags)
    if (stated)
      fail_usage("{} is about a method, but --model {} is a trained network", flag, verb.model);
}

// Representations of a trained network: the input of its last linear layers.
void run_model(EmbedVerb& verb, const Globals& globals) {
  EmbeddingFormat format{};
  TrainedModel model;
  Dataset dataset;
  all_or_none(ranks(), [&] {
    refuse_settings_of_methods(verb);
    if (ranks().rank() == 0) check_outputs(verb);
    format = checked_format(verb);
    model = read_model(verb.model);
    Settings settings;
    if (!verb.source.what.empty()) settings.emplace_back("data.source", verb.source.what);
    settings.insert(settings.end(), verb.source.stated.begin(), verb.source.stated.end());
    dataset = load_for_prediction(model, settings, globals.data_dir);
    tell_notes(dataset, globals);
  });
  verb.method = model.config->model;
  if (verb.dry_run) return print_plan(dataset, dataset.is_set(), verb.method);
  if (ranks().size() > 1) {
    check_same_training(dataset);
    model.config->run.comm = &ranks();
    if (ranks().rank() > 0) return void(predict(model, dataset));
  }
  const Stopwatch watch;
  Embedded embedded{predict(model, dataset).representation};
  embedded.seconds = watch.seconds();
  finish(verb, globals, format, dataset, dataset.is_set() ? Level::graph : Level::node, embedded);
}

void run(EmbedVerb& verb, const Globals& globals) {
  if (!verb.model.empty()) return run_model(verb, globals);
  if (ranks().size() > 1) {
    ranks().set_failed_together();
    fail_usage("embed is divided among ranks with --model alone; start a method once");
  }
  Settings file = verb.file.empty() ? Settings() : read_config_file(verb.file);
  verb.method = method_of(verb, file);
  const EmbeddingMethod& method = find_embedding_method(verb.method);
  const std::unique_ptr<Embedding> embedding = configured(method, verb, file, globals);
  if (verb.show_config) return print_config(method, *embedding, globals.json);
  check_outputs(verb);
  const EmbeddingFormat format = checked_format(verb);
  const bool nodes = method.level == Level::node;
  if (verb.source.what.empty()) verb.source.what = nodes ? "karate" : "triads";
  const Dataset dataset = verb.source.load(globals);
  if (verb.dry_run) return print_plan(dataset, !nodes, method.name);
  const Stopwatch watch;
  Embedded embedded;
  if (verb.fit_on.empty()) {
    embedded.z = embed(dataset, method, *embedding);
  } else {
    GraphSource fitted = verb.source;
    fitted.what = verb.fit_on;
    embedded.z = embed_unseen(fitted.load(globals), dataset, *embedding);
  }
  embedded.seconds = watch.seconds();
  finish(verb, globals, format, dataset, method.level, embedded);
}

std::string methods_text() {
  TextTable table{{{""}, {""}, {""}, {""}}, {}};
  for (const EmbeddingMethod& method : embedding_methods())
    table.rows.push_back({std::string("  ") + method.name, name_of(method.level) + "s",
                          method.summary, method.paper});
  return text_of(table);
}

void add_probe_options(CLI::App& command, EmbedVerb& verb) {
  command.option_defaults()->group("Evaluation");
  command.add_flag("--evaluate", verb.evaluate,
                   "fit a logistic regression on training items and print its test accuracy");
  command
      .add_option("--seeds", verb.probe.seeds, "number of splits, or rounds of cross-validation")
      ->type_name("N")
      ->transform(decimal());
  command.add_option("--folds", verb.probe.split.folds, "cross-validation folds (sets of graphs)")
      ->type_name("N")
      ->transform(decimal());
  command
      .add_option("--split", verb.probe.split.name,
                  "auto (the user's own of a table or file, else random), random, sklearn:N (sets "
                  "of graphs: the folds of scikit-learn with random_state N), or "
                  "a prefix of the names of the dataset's own splits: public")
      ->type_name("NAME");
  command
      .add_option("--regularisation", verb.probe.regression.c,
                  "inverse regularisation strength C of the logistic regression")
      ->type_name("C");
  command.add_flag("!--no-scale", verb.probe.regression.standardise,
                   "do not standardise the vectors by the training items");
  command.option_defaults()->group("Options");
}

}  // namespace

Action add_embed(CLI::App& command, const Globals& globals) {
  const auto verb = std::make_shared<EmbedVerb>();
  verb->source.what = "karate or triads";
  add_graph_options(command, verb->source);
  command
      .add_option("-m,--method", verb->method,
                  "embedding method: one of those below (default: node2vec)")
      ->type_name("NAME");
  command
      .add_option("-c,--config", verb->file,
                  "TOML file with the method and its options, as --show-config prints them")
      ->type_name("FILE");
  command.add_option("--model", verb->model, "write the representations of a trained run instead")
      ->type_name("RUN");
  command
      .add_option("-o,--output", verb->output,
                  "output file: .npy (with a file of ids), .npz, .csv, .tsv, or .txt (word2vec)")
      ->type_name("FILE");
  command
      .add_option_function<std::string>(
          "-f,--format",
          [verb](const std::string& word) {
            verb->format = embedding_format_of(word == "word2vec" ? ".vec" : "." + word);
          },
          "npy, npz, csv, tsv or word2vec (default: by the extension)")
      ->type_name("FORMAT");
  command
      .add_option_function<std::string>(
          "-d,--dimension",
          [verb](const std::string& text) {
            verb->flags.emplace_back("--dimension", Setting("dimension", text));
          },
          "dimension of the vectors")
      ->type_name("N");
  add_set_flag(command, verb->sets,
               "change an option of the method; may be repeated; --show-config lists all");
  add_option_flag(
      command, "--variant",
      choice("variant", verb->variant,
             "the method as published, or as implemented by the Python package karateclub, to "
             "reproduce tables made with it"));
  command.add_flag_callback(
      "--fast-unordered",
      [verb] { verb->flags.emplace_back("--fast-unordered", Setting("unordered", true)); },
      "lock-free updates by all threads: faster, but not reproducible");
  command
      .add_option("--fit-on", verb->fit_on,
                  "fit on these graphs, then embed those of DATA (graph2vec)")
      ->type_name("DATA");
  command.add_flag("--show-config", verb->show_config,
                   "print the options of the method, then stop");
  add_force_flag(command, verb->force);
  command.add_flag("-n,--dry-run", verb->dry_run, "load and check the data, then stop");
  add_probe_options(command, *verb);
  command.footer(
      "  mgnn embed cora --method node2vec -o z.npy --evaluate\n"
      "  mgnn embed edges.txt --method hope --set similarity=rooted-pagerank -o z.csv\n"
      "  mgnn embed mutag --method graph2vec --evaluate --seeds 1\n"
      "  mgnn embed --method deepwalk --show-config\n"
      "  mgnn embed --model runs/x -o z.npy\n\n" +
      methods_text());
  const CLI::Option* data = command.get_option("DATA");
  const CLI::Option* seed = command.get_parent()->get_option("--seed");
  return [verb, data, seed, &globals] {
    if (data->count() == 0) verb->source.what.clear();
    verb->states_seed = seed->count() > 0;
    run(*verb, globals);
  };
}

}  // namespace mgnn
