// What presses are believed to tell, against a regression of all their rows that is written out
// here: no closed sums, derivatives by differences, one large matrix.

#include "fitting/adaptive/press_information.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "fitting/adaptive/press_choice.hpp"

namespace tactelier::adaptive {
namespace {

constexpr double kPitch_m = 4e-3;

/// 3 x 2 square cells.
SensorDescription small_sensor() {
  return parse_sensor(R"({"format": "tactelier/sensor", "version": 1, "vendor": "none",
                          "model": "small", "rows": 3, "columns": 2, "pitch_x_mm": 4.0,
                          "pitch_y_mm": 4.0, "channels": 1,
                          "adc": {"bits": 12, "min": 0, "max": 4095}, "rate_hz": 400,
                          "thickness_mm": null, "max_force_N": null, "max_pressure_MPa": null,
                          "falling": false, "source": "none"})",
                      "small", false)
      .value();
}

Indenter pin() {
  Indenter tip;
  tip.shape = IndenterShape::kCylinder;
  tip.diameter_m = 1e-3;
  return tip;
}

PressBeliefs beliefs() {
  PressBeliefs beliefs;
  for (int t = 0; t < 6; ++t) {
    beliefs.slope_counts_per_N.push_back(4000 + 300 * t);
    beliefs.threshold_N.push_back(0.05 + 0.01 * t);
  }
  beliefs.sigma_m = 1.7e-3;
  beliefs.k_N_per_m = 2000;
  beliefs.saturation_N = 3;
  beliefs.noise_counts = 6;
  beliefs.force_noise_N = 0;
  beliefs.tactile_rate_hz = 400;
  beliefs.stiffness_scatter = 0.02;
  return beliefs;
}

/// Mean of the Gaussian over the cell around `at`, by its two error functions; the pin's own width
/// is a second moment (r^2/4) beside the spread.
double share(double x_m, double y_m, const std::array<double, 3>& at, double sigma_m) {
  const double s = std::sqrt(2 * (sigma_m * sigma_m + 0.25e-6 / 4));
  const auto along = [&](double d) {
    return (std::erf((d + kPitch_m / 2) / s) - std::erf((d - kPitch_m / 2) / s)) / 2;
  };
  return along(at[0] - x_m) * along(at[1] - y_m);
}

std::array<double, 2> middle(const SensorDescription& sensor) {
  std::array<double, 2> sum{};
  for (int t = 0; t < 6; ++t)
    for (std::size_t axis = 0; axis < 2; ++axis) sum[axis] += sensor.position_m(t)[axis] / 6;
  return sum;
}

constexpr Eigen::Index kParameters = 17;

/// ln slope, ln threshold by tactel, ln sigma, shift x, shift y, turn, part of the others in the
/// same row or column.
double reading(const Eigen::VectorXd& p, const SensorDescription& sensor, int tactel,
               const PressThought& press, double force_N) {
  const auto centre = middle(sensor);
  const double x_m = press.x_m + p[13] - p[15] * (press.y_m - centre[1]);
  const double y_m = press.y_m + p[14] + p[15] * (press.x_m - centre[0]);
  const auto own = sensor.position_m(tactel);
  double w = share(x_m, y_m, own, std::exp(p[12]));
  for (int t = 0; t < 6; ++t) {
    const auto at = sensor.position_m(t);
    const bool line = std::abs(at[0] - own[0]) < 1e-6 || std::abs(at[1] - own[1]) < 1e-6;
    if (t != tactel && line) w += p[16] * share(x_m, y_m, at, std::exp(p[12]));
  }
  return std::max(0.0, std::exp(p[2 * tactel]) * (w * force_N - std::exp(p[2 * tactel + 1])));
}

Eigen::MatrixXd regression(const PressBeliefs& b, const SensorDescription& sensor,
                           const std::vector<PressThought>& presses) {
  Eigen::VectorXd at = Eigen::VectorXd::Zero(kParameters);
  for (std::size_t t = 0; t < 6; ++t) {
    at[2 * static_cast<Eigen::Index>(t)] = std::log(b.slope_counts_per_N[t]);
    at[2 * static_cast<Eigen::Index>(t) + 1] = std::log(b.threshold_N[t]);
  }
  at[12] = std::log(b.sigma_m);
  Eigen::VectorXd prior(kParameters);
  for (int t = 0; t < 6; ++t) {
    prior[2 * t] = 0.3;
    prior[2 * t + 1] = 0.5;
  }
  prior.tail(5) << 0.3, 0.2 * kPitch_m, 0.2 * kPitch_m, 0.02, 0.02;
  Eigen::MatrixXd information = prior.cwiseAbs2().cwiseInverse().asDiagonal();
  for (const auto& press : presses) {
    const auto frames = static_cast<int>(press.depth_m / press.speed_m_per_s * b.tactile_rate_hz);
    for (int t = 0; t < 6; ++t) {
      if (reading(at, sensor, t, press, press.force_N) < 5 * b.noise_counts) continue;
      for (int f = 0; f < frames; ++f) {
        const double force_N = press.force_N * (f + 0.5) / frames;
        if (reading(at, sensor, t, press, force_N) <= 0) continue;
        Eigen::VectorXd row(kParameters);
        for (Eigen::Index i = 0; i < kParameters; ++i) {
          const double h = i == 13 || i == 14 ? 1e-8 : 1e-5;
          auto up = at, down = at;
          up[i] += h;
          down[i] -= h;
          row[i] =
              (reading(up, sensor, t, press, force_N) - reading(down, sensor, t, press, force_N)) /
              (2 * h * b.noise_counts);
        }
        information += row * row.transpose();
      }
    }
  }
  return information.inverse();
}

TEST(PressInformation, AgreesWithARegressionOfAllRows) {
  const auto sensor = small_sensor();
  const auto believed = beliefs();
  auto information = PressInformation::create(sensor, pin(), believed).value();
  const auto centre = sensor.position_m(0), other = sensor.position_m(3);
  const std::vector<PressThought> presses{
      {centre[0], centre[1], 0, 2.0, 1e-3, 1e-3},
      {centre[0] + 2e-3, centre[1], std::nullopt, 1.5, 0.75e-3, 1e-3},
      {other[0] - 1e-3, other[1] - 2e-3, std::nullopt, 2.0, 1e-3, 1e-3}};
  for (const auto& press : presses) information.add(press);
  const auto covariance = regression(believed, sensor, presses);
  for (int t = 0; t < 6; ++t) {
    const double expected = std::sqrt(covariance(2 * t, 2 * t));
    EXPECT_NEAR(std::sqrt(information.variance(information.gain_column(t))) / expected, 1, 0.02)
        << "tactel " << t << ", " << expected;
  }
  EXPECT_NEAR(
      std::sqrt(information.variance(information.sigma_column())) / std::sqrt(covariance(12, 12)),
      1, 0.02);
  EXPECT_NEAR(information.variance(information.stiffness_column()), 1 / (1 / 0.25 + 1 / 0.0004),
              1e-9);
}

TEST(PressInformation, WhatAPressWouldLowerIsWhatItLowers) {
  auto believed = beliefs();
  believed.press_scatter = 0.03;
  believed.own_scatter = 0.02;
  believed.place_m = 10e-6;
  const auto sensor = small_sensor();
  auto information = PressInformation::create(sensor, pin(), believed).value();
  const auto at = sensor.position_m(2);
  information.add({at[0], at[1], 2, 2.0, 1e-3, 1e-3});
  const PressThought press{at[0] + 2e-3, at[1] + 2e-3, std::nullopt, 1.0, 0.5e-3, 1e-3};
  const auto says = information.says(press);
  const auto foretold = information.would_lower(says);
  const auto before = information;
  information.add(press);
  for (Eigen::Index i = 0; i <= information.stiffness_column(); ++i)
    EXPECT_NEAR(before.variance(i) - information.variance(i), foretold[i],
                1e-12 + 1e-9 * before.variance(i));
}

/// Ten presses that scatter alike in all their readings say a level no better than ten readings
/// would: 3 % over the root of ten.
TEST(PressInformation, CommonScatterOfAPressIsOneNumberAPress) {
  auto believed = beliefs();
  believed.press_scatter = 0.03;
  const auto sensor = small_sensor();
  auto information = PressInformation::create(sensor, pin(), believed).value();
  const auto at = sensor.position_m(2);
  for (int i = 0; i < 10; ++i) information.add({at[0], at[1], 2, 2.0, 1e-3, 1e-3});
  const double u = std::sqrt(information.variance(information.gain_column(2)));
  EXPECT_GT(u, 0.03 / std::sqrt(10.0));
}

std::vector<Wanted> all_gains(const PressInformation& information, double target) {
  std::vector<Wanted> wanted;
  for (int t = 0; t < information.sensor().tactels(); ++t)
    wanted.push_back({information.gain_column(t), target, 1});
  return wanted;
}

/// 3 % of a whole press and 3 % of each tactel in it.
PressBeliefs scattering(const SensorDescription& sensor) {
  auto believed = press_beliefs(sensor, RigQuality{}, ExpectedSensor{});
  believed.noise_counts = 6;
  believed.tactile_rate_hz = 270;
  believed.press_scatter = believed.own_scatter = 0.03;
  believed.saturation_N = 3;
  return believed;
}

PressRange usual_range(const SensorDescription& sensor) {
  auto range = press_range(sensor, pin(), 3);
  range.speed_m_per_s = 1e-3;
  range.travel_m_per_s = 15e-3;
  range.rest_s = 3;
  return range;
}

TEST(PressChoice, GoesWhereSomethingIsStillWanted) {
  const auto sensor = load_sensor("weiss-wts0614").value();
  const auto believed = scattering(sensor);
  auto information = PressInformation::create(sensor, pin(), believed).value();
  PressChoice choice(usual_range(sensor), 1);
  const std::vector<Wanted> wanted{{information.gain_column(17), 0.01, 1}};
  const auto chosen = choice.batch(information, wanted, {}, 4);
  ASSERT_EQ(chosen.size(), 4U);
  const auto at = sensor.position_m(17);
  // The tactel has to answer; recovering rubber sends presses away in between.
  EXPECT_LT(std::hypot(chosen[0].press.x_m - at[0], chosen[0].press.y_m - at[1]), 3.5e-3);
  EXPECT_EQ(chosen[0].why, "gain of 17");
}

TEST(PressChoice, EveryTenthIsTheAnchorAndRubberRecoversBetweenPresses) {
  const auto sensor = load_sensor("weiss-wts0614").value();
  const auto believed = scattering(sensor);
  auto information = PressInformation::create(sensor, pin(), believed).value();
  const auto range = usual_range(sensor);
  PressChoice choice(range, 1);
  const auto chosen = choice.batch(information, all_gains(information, 0.01), {}, 40);
  ASSERT_EQ(chosen.size(), 40U);
  const double reach_m = 2 * believed.sigma_m + 0.5e-3;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    EXPECT_EQ(chosen[i].why == "anchor", i % 10 == 9) << i;
    if (chosen[i].why == "anchor" || chosen[i].why == "repeat") continue;
    for (std::size_t back = 1; back <= 2 && back <= i; ++back) {
      const auto& before = chosen[i - back].press;
      EXPECT_GE(std::hypot(chosen[i].press.x_m - before.x_m, chosen[i].press.y_m - before.y_m),
                reach_m)
          << i;
    }
  }
}

TEST(PressChoice, RepeatsWhatWasPressedOnceNothingIsWanted) {
  const auto sensor = small_sensor();
  auto information = PressInformation::create(sensor, pin(), beliefs()).value();
  PressChoice choice(usual_range(sensor), 1);
  const auto at = sensor.position_m(0);
  const std::vector<PressThought> before{{at[0], at[1], 0, 2.0, 1e-3, 1e-3}};
  const auto chosen = choice.batch(information, all_gains(information, 0.4), before, 5);
  ASSERT_EQ(chosen.size(), 5U);
  for (const auto& one : chosen) EXPECT_EQ(one.why, "repeat");
}

/// A fifth of the chosen presses are anchors and repeats, which a raster has not.
TEST(PressChoice, NeedsTwoThirdsOfTheRastersPressesAtMost) {
  const auto sensor = load_sensor("weiss-wts0614").value();
  const auto believed = scattering(sensor);
  const auto empty = PressInformation::create(sensor, pin(), believed).value();
  const auto wanted = all_gains(empty, 0.02);
  const auto open = [&](const PressInformation& information) {
    return std::any_of(wanted.begin(), wanted.end(), [&](const Wanted& one) {
      return information.variance(one.column) > one.target * one.target;
    });
  };
  auto chosen = empty;
  PressChoice choice(usual_range(sensor), 1);
  std::vector<PressThought> presses;
  while (open(chosen) && presses.size() < 400)
    for (const auto& one : choice.batch(chosen, wanted, presses, 10)) presses.push_back(one.press);
  auto raster = empty;
  int rastered = 0;
  for (int round = 0; round < 8; ++round)
    for (int t = 0; t < sensor.tactels() && open(raster); ++t, ++rastered) {
      const auto at = sensor.position_m(t);
      const double force_N = 3 * std::pow(0.65, 3 - round % 4);
      raster.add({at[0], at[1], t, force_N, force_N / 2000, 1e-3});
    }
  EXPECT_LT(3 * presses.size(), 2 * static_cast<std::size_t>(rastered));
}

}  // namespace
}  // namespace tactelier::adaptive
