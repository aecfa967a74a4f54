// Columns of the user's tables of nodes and graphs.
#pragma once

#include <vector>

#include "mgnn/data/dataset.h"
#include "mgnn/io/table.h"

namespace mgnn {

// The column with a usual name, or else the only one that differs from it in upper and lower case; -1 if
// there is none.
int64_t usual_column(const Table& table, std::string_view name);
// The usual column with the first of the names that is there. Throws Error (data) that lists the columns
// if there is none.
int64_t first_usual_column(const Table& table, std::initializer_list<const char*> names);

// The column of targets: `wanted`, which must be there, or if that is empty "target", if it is there
// and begins with a number; else -1.
int64_t target_column(const Table& table, const std::string& wanted);
// (items): the numbers of a column; NaN for items without a row or whose cell is missing. Throws Error
// with path:line on what is not a finite number.
std::vector<double> read_targets(const Table& table, int64_t column,
                                 const std::vector<NodeId>& item_of, NodeId num_items);

// (items): trimmed texts of a column; empty for items without a row or whose cell is missing.
std::vector<std::string_view> read_texts(const Table& table, int64_t column,
                                         const std::vector<NodeId>& item_of, NodeId num_items);
// Sets class_names and label of the dataset, or label_set where cells such as a|b have several labels
// that occur elsewhere, too. Throws Error (data) where labels are numbers that cannot
// be classes: they have fractions, or most differ.
void set_labels(Dataset& dataset, const Table& table, int64_t column,
                const std::vector<NodeId>& item_of);

// The split "table" from a column that holds train, val (valid, validation), test, or nothing.
// Throws Error with path:line on any other word.
Split read_split(const Table& table, int64_t column, const std::vector<NodeId>& item_of);

}  // namespace mgnn
