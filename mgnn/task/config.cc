#include "mgnn/task/config.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "mgnn/base/file.h"
#include "mgnn/data/feature_columns.h"
#include "mgnn/data/features.h"
#include "mgnn/task/profiles.h"

namespace mgnn {
namespace {

Options data_options(DataConfig& d) {
  LoadOptions& load = d.load;
  EdgeListOptions& list = load.edge_list;
  return {
      option("source", d.source, "a dataset's name, a graph file or a folder"),
      option("undirected", load.build.symmetrise, "add the reverse of every arc"),
      option("largest_component", load.build.largest_component,
             "keep only the largest weakly connected component"),
      option("nodes", load.nodes, "CSV or TSV with a header, joined to the graph by id"),
      option("id_column", load.id_column, "id in the node table (default: id)"),
      option("label_column", load.label_column, "class (default: label)"),
      option("type_column", load.type_column, "node type (default: type)"),
      option("split_column", load.split_column, "train, validation or test (default: split)"),
      option("feature_columns", load.feature_columns,
             "features (default: all other numeric columns)"),
      option("features", d.features,
             "own (those of the data), of them attributes or labels, or made: degree-profile, "
             "one-hot-degree, constant, random, identity"),
      option("standardise", d.standardise,
             "measured columns to mean 0 and variance 1 over the graph, or the training graphs"),
      option("split", d.split,
             "random, sklearn:N (of graphs: the folds that scikit-learn draws with random_state N, "
             "for every seed), the name of one of the data's own, or public-test (validation and "
             "test nodes drawn from those that split public tests on)"),
      option("folds", d.folds, "of graphs where the split is random: one test, one validation"),
      option("num_validation", d.num_validation, "items of a random split; 0: 500, or a quarter"),
      option("num_test", d.num_test, "items of a random split; 0: 500, or a quarter"),
      choice<char>(
          "separator", list.separator,
          {{"auto", '\0'}, {"tab", '\t'}, {"comma", ','}, {"semicolon", ';'}, {"blank", ' '}},
          "what stands between the columns of an edge list"),
      choice<IdKind>(
          "ids", list.ids,
          {{"auto", IdKind::automatic}, {"integer", IdKind::integer}, {"string", IdKind::string}},
          "what node ids are"),
      choice<HeaderLine>("header", list.header,
                         {{"auto", HeaderLine::automatic},
                          {"yes", HeaderLine::present},
                          {"no", HeaderLine::absent}},
                         "whether the first line of an edge list names the columns"),
      option("trim", list.trim, "drop blanks around ids"),
      option("from_column", list.from_column, "arcs begin here: a column's name or number"),
      option("to_column", list.to_column, "arcs end here"),
      option("relation_column", list.relation_column, "type of the arc"),
      option("weight_column", list.weight_column, "weight of the arc"),
  };
}

Option seed_option(uint64_t& at) {
  return {"seed", "of everything random", "N", [&at] { return std::to_string(at); },
          [&at](std::string_view text) {
            int64_t value = 0;
            option("seed", value, "").set(text);
            at = uint64_t(value);
          }};
}

std::string toml_text(const toml::node& node) {
  if (const auto* text = node.as_string()) return toml_quoted(text->get());
  std::string result;
  if (const auto* array = node.as_array()) {
    for (const toml::node& item : *array) result += (result.empty() ? "" : ", ") + toml_text(item);
    return "[" + result + "]";
  }
  std::ostringstream text;
  node.visit([&](const auto& value) { text << value; });
  return text.str();
}

void flatten(const toml::table& table, const std::string& prefix, std::vector<std::string>& to) {
  for (const auto& [key, value] : table) {
    const std::string name = prefix + std::string(key.str());
    if (const auto* inner = value.as_table())
      flatten(*inner, name + ".", to);
    else
      to.push_back(name + "=" + toml_text(value));
  }
}

// The last value given to a setting, or `otherwise`.
std::string last_value(const std::vector<const std::vector<std::string>*>& layers,
                       std::string_view key, std::string otherwise) {
  for (const std::vector<std::string>* layer : layers)
    for (const std::string& assignment : *layer)
      if (assignment.starts_with(key) && assignment.size() > key.size() &&
          assignment[key.size()] == '=')
        otherwise = toml_unquoted(assignment.substr(key.size() + 1));
  return otherwise;
}

std::string lower(std::string text) {
  for (char& c : text) c = char(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Profiles are of classification. Without labels there is little to overfit: nothing is dropped or
// decayed unless asked for.
void set_unsupervised_defaults(const Options& options) {
  for (const Option& one : options)
    if ((one.name.starts_with("model.") && one.name.ends_with("dropout")) ||
        one.name == "train.weight_decay")
      one.set("0");
}

}  // namespace

Options Config::options() {
  Options all = {
      choice<std::string>("task", task,
                          {{"auto", "auto"},
                           {"node", "node"},
                           {"graph", "graph"},
                           {"link", "link"},
                           {"unsupervised", "unsupervised"}},
                          "what to learn; auto: what the data have labels for, else links"),
      option("profile", profile, "settings found good: auto, none, published, tuned, paper, fair"),
      seed_option(seed),
      option("seeds", seeds, "repetitions, with seeds one after the other"),
  };
  append(all, data_options(data), "data.");
  append(all, training_options(train), "train.");
  all.push_back(option("train.batch_size", batch_size, "graphs in a step, at most"));
  append(all, unsupervised_options(unsupervised), "unsupervised.");
  append(all, link_options(link), "link.");
  all.push_back(option("model.name", model, "the network"));
  if (network) append(all, network->options(), "model.");
  return all;
}

std::vector<std::string> read_config_file(const std::string& path) {
  const FileBytes bytes = map_file(path);
  return parse_config(bytes.view(), path);
}

std::vector<std::string> parse_config(std::string_view toml, const std::string& path) {
  std::vector<std::string> settings;
  try {
    flatten(toml::parse(toml, path), "", settings);
  } catch (const toml::parse_error& error) {
    fail_at(path, int64_t(error.source().begin.line), "{}", error.description());
  }
  return settings;
}

std::vector<std::string> environment_settings(const Options& options) {
  std::vector<std::string> settings;
  for (const Option& one : options) {
    std::string name = "MGNN_";
    for (const char c : one.name)
      name += c == '.' ? '_' : char(std::toupper(static_cast<unsigned char>(c)));
    if (const char* value = std::getenv(name.c_str())) settings.push_back(one.name + "=" + value);
  }
  return settings;
}

std::unique_ptr<Config> resolve_config(const ConfigLayers& layers) {
  const std::vector<const std::vector<std::string>*> all = {&layers.file, &layers.environment,
                                                            &layers.flags, &layers.sets};
  auto config = std::make_unique<Config>();
  config->model = last_value(all, "model.name", config->model);
  config->network = find_method(config->model).make();
  const std::string source = lower(last_value(all, "data.source", ""));
  const Options options = config->options();
  const std::string task = last_value(all, "task", config->task);
  const std::string profile = last_value(all, "profile", config->profile);
  if (profile == "auto" && task == "unsupervised")
    set_unsupervised_defaults(options);
  else
    for (const std::string& one : profile_settings(config->model, source, profile, task))
      set_option(options, one);
  for (const std::vector<std::string>* layer : all)
    for (const std::string& one : *layer) set_option(options, one);
  return config;
}

std::string toml_of(Config& config) {
  std::string text, section;
  for (const Option& one : config.options()) {
    const size_t dot = one.name.find('.');
    const std::string group = dot == std::string::npos ? "" : one.name.substr(0, dot);
    if (group != section) text += fmt::format("\n[{}]\n", section = group);
    text += fmt::format("{} = {}\n", one.name.substr(dot == std::string::npos ? 0 : dot + 1),
                        one.text());
  }
  return text;
}

std::unique_ptr<Model> new_network(const Config& config) {
  std::unique_ptr<Model> made = find_method(config.model).make();
  const Options from = config.network->options(), to = made->options();
  for (size_t i = 0; i < from.size(); i++) to[i].set(from[i].text());
  return made;
}

bool asks_for_links(const Config& config, const Dataset& dataset) {
  const bool question = !config.link.relation.empty() || !config.link.between.empty();
  return config.task == "link" ||
         (config.task == "auto" && !dataset.is_set() && (question || dataset.label.empty()));
}

Dataset load_for_training(const Config& config) {
  const DataConfig& data = config.data;
  Dataset dataset = load_dataset(data.source, data.load);
  const bool none = num_features(dataset.features) == 0;
  const auto& makers = feature_makers();
  const bool made = std::find(makers.begin(), makers.end(), data.features) != makers.end();
  if (asks_for_links(config, dataset) && (made || (data.features == "own" && none))) {
    // The task makes them, of the edges that it may see.
    dataset.features = {};
    dataset.feature_names.clear();
    dataset.num_attributes = 0;
    dataset.features_from = made ? data.features : "identity, since the data have no features";
    return dataset;
  }
  choose_features(dataset, data.features, Rng(config.seed));
  return dataset;
}

}  // namespace mgnn
