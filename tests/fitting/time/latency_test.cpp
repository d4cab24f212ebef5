// Truth: oracles/03_time.json, and hysteresis worked by hand.
#include "fitting/time/latency.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

struct OracleStreams {
  nlohmann::json expected = oracle::json("03_time.json")["latency"];
  TimedSignal force, counts;

  OracleStreams() {
    auto f = oracle::csv("03_force.csv");
    auto c = oracle::csv("03_tactile.csv");
    force = {f["t_s"], f["F_N"]};
    counts = {c["t_s"], c["count"]};
  }
};

TEST(Correlation, MatchesTheOraclesLag) {
  const OracleStreams streams;
  const auto lag = correlate(streams.force, streams.counts, {.min_force_N = 0.4});
  ASSERT_TRUE(lag) << lag.error().message;
  EXPECT_NEAR(lag->grid_s, streams.expected["expected_lag_grid_s"].get<double>(), 1e-12);
  EXPECT_NEAR(lag->lag_s, streams.expected["expected_lag_parabolic_s"].get<double>(), 1e-9);
  EXPECT_NEAR(lag->r_max, streams.expected["r_max"].get<double>(), 1e-10);
}

TEST(LatencyFit, MatchesTheOraclesLeastSquares) {
  const OracleStreams streams;
  const double start = streams.expected["expected_lag_parabolic_s"];
  auto counts = streams.counts;  // the oracle leaves 0.2 s out at either end
  std::erase_if(counts.value, [&, i = std::size_t{0}](double) mutable {
    const double t = counts.time_s[i++];
    return t <= 0.2 || t >= 23.8;
  });
  std::erase_if(counts.time_s, [](double t) { return t <= 0.2 || t >= 23.8; });
  const auto fit =
      fit_latency(smoothed(streams.force, 21), counts, {.min_force_N = 0.4}, start, 1, false);
  ASSERT_TRUE(fit) << fit.error().message;
  const auto expected = streams.expected["expected_ls"];
  EXPECT_NEAR(fit->lag_s, expected["lag_s"].get<double>(), 2e-7);
  EXPECT_NEAR(fit->intercept, expected["offset_count"].get<double>(), 1e-3);
  EXPECT_NEAR(fit->slope, expected["slope_count_per_N"].get<double>(), 1e-3);
  const double u_of_4_counts = fit->u_lag_s / fit->rms_counts * 4;
  EXPECT_NEAR(u_of_4_counts, expected["u_lag_s"].get<double>(), 6e-6);
  const double truth = streams.expected["truth_latency_s"];
  EXPECT_LT(std::abs(fit->lag_s - truth), 2 * fit->u_lag_s);
}

TEST(Correlation, RefusesCountsThatDoNotFollow) {
  OracleStreams streams;
  for (std::size_t i = 0; i < streams.counts.value.size(); ++i)
    streams.counts.value[i] = static_cast<double>(i * 7919 % 1000);
  const auto lag = correlate(streams.force, streams.counts, {.min_force_N = 0.4});
  ASSERT_FALSE(lag);
  EXPECT_TRUE(lag.error().message.starts_with("TA-04")) << lag.error().message;
}

TEST(Correlation, RefusesAMaximumAtTheEdge) {
  OracleStreams streams;
  for (double& t : streams.counts.time_s) t += 0.06;
  const auto lag = correlate(streams.force, streams.counts, {.min_force_N = 0.4});
  ASSERT_FALSE(lag);
  EXPECT_TRUE(lag.error().message.starts_with("TA-05")) << lag.error().message;
}

TEST(Correlation, RefusesARecordWithoutForce) {
  const OracleStreams streams;
  const auto lag = correlate(streams.force, streams.counts, {.min_force_N = 50});
  ASSERT_FALSE(lag);
  EXPECT_TRUE(lag.error().message.starts_with("TA-07")) << lag.error().message;
}

TEST(LatencyOverRates, SplitsTheOraclesDelayFromItsHysteresis) {
  const auto expected = oracle::json("03_time.json")["hysteresis_vs_lag"];
  std::vector<PressLag> presses;
  for (std::size_t i = 0; i < 4; ++i)
    presses.push_back({expected["apparent_lag_s"][i], 0, expected["speed_N_per_s"][i]});
  const auto over = combine_lags(presses);
  ASSERT_TRUE(over) << over.error().message;
  EXPECT_NEAR(over->latency_s, expected["expected_tau_s"].get<double>(), 1e-10);
  EXPECT_NEAR(over->hysteresis_N, expected["expected_dF_half_N"].get<double>(), 1e-10);
}

TEST(LatencyOverRates, RefusesOneSpeed) {
  const std::vector<PressLag> presses(6, {0.02, 1e-4, 2.0});
  const auto over = combine_lags(presses);
  ASSERT_FALSE(over);
  EXPECT_TRUE(over.error().message.starts_with("TA-06")) << over.error().message;
}

// One press that went otherwise is no second speed: by it alone 41 ms were once found for none.
TEST(LatencyOverRates, RefusesOneSpeedAndASinglePressOfAnother) {
  std::vector<PressLag> presses;
  for (int i = 0; i < 20; ++i) {
    const double rate_N_per_s = 1.8 + 0.02 * i;
    presses.push_back({0.04 + 0.02 / rate_N_per_s, 1e-4, rate_N_per_s});
  }
  presses[7].rate_N_per_s = 0.3;
  const auto over = combine_lags(presses);
  ASSERT_FALSE(over);
  EXPECT_TRUE(over.error().message.starts_with("TA-06")) << over.error().message;
}

// Presses of one speed beside tactels and on them: what looks like 30 ms is no latency, since slow
// ones would have to be early.
TEST(LatencyOverRates, RefusesAHysteresisThatSpeedsReadingsUp) {
  std::vector<PressLag> presses;
  for (const double rate_N_per_s : {0.5, 0.6, 2.0, 2.1, 4.0})
    presses.push_back({0.03 - 0.02 / rate_N_per_s, 1e-4, rate_N_per_s});
  presses[1].lag_s += 1e-4;
  const auto over = combine_lags(presses);
  ASSERT_FALSE(over);
  EXPECT_TRUE(over.error().message.starts_with("TA-06 Slow presses")) << over.error().message;
}

}  // namespace
}  // namespace tactelier
