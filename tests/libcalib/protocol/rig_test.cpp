#include "libcalib/protocol/rig.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tactelier {
namespace {

using testing::HasSubstr;

std::string rig_text(std::string_view more = "", std::string_view limits = R"("max_force_N": 20)") {
  return fmt::format(R"({{"format": "tactelier/rig", "version": 1,
    "stage": {{"acceleration_mm_s2": 50, "xy_speed_mm_s": 10, "z_speed_mm_s": 4, "safe_height_mm": 3,
               "travel_mm": [-200, -200, -60, 200, 200, 0]}},
    "limits": {{{}}} {}}})",
                     limits, more);
}

Plan one_press(const PlanSetup& setup) {
  const auto protocol = parse_protocol(
      R"({"format": "tactelier/protocol", "version": 1, "name": "mine", "indenter": {"shape": "cylinder", "diameter_mm": 1},
          "steps": [{"do": "scan", "tactels": [0], "speed_mm_s": 1, "until": {"depth_mm": 1}},
                    {"do": "plate", "force_N": 5, "speed_mm_s": 0.1}]})",
      "mine.json");
  return plan_protocol(*protocol, load_sensor("weiss-wts0614").value(), setup).value();
}

// A tip 10 mm beside the pressing axis: 10 mN m at the force sensor per newton, whatever its
// length.
TEST(Rig, ATipBesideThePressingAxisMakesATorqueOfEveryPress) {
  const auto rig =
      parse_rig(rig_text(R"(, "force_sensor": {"press_axis": "-z", "tip_mm": [6, 8, 30]})",
                         R"("max_force_N": 20, "max_torque_Nm": 0.2)"),
                "rig.json");
  ASSERT_TRUE(rig) << rig.error().message;
  EXPECT_DOUBLE_EQ(rig->press_torque_Nm_per_N()[0], 8e-3);
  EXPECT_DOUBLE_EQ(rig->press_torque_Nm_per_N()[1], -6e-3);
  auto setup = bench_setup();
  const auto centred = one_press(setup).steps[1];
  setup.tip_offset_m = setup_for(*rig, setup).tip_offset_m;
  const auto beside = one_press(setup).steps[1];
  EXPECT_NEAR(beside.peak_torque_Nm - centred.peak_torque_Nm, 0.01 * beside.peak_force_N, 1e-12);
  EXPECT_GE(beside.peak_force_N, 5);
}

TEST(Rig, LimitsAndPlacesReachThePlan) {
  const auto rig =
      parse_rig(rig_text(R"(, "stage_to_sensor": {"x_mm": -10, "y_mm": 5, "rz_deg": 90},
      "surface": {"z0_mm": -40}, "plate_mm": [70, 0, -38], "force_sensor": {"tip_mm": [0, 0, 30]},
      "indenter": {"shape": "cylinder", "diameter_mm": 2})",
                         R"("max_force_N": 20, "max_depth_mm": 1.5)"),
                "rig.json");
  ASSERT_TRUE(rig) << rig.error().message;
  const auto setup = setup_for(*rig, bench_setup());
  EXPECT_DOUBLE_EQ(setup.stage.acceleration_m_per_s2, 0.05);
  EXPECT_EQ(setup.limits.max_force_N, 20);
  EXPECT_FALSE(setup.limits.max_torque_Nm);  // the rig's limits, not a mixture
  EXPECT_DOUBLE_EQ(setup.tip_lever_m, 0.03);
  // x' = -0 - 10, y' = 70 + 5 after the quarter turn; 2 mm above the pad
  EXPECT_NEAR(setup.plate_m[0], -10e-3, 1e-15);
  EXPECT_NEAR(setup.plate_m[1], 75e-3, 1e-15);
  EXPECT_NEAR(setup.plate_m[2], 2e-3, 1e-15);
  EXPECT_EQ(setup.indenter->indenter.diameter_m, 2e-3);
}

TEST(Rig, StageAndSensorFrameAreInverse) {
  const auto rig = parse_rig(
      rig_text(R"(, "stage_to_sensor": {"x_mm": 3, "y_mm": -4, "rz_deg": 30, "mirror": true},
      "surface": {"z0_mm": -40})"),
      "rig.json");
  ASSERT_TRUE(rig) << rig.error().message;
  const Vector3 at_m{1e-3, 2e-3, -39e-3};
  EXPECT_LT(distance_m(rig->stage_from_sensor_m(rig->sensor_from_stage_m(at_m)), at_m), 1e-15);
}

TEST(Rig, MissingAndUnknownKeysAreNamed) {
  EXPECT_THAT(parse_rig(rig_text("", ""), "rig.json").error().message,
              HasSubstr("rig.json: limits: key 'max_force_N' is missing"));
  EXPECT_EQ(parse_rig(rig_text(R"(, "complience_um_per_N": 4)"), "rig.json").error().message,
            "rig.json: unknown key 'complience_um_per_N' (did you mean 'compliance_um_per_N'?)");
  EXPECT_THAT(
      parse_rig(R"({"format": "tactelier/rig", "version": 1, "limits": {"max_force_N": 1}})",
                "rig.json")
          .error()
          .message,
      HasSubstr("key 'stage' is missing"));
}

TEST(Rig, PlansThatLeaveTheTravelOrEnterABoxAreRefused) {
  const auto reach = [](std::string_view more) {
    const auto rig = parse_rig(rig_text(more), "rig.json").value();
    const auto checked = check_reach(one_press(setup_for(rig, bench_setup())), rig);
    return checked ? std::string() : checked.error().message;
  };
  EXPECT_EQ(reach(R"(, "surface": {"z0_mm": -30})"), "");
  EXPECT_EQ(reach(""),
            "mine: step 1 (scan): at (0, 0, 3) mm of the stage it would leave the stage's travel");
  // between pad and plate, as high as the way there
  EXPECT_THAT(
      reach(
          R"(, "surface": {"z0_mm": -30}, "keep_out": [{"from_mm": [30, -50, -60], "to_mm": [35, 50, -20], "what": "clamp"}])"),
      HasSubstr("step 2 (plate): at (60, 0, -27) mm of the stage it would cross the keep-out box "
                "'clamp'"));
  EXPECT_EQ(
      reach(
          R"(, "surface": {"z0_mm": -30}, "keep_out": [{"from_mm": [30, -50, -60], "to_mm": [35, 50, -28]}])"),
      "");
}

}  // namespace
}  // namespace tactelier
