#include "libcalib/protocol/protocol.hpp"
#include "tests/paths/paths.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

namespace tactelier {
namespace {

using testing::HasSubstr;

std::string with_steps(std::string_view steps) {
  return fmt::format(
      R"({{"format": "tactelier/protocol", "version": 1, "name": "mine", "steps": [{}]}})", steps);
}

Step only_step(std::string_view step) {
  auto protocol = parse_protocol(with_steps(step), "mine.json");
  EXPECT_TRUE(protocol) << protocol.error().message;
  return protocol ? protocol->steps.at(0) : Step{};
}

std::string message_of(std::string_view steps) {
  const auto protocol = parse_protocol(with_steps(steps), "mine.json");
  return protocol ? "" : protocol.error().message;
}

/// "zero", "plate" ...: the value of `do` of each step that the program has.
template <class... S>
std::set<std::string> names_of(const std::variant<S...>&) {
  return {std::string(S::kName)...};
}

TEST(Protocol, StepsAreTheWordsOfTheSchema) {
  std::ifstream file(paths::source_dir() + "/data/schemas/protocol.schema.json");
  const auto schema = nlohmann::json::parse(file);
  const auto& step = schema["definitions"]["step"];
  std::set<std::string> said, described;
  for (const auto& word : step["properties"]["do"]["enum"]) said.insert(word);
  for (const auto& rule : step["allOf"]) {
    const std::string word = rule["if"]["properties"]["do"]["const"];
    EXPECT_EQ(schema["definitions"][word]["properties"]["do"]["const"], word);
    described.insert(word);
  }
  EXPECT_EQ(said, names_of(decltype(Step::what){}));
  EXPECT_EQ(described, said);
}

TEST(Protocol, ScanIsReadWithItsUnitsConverted) {
  const auto step = only_step(
      R"({"do": "scan", "tactels": [3, 4], "speed_mm_s": 0.5, "until": {"force_N": 3, "depth_mm": 1.5,
          "pressure_MPa": 0.2, "saturated": true, "time_s": 9}, "repeats": 5, "order": "random",
          "seed": 7, "rest_s": 12, "discard_first": 2})");
  const auto& scan = std::get<steps::Scan>(step.what);
  EXPECT_EQ(scan.tactels.items.size(), 2U);
  EXPECT_THAT(scan.speeds_m_per_s, testing::ElementsAre(0.5e-3));
  EXPECT_EQ(scan.repeats, 5);
  EXPECT_EQ(scan.discard_first, 2);
  EXPECT_EQ(scan.order, Order::kRandom);
  EXPECT_EQ(scan.seed, 7U);
  EXPECT_EQ(scan.rest_s, 12);
  EXPECT_EQ(step.until.force_N, 3);
  EXPECT_DOUBLE_EQ(step.until.depth_m.value(), 1.5e-3);
  EXPECT_DOUBLE_EQ(step.until.pressure_Pa.value(), 0.2e6);
  EXPECT_TRUE(step.until.saturated);
  EXPECT_EQ(step.until.time_s, 9);
}

TEST(Protocol, AScanOverAGridPressesPlacesAlsoBetweenTactels) {
  const auto step = only_step(
      R"({"do": "scan", "grid": {"area_mm": [-1.7, 0, 1.7, 1.7], "step_mm": 1.7}, "speed_mm_s": 1,
          "until": {"force_N": 1}})");
  const auto& scan = std::get<steps::Scan>(step.what);
  EXPECT_FALSE(scan.tactels.all);
  ASSERT_EQ(scan.tactels.items.size(), 6U);
  const auto last = std::get<SitePoint>(scan.tactels.items.back());
  EXPECT_NEAR(last.x_m, 1.7e-3, 1e-12);
  EXPECT_NEAR(last.y_m, 1.7e-3, 1e-12);
  EXPECT_EQ(message_of(R"({"do": "scan", "sites": 1, "grid": {"area_mm": [0, 0, 1, 1],
                           "step_mm": 1}, "speed_mm_s": 1, "until": {"force_N": 1}})"),
            "mine.json: step 1 (scan): tactels, sites and grid exclude each other; give one");
}

TEST(Protocol, SitesAreANumberAWordOrAList) {
  const auto sites = [](std::string_view value) {
    return std::get<steps::Hold>(
               only_step(
                   fmt::format(
                       R"({{"do": "hold", "sites": {}, "force_N": 1, "ramp_s": 1, "time_s": 5}})",
                       value))
                   .what)
        .sites;
  };
  EXPECT_EQ(sites("3").count, 3);
  EXPECT_EQ(sites(R"("sites")").count, 9);
  EXPECT_TRUE(sites(R"("all")").all);
  EXPECT_EQ(sites(R"(["centre", 5, [1, -2]])").items.size(), 3U);
  EXPECT_EQ(std::get<SitePoint>(sites("[[1, -2]]").items[0]).y_m, -2e-3);
}

TEST(Protocol, EveryStepOfTheContractIsUnderstood) {
  const auto protocol = parse_protocol(with_steps(R"(
    {"do": "warm_up", "drift_mN_per_min": 2, "at_most_s": 600, "required": true},
    {"do": "spring", "force_N": 2, "speed_mm_s": 0.2, "repeats": 2},
    {"do": "zero", "time_s": 5}, {"do": "plate", "force_N": 10, "speed_mm_s": 0.1, "repeats": 3},
    {"do": "shear", "force_N": 8, "length_mm": 0.12, "speed_mm_s": 0.08, "direction_deg": 0, "repeats": 4},
    {"do": "ground", "force_N": 5, "speed_mm_s": 0.1, "repeats": 2},
    {"do": "condition", "sites": "all", "depth_mm": 1, "cycles": 3, "rest_s": 60},
    {"do": "scan", "tactels": "all", "speed_mm_s": 1, "until": {"force_N": 1}},
    {"do": "staircase", "sites": 3, "depths_percent": [5, 10], "dwell_s": 1, "repeats": 2},
    {"do": "hold", "sites": 1, "depth_mm": 1, "ramp_s": 0.2, "time_s": 10},
    {"do": "cycles", "sites": 1, "force_N": 1, "speed_mm_s": 1, "count": 5},
    {"do": "speeds", "sites": 1, "depth_mm": 1, "speeds_mm_s": [0.1, 1], "repeats": 3},
    {"do": "chirp", "sites": 1, "preload_mm": 1, "amplitude_mm": 0.02, "from_hz": 0.1, "to_hz": 10, "time_s": 60},
    {"do": "raster", "area_mm": [-1, -1, 1, 1], "step_mm": 0.5, "force_N": 1, "dwell_s": 0.2},
    {"do": "area", "force_N": [1, 2], "dwell_s": 5}, {"do": "weights", "masses_g": [100], "area_mm2": 800},
    {"do": "slide", "load_N": [1], "speeds_mm_s": [1, 2], "length_mm": 5, "directions_deg": [0, 180], "repeats": 1},
    {"do": "preslide", "load_N": [1], "amplitude_mm": [0.01], "frequencies_hz": [1, 2], "time_s": 10},
    {"do": "images", "indenters": [{"shape": "hexagon", "across_flats_mm": 12}], "rz_deg": [0, 45],
     "masses_g": [100, 500], "x_mm": 0, "y_mm": [0, 3], "repeats": 2, "dwell_s": 3},
    {"do": "reference", "what": "weight", "mass_g": 200}, {"do": "prompt", "text": "Look."},
    {"do": "repeat", "times": 2, "steps": [{"do": "zero", "time_s": 1}]})"),
                                       "mine.json");
  ASSERT_TRUE(protocol) << protocol.error().message;
  ASSERT_EQ(protocol->steps.size(), 22U);
  std::set<std::string> read;
  for (const auto& step : protocol->steps) read.insert(std::string(step.name()));
  EXPECT_EQ(read, names_of(decltype(Step::what){}));
  EXPECT_EQ(std::get<steps::Images>(protocol->steps[18].what).points.size(), 2U);
  EXPECT_EQ(std::get<steps::Repeat>(protocol->steps[21].what).steps[0].describe(),
            "step 22.1 (zero)");
}

TEST(Protocol, MessagesNameStepAndKey) {
  EXPECT_EQ(message_of(R"({"do": "zero", "time_s": 1}, {"do": "scan", "speed_mm": 1})"),
            "mine.json: step 2 (scan): unknown key 'speed_mm' (did you mean 'speed_mm_s'?)");
  EXPECT_THAT(message_of(R"({"do": "scam", "speed_mm_s": 1})"), HasSubstr("did you mean 'scan'?"));
  EXPECT_THAT(message_of(R"({"do": "scam", "speed_mm_s": 1})"),
              HasSubstr("mine.json: step 1 (scam): do: "));
  EXPECT_THAT(message_of(R"({"do": "zero"})"), HasSubstr("step 1 (zero): key 'time_s' is missing"));
  EXPECT_EQ(message_of(R"({"do": "scan", "speed_mm_s": 1, "until": {"forse_N": 3}})"),
            "mine.json: step 1 (scan): until: unknown key 'forse_N' (did you mean 'force_N'?)");
  EXPECT_EQ(message_of(R"({"do": "scan", "speed_mm_s": -1, "until": {"force_N": 3}})"),
            "mine.json: step 1 (scan): speed_mm_s: must be more than 0, found -1");
  EXPECT_EQ(message_of(R"({"do": "repeat", "times": 2, "steps": [{"do": "zero", "time_s": 1},
                           {"do": "zero", "time": 1}]})"),
            "mine.json: step 1.2 (zero): unknown key 'time' (did you mean 'time_s'?)");
}

TEST(Protocol, WhatExcludesEachOtherIsRefused) {
  EXPECT_EQ(
      message_of(
          R"({"do": "hold", "sites": 1, "depth_mm": 1, "force_N": 1, "ramp_s": 1, "time_s": 5})"),
      "mine.json: step 1 (hold): depth_mm and force_N exclude each other; give one");
  EXPECT_EQ(message_of(R"({"do": "hold", "sites": 1, "ramp_s": 1, "time_s": 5})"),
            "mine.json: step 1 (hold): key 'depth_mm' or 'force_N' is missing");
  EXPECT_EQ(message_of(R"({"do": "chirp", "sites": 1, "preload_mm": 0.1, "amplitude_mm": 0.2,
                           "from_hz": 1, "to_hz": 2, "time_s": 5})"),
            "mine.json: step 1 (chirp): amplitude_mm 0.2 is not below preload_mm 0.1: the tip "
            "would lift off");
  EXPECT_THAT(
      message_of(
          R"({"do": "images", "indenters": [{"shape": "sphere"}], "force_N": 1, "dwell_s": 1})"),
      HasSubstr("diameter_mm"));
  EXPECT_EQ(message_of(R"({"do": "reference", "what": "weight"})"),
            "mine.json: step 1 (reference): key 'mass_g' is missing; a weight on the force sensor "
            "must be known");
}

TEST(Protocol, RepeatsMayNotBeNestedWithoutEnd) {
  std::string steps = R"({"do": "zero", "time_s": 1})";
  for (int i = 0; i < kMaxRepeatDepth; ++i)
    steps = fmt::format(R"({{"do": "repeat", "times": 2, "steps": [{}]}})", steps);
  EXPECT_EQ(message_of(steps), "");
  steps = fmt::format(R"({{"do": "repeat", "times": 2, "steps": [{}]}})", steps);
  EXPECT_EQ(message_of(steps),
            "mine.json: step 1.1.1.1.1 (repeat): repeats are nested deeper than 4");
}

TEST(Protocol, OtherFilesAndNewerVersionsAreTold) {
  EXPECT_THAT(parse_protocol(R"({"format": "tactelier/sensor"})", "x.json").error().message,
              HasSubstr("'tactelier/protocol' expected"));
  EXPECT_THAT(
      parse_protocol(R"({"format": "tactelier/protocol", "version": 2})", "x.json").error().message,
      HasSubstr("newer"));
  EXPECT_THAT(load_protocol("quik").error().message, HasSubstr("did you mean 'quick'?"));
}

}  // namespace
}  // namespace tactelier
