#include "mgnn/io/biology.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/base/lines.h"
#include "mgnn/io/text.h"

namespace mgnn {
namespace {

using Cells = std::vector<std::string_view>;
using Unlisted = AttributedBuilder::Unlisted;

Cells cells_of(std::string_view line) {
  Cells cells;
  std::string_view field;
  while (next_field(line, '\t', field)) cells.push_back(trimmed(field));
  return cells;
}

// The part before the first of the characters.
std::string_view up_to(std::string_view text, std::string_view ends) {
  return text.substr(0, text.find_first_of(ends));
}

}  // namespace

// ---- GMT

AttributedGraph parse_gmt(std::string_view text, const std::string& path) {
  check_utf8(text, path);
  std::vector<std::pair<int64_t, Cells>> sets;
  std::unordered_set<std::string_view> genes;
  std::unordered_map<std::string_view, int64_t> line_of;
  LineReader reader(path, text);
  for (std::string_view line; reader.next(line);) {
    if (trimmed(line).empty() || line.starts_with('#')) continue;
    Cells cells = cells_of(line);
    if (cells.size() < 3)
      reader.fail("expected a name, a description and genes, separated by tabs");
    if (cells[0].empty()) reader.fail("the set has no name");
    if (const auto [place, is_new] = line_of.emplace(cells[0], reader.number()); !is_new)
      reader.fail("the set {} is there twice, first in line {}", in_quotes(cells[0]),
                  place->second);
    // Enrichr writes the weight of a gene behind a comma.
    for (size_t i = 2; i < cells.size(); i++) cells[i] = up_to(cells[i], ",");
    genes.insert(cells.begin() + 2, cells.end());
    sets.emplace_back(reader.number(), std::move(cells));
  }
  AttributedBuilder builder(path);
  builder.set_type_attribute("kind");
  int64_t shared = 0;
  for (const auto& [line, cells] : sets) {
    const bool is_gene = genes.contains(cells[0]);
    shared += is_gene;
    const std::string name = fmt::format("{}{}", cells[0], is_gene ? " (set)" : "");
    if (is_gene && genes.contains(name))
      fail_at(path, line, "the set {} and a gene have one name", in_quotes(name));
    const NodeId set = builder.node(name, line);
    builder.node_attribute(set, "kind", "set", line);
    for (size_t i = 2; i < cells.size(); i++) {
      if (cells[i].empty()) continue;  // tabs at the end
      const int64_t before = builder.num_nodes();
      const NodeId gene = builder.node(cells[i], line);
      if (builder.num_nodes() > before) builder.node_attribute(gene, "kind", "gene", line);
      builder.edge(set, gene, true, line);
    }
  }
  if (shared > 0)
    builder.remark(fmt::format("{} sets have the name of a gene and are called NAME (set)",
                               human_count(shared)));
  return builder.finish(Unlisted::allowed);
}

// ---- OBO

namespace {

// "GO:1 {source="x"} ! a comment" -> GO:1
std::string_view obo_id(std::string_view value) { return trimmed(up_to(trimmed(value), " \t!{")); }

struct Term {
  std::string_view id, space;
  int64_t line = 0;
  bool obsolete = false;
  struct Link {
    std::string_view relation, to;
    int64_t line;
  };
  std::vector<Link> links;
};

class OboReader {
 public:
  OboReader(std::string_view text, const std::string& path) : reader_(path, text), builder_(path) {}

  AttributedGraph read() {
    for (std::string_view line; reader_.next(line);) {
      line = trimmed(line);
      if (line.empty() || line[0] == '!') continue;
      if (line[0] == '[') {
        finish_term();
        in_term_ = line == "[Term]";
        if (in_term_) term_ = Term{.line = reader_.number()};
        continue;
      }
      const size_t colon = line.find(':');
      if (colon == line.npos) reader_.fail("expected a tag, a colon and a value");
      read_tag(trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
    }
    finish_term();
    add_terms();
    return builder_.finish(Unlisted::allowed);
  }

 private:
  void read_tag(std::string_view tag, std::string_view value) {
    if (tag == "default-namespace" && !in_term_) space_ = value;
    if (!in_term_) return;
    if (tag == "id") {
      if (!term_->id.empty()) reader_.fail("the term has two ids");
      term_->id = obo_id(value);
    } else if (tag == "namespace") {
      term_->space = value;
    } else if (tag == "is_obsolete") {
      term_->obsolete = value.starts_with("true");
    } else if (tag == "is_a") {
      link("is_a", obo_id(value));
    } else if (tag == "relationship") {
      const std::string_view relation = obo_id(value);
      link(relation, obo_id(value.substr(relation.size())));
    }
  }

  void link(std::string_view relation, std::string_view to) {
    if (relation.empty() || to.empty()) reader_.fail("expected the id of a term");
    term_->links.push_back({relation, to, reader_.number()});
  }

  void finish_term() {
    if (!term_) return;
    if (term_->id.empty()) fail_at(reader_.path(), term_->line, "the term has no id");
    if (term_->obsolete)
      num_obsolete_++;
    else
      terms_.push_back(std::move(*term_));
    term_.reset();
  }

  void add_terms() {
    for (const Term& term : terms_) {
      const NodeId u = builder_.listed_node(term.id, term.line);
      const std::string_view space = term.space.empty() ? space_ : term.space;
      if (!space.empty()) builder_.node_attribute(u, "namespace", space, term.line);
    }
    const int64_t own = builder_.num_nodes();
    builder_.set_type_attribute("namespace");
    for (const Term& term : terms_)
      for (const Term::Link& link : term.links) {
        const NodeId to = builder_.node(link.to, link.line);
        const int64_t e = builder_.edge(builder_.find(term.id), to, true, link.line);
        builder_.edge_attribute(e, "relation", link.relation, link.line);
      }
    if (num_obsolete_ > 0)
      builder_.remark(fmt::format("{} obsolete terms are left out", human_count(num_obsolete_)));
    if (const int64_t others = builder_.num_nodes() - own; others > 0)
      builder_.remark(
          fmt::format("{} terms occur only as what others relate to", human_count(others)));
  }

  LineReader reader_;
  AttributedBuilder builder_;
  std::vector<Term> terms_;
  std::optional<Term> term_;
  std::string_view space_;
  bool in_term_ = false;
  int64_t num_obsolete_ = 0;
};

}  // namespace

AttributedGraph parse_obo(std::string_view text, const std::string& path) {
  check_utf8(text, path);
  return OboReader(text, path).read();
}

// ---- BioGRID

namespace {

class BiogridReader {
 public:
  BiogridReader(std::string_view text, const std::string& path)
      : text_(text), path_(path), builder_(path) {}

  AttributedGraph read() {
    each_row([&](const Cells& cells, int64_t line) { find_shared(cells, line); });
    each_row([&](const Cells& cells, int64_t line) { add(cells, line); });
    if (num_shared_ > 0)
      builder_.remark(fmt::format("{} symbols are shared by genes, which are called SYMBOL (id)",
                                  human_count(num_shared_)));
    if (organism_[0] >= 0) builder_.set_type_attribute("organism");
    AttributedGraph graph = builder_.finish(Unlisted::allowed);
    graph.list.reading += ", from interactor A to B";
    return graph;
  }

 private:
  template <class Each>
  void each_row(Each&& each) {
    LineReader reader(path_, text_);
    std::string_view line;
    reader.next(line);
    find_columns(cells_of(line));
    while (reader.next(line)) {
      if (trimmed(line).empty() || line.starts_with('#')) continue;
      const Cells cells = cells_of(line);
      if (cells.size() != width_)
        reader.fail("the line has {} columns, but the header has {}", cells.size(), width_);
      each(cells, reader.number());
    }
  }

  void find_columns(const Cells& header) {
    width_ = header.size();
    const auto column = [&](const std::string& name) {
      const auto found = std::find_if(header.begin(), header.end(), [&](std::string_view cell) {
        return lower(cell) == lower(name);
      });
      return found == header.end() ? -1 : int(found - header.begin());
    };
    for (int side : {0, 1}) {
      const char letter = "AB"[side];
      symbol_[side] = column(fmt::format("Official Symbol Interactor {}", letter));
      id_[side] = column(fmt::format("BioGRID ID Interactor {}", letter));
      if (id_[side] < 0) id_[side] = column(fmt::format("Entrez Gene Interactor {}", letter));
      if (id_[side] < 0) id_[side] = symbol_[side];
      organism_[side] = column(fmt::format("Organism Name Interactor {}", letter));
      if (organism_[side] < 0)
        organism_[side] = column(fmt::format("Organism ID Interactor {}", letter));
      if (symbol_[side] < 0)
        fail_at(path_, 1, "there is no column \"Official Symbol Interactor {}\"", letter);
    }
    relation_ = column("Experimental System Type");
  }

  void find_shared(const Cells& cells, int64_t line) {
    for (int side : {0, 1}) {
      const std::string_view symbol = cells[size_t(symbol_[side])], id = cells[size_t(id_[side])];
      if (id.empty()) fail_at(path_, line, "interactor {} has no id", "AB"[side]);
      const auto [place, is_new] = id_of_.emplace(symbol, id);
      if (!is_new && place->second != id && !shared_.contains(symbol)) {
        shared_.insert(symbol);
        num_shared_ += symbol != "-";
      }
    }
  }

  NodeId interactor(const Cells& cells, int side, int64_t line) {
    const std::string_view symbol = cells[size_t(symbol_[side])], id = cells[size_t(id_[side])];
    if (const auto known = node_of_.find(id); known != node_of_.end()) return known->second;
    const bool unnamed = symbol.empty() || symbol == "-";
    const std::string name = unnamed                    ? fmt::format("BioGRID {}", id)
                             : shared_.contains(symbol) ? fmt::format("{} ({})", symbol, id)
                                                        : std::string(symbol);
    if (builder_.find(name) >= 0)
      fail_at(path_, line, "two interactors are called {}", in_quotes(name));
    const NodeId u = builder_.node(name, line);
    node_of_.emplace(id, u);
    if (organism_[side] >= 0)
      builder_.node_attribute(u, "organism", cells[size_t(organism_[side])], line);
    return u;
  }

  void add(const Cells& cells, int64_t line) {
    const NodeId from = interactor(cells, 0, line), to = interactor(cells, 1, line);
    const int64_t edge = builder_.edge(from, to, true, line);
    if (relation_ >= 0) builder_.edge_attribute(edge, "relation", cells[size_t(relation_)], line);
  }

  std::string_view text_;
  const std::string& path_;
  AttributedBuilder builder_;
  size_t width_ = 0;
  int symbol_[2], id_[2], organism_[2], relation_ = -1;
  std::unordered_map<std::string_view, std::string_view> id_of_;  // the first of each symbol
  std::unordered_set<std::string_view> shared_;                   // symbols of several ids
  std::unordered_map<std::string_view, NodeId> node_of_;          // by id
  int64_t num_shared_ = 0;
};

}  // namespace

AttributedGraph parse_biogrid(std::string_view text, const std::string& path) {
  check_utf8(text, path);
  return BiogridReader(text, path).read();
}

// ---- MITAB

namespace {

// The first of several values, which | separates outside of quotes.
std::string_view first_value(std::string_view cell) {
  bool quoted = false;
  for (size_t i = 0; i < cell.size(); i++) {
    quoted ^= cell[i] == '"';
    if (cell[i] == '|' && !quoted) return cell.substr(0, i);
  }
  return cell;
}

// psi-mi:"MI:0407"(direct interaction) -> direct interaction
std::string_view in_parentheses(std::string_view value) {
  const size_t open = value.find('(');
  return open == value.npos || !value.ends_with(')')
             ? value
             : value.substr(open + 1, value.size() - open - 2);
}

class MitabReader {
 public:
  MitabReader(std::string_view text, const std::string& path)
      : reader_(path, text), builder_(path) {}

  AttributedGraph read() {
    for (std::string_view line; reader_.next(line);) {
      if (trimmed(line).empty() || line.starts_with('#')) continue;
      read_interaction(cells_of(line));
    }
    builder_.set_type_attribute("taxon");
    AttributedGraph graph = builder_.finish(Unlisted::allowed);
    graph.list.reading += ", from interactor A to B";
    if (!score_.empty()) graph.list.reading += ", scores are " + in_quotes(score_);
    return graph;
  }

 private:
  enum Column { a = 0, b = 1, taxon_a = 9, taxon_b = 10, kind = 11, confidence = 14 };

  void read_interaction(const Cells& cells) {
    constexpr size_t kColumns = 15;
    if (cells.size() < kColumns)
      reader_.fail("has {} columns; MITAB has at least {}", cells.size(), kColumns);
    const NodeId from = interactor(cells[a], cells[taxon_a]);
    const NodeId to = interactor(cells[b], cells[taxon_b]);
    if (from < 0 && to < 0) reader_.fail("both interactors are -");
    if (from < 0 || to < 0) return;  // one that acts alone
    const int64_t edge = builder_.edge(from, to, true, reader_.number());
    builder_.edge_attribute(edge, "relation", in_parentheses(first_value(cells[kind])),
                            reader_.number());
    if (const std::string_view score = score_in(cells[confidence]); !score.empty())
      builder_.edge_attribute(edge, "score", score, reader_.number());
  }

  NodeId interactor(std::string_view cell, std::string_view taxon) {
    if (cell == "-") return -1;
    const int64_t before = builder_.num_nodes();
    const NodeId u = builder_.node(first_value(cell), reader_.number());
    if (builder_.num_nodes() > before) {
      const std::string_view id = up_to(first_value(taxon), "(");
      builder_.node_attribute(u, "taxon", id.starts_with("taxid:") ? id.substr(6) : id,
                              reader_.number());
    }
    return u;
  }

  // Of the kind that has the first number in the file.
  std::string_view score_in(std::string_view cell) {
    while (!cell.empty()) {
      const std::string_view value = first_value(cell);
      cell.remove_prefix(std::min(value.size() + 1, cell.size()));
      const size_t colon = value.find(':');
      if (colon == value.npos) continue;
      const std::string_view number = up_to(value.substr(colon + 1), "(");
      double score = 0;
      if (!parse_number(number, score)) continue;
      if (score_.empty()) score_ = value.substr(0, colon);
      if (value.substr(0, colon) == score_) return number;
    }
    return {};
  }

  LineReader reader_;
  AttributedBuilder builder_;
  std::string score_;
};

}  // namespace

AttributedGraph parse_mitab(std::string_view text, const std::string& path) {
  check_utf8(text, path);
  return MitabReader(text, path).read();
}

// ---- KONECT

AttributedGraph parse_konect_bipartite(std::string_view text, const std::string& path) {
  check_utf8(text, path);
  AttributedBuilder builder(path);
  builder.set_type_attribute("side");
  LineReader reader(path, text);
  std::string_view line;
  reader.next(line);
  const std::string_view kind = trimmed(line.substr(std::min(line.find("bip") + 3, line.size())));
  const bool weighted = !kind.empty() && kind != "unweighted" && kind != "dynamic";
  const auto node = [&](char side, std::string_view field) {
    int64_t number = 0;
    if (!parse_number(field, number) || number < 1)
      reader.fail("expected the number of a node, from 1, got {}", in_quotes(field));
    const int64_t before = builder.num_nodes();
    const NodeId u = builder.node(fmt::format("{}{}", side, number), reader.number());
    if (builder.num_nodes() > before)
      builder.node_attribute(u, "side", {&side, 1}, reader.number());
    return u;
  };
  while (reader.next(line)) {
    if (trimmed(line).empty() || line.starts_with('%')) continue;
    std::string_view from, to, weight;
    if (!next_field(line, ' ', from) || !next_field(line, ' ', to))
      reader.fail("expected two nodes");
    const NodeId u = node('u', from), v = node('v', to);
    const int64_t edge = builder.edge(u, v, false, reader.number());
    if (weighted && next_field(line, ' ', weight))
      builder.edge_attribute(edge, "weight", weight, reader.number());
  }
  return builder.finish(Unlisted::allowed);
}

}  // namespace mgnn
