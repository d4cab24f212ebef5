// Truth: oracles/04_rig.json (made with NumPy and SciPy) and hand-made traces.
#include "fitting/recording/contact_point.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fitting/recording/rig_compliance.hpp"
#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

struct OraclePress {
  std::vector<double> travel_m, force_N;
  nlohmann::json expected;

  OraclePress() {
    const auto columns = oracle::csv("04_press.csv");
    for (const double z_mm : columns.at("z_mm")) travel_m.push_back(z_mm * 1e-3);
    force_N = columns.at("F_N");
    expected = oracle::json("04_rig.json")["press"];
  }
};

PlateFit oracle_plate() {
  const auto columns = oracle::csv("04_plate.csv");
  PlatePress press;
  for (const double z_mm : columns.at("z_mm")) press.travel_m.push_back(z_mm * 1e-3);
  press.force_N = columns.at("F_N");
  return *fit_plate(std::array{press});
}

void expect_fit(const ContactFit& fit, const nlohmann::json& expected) {
  EXPECT_NEAR(fit.z0_m * 1e3, expected["z0_mm"].get<double>(), 5e-4);
  EXPECT_NEAR(fit.n, expected["n"].get<double>(), 2e-3);
  const double k = fit.k / std::pow(1e3, fit.n);  // N/m^n -> N/mm^n
  EXPECT_NEAR(k, expected["k"].get<double>(), 2e-3 * k);
  EXPECT_NEAR(fit.cost, expected["cost"].get<double>(), 1e-6);
}

TEST(ContactDetector, FindsTheFirstOfThreeSamplesAboveFiveSigma) {
  const OraclePress press;
  const auto coarse = detect_contact(press.force_N);
  ASSERT_TRUE(coarse) << coarse.error().message;
  const auto& expected = press.expected["threshold"];
  EXPECT_EQ(coarse->index, expected["first_index"].get<std::size_t>());
  EXPECT_NEAR(coarse->mean_N, expected["mean"].get<double>(), 1e-12);
  EXPECT_NEAR(coarse->sd_N, expected["sd"].get<double>(), 1e-12);
  EXPECT_NEAR(coarse->threshold_N, expected["threshold_N"].get<double>(), 1e-12);
}

TEST(ContactDetector, RefusesARecordThatStartsInContact) {
  std::vector<double> force_N(60, 0.0);
  for (std::size_t i = 0; i < force_N.size(); ++i)
    force_N[i] = i < 15 ? (i % 2 == 0 ? 1e-3 : -1e-3) : 0.1 * static_cast<double>(i);
  const auto coarse = detect_contact(force_N);
  ASSERT_FALSE(coarse);
  EXPECT_TRUE(coarse.error().message.starts_with("RC-01")) << coarse.error().message;
}

TEST(ContactDetector, RefusesARampThatBeganBeforeTheRecord) {
  std::vector<double> force_N(500);
  for (std::size_t i = 0; i < force_N.size(); ++i)
    force_N[i] = 0.3 + 0.01 * static_cast<double>(i) + (i % 2 == 0 ? 2e-3 : -2e-3);
  const auto coarse = detect_contact(force_N);
  ASSERT_FALSE(coarse);
  EXPECT_TRUE(coarse.error().message.starts_with("RC-01")) << coarse.error().message;
}

/// 100 samples at rest of 1 mN, 100 under way, a press of 2 mN a sample, and the way out.
std::vector<double> slow_press() {
  std::vector<double> force_N(200);
  for (int i = 0; i < 1000; ++i) force_N.push_back(2e-3 * i);
  for (int i = 1000; i > -200; --i) force_N.push_back(2e-3 * std::max(0, i));
  for (std::size_t i = 0; i < force_N.size(); ++i) force_N[i] += i % 2 == 0 ? 1e-3 : -1e-3;
  return force_N;
}

void expect_touch(const std::vector<double>& force_N, std::size_t from, std::size_t to) {
  const auto coarse = detect_contact(force_N);
  ASSERT_TRUE(coarse) << coarse.error().message;
  EXPECT_GE(coarse->index, from);
  EXPECT_LE(coarse->index, to);
}

/// At 15 of the 1 mN it has at rest, four samples one way and four the other.
TEST(ContactDetector, PassesOverTheNoiseOfMotors) {
  auto force_N = slow_press();
  for (std::size_t i = 100; i < 200; ++i) force_N[i] += i / 4 % 2 == 0 ? 15e-3 : -15e-3;
  expect_touch(force_N, 200, 205);
}

/// Of a third of the peak, dying away.
TEST(ContactDetector, PassesOverAKnockAgainstTheTable) {
  auto force_N = slow_press();
  for (std::size_t i = 100; i < 180; ++i)
    force_N[i] += 0.7 * std::exp(-0.05 * static_cast<double>(i - 100)) *
                  std::sin(0.5 * static_cast<double>(i - 100));
  expect_touch(force_N, 200, 205);
}

/// A load that is taken off again is a touch, however short.
TEST(ContactDetector, TakesAShortPressForATouch) {
  auto force_N = slow_press();
  for (std::size_t i = 100; i < 110; ++i) force_N[i] += 1;
  expect_touch(force_N, 100, 100);
}

TEST(ContactDetector, SaysWhenNothingWasTouched) {
  std::vector<double> force_N(60);
  for (std::size_t i = 0; i < force_N.size(); ++i) force_N[i] = i % 2 == 0 ? 1e-3 : -1e-3;
  const auto coarse = detect_contact(force_N);
  ASSERT_FALSE(coarse);
  EXPECT_TRUE(coarse.error().message.starts_with("NO-CONTACT")) << coarse.error().message;
}

TEST(ContactFit, MatchesTheOracleWithARigidFrame) {
  const OraclePress press;
  const auto fit =
      fit_contact(press.travel_m, press.force_N, {4.60e-3, 4.80e-3, 101}, std::nullopt);
  ASSERT_TRUE(fit) << fit.error().message;
  expect_fit(*fit, press.expected["fit_uncorrected"]);
}

TEST(ContactFit, MatchesTheOracleBehindTheFullPlateModel) {
  const OraclePress press;
  const auto plate = oracle_plate();
  auto travel_m = press.travel_m;
  for (std::size_t i = 0; i < travel_m.size(); ++i)
    travel_m[i] -= plate.compliance.deflection_m(press.force_N[i]);
  const auto fit = fit_contact(travel_m, press.force_N, {4.60e-3, 4.80e-3, 101}, std::nullopt);
  ASSERT_TRUE(fit) << fit.error().message;
  expect_fit(*fit, press.expected["fit_corrected_with_full_plate_model"]);
  // The truth lies within the interval, and the threshold's 20 um do not.
  EXPECT_LT(std::abs(fit->z0_m - 4.700e-3), 2 * fit->u_z0_m);
  EXPECT_LT(fit->u_z0_m, 5e-6);
}

TEST(ContactFit, FindsTheKinkOfAnExactLineToANanometre) {
  std::vector<double> travel_m, force_N;
  for (int i = 0; i < 100; ++i) {
    travel_m.push_back(i * 1e-5);
    force_N.push_back(0.25 + 2000 * std::max(0.0, travel_m.back() - 3.33e-4));
  }
  const auto fit = fit_contact(travel_m, force_N, {2.5e-4, 4.5e-4, 41}, 1.0);
  ASSERT_TRUE(fit) << fit.error().message;
  EXPECT_NEAR(fit->z0_m, 3.33e-4, 1e-9);
  EXPECT_NEAR(fit->k, 2000, 1e-3);
  EXPECT_NEAR(fit->bias_N, 0.25, 1e-8);
}

TEST(ContactFit, RefusesForceThatFallsWithDepth) {
  std::vector<double> travel_m, force_N;
  for (int i = 0; i < 100; ++i) {
    travel_m.push_back(i * 1e-5);
    force_N.push_back(-2000 * std::max(0.0, travel_m.back() - 3.33e-4));
  }
  const auto fit = fit_contact(travel_m, force_N, {2.5e-4, 4.5e-4, 41}, 1.0);
  ASSERT_FALSE(fit);
  EXPECT_TRUE(fit.error().message.starts_with("CV-01")) << fit.error().message;
}

}  // namespace
}  // namespace tactelier
