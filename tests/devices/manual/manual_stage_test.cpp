#include "devices/manual/manual_stage.hpp"

#include <gmock/gmock.h>

#include "devices/emulator/simulated_world.hpp"

namespace tactelier::devices {
namespace {

using testing::HasSubstr;

class ManualStageTest : public testing::Test {
 protected:
  Result<std::string> answer(std::string_view question) {
    questions_.emplace_back(question);
    if (answers_.empty()) return fail(ErrorCode::kCancelled, "nobody there");
    auto text = answers_.front();
    answers_.erase(answers_.begin());
    return text;
  }

  SimulatedWorld world_;
  std::vector<std::string> answers_, questions_;
  ManualStage stage_{{{{-0.05, -0.05, -0.02}, {0.05, 0.05, 0.01}, {}, {}}, 0.5e-3},
                     [this](std::string_view question) { return answer(question); },
                     world_};
};

TEST_F(ManualStageTest, TakesTheDialAsThePosition) {
  answers_ = {"", " -0,47 mm "};
  ASSERT_TRUE(stage_.home());
  ASSERT_TRUE(stage_.move_to({1e-3, 2e-3, -0.5e-3}, 1e-3));
  EXPECT_THAT(questions_.back(), HasSubstr("x 1.000 mm, y 2.000 mm, turn z to -0.500 mm"));
  std::vector<StageSample> samples;
  ASSERT_TRUE(stage_.poll(samples, Timeout(0)));
  ASSERT_EQ(samples.size(), 2U);
  EXPECT_DOUBLE_EQ(samples[1].position_m[2], -0.47e-3);
  EXPECT_TRUE(samples[1].trusted);
}

TEST_F(ManualStageTest, AsksAgainWhenTheReadingMakesNoSense) {
  answers_ = {"", "half", "-5.0", "-0.52"};
  ASSERT_TRUE(stage_.home());
  ASSERT_TRUE(stage_.move_to({0, 0, -0.5e-3}, 1e-3));
  EXPECT_THAT(questions_[2], HasSubstr("'half' is no number"));
  EXPECT_THAT(questions_[3], HasSubstr("-5.000 mm is more than 0.500 mm away"));
  answers_ = {"a", "b", "c"};
  const auto moved = stage_.move_to({0, 0, -1e-3}, 1e-3);
  ASSERT_FALSE(moved);
  EXPECT_EQ(moved.error().code, ErrorCode::kDeviceFault);
}

TEST_F(ManualStageTest, RefusesWhatItCantKnowOrReach) {
  EXPECT_THAT(stage_.move_to({0, 0, -1e-3}, 1e-3).error().message, HasSubstr("not known"));
  answers_ = {"", ""};
  ASSERT_TRUE(stage_.home());
  EXPECT_THAT(stage_.move_to({0, 0, -1}, 1e-3).error().message, HasSubstr("outside"));
  EXPECT_EQ(stage_.jog({0, 0, 1e-3}, 1e-3).error().code, ErrorCode::kUsage);
  ASSERT_TRUE(stage_.stop());
  EXPECT_THAT(questions_.back(), HasSubstr("turn the indenter up"));
  EXPECT_THAT(stage_.move_to({0, 0, -1e-3}, 1e-3).error().message, HasSubstr("locked"));
}

TEST_F(ManualStageTest, EndsWhenThePersonGivesUp) {
  EXPECT_EQ(stage_.home().error().code, ErrorCode::kCancelled);
  EXPECT_FALSE(stage_.position_trusted());
}

}  // namespace
}  // namespace tactelier::devices
