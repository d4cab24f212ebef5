// Every shipped protocol parses, plans on a WTS 0614 and keeps what its description promises.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "libcalib/protocol/plan.hpp"
#include "libcalib/protocol/plan_run.hpp"
#include "tests/libcalib/protocol/plan_check.hpp"

namespace tactelier {
namespace {

Plan shipped(const std::string& name) {
  return plan_protocol(load_protocol(name).value(), load_sensor("weiss-wts0614").value(),
                       bench_setup())
      .value();
}

/// How often each tactel is pressed for good.
std::map<int, int> presses_per_tactel(const Plan& plan) {
  std::map<int, int> count;
  int tactel = -1;
  for (const auto& segment : plan.segments) {
    for (const auto& event : segment.at_begin)
      if (event.name == "press_begin")
        tactel = nlohmann::json::parse(event.data).value("tactel", -1);
    for (const auto& event : segment.at_end)
      if (event.name == "press_end" && nlohmann::json::parse(event.data)["outcome"] == "ok")
        ++count[tactel];
  }
  count.erase(-1);
  return count;
}

std::set<std::string> covered(const Plan& plan) {
  std::set<std::string> codes;
  for (const auto& step : plan.steps) codes.insert(step.protocol);
  codes.erase("");
  return codes;
}

class Templates : public testing::TestWithParam<std::string> {};

TEST_P(Templates, PlansWithinItsTimeAndKeepsEveryRule) {
  const auto protocol = load_protocol(GetParam());
  ASSERT_TRUE(protocol) << protocol.error().message;
  EXPECT_EQ(protocol->name, GetParam());
  EXPECT_GT(protocol->description.size(), 100U);
  ASSERT_TRUE(protocol->max_minutes);
  for (const char* sensor : {"weiss-wts0614", "myrmex-16x16"}) {
    const auto plan = plan_protocol(*protocol, load_sensor(sensor).value(), bench_setup());
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(broken_rule(*plan, bench_setup()), "") << sensor;
    if (std::string(sensor) == "weiss-wts0614") {
      EXPECT_LE(plan->duration_s, *protocol->max_minutes * 60);
    }
  }
}

TEST_P(Templates, RunsWithoutFeedbackAsPlannedWhereNothingEndsByForce) {
  auto plan = shipped(GetParam());
  PlanRun run(plan, 0);
  for (std::size_t i = 0; i < plan.segments.size(); ++i) {
    ASSERT_TRUE(run.running());
    ASSERT_EQ(run.index(), i);
    // the farthest point of a ramp that ends by force is never above the expected one
    EXPECT_LE(run.segment().motion.end_m()[2], run.segment().end_m[2] + 1e-12);
    run.advance();
  }
  EXPECT_FALSE(run.running());
}

INSTANTIATE_TEST_SUITE_P(All, Templates, testing::ValuesIn(shipped_protocols()),
                         [](const auto& each) { return each.param; });

TEST(Template, NamesAreThoseOfTheManual) {
  EXPECT_THAT(shipped_protocols(),
              testing::ElementsAre("check", "images", "kappassov", "leins", "moisio", "night", "p0",
                                   "p1", "p10", "p11", "p12", "p2", "p3", "p4", "p5", "p6", "p7",
                                   "p8", "p9", "quick", "standard", "study", "thickness"));
}

TEST(Template, QuickAndCheckPressEveryTactel) {
  EXPECT_EQ(presses_per_tactel(shipped("quick")).size(), 84U);
  EXPECT_EQ(presses_per_tactel(shipped("check")).size(), 84U);
  EXPECT_LE(shipped("check").duration_s, 600);
  EXPECT_LE(shipped("quick").duration_s, 900);
  EXPECT_LE(shipped("study").duration_s, 90);
}

TEST(Template, StandardAndNightHoldWhatTheirDescriptionsSay) {
  const std::set<std::string> standard{"P0", "P1", "P2", "P3", "P4", "P5",
                                       "P6", "P7", "P8", "P9", "P10"};
  EXPECT_EQ(covered(shipped("standard")), standard);
  auto night = standard;
  night.insert("P12");
  EXPECT_EQ(covered(shipped("night")), night);
  for (const char* name : {"standard", "night"}) {
    const auto plan = shipped(name);
    const auto presses = presses_per_tactel(plan);
    EXPECT_EQ(presses.size(), 84U);
    const auto often = std::count_if(presses.begin(), presses.end(),
                                     [](const auto& entry) { return entry.second >= 5; });
    EXPECT_GE(often, 5);
    int slides = 0;
    for (const auto& step : plan.steps)
      if (step.name == "slide") slides = std::max(slides, static_cast<int>(step.slides));
    EXPECT_GE(slides, 3 * 8 * 2);
  }
}

/// What each of the experiment design must hold (docs/theory/conventions.md 6).
TEST(Template, P0ToP12HoldTheirOwnStep) {
  for (int i = 0; i <= 12; ++i) {
    const auto code = fmt::format("P{}", i);
    auto held = covered(shipped(fmt::format("p{}", i)));
    // P11, speeds through zero, is made of slides.
    EXPECT_TRUE(held.contains(i == 11 ? "P9" : code)) << code;
  }
  const auto steps_of = [](const char* name) { return load_protocol(name).value().steps; };
  for (const auto& step : steps_of("p5"))
    if (const auto* speeds = std::get_if<steps::Speeds>(&step.what)) {
      EXPECT_GE(speeds->speeds_m_per_s.back(), 30 * speeds->speeds_m_per_s.front());
      EXPECT_GE(speeds->repeats, 3);
    }
  EXPECT_EQ(presses_per_tactel(shipped("p2")).size(), 84U);
  EXPECT_EQ(shipped("p12").images, 3 * 3 * 2 * 5);
  EXPECT_GE(shipped("p8").presses, 25);
  EXPECT_EQ(shipped("p6").duration_s > 6 * 300, true);
}

TEST(Template, P9RunsTheSurfaceInAndThenSlidesAtTenSpeedsUnderThreeLoads) {
  const auto protocol = load_protocol("p9").value();
  std::vector<steps::Slide> slides;
  for (const auto& step : protocol.steps)
    if (const auto* slide = std::get_if<steps::Slide>(&step.what)) slides.push_back(*slide);
  ASSERT_EQ(slides.size(), 3U);
  EXPECT_THAT(slides[0].loads_N, testing::ElementsAre(2.0));
  EXPECT_GE(slides[0].repeats * 2 * slides[0].length_m, 0.09);
  for (const std::size_t i : {1U, 2U})
    EXPECT_THAT(slides[i].loads_N, testing::ElementsAre(0.5, 1.0, 2.0));
  EXPECT_EQ(slides[1].speeds_m_per_s.size() + slides[2].speeds_m_per_s.size(), 10U);
  EXPECT_LE(shipped("p9").duration_s, 300);
}

TEST(Template, StandardGivesThePointSpreadItsRaster) {
  const auto protocol = load_protocol("standard").value();
  for (const auto& step : protocol.steps)
    if (const auto* raster = std::get_if<steps::Raster>(&step.what)) {
      const auto side =
          static_cast<int>((raster->area_m[2] - raster->area_m[0]) / raster->step_m + 1.5);
      EXPECT_GE(side * side, 25);
      EXPECT_LE(raster->step_m, 0.85e-3);  // half of a spread of half a pitch
      const double force_N = 2000 * raster->target.depth_m.value();
      EXPECT_GE(force_N, 0.6 * 1.8);
      EXPECT_LE(force_N, 0.8 * 1.8);
    }
}

TEST(Template, KappassovPressesAsThePaperSays) {
  const auto protocol = load_protocol("kappassov").value();
  EXPECT_EQ(protocol.indenter->indenter.diameter_m, 1e-3);
  const auto plan = shipped("kappassov");
  EXPECT_EQ(presses_per_tactel(plan).size(), 84U);
  const auto& stairs = std::get<steps::Staircase>(protocol.steps[3].what);
  ASSERT_EQ(stairs.depths_m.size(), 7U);
  for (std::size_t i = 0; i < 7; ++i)
    EXPECT_NEAR(stairs.depths_m[i], 0.2e-3 * static_cast<double>(i + 1), 1e-12);
  const auto& images = std::get<steps::Images>(protocol.steps[4].what);
  EXPECT_EQ(images.masses_kg, (std::vector<double>{0.1, 0.5}));
  EXPECT_EQ(images.rz_rad.size(), 3U);
}

// The experiment design's P12: three shapes, two weights, five repeats, nothing that a fit uses.
TEST(Template, ImagesLaysKnownWeightsOnFiveTimesEachAndPressesNothing) {
  const auto plan = shipped("images");
  EXPECT_EQ(covered(plan), (std::set<std::string>{"P0", "P12"}));
  EXPECT_EQ(plan.presses, 0);
  EXPECT_EQ(plan.images, 2 * 3 * 2 * 5 + 2 * 5);
  std::map<std::string, int> repeats;
  for (const auto& segment : plan.segments)
    for (const auto& event : segment.at_begin)
      if (event.name == "image_begin") {
        auto data = nlohmann::json::parse(event.data);
        EXPECT_THAT(data["mass_g"].get<double>(), testing::AnyOf(100, 500));
        data.erase("image");
        ++repeats[data.dump()];
      }
  EXPECT_EQ(repeats.size(), 14U);
  for (const auto& [press, count] : repeats) EXPECT_EQ(count, 5) << press;
}

TEST(Template, QuickEndsWithImagesThatNeedNoOtherTip) {
  const auto plan = shipped("quick");
  EXPECT_EQ(plan.images, 5);
  for (const auto& segment : plan.segments) EXPECT_TRUE(segment.prompt.empty()) << segment.prompt;
}

TEST(Template, MoisioAndLeinsPressAsTheirPapersSay) {
  const auto moisio = load_protocol("moisio").value();
  const auto& weights = std::get<steps::Weights>(moisio.steps[1].what);
  EXPECT_NEAR(weights.area_m2, 804.25e-6, 1e-12);
  EXPECT_THAT(weights.masses_kg, testing::Contains(testing::DoubleNear(0.30415, 1e-12)));
  const auto& drag = std::get<steps::Slide>(moisio.steps[3].what);
  EXPECT_NEAR(drag.loads_N[0], 0.588 * 9.80665, 1e-3);
  const auto leins = load_protocol("leins").value();
  EXPECT_EQ(leins.indenter->indenter.diameter_m, 2e-3);
  const auto& raster = std::get<steps::Raster>(leins.steps[1].what);
  EXPECT_NEAR(raster.step_m, 0.15e-3, 1e-12);
  EXPECT_EQ(raster.target.force_N, 0.35);
}

}  // namespace
}  // namespace tactelier
