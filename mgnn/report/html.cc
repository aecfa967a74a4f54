#include "mgnn/report/html.h"

#include <fmt/format.h>

#include "mgnn/base/error.h"

namespace mgnn {
namespace {

constexpr const char* kStyle = R"(
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main,header{max-width:860px;margin:0 auto;padding:0 16px}
header{padding-top:28px}main{padding-bottom:60px}
h1{font-size:1.7rem;line-height:1.25;margin:0}h2{font-size:1.25rem;margin:44px 0 8px}
header p,.caption{color:var(--soft)}header p{margin:6px 0 18px}
nav ul{display:flex;flex-wrap:wrap;gap:4px 16px;list-style:none;margin:0;padding:12px 0;
border-top:1px solid var(--rule);border-bottom:1px solid var(--rule)}
a{color:var(--link)}p{max-width:72ch}
figure{margin:18px 0}figcaption,caption,summary{font-weight:600;text-align:left;padding:6px 0}
.scroll{overflow-x:auto;margin:16px 0}figure .scroll{margin:0}
svg.figure{display:block;width:100%;min-width:480px;max-width:760px;height:auto}
[data-tip]{cursor:help}
table{border-collapse:collapse;width:max-content;font-size:.9rem;font-variant-numeric:tabular-nums}
th,td{padding:4px 12px 4px 0;border-bottom:1px solid var(--rule);text-align:left;vertical-align:top}
td{max-width:46ch;overflow-wrap:anywhere}
td.n,th.n{text-align:right;white-space:nowrap}
th{white-space:nowrap;position:relative}
th button{all:unset;cursor:pointer;font-weight:600}
th button:focus-visible,summary:focus-visible,a:focus-visible,.scroll:focus-visible{
outline:2px solid var(--link);outline-offset:2px}
th button::after{content:"\2195";opacity:.35;padding-left:3px}
th[aria-sort=ascending] button::after{content:"\2191";opacity:1}
th[aria-sort=descending] button::after{content:"\2193";opacity:1}
tbody tr:hover{background:var(--panel)}
details{margin:14px 0}summary{cursor:pointer}
pre{background:var(--panel);border:1px solid var(--rule);padding:12px;overflow-x:auto;
font:13px/1.45 ui-monospace,monospace;margin:6px 0}
#tip{position:fixed;z-index:9;max-width:min(420px,90vw);background:var(--ink);color:var(--paper);
padding:5px 9px;border-radius:4px;font-size:.82rem;pointer-events:none;overflow-wrap:anywhere;
white-space:pre-line}
@media (max-width:600px){h1{font-size:1.35rem}th,td{padding-right:9px}body{font-size:15px}}
@media print{nav,#tip{display:none}}
)";

// Sorting: numbers by data-v, texts as they read, empty cells last. Tips: beside the pointer.
constexpr const char* kScript = R"(
"use strict";
for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const head = button.parentElement, table = head.closest("table");
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = table.tBodies[0], at = head.cellIndex, sign = down ? -1 : 1;
    const key = row => {
      const cell = row.cells[at];
      if (cell.dataset.none !== undefined) return null;
      return cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v);
    };
    const rows = [...body.rows].map(row => [key(row), row]);
    rows.sort(([a], [b]) => {
      if (a === null || b === null) return (a === null) - (b === null);
      if (typeof a === "number" && typeof b === "number") return sign * (a - b);
      return sign * String(a).localeCompare(String(b), "en", {numeric: true});
    });
    for (const [, row] of rows) body.append(row);
  });
}
const tip = document.getElementById("tip");
const show = event => {
  const over = event.target.closest && event.target.closest("[data-tip]");
  tip.hidden = !over;
  if (!over) return;
  tip.textContent = over.dataset.tip;
  const box = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - box.width - 4)) + "px";
  const above = event.clientY - box.height - 12;
  tip.style.top = (above < 4 ? event.clientY + 18 : above) + "px";
};
document.addEventListener("pointermove", show);
document.addEventListener("pointerdown", show);
document.addEventListener("scroll", () => { tip.hidden = true; }, true);
)";

std::string cell_of(const Cell& cell, const TableColumn& column, const std::string& tip) {
  std::string attributes;
  if (std::holds_alternative<std::monostate>(cell)) attributes += " data-none";
  if (const auto* count = std::get_if<int64_t>(&cell))
    attributes += fmt::format(" data-v=\"{}\"", *count);
  if (const auto* number = std::get_if<double>(&cell))
    attributes += fmt::format(" data-v=\"{}\"", *number);
  if (column.align != Align::left) attributes += " class=\"n\"";
  if (!tip.empty()) attributes += fmt::format(" data-tip=\"{}\"", xml_escaped(tip));
  return fmt::format("<td{}>{}</td>", attributes, xml_escaped(shown(cell, column)));
}

std::string table_of(const TableBlock& block) {
  const TextTable& table = block.table;
  // A box that scrolls must be reachable by keyboard, and then needs a name.
  std::string html = fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table>"
      "<caption>{0}</caption><thead><tr>",
      xml_escaped(block.caption));
  for (const TableColumn& column : table.columns)
    html +=
        fmt::format("<th scope=\"col\"{}><button type=\"button\">{}</button></th>",
                    column.align == Align::left ? "" : " class=\"n\"", xml_escaped(column.title));
  html += "</tr></thead><tbody>\n";
  for (size_t r = 0; r < table.rows.size(); r++) {
    check(table.rows[r].size() == table.columns.size(), "a table of {} columns has a row of {}",
          table.columns.size(), table.rows[r].size());
    html += "<tr>";
    for (size_t c = 0; c < table.columns.size(); c++)
      html +=
          cell_of(table.rows[r][c], table.columns[c], block.tips.empty() ? "" : block.tips[r][c]);
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string folded(const std::string& caption, const std::string& content) {
  return fmt::format("<details><summary>{}</summary>{}</details>\n", xml_escaped(caption), content);
}

std::string html_of(const Paragraph& block) {
  return fmt::format("<p>{}</p>\n", xml_escaped(block.text));
}
std::string html_of(const TableBlock& block) {
  return block.folded ? folded(block.caption, table_of(block)) : table_of(block);
}
std::string html_of(const Figure& block) {
  return fmt::format(
      "<figure><figcaption>{0}</figcaption><div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"{0}\">{1}</div></figure>\n",
      xml_escaped(block.title), inline_svg(block));
}
std::string html_of(const TextBlock& block) {
  return folded(block.caption,
                fmt::format("<pre tabindex=\"0\">{}</pre>", xml_escaped(block.text)));
}

std::string contents_of(const Page& page) {
  if (page.sections.size() < 2) return "";
  std::string html = "<nav aria-label=\"Contents\"><ul>";
  for (size_t i = 0; i < page.sections.size(); i++)
    html += fmt::format("<li><a href=\"#s{}\">{}</a></li>", i, xml_escaped(page.sections[i].title));
  return html + "</ul></nav>\n";
}

}  // namespace

std::string html_of(const Page& page) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>{0}</title>\n<style>:root{{{1}}}\n"
      "@media (prefers-color-scheme:dark){{:root{{{2}}}}}{3}{4}</style></head>\n"
      "<body><header><h1>{0}</h1><p>{5}</p>{6}</header><main>\n",
      xml_escaped(page.title), kLightColours, kDarkColours, kStyle, kFigureRules,
      xml_escaped(page.subtitle), contents_of(page));
  for (size_t i = 0; i < page.sections.size(); i++) {
    html +=
        fmt::format("<section id=\"s{}\"><h2>{}</h2>\n", i, xml_escaped(page.sections[i].title));
    for (const Block& block : page.sections[i].blocks)
      html += std::visit([](const auto& one) { return html_of(one); }, block);
    html += "</section>\n";
  }
  return html + fmt::format(
                    "</main><div id=\"tip\" role=\"status\" hidden></div><script>{}</script>"
                    "</body></html>\n",
                    kScript);
}

}  // namespace mgnn
