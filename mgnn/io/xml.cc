#include "mgnn/io/xml.h"

#include <expat.h>

#include <algorithm>
#include <exception>
#include <memory>

#include "mgnn/base/interrupt.h"

namespace mgnn {

bool XmlElement::has(std::string_view attribute) const {
  return std::any_of(attributes.begin(), attributes.end(),
                     [&](const auto& entry) { return entry.first == attribute; });
}

std::string_view XmlElement::get(std::string_view attribute) const {
  for (const auto& entry : attributes)
    if (entry.first == attribute) return entry.second;
  return {};
}

std::string one_line(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t start = text.find_first_not_of(kBlanks);
  if (start == text.npos) return "";
  std::string line(text.substr(start, text.find_last_not_of(kBlanks) + 1 - start));
  for (char& c : line)
    if (kBlanks.find(c) != kBlanks.npos) c = ' ';
  return line;
}

namespace {

std::string_view without_prefix(std::string_view name) {
  const size_t colon = name.rfind(':');
  return colon == name.npos ? name : name.substr(colon + 1);
}

// One run of the parser. Errors of ours do not pass through expat: they are kept, and it is stopped.
struct Run {
  const std::string& path;
  const XmlEvents& events;
  XML_Parser parser;
  std::vector<std::string> text = {};  // of the elements that are open
  std::exception_ptr problem = {};

  int64_t line() const { return int64_t(XML_GetCurrentLineNumber(parser)); }

  template <class Action>
  void guarded(Action&& action) {
    if (problem) return;
    try {
      action();
    } catch (...) {
      problem = std::current_exception();
      XML_StopParser(parser, XML_FALSE);
    }
  }
};

void on_begin(void* data, const XML_Char* name, const XML_Char** attributes) {
  Run& run = *static_cast<Run*>(data);
  run.guarded([&] {
    constexpr size_t kMaxDepth = 64;
    if (run.text.size() == kMaxDepth)
      fail_at(run.path, run.line(), "elements are nested deeper than {}", kMaxDepth);
    run.text.emplace_back();
    XmlElement element{without_prefix(name), {}, run.line()};
    for (const XML_Char** a = attributes; *a != nullptr; a += 2)
      element.attributes.emplace_back(a[0], a[1]);
    run.events.begin(element);
  });
}

void on_end(void* data, const XML_Char* name) {
  Run& run = *static_cast<Run*>(data);
  run.guarded([&] {
    const std::string text = std::move(run.text.back());
    run.text.pop_back();
    run.events.end(without_prefix(name), text, run.line());
  });
}

void on_text(void* data, const XML_Char* text, int length) {
  Run& run = *static_cast<Run*>(data);
  run.guarded([&] { run.text.back().append(text, size_t(length)); });
}

void on_doctype(void* data, const XML_Char*, const XML_Char*, const XML_Char*, int) {
  Run& run = *static_cast<Run*>(data);
  run.guarded(
      [&] { fail_at(run.path, run.line(), "has a DOCTYPE, which is not read; remove it"); });
}

}  // namespace

void parse_xml(std::string_view text, const std::string& path, const XmlEvents& events) {
  const std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> parser(XML_ParserCreate(nullptr),
                                                                       XML_ParserFree);
  if (!parser) fail("{}: there is too little memory to read it", path);
  Run run{path, events, parser.get()};
  XML_SetUserData(run.parser, &run);
  XML_SetElementHandler(run.parser, on_begin, on_end);
  XML_SetCharacterDataHandler(run.parser, on_text);
  XML_SetStartDoctypeDeclHandler(run.parser, on_doctype);
  constexpr size_t kPiece = size_t(16) << 20;
  do {
    check_interrupted();
    const std::string_view piece = text.substr(0, kPiece);
    text.remove_prefix(piece.size());
    const XML_Status status = XML_Parse(run.parser, piece.data(), int(piece.size()), text.empty());
    if (run.problem) std::rethrow_exception(run.problem);
    if (status == XML_STATUS_OK) continue;
    const XML_Error code = XML_GetErrorCode(run.parser);
    if (code == XML_ERROR_NO_MEMORY) fail("{}: there is too little memory to read it", path);
    fail_at(path, run.line(), "is not well-formed XML: {}", XML_ErrorString(code));
  } while (!text.empty());
}

}  // namespace mgnn
