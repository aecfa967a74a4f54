#include "mgnn/data/neo4j.h"

#include <algorithm>
#include <set>

#include "mgnn/base/human.h"
#include "mgnn/base/lines.h"
#include "mgnn/data/attributed_dataset.h"
#include "mgnn/data/layout.h"

namespace mgnn {
namespace {

using Unlisted = AttributedBuilder::Unlisted;

// ":Person:Actor" and "Person;Actor" -> Person;Actor
std::string labels_of(std::string_view cell) {
  std::string labels(trimmed(cell));
  if (labels.starts_with(':')) labels.erase(0, 1);
  std::replace(labels.begin(), labels.end(), ':', ';');
  return labels;
}

// name, kind and space of "personId:ID(Person)"
struct Header {
  std::string name, kind, space;
};
Header header_of(std::string_view column) {
  const size_t colon = column.rfind(':');
  if (colon == column.npos) return {std::string(column), "", ""};
  std::string_view kind = column.substr(colon + 1);
  std::string_view space;
  if (const size_t open = kind.find('('); open != kind.npos && kind.ends_with(')')) {
    space = kind.substr(open + 1, kind.size() - open - 2);
    kind = kind.substr(0, open);
  }
  return {std::string(column.substr(0, colon)), std::string(kind), std::string(space)};
}

int find_kind(const std::vector<Header>& headers, std::string_view kind) {
  for (size_t c = 0; c < headers.size(); c++)
    if (headers[c].kind == kind) return int(c);
  return -1;
}

struct CsvPart {
  Table table;
  std::vector<Header> headers;
};

// The first line of each .csv file in the folder, without reading them whole.
bool has_header(const std::string& path, std::initializer_list<const char*> words) {
  const FileBytes bytes = read_bytes(path);
  const std::string_view line = bytes.view().substr(0, bytes.view().find('\n'));
  return std::all_of(words.begin(), words.end(),
                     [&](const char* word) { return line.find(word) != line.npos; });
}

class Neo4jFolder {
 public:
  explicit Neo4jFolder(const std::string& folder) : folder_(folder), builder_(folder) {
    for (const std::string& name : file_names(folder)) {
      if (!name.ends_with(".csv")) continue;
      const std::string path = find_file(folder, name);
      CsvPart part{read_table(path), {}};
      for (const std::string& column : part.table.columns())
        part.headers.push_back(header_of(column));
      bytes_ += part.table.num_rows() * part.table.num_columns();
      if (find_kind(part.headers, "START_ID") >= 0)
        relationships_.push_back(std::move(part));
      else if (find_kind(part.headers, "ID") >= 0)
        nodes_.push_back(std::move(part));
      else
        fail_data("{}: has neither a column :ID nor :START_ID; the other files of the folder do",
                  path);
    }
  }

  AttributedGraph read() {
    std::set<std::string> spaces;
    for (const CsvPart& part : nodes_)
      spaces.insert(part.headers[size_t(find_kind(part.headers, "ID"))].space);
    has_spaces_ = spaces.size() > 1;
    for (const CsvPart& part : nodes_) add_nodes(part);
    builder_.set_type_attribute(":LABEL");
    for (const CsvPart& part : relationships_) add_relationships(part);
    return builder_.finish(Unlisted::refused);
  }
  int64_t bytes() const { return bytes_; }

 private:
  std::string node_name(const std::string& space, std::string_view id) const {
    return has_spaces_ ? fmt::format("{}:{}", space, id) : std::string(id);
  }

  void add_nodes(const CsvPart& part) {
    const auto id = size_t(find_kind(part.headers, "ID"));
    for (int64_t r = 0; r < part.table.num_rows(); r++) {
      const std::string_view cell = part.table.cell(r, int64_t(id));
      const int64_t line = part.table.line(r);
      const std::string name = node_name(part.headers[id].space, cell);
      const NodeId before = builder_.find(name);
      if (cell.empty() || before >= 0)
        fail_at(
            part.table.path(), line, "{}",
            cell.empty() ? "the node has no id" : "node " + in_quotes(name) + " is listed twice");
      const NodeId u = builder_.listed_node(name, line);
      for (size_t c = 0; c < part.headers.size(); c++) {
        const Header& header = part.headers[c];
        const std::string_view value = part.table.cell(r, int64_t(c));
        if (c == id || header.kind == "IGNORE" || value.empty()) continue;
        if (header.kind == "LABEL")
          builder_.node_attribute(u, ":LABEL", labels_of(value), line);
        else
          builder_.node_attribute(u, header.name, value, line);
      }
    }
  }

  void add_relationships(const CsvPart& part) {
    const auto from = find_kind(part.headers, "START_ID"), to = find_kind(part.headers, "END_ID");
    const auto type = find_kind(part.headers, "TYPE");
    if (to < 0) fail_at(part.table.path(), 1, "there is no column :END_ID");
    const auto node = [&](int column, int64_t row) {
      const std::string name =
          node_name(part.headers[size_t(column)].space, part.table.cell(row, column));
      const NodeId u = builder_.find(name);
      if (u < 0)
        fail_at(part.table.path(), part.table.line(row), "there is no node {}", in_quotes(name));
      return u;
    };
    for (int64_t r = 0; r < part.table.num_rows(); r++) {
      const int64_t line = part.table.line(r);
      const int64_t edge = builder_.edge(node(from, r), node(to, r), true, line);
      for (size_t c = 0; c < part.headers.size(); c++) {
        const Header& header = part.headers[c];
        const std::string_view value = part.table.cell(r, int64_t(c));
        if (int(c) == type)
          builder_.edge_attribute(edge, ":TYPE", value, line);
        else if (int(c) != from && int(c) != to && header.kind != "IGNORE" && !value.empty())
          builder_.edge_attribute(edge, header.name, value, line);
      }
    }
  }

  const std::string& folder_;
  AttributedBuilder builder_;
  std::vector<CsvPart> nodes_, relationships_;
  bool has_spaces_ = false;
  int64_t bytes_ = 0;
};

}  // namespace

AttributedGraph parse_neo4j_export(std::string_view text, const std::string& path) {
  const Table table = parse_table(FileBytes(Array<char>(text.begin(), text.end())), path);
  const int64_t id = table.column("_id"), labels = table.column("_labels");
  const int64_t from = table.column("_start"), to = table.column("_end");
  const int64_t type = table.column("_type");
  AttributedBuilder builder(path);
  builder.set_type_attribute("_labels");
  for (int64_t r = 0; r < table.num_rows(); r++) {
    const int64_t line = table.line(r);
    const bool is_edge = !table.cell(r, from).empty();
    if (is_edge && table.cell(r, to).empty()) fail_at(path, line, "the relationship has no _end");
    const int64_t edge = is_edge ? builder.edge(builder.node(table.cell(r, from), line),
                                                builder.node(table.cell(r, to), line), true, line)
                                 : -1;
    const NodeId node = is_edge ? -1 : builder.listed_node(table.cell(r, id), line);
    for (int64_t c = 0; c < table.num_columns(); c++) {
      const std::string_view value = table.cell(r, c);
      if (value.empty() || c == id || c == from || c == to) continue;
      if (is_edge)
        builder.edge_attribute(edge, c == type ? "relation" : table.columns()[size_t(c)], value,
                               line);
      else
        builder.node_attribute(node, table.columns()[size_t(c)],
                               c == labels ? labels_of(value) : std::string(value), line);
    }
  }
  return builder.finish(Unlisted::refused);
}

bool is_neo4j_folder(const std::string& folder) {
  const std::vector<std::string> names = file_names(folder);
  bool nodes = false, relationships = false;
  for (const std::string& name : names) {
    if (!name.ends_with(".csv")) continue;
    const std::string path = find_file(folder, name);
    if (has_header(path, {":START_ID", ":END_ID"}))
      relationships = true;
    else if (has_header(path, {":ID"}))
      nodes = true;
  }
  return nodes && relationships;
}

Dataset load_neo4j(const std::string& folder, const LoadOptions& options) {
  Neo4jFolder files(folder);
  AttributedGraph graph = files.read();
  return dataset_of_attributed(std::move(graph), "Neo4j", folder, last_name(folder), files.bytes(),
                               options);
}

// ---- KGX

namespace {

std::string kgx_file(const std::string& folder, const char* ending) {
  for (const std::string& name : file_names(folder))
    if (name.ends_with(ending)) return find_file(folder, name);
  return "";
}

}  // namespace

bool is_kgx_folder(const std::string& folder) {
  const std::string nodes = kgx_file(folder, "nodes.tsv"), edges = kgx_file(folder, "edges.tsv");
  return !nodes.empty() && !edges.empty() && has_header(nodes, {"id", "category"}) &&
         has_header(edges, {"subject", "predicate", "object"});
}

Dataset load_kgx(const std::string& folder, const LoadOptions& options) {
  const Table nodes = read_table(kgx_file(folder, "nodes.tsv"));
  const Table edges = read_table(kgx_file(folder, "edges.tsv"));
  AttributedBuilder builder(nodes.path());
  builder.set_type_attribute("category");
  const int64_t id = nodes.column("id");
  nodes.column("category");
  for (int64_t r = 0; r < nodes.num_rows(); r++) {
    const NodeId u = builder.listed_node(nodes.cell(r, id), nodes.line(r));
    for (int64_t c = 0; c < nodes.num_columns(); c++)
      if (c != id && !nodes.cell(r, c).empty())
        builder.node_attribute(u, nodes.columns()[size_t(c)], nodes.cell(r, c), nodes.line(r));
  }
  const int64_t from = edges.column("subject"), to = edges.column("object");
  const int64_t predicate = edges.column("predicate");
  for (int64_t r = 0; r < edges.num_rows(); r++) {
    const auto node = [&](int64_t column) {
      const NodeId u = builder.find(edges.cell(r, column));
      if (u < 0)
        fail_at(edges.path(), edges.line(r), "node {} is not in {}",
                in_quotes(edges.cell(r, column)), nodes.path());
      return u;
    };
    const int64_t edge = builder.edge(node(from), node(to), true, edges.line(r));
    builder.edge_attribute(edge, "predicate", edges.cell(r, predicate), edges.line(r));
  }
  AttributedGraph graph = builder.finish(Unlisted::refused);
  const int64_t bytes = nodes.num_rows() * nodes.num_columns();
  return dataset_of_attributed(std::move(graph), "KGX", nodes.path(), last_name(folder), bytes,
                               options);
}

}  // namespace mgnn
