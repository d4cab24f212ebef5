#include "libcalib/model_file/model_file.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "libcalib/json_check.hpp"
#include "tests/libcalib/model_file/example_model.hpp"

namespace tactelier {
namespace {

using namespace testing_models;
using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

std::string refusal(const std::string& text) {
  const auto model = parse_model(text, "m.json");
  if (model) return "accepted";
  EXPECT_EQ(model.error().code, ErrorCode::kInvalidInput);
  return model.error().message;
}

/// What a reader says after one place of a whole file was changed.
std::string refusal_with(const char* pointer, json value) {
  auto document = json::parse(to_json(full_model()));
  document[json::json_pointer(pointer)] = std::move(value);
  return refusal(document.dump());
}

TEST(ModelFile, AnEmptyModelValidatesAndGivesAReasonForEverything) {
  const auto text = to_json(wts_model());
  const auto document = parse_json(text, "m.json");
  ASSERT_TRUE(document);
  const auto valid = check_schema(*document, "sensor-model", "m.json");
  EXPECT_TRUE(valid) << valid.error().message;
  const auto& k = (*document)["stiffness"]["k"];
  EXPECT_EQ(k["value"], nullptr);
  EXPECT_EQ(k["unit"], "N/m");
  EXPECT_EQ(k["status"], "unidentifiable");
  EXPECT_EQ(k["reason"], "NOT-FITTED stage 'stiffness' was not run");
  EXPECT_EQ((*document)["response"]["tactels"].size(), 84U);
  EXPECT_EQ((*document)["response"]["tactels"][83]["index"], 83);
  EXPECT_EQ((*document)["stiffness"]["k_punch_tactel"].size(), 84U);
}

TEST(ModelFile, ReadsBackExactlyWhatItWrote) {
  for (const auto& model : {wts_model(), full_model(), table2_model()}) {
    const auto text = to_json(model);
    const auto read = parse_model(text, "m.json");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(to_json(*read), text);
    EXPECT_EQ(read->sensor.arrays, model.sensor.arrays);
  }
  const auto read = parse_model(to_json(full_model()), "m.json");
  EXPECT_EQ(read->psf.sigma, full_model().psf.sigma);
  EXPECT_EQ(read->response.tactels[83].creep, full_model().response.tactels[83].creep);
  EXPECT_EQ(read->conditions.operator_name, "\"Zoë\"\n");
  EXPECT_EQ(read->validity.frequency_hz, (std::array<double, 2>{0.1, 50.0}));
  EXPECT_EQ(read->quality.at("response").warnings[0].code, "CV-02");
  EXPECT_EQ(read->presses[0].tactel, 14);
}

TEST(ModelFile, KeepsTheOrderOfTheContractAndOneParameterPerLine) {
  const auto text = to_json(full_model());
  std::size_t last = 0;
  for (const auto* key :
       {"format",   "version",  "created",      "tool",      "sensor",  "conditions",
        "validity", "timing",   "response",     "stiffness", "damping", "relaxation",
        "psf",      "friction", "hydroelastic", "clock",     "rig",     "covariance",
        "quality",  "presses",  "provenance"}) {
    const auto at = text.find(fmt::format("\n  \"{}\": ", key));
    ASSERT_NE(at, std::string::npos) << key;
    EXPECT_GT(at, last) << key;
    last = at;
  }
  EXPECT_THAT(text, HasSubstr("\"unit\": \"N/m\", \"std\": "));
}

TEST(ModelFile, ReadsTheContractsExample) {
  // docs/theory/conventions.md 5, "A parameter"; what is left out is not identified.
  const auto model = parse_model(R"({"format": "tactelier/sensor-model", "version": 1,
    "sensor": {"arrays": [{"rows": 1, "columns": 2, "pitch_x_m": 0.01, "pitch_y_m": 0.01}]},
    "stiffness": {"k": {"value": 2012.4, "unit": "N/m", "std": 6.1, "ci95": [2000.4, 2024.4],
                        "u_total": 24.0, "status": "identified", "from": "stiffness"}},
    "damping": {"c_n": {"value": 0.5, "unit": "N·s/m", "status": "assumed", "from": "user"}}})",
                                 "m.json");
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(model->stiffness.k.value, 2012.4);
  EXPECT_EQ(model->stiffness.k.u_total, 24.0);
  EXPECT_TRUE(model->stiffness.k.identified());
  EXPECT_EQ(model->damping.c_n.unit, "N*s/m");
  EXPECT_EQ(model->response.tactels.size(), 2U);
  EXPECT_THAT(model->psf.sigma.reason, StartsWith("NOT-FITTED"));
}

TEST(ModelFile, WritesWhatIsNotFiniteAsNotIdentified) {
  auto model = wts_model();
  model.stiffness.k = identified(std::nan(""), "N/m");
  model.stiffness.k_punch = identified(2, "N/m");
  model.stiffness.k_punch.std = std::numeric_limits<double>::infinity();
  const auto read = parse_model(to_json(model), "m.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_FALSE(read->stiffness.k.value);
  EXPECT_THAT(read->stiffness.k.reason, StartsWith("NOT-FINITE"));
  EXPECT_EQ(read->stiffness.k_punch.value, 2);
  EXPECT_FALSE(read->stiffness.k_punch.std);
}

TEST(ModelFile, RefusesANewerVersionByName) {
  EXPECT_EQ(refusal_with("/version", 3),
            "m.json: tactelier/sensor-model version 3 is newer than version 2, which this program "
            "reads; update Tactelier");
  EXPECT_EQ(refusal_with("/format", "tactelier/session"),
            "m.json: is 'tactelier/session', 'tactelier/sensor-model' expected");
}

TEST(ModelFile, NamesThePlaceOfWhatIsWrong) {
  EXPECT_EQ(refusal_with("/stiffness/k", 58.5),
            "m.json: stiffness.k: expected an object, found 58.5");
  EXPECT_EQ(refusal_with("/stiffness/k/unit", "N/mm"),
            "m.json: stiffness.k: unit 'N/mm', 'N/m' expected");
  EXPECT_EQ(refusal_with("/stiffness/k/value", nullptr),
            "m.json: stiffness.k.value: expected a number, found null");
  EXPECT_EQ(refusal_with("/stiffness/k/value", "58.5"),
            "m.json: stiffness.k.value: expected a number or null, found \"58.5\"");
  EXPECT_EQ(refusal_with("/stiffness/k/status", "unidentifiable"),
            "m.json: stiffness.k: key 'reason' is missing");
  EXPECT_EQ(refusal_with("/stiffness/k/std", -1),
            "m.json: stiffness.k.std: must be at least 0, found -1");
  EXPECT_EQ(refusal_with("/stiffness/k/ci95", {2, 1}),
            "m.json: stiffness.k: ci95: its lower end lies above its upper end");
  EXPECT_EQ(refusal_with("/stiffness/kk", 1),
            "m.json: stiffness: unknown key 'kk' (did you mean 'k'?)");
  EXPECT_THAT(refusal_with("/response/tactels/3/gain/status", "guessed"),
              StartsWith("m.json: response.tactels[3].gain.status: expected "));
  EXPECT_EQ(refusal_with("/response/tactels/3/index", 4),
            "m.json: response.tactels[4]: tactel 4 stands twice");
  EXPECT_EQ(refusal_with("/response/tactels/3/index", 84),
            "m.json: response.tactels[3]: index 84 is beyond the sensor's 84 tactels");
  EXPECT_EQ(refusal_with("/stiffness/k_punch_tactel",
                         json::array({json{{"value", 1}, {"unit", "N/m"}, {"status", "assumed"}}})),
            "m.json: stiffness.k_punch_tactel: 1 entries for 84 tactels");
  EXPECT_EQ(refusal_with("/sensor/arrays/0/rows", 0),
            "m.json: sensor.arrays[0].rows: must be at least 1, found 0");
  EXPECT_THAT(refusal_with("/sensor/arrays/0/rows", 1000000), HasSubstr("are more than 65536"));
  EXPECT_EQ(refusal_with("/psf/kernel_sampled/size", {3, 3}),
            "m.json: psf.kernel_sampled: 3 weights for its size");
  EXPECT_EQ(refusal_with("/covariance/0/lower", {1, 2}),
            "m.json: covariance[0].lower: 2 numbers, 2 parameters need 3");
  EXPECT_THAT(refusal_with("/clock/force/skew/value", "x"),
              StartsWith("m.json: clock.force.skew.value: expected a number or null"));
}

TEST(ModelFile, RefusesBrokenDeepAndOverflowingJson) {
  const auto text = to_json(full_model());
  EXPECT_THAT(refusal(text.substr(0, text.size() / 2)), StartsWith("m.json: line "));
  EXPECT_THAT(refusal(std::string(100000, '[')), HasSubstr("nested deeper than 64 levels"));
  auto overflow = text;
  const auto at = overflow.find("\"value\": ") + 9;
  overflow.replace(at, 1, "1e999, \"x\": 1");
  EXPECT_THAT(refusal(overflow), HasSubstr("number overflow parsing '1e999'"));
  EXPECT_EQ(refusal(""), "m.json: is empty, JSON expected");
}

/// Deterministic damage: bytes changed, pieces cut out and doubled.
std::string damaged(std::string text, std::mt19937_64& random) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::string_view alphabet = "{}[]\",:-+.eE0123456789 \n\\untf\0\xFFx";
  for (std::size_t edits = 1 + below(4); edits > 0; --edits) {
    const auto at = below(text.size());
    switch (below(4)) {
      case 0:
        text[at] = static_cast<char>(random() % 256);
        break;
      case 1:
        text[at] = alphabet[below(alphabet.size())];
        break;
      case 2:
        text.erase(at, below(40));
        break;
      default:
        text.insert(at, text.substr(below(text.size()), below(40)));
    }
  }
  return text;
}

TEST(ModelFile, NeverFallsOverDamagedFiles) {
  auto small = parse_model(R"({"format": "tactelier/sensor-model", "version": 1,
    "sensor": {"arrays": [{"rows": 1, "columns": 2, "pitch_x_m": 0.01, "pitch_y_m": 0.01}]}})",
                           "m.json");
  ASSERT_TRUE(small);
  const auto text = to_json(*small);
  std::mt19937_64 random(20261120);
  int refused = 0;
  for (int i = 0; i < 600; ++i) {
    const auto model = parse_model(damaged(text, random), "m.json");
    if (model) {
      EXPECT_TRUE(parse_model(to_json(*model), "m.json"));
      continue;
    }
    ++refused;
    EXPECT_EQ(model.error().code, ErrorCode::kInvalidInput);
    EXPECT_THAT(model.error().message, StartsWith("m.json: "));
  }
  EXPECT_GT(refused, 400);
}

TEST(ModelFile, IsWrittenWholeOrNotAtAll) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "tactelier_model_file_test";
  std::filesystem::create_directories(folder);
  const auto file = folder / "m.json";
  ASSERT_TRUE(write_model(full_model(), file));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  const auto read = read_model(file);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_json(*read), to_json(full_model()));

  auto wrong = full_model();
  wrong.stiffness.k.std = -1;  // a bug of some stage
  const auto refused = write_model(wrong, file);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("stiffness.k.std: must be at least 0"));
  EXPECT_EQ(to_json(*read_model(file)), to_json(full_model())) << "the old file stays";

  const auto nowhere = write_model(full_model(), folder / "none" / "m.json");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, ErrorCode::kIo);
  std::filesystem::remove_all(folder);
  EXPECT_EQ(read_model(file).error().code, ErrorCode::kIo);
}

}  // namespace
}  // namespace tactelier
