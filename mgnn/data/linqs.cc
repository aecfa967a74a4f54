// Sen et al. "Collective Classification in Network Data", AI Magazine 2008.

#include "mgnn/data/linqs.h"

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/data/classes.h"
#include "mgnn/data/layout.h"
#include "mgnn/data/nodes_by_name.h"

namespace mgnn {
namespace {

struct Papers {
  std::vector<std::string_view> name, topic;
  NodeIndex index;
  SparseMatrix words;
};

Papers read_papers(TsvFile& file) {
  Papers papers;
  SparseRows words;
  std::vector<std::string_view> fields;
  while (file.next(fields)) {
    if (fields.size() < 3) file.fail("expected an id, words and a class, got {}", fields.size());
    if (!papers.index.insert(fields[0], NodeId(papers.name.size())))
      file.fail("paper {} is listed twice", in_quotes(fields[0]));
    if (fields.back().empty()) file.fail("the class is missing");
    papers.name.push_back(fields[0]);
    papers.topic.push_back(fields.back());
    for (size_t c = 1; c + 1 < fields.size(); c++) {
      if (fields[c] != "0" && fields[c] != "1")
        file.fail("column {} should be 0 or 1, not {}", c + 1, in_quotes(fields[c]));
      words.push(NodeId(c - 1), fields[c] == "1" ? 1.f : 0.f);
    }
    words.end_row();
  }
  if (papers.name.empty()) file.fail("there are no papers");
  papers.words = words.finish(NodeId(fields.size()) - 2);
  return papers;
}

Array<Edge> read_citations(const std::string& path, const Papers& papers, int64_t& unknown) {
  TsvFile file(path, HeaderLine::absent);
  std::vector<std::string_view> fields;
  Array<Edge> edges;
  while (file.next(fields)) {
    if (fields.size() != 2) file.fail("expected a cited and a citing paper, got {}", fields.size());
    const NodeId cited = papers.index.find(fields[0]), citing = papers.index.find(fields[1]);
    if (cited < 0 || citing < 0)
      unknown++;
    else
      edges.push_back({citing, cited});
  }
  return edges;
}

}  // namespace

std::string linqs_name(const std::string& folder) {
  for (const std::string& file : file_names(folder)) {
    if (!file.ends_with(".cites") || file.size() == 6) continue;
    const std::string name = file.substr(0, file.size() - 6);
    if (!find_file(folder, name + ".content").empty()) return name;
  }
  return "";
}

Dataset load_linqs(const std::string& folder) {
  const std::string name = linqs_name(folder);
  if (name.empty()) fail_data("{}: the files NAME.cites and NAME.content are missing", folder);
  TsvFile content(need_file(folder, name + ".content"), HeaderLine::absent);
  Papers papers = read_papers(content);

  Dataset dataset;
  dataset.name = name;
  int64_t unknown = 0;
  BuiltGraph built =
      build_graph(NodeId(papers.name.size()),
                  read_citations(need_file(folder, name + ".cites"), papers, unknown));
  dataset.graph = std::move(built.graph);
  dataset.build = built.stats;
  dataset.ids = node_ids_of(papers.name);
  dataset.features = std::move(papers.words);
  dataset.features_from = "bag of words";
  Classes classes = classes_of(papers.topic);
  dataset.label = std::move(classes.label);
  dataset.class_names = std::move(classes.names);
  if (unknown > 0)
    dataset.remarks.push_back(fmt::format(
        "{} citations name papers without content and are left out", human_count(unknown)));
  return dataset;
}

}  // namespace mgnn
