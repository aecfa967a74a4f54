#include "mgnn/data/load.h"
#include "mgnn/serve/dispatch.h"
#include "mgnn/task/ranking.h"
#include "mgnn/task/trained_model.h"
#include "tests/serve/running_server.h"

namespace mgnn {
namespace {

using namespace mgnn::testing;

ModelSetPointer models() {
  static const ModelSetPointer set =
      load_models({trained_runs().node, trained_runs().link, trained_runs().graph}, "");
  return set;
}

Response ask(const std::string& method, const std::string& address, const std::string& body = "",
             bool allow_new_nodes = false) {
  const size_t question = std::min(address.find('?'), address.size());
  Request request{.method = method,
                  .path = address.substr(0, question),
                  .query = address.substr(std::min(address.size(), question + 1)),
                  .body = body,
                  .accept = ""};
  try {
    return answer(match_route(method, request.path), request,
                  {.ready = true, .models = models(), .allow_new_nodes = allow_new_nodes});
  } catch (const HttpError& error) {
    return response_of(error);
  }
}
Json json_of(const Response& response) { return Json::parse(response.body); }
Json post_json(const std::string& address, const Json& body, bool allow_new_nodes = false) {
  return json_of(ask("POST", address, body.dump(), allow_new_nodes));
}
std::string problem(const std::string& method, const std::string& address,
                    const std::string& body = "") {
  const Response response = ask(method, address, body);
  const Json json = json_of(response);
  EXPECT_EQ(response.type, "application/problem+json") << response.body;
  EXPECT_EQ(json.at("status"), response.code);
  return fmt::format("{} {}", response.code, json.at("detail").get<std::string>());
}

TEST(ServeAnswers, PredictionsAreThoseOfPredict) {
  TrainedModel model = read_model(trained_runs().node);
  const Dataset data = load_for_prediction(model);
  const Matrix probability = answers_of(model, predict(model, data).output);
  std::vector<std::string> ids;
  for (NodeId v = 0; v < data.graph.num_nodes(); v++) ids.push_back(data.ids.name(v));
  const Json reply = post_json("/v1/models/node/predict", {{"nodes", ids}});
  ASSERT_EQ(reply["predictions"].size(), ids.size());
  for (size_t v = 0; v < ids.size(); v++) {
    const Json& item = reply["predictions"][v];
    double sum = 0;
    for (size_t c = 0; c < model.class_names.size(); c++) {
      const double p = item["probabilities"][model.class_names[c]];
      EXPECT_FLOAT_EQ(float(p), probability(int64_t(v), int64_t(c)));
      sum += p;
    }
    EXPECT_NEAR(sum, 1, 1e-5);
    EXPECT_EQ(item["probabilities"][item["class"].get<std::string>()], item["probability"]);
    EXPECT_EQ(item["true_class"], data.class_names[size_t(data.label[v])]);
  }
}

TEST(ServeAnswers, RankingIsThatOfRank) {
  TrainedModel model = read_model(trained_runs().link);
  const Dataset data = load_for_prediction(model);
  for (const NodeId node : {0, 17, 400}) {
    const std::string name = data.ids.name(node);
    const Ranking ranking = rank_links(model, data, {.partner_of = name, .top = 15});
    const Json reply = post_json("/v1/models/link/rank", {{"node", name}, {"top", 15}});
    ASSERT_EQ(reply["pairs"].size(), ranking.pairs.size());
    for (size_t i = 0; i < ranking.pairs.size(); i++) {
      const Json& pair = reply["pairs"][i];
      EXPECT_EQ(pair["from"], data.ids.name(ranking.pairs[i].from));
      EXPECT_EQ(pair["to"], data.ids.name(ranking.pairs[i].to));
      EXPECT_NEAR(pair["probability"].get<double>(), ranking.probability[i], 1e-6);
      EXPECT_FALSE(pair["known"].get<bool>());
      double sum = 0;
      for (const auto& [motif, share] : pair["motifs"].items()) sum += share.get<double>();
      EXPECT_NEAR(sum, pair["score"].get<double>(), 1e-4);
    }
  }
}

TEST(ServeAnswers, KnownPairsAreMarkedWhereTheyAreAskedFor) {
  const Dataset& data = models()->find("link").dataset;
  const NodeId node = 3;
  const Json reply =
      post_json("/v1/models/link/rank",
                {{"node", data.ids.name(node)}, {"top", 10'000}, {"exclude_known", false}});
  size_t known = 0;
  for (const Json& pair : reply["pairs"]) known += pair["known"].get<bool>();
  std::vector<NodeId> both(data.graph.out.row(node).begin(), data.graph.out.row(node).end());
  for (const NodeId v : data.graph.in.row(node))
    if (!data.graph.has_arc(node, v)) both.push_back(v);
  EXPECT_EQ(known, both.size());
}

TEST(ServeAnswers, ScoresOfPairsAreThoseOfTheRanking) {
  const std::string name = models()->find("link").dataset.ids.name(5);
  const Json ranked = post_json("/v1/models/link/rank", {{"node", name}, {"top", 5}});
  for (const Json& pair : ranked["pairs"]) {
    const Json reply =
        post_json("/v1/models/link/pairs",
                  {{"pairs", Json::array({Json::array({pair["from"], pair["to"]})})}});
    EXPECT_NEAR(reply["pairs"][0]["score"].get<double>(), pair["score"].get<double>(), 1e-4);
    EXPECT_EQ(reply["pairs"][0]["known"], false);
  }
}

TEST(ServeAnswers, PartnersOfATypeHaveThatType) {
  const ServedModel& model = models()->find("link");
  const Json reply = post_json("/v1/models/link/rank",
                               {{"node", model.item_name(0)}, {"type", "gene"}, {"top", 8}});
  ASSERT_GT(reply["pairs"].size(), 0u);
  for (const Json& pair : reply["pairs"]) {
    const std::string from = pair["from"], to = pair["to"];
    EXPECT_EQ(model.type_of(model.find_item(from == model.item_name(0) ? to : from)), "gene");
  }
}

TEST(ServeAnswers, RolesAddUpToTheCensus) {
  const ServedModel& model = models()->find("node");
  Json ids = Json::array();
  for (NodeId v = 0; v < model.num_items(); v++) ids.push_back(model.item_name(v));
  const Json counts = post_json("/v1/models/node/motifs", {{"nodes", ids}})["counts"];
  const Json census = json_of(ask("GET", "/v1/models/node/census"));
  for (const auto& [motif, total] : census["motifs"].items()) {
    int64_t sum = 0;
    for (const Json& node : counts) sum += node["motifs"][motif].get<int64_t>();
    EXPECT_EQ(sum, 3 * total.get<int64_t>()) << motif;
  }
}

TEST(ServeAnswers, EmbeddingsAreRepresentations) {
  const ServedModel& model = models()->find("node");
  const Json reply = post_json("/v1/models/node/embed", {{"nodes", {"7"}}});
  EXPECT_EQ(reply["dimension"], model.representation.cols);
  const auto row = model.representation.row(model.find_item("7"));
  for (size_t c = 0; c < row.size(); c++)
    EXPECT_FLOAT_EQ(reply["embeddings"][0]["vector"][c].get<float>(), row[c]);
}

TEST(ServeAnswers, GraphsAreItemsWhereTheyAreLearned) {
  const ServedModel& model = models()->find("graph");
  const Json reply = post_json("/v1/models/graph/predict", {{"graphs", {model.item_name(1)}}});
  EXPECT_TRUE(reply["predictions"][0].contains("class")) << reply.dump();
  EXPECT_EQ(problem("POST", "/v1/models/graph/predict", R"({"nodes":["1"]})"),
            "422 graph is about graphs; ask with graphs");
}

TEST(ServeAnswers, SearchFindsBeginningsAndWords) {
  const NameSearch search({"TP53", "tp63", "Gene::TP53", "MDM2"});
  EXPECT_EQ(search.with_prefix("tp", 10), (std::vector<NodeId>{0, 1, 2}));
  EXPECT_EQ(search.with_prefix("TP5", 1), (std::vector<NodeId>{0}));
  EXPECT_EQ(search.with_prefix("", 2).size(), 2u);
  EXPECT_EQ(search.similar("TP54", 2), (std::vector<std::string>{"TP53", "tp63"}));
  EXPECT_TRUE(search.similar("completely different", 2).empty());
}

TEST(ServeAnswers, SaysWhereABodyIsNotJson) {
  for (const char* body : {"{", "", "{\"nodes\":[\"\xff\"]}", "{\"nodes\":[\"\\ud800\"]}", "{}x"})
    EXPECT_EQ(
        problem("POST", "/v1/models/node/predict", body).rfind("400 the body is not JSON: ", 0), 0u)
        << body;
}

TEST(ServeAnswers, RefusesWhatIsNotUsed) {
  const std::string predict = "/v1/models/node/predict";
  EXPECT_EQ(problem("POST", predict, "[1]"), "400 the body is not a JSON object");
  EXPECT_EQ(problem("POST", predict, R"({"nodes":["1"],"nodes":["2"]})"),
            "400 the body has \"nodes\" twice in one object");
  EXPECT_EQ(problem("POST", predict, std::string(40, '[') + std::string(40, ']')),
            "400 the body is nested more than 32 deep");
  EXPECT_EQ(problem("POST", predict, R"({"nodez":["1"]})"),
            "422 there is no field \"nodez\" here; known are nodes, graphs, graph, targets");
  EXPECT_EQ(problem("POST", predict, R"({"nodes":[1.5]})"), "422 nodes is not an array of strings");
  EXPECT_EQ(problem("POST", predict, R"({"nodes":[99999999999999999999]})"),
            "422 nodes is not an array of strings");
  EXPECT_EQ(problem("POST", predict, R"({"nodes":["x"]})"), "404 node: there is no node \"x\"");
  EXPECT_EQ(
      problem("POST", "/v1/models/node/rank", R"({"node":"1"})"),
      "422 node was trained for node classification; pairs are scored by a network trained for "
      "links");
  EXPECT_EQ(problem("POST", "/v1/models/link/rank", R"({"node":"1","top":0})"),
            "422 top is 0; use 1 to 10000");
  EXPECT_EQ(problem("POST", "/v1/models/link/rank", "{}"), "422 node is missing: id of the node");
  EXPECT_EQ(problem("GET", "/v1/models/link/nodes?limit=x"), "422 limit is not an integer");
  EXPECT_EQ(problem("GET", "/v1/models/link/nodes?q=%zz"),
            "400 the address has a % without two digits");
  EXPECT_EQ(problem("GET", "/v1/models/none"), "404 there is no model \"none\"");
  EXPECT_EQ(problem("POST", predict, R"({"graph":{"nodes":[],"edges":[]}})"),
            "403 new nodes are not taken here; start with --allow-new-nodes");
}

TEST(ServeAnswers, MisspeltNamesGetTheNearest) {
  const std::string name = models()->find("link").item_name(0);
  const Response response =
      ask("POST", "/v1/models/link/embed", Json({{"nodes", {name + "x"}}}).dump());
  EXPECT_EQ(response.code, 404);
  const Json json = json_of(response);
  EXPECT_EQ(json["unknown"], Json({name + "x"}));
  const auto near = json["did_you_mean"].get<std::vector<std::string>>();
  EXPECT_NE(std::find(near.begin(), near.end(), name), near.end()) << response.body;
}

TEST(ServeAnswers, PathsMatchPartByPart) {
  EXPECT_EQ(match_route("GET", "/v1/models/a%2Fb/nodes/x%20y").rest, "x y");
  EXPECT_EQ(match_route("GET", "/v1/models/a%2Fb/nodes/x%20y").model, "a/b");
  for (const char* path : {"/v1/models/../models", "//v1/models", "/v1/models/", "/v1//models", "",
                           "*", "/v1/models/a/nodes/", "/%76%31/models", "/v1/models/a/nodes/b/c"})
    EXPECT_THROW(match_route("GET", path), HttpError) << path;
  EXPECT_THROW(match_route("GET", "/v1/models/%00"), HttpError);
  EXPECT_THROW(match_route("GET", "/v1/models/%ff"), HttpError);
  EXPECT_THROW(match_route("GET", "/v1/models/%f"), HttpError);
  EXPECT_STREQ(match_route("HEAD", "/v1/models").route->name, "models");
}

TEST(ServeAnswers, SpeaksTheOpenInferenceProtocol) {
  const Json reply = post_json(
      "/v2/models/node/infer",
      {{"id", "7"},
       {"inputs",
        {{{"name", "ids"}, {"datatype", "BYTES"}, {"shape", {2}}, {"data", {"1", "2"}}}}}});
  EXPECT_EQ(reply["id"], "7");
  const Json same = post_json("/v1/models/node/predict", {{"nodes", {"1", "2"}}})["predictions"];
  EXPECT_EQ(reply["outputs"][0]["data"], Json({same[0]["class"], same[1]["class"]}));
  EXPECT_EQ(reply["outputs"][1]["data"], Json({same[0]["probability"], same[1]["probability"]}));
  EXPECT_EQ(problem("POST", "/v2/models/node/infer", R"({"inputs":[]})"),
            "422 inputs must be one tensor named \"ids\"");
  const std::string wrong =
      R"({"inputs":[{"name":"ids","datatype":"BYTES","shape":[3],"data":["1"]}]})";
  EXPECT_EQ(problem("POST", "/v2/models/node/infer", wrong),
            "422 the shape of ids must be [1], as many as its data");
  EXPECT_EQ(json_of(ask("GET", "/v2/models/node"))["outputs"].size(), 2u);
}

double sum_of_shares(const Json& shares) {
  double sum = shares["bias"].get<double>() + shares["rest"].get<double>();
  for (const Json& motif : shares["motifs"]) sum += motif["share"].get<double>();
  for (const Json& other : shares["others"]) sum += other["share"].get<double>();
  return sum;
}

TEST(ServeAnswers, SharesOfExplanationsAddUpToTheScore) {
  const Json node = post_json("/v1/models/node/explain", {{"node", "5"}, {"top", 3}});
  ASSERT_TRUE(node.contains("explanation")) << node.dump();
  const Json& e = node["explanation"];
  EXPECT_NEAR(sum_of_shares(e["shares"]), e["score"].get<double>(), 1e-4);
  EXPECT_LE(e["neighbours"].size(), 3u);
  EXPECT_TRUE(e["fidelity"].is_null());
  const Json predicted = post_json("/v1/models/node/predict", {{"nodes", {"5"}}})["predictions"][0];
  EXPECT_EQ(e["explained"], predicted["class"]);
  EXPECT_NEAR(e["probability"].get<double>(), predicted["probability"].get<double>(), 1e-5);

  const ServedModel& model = models()->find("link");
  const Json pair = Json::array({model.item_name(0), model.item_name(9)});
  const Json link = post_json("/v1/models/link/explain", {{"pair", pair}});
  ASSERT_TRUE(link.contains("explanation")) << link.dump();
  const Json scored =
      post_json("/v1/models/link/pairs", {{"pairs", Json::array({pair})}})["pairs"][0];
  EXPECT_NEAR(link["explanation"]["score"].get<double>(), scored["score"].get<double>(), 1e-4);
  EXPECT_NEAR(sum_of_shares(link["explanation"]["shares"]), scored["score"].get<double>(), 1e-4);
}

TEST(ServeAnswers, ExplanationsArePicturesWhereThoseAreAccepted) {
  Request request{.method = "POST",
                  .path = "/v1/models/node/explain",
                  .query = "",
                  .body = R"({"node":"5"})",
                  .accept = "image/svg+xml"};
  const Response picture =
      answer(match_route("POST", request.path), request, {.ready = true, .models = models()});
  EXPECT_EQ(picture.type, "image/svg+xml");
  EXPECT_NE(picture.body.find("<svg "), picture.body.npos) << picture.body.substr(0, 80);
  EXPECT_NE(picture.body.find(">5<"), picture.body.npos);
  request.accept = "application/json, */*";
  EXPECT_EQ(
      answer(match_route("POST", request.path), request, {.ready = true, .models = models()}).type,
      "application/json");
}

TEST(ServeAnswers, ExplanationsAreOfOneThing) {
  EXPECT_EQ(problem("POST", "/v1/models/node/explain", "{}"),
            "422 give one of node, pair and graph");
  EXPECT_EQ(problem("POST", "/v1/models/node/explain", R"({"node":"1","graph":"1"})"),
            "422 give one of node, pair and graph");
  EXPECT_EQ(problem("POST", "/v1/models/link/explain", R"({"pair":["1"]})"),
            "422 pair has 1 ids; a pair has two");
  EXPECT_EQ(problem("POST", "/v1/models/node/explain", R"({"node":"nobody"})"),
            "404 node: there is no node \"nobody\"");
  EXPECT_EQ(
      problem("POST", "/v1/models/node/explain", R"({"node":"1","class":"nothing"})").substr(0, 3),
      "422");
}

TEST(ServeAnswers, SameRequestSameBytes) {
  const std::string body = Json({{"node", models()->find("link").item_name(9)}}).dump();
  const std::string first = ask("POST", "/v1/models/link/rank", body).body;
  for (int i = 0; i < 3; i++) EXPECT_EQ(ask("POST", "/v1/models/link/rank", body).body, first);
}

TEST(ServeAnswers, EveryRouteIsAnsweredByOneOfOurs) {
  for (const Route& route : routes()) {
    const bool is_about_model =
        std::string_view(route.pattern).find("{model}") != std::string::npos;
    if (route.access == Access::admin) continue;  // by the server itself
    std::string path = route.pattern;
    if (is_about_model) path.replace(path.find("{model}"), 7, "nobody");
    if (const size_t at = path.find("{id}"); at != path.npos) path.replace(at, 4, "1");
    EXPECT_EQ(is_quick(route), !is_about_model) << route.name;
    const Response response = ask(route.method, path, "{}");
    EXPECT_NE(response.code, 500) << route.name << response.body;
  }
}

TEST(ServeAnswers, OpenApiListsEveryRoute) {
  const Json api = json_of(ask("GET", "/openapi.json"));
  EXPECT_EQ(api["openapi"], "3.1.0");
  size_t operations = 0;
  for (const auto& [path, methods] : api["paths"].items()) operations += methods.size();
  EXPECT_EQ(operations, routes().size());
  EXPECT_EQ(api["paths"]["/v1/models/{model}/rank"]["post"]["requestBody"]["content"]
               ["application/json"]["schema"]["required"],
            Json({"node"}));
}

// A new node that is a copy of an old one, with the same neighbours, gets nearly its answer; and the same
// as `predict` gives of the joined graph, which is the oracle.
TEST(ServeAnswers, NewNodesAreAnsweredAsByAFileWithThem) {
  const ServedModel& model = models()->find("node");
  const Graph& graph = model.dataset.graph;
  const NodeId copied = 5;
  Json edges = Json::array(), features = Json::array();
  for (const NodeId v : graph.out.row(copied)) edges.push_back({"new", model.item_name(v)});
  for (const NodeId v : graph.in.row(copied)) edges.push_back({model.item_name(v), "new"});
  const auto& own = std::get<Matrix>(model.dataset.features);
  for (const float x : own.row(copied)) features.push_back(x);
  const Json reply = post_json(
      "/v1/models/node/predict",
      {{"graph", {{"nodes", {{{"id", "new"}, {"features", features}}}}, {"edges", edges}}}}, true);
  ASSERT_TRUE(reply.contains("predictions")) << reply.dump();

  Dataset joined = model.dataset;
  Array<Edge> all = arcs(graph);
  for (const NodeId v : graph.out.row(copied)) all.push_back({graph.num_nodes(), v});
  for (const NodeId v : graph.in.row(copied)) all.push_back({v, graph.num_nodes()});
  joined.graph = make_graph(graph.num_nodes() + 1, std::move(all));
  Matrix x = own;
  x.data.insert(x.data.end(), own.row(copied).begin(), own.row(copied).end());
  x.rows++;
  joined.features = std::move(x);
  TrainedModel trained = read_model(trained_runs().node);
  const Matrix expected = answers_of(trained, predict(trained, joined).output);
  for (size_t c = 0; c < trained.class_names.size(); c++)
    EXPECT_FLOAT_EQ(reply["predictions"][0]["probabilities"][trained.class_names[c]].get<float>(),
                    expected(graph.num_nodes(), int64_t(c)));
}

TEST(ServeAnswers, NewNodesAreRefusedWhereTheyDoNotFit) {
  const auto detail = [](const Json& graph) {
    return post_json("/v1/models/node/predict", {{"graph", graph}}, true)["detail"]
        .get<std::string>();
  };
  const auto columns = size_t(num_features(models()->find("node").dataset.features));
  const Json features = std::vector<double>(columns, 0.5);
  EXPECT_EQ(detail({{"nodes", {{{"id", "1"}, {"features", features}}}}, {"edges", Json::array()}}),
            "graph: \"1\" is in the data already; new nodes have new ids");
  EXPECT_EQ(detail({{"nodes", Json::array()}, {"edges", Json::array()}}),
            "graph: there are no nodes");
  EXPECT_EQ(detail({{"nodes", {{{"id", "a"}, {"features", {1}}}}}, {"edges", Json::array()}}),
            fmt::format("graph: \"a\" has 1 features; the network was trained on {}", columns));
  EXPECT_EQ(detail({{"nodes", {{{"id", "a"}, {"features", features}}}},
                    {"edges", Json::array({Json::array({"a", "zz"})})}}),
            "node: there is no node \"zz\"");
  EXPECT_EQ(detail({{"nodes", {{{"id", "a"}, {"colour", 1}}}}, {"edges", Json::array()}}),
            "there is no field \"colour\" here; known are id");
}

}  // namespace
}  // namespace mgnn
