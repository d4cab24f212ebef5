// Nothing in the fit of a response knows that a count is 1: the same sensor read in thousands, in
// thousandths or in volts gives the same model, verdicts and all, but for the numbers' unit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "fitting/recording/reading_step.hpp"
#include "fitting/response/curve_choice.hpp"
#include "fitting/response/response_model.hpp"
#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

/// How a reading is written: a multiple of the count, with so many digits behind the point.
struct Unit {
  double per_count = 1;
  int decimals = -1;  // -1: all of them

  double of(double counts) const {
    const double value = counts * per_count;
    if (decimals < 0) return value;
    const double digit = std::pow(10.0, decimals);
    return std::round(value * digit) / digit;
  }
};

/// A tactel of 12 bits: what it reads before noise and converter, over force in N.
struct Sensor {
  const char* name;
  std::function<double(double)> counts;
  double noise = 4, lowest = 0, highest = 4095;
  bool free_air = true;
};

const Sensor kSensors[] = {
    {"line with a dead zone", [](double f) { return 60 + 2000 * std::max(0.0, f - 0.1); }},
    {"softening", [](double f) { return 60 + 2400 * f - 400 * f * f; }},
    {"divider", [](double f) { return 60 + 4000 * f / (f + 0.5); }},
    {"quiet", [](double f) { return 60 + 2000 * std::max(0.0, f - 0.1); }, 0.05},
    {"saturating", [](double f) { return 60 + 4000 * std::max(0.0, f - 0.1); }},
    {"cut below, no free air", [](double f) { return 2000 * f - 500; }, 4, 0, 4095, false},
    {"dead", [](double) { return 60.0; }, 0.7},
    {"stuck", [](double) { return 812.0; }, 0},
    {"hardly answering", [](double f) { return 60 + 3 * f; }, 2},
};

constexpr double kNoiseOfRounding = 0.03;  // relative: the last digit's own

SensorDescription one_tactel() {
  SensorDescription sensor;
  sensor.arrays = {SensorArray{1, 1, 3.4e-3, 3.4e-3, {}, {}, {}, {}}};
  return sensor;
}

/// `step_known`: the array told the converter's step; else this tactel alone must.
TactelData recorded(const Sensor& sensor, const Unit& unit, bool step_known) {
  RandomSource random(7);
  const auto read = [&](double force_N) {
    const double noisy = sensor.counts(force_N) + sensor.noise * random.normal();
    return unit.of(std::clamp(std::round(noisy), sensor.lowest, sensor.highest));
  };
  TactelData data;
  for (int p = 0; p < 3; ++p) {
    TactelPress press;
    for (int i = 0; sensor.free_air && i < 100; ++i) press.before.push_back(read(0));
    for (int i = 1; i <= 300; ++i) {
      press.loading.force_N.push_back(1.5 * i / 300);
      press.loading.counts.push_back(read(1.5 * i / 300));
    }
    press.peak_force_N = 1.5;
    press.period_s = 0.01;
    if (sensor.free_air) data.air.push_back(air_window(press.before, 0));
    data.presses.push_back(std::move(press));
  }
  ReadingStep step;
  for (const auto& press : data.presses) {
    step.add(press.before);
    step.add(press.loading.counts);
  }
  if (step_known) data.step = step.counts();
  return data;
}

SensorModel model_of(const Sensor& sensor, const Unit& unit, bool step_known) {
  FitContext context;
  context.model = empty_model(one_tactel());
  std::vector<TactelFit> fits{fit_tactel(recorded(sensor, unit, step_known), one_tactel(), {})};
  auto settings = report_settings(fits, context.model.sensor);
  context.response_fits = std::make_shared<ResponseFits>(
      ResponseFits{std::move(fits), std::move(settings), StageQuality{}});
  EXPECT_TRUE(write_response(context));
  return context.model;
}

/// `power` of the unit that the number is in: 1 counts, -1 N/count, 0 N.
void expect_same(const Parameter& found, const Parameter& in_counts, double per_count, int power,
                 double tolerance, const std::string& what) {
  EXPECT_EQ(found.status, in_counts.status) << what << ": " << found.reason;
  EXPECT_EQ(found.reason.substr(0, 5), in_counts.reason.substr(0, 5)) << what;
  ASSERT_EQ(found.value.has_value(), in_counts.value.has_value()) << what;
  if (!found.value) return;
  const double unit = std::pow(per_count, power);
  const double scale = std::abs(*in_counts.value) * unit;
  EXPECT_NEAR(*found.value, *in_counts.value * unit, tolerance * scale) << what;
  ASSERT_EQ(found.std.has_value(), in_counts.std.has_value()) << what;
  if (!found.std) return;
  const double std = *in_counts.std * unit;
  EXPECT_NEAR(*found.std, std, 30 * tolerance * std + tolerance * scale) << what;
}

void expect_same_model(const Sensor& sensor, const Unit& unit, double tolerance,
                       bool step_known = true) {
  const auto in_counts = model_of(sensor, {}, step_known);
  const auto found = model_of(sensor, unit, step_known);
  const std::string what = fmt::format("{} x {}", sensor.name, unit.per_count);
  EXPECT_EQ(found.response.model, in_counts.response.model) << what;
  EXPECT_EQ(found.response.zero, in_counts.response.zero) << what;
  const auto &a = found.response.tactels[0], &b = in_counts.response.tactels[0];
  EXPECT_EQ(a.status, b.status) << what;
  const auto same = [&](const Parameter& x, const Parameter& y, int power, const char* name) {
    expect_same(x, y, unit.per_count, power, tolerance, what + " " + name);
  };
  same(a.offset, b.offset, 1, "offset");
  expect_same(a.noise, b.noise, unit.per_count, 1, unit.decimals < 0 ? tolerance : kNoiseOfRounding,
              what + " noise");
  same(a.saturation, b.saturation, 1, "saturation");
  same(a.press_gain, b.press_gain, -1, "press_gain");
  same(a.press_threshold, b.press_threshold, 0, "press_threshold");
  std::vector<std::string> codes_a, codes_b;
  for (const auto& w : found.quality.at("response").warnings) codes_a.push_back(w.code);
  for (const auto& w : in_counts.quality.at("response").warnings) codes_b.push_back(w.code);
  EXPECT_EQ(codes_a, codes_b) << what;
}

TEST(ReadingUnit, AThousandTimesTheReadingsChangesNothingButTheNumbers) {
  for (const auto& sensor : kSensors) expect_same_model(sensor, {1000}, 1e-6);
}

TEST(ReadingUnit, AThousandthOfTheReadingsChangesNothingButTheNumbers) {
  for (const auto& sensor : kSensors) expect_same_model(sensor, {1e-3}, 1e-6);
}

TEST(ReadingUnit, NorWhereOneTactelAloneShowsTheStep) {
  for (const auto& sensor : kSensors)
    for (const double per_count : {1000.0, 1e-3})
      expect_same_model(sensor, {per_count}, 1e-6, false);
}

// A power of two rounds like counts, so that no constant in counts can hide behind rounding.
TEST(ReadingUnit, NorDoFaradsOfACapacitance) {
  for (const auto& sensor : kSensors) expect_same_model(sensor, {std::ldexp(1, -50)}, 1e-6);
}

TEST(ReadingUnit, NorDoVoltsOfFiveAsFloats) {
  for (const auto& sensor : kSensors) expect_same_model(sensor, {5.0 / 4095}, 1e-6);
}

// Which converter it was shows in readings that come again and again: those of a tactel at rest.
TEST(ReadingUnit, NorDoVoltsWithFourDigitsBehindThePoint) {
  for (const auto& sensor : kSensors)
    if (sensor.free_air && sensor.noise > 0.5) expect_same_model(sensor, {5.0 / 4095, 4}, 2e-3);
}

TEST(ReadingStep, IsTheConvertersWhereVoltsWereWrittenWithFewDigits) {
  RandomSource random(3);
  const Unit volts{5.0 / 4095, 4};  // 1.221 mV as 0.0012 or 0.0013 V
  ReadingStep step;
  std::vector<double> readings;
  for (int i = 0; i < 2000; ++i)
    readings.push_back(volts.of(std::round(400 + 50 * random.normal())));
  step.add(readings);
  EXPECT_NEAR(step.counts(), 1.221e-3, 1e-4);
}

TEST(ReadingStep, IsOneCountWhereReadingsAreFarApart) {
  RandomSource random(3);
  ReadingStep step;
  std::vector<double> readings;
  for (int i = 0; i < 100; ++i) readings.push_back(std::round(40.0 * i + 3 * random.normal()));
  step.add(readings);
  EXPECT_EQ(step.counts(), 1);
}

/// Equal weights on a cell without noise: what readings differ by is the weights' doing.
TEST(ReadingStep, OfANotebooksFewReadingsIsInTheirDigits) {
  for (const double per_count : {1.0, 1e-3}) {
    ReadingStep step;
    step.add(std::vector{40 * per_count, 260 * per_count, 480 * per_count, 700 * per_count,
                         920 * per_count, 40 * per_count});
    EXPECT_DOUBLE_EQ(step.counts(), 10 * per_count);
  }
  ReadingStep coarse;
  coarse.add(std::vector{3.0, 4.0, 7.0, 4.0, 3.0});
  EXPECT_EQ(coarse.counts(), 1);
}

}  // namespace
}  // namespace tactelier
