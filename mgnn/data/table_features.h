// Columns of a user's table as features of a network.
#pragma once

#include "mgnn/data/feature_columns.h"
#include "mgnn/io/table.h"

namespace mgnn {

// Which columns, and whose rows.
struct TableFeatureOptions {
  // By name, also with a kind behind it: zip:category, gene:hash, age:number. Empty: all not taken.
  std::vector<std::string> wanted = {};
  std::vector<int64_t> taken = {};  // may not be features: ids, labels
  int64_t category = -1;            // a column of categories, even if they are numbers
};

// Sets features, features_from, feature_names, num_attributes and table_columns of the dataset; row r of the table is
// that of node node_of[r]. A column is one of
//   numbers, also with decimal commas; true and false, yes and no; dates, as days since 1970
//            (31/12/2024 where some cell tells the day from the month)
//            one measured column; NaN where the cell is missing (table_cells.h) or there is no row,
//            and then a column NAME=(missing) that is 1 there
//   texts, and numbers of which some begin with 0
//            one-hot, NAME=VALUE, missing ones are a value of their own; with more than 50 values
//            hashed to 64 columns NAME=#i if the column is wanted by name, else left out
// A kind that is stated is used: numbers may be categories, and texts hashed however few they are.
// Columns without a name (numbers of rows) and folds are no features unless they are wanted.
// Remarks say what is not plain: columns left out, dates, decimal commas, missing cells.
// Throws Error with path:line where most cells of a column are numbers but one is not, and (data)
// where 1,234 or 01/02/2024 may be either of two things, two columns have one name, or the features would take more than 8 GiB.
void set_table_features(Dataset& dataset, const Table& table, const std::vector<NodeId>& node_of,
                        const TableFeatureOptions& options);

}  // namespace mgnn
