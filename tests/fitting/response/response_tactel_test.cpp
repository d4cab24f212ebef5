// One tactel from its presses: limits found in the data, refusals, and a real table of readings at
// rest (data/examples/fluid-taxel; slopes as the issue states them).
#include "fitting/response/response_tactel.hpp"

#include <gtest/gtest.h>

#include "fitting/response/response_uncertainty.hpp"

#include <cmath>

#include "fitting/response/response_report.hpp"
#include "fitting/statistics/random.hpp"
#include "tests/fitting/statistics/oracle_files.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier {
namespace {

SensorDescription one_tactel() {
  SensorDescription sensor;
  sensor.arrays = {SensorArray{1, 1, 3.4e-3, 3.4e-3, {}, {}, {}, {}}};
  return sensor;
}

struct Truth {
  double offset = 50, threshold_N = 0.1, gain = 5e-4, noise = 3;
  double clip_before_noise = 1e9;  // ceiling with noise on top
  double clip_after_noise = 1e9;   // converter's end
  double peak_N = 1.5;
  int samples = 300;
};

TactelPress ramp(const Truth& truth, RandomSource& random) {
  TactelPress press;
  const auto reading = [&](double force_N) {
    const double line = truth.offset + std::max(0.0, force_N - truth.threshold_N) / truth.gain;
    const double noisy =
        std::round(std::min(line, truth.clip_before_noise) + truth.noise * random.normal());
    return std::min(noisy, truth.clip_after_noise);
  };
  for (int i = 0; i < 100; ++i) press.before.push_back(reading(0));
  for (int i = 0; i < truth.samples; ++i) {
    const double force_N = truth.peak_N * (i + 1) / truth.samples;
    press.loading.force_N.push_back(force_N);
    press.loading.counts.push_back(reading(force_N));
  }
  press.peak_force_N = truth.peak_N;
  press.sigma_force_N = 1e-6;
  press.period_s = 0.01;
  press.force_rate_N_per_s = 0.5;
  return press;
}

TactelFit fit_one(const Truth& truth, const SensorDescription& sensor = one_tactel()) {
  RandomSource random(3);
  TactelData data;
  data.presses = {ramp(truth, random)};
  data.air = {air_window(data.presses[0].before, 0)};
  return fit_tactel(data, sensor, {});
}

TactelResponse report_one(const TactelFit& fit, const SensorDescription& sensor) {
  return report_tactel(fit, report_settings(std::array{fit}, sensor), {}).response;
}

TEST(ReadingLimits, FindACeilingThatCutsTheNoiseOff) {
  Truth truth;
  truth.clip_after_noise = 2000;
  const auto fit = fit_one(truth);
  EXPECT_EQ(fit.limits.ceiling, Clip::kCensored);
  EXPECT_EQ(fit.limits.saturation.value, 2000);
  EXPECT_NEAR(fit.fit.gain_N_per_count, 5e-4, 3e-6);
}

TEST(ReadingLimits, FindACeilingWithTheNoiseStillOnIt) {
  Truth truth;
  truth.clip_before_noise = 2000;
  const auto fit = fit_one(truth);
  EXPECT_EQ(fit.limits.ceiling, Clip::kVisible);
  EXPECT_NEAR(fit.limits.saturation.value, 2000, 2);
  EXPECT_NEAR(fit.fit.gain_N_per_count, 5e-4, 3e-6);
}

TEST(ReadingLimits, InventNoCeilingOnAStraightLine) {
  const auto fit = fit_one({});
  EXPECT_EQ(fit.limits.ceiling, Clip::kNone);
  EXPECT_EQ(fit.limits.floor, Clip::kVisible);
  const auto response = report_one(fit, one_tactel());
  EXPECT_TRUE(response.saturation.reason.starts_with("RS-05"));
}

TEST(ReadingLimits, TakeARestAtTheTopUnderANoisyForceForNoCeiling) {
  constexpr double kForceNoise_N = 0.02;  // 40 counts
  Truth truth;
  RandomSource random(3);
  TactelData data;
  data.presses = {ramp(truth, random)};
  auto& press = data.presses[0];
  press.sigma_force_N = kForceNoise_N;
  for (double& force_N : press.loading.force_N) force_N += kForceNoise_N * random.normal();
  for (int i = 0; i < 60; ++i) {
    press.loading.force_N.push_back(truth.peak_N + kForceNoise_N * random.normal());
    press.loading.counts.push_back(
        std::round(50 + (truth.peak_N - truth.threshold_N) / truth.gain + 3 * random.normal()));
  }
  data.air = {air_window(press.before, 0)};
  const auto fit = fit_tactel(data, one_tactel(), {});
  EXPECT_EQ(fit.limits.ceiling, Clip::kNone);
}

/// Two presses, the second with a gain larger by `difference`.
TactelFit fit_two(double difference) {
  RandomSource random(3);
  TactelData data;
  Truth truth;
  data.presses = {ramp(truth, random)};
  truth.gain *= 1 + difference;
  data.presses.push_back(ramp(truth, random));
  data.air = {air_window(data.presses[0].before, 0)};
  return fit_tactel(data, one_tactel(), {});
}

TEST(TwoPresses, ScatterAsThoseOfAllTactelsDo) {
  ReportSettings settings;
  settings.scatter = {0.04 * 0.04, 1e-6, 30};            // 4 % between presses
  for (const double difference : {0.001, 0.04, 0.08}) {  // whatever these two happen to do
    const auto found = response_uncertainty(fit_two(difference), settings, {});
    EXPECT_NEAR(std::sqrt(found.covariance(1, 1)) / 5e-4, 0.04 / std::sqrt(2.0), 0.002);
    EXPECT_EQ(found.gain_dof, 30);
  }
}

TEST(TwoPresses, ThatScatterFarMoreThanOthersSpeakForThemselves) {
  ReportSettings settings;
  settings.scatter = {0.01 * 0.01, 1e-6, 30};
  EXPECT_EQ(response_uncertainty(fit_two(0.2), settings, {}).gain_dof, 1);
}

TEST(PooledScatter, IsNotHiddenByATactelThatKnowsNothing) {
  std::vector<TactelFit> fits{fit_two(0.03), fit_two(0.05), fit_two(-0.04), fit_two(-0.04)};
  const double before = pool_scatter(fits).gain_relative;
  EXPECT_NEAR(std::sqrt(before), 0.04 / std::sqrt(2.0), 0.004);  // sd of two that differ by 4 %
  for (auto& press : fits.back().fit.presses) {  // same steps, known a thousand times worse
    press.information *= 1e-3;
    press.score *= 1e-3;
  }
  EXPECT_NEAR(pool_scatter(fits).gain_relative / before, 1, 0.2);
}

TEST(ReadingLimits, TakeTheStepForTheNoiseOfAQuietTactel) {
  Truth truth;
  truth.noise = 0;
  truth.samples = 301;  // 9.97 counts from one to the next: rounded, their step shows
  const auto fit = fit_one(truth);
  EXPECT_NEAR(fit.limits.noise, 1 / std::sqrt(12.0), 1e-12);
}

TEST(ReadingLimits, OfAFallingSensorWithoutAConverterDoNotTakeItsFullLoadForRest) {
  auto sensor = one_tactel();
  sensor.falling = true;
  TactelPress press;
  for (int i = 1; i <= 300; ++i) {  // 3000 ohms less 2000 per newton, none left from 1.5 N on
    press.loading.force_N.push_back(2.0 * i / 300);
    press.loading.counts.push_back(std::min(0.0, std::round(-3000 + 2000 * 2.0 * i / 300)));
  }
  press.peak_force_N = 2;
  const auto limits = find_limits({}, std::array{press}, sensor);
  EXPECT_EQ(limits.floor, Clip::kNone);
  EXPECT_EQ(limits.ceiling, Clip::kCensored);
  EXPECT_NEAR(limits.saturation_force_N, 1.5, 0.01);
}

TEST(TactelFit, IsNotMovedByAFewWildReadings) {
  RandomSource random(3);
  TactelData data;
  data.presses = {ramp({}, random)};
  data.air = {air_window(data.presses[0].before, 0)};
  const auto clean = fit_tactel(data, one_tactel(), {});
  for (const std::size_t row : {60u, 61u, 120u, 200u, 280u})
    data.presses[0].loading.counts[row] += 1500;
  const auto spiked = fit_tactel(data, one_tactel(), {});
  EXPECT_EQ(spiked.spikes, 5);
  EXPECT_NEAR(spiked.fit.gain_N_per_count, clean.fit.gain_N_per_count, 2e-4 * 5e-4);
  EXPECT_LT(spiked.downweighted, 10);  // of 300 normal ones 0.7 % lie so far out
}

TEST(TactelFit, KeepsAStretchThatTheLineDoesNotDescribe) {
  RandomSource random(3);
  TactelData data;
  data.presses = {ramp({}, random)};
  data.air = {air_window(data.presses[0].before, 0)};
  for (std::size_t row = 150; row < 160; ++row) data.presses[0].loading.counts[row] += 300;
  EXPECT_EQ(fit_tactel(data, one_tactel(), {}).spikes, 0);
}

TEST(TactelFit, RefusesAHandfulOfSamplesOnTheLine) {
  Truth truth;
  truth.samples = 8;
  truth.threshold_N = 0.5;
  const auto fit = fit_one(truth);
  EXPECT_EQ(fit.outcome, TactelFit::Outcome::kRefused);
  EXPECT_TRUE(fit.refusal.starts_with("RS-02")) << fit.refusal;
}

TEST(TactelFit, RefusesForcesThatHardlyPassTheTrigger) {
  Truth truth;
  truth.threshold_N = 0.6;  // 1.5 N is 2.5 thresholds
  const auto fit = fit_one(truth);
  EXPECT_TRUE(fit.refusal.starts_with("RS-04")) << fit.refusal;
}

TEST(TactelFit, SaysThatATactelIsSaturatedFromTheStart) {
  Truth truth;
  truth.gain = 1e-9;
  truth.threshold_N = 0;
  truth.clip_after_noise = 4095;
  auto sensor = one_tactel();
  sensor.adc = {12, 0, 4095};
  const auto fit = fit_one(truth, sensor);
  EXPECT_TRUE(fit.refusal.starts_with("RS-05")) << fit.refusal;
  const auto response = report_one(fit, sensor);
  EXPECT_FALSE(response.press_gain.value);
  EXPECT_EQ(*response.saturation.value, 4095);
}

TEST(TactelFit, CallsNoTactelDeadThatAnswersBehindThePeakOfTheForce) {
  Truth truth;
  truth.gain = 1e9;  // not while the force rises
  RandomSource random(3);
  TactelData data;
  data.presses = {ramp(truth, random)};
  data.air = {air_window(data.presses[0].before, 0)};
  data.presses[0].unloading_force_N.assign(20, 5.0);
  data.presses[0].unloading_counts.assign(20, data.presses[0].before.front());
  EXPECT_EQ(fit_tactel(data, one_tactel(), {}).outcome, TactelFit::Outcome::kSilent);
  for (auto& counts : data.presses[0].unloading_counts) counts += 1000;
  const auto late = fit_tactel(data, one_tactel(), {});
  EXPECT_EQ(late.outcome, TactelFit::Outcome::kRefused);
  EXPECT_TRUE(late.refusal.starts_with("RS-02")) << late.refusal;
}

TEST(TactelFit, CallsNoTactelDeadWhoseForceWasHardlyRecorded) {
  Truth truth;
  truth.gain = 1e9;  // never answers
  RandomSource random(3);
  TactelData data;
  data.presses = {ramp(truth, random)};
  data.air = {air_window(data.presses[0].before, 0)};
  EXPECT_EQ(fit_tactel(data, one_tactel(), {}).outcome, TactelFit::Outcome::kSilent);
  data.presses[0].rows_left_out = 1000;  // beside 300
  const auto fit = fit_tactel(data, one_tactel(), {});
  EXPECT_EQ(fit.outcome, TactelFit::Outcome::kRefused);
  EXPECT_TRUE(fit.refusal.starts_with("RS-02")) << fit.refusal;
}

TEST(TactelFit, RefusesReadingsThatFallUnderLoad) {
  Truth truth;
  truth.offset = 3500;
  RandomSource random(3);
  TactelData data;
  data.presses = {ramp(truth, random)};
  auto& press = data.presses[0];
  for (std::size_t i = 0; i < press.loading.counts.size(); ++i)
    press.loading.counts[i] = 3500 + 40 * (i < 20 ? 1 : 0) - press.loading.force_N[i] * 1000;
  data.air = {air_window(press.before, 0)};
  const auto fit = fit_tactel(data, one_tactel(), {});
  EXPECT_TRUE(fit.refusal.starts_with("RS-03")) << fit.refusal;
}

TEST(TactelReport, SeesNoThresholdAtZeroAndKeepsTheGain) {
  Truth truth;
  truth.threshold_N = -0.05;  // answers before it is touched: the offset drifted
  RandomSource random(3);
  TactelData data;
  data.presses = {ramp(truth, random)};
  for (double& c : data.presses[0].before) c = 50;
  data.air = {air_window(data.presses[0].before, 0)};
  const auto sensor = one_tactel();
  const auto response = report_one(fit_tactel(data, sensor, {}), sensor);
  EXPECT_EQ(response.press_threshold.status, Status::kNotSeen) << response.press_threshold.reason;
  EXPECT_EQ(response.press_threshold.value, 0.0);
  EXPECT_TRUE(response.press_gain.identified()) << response.press_gain.reason;
}

TEST(TactelReport, AddsTheForceSensorsCertificateToUTotal) {
  const auto sensor = one_tactel();
  const auto fit = fit_one({});
  auto settings = report_settings(std::array{fit}, sensor);
  settings.gain_u_percent = 1;
  const auto gain = report_tactel(fit, settings, {}).response.press_gain;
  ASSERT_TRUE(gain.identified());
  EXPECT_GT(*gain.u_total, 1.96 * 0.01 * *gain.value);
  EXPECT_LT(*gain.u_total, 1.3 * 1.96 * 0.01 * *gain.value);
}

TEST(PressScatter, IsPooledOverTactelsAndWidensASinglePress) {
  RandomSource random(8);
  const auto sensor = one_tactel();
  std::vector<TactelFit> fits;
  for (int tactel = 0; tactel < 11; ++tactel) {
    TactelData data;
    data.tactel = tactel;
    for (int press = 0; press < (tactel < 10 ? 5 : 1); ++press) {
      Truth truth;
      truth.gain = 5e-4 * (1 + 0.03 * random.normal());
      data.presses.push_back(ramp(truth, random));
      data.air.push_back(air_window(data.presses.back().before, 0));
    }
    fits.push_back(fit_tactel(data, sensor, {}));
  }
  const auto settings = report_settings(fits, sensor);
  EXPECT_EQ(settings.scatter.dof, 40);
  EXPECT_NEAR(std::sqrt(settings.scatter.gain_relative), 0.03, 0.01);
  const auto gain = report_tactel(fits.back(), settings, {}).response.press_gain;
  ASSERT_TRUE(gain.identified());
  EXPECT_NEAR(*gain.std / *gain.value, std::sqrt(settings.scatter.gain_relative), 3e-3);
}

TEST(ReadingsAtRest, GiveTheFluidStripsSlopesOfReadingOnForce) {
  const auto table = oracle::table(paths::source_dir() + "/data/examples/fluid-taxel/oil.csv");
  for (const auto& [x_mm, slope] :
       std::initializer_list<std::pair<double, double>>{{10, 0.510}, {50, 0.131}, {90, 0.049}}) {
    TactelPress press;
    press.static_readings = true;
    for (std::size_t i = 0; i < table.at("x_mm").size(); ++i) {
      if (table.at("x_mm")[i] != x_mm) continue;
      press.loading.force_N.push_back(table.at("force_N")[i]);
      press.loading.counts.push_back(table.at("p_left")[i]);
      press.peak_force_N = std::max(press.peak_force_N, press.loading.force_N.back());
    }
    TactelData data;
    data.presses = {press};
    const auto sensor = one_tactel();
    const auto fit = fit_tactel(data, sensor, {});
    ASSERT_TRUE(fit.fitted()) << fit.refusal;
    EXPECT_EQ(fit.limits.ceiling, Clip::kNone);
    EXPECT_EQ(fit.limits.floor, Clip::kNone);
    EXPECT_NEAR(1 / fit.fit.gain_N_per_count, slope, 5e-4) << x_mm;
    // Exactly the least-squares line of reading on force.
    const auto line = fit_line(press.loading.force_N, press.loading.counts);
    ASSERT_TRUE(line);
    EXPECT_NEAR(1 / fit.fit.gain_N_per_count, line->slope, 1e-7 * line->slope);
    const auto response = report_one(fit, sensor);
    EXPECT_TRUE(response.press_gain.identified()) << response.press_gain.reason;
    EXPECT_TRUE(response.press_threshold.reason.starts_with("NOT-SEEN"));
    EXPECT_TRUE(response.offset.value);  // where the line meets force 0
  }
}

/// Loads of one table, in order.
TactelPress at_rest(const std::vector<double>& force_N) {
  TactelPress press;
  press.static_readings = true;
  press.row = 7;
  for (const double f : force_N) {
    press.loading.force_N.push_back(f);
    press.loading.counts.push_back(100 * f);
  }
  return press;
}

// scipy.stats.linregress and t.ppf(0.975, 2).
TEST(ReadingsAtRest, FourLoadsGiveALineAndTheWideIntervalOfTwoDegreesOfFreedom) {
  TactelPress press;
  press.static_readings = true;
  press.loading.force_N = {0.5, 1.5, 2.5, 3.5};
  press.loading.counts = {112, 301, 508, 699};
  press.peak_force_N = 3.5;
  TactelData data;
  data.presses = {press};
  const auto sensor = one_tactel();
  const auto fit = fit_tactel(data, sensor, {});
  ASSERT_TRUE(fit.fitted()) << fit.refusal;
  const auto gain = report_one(fit, sensor).press_gain;
  ASSERT_TRUE(gain.value && gain.ci95);
  EXPECT_NEAR(*gain.value, 0.00508130081, 1e-9);
  EXPECT_NEAR((*gain.ci95)[1] - *gain.value, 0.00026939, 1e-3 * 0.00026939);
  data.presses[0].loading.force_N.pop_back();
  data.presses[0].loading.counts.pop_back();
  EXPECT_TRUE(fit_tactel(data, sensor, {}).refusal.starts_with("RS-02"));
}

TEST(ReadingsAtRest, AreARoundOfLoadsEachTimeThatTheForceComesBackFromTheTop) {
  // Up and down is one round; the second begins at its first load.
  const auto rounds =
      split_rounds(at_rest({1, 2, 3, 4, 5, 4, 3, 2, 1, 0.5, 1, 2, 3, 4.5, 0.5, 1, 2, 3, 4, 5}));
  ASSERT_EQ(rounds.size(), 3U);
  EXPECT_EQ(rounds[0].loading.force_N.size(), 9U);
  EXPECT_EQ(rounds[1].loading.force_N, (std::vector<double>{0.5, 1, 2, 3, 4.5}));
  EXPECT_EQ(rounds[1].loading.counts, (std::vector<double>{50, 100, 200, 300, 450}));
  EXPECT_EQ(rounds[1].peak_force_N, 4.5);
  EXPECT_EQ(rounds[2].row, 7U);
}

TEST(ReadingsAtRest, OfOneRoundOrOfAFewReadingsStayTogether) {
  EXPECT_EQ(split_rounds(at_rest({0, 1, 2, 3, 4, 5, 4, 3, 2, 1, 0})).size(), 1U);
  EXPECT_EQ(split_rounds(at_rest({0, 5, 0, 5, 0})).size(), 1U);
  // A round that does not come to the top is none of its own.
  EXPECT_EQ(split_rounds(at_rest({1, 2, 3, 4, 5, 0.5, 1, 2, 2, 2})).size(), 1U);
}

TEST(ReadingsAtRest, KeepFloorAndCeilingThatTheDescriptionNames) {
  // The seeds' line as a table of readings at rest.
  TactelPress press;
  press.static_readings = true;
  for (int i = 0; i <= 48; ++i) {
    press.loading.force_N.push_back(0.05 * i);
    press.loading.counts.push_back(
        std::clamp((press.loading.force_N.back() - 0.2) / (1.6 / 3840), 0.0, 3840.0));
  }
  press.peak_force_N = 2.4;
  TactelData data;
  data.presses = {press};
  auto sensor = one_tactel();
  sensor.adc = {12, 0, 3840};
  const auto fit = fit_tactel(data, sensor, {});
  ASSERT_TRUE(fit.fitted()) << fit.refusal;
  EXPECT_NEAR(fit.fit.gain_N_per_count, 4.1666666667e-4, 1e-12);
  EXPECT_NEAR(fit.fit.threshold_N, 0.2, 1e-9);
  EXPECT_EQ(fit.limits.saturation.value, 3840);
}

}  // namespace
}  // namespace tactelier
