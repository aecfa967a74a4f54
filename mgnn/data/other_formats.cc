// Formats that are known in order to be refused by their names: read as an edge list, many of them
// would give some graph, but not theirs.

#include "mgnn/data/format_heads.h"
#include "mgnn/data/formats.h"

namespace mgnn {
namespace {

constexpr std::string_view kTable = "export two columns as CSV";

struct Refused {
  std::string_view title, advice;
  bool (*recognise)(std::string_view bytes, const std::string& path);
};
constexpr Refused kRefused[] = {
    {"HTML", "it is a web page; download the data themselves", is_html},
    {"XML", kTable, is_other_xml},
    {"Turtle", "write it as N-Triples: serdi -o ntriples file.ttl, or rapper -o ntriples",
     is_turtle},
    {"GAF (annotations)", "write one annotation a line: gene, relation, term", is_annotation},
    {"Parquet", kTable, is_parquet},
    {"Arrow", kTable, is_arrow},
    {"Python pickle", "it could run any program, so it is never opened; save arrays as .npz",
     is_pickle},
    {"Excel", kTable, is_workbook},
    {"SQLite", kTable, is_database},
    {"MATLAB", "save it as Matrix Market: scipy.io.mmwrite", is_matlab},
};

}  // namespace

void append_other_formats(std::vector<GraphFormat>& formats) {
  for (const Refused& refused : kRefused)
    formats.push_back({.name = refused.title,
                       .title = refused.title,
                       .recognise = refused.recognise,
                       .advice = refused.advice});
}

}  // namespace mgnn
