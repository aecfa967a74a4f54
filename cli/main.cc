// mgnn <verb> DATA [flags]: the list of verbs, the global flags, and the one place that catches.
#include <fcntl.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>

#include "cli/hints.h"
#include "cli/option_flags.h"
#include "cli/ranks.h"
#include "cli/usage.h"
#include "cli/verb.h"
#include "cli/version.h"
#include "mgnn/base/cpu.h"
#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/mapping.h"
#include "mgnn/base/memory.h"
#include "mgnn/base/parallel.h"
#include "mgnn/base/progress.h"

namespace mgnn {

std::span<const Verb> verbs() {
  static constexpr std::array kVerbs = {
      Verb{"demo", "Show what mgnn does, on embedded data", add_demo},
      Verb{"info", "Summarise a graph or dataset", add_info},
      Verb{"census", "Count the thirteen motifs of a graph", add_census, true},
      Verb{"motifs", "Write the motif matrices of a graph", add_motifs, true},
      Verb{"train", "Train a network and test it", add_train, true},
      Verb{"predict", "Apply a trained network to its own or to other data", add_predict, true},
      Verb{"explain", "Say why: shares of motifs, neighbours, instances, features", add_explain},
      Verb{"rank", "Rank the likeliest missing links of a graph", add_rank, true},
      Verb{"plan", "Foresee what counting on several ranks needs", add_plan},
      Verb{"launch", "Run a verb on several ranks, again where one dies", add_launch},
      Verb{"serve", "Answer over HTTP, with a page to explore", add_serve},
      Verb{"inspect", "Describe a trained network", add_inspect},
      Verb{"search", "Tune hyper-parameters on validation data", add_search, true},
      Verb{"compare", "Train several networks on the same splits and compare them", add_compare,
           true},
      Verb{"reproduce", "Reproduce the paper's tables and figures", add_reproduce},
      Verb{"embed", "Embed nodes or graphs by an unsupervised method", add_embed, true},
      Verb{"convert", "Write a graph or dataset in another format", add_convert},
      Verb{"generate", "Generate a random or embedded graph", add_generate},
      Verb{"datasets", "List the datasets known by name", add_datasets},
      Verb{"download", "Download a dataset into the cache", add_download},
      Verb{"doctor", "Show what this machine and this build have", add_doctor},
      Verb{"completion", "Print a completion script for a shell", add_completion},
      Verb{"help", "Show help for a verb", add_help},
  };
  return kVerbs;
}

namespace {

int64_t bytes_of(const std::string& size) {
  const auto bytes = parse_bytes(size);
  if (!bytes || *bytes == 0)
    fail_usage("--max-memory is {}, which is not a size; use a number with K, M, G or T, as 4G",
               in_quotes(size));
  return *bytes;
}

void add_globals(CLI::App& root, Globals& globals) {
  root.add_option("-j,--threads", globals.threads, "threads to use; 0: all cores")
      ->type_name("N")
      ->envname("MGNN_THREADS")
      ->transform(decimal())
      ->check(CLI::Range(0, 1024).description(""));
  add_option_flag(root, "-s,--seed", option("seed", globals.seed, "seed of all random numbers"))
      ->envname("MGNN_SEED");
  root.add_option("--data-dir", globals.data_dir,
                  "folder with datasets, searched before MGNN_DATA_DIR and the cache")
      ->type_name("DIR");
  root.add_option_function<std::string>(
          "--max-memory",
          [&globals](const std::string& size) { globals.max_memory = bytes_of(size); },
          "memory to use at most, as 500M or 4G; default: what there is")
      ->type_name("SIZE")
      ->envname("MGNN_MAX_MEMORY");
  add_option_flag(root, "--max-nodes",
                  option("--max-nodes", globals.max_nodes,
                         "nodes that a graph file may claim in its header without naming them "
                         "(default: 4194304)"));
  root.add_flag("--json", globals.json, "print one JSON object");
  root.add_flag("-q,--quiet", globals.quiet, "no progress, no warnings");
  root.add_flag("--strict", globals.strict,
                "stop where columns or values were guessed, left out or not used");
  root.add_flag("-v,--verbose", globals.verbose, "verbose output; twice: debug output");
  root.add_option("--log-level", globals.log_level, "trace, debug, info, warn, error or off")
      ->type_name("LEVEL")
      ->envname("MGNN_LOG_LEVEL");
}

spdlog::level::level_enum log_level(const Globals& globals) {
  const std::vector<std::string> known = {"trace", "debug", "info", "warn", "error", "off"};
  if (std::find(known.begin(), known.end(), globals.log_level) == known.end())
    fail_usage(
        "--log-level: unknown level {}; {}", in_quotes(globals.log_level),
        did_you_mean(globals.log_level, known, "use trace, debug, info, warn, error or off"));
  if (globals.quiet) return spdlog::level::err;
  if (globals.verbose > 0) return globals.verbose > 1 ? spdlog::level::debug : spdlog::level::info;
  return spdlog::level::from_str(globals.log_level);
}

void check_instruction_set() {
  const char* const wanted = std::getenv("MGNN_ISA");
  std::vector<std::string> known;
  for (const auto set : {InstructionSet::generic, InstructionSet::avx2, InstructionSet::avx512})
    known.emplace_back(name_of(set));
  if (wanted && *wanted && std::find(known.begin(), known.end(), wanted) == known.end())
    fail_usage("MGNN_ISA: unknown instruction set {}; {}", in_quotes(wanted),
               did_you_mean(wanted, known, "use generic, avx2 or avx512"));
}

// What estimates do not foresee ends as std::bad_alloc instead of being taken. Estimates leave the
// margin to what is there before the first of them: libraries, stacks of threads.
void limit_memory(int64_t bytes) {
  set_memory_limit(bytes);
  constexpr rlim_t kMargin = 64 << 20;
  rlimit limit{};
  if (bytes == 0 || getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur = std::min(limit.rlim_cur, rlim_t(bytes) + kMargin);
  setrlimit(RLIMIT_DATA, &limit);
}

void apply(const Globals& globals) {
  check_instruction_set();
  const bool colour = wants_colour(stderr);
  const auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_st>(
      colour ? spdlog::color_mode::automatic : spdlog::color_mode::never);
  spdlog::set_default_logger(std::make_shared<spdlog::logger>("mgnn", sink));
  spdlog::set_pattern("%n: %^%l%$: %v");
  spdlog::set_level(log_level(globals));
  show_progress(isatty(STDERR_FILENO) && !globals.quiet);
  limit_memory(globals.max_memory);
  set_max_claimed_nodes(globals.max_nodes);
  set_num_threads(globals.threads);
  catch_interrupts();
  catch_shrinking_files();
}

int complain(ErrorKind kind, const std::string& message) {
  if (!is_told_here(kind, message)) return 0;  // rank 0 says so, and is not killed before it does
  const char* red = wants_colour(stderr) ? "\033[31m" : "";
  const char* plain = wants_colour(stderr) ? "\033[0m" : "";
  print_to_stderr(fmt::format("{}mgnn:{} {}\n", red, plain, message));
  return int(kind);
}

// There may be too little memory to say so.
int complain_of_memory() noexcept {
  try {
    const MemoryLimit limit = tightest_memory_limit();
    return complain(
        ErrorKind::failed,
        fmt::format("not enough memory: there is {} left (by {}); use less data, smaller "
                    "settings, fewer threads (-j) or a machine with more memory",
                    human_bytes(limit.available), limit.source));
  } catch (const std::exception&) {
    constexpr std::string_view kText =
        "mgnn: not enough memory: nothing is left; use a machine with more memory\n";
    (void)!write(STDERR_FILENO, kText.data(), kText.size());
    return int(ErrorKind::failed);
  }
}

// A file that is opened where a standard stream is closed would get its number, and then what is
// printed. Nobody need read stderr; but what is computed would be lost without standard output.
void check_standard_streams() {
  const bool closed = fcntl(STDOUT_FILENO, F_GETFD) < 0;
  int fd = 0;
  while (fd >= 0 && fd <= STDERR_FILENO) fd = open("/dev/null", O_RDWR);
  if (fd >= 0) close(fd);
  if (closed) fail("standard output is closed; send it to a file or to /dev/null");
}

int run(int argc, char** argv) {
  check_standard_streams();
  Globals globals;
  globals.command = "mgnn";
  for (int i = 1; i < argc; i++) globals.command += " " + shell_quoted(argv[i]);
  bool version = false;
  CLI::App root("Motif graph neural networks: graphs, motifs, models", "mgnn");
  root.option_defaults()->always_capture_default();
  root.formatter_fn(
      [](const CLI::App* app, const std::string&, CLI::AppFormatMode) { return help_text(*app); });
  root.set_help_flag("-h,--help", "show this help");
  root.require_subcommand(0, 1);
  root.fallthrough();
  root.add_flag("-V,--version", version, "show version, compiler, instruction sets, components");
  add_globals(root, globals);
  root.footer("  mgnn demo\n  mgnn info edges.txt\n  mgnn help info");
  std::vector<Action> actions;
  for (const Verb& verb : verbs()) {
    CLI::App* command = root.add_subcommand(verb.name, verb.summary);
    actions.push_back(verb.add(*command, globals));
  }
  try {
    root.parse(reversed_arguments(argc, argv));
    apply(globals);
    if (version) {
      print_version(globals.json);
      return 0;
    }
    for (size_t i = 0; i < actions.size(); i++)
      if (root.got_subcommand(verbs()[i].name)) {
        join_ranks(verbs()[i], globals);
        actions[i]();
        return 0;
      }
    print_to_stderr(help_text(root));
    return int(ErrorKind::usage);
  } catch (const CLI::CallForHelp&) {
    const auto given = root.get_subcommands();
    print(help_text(given.empty() ? root : *given.front()));
    return 0;
  } catch (const CLI::ParseError& error) {
    return complain(ErrorKind::usage, usage_error(root, error));
  }
}

}  // namespace
}  // namespace mgnn

namespace {

int run_and_complain(int argc, char** argv) {
  using mgnn::ErrorKind;
  try {
    return mgnn::run(argc, argv);
  } catch (const mgnn::Error& error) {
    const std::string hint = mgnn::hint_text(error.hint());
    return mgnn::complain(error.kind(), error.what() + (hint.empty() ? "" : "; " + hint));
  } catch (const std::bad_alloc&) {
    return mgnn::complain_of_memory();
  } catch (const std::length_error&) {  // of an array that no machine could hold
    return mgnn::complain_of_memory();
  } catch (const std::exception& error) {
    return mgnn::complain(ErrorKind::failed, fmt::format("unexpected failure: {}", error.what()));
  } catch (...) {
    return mgnn::complain(ErrorKind::failed, "unexpected failure of an unknown kind");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int exit_code = run_and_complain(argc, argv);
  mgnn::leave_ranks();
  return exit_code;
}
