#include "libcalib/pad/draw_truth.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/libcalib/pad/pad_fixtures.hpp"

namespace tactelier::pad {
namespace {

const PublishedRange& range_of(std::string_view name) {
  for (const auto& range : published_ranges())
    if (range.name == name) return range;
  throw std::runtime_error("no range " + std::string(name));
}

TEST(DrawTruth, EveryRangeHasAUnitOrIsARatioAndASource) {
  std::set<std::string_view> names;
  for (const auto& range : published_ranges()) {
    EXPECT_TRUE(names.insert(range.name).second) << range.name;
    EXPECT_GT(range.low, 0) << range.name;
    EXPECT_LT(range.low, range.high) << range.name;
    EXPECT_FALSE(range.source.empty()) << range.name;
  }
}

TEST(DrawTruth, StaysWithinThePublishedRangesAndUsesThem) {
  double least_k = 1e9, most_k = 0;
  int hunt_crossley = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto truth = *draw_truth(grid_sensor(14, 6, 3.4e-3), seed);
    const double k = truth.layer.foundation_modulus_Pa_per_m * 7.853981633974483e-7 +
                     truth.layer.rim_modulus_Pa * 3.14159265358979324e-3;
    least_k = std::min(least_k, k);
    most_k = std::max(most_k, k);
    const auto& range = range_of("mu_s");
    EXPECT_GE(truth.friction.mu_s, range.low);
    EXPECT_LE(truth.friction.mu_s, range.high);
    EXPECT_LT(truth.friction.mu_d, truth.friction.mu_s);
    EXPECT_EQ(truth.layer.prony.size(), 2U);
    EXPECT_NE(truth.layer.dissipation_s_per_m.has_value(), truth.layer.kelvin_voigt_s > 0);
    if (truth.layer.dissipation_s_per_m) ++hunt_crossley;
    EXPECT_EQ(truth.layer.hardening_linear, 0);
    EXPECT_EQ(truth.spread.student_exponent, 0);
  }
  const auto& range = range_of("k_punch");
  EXPECT_GE(least_k, range.low * (1 - 1e-9));
  EXPECT_LE(most_k, range.high * (1 + 1e-9));
  EXPECT_LT(least_k, 1.05 * range.low);
  EXPECT_GT(most_k, 0.95 * range.high);
  EXPECT_NEAR(hunt_crossley, 100, 35);
}

TEST(DrawTruth, PressGainsScatterAroundThePublishedOne) {
  const auto truth = *draw_truth(grid_sensor(14, 6, 3.4e-3), 3);
  const auto shares = *centre_shares(truth);
  double mean = 0, squares = 0;
  for (std::size_t i = 0; i < 84; ++i) {
    const double log_gain = std::log(truth.tactels[i].gain_N_per_count / shares[i]);
    mean += log_gain / 84;
    squares += log_gain * log_gain / 84;
  }
  EXPECT_GT(std::exp(mean), range_of("press_gain").low / 1.05);
  EXPECT_LT(std::exp(mean), range_of("press_gain").high * 1.05);
  EXPECT_NEAR(std::sqrt(squares - mean * mean), 0.12, 0.04);
}

TEST(DrawTruth, IsTheSameFromOneSeedOnEveryPlatform) {
  // Digits fixed once: a change of the generator or of the order of draws shows here.
  const auto truth = *draw_truth(grid_sensor(14, 6, 3.4e-3), 42);
  const auto again = *draw_truth(grid_sensor(14, 6, 3.4e-3), 42);
  EXPECT_EQ(truth.tactels[83].gain_N_per_count, again.tactels[83].gain_N_per_count);
  EXPECT_NE(draw_truth(grid_sensor(14, 6, 3.4e-3), 43)->spread.sigma_x_m, truth.spread.sigma_x_m);
}

TEST(DrawTruth, OptionsMakeItRicherWithoutChangingTheRest) {
  DrawOptions rich;
  rich.hardening = rich.student_tails = rich.anisotropic = true;
  const auto plain = *draw_truth(grid_sensor(14, 6, 3.4e-3), 5);
  const auto richer = *draw_truth(grid_sensor(14, 6, 3.4e-3), 5, rich);
  EXPECT_GT(richer.layer.hardening_linear, 0);
  EXPECT_GT(richer.spread.student_exponent, 2);
  EXPECT_GT(richer.spread.sigma_x_m, plain.spread.sigma_x_m);
  EXPECT_EQ(richer.spread.sigma_y_m, plain.spread.sigma_y_m);
  EXPECT_EQ(richer.friction.mu_s, plain.friction.mu_s);
  EXPECT_EQ(richer.layer.thickness_m, plain.layer.thickness_m);
}

}  // namespace
}  // namespace tactelier::pad
