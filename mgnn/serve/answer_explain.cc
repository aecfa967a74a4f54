// Why a network answers what it does. What all explanations share is computed at the first of them.
#include "mgnn/explain/explainer.h"
#include "mgnn/explain/explanation_text.h"
#include "mgnn/explain/picture.h"
#include "mgnn/serve/answers.h"

namespace mgnn {
namespace {

std::shared_ptr<const Explainer> explainer_of(const ServedModel& model) {
  const std::lock_guard lock(model.explains_in_use);
  if (!model.explains)
    model.explains = std::make_shared<const Explainer>(model.model, model.dataset);
  return model.explains;
}

// The one thing that is asked about. Its names are looked up here, for the nearest of them.
Question question_of(const Query& q) {
  const int subjects = q.body.contains("node") + q.body.contains("pair") + q.body.contains("graph");
  if (subjects != 1) throw HttpError(422, "give one of node, pair and graph");
  Question question{.class_name = text_field(q.body, "class")};
  if (q.body.contains("pair")) {
    const std::vector<std::string> ends = texts_field(q.body, "pair");
    if (ends.size() != 2)
      throw HttpError(422, fmt::format("pair has {} ids; a pair has two", ends.size()));
    question.subject = Subject::pair;
    question.first = ends[0];
    question.second = ends[1];
    q.model.find_items(ends);
    return question;
  }
  question.subject = q.body.contains("graph") ? Subject::graph : Subject::node;
  question.first = text_field(q.body, q.body.contains("graph") ? "graph" : "node");
  if (q.model.is_set == (question.subject == Subject::graph)) q.model.find_item(question.first);
  return question;
}

}  // namespace

void prepare_explanations(const ServedModel& model) { explainer_of(model); }

Response answer_explain(const Query& q) {
  const Question question = question_of(q);
  const Explanation explanation = explainer_of(q.model)->explain(
      question, {.top = integer_field(q.body, "top", 10),
                 .fidelity = boolean_field(q.body, "fidelity", false),
                 .counterfactual = boolean_field(q.body, "counterfactual", false)});
  if (q.request.accept.find("image/svg+xml") != std::string::npos)
    return {
        .body = svg_of(picture_of(explanation, q.model.dataset)),
        .type = "image/svg+xml",
        .headers = {{"Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"}},
        .items = 1};
  return json_response({{"model", q.model.name},
                        {"version", q.model.version},
                        {"explanation", json_of(explanation, q.model.dataset)}},
                       1);
}

}  // namespace mgnn
