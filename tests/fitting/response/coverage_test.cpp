// Does the 95 % interval hold the truth in 95 % of recordings? 240 recordings each; the count then
// lies within 90 .. 99 % with a probability above 0.998.
#include <gtest/gtest.h>

#include "fitting/statistics/random.hpp"
#include "tests/fitting/support/synthetic_bench.hpp"

namespace tactelier {
namespace {

using synthetic::Bench;
using synthetic::Recording;

constexpr int kRecordings = 240;

struct Counts {
  int gain = 0, threshold = 0, contact = 0, contacts = 0;
};

bool covers(const Parameter& parameter, double truth) {
  return parameter.ci95 && (*parameter.ci95)[0] <= truth && truth <= (*parameter.ci95)[1];
}

/// Presses whose gain and threshold scatter about the truth.
Counts record_many(int presses, double gain_scatter, double threshold_scatter_N) {
  Counts counts;
  RandomSource random(2026);
  for (int i = 0; i < kRecordings; ++i) {
    auto bench = Bench::uniform(1, 1, presses);
    bench.seed = static_cast<std::uint64_t>(1000 + i);
    bench.rate_hz = 100;
    bench.free_s = 0.4;
    bench.ramp_s = 0.6;
    for (auto& press : bench.presses) {
      press.gain_factor = 1 + gain_scatter * random.normal();
      press.threshold_shift_N = threshold_scatter_N * random.normal();
    }
    FitOptions options;
    options.threads = 1;
    options.bootstrap_resamples = 300;
    const auto model = Recording(bench).fit({"response"}, options);
    if (!model) {
      ADD_FAILURE() << model.error().message;
      break;
    }
    const auto& tactel = model->response.tactels[0];
    counts.gain += covers(tactel.press_gain, 5e-4) ? 1 : 0;
    counts.threshold += covers(tactel.press_threshold, 0.2) ? 1 : 0;
    for (const auto& press : model->presses) {
      counts.contact += covers(press.contact_point, bench.surface_m) ? 1 : 0;
      ++counts.contacts;
    }
  }
  return counts;
}

void expect_honest(int inside, int of) {
  EXPECT_GE(inside, 0.90 * of);
  EXPECT_LE(inside, 0.99 * of);
}

TEST(Coverage, HoldsForFivePressesByBootstrap) {
  const auto counts = record_many(5, 0.02, 5e-3);
  expect_honest(counts.gain, kRecordings);
  expect_honest(counts.threshold, kRecordings);
  expect_honest(counts.contact, counts.contacts);
}

TEST(Coverage, HoldsForThreePressesByTheirSpread) {
  const auto counts = record_many(3, 0.02, 5e-3);
  expect_honest(counts.gain, kRecordings);
  expect_honest(counts.threshold, kRecordings);
}

TEST(Coverage, HoldsForOnePressThatRepeatsPerfectly) {
  const auto counts = record_many(1, 0, 0);
  expect_honest(counts.gain, kRecordings);
  expect_honest(counts.threshold, kRecordings);
}

}  // namespace
}  // namespace tactelier
