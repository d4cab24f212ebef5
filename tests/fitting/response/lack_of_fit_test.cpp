// Lines through readings that are none: widened until forces left out agree, and 400 sensors each
// hold a plain regression's gain in 91 to 98 % (or more, or are refused, where the law is another).
#include "fitting/response/lack_of_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "fitting/response/response_report.hpp"
#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

using Law = std::function<double(double)>;  // counts at a force in N

constexpr int kSensors = 400;
constexpr double kPeak_N = 2;

struct Setup {
  Law law;
  int presses = 1;
  double scatter = 0;
  double lowest = -1e9, highest = 1e9;
  bool at_rest = false;
  double noise = 3;
  int weights = 0;  // as many levels instead of a ramp, each put down with a scatter of its own
};

SensorDescription one_tactel() {
  SensorDescription sensor;
  sensor.arrays = {SensorArray{1, 1, 3.4e-3, 3.4e-3, {}, {}, {}, {}}};
  return sensor;
}

struct Sensor {
  TactelFit fit;
  TactelResponse response;
  double regression = 0;  // N/count, rows that are neither cut nor in free air
};

Sensor press(const Setup& setup, std::uint64_t seed) {
  RandomSource random(seed);
  TactelData data;
  const int samples = setup.at_rest ? 50 : 200;
  double n = 0, mf = 0, mc = 0, sff = 0, sfc = 0;
  for (int p = 0; p < setup.presses; ++p) {
    double factor = 1 + setup.scatter * random.normal();
    const auto reading = [&](double force_N) {
      const double counts = setup.law(factor * force_N) + setup.noise * random.normal();
      return std::round(std::clamp(counts, setup.lowest, setup.highest));
    };
    TactelPress one;
    one.static_readings = setup.at_rest;
    for (int i = 0; i < 100 && !setup.at_rest; ++i) one.before.push_back(reading(0));
    for (int i = 1; i <= samples; ++i) {
      double force_N = kPeak_N * i / samples;
      if (setup.weights > 0) {
        const int level = 1 + (i - 1) * setup.weights / samples;
        force_N = kPeak_N * level / setup.weights;
        if (level != 1 + (i - 2) * setup.weights / samples)
          factor = 1 + setup.scatter * random.normal();
      }
      const double counts = reading(force_N);
      one.loading.force_N.push_back(force_N);
      one.loading.counts.push_back(counts);
      if (counts <= setup.lowest || counts >= setup.highest) continue;
      n += 1;
      const double df = force_N - mf;
      mf += df / n;
      mc += (counts - mc) / n;
      sff += df * (force_N - mf);
      sfc += df * (counts - mc);
    }
    one.peak_force_N = kPeak_N;
    one.sigma_force_N = setup.at_rest ? 0 : 1e-6;
    one.period_s = 0.01;
    if (!setup.at_rest) data.air.push_back(air_window(one.before, 0));
    data.presses.push_back(std::move(one));
  }
  const auto sensor = one_tactel();
  Sensor result;
  result.fit = fit_tactel(data, sensor, {});
  auto settings = report_settings(std::array{result.fit}, sensor);
  settings.bootstrap_resamples = 200;
  result.response = report_tactel(result.fit, settings, {}).response;
  result.regression = sff / sfc;
  return result;
}

struct Count {
  int held = 0, refused = 0;
  double half_width = 0;  // relative, mean
};

/// `truth`: N/count, or each sensor's own regression.
Count count(const Setup& setup, std::optional<double> truth) {
  Count result;
  for (int i = 0; i < kSensors; ++i) {
    const auto sensor = press(setup, 5000 + static_cast<std::uint64_t>(i));
    const auto& gain = sensor.response.press_gain;
    if (!gain.ci95) {
      ++result.refused;
      continue;
    }
    const auto [low, high] = *gain.ci95;
    const double wanted = truth.value_or(sensor.regression);
    result.held += low <= wanted && wanted <= high ? 1 : 0;
    result.half_width += (high - low) / 2 / *gain.value / kSensors;
  }
  return result;
}

double line(double force_N) { return 100 + 1000 * force_N; }

void expect_honest(const Count& count) {
  EXPECT_EQ(count.refused, 0);
  EXPECT_GE(count.held, 0.91 * kSensors);
  EXPECT_LE(count.held, 0.98 * kSensors);
}

TEST(GainCoverage, OfAStraightSensorWithAFloorAtRest) {
  expect_honest(count({line, 1, 0, 540, 1e9, true}, 1e-3));
}

TEST(GainCoverage, OfAStraightSensorWithACeilingAtRest) {
  expect_honest(count({line, 1, 0, -1e9, 1600, true}, 1e-3));
}

TEST(GainCoverage, OfAStraightSensorPressedOnce) { expect_honest(count({line, 1}, 1e-3)); }

TEST(GainCoverage, OfAStraightSensorPressedFiveTimes) {
  expect_honest(count({line, 5, 0.02}, 1e-3));
}

TEST(GainCoverage, OfAStraightSensorUnderFewWeights) {
  struct Setup setup{line, 4, 0.005};
  setup.noise = 1.5;
  setup.weights = 3;
  const auto found = count(setup, 1e-3);
  expect_honest(found);
  EXPECT_LT(found.half_width, 0.012);
}

void expect_held_or_refused(const Count& count) {
  EXPECT_GE(count.held + count.refused, 0.91 * kSensors)
      << count.held << " held, " << count.refused << " refused, +- " << count.half_width;
}

TEST(GainCoverage, OfOtherLawsHoldsTheRegressionOrIsRefused) {
  const Law power = [](double f) { return 100 + 800 * std::pow(std::max(f, 0.0), 0.6); };
  const Law conductance = [](double f) { return 100 + 4000 * f / (f + 1); };
  const Law steepening = [](double f) { return 100 + 500 * f * f; };
  const Law bent = [](double f) { return 100 + 1000 * f - 60 * f * f; };
  for (const auto& law : {power, conductance, steepening, bent})
    for (const bool at_rest : {true, false})
      for (const int presses : {1, 5}) {
        SCOPED_TRACE(
            fmt::format("{} counts at 1 N, at rest {}, presses {}", law(1), at_rest, presses));
        expect_held_or_refused(
            count({law, presses, presses > 1 ? 0.01 : 0, -1e9, 1e9, at_rest}, std::nullopt));
      }
}

TEST(LackOfFit, LeavesAStraightLineAlone) {
  int widened = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const auto sensor = press({line, 1}, seed);
    widened += lack_of_fit(sensor.fit.errors, false, 1).there() ? 1 : 0;
  }
  EXPECT_LE(widened, 2);
}

TEST(LackOfFit, WidensUntilForcesLeftOutAgree) {
  const auto sensor = press({[](double f) { return 100 + 1000 * f - 60 * f * f; }, 1}, 3);
  const auto lack = lack_of_fit(sensor.fit.errors, false, 1);
  ASSERT_TRUE(lack.there());
  EXPECT_GT(lack.chi2_per_dof, 5);
  double chi2 = 0, n = 0;
  for (const auto& bin : sensor.fit.errors.presses[0]) {
    const Eigen::Vector2d x(1, bin.rise);
    const double noise = std::pow(sensor.fit.errors.noise_N, 2) / bin.readings;
    chi2 += std::pow(bin.error_N, 2) / (noise + x.dot(lack.covariance * x));
    ++n;
  }
  EXPECT_LT(chi2, n);
  EXPECT_GT(chi2, 0.3 * n);
}

TEST(LackOfFit, MissesAreCountedAgainstChance) {
  EXPECT_EQ(improbable_misses(20), 6);  // p = 3.3e-4; five: 2.6e-3
  EXPECT_EQ(improbable_misses(10), 5);
  EXPECT_EQ(improbable_misses(5), 4);
  EXPECT_EQ(improbable_misses(3), 3);
  EXPECT_GT(improbable_misses(2), 2);  // two of two happen once in 400
}

TEST(LackOfFit, PressesOfTwoKindsMissEachOther) {
  const auto sensor = press({line, 10, 0.01}, 4);
  const Eigen::Matrix2d tight = Eigen::Matrix2d::Identity() * 1e-18;
  EXPECT_GE(missed_presses(sensor.fit.errors, {}, tight), improbable_misses(10));
  const Eigen::Matrix2d honest{{0, 0}, {0, std::pow(0.012e-3, 2)}};
  EXPECT_LT(missed_presses(sensor.fit.errors, {}, honest), improbable_misses(10));
}

TEST(LackOfFit, ALineWorseThanALevelIsRefused) {
  const auto sensor = press({[](double f) { return 100 + 3000 * (1 - std::exp(-30 * f)); }, 3}, 5);
  const auto& gain = sensor.response.press_gain;
  EXPECT_FALSE(gain.value);
  EXPECT_TRUE(gain.reason.starts_with("RS-07") || gain.reason.starts_with("ID-02")) << gain.reason;
}

}  // namespace
}  // namespace tactelier
