// Truth: oracles/02_ft.json, made with scipy.signal.
#include "fitting/wrench/low_pass.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

TEST(LowPass, MatchesTheOraclesCoefficientsAndStep) {
  const auto expected = oracle::json("02_ft.json")["biquad"];
  const auto biquad = butterworth(50, 1000);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(biquad.b[i], expected["b"][i].get<double>(), 1e-14);
    EXPECT_NEAR(biquad.a[i], expected["a"][i].get<double>(), 1e-14);
  }
  std::vector<double> step(60, 0.0);
  std::fill(step.begin() + 20, step.end(), 1.0);
  const auto answer = filtered(biquad, step);
  for (std::size_t i = 0; i < answer.size(); ++i)
    EXPECT_NEAR(answer[i], expected["step_at_20_len_60_causal"][i].get<double>(), 1e-13) << i;
}

TEST(LowPass, RunsBothWaysWithoutPhaseAsTheOracleDoes) {
  const auto expected = oracle::json("02_ft.json")["biquad"]["zero_phase_ramp"];
  std::vector<double> ramp(400);
  for (std::size_t i = 0; i < ramp.size(); ++i)
    ramp[i] = 2 * std::clamp((1e-3 * static_cast<double>(i) - 0.1) / 0.1, 0.0, 1.0);
  const auto smooth = filtered_both_ways(ramp, 50, 1000);
  ASSERT_EQ(smooth.size(), ramp.size());
  for (std::size_t i = 0; i < 20; ++i)
    EXPECT_NEAR(smooth[20 * i], expected["y"][i].get<double>(), 1e-11) << i;
}

}  // namespace
}  // namespace tactelier
