// Finding the depth of a load, over an engine whose load by depth is made by hand.
#include <gmock/gmock.h>

#include <functional>
#include <stdexcept>

#include "reports/verify/mujoco_rest.hpp"
#include "tests/reports/export/mujoco_models.hpp"

namespace tactelier {
namespace {

using namespace testing_models;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr double kStep_s = 5e-4;

/// One body, carried by what a law says of its depth.
class HandMadeEngine final : public MujocoEngine {
 public:
  explicit HandMadeEngine(std::function<double(double depth_m)> load_N)
      : load_N_(std::move(load_N)) {}

  TargetFacts facts() override { return {"by hand", "1", kStep_s, 0}; }
  int body(const std::string&) override { return 0; }
  int dof(const std::string&) override { return 0; }
  void place(int, const Vector3&, const Vector3&) override {}
  void reset() override { position_m_ = 0; }
  void push(int, double) override {}
  void step(std::span<const DofSpeed> speeds, int times) override {
    for (const auto& speed : speeds) position_m_ += speed.speed_m_per_s * times * kStep_s;
    ++asked_;
  }
  void forward() override {}
  double time_s() override { return 0; }
  DofState state(int) override { return {position_m_, 0, load_N_(-position_m_)}; }
  std::vector<double> sensors(std::size_t count) override {
    return std::vector<double>(count, load_N_(-position_m_) / static_cast<double>(count));
  }

  int asked() const { return asked_; }

 private:
  std::function<double(double)> load_N_;
  double position_m_ = 0;
  int asked_ = 0;
};

MujocoPad pad() {
  const auto contents = fill_slots(mujoco_model(), mujoco_slots(), "MuJoCo");
  return mujoco_pad(mujoco_model(), *contents).value();
}

TEST(MujocoRest, FindsTheDepthOfALoad) {
  HandMadeEngine engine([](double depth_m) { return 1e5 * depth_m * depth_m; });
  const auto seen = pressed_under(engine, 0, 0.4, pad());
  EXPECT_NEAR(seen.depth_m, 2e-3, 2e-8);
  EXPECT_NEAR(seen.force_N.at(0), 0.4 / 6, 1e-5);
}

// A step between less and a thousand times more than the load is where the load is met: as narrow
// as can be told.
TEST(MujocoRest, AStepOverTheLoadIsFoundAsNarrowAsItIs) {
  HandMadeEngine engine([](double depth_m) { return depth_m < 1.5e-3 ? 0.3 : 0.5; });
  EXPECT_NEAR(pressed_under(engine, 0, 0.4, pad()).depth_m, 1.5e-3, 1.5e-8);
}

// Between nothing and a million times the load no depth is found in the tries there are.
TEST(MujocoRest, ALoadThatNoDepthCarriesIsRefused) {
  HandMadeEngine engine([](double depth_m) { return depth_m < 1.5e-3 ? 0.0 : 4e5; });
  EXPECT_THAT([&] { pressed_under(engine, 0, 0.4, pad()); },
              ThrowsMessage<std::runtime_error>(HasSubstr("no depth carries 0.4 N, 30 tried")));
}

TEST(MujocoRest, WhatIsNeverMetIsRefusedByItsDepth) {
  HandMadeEngine engine([](double) { return 0.0; });
  EXPECT_THAT([&] { pressed_under(engine, 0, 0.4, pad()); },
              ThrowsMessage<std::runtime_error>(HasSubstr("0.4 N are not carried 20 mm deep")));
}

}  // namespace
}  // namespace tactelier
