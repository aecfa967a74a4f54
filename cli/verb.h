// What every verb of the command line tool shares: the list, the global flags, and how to print.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Option.hpp>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "mgnn/base/options.h"
#include "mgnn/report/table.h"

namespace mgnn {

// Flags that are accepted before and after every verb.
struct Globals {
  int threads = 0;    // 0: all cores
  uint64_t seed = 0;  // of everything random
  bool json = false;
  bool quiet = false;
  bool strict = false;  // notes are errors
  int verbose = 0;
  std::string log_level = "warn";
  std::string data_dir;
  int64_t max_memory = 0;  // bytes; 0: what there is
  int64_t max_nodes = 0;   // that a header may claim; 0: the default
  std::string command;     // the whole line, as a shell takes it
};

// A verb adds its flags to `command` and gives back what to do once they are read.
using Action = std::function<void()>;
struct Verb {
  const char* name;
  const char* summary;
  Action (*add)(CLI::App& command, const Globals& globals);
  bool divided = false;  // several ranks do it together: see cli/ranks.h
};
std::span<const Verb> verbs();  // in the order of the help

Action add_census(CLI::App& command, const Globals& globals);
Action add_compare(CLI::App& command, const Globals& globals);
Action add_completion(CLI::App& command, const Globals& globals);
Action add_convert(CLI::App& command, const Globals& globals);
Action add_datasets(CLI::App& command, const Globals& globals);
Action add_demo(CLI::App& command, const Globals& globals);
Action add_doctor(CLI::App& command, const Globals& globals);
Action add_download(CLI::App& command, const Globals& globals);
Action add_embed(CLI::App& command, const Globals& globals);
Action add_explain(CLI::App& command, const Globals& globals);
Action add_generate(CLI::App& command, const Globals& globals);
Action add_help(CLI::App& command, const Globals& globals);
Action add_info(CLI::App& command, const Globals& globals);
Action add_launch(CLI::App& command, const Globals& globals);
Action add_motifs(CLI::App& command, const Globals& globals);
Action add_inspect(CLI::App& command, const Globals& globals);
Action add_plan(CLI::App& command, const Globals& globals);
Action add_predict(CLI::App& command, const Globals& globals);
Action add_rank(CLI::App& command, const Globals& globals);
Action add_reproduce(CLI::App& command, const Globals& globals);
Action add_search(CLI::App& command, const Globals& globals);
Action add_serve(CLI::App& command, const Globals& globals);
Action add_train(CLI::App& command, const Globals& globals);

// --force
void add_force_flag(CLI::App& command, bool& force);

std::vector<std::string> generator_kinds();  // of `generate`

// Data for standard output. Throws Error if writing fails.
void print(std::string_view text);
void print_to_stderr(std::string_view text);  // lost if nobody can read it
void print(const TextTable& table);           // in colour on a terminal
std::string shell_quoted(const std::string& word);
void print_json(const nlohmann::ordered_json& json);
nlohmann::ordered_json json_of(const Options& options);  // {"name": value, …}
std::string emphasised(const std::string& text);         // bold on a terminal

}  // namespace mgnn
