// Draws of a model against the mean, spread and correlation that were put in by hand.
#include "app/workflow/draw_model.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/reports/export/mujoco_models.hpp"

namespace tactelier {
namespace {

using namespace testing_models;
using testing::HasSubstr;

Parameter known(double value, const char* unit, double std) {
  auto parameter = identified(value, unit);
  parameter.std = std;
  parameter.from = "stiffness";
  return parameter;
}

/// k and its damping go together with a correlation of 0.9.
SensorModel uncertain_model() {
  auto model = mujoco_model();
  model.stiffness.k = known(58.5, "N/m", 1.2);
  model.damping.c_n = known(0.0583, "N*s/m", 0.004);
  model.damping.at.scope = "tactel";
  model.covariance = {{{"stiffness.k", "stiffness.k_punch", "damping.c_n"},
                       {1.44, 0, 1, 0.9 * 1.2 * 0.004, 0, 1.6e-5}}};
  return model;
}

std::vector<SensorModel> draws(const SensorModel& model, int count, std::uint64_t seed = 1) {
  RandomSource random(seed);
  std::vector<SensorModel> drawn;
  for (int i = 1; i <= count; ++i) {
    auto one = redrawn_model(model, i, fmt::format("draw {} of {}", i, count), random);
    EXPECT_TRUE(one) << one.error().message;
    drawn.push_back(std::move(*one));
  }
  return drawn;
}

TEST(DrawModel, FollowsTheJointCovariance) {
  double k = 0, c = 0, kk = 0, cc = 0, kc = 0;
  constexpr int kCount = 4000;
  for (const auto& model : draws(uncertain_model(), kCount)) {
    const double dk = *model.stiffness.k.value - 58.5, dc = *model.damping.c_n.value - 0.0583;
    k += dk / kCount, c += dc / kCount;
    kk += dk * dk / kCount, cc += dc * dc / kCount, kc += dk * dc / kCount;
  }
  // Standard errors of what comes out: of a mean 1.6 %, of a spread 1.1 % of it.
  EXPECT_NEAR(k, 0, 5 * 1.2 * 0.016);
  EXPECT_NEAR(c, 0, 5 * 0.004 * 0.016);
  EXPECT_NEAR(std::sqrt(kk), 1.2, 0.06 * 1.2);
  EXPECT_NEAR(std::sqrt(cc), 0.004, 0.06 * 0.004);
  EXPECT_NEAR(kc / std::sqrt(kk * cc), 0.9, 0.02);
}

TEST(DrawModel, SaysOfEachDrawWhichItIs) {
  const auto drawn = draws(uncertain_model(), 3)[1];
  EXPECT_EQ(drawn.serial, "A-7 draw 2");
  EXPECT_EQ(drawn.stiffness.k.from, "stiffness, draw 2 of 3");
  EXPECT_THAT(drawn.provenance.options.at("draw"), HasSubstr("draw 2 of 3, from the model with"));
  EXPECT_EQ(drawn.friction.mu_d, uncertain_model().friction.mu_d);  // assumed
}

TEST(DrawModel, IsTheSameForTheSameSeed) {
  const auto k = [](std::uint64_t seed) {
    return *draws(uncertain_model(), 2, seed)[1].stiffness.k.value;
  };
  EXPECT_EQ(k(7), k(7));
  EXPECT_NE(k(7), k(8));
}

TEST(DrawModel, KeepsSigns) {
  auto model = uncertain_model();
  model.response.tactels[0].threshold = known(0.01, "N", 0.03);
  model.response.tactels[1].offset = known(-5, "counts", 8);
  for (const auto& drawn : draws(model, 200)) {
    EXPECT_GT(*drawn.response.tactels[0].threshold.value, 0);
    EXPECT_LT(*drawn.response.tactels[1].offset.value, 0);
  }
}

TEST(DrawModel, FrictionOfATactelFollowsThatOfTheContact) {
  auto model = uncertain_model();
  auto& friction = model.friction;
  friction.contact.mu_s = known(0.45, "", 0.05);
  friction.contact.mu_d = known(0.42, "", 0.05);
  friction.contact.sigma0 = known(9000, "N/m", 500);
  friction.mu_s = known(0.45, "", 0.05);
  friction.mu_d = known(0.42, "", 0.05);
  friction.sigma0 = known(1000, "N/m", 60);
  double spread = 0;
  for (const auto& drawn : draws(model, 200)) {
    const auto& of = drawn.friction;
    EXPECT_DOUBLE_EQ(*of.mu_s.value, *of.contact.mu_s.value);
    EXPECT_NEAR(*of.sigma0.value, *of.contact.sigma0.value / 9, 1e-9);
    EXPECT_GE(*of.mu_s.value, *of.mu_d.value);
    spread = std::max(spread, std::abs(*of.sigma0.value - 1000));
  }
  EXPECT_GT(spread, 50);
}

TEST(DrawModel, RefusesWhatCannotBeDrawn) {
  RandomSource random(1);
  const auto sure = redrawn_model(mujoco_model(), 1, "draw", random);
  ASSERT_FALSE(sure);
  EXPECT_EQ(sure.error().code, ErrorCode::kUnidentifiable);
  auto broken = uncertain_model();
  broken.covariance[0].lower.pop_back();
  EXPECT_EQ(redrawn_model(broken, 1, "draw", random).error().code, ErrorCode::kInvalidInput);
  auto none = uncertain_model();
  none.covariance[0].lower[3] = 2 * 1.2 * 0.004;  // a correlation of 2
  EXPECT_THAT(redrawn_model(none, 1, "draw", random).error().message, HasSubstr("it is none"));
}

}  // namespace
}  // namespace tactelier
