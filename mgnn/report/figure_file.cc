// The style that drawings share, and drawings as files. Rules name colours by CSS variables, so
// that a page can change them; librsvg knows no variables, so in files the values are put in their
// place.

#include <fmt/format.h>

#include "mgnn/base/error.h"
#include "mgnn/report/figure.h"

#ifdef MGNN_HAVE_RSVG
#include <librsvg/rsvg.h>

#include <memory>

#include "mgnn/base/loaded_library.h"
#endif

namespace mgnn {

const char* const kFigureRules =
    ".figure text{fill:var(--ink);font:13px system-ui,'DejaVu Sans',sans-serif}"
    ".figure .tick{fill:var(--soft);font-size:12px}.figure .value{font-size:11px}"
    ".figure .over{fill:var(--paper);font-size:11px}"
    ".figure line.grid{stroke:var(--rule);stroke-width:1}"
    ".figure line.axis{stroke:var(--soft);stroke-width:1}"
    ".figure line.mark{stroke:var(--soft);stroke-width:1;stroke-dasharray:4 3}"
    ".figure line.error{stroke:var(--ink);stroke-width:1.2}"
    ".figure line.dashed{stroke-dasharray:5 4}.figure "
    "circle.ring{fill:none;stroke:var(--ink);stroke-width:2.5}"
    ".figure circle.node{fill:var(--panel);stroke:var(--soft);stroke-width:1.2}"
    ".figure .halo{fill:var(--paper);stroke:var(--paper);stroke-width:3;font-size:12px}"
    ".figure polyline{fill:none;stroke-width:2;stroke-linejoin:round}"
    ".figure .none{fill:var(--rule);fill-opacity:.35}.figure .target{fill-opacity:0}"
    ".figure .heat{fill:var(--heat)}.figure .cold{fill:var(--c2)}"
    ".figure .fill1{fill:var(--c1)}.figure .line1{stroke:var(--c1)}"
    ".figure .fill2{fill:var(--c2)}.figure .line2{stroke:var(--c2)}"
    ".figure .fill3{fill:var(--c3)}.figure .line3{stroke:var(--c3)}"
    ".figure .fill4{fill:var(--c4)}.figure .line4{stroke:var(--c4)}"
    ".figure .fill5{fill:var(--c5)}.figure .line5{stroke:var(--c5)}"
    ".figure .fill6{fill:var(--c6)}.figure .line6{stroke:var(--c6)}"
    ".figure .fill7{fill:var(--c7)}.figure .line7{stroke:var(--c7)}"
    ".figure .fill8{fill:var(--c8)}.figure .line8{stroke:var(--c8)}"
    ".figure .fill9{fill:var(--c9)}.figure .line9{stroke:var(--c9)}"
    ".figure .fill10{fill:var(--c10)}.figure .line10{stroke:var(--c10)}"
    ".figure .fill11{fill:var(--c11)}.figure .line11{stroke:var(--c11)}"
    ".figure .fill12{fill:var(--c12)}.figure .line12{stroke:var(--c12)}";

// Okabe and Ito's colours, which colour-blind people can tell apart, and four more.
const char* const kLightColours =
    "--paper:#ffffff;--ink:#1c1e21;--soft:#5a6068;--rule:#dfe2e6;--panel:#f6f7f9;--link:#0b62a8;"
    "--heat:#0b62a8;--c1:#0072b2;--c2:#d55e00;--c3:#009e73;--c4:#cc79a7;--c5:#e69f00;--c6:#56b4e9;"
    "--c7:#7a5195;--c8:#8c6d31;--c9:#6b7a8f;--c10:#a6266e;--c11:#5b8c1f;--c12:#b0413e;";
const char* const kDarkColours =
    "--paper:#15171a;--ink:#e8eaed;--soft:#a3abb5;--rule:#343a41;--panel:#1e2125;--link:#7cc0ff;"
    "--heat:#6cb6f5;--c1:#5aa9e6;--c2:#ff8a4c;--c3:#3fcf9f;--c4:#eba4c9;--c5:#ffc24d;--c6:#9bd5f7;"
    "--c7:#b794d6;--c8:#cbb077;--c9:#a5b3c6;--c10:#e86fb0;--c11:#a3d164;--c12:#f08a86;";

namespace {

std::string value_of(std::string_view colours, std::string_view name) {
  const size_t at = colours.find(fmt::format("{}:", name));
  const size_t begin = at + name.size() + 1;
  return std::string(colours.substr(begin, colours.find(';', begin) - begin));
}

std::string with_values(std::string_view rules, std::string_view colours) {
  std::string result;
  for (size_t at; (at = rules.find("var(")) != std::string_view::npos;) {
    const size_t end = rules.find(')', at);
    result += rules.substr(0, at);
    result += value_of(colours, rules.substr(at + 4, end - at - 4));
    rules.remove_prefix(end + 1);
  }
  return result += rules;
}

}  // namespace

std::string svg_of(const Figure& figure) {
  std::string svg = inline_svg(figure);
  const size_t body = svg.find(">\n") + 2;
  svg.insert(
      body,
      fmt::format("<style>{}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n",
                  with_values(kFigureRules, kLightColours), value_of(kLightColours, "--paper")));
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + svg;
}

#ifdef MGNN_HAVE_RSVG

namespace {

const LoadedLibrary& librsvg() {
  static const LoadedLibrary library("librsvg-2.so.2", "librsvg2-2");
  return library;
}

// What is called of it and of the libraries that it brings.
#define MGNN_FUNCTION(name) \
  decltype(::name)* const name = librsvg().function<decltype(::name)>(#name)
struct DrawingLibrary {
  MGNN_FUNCTION(rsvg_handle_new_from_data);
  MGNN_FUNCTION(rsvg_handle_get_intrinsic_size_in_pixels);
  MGNN_FUNCTION(rsvg_handle_render_document);
  MGNN_FUNCTION(g_object_unref);
  MGNN_FUNCTION(g_clear_error);
  MGNN_FUNCTION(cairo_image_surface_create);
  MGNN_FUNCTION(cairo_surface_destroy);
  MGNN_FUNCTION(cairo_create);
  MGNN_FUNCTION(cairo_destroy);
  MGNN_FUNCTION(cairo_surface_write_to_png_stream);
};
#undef MGNN_FUNCTION

}  // namespace

bool has_png() { return librsvg().is_there(); }

std::string png_of(const Figure& figure, double scale) {
  static const DrawingLibrary rsvg;
  const std::string svg = svg_of(figure);
  GError* error = nullptr;
  const std::unique_ptr<RsvgHandle, void (*)(void*)> handle(
      rsvg.rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(),
                                     &error),
      rsvg.g_object_unref);
  double width = 0, height = 0;
  if (error || !rsvg.rsvg_handle_get_intrinsic_size_in_pixels(handle.get(), &width, &height)) {
    const std::string what = error ? error->message : "it has no size";
    rsvg.g_clear_error(&error);
    fail("figure {}: librsvg cannot draw it: {}", figure.name, what);
  }
  const std::unique_ptr<cairo_surface_t, void (*)(cairo_surface_t*)> surface(
      rsvg.cairo_image_surface_create(CAIRO_FORMAT_ARGB32, int(width * scale), int(height * scale)),
      rsvg.cairo_surface_destroy);
  const std::unique_ptr<cairo_t, void (*)(cairo_t*)> to(rsvg.cairo_create(surface.get()),
                                                        rsvg.cairo_destroy);
  const RsvgRectangle all{0, 0, width * scale, height * scale};
  const bool drawn = rsvg.rsvg_handle_render_document(handle.get(), to.get(), &all, &error);
  rsvg.g_clear_error(&error);
  std::string png;
  const auto append = [](void* bytes, const unsigned char* data, unsigned int size) {
    static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), size);
    return CAIRO_STATUS_SUCCESS;
  };
  if (!drawn ||
      rsvg.cairo_surface_write_to_png_stream(surface.get(), append, &png) != CAIRO_STATUS_SUCCESS)
    fail("figure {}: cannot be drawn as PNG", figure.name);
  return png;
}

#else

bool has_png() { return false; }

std::string png_of(const Figure& figure, double) {
  fail_usage("figure {}: this program was built without librsvg and writes no PNG; use SVG",
             figure.name);
}

#endif

}  // namespace mgnn
