// One self-contained page: tables that sort, figures with hover values, text. It needs no network,
// follows light and dark mode and is readable on a phone.
#pragma once

#include "mgnn/report/figure.h"
#include "mgnn/report/table.h"

namespace mgnn {

struct Paragraph {
  std::string text;
};
struct TableBlock {
  std::string caption;
  TextTable table;
  // Shown when the pointer is over a cell, (rows, columns); empty: nothing. Where a number is from.
  std::vector<std::vector<std::string>> tips = {};
  bool folded = false;  // shown only when asked for
};
struct TextBlock {  // as it is, folded: a configuration
  std::string caption, text;
};
using Block = std::variant<Paragraph, TableBlock, Figure, TextBlock>;

struct Section {
  std::string title;
  std::vector<Block> blocks;
};

struct Page {
  std::string title, subtitle;
  std::vector<Section> sections;
};

// All text is escaped: data cannot add markup or scripts.
std::string html_of(const Page& page);

}  // namespace mgnn
