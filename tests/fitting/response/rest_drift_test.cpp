// A rest that creeps at a known pace, written down here: found, taken out of readings, and not
// invented where the rest only jumps or scatters.
#include "fitting/response/rest_drift.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "fitting/response/response_tactel.hpp"
#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

constexpr double kPeriod_s = 0.01;
constexpr double kRest = 500;   // counts
constexpr double kGain = 2e-3;  // N per count
constexpr int kAirRows = 100, kLoadingRows = 200;

/// Free air of a second, then a ramp of two to 3 N; `rest(t)` is what the tactel reads unloaded.
template <class Rest>
TactelPress press_at(double begin_s, const Rest& rest, double noise, RandomSource& random) {
  TactelPress press;
  press.period_s = kPeriod_s;
  press.sigma_force_N = 1e-6;
  press.peak_force_N = 3;
  for (int i = 0; i < kAirRows; ++i)
    press.before.push_back(rest(begin_s + kPeriod_s * i) + noise * random.normal());
  press.before_s = begin_s + kPeriod_s * 0.5 * (kAirRows - 1);
  for (int i = 0; i < kLoadingRows; ++i) {
    const double time_s = begin_s + kPeriod_s * (kAirRows + i);
    const double force_N = press.peak_force_N * (i + 1) / kLoadingRows;
    press.loading_s.push_back(time_s);
    press.loading.force_N.push_back(force_N);
    press.loading.counts.push_back(rest(time_s) + force_N / kGain + noise * random.normal());
  }
  return press;
}

/// Six presses, one every 5 s.
template <class Rest>
std::vector<TactelPress> presses_with(const Rest& rest, double noise = 1) {
  RandomSource random(11);
  std::vector<TactelPress> presses;
  for (int k = 0; k < 6; ++k) presses.push_back(press_at(5.0 * k, rest, noise, random));
  return presses;
}

double creeping(double time_s) { return kRest + 2 * time_s; }  // 2 counts per second

TEST(RestDrift, IsTheCreepFromPressToPress) {
  const auto drift = rest_drift(presses_with(creeping, 0));
  ASSERT_EQ(drift.counts_per_s.size(), 6U);
  for (const double pace : drift.counts_per_s) EXPECT_NEAR(pace, 2, 1e-9);
  EXPECT_NEAR(drift.left_counts, 0, 1e-6);
}

TEST(RestDrift, TakenOutOfReadingsLeavesTheLine) {
  RandomSource random(1);
  const auto press = press_at(0, creeping, 0, random);
  auto counts = press.loading.counts;
  remove_drift(press, 2, 1900, counts);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    // Above the rest in the middle of the free air, at 0.495 s.
    const double line = kRest + 2 * 0.495 + press.loading.force_N[i] / kGain;
    const bool saturated = press.loading.counts[i] >= 1900;
    EXPECT_NEAR(counts[i], saturated ? press.loading.counts[i] : line, 1e-9);
  }
}

TEST(RestDrift, LeavesTheGainOfATactelThatDoesNotDrift) {
  SensorDescription sensor;
  sensor.arrays = {SensorArray{1, 1, 1e-3, 1e-3, {}, {}, {}, {}}};
  const auto gain_of = [&](std::vector<TactelPress> presses) {
    TactelData data;
    for (const auto& press : presses) data.air.push_back(air_window(press.before, 0));
    data.presses = std::move(presses);
    return fit_tactel(data, sensor, {}).fit.gain_N_per_count;
  };
  // 2 counts per second for 2 s of a ramp of 1500 counts flatten it by 0.27 % where nobody looks.
  EXPECT_NEAR(gain_of(presses_with(creeping)), kGain, 5e-4 * kGain);
}

TEST(RestDrift, IsNoneWhereTheRestScattersOrJumpsOnce) {
  EXPECT_TRUE(rest_drift(presses_with([](double) { return kRest; })).counts_per_s.empty());
  const auto jump = [](double time_s) { return time_s < 4 ? kRest : kRest + 30; };
  EXPECT_TRUE(rest_drift(presses_with(jump)).counts_per_s.empty());
}

TEST(RestDrift, IsNotReadAcrossTwoRecordings) {
  auto presses = presses_with(creeping, 0);
  for (std::size_t k = 3; k < presses.size(); ++k) {
    presses[k].session = 1;
    for (double& reading : presses[k].before) reading += 1000;
  }
  const auto drift = rest_drift(presses);
  ASSERT_EQ(drift.counts_per_s.size(), 6U);
  for (const double pace : drift.counts_per_s) EXPECT_NEAR(pace, 2, 1e-9);
}

TEST(RestDrift, WithinFreeAirAloneIsToldAsLeft) {
  // Falls by one count per second in each free air, and is back before the next press.
  const auto saw = [](double time_s) { return kRest - (time_s - 5 * std::floor(time_s / 5)); };
  const auto drift = rest_drift(presses_with(saw, 0.1));
  EXPECT_TRUE(drift.counts_per_s.empty());
  EXPECT_NEAR(drift.left_counts, 2, 0.2);  // in 2 s of loading
}

}  // namespace
}  // namespace tactelier
