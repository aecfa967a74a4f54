#include "mgnn/task/census_table.h"

namespace mgnn {

TextTable census_table(const Census& census, const NullModel& null) {
  TextTable table{{{"motif"}, {"arcs"}, {"triad"}, {"name"}, {"instances", Align::right}}, {}};
  if (null.graphs > 0)
    table.columns.insert(table.columns.end(), {{"random mean", Align::decimal, 1},
                                               {"± std", Align::decimal, 1},
                                               {"z", Align::decimal, 1},
                                               {"p", Align::decimal, 4},
                                               {"q", Align::decimal, 4}});
  for (const Motif& m : all_motifs()) {
    const auto k = size_t(m.number - 1);
    std::vector<Cell> row = {motif_label(m.number), m.drawing, m.triad, m.name, census.total[k]};
    if (null.graphs > 0)
      row.insert(row.end(), {null.mean[k], null.deviation[k], null.z_score[k], null.p_value[k],
                             null.q_value[k]});
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace mgnn
