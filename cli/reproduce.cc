#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/document_tables.h"
#include "cli/version.h"
#include "mgnn/base/clock.h"
#include "mgnn/base/file.h"
#include "mgnn/base/folder.h"
#include "mgnn/base/human.h"
#include "mgnn/base/temporary.h"
#include "mgnn/task/train_report.h"

namespace mgnn {
namespace {

struct ReproduceVerb {
  StudyFlags study;
  std::string output, report, markdown;
  bool force = false, csv = false, latex = false;
};

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
      verb.markdown.empty() ? print(table->table) : print(markdown_of(table->table));
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

// A folder in which nothing was written after all.
struct RemovedIfEmpty {
  std::string path;  // empty: none
  ~RemovedIfEmpty() {
    if (!path.empty()) rmdir(path.c_str());
  }
};

void run(const ReproduceVerb& verb, const Globals& globals) {
  if (!verb.markdown.empty() && verb.markdown != "-")
    return update_document(verb.markdown, verb.study, globals);
  std::vector<const Experiment*> chosen;
  for (const Experiment& experiment : experiments())
    if (verb.study.name == "all") chosen.push_back(&experiment);
  if (chosen.empty()) chosen.push_back(&find_experiment(verb.study.name));
  check_writable(verb.report, verb.force);
  const RemovedIfEmpty made{file_exists(verb.output) ? "" : verb.output};
  if (!verb.output.empty()) {
    check_folder_writable(verb.output);
    sweep_temporaries(verb.output);
  }
  if (!verb.study.stored) {
    check_folder_writable(verb.study.results);
    sweep_temporaries(verb.study.results);
  }
  Study study = study_of(verb.study, globals);
  const Stopwatch watch;
  std::vector<std::pair<std::string, Section>> done;
  for (const Experiment* experiment : chosen) {
    Section section = section_of(*experiment, verb.study, study);
    section.blocks.push_back(study.sources());
    if (!verb.output.empty()) write_files(verb.output, experiment->name, section);
    if (!globals.json) print_section(verb, section);
    done.emplace_back(experiment->name, std::move(section));
  }
  if (!verb.report.empty()) {
    Page page{"Motif graph neural networks, reproduced",
              fmt::format("{} · size {} · setting {}", verb.study.name, name_of(study.size()),
                          verb.study.setting),
              {}};
    for (const auto& [name, section] : done) page.sections.push_back(section);
    page.sections.push_back(made_with(globals.command, build_facts(), ""));
    write_file(verb.report, html_of(page), verb.force);
  }
  if (globals.json) return print_json(json_of_all(done));
  if (!verb.csv && !verb.latex && verb.markdown.empty())
    print(fmt::format("{} results computed, {} found in {}; {}\n", study.computed(), study.found(),
                      verb.study.results, human_seconds(watch.seconds())));
}

std::string experiments_text() {
  TextTable table{{{""}, {""}}, {}};
  for (const Experiment& experiment : experiments())
    table.rows.push_back({std::string("  ") + experiment.name, experiment.summary});
  return text_of(table);
}

}  // namespace

Action add_reproduce(CLI::App& command, const Globals& globals) {
  const auto verb = std::make_shared<ReproduceVerb>();
  add_study_flags(command, verb->study);
  command
      .add_option("--results", verb->study.results,
                  "folder of stored results; what is there is not computed again")
      ->type_name("DIR")
      ->capture_default_str();
  command.add_flag("--stored", verb->study.stored,
                   "compute nothing: fail where no result is stored");
  command
      .add_option("-o,--output", verb->output,
                  "folder for tables (.txt .md .csv .json .tex) and figures (.svg .png)")
      ->type_name("DIR");
  command.add_option("--report", verb->report, "write one page with everything (.html)")
      ->type_name("FILE");
  CLI::Option* csv = command.add_flag("--csv", verb->csv, "print CSV");
  CLI::Option* latex = command.add_flag("--latex", verb->latex, "print LaTeX")->excludes(csv);
  command
      .add_option("--markdown", verb->markdown,
                  "write the tables between the lines <!-- mgnn reproduce NAME … --> and <!-- end "
                  "--> of a document, with the flags that stand there; -: print Markdown")
      ->type_name("[FILE]")
      ->expected(0, 1)
      ->default_str("-")
      ->excludes(csv)
      ->excludes(latex);
  add_force_flag(command, verb->force);
  command.footer(
      "  mgnn reproduce all --quick --report report.html\n"
      "  mgnn reproduce node_classification --full --results results -o tables\n"
      "  mgnn reproduce --stored --markdown docs/results.md\n"
      "  mgnn reproduce expressiveness\n\n" +
      experiments_text());
  return [verb, &globals] { run(*verb, globals); };
}

}  // namespace mgnn
