// Columns of the user's tables of nodes and graphs.
#pragma once

#include <vector>

#include "mgnn/data/dataset.h"
#include "mgnn/io/table.h"

namespace mgnn {

// The columns besides `taken` whose first cell is a number.
std::vector<int64_t> number_columns(const Table& table, const std::vector<int64_t>& taken);

// (items, columns); row r of the table goes to item_of[r], items without a row have zeros. Throws
// Error with path:line on what is not a finite number.
Matrix read_numbers(const Table& table, const std::vector<int64_t>& columns,
                    const std::vector<NodeId>& item_of, NodeId num_items);

// The column of targets: `wanted`, which must be there, or if that is empty "target", if it is there
// and begins with a number; else -1.
int64_t target_column(const Table& table, const std::string& wanted);
// (items): the numbers of a column; NaN for items without a row or with an empty cell. Throws Error
// with path:line on what is not a finite number.
std::vector<double> read_targets(const Table& table, int64_t column,
                                 const std::vector<NodeId>& item_of, NodeId num_items);

// The split "table" from a column that holds train, val (valid, validation), test, or nothing.
// Throws Error with path:line on any other word.
Split read_split(const Table& table, int64_t column, const std::vector<NodeId>& item_of);

}  // namespace mgnn
