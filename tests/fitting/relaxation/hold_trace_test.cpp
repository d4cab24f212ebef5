// Truth: a constant force behind a filter of known memory, and a knock against the table.
#include "fitting/relaxation/hold_trace.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

constexpr double kForce_N = 1, kNoise_N = 0.01, kRow_s = 1e-3, kBegin_s = 2, kLength_s = 20;

struct Course {
  double memory = 0;   // of one row in the next
  double knock_N = 0;  // from 10 s after the begin on, dying away in 50 ms
};

HoldPress hold_of(const Course& course) {
  RandomSource random(1);
  PressData data;
  double noise_N = 0;
  for (double t = 0; t < kBegin_s + kLength_s + 0.5; t += kRow_s) {
    noise_N = course.memory * noise_N +
              kNoise_N * std::sqrt(1 - course.memory * course.memory) * random.normal();
    const double since_s = t - kBegin_s - 10;
    const double knock_N = since_s > 0 ? course.knock_N * std::exp(-since_s / 0.05) *
                                             std::cos(2 * std::numbers::pi * 3 * since_s)
                                       : 0;
    data.time_s.push_back(t);
    data.force_N.push_back((t < kBegin_s ? 0 : kForce_N) + noise_N + knock_N);
  }
  data.period_s = kRow_s;
  Hold hold;
  hold.begin_s = kBegin_s;
  hold.end_s = kBegin_s + kLength_s;
  PressContact contact;
  contact.ok = true;
  contact.time_s = kBegin_s - 0.2;
  const std::vector<double> depth_m(data.rows(), 1e-3);
  HoldPress made;
  made.ramp_s = 0.2;
  made.shows_s = kLength_s;
  fill_trace(data, hold, contact, depth_m, Ramp{Ramp::kComputed, {0, 2e-3}}, made);
  return made;
}

/// Root mean square of what rows are off, over what they say.
double scatter_of_z(const HoldTrace& trace) {
  double squares = 0, rows = 0;
  for (std::size_t i = 0; i < trace.time_s.size(); ++i) {
    if (!(trace.sigma_N[i] > 0)) continue;
    squares += std::pow((trace.force_N[i] - kForce_N) / trace.sigma_N[i], 2);
    ++rows;
  }
  EXPECT_GT(rows, 100);
  return std::sqrt(squares / rows);
}

TEST(HoldTrace, SaysWhatMeansOfRowsScatter) {
  EXPECT_NEAR(scatter_of_z(hold_of({}).trace), 1, 0.15);
}

// Of a filter of 100 Hz at 1 kHz 0.53 of a row is in the next: means of many scatter 1.8 times what
// independent rows would.
TEST(HoldTrace, KnowsThatAFilterMakesNeighboursAlike) {
  const auto made = hold_of({0.53});
  ASSERT_EQ(made.refusal, "");
  EXPECT_NEAR(scatter_of_z(made.trace), 1, 0.2);
}

TEST(HoldTrace, LeavesAKnockAgainstTheTableOut) {
  const auto made = hold_of({0, 0.5});
  ASSERT_EQ(made.refusal, "");
  EXPECT_LT(scatter_of_z(made.trace), 1.3);
}

}  // namespace
}  // namespace tactelier
