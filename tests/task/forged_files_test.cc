// Models and checkpoints that somebody made to do harm, with checksums that are right: one sentence,
// at once, and without the memory that they ask for.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "mgnn/base/clock.h"
#include "mgnn/io/safetensors.h"
#include "mgnn/task/checkpoint.h"
#include "mgnn/task/trained_model.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of;
using testing::TempDir;

struct Trained {
  std::unique_ptr<Config> config =
      resolve_config({.file = {},
                      .flags = {},
                      .sets = {{"data.source", "karate"}, {"train.epochs", "2"}, {"seeds", "1"}}});
  Dataset data = load_for_training(*config);
  Result result = run_task(*config, data);
};

const Trained& trained() {
  static const Trained once;
  return once;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from << " in " << text;
  return at == text.npos ? text : text.replace(at, from.size(), to);
}

// The line of a setting in the configuration of a model, with another value.
std::string with_setting(const std::string& toml, const std::string& name,
                         const std::string& value) {
  const size_t at = toml.find("\n" + name + " = ");
  EXPECT_NE(at, toml.npos) << name << " in " << toml;
  const size_t begin = at + 1 + name.size() + 3;
  return toml.substr(0, begin) + value + toml.substr(toml.find('\n', begin));
}

// What reading says of a model that `forge` has changed.
std::string error_with(const std::function<void(SafeTensors&)>& forge) {
  const TempDir dir;
  const std::string path = dir / "model.safetensors";
  write_model(path, *trained().config, trained().data, trained().result, true);
  SafeTensors file = read_safetensors(path);
  forge(file);
  write_safetensors(path, file);
  const Stopwatch watch;
  const std::string error = error_of([&] { read_model(path); });
  EXPECT_LT(watch.seconds(), 5);
  EXPECT_EQ(error.find(path), 0u) << error;
  return error.substr(std::min(error.size(), path.size()));
}

TEST(ForgedModel, AsItIsItCanBeRead) {
  const TempDir dir;
  write_model(dir / "m", *trained().config, trained().data, trained().result, true);
  EXPECT_EQ(error_of([&] { read_model(dir / "m"); }), "");
}

TEST(ForgedModel, SettingsThatAskForOtherWeights) {
  for (const char* layers : {"[9000000000000000000]", "[2000000000]", "[1000000, 1000000]"}) {
    const std::string error = error_with([&](SafeTensors& file) {
      file.metadata["config"] = with_setting(file.metadata["config"], "layers", layers);
    });
    EXPECT_EQ(error.find(": its settings are not those of its weights: parameter "), 0u) << error;
  }
  std::string many = "[1";
  for (int i = 0; i < 20'000; i++) many += ", 1";
  const std::string error = error_with([&](SafeTensors& file) {
    file.metadata["config"] = with_setting(file.metadata["config"], "layers", many + "]");
  });
  EXPECT_EQ(error.find(": its settings are not those of its weights: parameter "), 0u) << error;
}

TEST(ForgedModel, DepthsThatNobodyWrites) {
  std::string key = "a";
  for (int i = 0; i < 200'000; i++) key += ".a";
  EXPECT_EQ(error_with([&](SafeTensors& file) {
              file.metadata["config"] = key + " = 1\n" + file.metadata["config"];
            }),
            ":1: a key has more than 32 dots");
  const std::string nested = std::string(200'000, '[') + std::string(200'000, ']');
  for (const char* field : {"classes", "shape", "fitted", "feature_names"})
    EXPECT_EQ(error_with([&](SafeTensors& file) { file.metadata[field] = nested; }),
              ": its JSON is nested more than 64 deep")
        << field;
}

TEST(ForgedModel, WeightsThatAreNotFinite) {
  for (const float value :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    const std::string error = error_with([&](SafeTensors& file) {
      std::get<Array<float>>(file.tensors.back().data).back() = value;
    });
    EXPECT_NE(error.find("has a value that is not finite"), error.npos) << error;
  }
}

TEST(ForgedCheckpoint, CountsThatCannotBe) {
  const TempDir dir;
  const std::string path = dir / "c-0.safetensors";
  run_task(*trained().config, trained().data,
           checkpoints_at(dir / "c-", {.every = 1, .data = "data"}));
  Repetition run = trained().result.runs[0];
  EXPECT_EQ(error_of([&] { read_checkpoint(path, run, "data"); }), "");
  EXPECT_EQ(error_of([&] { read_checkpoint(path, run, "other"); }),
            path + ": the data are not those that the training was begun with");
  const SafeTensors whole = read_safetensors(path);
  const auto error_with_state = [&](const std::string& from, const std::string& to) {
    SafeTensors file = whole;
    file.metadata["state"] = replaced(file.metadata["state"], from, to);
    write_safetensors(path, file);
    const std::string error = error_of([&] { read_checkpoint(path, run, "data"); });
    EXPECT_EQ(error.find(path + ": "), 0u) << error;
    return error;
  };
  for (const char* field : {"\"epoch\":", "\"steps\":", "\"adam_steps\":", "\"schedule_waited\":"})
    for (const char* value : {"-9223372036854775808,\"x\":", "9223372036854775807,\"x\":"})
      EXPECT_NE(error_with_state(field, std::string(field) + value), "") << field << value;
  EXPECT_NE(error_with_state("\"seconds\":", "\"seconds\":-1,\"x\":"), "");
}

}  // namespace
}  // namespace mgnn
