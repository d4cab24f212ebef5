// What a tactel that was pressed once, or hardly more often, may say of its gain.
#include <gtest/gtest.h>

#include <cmath>

#include "fitting/response/response_model.hpp"
#include "fitting/response/response_uncertainty.hpp"
#include "fitting/statistics/quantiles.hpp"
#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

constexpr double kGain = 5e-4;
constexpr double kThreshold_N = 0.1;

SensorDescription two_tactels() {
  SensorDescription sensor;
  sensor.arrays = {SensorArray{1, 2, 3.4e-3, 3.4e-3, {}, {}, {}, {}}};
  return sensor;
}

/// One clean ramp to 1.5 N per press.
TactelFit fit_tactel_pressed(int tactel, int presses) {
  RandomSource random(static_cast<std::uint64_t>(7 + tactel));
  TactelData data;
  data.tactel = tactel;
  for (int p = 0; p < presses; ++p) {
    TactelPress press;
    const auto reading = [&](double force_N) {
      return std::round(50 + std::max(0.0, force_N - kThreshold_N) / kGain + 3 * random.normal());
    };
    for (int i = 0; i < 100; ++i) press.before.push_back(reading(0));
    for (int i = 1; i <= 300; ++i) {
      press.loading.force_N.push_back(1.5 * i / 300);
      press.loading.counts.push_back(reading(1.5 * i / 300));
    }
    press.peak_force_N = 1.5;
    press.period_s = 0.01;
    data.air.push_back(air_window(press.before, 0));
    data.presses.push_back(std::move(press));
  }
  return fit_tactel(data, two_tactels(), {});
}

FitContext context_of(std::vector<TactelFit> fits) {
  FitContext context;
  context.model = empty_model(two_tactels());
  auto settings = report_settings(fits, context.model.sensor);
  context.response_fits = std::make_shared<ResponseFits>(
      ResponseFits{std::move(fits), std::move(settings), StageQuality{}});
  return context;
}

double half_width(const Parameter& parameter) {
  return ((*parameter.ci95)[1] - (*parameter.ci95)[0]) / 2;
}

bool warned(const FitContext& context, std::string_view code) {
  const auto& warnings = context.model.quality.at("response").warnings;
  return std::any_of(warnings.begin(), warnings.end(),
                     [code](const Warning& warning) { return warning.code == code; });
}

TEST(OnePress, WidensByTheQuantileOfTheFewRepeatsThatOthersHave) {
  ReportSettings settings;
  settings.scatter = {0, 0, 1};  // one repeat, which happened to differ by nothing
  const auto found = response_uncertainty(fit_tactel_pressed(0, 1), settings, {});
  EXPECT_EQ(found.gain_dof, 1);
  EXPECT_EQ(found.threshold_dof, 1);
}

TEST(OnePress, TakesTheScatterThatTheJointFitShows) {
  auto context = context_of({fit_tactel_pressed(0, 1), fit_tactel_pressed(1, 1)});
  ASSERT_TRUE(write_response(context));
  EXPECT_TRUE(warned(context, "NO-REPEATS"));
  const auto& tactels = context.model.response.tactels;
  EXPECT_LT(half_width(tactels[0].press_gain), 0.01 * kGain);
  ASSERT_TRUE(add_joint_findings(context, {0.04, 24}));
  // t_0.975(24) = 2.0639
  EXPECT_NEAR(half_width(tactels[0].press_gain) / kGain, 0.04 * 2.0639, 0.002);
  EXPECT_NEAR(half_width(tactels[1].press_threshold) / kThreshold_N, 0.04 * 2.0639, 0.01);
  EXPECT_FALSE(warned(context, "NO-REPEATS"));
  EXPECT_EQ(context.model.covariance.size(), 2u);  // written anew, not once more
}

TEST(OnePress, PoolsOneRepeatWithTheJointFit) {
  auto context = context_of({fit_tactel_pressed(0, 2), fit_tactel_pressed(1, 1)});
  ASSERT_TRUE(write_response(context));
  EXPECT_TRUE(warned(context, "FEW-REPEATS"));
  ASSERT_TRUE(add_joint_findings(context, {0.04, 24}));
  EXPECT_FALSE(warned(context, "FEW-REPEATS"));
  // (1 * ~0 + 24 * 0.04^2) / 25 of variance, t_0.975(25) = 2.0595
  EXPECT_NEAR(half_width(context.model.response.tactels[1].press_gain) / kGain,
              0.04 * std::sqrt(24.0 / 25) * 2.0595, 0.002);
}

TEST(OnePress, KeepsTheScatterOfManyRepeatsToItself) {
  std::vector<TactelFit> fits{fit_tactel_pressed(0, 12), fit_tactel_pressed(1, 1)};
  auto context = context_of(std::move(fits));
  ASSERT_TRUE(write_response(context));
  const double before = half_width(context.model.response.tactels[1].press_gain);
  ASSERT_TRUE(add_joint_findings(context, {0.04, 24}));
  EXPECT_EQ(half_width(context.model.response.tactels[1].press_gain), before);
}

/// Readings answered to 5 mN more than they were told: their lines begin that much too early.
TEST(JointFindings, OfAForceThatWasToldTooLowRaiseThresholdsAndWidenThem) {
  auto context = context_of({fit_tactel_pressed(0, 12), fit_tactel_pressed(1, 12)});
  ASSERT_TRUE(write_response(context));
  const auto before = context.model.response.tactels[1];
  ASSERT_TRUE(add_joint_findings(context, {0, 0, 0.005, 0.002}));
  const auto& after = context.model.response.tactels[1];
  EXPECT_NEAR(*after.press_threshold.value - *before.press_threshold.value, 0.005, 1e-12);
  EXPECT_NEAR(*after.press_threshold.std, std::hypot(*before.press_threshold.std, 0.002), 1e-9);
  EXPECT_EQ(*after.press_gain.value, *before.press_gain.value);
}

TEST(OnePress, ThatRisesClearlyIsNotCalledFlatForWantOfRepeats) {
  auto fit = fit_tactel_pressed(0, 1);
  auto context = context_of({fit, fit_tactel_pressed(1, 1)});
  context.response_fits->settings.scatter = {0.1 * 0.1, 0, 1};  // U = 12.7 * 10 %
  ASSERT_TRUE(write_response(context));
  const auto& gain = context.model.response.tactels[0].press_gain;
  EXPECT_FALSE(gain.value);
  EXPECT_TRUE(gain.reason.starts_with("ID-02")) << gain.reason;
}

}  // namespace
}  // namespace tactelier
