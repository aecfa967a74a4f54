#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/train_report.h"
#include "cli/verb.h"
#include "cli/version.h"
#include "experiments/experiments.h"
#include "experiments/settings.h"
#include "mgnn/base/clock.h"
#include "mgnn/base/file.h"
#include "mgnn/base/folder.h"
#include "mgnn/base/human.h"

namespace mgnn {
namespace {

struct ReproduceVerb {
  std::string name = "all", setting = "both", results = "results", output, report;
  std::optional<int64_t> seeds, epochs;
  std::vector<std::string> data;
  bool smallest = false, quick = false, full = false, force = false;
  bool markdown = false, csv = false, latex = false;
};

int64_t at_least_one(const char* flag, const std::optional<int64_t>& given) {
  if (given && *given < 1) fail_usage("{} is {}; use at least 1", flag, *given);
  return given.value_or(0);
}

StudyOptions study_options(const ReproduceVerb& verb, const Globals& globals) {
  StudyOptions options;
  options.size = verb.full ? Size::full : verb.smallest ? Size::smallest : Size::quick;
  if (verb.setting == "paper")
    options.settings = {Protocol::paper};
  else if (verb.setting == "fair")
    options.settings = {Protocol::fair};
  else if (verb.setting != "both")
    fail_usage("--setting: unknown setting {}; use paper, fair or both", in_quotes(verb.setting));
  options.seeds = at_least_one("--seeds", verb.seeds);
  options.epochs = at_least_one("--epochs", verb.epochs);
  options.data = verb.data;
  options.results = verb.results;
  options.data_dir = globals.data_dir;
  options.program = build_facts();
  return options;
}

// "Cora, setting paper" -> "cora-setting-paper"
std::string file_name(const std::string& caption) {
  std::string name;
  for (const char c : caption) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c));
    if (plain)
      name += char(std::tolower(static_cast<unsigned char>(c)));
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  while (name.ends_with('-')) name.pop_back();
  return name;
}

void write_files(const std::string& folder, const std::string& experiment, const Section& section) {
  make_folder(folder);
  const std::string begin = folder + "/" + experiment + "-";
  for (const Block& block : section.blocks) {
    if (const auto* table = std::get_if<TableBlock>(&block)) {
      const std::string path = begin + file_name(table->caption);
      write_file(path + ".txt", text_of(table->table));
      write_file(path + ".md", markdown_of(table->table));
      write_file(path + ".csv", csv_of(table->table));
      write_file(path + ".json", json_of(table->table) + "\n");
      write_file(path + ".tex", latex_of(table->table));
    }
    if (const auto* figure = std::get_if<Figure>(&block)) {
      const std::string path = begin + file_name(figure->name);
      write_file(path + ".svg", svg_of(*figure));
      if (has_png()) write_file(path + ".png", png_of(*figure));
    }
  }
}

void print_section(const ReproduceVerb& verb, const Section& section) {
  if (!verb.csv) print(emphasised(section.title + "\n"));
  for (const Block& block : section.blocks) {
    if (const auto* text = std::get_if<Paragraph>(&block); text && !verb.csv)
      print((verb.latex ? latex_escaped(text->text) : text->text) + "\n\n");
    const auto* table = std::get_if<TableBlock>(&block);
    if (!table || table->folded) continue;
    if (verb.csv) {
      print("# " + table->caption + "\n" + csv_of(table->table) + "\n");
    } else if (verb.latex) {
      print("% " + table->caption + "\n" + latex_of(table->table) + "\n");
    } else {
      print(table->caption + "\n\n");
      verb.markdown ? print(markdown_of(table->table)) : print(table->table);
      print("\n");
    }
  }
}

nlohmann::ordered_json json_of_all(const std::vector<std::pair<std::string, Section>>& done) {
  nlohmann::ordered_json json;
  for (const auto& [name, section] : done)
    for (const Block& block : section.blocks)
      if (const auto* table = std::get_if<TableBlock>(&block))
        json[name][table->caption] = nlohmann::ordered_json::parse(json_of(table->table));
  return json;
}

void run(const ReproduceVerb& verb, const Globals& globals) {
  std::vector<const Experiment*> chosen;
  for (const Experiment& one : experiments())
    if (verb.name == "all") chosen.push_back(&one);
  if (chosen.empty()) chosen.push_back(&find_experiment(verb.name));
  check_overwrite(verb.report, verb.force);
  Study study(study_options(verb, globals));
  check_data(study);
  const Stopwatch watch;
  std::vector<std::pair<std::string, Section>> done;
  for (const Experiment* one : chosen) {
    Section section = one->run(study);
    section.blocks.push_back(study.sources());
    if (!verb.output.empty()) write_files(verb.output, one->name, section);
    if (!globals.json) print_section(verb, section);
    done.emplace_back(one->name, std::move(section));
  }
  if (!verb.report.empty()) {
    Page page{
        "Motif graph neural networks, reproduced",
        fmt::format("{} · size {} · setting {}", verb.name, name_of(study.size()), verb.setting),
        {}};
    for (const auto& [name, section] : done) page.sections.push_back(section);
    page.sections.push_back(made_with(globals.command, ""));
    write_file(verb.report, html_of(page), verb.force);
  }
  if (globals.json) return print_json(json_of_all(done));
  if (!verb.csv && !verb.latex && !verb.markdown)
    print(fmt::format("{} results computed, {} found in {}; {}\n", study.computed(), study.found(),
                      verb.results, human_seconds(watch.seconds())));
}

std::string experiments_text() {
  TextTable table{{{""}, {""}}, {}};
  for (const Experiment& one : experiments())
    table.rows.push_back({std::string("  ") + one.name, one.summary});
  return text_of(table);
}

}  // namespace

Action add_reproduce(CLI::App& command, const Globals& globals) {
  const auto verb = std::make_shared<ReproduceVerb>();
  command.add_option("NAME", verb->name, "one of those below, or all")->type_name("NAME");
  CLI::Option* quick =
      command.add_flag("--quick", verb->quick, "fewer seeds, epochs and data: minutes (default)");
  CLI::Option* full =
      command.add_flag("--full", verb->full, "the protocol of the paper: hours")->excludes(quick);
  command.add_flag("--smallest", verb->smallest, "embedded data, a few epochs: seconds")
      ->excludes(quick)
      ->excludes(full);
  command
      .add_option("--setting", verb->setting,
                  "paper: what the paper ran; fair: the same splits and tuning for all; or both")
      ->type_name("NAME")
      ->capture_default_str();
  command.add_option("--seeds", verb->seeds, "repetitions (default: as the size has them)")
      ->type_name("N");
  command
      .add_option("--epochs", verb->epochs,
                  "of networks that classify, at most (default: as the size has them)")
      ->type_name("N");
  command
      .add_option("--data", verb->data,
                  "datasets of the tables of methods: cora, citeseer, pubmed, hetionet; mutag, "
                  "enzymes, aids (default: as the size has them)")
      ->delimiter(',')
      ->type_name("A,B,…");
  command
      .add_option("--results", verb->results,
                  "folder of stored results; what is there is not computed again")
      ->type_name("DIR")
      ->capture_default_str();
  command
      .add_option("-o,--output", verb->output,
                  "folder for tables (.txt .md .csv .json .tex) and figures (.svg .png)")
      ->type_name("DIR");
  command.add_option("--report", verb->report, "write one page with everything (.html)")
      ->type_name("FILE");
  CLI::Option* csv = command.add_flag("--csv", verb->csv, "print CSV");
  CLI::Option* latex = command.add_flag("--latex", verb->latex, "print LaTeX")->excludes(csv);
  command.add_flag("--markdown", verb->markdown, "print Markdown")->excludes(csv)->excludes(latex);
  command.add_flag("--force", verb->force, "replace a report that is there");
  command.footer(
      "  mgnn reproduce all --quick --report report.html\n"
      "  mgnn reproduce node_classification --full --results results -o tables\n"
      "  mgnn reproduce expressiveness\n\n" +
      experiments_text());
  return [verb, &globals] { run(*verb, globals); };
}

}  // namespace mgnn
