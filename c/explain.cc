#include <fmt/format.h>

#include "c/run.h"
#include "mgnn/explain/explainer.h"
#include "mgnn/explain/picture.h"

namespace mgnn::c {
namespace {

Question question_of(const mgnn_explain_options& asked) {
  Question question{.first = &needed(asked.first, "first"),
                    .second = text_of(asked.second),
                    .class_name = text_of(asked.class_name)};
  const std::string subject = text_of(asked.subject, "node");
  for (const Named<Subject>& entry : enum_names(Subject{}))
    if (subject == entry.name) {
      question.subject = entry.value;
      check(question.subject != Subject::pair || asked.second, "second is NULL, of a pair");
      return question;
    }
  fail_usage("subject {}: node, pair or graph", in_quotes(subject));
}

// Calls use(explanation, data).
template <class Use>
void explained(const mgnn_run& run, const mgnn_dataset* dataset,
               const mgnn_explain_options* options, Use&& use) {
  const auto asked = given(options, "mgnn_explain_options");
  const Question question = question_of(asked);
  ExplainOptions how{.seed = asked.seed};
  check(asked.top >= 0, "top is {}", asked.top);
  if (asked.top > 0) how.top = asked.top;
  if (asked.no_recount) how.fidelity = how.counterfactual = false;
  const std::lock_guard lock(run.mutex);
  const std::shared_ptr<const Dataset> data = data_of(run, dataset);
  const Explainer explainer(run.model, *data);
  use(explainer.explain(question, how), *data);
  check_interrupted();
}

std::string drawn(const Explanation& e, const Dataset& data, const std::string& format) {
  if (format == "html") return html_of(page_of(e, data));
  if (format == "graphml") return graphml_of(e, data);
  if (format == "svg") return svg_of(picture_of(e, data));
  if (format == "png") return png_of(picture_of(e, data));
  fail_usage("format {}: svg, png, html or graphml", in_quotes(format));
}

}  // namespace
}  // namespace mgnn::c

using namespace mgnn;
using namespace mgnn::c;

int mgnn_run_explain(const mgnn_call* call, const mgnn_run* run, const mgnn_dataset* dataset,
                     const mgnn_explain_options* options, mgnn_buffer** json) {
  return in_call(call, [&] {
    needed(json, "json");
    explained(needed(run, "run"), dataset, options, [&](const Explanation& e, const Dataset& data) {
      *json = new_buffer(json_of(e, data));
    });
  });
}

int mgnn_run_explain_as(const mgnn_call* call, const mgnn_run* run, const mgnn_dataset* dataset,
                        const mgnn_explain_options* options, const char* format,
                        mgnn_buffer** document) {
  return in_call(call, [&] {
    needed(document, "document");
    const std::string how = &needed(format, "format");
    explained(needed(run, "run"), dataset, options, [&](const Explanation& e, const Dataset& data) {
      *document = new_buffer(drawn(e, data, how));
    });
  });
}
