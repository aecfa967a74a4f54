#include <CLI/CLI.hpp>

#include "cli/usage.h"
#include "cli/verb.h"
#include "mgnn/report/table.h"

namespace mgnn {
namespace {

constexpr int kWidth = 96;  // of help, in columns

// `left` in a column of its own, `right` beside it, broken at blanks.
std::string entry(const std::string& left, const std::string& right, int indent) {
  std::string text = "  " + left;
  int column = 2 + display_width(left);
  if (column + 2 > indent) text += "\n", column = 0;
  text.append(size_t(indent - column), ' ');
  column = indent;
  std::string_view rest = right;
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    const int width = display_width(word);
    if (column > indent && column + 1 + width > kWidth) {
      text += "\n" + std::string(size_t(indent), ' ');
      column = indent;
    }
    if (column > indent) text += " ", column++;
    text += word;
    column += width;
  }
  return text + "\n";
}

std::string left_side(const CLI::Option& option) {
  std::string text;
  for (const std::string& name : flag_names(option)) text += (text.empty() ? "" : ", ") + name;
  if (text.starts_with("--")) text = "    " + text;
  if (option.get_items_expected_max() > 0 && !option.get_type_name().empty())
    text += " " + option.get_type_name();
  return text;
}

std::string right_side(const CLI::Option& option) {
  std::string text = option.get_description();
  const std::string standard = option.get_default_str();
  if (!standard.empty() && standard != "false" && standard != "[]" &&
      option.get_items_expected_max() > 0)
    text += " (default: " + standard + ")";
  if (!option.get_envname().empty()) text += " [" + option.get_envname() + "]";
  return text;
}

std::string positional_usage(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional())
      text += option->get_required() ? " " + option->get_name() : " [" + option->get_name() + "]";
  return text;
}

std::string positional_entries(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional()) text += entry(option->get_name(), right_side(*option), 12);
  return text.empty() ? "" : text + "\n";
}

std::string flag_entries(const CLI::App& app, const std::string& group, const std::string& title,
                         const CLI::Option* but = nullptr) {
  std::string text;
  for (const CLI::Option* option : app.get_options())
    if (option->nonpositional() && option->get_group() == group && option != but)
      text += entry(left_side(*option), right_side(*option), 30);
  return text.empty() ? "" : emphasised(title) + "\n" + text + "\n";
}

std::string verb_entries(const CLI::App& root) {
  std::string text;
  for (const CLI::App* verb : root.get_subcommands({}))
    text += entry(verb->get_name(), verb->get_description(), 14);
  return text.empty() ? "" : emphasised("Verbs") + "\n" + text + "\n";
}

}  // namespace

std::string help_text(const CLI::App& app) {
  const CLI::App* root = app.get_parent();
  std::string text = emphasised("Usage") + " mgnn " +
                     (root ? app.get_name() + positional_usage(app) : "<verb> [DATA]") +
                     " [flags]\n\n" + app.get_description() + ".\n\n" + positional_entries(app) +
                     verb_entries(app);
  for (const std::string& group : app.get_groups())
    if (!group.empty()) text += flag_entries(app, group, group == "Options" ? "Flags" : group);
  if (root) text += flag_entries(*root, "Options", "Flags of every verb", root->get_help_ptr());
  text += app.get_footer().empty() ? "" : emphasised("Examples") + "\n" + app.get_footer() + "\n";
  text.erase(text.find_last_not_of('\n') + 1);
  return text + "\n";
}

namespace {

// Roff takes a leading . or ' as a command and \ as an escape.
std::string roff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  if (result.starts_with('.') || result.starts_with('\'')) result = "\\&" + result;
  return result;
}

std::string manual_flags(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    std::string name = option->nonpositional() ? left_side(*option) : option->get_name();
    name.erase(0, name.find_first_not_of(' '));
    text += ".TP\n.B " + roff(name) + "\n" + roff(right_side(*option)) + "\n";
  }
  return text;
}

}  // namespace

std::string manual_page(const CLI::App& root) {
  std::string text =
      ".TH MGNN 1 \"\" \"mgnn " MGNN_VERSION "\" \"User Commands\"\n.SH NAME\nmgnn \\- " +
      roff(root.get_description()) +
      "\n.SH SYNOPSIS\n.B mgnn\n.I verb\n[DATA] [flags]\n.SH DESCRIPTION\n"
      "DATA is the name of a dataset, a graph file of any known format, a folder in a "
      "known layout, or \\- for standard input. Data go to standard output, messages "
      "and progress to standard error.\n.SH FLAGS OF EVERY VERB\n" +
      manual_flags(root);
  for (const CLI::App* verb : root.get_subcommands({})) {
    text += ".SH MGNN " + CLI::detail::to_lower(verb->get_name()) + "\n.B mgnn " +
            roff(verb->get_name() + positional_usage(*verb)) + "\n.PP\n" +
            roff(verb->get_description()) + ".\n" + manual_flags(*verb);
    if (!verb->get_footer().empty())
      text += ".PP\nExamples:\n.PP\n.nf\n" + roff(verb->get_footer()) + "\n.fi\n";
  }
  return text +
         ".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\nfailed\n.TP\n2\nwrong usage\n.TP\n3\nbad data\n"
         ".TP\n130\ninterrupted\n.SH ENVIRONMENT\n.TP\n.B MGNN_DATA_DIR\nfolder with datasets\n"
         ".TP\n.B MGNN_OFFLINE\nif set, nothing is downloaded\n"
         ".TP\n.B MGNN_ISA\ngeneric: do without AVX; avx2: do without AVX-512\n.TP\n.B "
         "NO_COLOR\nno colours\n";
}

}  // namespace mgnn
