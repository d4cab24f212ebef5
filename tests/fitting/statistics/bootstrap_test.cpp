#include "fitting/statistics/bootstrap.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "fitting/statistics/identified.hpp"

namespace tactelier {
namespace {

std::optional<Eigen::VectorXd> mean_of(const std::vector<double>& values,
                                       std::span<const std::size_t> drawn) {
  double sum = 0;
  for (const auto i : drawn) sum += values[i];
  return Eigen::VectorXd::Constant(1, sum / static_cast<double>(drawn.size()));
}

TEST(Bootstrap, ErrorOfAMeanIsTheSpreadOverRootM) {
  const std::vector<double> presses{2.1, 1.9, 2.4, 2.0, 1.7, 2.2};
  RandomSource random(5);
  const auto boot = bootstrap_presses(presses.size(), 20000, random, [&](auto drawn) {
                      return mean_of(presses, drawn);
                    }).value();
  const auto spread = press_spread(presses);
  EXPECT_NEAR(boot.std[0], spread.std, 0.02 * spread.std);
  EXPECT_EQ(boot.dof, spread.dof);
  EXPECT_EQ(boot.used, 20000);
}

TEST(Bootstrap, SameSeedSameNumbers) {
  const std::vector<double> presses{2.1, 1.9, 2.4, 2.0, 1.7};
  const auto run = [&](std::uint64_t seed) {
    RandomSource random(seed);
    return bootstrap_presses(5, 200, random, [&](auto d) { return mean_of(presses, d); })->std[0];
  };
  EXPECT_EQ(run(1), run(1));
  EXPECT_NE(run(1), run(2));
}

TEST(Bootstrap, RefusesFourPressesAndEstimatorsThatMostlyFail) {
  RandomSource random(1);
  const auto nothing = [](auto) -> std::optional<Eigen::VectorXd> { return std::nullopt; };
  EXPECT_EQ(bootstrap_presses(4, 100, random, nothing).error().code, ErrorCode::kUnidentifiable);
  EXPECT_EQ(bootstrap_presses(6, 100, random, nothing).error().code, ErrorCode::kUnidentifiable);
}

TEST(Bootstrap, StopsOnRequest) {
  std::stop_source source;
  source.request_stop();
  RandomSource random(1);
  const auto result = bootstrap_presses(
      6, 100, random, [](auto) { return std::optional<Eigen::VectorXd>(); },
      Job{.on_progress = {}, .stop = source.get_token()});
  EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
}

TEST(RandomSource, DrawsAreFixedByTheStandardAndUnbiased) {
  // [rand.predef]: the 10000th value of a default-seeded mt19937_64.
  RandomSource standard(5489);
  std::uint64_t last = 0;
  for (int i = 0; i < 10000; ++i) last = standard.bits();
  EXPECT_EQ(last, 9981545732273789042ULL);
  RandomSource random(3);
  std::vector<int> count(3);
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < 30000; ++i) {
    ++count[random.below(3)];
    const double normal = random.normal();
    sum += normal;
    squares += normal * normal;
  }
  for (const int c : count) EXPECT_NEAR(c, 10000, 300);
  EXPECT_NEAR(sum / 30000, 0, 0.02);
  EXPECT_NEAR(squares / 30000, 1, 0.03);
}

}  // namespace
}  // namespace tactelier
