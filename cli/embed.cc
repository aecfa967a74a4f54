#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/graph_options.h"
#include "cli/verb.h"
#include "mgnn/base/clock.h"
#include "mgnn/base/file.h"
#include "mgnn/base/human.h"
#include "mgnn/base/toml.h"
#include "mgnn/data/embedding_file.h"
#include "mgnn/task/predict.h"
#include "mgnn/task/probe.h"

namespace mgnn {
namespace {

enum class Variant { paper, karateclub };

struct EmbedVerb {
  GraphSource source;
  std::string method = "node2vec", fit_on;
  std::string model;  // a trained run, instead of a method
  Variant variant = Variant::paper;
  std::vector<std::string> settings;
  std::optional<int64_t> dimension;
  bool unordered = false, show_config = false;
  std::string output;
  std::optional<EmbeddingFormat> format;
  bool force = false, dry_run = false;
  bool evaluate = false;
  ProbeOptions probe;
};

// The method with everything set that the flags say.
std::unique_ptr<Embedding> configured(const EmbeddingMethod& method, const EmbedVerb& verb,
                                      const Globals& globals) {
  const bool as_published = verb.variant == Variant::paper;
  if (!as_published && !method.make_karateclub)
    fail_usage("--variant: {} has no karateclub variant", method.name);
  std::unique_ptr<Embedding> embedding = as_published ? method.make() : method.make_karateclub();
  const Options options = embedding->options();
  const auto set = [&](const std::string& name, const std::string& value, const char* flag) {
    for (const Option& option : options)
      if (option.name == name) return option.set(value);
    fail_usage("{}: {} has no option {}", flag, method.name, name);
  };
  set("seed", std::to_string(globals.seed), "--seed");
  if (verb.dimension) set("dimension", std::to_string(*verb.dimension), "--dimension");
  if (verb.unordered) set("unordered", "true", "--fast-unordered");
  for (const std::string& assignment : verb.settings) set_option(options, assignment);
  return embedding;
}

void print_config(const EmbeddingMethod& method, Embedding& embedding, bool json) {
  if (json) {
    nlohmann::ordered_json all = {{"method", method.name}};
    for (const Option& option : embedding.options()) all[option.name] = toml_of(option.get());
    return print_json(all);
  }
  TextTable table{{{""}, {""}, {""}}, {}};
  for (const Option& option : embedding.options())
    table.rows.push_back({option.name, "= " + toml_of(option.get()), "# " + option.help});
  print("method = \"" + std::string(method.name) + "\"\n" + text_of(table));
}

void check_outputs(const EmbedVerb& verb) {
  if (verb.output.empty() && !verb.evaluate)
    fail_usage("nothing to do: say where to write with -o FILE, or --evaluate, or both");
  if (verb.output.empty() || verb.output == "-") return;
  check_overwrite(verb.output, verb.force);
  if (verb.output.ends_with(".npy")) check_overwrite(ids_path(verb.output), verb.force);
}

struct Found {
  Matrix z = {};
  double seconds = 0;
  std::optional<Probe> probe = {};
};

nlohmann::ordered_json json_of(const EmbedVerb& verb, const Dataset& dataset, const Found& found) {
  nlohmann::ordered_json json = {
      {"method", verb.method},
      {"variant", verb.variant == Variant::paper ? "paper" : "karateclub"},
      {"dataset", dataset.name},
      {"rows", found.z.rows},
      {"dimension", found.z.cols},
      {"seconds", found.seconds},
      {"peak_memory_bytes", peak_memory_bytes()}};
  if (!verb.output.empty()) json["path"] = verb.output;
  if (found.probe)
    json["test"] = {{"metric", "accuracy"},
                    {"split", verb.probe.split.name},
                    {"standardised", verb.probe.regression.standardise},
                    {"mean", found.probe->test().mean},
                    {"std", found.probe->test().std},
                    {"runs", found.probe->accuracy}};
  return json;
}

std::string probe_sentence(const EmbedVerb& verb, const Dataset& dataset, const Probe& probe) {
  std::string how = fmt::format("{} {} splits", verb.probe.seeds, verb.probe.split.name);
  if (dataset.is_set())
    how = fmt::format("{} folds, {}", probe.accuracy.size(), verb.probe.split.name);
  return fmt::format("logistic regression on {} features: test accuracy {:.4f} ± {:.4f} ({})\n",
                     verb.probe.regression.standardise ? "standardised" : "raw", probe.test().mean,
                     probe.test().std, how);
}

void print_found(const EmbedVerb& verb, const Dataset& dataset, const Found& found) {
  const std::string made = fmt::format(
      "{} vectors of {} numbers by {}{} in {}, {} of memory\n", human_count(found.z.rows),
      found.z.cols, verb.method, verb.variant == Variant::karateclub ? " (karateclub variant)" : "",
      human_seconds(found.seconds), human_bytes(peak_memory_bytes()));
  print(verb.output.empty() ? made : "wrote " + verb.output + ": " + made);
  if (found.probe) print(probe_sentence(verb, dataset, *found.probe));
}

EmbeddingFormat checked_format(const EmbedVerb& verb) {
  const EmbeddingFormat format = verb.format || verb.output.empty()
                                     ? verb.format.value_or(EmbeddingFormat::npy)
                                     : embedding_format_of(verb.output);
  if (verb.output == "-" && (format == EmbeddingFormat::npy || format == EmbeddingFormat::npz))
    fail_usage("-o -: only text goes to standard output; use --format csv, tsv or word2vec");
  return format;
}

// Vectors are made; what is left is to keep, to judge and to tell.
void finish(EmbedVerb& verb, const Globals& globals, EmbeddingFormat format, const Dataset& dataset,
            bool nodes, Found& found) {
  if (!verb.output.empty())
    write_embedding(verb.output, format, found.z, nodes ? dataset.ids : NodeIds(), verb.force);
  verb.probe.seed = globals.seed;
  if (verb.evaluate) found.probe = probe(found.z, dataset, verb.probe);
  if (verb.output == "-") return;
  if (globals.json) return print_json(json_of(verb, dataset, found));
  print_found(verb, dataset, found);
}

// What the last linear layers of a trained network are given.
void run_model(EmbedVerb& verb, const Globals& globals) {
  check_outputs(verb);
  const EmbeddingFormat format = checked_format(verb);
  TrainedModel model = read_model(verb.model);
  Settings settings;
  if (!verb.source.what.empty()) settings.emplace_back("data.source", verb.source.what);
  if (!verb.source.options.nodes.empty())
    settings.emplace_back("data.nodes", verb.source.options.nodes);
  const Dataset dataset = load_for_prediction(model, settings, globals.data_dir);
  verb.method = model.config->model;
  const Stopwatch watch;
  Found found{predict(model, dataset).representation};
  found.seconds = watch.seconds();
  finish(verb, globals, format, dataset, !dataset.is_set(), found);
}

void run(EmbedVerb& verb, const Globals& globals) {
  if (!verb.model.empty()) return run_model(verb, globals);
  const EmbeddingMethod& method = find_embedding_method(verb.method);
  const std::unique_ptr<Embedding> embedding = configured(method, verb, globals);
  if (verb.show_config) return print_config(method, *embedding, globals.json);
  check_outputs(verb);
  const EmbeddingFormat format = checked_format(verb);
  if (verb.source.what.empty()) verb.source.what = method.nodes ? "karate" : "triads";
  const Dataset dataset = verb.source.load(globals);
  if (verb.dry_run)
    return print(fmt::format("would embed the {} of {} by {}\n",
                             method.nodes ? human_count(dataset.graph.num_nodes()) + " nodes"
                                          : human_count(dataset.num_graphs()) + " graphs",
                             dataset.name, method.name));
  const Stopwatch watch;
  Found found;
  if (verb.fit_on.empty()) {
    found.z = embed(dataset, method, *embedding);
  } else {
    GraphSource fitted = verb.source;
    fitted.what = verb.fit_on;
    found.z = embed_unseen(fitted.load(globals), dataset, *embedding);
  }
  found.seconds = watch.seconds();
  finish(verb, globals, format, dataset, method.nodes, found);
}

std::string methods_text() {
  TextTable table{{{""}, {""}, {""}, {""}}, {}};
  for (const EmbeddingMethod& method : embedding_methods())
    table.rows.push_back({std::string("  ") + method.name, method.nodes ? "nodes" : "graphs",
                          method.summary, method.paper});
  return text_of(table);
}

void add_probe_options(CLI::App& command, EmbedVerb& verb) {
  command.option_defaults()->group("Evaluation");
  command.add_flag("--evaluate", verb.evaluate,
                   "fit a logistic regression on training items, print its accuracy on test items");
  command.add_option("--seeds", verb.probe.seeds, "splits, or rounds of cross-validation")
      ->type_name("N");
  command.add_option("--folds", verb.probe.split.folds, "of a set of graphs")->type_name("N");
  command
      .add_option(
          "--split", verb.probe.split.name,
          "random, sklearn:N (of graphs: the folds of scikit-learn with random_state N), or "
          "the beginning of the name of the data's own: public")
      ->type_name("NAME");
  command.add_option("--regularisation", verb.probe.regression.c, "C of the logistic regression")
      ->type_name("C");
  command.add_flag("!--no-scale", verb.probe.regression.standardise,
                   "use features as they are, instead of standardised by training items");
  command.option_defaults()->group("Options");
}

}  // namespace

Action add_embed(CLI::App& command, const Globals& globals) {
  const auto verb = std::make_shared<EmbedVerb>();
  verb->source.what = "karate or triads";
  add_graph_options(command, verb->source);
  command.add_option("-m,--method", verb->method, "one of those below")->type_name("NAME");
  command
      .add_option("--model", verb->model,
                  "a trained run: its representations, instead of a method's")
      ->type_name("RUN");
  command
      .add_option("-o,--output", verb->output,
                  "file to write: .npy (ids beside it), .npz, .csv, .tsv, or .txt as word2vec")
      ->type_name("FILE");
  command
      .add_option_function<std::string>(
          "-f,--format",
          [verb](const std::string& word) {
            verb->format = embedding_format_of(word == "word2vec" ? ".vec" : "." + word);
          },
          "npy, npz, csv, tsv or word2vec (default: by the ending)")
      ->type_name("FORMAT");
  command
      .add_option_function<int64_t>(
          "-d,--dimension", [verb](int64_t d) { verb->dimension = d; }, "numbers in a vector")
      ->type_name("N");
  command.add_option("--set", verb->settings, "an option of the method; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_choice<Variant>(
      command, "--variant", verb->variant,
      {{"paper", Variant::paper}, {"karateclub", Variant::karateclub}},
      "the method of its paper, or what the Python package karateclub does instead: "
      "only to reproduce tables made with it");
  command.add_flag(
      "--fast-unordered", verb->unordered,
      "threads learn without waiting for each other: faster, but the result is not the "
      "same every time");
  command
      .add_option("--fit-on", verb->fit_on,
                  "graph2vec: learn from these graphs, then embed those of DATA")
      ->type_name("DATA");
  command.add_flag("--show-config", verb->show_config, "print the method's options and stop");
  command.add_flag("--force", verb->force, "replace a file that is there");
  command.add_flag("-n,--dry-run", verb->dry_run, "read and check, but do nothing");
  add_probe_options(command, *verb);
  command.footer(
      "  mgnn embed cora --method node2vec -o z.npy --evaluate\n"
      "  mgnn embed edges.txt --method hope --set similarity=rooted-pagerank -o z.csv\n"
      "  mgnn embed mutag --method graph2vec --evaluate --seeds 1\n"
      "  mgnn embed --method deepwalk --show-config\n"
      "  mgnn embed --model runs/x -o z.npy\n\n" +
      methods_text());
  const CLI::Option* data = command.get_option("DATA");
  return [verb, data, &globals] {
    if (data->count() == 0) verb->source.what.clear();
    run(*verb, globals);
  };
}

}  // namespace mgnn
