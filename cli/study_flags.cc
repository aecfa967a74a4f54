#include "cli/study_flags.h"

#include <CLI/CLI.hpp>

#include "cli/option_flags.h"
#include "cli/version.h"
#include "experiments/settings.h"
#include "mgnn/base/lines.h"

namespace mgnn {
namespace {

int64_t at_least_one(const char* flag, const std::optional<int64_t>& given) {
  if (given && *given < 1) fail_usage("{} is {}; use at least 1", flag, *given);
  return given.value_or(0);
}

// Only the table whose caption begins so, in upper or lower case.
void keep_table(Section& section, const std::string& caption) {
  std::erase_if(section.blocks, [&](const Block& block) {
    const auto* table = std::get_if<TableBlock>(&block);
    return !table || !lower(table->caption).starts_with(lower(caption));
  });
  if (section.blocks.empty())
    fail_usage("--table: {} has no table {}", in_quotes(section.title), in_quotes(caption));
}

std::vector<Protocol> settings_of(const std::string& word) {
  if (word == "both") return {Protocol::paper, Protocol::fair};
  if (word == "paper") return {Protocol::paper};
  if (word == "fair") return {Protocol::fair};
  fail_usage("--setting: unknown setting {}; use paper, fair or both", in_quotes(word));
}

}  // namespace

void add_study_flags(CLI::App& command, StudyFlags& flags) {
  command.add_option("NAME", flags.name, "one of those below, or all")->type_name("NAME");
  CLI::Option* quick =
      command.add_flag("--quick", flags.quick, "fewer seeds, epochs and data: minutes (default)");
  CLI::Option* full =
      command.add_flag("--full", flags.full, "the protocol of the paper: hours")->excludes(quick);
  command.add_flag("--smallest", flags.smallest, "embedded data, a few epochs: seconds")
      ->excludes(quick)
      ->excludes(full);
  command
      .add_option("--setting", flags.setting,
                  "paper: what the paper ran; fair: the same splits and tuning for all; or both")
      ->type_name("NAME")
      ->capture_default_str();
  command.add_option("--seeds", flags.seeds, "repetitions (default: as the size has them)")
      ->type_name("N")
      ->transform(decimal());
  command
      .add_option("--epochs", flags.epochs,
                  "maximum, of networks that classify (default: as the size has them)")
      ->type_name("N")
      ->transform(decimal());
  command
      .add_option("--data", flags.data,
                  "datasets of the tables of methods: cora, citeseer, pubmed, hetionet; mutag, "
                  "enzymes, aids; of defaults also cora-directed, texas and others (default: as "
                  "the size has "
                  "them)")
      ->delimiter(',')
      ->type_name("A,B,…");
  command.add_option("--table", flags.table, "only the table whose caption begins so")
      ->type_name("TEXT");
}

Study study_of(const StudyFlags& flags, const Globals& globals) {
  StudyOptions options;
  options.size = flags.full ? Size::full : flags.smallest ? Size::smallest : Size::quick;
  options.settings = settings_of(flags.setting);
  options.seeds = at_least_one("--seeds", flags.seeds);
  options.epochs = at_least_one("--epochs", flags.epochs);
  options.data = flags.data;
  options.results = flags.results;
  options.compute = !flags.stored;
  options.data_dir = globals.data_dir;
  options.program = build_facts();
  Study study(options);
  std::vector<const Experiment*> chosen;
  for (const Experiment& experiment : experiments())
    if (flags.name == "all" || flags.name == experiment.name) chosen.push_back(&experiment);
  check_data(study, chosen);
  return study;
}

Section section_of(const Experiment& experiment, const StudyFlags& flags, Study& study) {
  Section section = experiment.run(study);
  if (!flags.table.empty()) keep_table(section, flags.table);
  return section;
}

}  // namespace mgnn
