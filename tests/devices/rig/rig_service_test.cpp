#include <gmock/gmock.h>

#include "tests/devices/support/laboratory.hpp"

namespace tactelier::rig {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;

#ifdef __SANITIZE_THREAD__
constexpr double kSpeed = 2;
#else
constexpr double kSpeed = 10;
#endif

/// A rig file that says where the pad is about, as one of a real rig must.
RigFile known_rig() {
  auto document = json::parse(virtual_bench_rig().document);
  document["surface"] = {{"z0_mm", 0}, {"tilt_x_deg", 0}, {"tilt_y_deg", 0}};
  return *parse_rig(document.dump(), "rig");
}

TEST(RigService, NothingGoesDownBeforeAPushHasProvenTheForceSensor) {
  ServedLaboratory lab;
  lab.hands = false;
  lab.rig = known_rig();
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  std::vector<std::string> asked;
  lab.on_question = [&](const std::string& text) { asked.push_back(text); };
  const auto ended = lab.carry_out({{"do", "surface"}, {"set_up", true}});
  EXPECT_EQ(ended["news"], "failed");
  EXPECT_THAT(ended["error"]["text"].get<std::string>(), HasSubstr("not felt"));
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_THAT(asked[0], HasSubstr("upwards"));
  EXPECT_GT(lab.status()["position_mm"][2].get<double>(), 0.9);
  EXPECT_EQ(lab.status()["surface_found"], false);
}

TEST(RigService, ASignTheWrongWayRoundIsFoundByThePush) {
  ServedLaboratory lab;
  lab.hands = false;
  lab.rig = known_rig();
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  // 100 g hung on the tip pull it down: what a push up reads as on a sensor with the other sign.
  lab.on_question = [&](const std::string&) { lab.bench->hang(1); };
  const auto ended = lab.carry_out({{"do", "surface"}, {"set_up", true}});
  EXPECT_EQ(ended["news"], "failed");
  EXPECT_THAT(ended["error"]["text"].get<std::string>(), HasSubstr("reads as a pull"));
  EXPECT_GT(lab.status()["position_mm"][2].get<double>(), 0.9);
}

TEST(RigService, WithoutASurfaceInTheRigFileNobodyKnowsWhereToSlowDown) {
  ServedLaboratory lab;
  lab.hands = false;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  const auto ended = lab.carry_out({{"do", "surface"}, {"set_up", true}});
  EXPECT_EQ(ended["news"], "failed");
  EXPECT_THAT(ended["error"]["text"].get<std::string>(), HasSubstr("surface.z0_mm"));
}

TEST(RigService, TheNextTaskMayBeAskedForAsSoonAsTheLastIsOver) {
  ServedLaboratory lab;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  EXPECT_EQ(lab.carry_out({{"do", "home"}})["news"], "done");
  for (int i = 0; i < 20; ++i) EXPECT_EQ(lab.carry_out({{"do", "retract"}})["news"], "done");
}

TEST(RigService, OnlyWhatASetUpRunFindsIsKept) {
  ServedLaboratory lab;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  EXPECT_EQ(lab.carry_out({{"do", "keep"}, {"rig", {{"compliance_um_per_N", 7}}}})["news"], "done");
  const auto refused =
      lab.carry_out({{"do", "keep"}, {"rig", {{"limits", {{"max_force_N", 1000}}}}}});
  EXPECT_EQ(refused["news"], "failed");
  EXPECT_THAT(refused["error"]["text"].get<std::string>(), HasSubstr("limits"));
  // Of the stage its play alone, which leaves the rest as it is.
  const json play{{"backlash_um", {{"z", 12.5}}}}, faster{{"z_speed_mm_s", 100}};
  EXPECT_EQ(lab.carry_out({{"do", "keep"}, {"rig", {{"stage", play}}}})["news"], "done");
  EXPECT_EQ(lab.carry_out({{"do", "keep"}, {"rig", {{"stage", faster}}}})["news"], "failed");
  EXPECT_EQ(lab.carry_out({{"do", "home"}})["news"], "done");
}

TEST(RigService, ANoteNeedsARecordingThatHoldsIt) {
  ServedLaboratory lab;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  const auto refused = lab.service->handle({{"do", "note"}, {"text", "hello"}}, 1, {});
  EXPECT_THAT(refused["error"]["text"].get<std::string>(), HasSubstr("nothing is being recorded"));
}

}  // namespace
}  // namespace tactelier::rig
