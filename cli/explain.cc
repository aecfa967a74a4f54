#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/notes.h"
#include "cli/option_flags.h"
#include "cli/verb.h"
#include "mgnn/base/file.h"
#include "mgnn/explain/explainer.h"
#include "mgnn/explain/explanation_text.h"

namespace mgnn {
namespace {

using Json = nlohmann::ordered_json;

struct ExplainVerb {
  std::string model, node, graph, class_name, output;
  std::vector<std::string> pair;
  ExplainOptions options = {};
  bool force = false;
};

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

void run(const ExplainVerb& verb, const Globals& globals) {
  const TrainedModel model = read_model(verb.model);
  const Dataset dataset = load_for_prediction(model, {}, globals.data_dir);
  tell_notes(dataset, globals);
  const Explainer explainer(model, dataset);
  const Explanation explanation = explainer.explain(question_of(verb), verb.options);
  if (globals.json) return print_json(json_of(explanation, dataset));
  print(emphasised(headline(explanation, dataset)) + "\n");
  for (const Block& block : blocks_of(explanation, dataset)) print_block(block);
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
  command
      .add_option("--class", verb->class_name,
                  "explain the logit of this class (default: the predicted one)")
      ->type_name("NAME");
  command.add_option("--top", verb->options.top, "length of the lists; 0: all")->type_name("K");
  return [verb, &globals] { run(*verb, globals); };
}

}  // namespace mgnn
