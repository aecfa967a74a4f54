#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/notes.h"
#include "cli/option_flags.h"
#include "cli/verb.h"
#include "mgnn/base/file.h"
#include "mgnn/explain/explainer.h"
#include "mgnn/explain/picture.h"
#include "mgnn/motif/census.h"

namespace mgnn {
namespace {

using Json = nlohmann::ordered_json;

struct ExplainVerb {
  std::string model, node, graph, class_name, output;
  std::vector<std::string> pair, motifs;
  ExplainOptions options = {};
  bool all = false, check = false, force = false;
  bool no_recount = false;
};

bool has_subject(const ExplainVerb& verb) {
  return !verb.node.empty() || !verb.graph.empty() || !verb.pair.empty();
}

void check_usage(const ExplainVerb& verb) {
  const int subjects = int(!verb.node.empty()) + int(!verb.graph.empty()) + int(!verb.pair.empty());
  if (subjects + int(verb.all) > 1)
    fail_usage("--node, --pair, --graph and --all exclude each other; use one of them");
  if (subjects == 0 && !verb.all && verb.class_name.empty())
    fail_usage("say what to explain: --node ID, --pair A,B, --graph ID, --class NAME or --all");
  if (verb.check && subjects == 0) fail_usage("--check needs --node, --pair or --graph");
  if (!verb.motifs.empty() && subjects == 0) fail_usage("--motifs needs --node, --pair or --graph");
  if (verb.options.top < 0) fail_usage("--top is {}; use 0 or more", verb.options.top);
}

Question question_of(const ExplainVerb& verb) {
  if (!verb.node.empty()) return {Subject::node, verb.node, "", verb.class_name};
  if (!verb.graph.empty()) return {Subject::graph, verb.graph, "", verb.class_name};
  return {Subject::pair, verb.pair[0], verb.pair[1], verb.class_name};
}

void print_block(const Block& block) {
  if (const auto* paragraph = std::get_if<Paragraph>(&block)) print("\n" + paragraph->text + "\n");
  if (const auto* table = std::get_if<TableBlock>(&block)) {
    print("\n" + emphasised(table->caption) + "\n");
    print(table->table);
  }
}

constexpr const char* kFormats[] = {".json", ".html", ".svg", ".png", ".graphml"};

void check_format(const std::string& path) {
  if (path.empty() || std::any_of(std::begin(kFormats), std::end(kFormats),
                                  [&](const char* end) { return path.ends_with(end); }))
    return;
  fail_usage("{}: write .json, .html, .svg, .png or .graphml", path);
}

std::string document(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string rendered(const std::string& path, const Explanation& e, const Dataset& dataset) {
  if (path.ends_with(".json")) return document(json_of(e, dataset));
  if (path.ends_with(".html")) return html_of(page_of(e, dataset));
  if (path.ends_with(".graphml")) return graphml_of(e, dataset);
  const Figure figure = picture_of(e, dataset);
  return path.ends_with(".png") ? png_of(figure) : svg_of(figure);
}

void explain_item(const ExplainVerb& verb, const Explainer& explainer, const Globals& globals) {
  const Dataset& dataset = explainer.dataset();
  const Question question = question_of(verb);
  const Explanation e = explainer.explain(question, verb.options);
  if (!verb.output.empty()) write_file(verb.output, rendered(verb.output, e, dataset), verb.force);
  Json json = globals.json ? json_of(e, dataset) : Json();
  if (!globals.json) {
    print(emphasised(headline(e, dataset)) + "\n");
    for (const Block& block : blocks_of(e, dataset)) print_block(block);
  }
  if (verb.check) {
    const SanityCheck sanity = explainer.check(question, globals.seed);
    if (globals.json)
      json["check"] = json_of(sanity);
    else
      print("\n" + text_of(sanity) + "\n");
  }
  if (globals.json) print_json(json);
}

// How much more frequent motifs are than in rewired graphs: "frequent" and "useful" are different things.
void add_census(const Dataset& dataset, const Globals& globals, Summary& summary) {
  constexpr int64_t kMaxArcs = 1'000'000;
  constexpr int kGraphs = 20;
  if (dataset.is_set() || dataset.graph.num_arcs() > kMaxArcs) return;
  const NullModel null = null_model(triad_census(dataset.graph).connected, Counting::induced,
                                    kGraphs, rewiring_null(dataset.graph, Rng(globals.seed)));
  for (const std::vector<int>& group : summary.groups) {
    double z = 0;
    for (const int motif : group)
      if (const double own = null.z_score[size_t(motif - 1)]; std::abs(own) > std::abs(z)) z = own;
    summary.z.push_back(z);
  }
}

void only_class(const std::string& name, Summary& summary) {
  const auto at = std::find(summary.classes.begin(), summary.classes.end(), name);
  if (at == summary.classes.end())
    fail_usage("there is no class {}; {}", in_quotes(name),
               did_you_mean(name, summary.classes, "see mgnn inspect"));
  for (size_t c = 0; c < summary.classes.size(); c++)
    if (summary.classes[c] != name) summary.items[c] = 0;
}

void explain_all(const ExplainVerb& verb, const Explainer& explainer, const Globals& globals) {
  Summary summary = explainer.summary();
  add_census(explainer.dataset(), globals, summary);
  if (!verb.class_name.empty()) only_class(verb.class_name, summary);
  const std::vector<Block> blocks = blocks_of(summary);
  const std::string title = "Shares of motifs in " + explainer.dataset().name;
  if (verb.output.ends_with(".json")) {
    write_file(verb.output, document(json_of(summary)), verb.force);
  } else if (verb.output.ends_with(".html")) {
    write_file(verb.output, html_of({title, verb.model, {{"By class", blocks}}}), verb.force);
  } else if (verb.output.ends_with(".svg") || verb.output.ends_with(".png")) {
    const auto& figure = std::get<Figure>(blocks.back());
    write_file(verb.output, verb.output.ends_with(".png") ? png_of(figure) : svg_of(figure),
               verb.force);
  } else if (!verb.output.empty()) {
    fail_usage("{}: an overview is written as .json, .html, .svg or .png", verb.output);
  }
  if (globals.json) return print_json(json_of(summary));
  print(emphasised(title) + "\n");
  for (const Block& block : blocks) print_block(block);
}

// "M5" or "5".
int motif_of(const std::string& text) {
  const std::string digits = text.starts_with('M') || text.starts_with('m') ? text.substr(1) : text;
  for (int k = 1; k <= kNumMotifs; k++)
    if (digits == std::to_string(k)) return k;
  fail_usage("--motifs: {} is not a motif; use M1 to M13", in_quotes(text));
}

void run(const ExplainVerb& given, const Globals& globals) {
  ExplainVerb verb = given;
  check_usage(verb);
  check_format(verb.output);
  if (!verb.output.empty()) check_writable(verb.output, verb.force);
  verb.options.seed = globals.seed;
  for (const std::string& motif : verb.motifs) verb.options.motifs.push_back(motif_of(motif));
  if (verb.no_recount) verb.options.fidelity = verb.options.counterfactual = false;
  const TrainedModel model = read_model(verb.model);
  const Dataset dataset = load_for_prediction(model, {}, globals.data_dir);
  tell_notes(dataset, globals);
  const Explainer explainer(model, dataset);
  if (has_subject(verb))
    explain_item(verb, explainer, globals);
  else
    explain_all(verb, explainer, globals);
}

}  // namespace

Action add_explain(CLI::App& command, const Globals& globals) {
  const auto verb = std::make_shared<ExplainVerb>();
  command.add_option("RUN", verb->model, "folder of a run, or its model file")->required();
  command.add_option("--node", verb->node, "explain what is predicted for this node")
      ->type_name("ID");
  command.add_option("--pair", verb->pair, "explain the score of this pair of nodes")
      ->type_name("A,B")
      ->delimiter(',')
      ->expected(2);
  command.add_option("--graph", verb->graph, "explain what is predicted for this graph of a set")
      ->type_name("ID");
  command.add_flag("--all", verb->all, "mean shares of motifs over all items, by predicted class");
  command
      .add_option(
          "--class", verb->class_name,
          "with an item: explain the logit of this class (default: the predicted one); alone: mean "
          "shares of items of this class")
      ->type_name("NAME");
  command.add_option("--top", verb->options.top, "length of the lists; 0: all")
      ->type_name("K")
      ->transform(decimal());
  command
      .add_option("--motifs", verb->motifs,
                  "list neighbours, instances and arcs of these motifs' matrices alone")
      ->type_name("M5,M8")
      ->delimiter(',');
  command.add_flag("--no-recount", verb->no_recount,
                   "leave out what needs counting anew: fidelity and the counterfactual");
  command.add_flag("--check", verb->check,
                   "also test that the explanation depends on the weights and not on node numbers");
  command
      .add_option("-o,--output", verb->output,
                  "also write this file: .json, .html, .svg, .png or .graphml (Cytoscape)")
      ->type_name("FILE");
  add_force_flag(command, verb->force);
  command.footer(
      "  mgnn explain runs/cora --node 1013 -o why.html\n"
      "  mgnn explain runs/dag --pair Disease::DOID:14330,Gene::6622 -o why.graphml\n"
      "  mgnn explain runs/mutag --graph 17 --check\n"
      "  mgnn explain runs/cora --all");
  return [verb, &globals] { run(*verb, globals); };
}

}  // namespace mgnn
