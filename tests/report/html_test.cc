#include "mgnn/report/html.h"

#include <gtest/gtest.h>

namespace mgnn {
namespace {

const TextTable kTable{.columns = {{"method"}, {"accuracy", Align::decimal, 2}},
                       .rows = {{"a", 0.5}, {"b", {}}, {"c", int64_t(1234567)}}};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Html, ShowsForPeopleAndSortsForMachines) {
  const std::string html =
      html_of({"Title", "Subtitle", {{"First", {TableBlock{"Scores", kTable}}}, {"Second", {}}}});
  EXPECT_TRUE(has(html, "<td data-v=\"0.5\" class=\"n\">0.50</td>"));
  EXPECT_TRUE(has(html, "<td data-v=\"1234567\" class=\"n\">1,234,567</td>"));
  EXPECT_TRUE(has(html, "<td data-none class=\"n\">-</td>"));
  EXPECT_TRUE(has(html, "<a href=\"#s1\">Second</a>"));
  EXPECT_TRUE(has(html, "<caption>Scores</caption>"));
}

TEST(Html, NeedsNoNetwork) {
  const Figure figure{"f", "Figure", Scatter{"x", "y", {{"g", {1, 2}, {1, 2}}}}};
  const std::string html = html_of({"T", "", {{"S", {figure, TableBlock{"C", kTable}}}}});
  std::string rest = html;
  for (const char* known : {"http://www.w3.org/2000/svg", "http-equiv"})
    for (size_t at; (at = rest.find(known)) != std::string::npos;)
      rest.erase(at, std::string(known).size());
  EXPECT_FALSE(has(rest, "http"));
  EXPECT_FALSE(has(rest, "src=\""));
  EXPECT_TRUE(has(html, "default-src 'none'"));
}

TEST(Html, DataCannotAddMarkup) {
  const std::string bad = "</pre></script><script>alert('x')</script>\"&";
  const TextTable table{.columns = {{bad}}, .rows = {{bad}}};
  const std::string html =
      html_of({bad,
               bad,
               {{bad,
                 {Paragraph{bad}, TableBlock{bad, table, {{bad}}, true}, TextBlock{bad, bad},
                  Figure{bad, bad, Bars{bad, {bad}, {{bad, {1.0}}}}}}},
                {bad, {}}}});
  EXPECT_FALSE(has(html, "alert('"));
  EXPECT_TRUE(has(html, "&lt;script&gt;alert(&#39;x&#39;)"));
  size_t scripts = 0;
  for (size_t at = html.find("<script"); at != std::string::npos; at = html.find("<script", at + 1))
    scripts++;
  EXPECT_EQ(scripts, 1u);
}

}  // namespace
}  // namespace mgnn
