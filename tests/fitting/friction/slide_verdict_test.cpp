// What may be said of fits made here: how well they fit, and how well the next shape does.
#include "fitting/friction/slide_verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tactelier {
namespace {

using testing::StartsWith;

constexpr double kDof = 10000, kStep_m = 2.5e-6, kU = 1e-3;

SlideFit fit_of(StepShape shape, double chi2_per_dof) {
  SlideFit fit;
  fit.setting.shape = shape;
  fit.values.assign(kSlideShared, 0.0);
  fit.values[kSlideDynamic] = 0.3;
  fit.values[kSlideDrop] = 0.2;
  fit.values[kSlideLogStribeck] = std::log(4e-3);
  fit.values[kSlideViscous] = 0.8;
  fit.dof = kDof;
  fit.chi2 = chi2_per_dof * kDof;
  constexpr auto shared = static_cast<Eigen::Index>(kSlideShared);
  fit.covariance = kU * kU * Eigen::MatrixXd::Identity(shared, shared);
  return fit;
}

SlideResult judged(StepShape shape, double chi2_per_dof, double next_chi2_per_dof = 5) {
  SlideResult result;
  result.fit = fit_of(shape, chi2_per_dof);
  result.others.push_back(fit_of(StepShape::kSmooth, next_chi2_per_dof));
  judge_slides(kStep_m, result);
  return result;
}

double u_static(const SlideFit& fit) {
  return std::hypot(standard_uncertainty(fit, kSlideDynamic),
                    standard_uncertainty(fit, kSlideDrop)) /
         (fit.values[kSlideDynamic] + fit.values[kSlideDrop]);
}

TEST(SlideVerdict, LeavesAGoodFitAsItIs) {
  const auto result = judged(StepShape::kRinging, 1.02);
  EXPECT_EQ(result.no_static, "");
  EXPECT_NEAR(standard_uncertainty(result.fit, kSlideLogStribeck), kU, 1e-9);
}

TEST(SlideVerdict, ReleasesAMotorThatRingsAlmostLikeASpringWithItsError) {
  const auto result = judged(StepShape::kRinging, 1.08);
  EXPECT_EQ(result.no_static, "");
  EXPECT_NEAR(u_static(result.fit), 0.0104, 2e-4);
  EXPECT_NEAR(standard_uncertainty(result.fit, kSlideLogStribeck), 0.06, 1e-4);
}

TEST(SlideVerdict, RefusesStaticFrictionWhereShapesAreNotToldApart) {
  EXPECT_THAT(judged(StepShape::kRinging, 1.08, 1.12).no_static, StartsWith("FR-STEPS"));
  EXPECT_THAT(judged(StepShape::kJump, 1.08).no_static, StartsWith("FR-STEPS"));
  EXPECT_THAT(judged(StepShape::kRinging, 1.3).no_static, StartsWith("FR-STEPS"));
}

// By four times what chi2 is beyond 1.1.
TEST(SlideVerdict, WidensWhatDoesNotFollowTheModel) {
  const auto u_viscous = [](double chi2_per_dof) {
    return standard_uncertainty(judged(StepShape::kRinging, chi2_per_dof).fit, kSlideViscous);
  };
  EXPECT_NEAR(u_viscous(1.3), 1.8 * kU, 1e-6);
  EXPECT_NEAR(u_viscous(2), 4.6 * kU, 1e-6);
}

// A first-order filter of 3 ms lets through 53 Hz; force sensors filter above that.
TEST(SlideVerdict, RefusesDampingBehindAFilterThatNoForceSensorHas) {
  SlideResult result;
  result.fit = fit_of(StepShape::kRinging, 1.02);
  result.others.push_back(fit_of(StepShape::kSmooth, 5));
  result.fit.values[kSlideLag] = -2.9e-3;
  judge_slides(kStep_m, result);
  EXPECT_EQ(result.no_damping, "");
  result.fit.values[kSlideLag] = -4.9e-3;
  judge_slides(kStep_m, result);
  EXPECT_THAT(result.no_damping, StartsWith("FR-LAG"));
  EXPECT_EQ(result.no_static, "");
}

TEST(SlideVerdict, RefusesAllWhereNothingFollowsTheModel) {
  EXPECT_THAT(judged(StepShape::kRinging, 3.5).why_not, StartsWith("ID-07"));
}

}  // namespace
}  // namespace tactelier
