// The page to explore with: one file, compiled in. Only scripts and styles with the nonce of this answer
// run, and only this server can be asked, whatever names of nodes say.
#include "mgnn/serve/access.h"
#include "mgnn/serve/dispatch.h"

namespace mgnn {

extern const std::string_view kServePage;

namespace {

std::string replaced(std::string text, std::string_view place, const std::string& by) {
  for (size_t at = text.find(place); at != text.npos; at = text.find(place, at + by.size()))
    text.replace(at, place.size(), by);
  return text;
}

// Arcs of each motif, and the role of each of its nodes.
std::string motifs_text() {
  Json json;
  for (const Motif& m : all_motifs()) {
    Json& entry = json[motif_label(m.number)];
    for (int a = 0; a < m.num_arcs; a++) entry["arcs"].push_back({m.arcs[a].from, m.arcs[a].to});
    entry["roles"] = m.roles;
  }
  return json.dump();
}

}  // namespace

Response answer_page(const ServerFacts& facts, const Request&) {
  if (!facts.page) throw HttpError(404, "this server was started without the page (--no-page)");
  static const std::string page = replaced(std::string(kServePage), "/*MOTIFS*/{}", motifs_text());
  const std::string nonce = random_token();
  return {.body = replaced(page, "NONCE", nonce),
          .type = "text/html; charset=utf-8",
          .headers = {{"Content-Security-Policy",
                       fmt::format("default-src 'none'; script-src 'nonce-{0}'; style-src "
                                   "'nonce-{0}'; connect-src 'self'; img-src data:; base-uri "
                                   "'none'; form-action 'none'; frame-ancestors 'none'",
                                   nonce)},
                      {"X-Frame-Options", "DENY"}}};
}

}  // namespace mgnn
