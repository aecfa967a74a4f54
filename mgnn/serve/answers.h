// What each route answers about a loaded model. All are functions of the model and the request alone:
// the same request gives the same bytes. All throw HttpError.
#pragma once

#include "mgnn/serve/fields.h"
#include "mgnn/serve/message.h"
#include "mgnn/serve/served_model.h"

namespace mgnn {

struct Query {
  const ServedModel& model;
  const Request& request;
  const Json& body;       // of a POST, or the query of a GET; checked against the route's fields
  std::string rest = {};  // of the path: what its pattern leaves open behind the model
  bool allow_new_nodes = false;
};

// ---- items: nodes, or graphs of a set
Response answer_model(const Query& query);    // what the model is
Response answer_predict(const Query& query);  // classes with probabilities, labels or numbers
Response answer_embed(const Query& query);
Response answer_motifs(const Query& query);  // motifs and roles of nodes
Response answer_search(const Query& query);  // items by prefix
Response answer_node(const Query& query);    // type, degrees, answer, neighbours

Response answer_census(const Query& query);  // of the whole graph, with a null model if asked for

// ---- pairs, by a network for links
Response answer_pairs(const Query& query);
Response answer_rank(const Query& query);

// ---- why
Response answer_explain(const Query& query);  // shares, neighbours, instances and features

// What all explanations of a model share; takes seconds on large graphs.
void prepare_explanations(const ServedModel& model);

// ---- Open Inference Protocol, version 2
Response answer_infer_metadata(const Query& query);
Response answer_infer(const Query& query);

// ---- items that the request brings along
Json new_node_predictions(const Query& query);

// ---- what they share
Response json_response(const Json& json, int64_t items);
// {"node": …} or {"graph": …} with what row `row` of `answers` says of it.
Json prediction_json(const ServedModel& model, const std::string& item, const Matrix& answers,
                     int64_t row);
Json model_json(const ServedModel& model);

}  // namespace mgnn
