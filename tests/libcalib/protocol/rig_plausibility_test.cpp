// Rig files that no rig can be, each with its limit from sensor, stage or pad.

#include "libcalib/protocol/rig_plausibility.hpp"
#include "tests/paths/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace tactelier {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

// Nano17 SI-12-0.12 (docs/wire-formats.md 2), a stage of 80 x 80 x 40 mm.
constexpr std::array<double, 6> kNano17{12, 12, 17, 0.12, 0.12, 0.12};
constexpr std::array<double, 6> kTravel_m{-40e-3, -40e-3, -30e-3, 40e-3, 40e-3, 10e-3};

json sound_rig() {
  return json::parse(R"({
    "format": "tactelier/rig", "version": 1,
    "stage": {"acceleration_mm_s2": 100, "xy_speed_mm_s": 25, "z_speed_mm_s": 8,
              "safe_height_mm": 1, "air_gap_mm": 0.2},
    "limits": {"max_force_N": 5, "max_depth_mm": 2},
    "plate_mm": [30, 0, 0], "park_mm": [0, 35, 8]})");
}

std::string doubts(const json& changes, std::optional<double> thickness_m = {}) {
  auto document = sound_rig();
  document.merge_patch(changes);
  const auto rig = parse_rig(document.dump(), "rig.json");
  EXPECT_TRUE(rig) << rig.error().message;
  auto sensor = *load_sensor("weiss-wts0614");  // 20.4 x 47.6 mm
  sensor.thickness_m = thickness_m;
  const auto sound = check_plausible(*rig, sensor, {kNano17, kTravel_m}, "rig.json");
  return sound ? "" : sound.error().message;
}

TEST(RigPlausibility, ASoundRigPasses) {
  EXPECT_EQ(doubts(json::object()), "");
  EXPECT_EQ(doubts({{"limits", {{"max_force_N", 17}}}}), "");
}

TEST(RigPlausibility, AForceLimitAboveTheSensorsRangeIsRefused) {
  EXPECT_THAT(doubts({{"limits", {{"max_force_N", 9000}}}}),
              AllOf(HasSubstr("rig.json: limits.max_force_N: 9000 N"),
                    HasSubstr("17 N along its z"), HasSubstr("write 17 or less")));
  // Along x it carries 12 N.
  EXPECT_THAT(doubts({{"limits", {{"max_force_N", 15}}}, {"force_sensor", {{"press_axis", "x"}}}}),
              HasSubstr("12 N along its x"));
}

TEST(RigPlausibility, AnIndentationDeeperThanThePadIsRefused) {
  EXPECT_THAT(doubts({{"limits", {{"max_depth_mm", 99}}}}),
              AllOf(HasSubstr("limits.max_depth_mm: 99 mm"), HasSubstr("thickness_mm")));
  EXPECT_THAT(doubts({{"limits", {{"max_depth_mm", 4}}}}, 3e-3), HasSubstr("pad is thick (3 mm)"));
}

TEST(RigPlausibility, ASpeedThatCannotBrakeWithinTheTravelIsRefused) {
  // (10 m/s)^2 / (2 * 0.1 m/s^2) = 500 m; half of 80 mm allow sqrt(0.1 * 0.08) = 89 mm/s.
  EXPECT_THAT(doubts({{"stage", {{"xy_speed_mm_s", 10000}}}}),
              AllOf(HasSubstr("stage.xy_speed_mm_s: 10000 mm/s"), HasSubstr("5e+05 mm to brake"),
                    HasSubstr("write 89.4 or less")));
  EXPECT_THAT(doubts({{"stage", {{"acceleration_mm_s2", 1e6}}}}), HasSubstr("102 g"));
}

TEST(RigPlausibility, AnAirGapAboveTheSafeHeightIsRefused) {
  EXPECT_THAT(doubts({{"stage", {{"air_gap_mm", 5}}}}),
              AllOf(HasSubstr("stage.air_gap_mm: 5 mm"), HasSubstr("safe height of 1 mm")));
}

TEST(RigPlausibility, PlacesInThePadInABoxAndOutOfReachAreRefused) {
  EXPECT_THAT(doubts({{"park_mm", {0, 10, -3}}}),
              AllOf(HasSubstr("park_mm: (0, 10, -3) mm lies inside the pad"), HasSubstr("3 mm")));
  EXPECT_THAT(doubts({{"park_mm", {0, 60, 8}}}), HasSubstr("out of the stage's reach, y"));
  EXPECT_THAT(doubts(json::parse(R"({"keep_out": [{"from_mm": [-5, 30, 0], "to_mm": [5, 38, 9],
                                                   "what": "camera"}]})")),
              HasSubstr("park_mm: (0, 35, 8) mm lies in the keep-out box 'camera'"));
}

TEST(RigPlausibility, GroundOverThePadOrAboveItsFaceIsRefused) {
  const json surface{{"z0_mm", -4}, {"tilt_x_deg", 0}, {"tilt_y_deg", 0}};
  EXPECT_EQ(doubts({{"ground_mm", {0, -30}}}), "");
  EXPECT_EQ(doubts({{"ground_mm", {0, -30, -7}}, {"surface", surface}}), "");
  EXPECT_THAT(doubts({{"ground_mm", {5, 20}}}),
              AllOf(HasSubstr("ground_mm"), HasSubstr("inside the pad")));
  EXPECT_THAT(doubts({{"ground_mm", {0, -30, -3}}, {"surface", surface}}),
              AllOf(HasSubstr("z -3 mm is not below the pad's face at -4 mm")));
  EXPECT_THAT(doubts({{"ground_mm", {0, -50}}}), HasSubstr("out of the stage's reach"));
}

TEST(RigPlausibility, AnInvertedBoxIsRefusedRatherThanGuessed) {
  EXPECT_THAT(
      doubts(json::parse(R"({"keep_out": [{"from_mm": [35, -50, -60], "to_mm": [30, 50, -20]}]})")),
      AllOf(HasSubstr("keep_out 1: x from 35 to 30 mm"), HasSubstr("smaller numbers")));
}

TEST(RigPlausibility, EverythingIsToldAtOnce) {
  const auto all = doubts({{"limits", {{"max_force_N", 9000}, {"max_depth_mm", 99}}},
                           {"stage", {{"air_gap_mm", 5}, {"xy_speed_mm_s", 10000}}},
                           {"park_mm", {0, 10, -3}}});
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 4) << all;
}

TEST(RigPlausibility, EveryShippedRigPasses) {
  for (const char* name : {"ideal-bench", "lab-bench", "virtual-bench"}) {
    const auto rig = load_rig(fmt::format("{}/data/rigs/{}.json", paths::source_dir(), name));
    ASSERT_TRUE(rig) << name;
    const auto sound = check_plausible(*rig, *load_sensor("weiss-wts0614"), {}, name);
    EXPECT_TRUE(sound) << sound.error().message;
  }
}

TEST(RigPlausibility, APressOfLessThanAStepIsWarnedOf) {
  auto rig = virtual_bench_rig();
  const auto warned = [&](double depth_mm) {
    const auto protocol =
        parse_protocol(fmt::format(R"({{"format": "tactelier/protocol", "version": 1, "name": "p",
          "indenter": {{"shape": "cylinder", "diameter_mm": 1.0}},
          "steps": [{{"do": "hold", "sites": [38], "depth_mm": {}, "ramp_s": 1, "time_s": 5}}]}})",
                                   depth_mm),
                       "p");
    EXPECT_TRUE(protocol) << protocol.error().message;
    const auto plan =
        plan_protocol(*protocol, *load_sensor("weiss-wts0614"), setup_for(rig, bench_setup()));
    EXPECT_TRUE(plan) << plan.error().message;
    return coarse_steps(*plan, rig).size();
  };
  EXPECT_EQ(warned(0.0008), 1U);
  EXPECT_EQ(warned(0.5), 0U);
  rig.step_z_m = 0.5e-6;
  EXPECT_EQ(warned(0.0008), 0U);
}

TEST(RigPlausibility, APlateOfWhichAStepIsMuchForceIsWarnedOf) {
  auto rig = virtual_bench_rig();
  const auto protocol = parse_protocol(R"({"format": "tactelier/protocol", "version": 1,
      "name": "p", "indenter": {"shape": "cylinder", "diameter_mm": 1.0},
      "steps": [{"do": "plate", "force_N": 15, "speed_mm_s": 0.1, "repeats": 3}]})",
                                       "p");
  ASSERT_TRUE(protocol) << protocol.error().message;
  const auto warned = [&](double step_um, double compliance_um_per_N) {
    rig.step_z_m = step_um * 1e-6;
    rig.compliance_m_per_N = compliance_um_per_N * 1e-6;
    const auto plan =
        plan_protocol(*protocol, *load_sensor("weiss-wts0614"), setup_for(rig, bench_setup()));
    EXPECT_TRUE(plan) << plan.error().message;
    return coarse_steps(*plan, rig);
  };
  const auto coarse = warned(1, 0.2);  // 5 N of 15
  ASSERT_EQ(coarse.size(), 1U);
  EXPECT_EQ(coarse[0].code, "COARSE-STEP");
  EXPECT_THAT(coarse[0].text, testing::HasSubstr("is 5 N on the plate behind 0.2 um/N: presses to "
                                                 "15 N end up to 2.5 N beside it"));
  EXPECT_TRUE(warned(1, 12).empty());
  EXPECT_TRUE(warned(0.1, 0.2).empty());
}

}  // namespace
}  // namespace tactelier
