// What a person sees of a rig before it moves.
#include "app/workflow/rig_overview.hpp"

#include <gmock/gmock.h>

namespace tactelier {
namespace {

using testing::HasSubstr;

RigFile rig_with(std::string_view more) {
  const auto rig = parse_rig(fmt::format(R"({{"format": "tactelier/rig", "version": 1,
        "stage": {{"acceleration_mm_s2": 100, "xy_speed_mm_s": 10, "z_speed_mm_s": 4,
                   "safe_height_mm": 3, "travel_mm": [-40, -30, -20, 40, 30, 0]}},
        "limits": {{"max_force_N": 5}} {}}})",
                                         more),
                             "rig.json");
  EXPECT_TRUE(rig) << rig.error().message;
  return rig.value_or(RigFile{});
}

std::string fact(const RigFile& rig, std::string_view what) {
  for (const auto& one : rig_geometry(rig))
    if (one.what == what) return one.words;
  return "no such fact";
}

TEST(RigOverview, TellsLimitsWithActionAndOvershoot) {
  const auto rows = rig_limits(rig_with(""), {}, {}, 2e3, 1e-3);
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows.front().what, "pad force");
  EXPECT_EQ(rows.front().value, "5 N");
  // 2 N/mm at 1 mm/s for 2 + 50 ms, and 5 um to brake from it at 100 mm/s2; steps of 2.5 um in a
  // millisecond are 2.5 mm/s, which rubber of 20 s/m answers with 5 % of 5 N.
  EXPECT_NEAR(rows.front().overshoot_N.value(), 0.104 + 0.01 + 0.25, 1e-12);
}

TEST(RigOverview, FinerStepsOvershootLess) {
  auto rig = rig_with("");
  rig.step_z_m = 1e-6;
  EXPECT_NEAR(rig_limits(rig, {}, {}, 2e3, 1e-3).front().overshoot_N.value(), 0.114 + 0.1, 1e-12);
}

TEST(RigOverview, TellsWhetherSomebodyDeclaredAnEmergencyStop) {
  EXPECT_THAT(emergency_stop_words(rig_with("")), HasSubstr("not declared"));
  EXPECT_EQ(emergency_stop_words(rig_with(R"(, "emergency_stop": true)")), "declared present");
  EXPECT_EQ(emergency_stop_words(rig_with(R"(, "emergency_stop": false)")), "declared ABSENT");
}

TEST(RigOverview, TellsGeometryAndWhatIsNotKnownYet) {
  const auto bare = rig_with("");
  EXPECT_EQ(fact(bare, "Sensor frame"), "not registered yet");
  EXPECT_EQ(fact(bare, "Surface"), "not searched yet");
  EXPECT_EQ(fact(bare, "Rig compliance"), "not measured");
  EXPECT_EQ(fact(bare, "Press axis"), "z · tip not stated");
  EXPECT_EQ(fact(bare, "Travel"), "80 x 60 x 20 mm");
  EXPECT_EQ(fact(bare, "Keep out"), "nothing");
  const auto full = rig_with(R"(, "compliance_um_per_N": 4.2,
      "stage_to_sensor": {"x_mm": -10, "y_mm": 5.25, "rz_deg": 90}, "surface": {"z0_mm": -12.5},
      "force_sensor": {"press_axis": "-z", "tip_mm": [0, 0, 25]},
      "keep_out": [{"from_mm": [0, 0, 0], "to_mm": [1, 1, 1], "what": "camera"}])");
  EXPECT_EQ(fact(full, "Sensor frame"), "x -10.00 mm · y 5.25 mm · turn 90.00°");
  EXPECT_EQ(fact(full, "Surface"), "z -12.500 mm · tilt 0.00°, 0.00°");
  EXPECT_EQ(fact(full, "Rig compliance"), "4.2 µm/N");
  EXPECT_EQ(fact(full, "Press axis"), "-z · tip at (0, 0, 25) mm");
  EXPECT_EQ(fact(full, "Keep out"), "camera");
}

}  // namespace
}  // namespace tactelier
