// The inputs of the fuzz target and what becomes of them when they are damaged, here without a sanitizer.
#include <fstream>

#include "fuzz/http_request.h"
#include "mgnn/base/clock.h"
#include "mgnn/base/rng.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using namespace mgnn::testing;
using fuzz::try_http_request;

std::map<std::string, std::string> seeds() {
  std::map<std::string, std::string> seeds;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(MGNN_SOURCE_DIR) / "fuzz/corpus/http_request")) {
    std::ifstream file(entry.path(), std::ios::binary);
    seeds[entry.path().filename().string()] = std::string(std::istreambuf_iterator<char>(file), {});
  }
  return seeds;
}

TEST(Request, SeedsAreTakenOrRefused) {
  for (const char* name : {"live", "search", "node", "census", "head", "predict", "new_nodes",
                           "pairs", "rank", "explain", "infer", "reload"})
    EXPECT_TRUE(try_http_request(seeds().at(name))) << name;
  for (const char* name : {"smuggle", "two_lengths", "foreign", "deep", "twice", "huge_numbers",
                           "surrogate", "tricks", "no_token"})
    EXPECT_FALSE(try_http_request(seeds().at(name))) << name;
  for (const auto& [name, bytes] : seeds()) try_http_request(bytes);  // those that were found later
}

// The target aborts where a rule is broken.
TEST(Request, DamagedSeedsBreakNoRule) {
  Rng rng(1);
  std::vector<std::string> all;
  for (const auto& [name, bytes] : seeds()) all.push_back(bytes);
  int taken = 0;
  for (int i = 0; i < 5000; i++) {
    std::string bytes = all[size_t(rng.below(all.size()))];
    const std::string& other = all[size_t(rng.below(all.size()))];
    for (uint64_t change = rng.below(4); change-- > 0;) {
      const size_t at = size_t(rng.below(bytes.size())), from = size_t(rng.below(other.size()));
      const size_t length = 1 + size_t(rng.below(12));
      switch (rng.below(4)) {
        case 0:
          bytes[at] = char(rng.below(256));
          break;
        case 1:
          bytes.erase(at, length);
          break;
        case 2:
          bytes.insert(at, bytes.substr(at, length));
          break;
        default:
          bytes.replace(at, std::min(length, bytes.size() - at), other.substr(from, length));
      }
      if (bytes.empty()) bytes = "\n";
    }
    taken += try_http_request(bytes);
  }
  EXPECT_GT(taken, 500);
  EXPECT_LT(taken, 4500);
}

std::string code_of(RequestHead head, const std::string& body = "") {
  CheckedRequest checked;
  try {
    check_request(head, body, fuzz::rules(), checked);
  } catch (const HttpError& problem) {
    return fmt::format("{}{}", problem.code, checked.ends_in_doubt ? ", close" : "");
  }
  return "taken";
}

// What a stranger learns is what the first check says.
TEST(Request, ChecksInOneOrder) {
  const std::pair<std::string, std::string> host = {"Host", "localhost"},
                                            token = {"Authorization", "Bearer 0123456789abcdef"},
                                            json = {"Content-Type", "application/json"};
  EXPECT_EQ(code_of({"GET", "/v1/models", {}}), "400");
  EXPECT_EQ(code_of({"GET", "/v1/models", {host}}), "401");
  EXPECT_EQ(code_of({"GET", "/v1/models", {host, token}}), "taken");
  EXPECT_EQ(code_of({"GET", "/v1/nothing", {host}}), "404");
  EXPECT_EQ(code_of({"GET", "/v1/reload", {host}}), "405");
  EXPECT_EQ(code_of({"GET", "/v1/models", {host, token}}, "{}"), "400");
  EXPECT_EQ(code_of({"POST", "/v1/models/m/rank", {host}}, "{"), "401");
  EXPECT_EQ(code_of({"POST", "/v1/models/m/rank", {host, token}}, "{"), "415");
  EXPECT_EQ(code_of({"POST", "/v1/models/m/rank", {host, token, json}}, "{"), "400");
  EXPECT_EQ(code_of({"POST", "/v1/models/m/rank", {host, token, json}}, "{}"), "422");
  EXPECT_EQ(code_of({"POST", "/v1/reload", {host, token, json}}, "{}"), "401");
  EXPECT_EQ(code_of({"GET", "/v1/models", {host, token, {"Transfer-Encoding", "x"}}}),
            "411, close");
  EXPECT_EQ(code_of({"GET", "/" + std::string(5000, 'a'), {host}}), "431, close");
  EXPECT_EQ(code_of({"POST", "/v1/models/m/rank", {host, token, json}}, std::string(9000, ' ')),
            "413, close");
}

double seconds_of(const std::function<void()>& work) {
  const Stopwatch watch;
  try {
    work();
  } catch (const HttpError&) {
  }
  return watch.seconds();
}

// As long as names are looked for one by one, twice as many take four times as long. Bounds are loose: half
// a minute is what one of these took.
TEST(Request, ManyNamesTakeNoTimeToRefuse) {
  std::string object = "{\"x\":1", query;
  for (int i = 0; i < 90'000; i++) object += fmt::format(",\"{}\":0", i);
  for (int i = 0; i < 8'000; i++) query += fmt::format("{}&", i);
  const double body = seconds_of([&] { EXPECT_EQ(parse_body(object + "}").size(), 90'001u); });
  const double names = seconds_of([&] { parse_query(query, {}); });
  fmt::print("90,000 names in a body: {:.3f} s; 8,000 in a query: {:.6f} s\n", body, names);
  EXPECT_LT(body, 10);
  EXPECT_LT(names, 1);
}

TEST(Request, NumbersAreExactOrRefused) {
  EXPECT_EQ(parse_body(R"({"a":9223372036854775807})")["a"].get<int64_t>(), INT64_MAX);
  const Field top{"a", FieldType::integer, "", false, INT64_MIN, INT64_MAX};
  for (const char* number : {"9223372036854775808", "-9223372036854775809", "1e3", "1.0",
                             "123456789012345678901234567890"})
    EXPECT_THROW(check_fields(parse_body(fmt::format("{{\"a\":{}}}", number)), {&top, 1}),
                 HttpError)
        << number;
  for (const char* number : {"1e999", "-1e999", "01", "+1", ".5", "0x10", "NaN", "Infinity", "1e"})
    EXPECT_THROW(parse_body(fmt::format("{{\"a\":{}}}", number)), HttpError) << number;
}

}  // namespace
}  // namespace mgnn
