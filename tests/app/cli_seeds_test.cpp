// The numbers of the papers we started from, from the command line, errata included
// (docs/theory/conventions.md 4): S1 is Kappassov's array in Gazebo, S0 Moisio's OpenGRASP model.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/app/support/cli.hpp"
#include "tests/app/support/session_folder.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

const std::string kS0Sensor =
    R"({"vendor": "Weiss Robotics", "model": "as S0 describes it", "rows": 14, "columns": 6,
        "pitch_x_mm": 3.4, "pitch_y_mm": 3.4, "area_mm2": 1250})";

std::string weight_event(double t_s, double mass_g, double area_mm2, double compression_mm,
                         const std::string& more = "") {
  return std::to_string(t_s) + ",weight,\"{\"\"mass_g\"\": " + json(mass_g).dump() +
         ", \"\"area_mm2\"\": " + json(area_mm2).dump() +
         ", \"\"compression_mm\"\": " + json(compression_mm).dump() + more + "}\"";
}

struct Fitted {
  CliResult run;
  json model;
  std::string warnings;
};

Fitted fit_weights(const std::vector<std::string>& events) {
  const TestFolder folder;
  PlainSession session;
  session.sensor_json = kS0Sensor;
  session.extra_json = "\"gravity_m_s2\": 9.81,";
  session.extra_events = events;
  session.write(folder, "s0");
  Fitted fitted;
  fitted.run = run_cli(folder.path(), {"fit", "s0", "-o", "model.json", "--json"});
  const auto document = json::parse(fitted.run.out);
  fitted.model = document["result"];
  for (const auto& warning : document["warnings"])
    fitted.warnings +=
        warning["code"].get<std::string>() + " " + warning["text"].get<std::string>() + "\n";
  return fitted;
}

TEST(SeedS1, GainIs4Point1667e4NewtonsPerCountBehindATriggerOf0Point2Newtons) {
  // Errata 5 and 6: (1.8 - 0.2)/3840 N/count, and F = 0.2 N + gain * counts.
  const TestFolder folder;
  PlainSession session;
  session.presses = {{1, 4, 2.2}};
  session.write(folder, "s1");
  const auto result = run_cli(folder.path(), {"fit", "s1", "-o", "model.json", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto tactel = json::parse(result.out)["result"]["response"]["tactels"][4];
  EXPECT_NEAR(tactel["press_gain"]["value"].get<double>(), 1.6 / 3840, 4e-8);
  EXPECT_NEAR(tactel["press_threshold"]["value"].get<double>(), 0.2, 5e-4);
  EXPECT_NEAR(tactel["saturation"]["value"].get<double>(), 3840, 0.5);
}

TEST(SeedS1, StiffnessIs2000NewtonsPerMetreNotTwo) {
  const TestFolder folder;
  PlainSession session;
  session.presses = {{1, 4, 2.2}};
  session.write(folder, "s1");
  const auto result = run_cli(folder.path(), {"fit", "s1", "-o", "model.json", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto k = json::parse(result.out)["result"]["stiffness"]["k_punch"];
  EXPECT_NEAR(k["value"].get<double>(), 2000, 2);
  EXPECT_EQ(k["unit"], "N/m");
}

TEST(SeedS0, Equation18Gives58Point39NewtonsPerMetreFor9810Pascals) {
  // 804.25 g on 804.25 mm2 at g = 9.81 m/s2 is 9810 Pa (erratum 14); 2.5 mm, 84 tactels, 1250 mm2.
  const auto fitted = fit_weights({weight_event(0, 804.25, 804.25, 2.5)});
  EXPECT_NEAR(fitted.model["stiffness"]["k"]["value"].get<double>(), 58.39285714, 1e-7);
  EXPECT_NEAR(fitted.model["stiffness"]["foundation_modulus"]["value"].get<double>(), 3.924e6,
              1e-3);
  EXPECT_EQ(fitted.model["stiffness"]["method"], "area");
}

TEST(SeedS0, TheMassThatWasWeighedGives22Point08NewtonsPerMetre) {
  const auto fitted = fit_weights({weight_event(0, 304.15, 804.25, 2.5)});
  EXPECT_NEAR(fitted.model["stiffness"]["k"]["value"].get<double>(), 22.08, 0.005);
}

TEST(SeedS0, APressureThatTheWeightDoesNotGiveIsNamed) {
  const auto fitted =
      fit_weights({weight_event(0, 304.15, 804.25, 2.5, ", \"\"pressure_Pa\"\": 9810")});
  EXPECT_THAT(fitted.warnings, HasSubstr("CV-06"));
  EXPECT_THAT(fitted.warnings, HasSubstr("not 9810 Pa"));
  const auto honest =
      fit_weights({weight_event(0, 804.25, 804.25, 2.5, ", \"\"pressure_Pa\"\": 9810")});
  EXPECT_THAT(honest.warnings, Not(HasSubstr("CV-06")));
}

TEST(SeedS0, AnAreaThatItsTactelsDoNotCoverIsNamed) {
  const auto fitted = fit_weights({weight_event(0, 804.25, 804.25, 2.5)});
  EXPECT_THAT(fitted.warnings, HasSubstr("CV-05"));
}

TEST(SeedS1, AModelWithAStiffnessOfTwoIsNamed) {
  const TestFolder folder;
  PlainSession session;
  session.sensor_json = kS0Sensor;
  session.extra_events = {weight_event(0, 804.25, 804.25, 2.5)};
  session.write(folder, "s0");
  run_cli(folder.path(), {"fit", "s0", "-o", "model.json"});
  auto model = json::parse(folder.read("model.json"));
  model["stiffness"]["k"] = {
      {"value", 2.0}, {"unit", "N/m"}, {"status", "assumed"}, {"from", "S1"}};
  folder.write("papers.json", model.dump());
  const auto result = run_cli(folder.path(), {"show", "papers.json"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("a factor 1000 suggests N/mm"));
  EXPECT_THAT(result.err, HasSubstr("CV-02"));
}

}  // namespace
}  // namespace tactelier::test
