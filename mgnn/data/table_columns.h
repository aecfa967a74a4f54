// Columns of the user's tables of nodes and graphs.
#pragma once

#include <span>
#include <vector>

#include "mgnn/data/dataset.h"
#include "mgnn/io/table.h"

namespace mgnn {

// Columns of a table of nodes or graphs. One that is named must be there, unless it is one of the optional;
// one left empty has a usual name and may be absent.
struct TableOptions {
  std::string id_column = {};      // empty: id, node_id or node; id, graph_id or graph
  std::string label_column = {};   // empty: label, labels or class, if there
  std::string type_column = {};    // empty: type, if there
  std::string split_column = {};   // empty: as split_columns says
  std::string target_column = {};  // empty: target, if there and of numbers
  std::vector<std::string> feature_columns = {};   // empty: all others, as table_features.h says
  std::vector<std::string> optional_columns = {};  // as LoadOptions::optional_columns
};

// The column with a usual name, or else the only one that differs from it in upper and lower case; -1 if
// there is none.
int64_t usual_column(const Table& table, std::string_view name);
// The usual column with the first of the names that is there. Throws Error (data) that lists the columns
// if there is none.
int64_t first_usual_column(const Table& table, std::initializer_list<const char*> names);

// 1,5 is a number; 1,234 may be one and a bit or more than a thousand. Throws Error with path:line, which
// calls the column a `what`, if all commas of a column of numbers are of the second kind.
void check_decimal_commas(const Table& table, int64_t column, const char* what);

// Each throws Error (usage) if the column that is named is not there, and need be. -1: none.
int64_t id_column(const Table& table, const std::string& wanted,
                  std::initializer_list<const char*> usual);
int64_t optional_column(const Table& table, const std::string& wanted, const char* usual,
                        const TableOptions& options);
int64_t label_column(const Table& table, const TableOptions& options);
// Without a name, target must begin with a number.
int64_t target_column(const Table& table, const TableOptions& options);
// (items): the numbers of a column; NaN for items without a row or whose cell is missing. Throws Error
// with path:line on what is not a finite number, perhaps with a decimal comma.
std::vector<double> read_targets(const Table& table, int64_t column,
                                 const std::vector<NodeId>& item_of, NodeId num_items);

// (items): trimmed texts of a column; empty for items without a row or whose cell is missing.
std::vector<std::string_view> read_texts(const Table& table, int64_t column,
                                         const std::vector<NodeId>& item_of, NodeId num_items);
// Sets class_names and label of the dataset, or label_set where cells such as a|b have several labels
// that occur elsewhere, too. Throws Error (data) where labels are numbers that cannot
// be classes: they have fractions, or most differ. Remarks where all classes differ, and where cells such
// as a;b or a, b seem to have several labels.
void set_labels(Dataset& dataset, const Table& table, int64_t column,
                const std::vector<NodeId>& item_of);

// The columns that say a split: the one that is named; else split; else train_mask, and val_mask and
// test_mask where they are there (-1 where not); else the only one whose cells are train, val or test,
// which is a guess and said in a remark. The last two are none of those asked for as features. Empty if there
// are none.
std::vector<int64_t> split_columns(Dataset& dataset, const Table& table,
                                   const TableOptions& options);
// The split "table" from a column that holds train, val (valid, validation), test, or nothing, or from
// three masks. Throws Error with path:line on anything else.
Split read_split(const Table& table, std::span<const int64_t> columns,
                 const std::vector<NodeId>& item_of);

// What columns are used as, for the line that says what was understood: t.csv: ids are "id", classes
// "label". Uses without a column (-1) are left out.
std::string describe_columns(const Table& table,
                             const std::vector<std::pair<const char*, int64_t>>& uses);
std::string describe_features(const Dataset& dataset);  // features "a", "b" and 17 more

}  // namespace mgnn
