// `rig weigh` at the virtual bench: its hands hang the mass, the force sensor reads it rightly or
// not, and nothing has moved or touched anything by then.

#include <gmock/gmock.h>

#include "devices/server/rig_messages.hpp"
#include "tests/devices/support/bench_speed.hpp"
#include "tests/devices/support/laboratory.hpp"

namespace tactelier::rig {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

constexpr double kMass_kg = 0.1;

/// The last news of weighing 100 g.
nlohmann::json weighed(const ChangeBench& change, const nlohmann::json& believed = {}) {
  ServedLaboratory lab;
  lab.change = change;
  if (!believed.is_null()) lab.believed = changed_rig(lab.rig, believed);
  lab.start(1, kBenchSpeed);
  if (!lab.service) return {};
  auto ended = lab.carry_out(messages::weigh_request(kMass_kg));
  EXPECT_EQ(lab.status()["position_trusted"], false);  // not even homed
  EXPECT_EQ(lab.bench->take_peak_N(), 0);
  return ended;
}

std::string refusal(const nlohmann::json& ended) {
  return ended["news"] == "failed" ? ended["error"]["text"].get<std::string>() : ended.dump();
}

TEST(Weigh, AMassThatReadsAsItIsIsToldAsAGain) {
  const auto ended = weighed({});
  ASSERT_EQ(ended["news"], "done") << ended.dump();
  const auto& result = ended["result"];
  EXPECT_EQ(result["mass_g"], 100);
  EXPECT_NEAR(result["true_N"].get<double>(), 0.980665, 1e-9);
  EXPECT_NEAR(result["felt_N"].get<double>(), 0.980665, 0.01);
  EXPECT_NEAR(result["gain"].get<double>(), 1, 0.01);
}

TEST(Weigh, AGainOfTwoOrTenIsFoundBeforeAnythingMoves) {
  EXPECT_THAT(refusal(weighed([](auto& bench) { bench.wrong_gain = 2; })),
              AllOf(ContainsRegex("[(](1.9|2.0)[0-9] times"), HasSubstr("calibration file")));
  EXPECT_THAT(refusal(weighed([](auto& bench) { bench.wrong_gain = 10; })),
              ContainsRegex("[(](9.9|10.0)[0-9]* times"));
}

TEST(Weigh, ATurnedSignAndAnotherAxisAreNamed) {
  EXPECT_THAT(refusal(weighed({}, {{"force_sensor", {{"press_axis", "z"}}}})),
              HasSubstr("turn the sign of force_sensor.press_axis"));
  EXPECT_THAT(refusal(weighed({}, {{"force_sensor", {{"press_axis", "x"}}}})),
              HasSubstr("another axis"));
}

}  // namespace
}  // namespace tactelier::rig
