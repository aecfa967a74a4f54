#include "mgnn/io/rdf.h"

#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/base/lines.h"
#include "mgnn/base/utf8.h"
#include "mgnn/io/text.h"

namespace mgnn {
namespace {

constexpr std::string_view kType = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";

enum class Kind { resource, blank, literal };

struct Term {
  Kind kind = Kind::resource;
  std::string text = {};  // of a resource its IRI, of a blank node _:name, of a literal its value
};

class RdfReader {
 public:
  RdfReader(std::string_view text, const std::string& path, std::span<const std::string> wanted)
      : reader_(path, text), builder_(path), wanted_(wanted) {}

  AttributedGraph read() {
    for (std::string_view line; reader_.next(line);) {
      rest_ = trimmed(line);
      if (!rest_.empty() && rest_[0] != '#') read_statement();
    }
    if (num_literals_ > 0)
      builder_.remark(fmt::format("{} literals are not used", human_count(num_literals_)));
    if (num_types_ > 0)
      builder_.remark(fmt::format("{} types of nodes that have another one before are not used",
                                  human_count(num_types_)));
    AttributedGraph graph = builder_.finish(AttributedBuilder::Unlisted::allowed);
    if (num_graphs_ > 0) graph.list.reading += ", names of graphs are not used";
    return graph;
  }

 private:
  void read_statement() {
    const Term subject = term();
    if (subject.kind == Kind::literal) reader_.fail("the subject is a literal");
    const Term predicate = term();
    if (predicate.kind != Kind::resource) reader_.fail("the predicate is no IRI");
    const Term object = term();
    if (!rest_.starts_with('.')) {
      if (term().kind == Kind::literal) reader_.fail("the name of a graph is a literal");
      num_graphs_++;
    }
    if (!rest_.starts_with('.')) reader_.fail("expected a dot behind the statement");
    rest_ = trimmed(rest_.substr(1));
    if (!rest_.empty() && rest_[0] != '#') reader_.fail("has more behind the dot");
    add(subject, predicate.text, object);
  }

  void add(const Term& subject, const std::string& predicate, const Term& object) {
    const int64_t line = reader_.number();
    const NodeId from = builder_.node(subject.text, line);
    if (object.kind == Kind::literal) {
      if (is_wanted(predicate))
        builder_.node_attribute(from, predicate, object.text, line);
      else
        num_literals_++;
    } else if (predicate == kType) {
      if (size_t(from) >= has_type_.size()) has_type_.resize(size_t(builder_.num_nodes()), false);
      if (has_type_[size_t(from)]) {
        num_types_++;
        return;
      }
      has_type_[size_t(from)] = true;
      builder_.node_attribute(from, "rdf:type", object.text, line);
      builder_.set_type_attribute("rdf:type");
    } else {
      const NodeId to = builder_.node(object.text, line);
      builder_.edge_attribute(builder_.edge(from, to, true, line), "predicate", predicate, line);
    }
  }

  bool is_wanted(const std::string& predicate) const {
    return std::any_of(wanted_.begin(), wanted_.end(), [&](const std::string& name) {
      return name == predicate || name.starts_with(predicate + ":");
    });
  }

  Term term() {
    Term term;
    if (rest_.starts_with("<<")) reader_.fail("has a statement within a statement (RDF-star)");
    if (rest_.starts_with('<')) {
      term.text = iri();
    } else if (rest_.starts_with("_:")) {
      term = {Kind::blank, blank()};
    } else if (rest_.starts_with('"')) {
      term = {Kind::literal, literal()};
    } else {
      reader_.fail("expected an IRI in <>, a blank node _:name or a literal in quotes, got {}",
                   in_quotes(rest_.substr(0, 20)));
    }
    rest_ = trimmed(rest_);
    return term;
  }

  std::string iri() {
    const size_t end = rest_.find('>');
    if (end == rest_.npos) reader_.fail("an IRI begins with < and does not end");
    const std::string_view inside = rest_.substr(1, end - 1);
    for (const char c : inside)
      if (uint8_t(c) <= ' ' || std::string_view("<\"{}|^`").find(c) != std::string_view::npos)
        reader_.fail("the IRI {} has a character that must be escaped", in_quotes(inside));
    const std::string text = unescaped_text(inside, /*iri=*/true);
    if (text.empty()) reader_.fail("an IRI is empty");
    rest_.remove_prefix(end + 1);
    return text;
  }

  // _:name ends at a blank; a dot belongs to it only between others.
  std::string blank() {
    size_t end = std::min(rest_.find_first_of(" \t<\"#"), rest_.size());
    while (end > 2 && rest_[end - 1] == '.') end--;
    if (end == 2) reader_.fail("a blank node has no name");
    const std::string text(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return text;
  }

  std::string literal() {
    size_t end = 1;
    while (end < rest_.size() && rest_[end] != '"') end += rest_[end] == '\\' ? 2 : 1;
    if (end >= rest_.size()) reader_.fail("a literal begins with a quote that is not closed");
    const std::string text = unescaped_text(rest_.substr(1, end - 1), /*iri=*/false);
    rest_.remove_prefix(end + 1);
    if (rest_.starts_with("^^")) {
      rest_.remove_prefix(2);
      if (!rest_.starts_with('<')) reader_.fail("expected the IRI of a datatype behind ^^");
      iri();
    } else if (rest_.starts_with('@')) {
      rest_.remove_prefix(std::min(rest_.find_first_of(" \t."), rest_.size()));
    }
    return text;
  }

  // \u00E9, \U0001F600 and, in literals, \n and the like.
  std::string unescaped_text(std::string_view text, bool iri) const {
    std::string result;
    for (size_t i = 0; i < text.size(); i++) {
      if (text[i] != '\\') {
        result += text[i];
        continue;
      }
      const char kind = ++i < text.size() ? text[i] : '\0';
      const size_t digits = kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
      if (digits > 0) {
        uint32_t code = 0;
        const std::string_view number = text.substr(i + 1, digits);
        const auto [end, problem] =
            std::from_chars(number.data(), number.data() + number.size(), code, 16);
        if (number.size() != digits || problem != std::errc() ||
            end != number.data() + number.size() || code == 0 || !append_utf8(result, code))
          reader_.fail("\\{}{} is no character", kind, in_quotes(number));
        i += digits;
        continue;
      }
      constexpr std::string_view kFrom = "tbnrf\"'\\", kTo = "     \"'\\";
      const size_t place = iri || kind == '\0' ? kFrom.npos : kFrom.find(kind);
      if (place == kFrom.npos) reader_.fail("\\{} is no escape", in_quotes({&kind, 1}));
      result += kTo[place];  // line ends become blanks
    }
    return result;
  }

  LineReader reader_;
  AttributedBuilder builder_;
  std::span<const std::string> wanted_;
  std::string_view rest_;       // of the line
  std::vector<bool> has_type_;  // (nodes, or fewer)
  int64_t num_literals_ = 0, num_types_ = 0, num_graphs_ = 0;
};

}  // namespace

AttributedGraph parse_ntriples(std::string_view text, const std::string& path,
                               std::span<const std::string> wanted) {
  check_utf8(text, path);
  return RdfReader(text, path, wanted).read();
}

}  // namespace mgnn
