#include "cli/document_tables.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "mgnn/base/file.h"
#include "mgnn/base/lines.h"

namespace mgnn {
namespace {

constexpr std::string_view kCommand = "mgnn reproduce";

struct DocumentBlock {
  std::string command;
  StudyFlags flags;
  int64_t line = 0;           // where it begins, from 1
  size_t begin = 0, end = 0;  // bytes between the two markers
};

// What stands in a line that is one comment; empty for any other line.
std::string_view comment_in(std::string_view line) {
  line = trimmed(line);
  if (line.size() < 7 || !line.starts_with("<!--") || !line.ends_with("-->")) return {};
  return trimmed(line.substr(4, line.size() - 7));
}

StudyFlags flags_in(std::string_view command) {
  CLI::App parser;
  StudyFlags flags;
  add_study_flags(parser, flags);
  try {
    parser.parse(std::string(command.substr(kCommand.size())));
  } catch (const CLI::ParseError& error) {
    fail_usage("{}", error.what());
  }
  find_experiment(flags.name);
  return flags;
}

std::vector<DocumentBlock> blocks_in(std::string_view text, const std::string& path) {
  std::vector<DocumentBlock> blocks;
  LineReader reader(path, text);
  bool open = false, fenced = false;
  const auto check_closed = [&] {
    if (open)
      fail_at(path, blocks.back().line, "<!-- {} --> has no line <!-- end --> after it",
              blocks.back().command);
  };
  for (std::string_view line; reader.next(line);) {
    const auto place = size_t(line.data() - text.data());
    if (trimmed(line).starts_with("```")) fenced = !fenced;
    const std::string_view comment = fenced ? std::string_view() : comment_in(line);
    if (comment.starts_with(kCommand)) {
      check_closed();
      blocks.push_back({.command = std::string(comment),
                        .line = reader.number(),
                        .begin = text.find('\n', place) + 1});
      open = true;
    } else if (comment == "end") {
      if (!open) reader.fail("<!-- end --> has no line <!-- {} NAME … --> before it", kCommand);
      blocks.back().end = place;
      open = false;
    }
  }
  check_closed();
  for (DocumentBlock& block : blocks) {
    try {
      block.flags = flags_in(block.command);
    } catch (const Error& error) {
      fail_at(path, block.line, "{}", error.what());
    }
  }
  return blocks;
}

TextTable without_empty_columns(const TextTable& table) {
  TextTable shorter{.columns = {}, .rows = std::vector<std::vector<Cell>>(table.rows.size())};
  for (size_t c = 0; c < table.columns.size(); c++) {
    const auto is_empty = [c](const auto& row) { return row[c] == Cell(); };
    if (std::all_of(table.rows.begin(), table.rows.end(), is_empty)) continue;
    shorter.columns.push_back(table.columns[c]);
    for (size_t r = 0; r < table.rows.size(); r++) shorter.rows[r].push_back(table.rows[r][c]);
  }
  return shorter;
}

std::string markdown_of(const Section& section, const std::string& command,
                        const std::string& date) {
  std::string text = fmt::format("`{}`, {}:\n", command, date);
  int tables = 0;
  for (const Block& block : section.blocks) tables += std::holds_alternative<TableBlock>(block);
  for (const Block& block : section.blocks)
    if (const auto* table = std::get_if<TableBlock>(&block))
      text += (tables > 1 ? "\n" + table->caption + "\n\n" : "\n") +
              markdown_of(without_empty_columns(table->table));
  return text;
}

// Nothing if a result is missing.
std::optional<std::string> content_of(const DocumentBlock& block, const std::string& path,
                                      const Globals& globals) {
  Study study = study_of(block.flags, globals);
  try {
    const Section section = section_of(find_experiment(block.flags.name), block.flags, study);
    return markdown_of(section, block.command, study.date());
  } catch (const NotStored& missing) {
    spdlog::warn("{}:{}: {}; left as it is", path, block.line, missing.what());
    return {};
  }
}

}  // namespace

void update_document(const std::string& path, const StudyFlags& flags, const Globals& globals) {
  const std::string text(map_file(path).view());
  std::vector<DocumentBlock> blocks = blocks_in(text, path);
  if (flags.name != "all") {
    find_experiment(flags.name);
    std::erase_if(blocks, [&](const auto& block) { return block.flags.name != flags.name; });
  }
  if (blocks.empty())
    fail_data("{}: there is no line <!-- {} {} … -->", path, kCommand,
              flags.name == "all" ? "NAME" : flags.name);
  check_writable(path, /*overwrite=*/true);
  std::string updated;
  size_t copied = 0, written = 0;
  for (DocumentBlock& block : blocks) {
    block.flags.results = flags.results;
    block.flags.stored = flags.stored;
    const std::optional<std::string> content = content_of(block, path, globals);
    if (!content) continue;
    updated += text.substr(copied, block.begin - copied) + *content;
    copied = block.end;
    written++;
  }
  updated += text.substr(copied);
  const bool changed = updated != text;
  if (changed) write_file(path, updated);
  const size_t left = blocks.size() - written;
  if (globals.json)
    return print_json({{"path", path}, {"written", written}, {"left", left}, {"changed", changed}});
  print(fmt::format("{}: {} written, {} left as they are{}\n", path, written, left,
                    changed ? "" : "; nothing has changed"));
}

}  // namespace mgnn
