// Errors that reach a person: one sentence that says where, what and what to do.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace mgnn {

// The value of each kind is the exit code of the command line tool.
enum class ErrorKind { failed = 1, usage = 2, data = 3, interrupted = 130 };

// What would help. The message says what is wrong; each program says in its own words what to do
// about it (the command line tool: cli/hints.cc).
struct Hint {
  enum Topic {
    none,
    setting,  // change the setting `value`, "name=value"
    // Settings to choose:
    overwrite,        // overwrite existing files
    strict,           // do not take notes for errors
    format,           // the format of the output
    string_ids,       // node ids are strings
    separator,        // what separates columns
    trim,             // drop blanks around ids
    nodes,            // the node table of the data
    label_column,     // a node table and its labels
    type_column,      // a node table and its node types
    target_column,    // where the numbers to predict are
    relation_column,  // where the relations of an edge list are
    end_columns,      // where the ends of its edges are
    model,            // another network
    // Other things to do:
    list_settings,
    list_datasets,
    list_files,  // of the dataset `value`
    download,    // the dataset
    train,       // a model
    embed,       // with the model `value`
    resume,      // the run `value`, or overwrite it
  };
  Topic topic = none;
  std::string value = {};

  Hint(Topic about, std::string what = {}) : topic(about), value(std::move(what)) {}
  bool operator==(const Hint&) const = default;
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message, Hint hint = Hint::none)
      : std::runtime_error(message), kind_(kind), hint_(std::move(hint)) {}
  ErrorKind kind() const { return kind_; }
  const Hint& hint() const { return hint_; }

  // Where in a file the data are wrong, which the message says, too. "" and 0: not known.
  Error& at(std::string_view path, int64_t line) {
    path_ = path, line_ = line;
    return *this;
  }
  const std::string& path() const { return path_; }
  int64_t line() const { return line_; }

 private:
  ErrorKind kind_;
  Hint hint_;
  std::string path_;
  int64_t line_ = 0;
};

// Something that should work did not: a full disk, a lost connection, too little memory.
template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(ErrorKind::failed, fmt::format(format, std::forward<Args>(args)...));
}

// The caller asked for something impossible: an unknown name, options that contradict.
template <class... Args>
[[noreturn]] void fail_usage(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(ErrorKind::usage, fmt::format(format, std::forward<Args>(args)...));
}

template <class... Args>
[[noreturn]] void fail_usage(Hint hint, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(ErrorKind::usage, fmt::format(format, std::forward<Args>(args)...), std::move(hint));
}

// The data are wrong; name the file in the message.
template <class... Args>
[[noreturn]] void fail_data(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(ErrorKind::data, fmt::format(format, std::forward<Args>(args)...));
}

template <class... Args>
[[noreturn]] void fail_data(Hint hint, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(ErrorKind::data, fmt::format(format, std::forward<Args>(args)...), std::move(hint));
}

// The data are wrong at a line (counted from 1): `path:line: message`.
template <class... Args>
[[noreturn]] void fail_at(std::string_view path, int64_t line, fmt::format_string<Args...> format,
                          Args&&... args) {
  const std::string what = fmt::format(format, std::forward<Args>(args)...);
  throw Error(Error(ErrorKind::data, fmt::format("{}:{}: {}", path, line, what)).at(path, line));
}

// A caller's mistake, unless `ok`.
template <class... Args>
void check(bool ok, fmt::format_string<Args...> format, Args&&... args) {
  if (!ok) fail_usage(format, std::forward<Args>(args)...);
}

// Untrusted text made fit for a message: in double quotes, control characters and invalid UTF-8
// as \xNN, cut to about `most` characters.
std::string in_quotes(std::string_view text, size_t most = 40);

// The entry of `known` that looks most like `word`, or "" if none is near.
template <class Names>
std::string nearest(std::string_view word, const Names& known);
// Number of insertions, deletions, replacements and swaps of neighbours between two words.
int edit_distance(std::string_view a, std::string_view b);

template <class Names>
std::string nearest(std::string_view word, const Names& known) {
  std::string best;
  int best_distance = 1 + int(word.size()) / 3;  // farther than this is another word
  for (const auto& name : known) {
    const int distance = edit_distance(word, name);
    if (distance <= best_distance && (best.empty() || distance < best_distance)) {
      best = name;
      best_distance = distance;
    }
  }
  return best;
}

// What to do about an unknown `word`: "did you mean X?", or `otherwise` if no known name is near.
template <class Names>
std::string did_you_mean(std::string_view word, const Names& known, const std::string& otherwise) {
  const std::string near = nearest(word, known);
  return near.empty() ? otherwise : "did you mean " + near + "?";
}

}  // namespace mgnn
