// What is planned against recordings that were made and fitted (docs/accuracy-lab.md), against what
// more of the same must give, and against the fit's own refusals.

#include "fitting/plan/information.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "fitting/plan/additions.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

RigFile rig_named(const std::string& name) {
  return load_rig(paths::source_dir() + "/data/rigs/" + name + ".json").value();
}

struct Planned {
  SensorDescription sensor = load_sensor("weiss-wts0614").value();
  ExpectedSensor expected{};
  RigQuality quality{};
  PlannedWork work{};

  std::map<std::string, PlannedParameter> all() const {
    std::map<std::string, PlannedParameter> found;
    for (auto& one : planned_information({work, sensor, quality, expected}, {}))
      found[one.path] = one;
    return found;
  }
};

Planned planned_for(const Protocol& protocol, const std::string& rig_name,
                    const ExpectedSensor& expected = {}) {
  Planned planned;
  planned.expected = expected;
  const auto rig = rig_named(rig_name);
  planned.quality = rig_quality(rig, planned.sensor);
  auto setup = setup_for(rig, bench_setup());
  setup.expected = expected.pad;
  const auto plan = plan_protocol(protocol, planned.sensor, setup);
  EXPECT_TRUE(plan) << plan.error().message;
  planned.work = planned_work(*plan, expected.pad, planned.sensor);
  return planned;
}

Planned planned_for(const std::string& protocol, const std::string& rig_name) {
  return planned_for(load_protocol(protocol).value(), rig_name);
}

Protocol with_steps(const std::string& steps, const std::string& indenter) {
  return parse_protocol(R"({"format": "tactelier/protocol", "version": 1, "name": "mine",
                            "indenter": )" +
                            indenter + R"(, "steps": [)" + steps + "]}",
                        "mine.json")
      .value();
}

const char* const kBall = R"({"shape": "sphere", "diameter_mm": 10})";
const char* const kPin = R"({"shape": "cylinder", "diameter_mm": 1})";

TEST(PlannedWork, TellsPressesSlidesAndPlatesAsThePlanMakesThem) {
  const auto work = planned_for("p5", "lab-bench").work;
  EXPECT_EQ(work.plates.size(), 4U);
  EXPECT_DOUBLE_EQ(work.plates[0].force_N, 15);
  ASSERT_EQ(work.presses.size(), 1U + 24U + 2U);
  const auto& fast = work.presses[4];  // after the deep one: 0.25, 0.8, 2.5, 8 mm/s
  EXPECT_EQ(fast.kind, PressKind::kSpeed);
  EXPECT_DOUBLE_EQ(fast.loadings[0].speed_m_per_s, 8e-3);
  EXPECT_NEAR(fast.depth_m, 1e-3, 1e-9);
  EXPECT_NEAR(fast.loadings[0].depth_m(fast.loadings[0].touch_s()), 0, 1e-9);
  EXPECT_NEAR(fast.loadings[0].depth_m(fast.loadings[0].end_s()), 1e-3, 2e-9);
  const auto& hold = work.presses.back();
  ASSERT_EQ(hold.holds.size(), 1U);
  EXPECT_NEAR(hold.holds[0].end_s - hold.holds[0].begin_s, 20, 1e-9);
  const auto slides = planned_for("p9", "lab-bench").work.slides;
  EXPECT_EQ(slides.size(), 12U + 48U + 12U);
  EXPECT_EQ(slides.front().contact, slides[11].contact);  // running in: one contact
  EXPECT_NE(slides[11].contact, slides[12].contact);
}

/// The same work `times` times over, one after the other.
PlannedWork repeated(const PlannedWork& work, int times) {
  auto all = work;
  std::size_t contacts = 0;
  for (const auto& slide : work.slides) contacts = std::max(contacts, slide.contact + 1);
  for (int again = 1; again < times; ++again) {
    const double later_s = again * work.duration_s;
    for (auto press : work.presses) {
      press.begin_s += later_s;
      press.end_s += later_s;
      for (auto& loading : press.loadings) loading.begin_s += later_s;
      for (auto& hold : press.holds) {
        hold.begin_s += later_s;
        hold.end_s += later_s;
      }
      all.presses.push_back(std::move(press));
    }
    for (auto plate : work.plates) {
      plate.begin_s += later_s;
      all.plates.push_back(plate);
    }
    for (auto slide : work.slides) {
      slide.begin_s += later_s;
      slide.contact += static_cast<std::size_t>(again) * contacts;
      all.slides.push_back(std::move(slide));
    }
  }
  all.duration_s *= times;
  all.unloaded_s *= times;
  return all;
}

// Noise alone limits relaxation on an ideal rig: twice the holds, half the variance.
TEST(PlannedInformation, TwiceTheWorkIsHalfTheVariance) {
  auto planned = planned_for("p5", "ideal-bench");
  const auto once = planned.all();
  planned.work = repeated(planned.work, 2);
  const auto twice = planned.all();
  for (const char* path : {"relaxation.g[0]", "relaxation.tau[1]"}) {
    ASSERT_TRUE(once.at(path).promised()) << path;
    EXPECT_NEAR(*twice.at(path).repeat / *once.at(path).repeat, std::sqrt(0.5), 0.02) << path;
  }
}

/// Half-widths in percent of recordings made on preset lab, medians by docs/accuracy-lab.md.
TEST(PlannedInformation, FrictionIsPlannedAsTwentyFourRecordingsCameOut) {
  auto basis = planned_for("p9", "lab-bench");
  basis.work.shears = 0;  // they stated what the rig gives along the surface
  const auto planned = basis.all();
  const std::map<std::string, double> came_out{
      {"mu_d", 0.84}, {"mu_s", 2.2},           {"v_s", 5.9},        {"sigma0", 4.2},
      {"c_t", 11},    {"load_exponent", 0.57}, {"running_in", 3.7}, {"running_in_length", 6.1}};
  for (const auto& [name, percent] : came_out) {
    const auto& one = planned.at("friction.contact." + name);
    ASSERT_TRUE(one.promised()) << name << ": " << one.reason;
    const double ratio = percent / (100 * one.relative());
    EXPECT_GT(ratio, 0.7) << name;
    EXPECT_LT(ratio, 1.5) << name;
  }
  EXPECT_THAT(planned.at("friction.contact.mu_s").may_fail, StartsWith("FR-STEPS"));
}

TEST(PlannedInformation, RefusesWithTheFitsOwnCodes) {
  const auto reason = [](const Planned& planned, const std::string& path) {
    return planned.all().at(path).reason;
  };
  const auto p4 = planned_for("p4", "lab-bench");
  EXPECT_THAT(reason(p4, "stiffness.foundation_modulus"), StartsWith("RC-02"));
  EXPECT_THAT(reason(p4, "stiffness.foundation_modulus"), HasSubstr("ball of 10 mm"));
  EXPECT_THAT(reason(p4, "friction.contact.mu_d"), StartsWith("FR-01"));
  EXPECT_THAT(reason(p4, "relaxation.g_inf"), StartsWith("DP-03"));
  const auto speeds = R"({"do": "speeds", "sites": 1, "depth_mm": 1, "speeds_mm_s": [0.3, 8],
                          "repeats": 6})";
  EXPECT_THAT(reason(planned_for(with_steps(speeds, kPin), "lab-bench"), "damping.c_n"),
              StartsWith("DP-05"));
  const auto one_load = R"({"do": "slide", "load_N": 1, "speeds_mm_s": [1, 2, 4, 6, 9, 12, 16],
                            "length_mm": 6, "directions_deg": [90, 270]})";
  const auto slides = planned_for(with_steps(one_load, kBall), "lab-bench");
  EXPECT_THAT(reason(slides, "friction.contact.load_exponent"), StartsWith("FR-EXPONENT"));
  const auto corners = R"({"do": "scan", "speed_mm_s": 0.5, "until": {"force_N": 1},
                           "grid": {"area_mm": [-3.4, -3.4, 3.4, 3.4], "step_mm": 3.4}})";
  EXPECT_THAT(
      reason(planned_for(with_steps(corners, kPin), "lab-bench"), "response.tactels[].press_gain"),
      HasSubstr("with a flat end: the nearest lies 2.40 mm beside one"));
  const auto slow = R"({"do": "slide", "load_N": [1, 2], "speeds_mm_s": [1, 2, 3, 4, 5, 6],
                        "length_mm": 4, "directions_deg": [90, 270]})";
  EXPECT_THAT(reason(planned_for(with_steps(slow, kBall), "lab-bench"), "friction.contact.v_s"),
              StartsWith("FR-02"));
  auto no_shear = planned_for("p9", "lab-bench");
  no_shear.quality.shear_compliance_m_per_N.reset();
  EXPECT_EQ(reason(no_shear, "friction.contact.sigma0"), "") << "it is measured on the plate";
  no_shear.work.shears = 0;
  EXPECT_THAT(reason(no_shear, "friction.contact.sigma0"), StartsWith("FR-SERIES"));
}

TEST(PlannedInformation, WhatTheRigFileDoesNotStateIsSaidToBeAssumed) {
  const auto sensor = load_sensor("weiss-wts0614").value();
  EXPECT_TRUE(rig_quality(rig_named("lab-bench"), sensor).assumed.empty());
  const auto plain = rig_quality(virtual_bench_rig(), sensor);
  EXPECT_THAT(plain.assumed, testing::Contains("force noise 10 mN at rest"));
  EXPECT_EQ(plain.force_gain_u, 0.01);
}

TEST(Additions, NameWhatHelpsMostByWhatItChanges) {
  const auto planned = planned_for("p5", "lab-bench");
  const PlanBasis basis{planned.work, planned.sensor, planned.quality, planned.expected};
  const auto now = planned_information(basis, {});
  const auto all = additions(basis, now, {});
  ASSERT_FALSE(all.empty());
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_GE(all[i - 1].worth(), all[i].worth());
  const auto gauge = std::find_if(all.begin(), all.end(), [](const Addition& one) {
    return one.what.find("dial gauge") != one.what.npos;
  });
  ASSERT_NE(gauge, all.end());
  EXPECT_LT(gauge->helps, 1);
}

}  // namespace
}  // namespace tactelier
