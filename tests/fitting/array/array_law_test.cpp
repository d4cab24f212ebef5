// The force on the whole array from all its readings: arrays made here, of which everything is
// known, and how often the stated error holds a press that nobody fitted.
#include "fitting/array/array_law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace tactelier {
namespace {

struct MadeArray {
  Eigen::VectorXd gain;  // N/count
  double share = 0;      // scatter from press to press
  double noise_N = 0;
  std::mt19937_64 random{7};

  double normal() { return std::normal_distribution<double>()(random); }

  /// Ramps to `peak_N` on a place of its own, which every tactel sees a part of.
  ArrayPress press(double peak_N, Eigen::Index rows = 60) {
    Eigen::VectorXd part(gain.size());
    for (auto& p : part) p = std::uniform_real_distribution<double>(0.1, 1)(random);
    part /= part.sum();
    const double scatter = 1 + share * normal();
    ArrayPress made{Eigen::MatrixXd(rows, gain.size()), Eigen::VectorXd(rows)};
    for (Eigen::Index i = 0; i < rows; ++i) {
      const double force_N =
          peak_N * std::sin(M_PI * static_cast<double>(i) / static_cast<double>(rows - 1));
      made.force_N(i) = force_N + noise_N * normal();
      made.readings.row(i) = (30 + (scatter * force_N * part).cwiseQuotient(gain).array()).matrix();
    }
    return made;
  }

  std::vector<ArrayPress> presses(int count) {
    std::vector<ArrayPress> all;
    for (int k = 0; k < count; ++k) all.push_back(press(1 + k % 4));
    return all;
  }
};

/// F = 0.1 + 0.5 a + 0.25 b, by hand.
TEST(ArrayLaw, OfExactReadingsIsExact) {
  std::vector<ArrayPress> presses(3);
  for (int p = 0; p < 3; ++p) {
    presses[p] = {Eigen::MatrixXd(4, 3), Eigen::VectorXd(4)};
    for (int i = 0; i < 4; ++i) {
      const double a = i + p * 0.3, b = (i * i + 2 * p) % 5;
      presses[p].readings.row(i) << a, b, 17;  // the third never changes
      presses[p].force_N(i) = 0.1 + 0.5 * a + 0.25 * b;
    }
  }
  const auto fit = fit_array(presses);
  EXPECT_NEAR(fit.law.weight_N_per_count(0), 0.5, 1e-9);
  EXPECT_NEAR(fit.law.weight_N_per_count(1), 0.25, 1e-9);
  EXPECT_EQ(fit.law.weight_N_per_count(2), 0);
  EXPECT_NEAR(fit.law.intercept_N, 0.1, 1e-8);
  EXPECT_LT(fit.left_out_rms_N, 1e-8);
}

TEST(ArrayLaw, TellsTheErrorThatStaysFromTheErrorThatGrows) {
  MadeArray array{Eigen::Vector4d(2e-3, 3e-3, 1e-3, 2e-3), 0.03, 0.01};
  const auto fit = fit_array(array.presses(200));
  EXPECT_NEAR(fit.error_share, 0.03, 0.006);
  EXPECT_NEAR(fit.error_N, 0.01, 0.005);
}

/// Two tactels that read the same: nobody can tell them apart, and the sum does not mind.
TEST(ArrayLaw, OfTactelsThatGoTogetherPredictsAsWell) {
  MadeArray array{Eigen::Vector2d(2e-3, 2e-3), 0.01, 0.002};
  auto presses = array.presses(12);
  for (auto& press : presses) {
    const Eigen::VectorXd both = press.readings.rowwise().sum();
    press.readings.col(0) = both;
    press.readings.col(1) = both;
  }
  const auto fit = fit_array(presses);
  EXPECT_LT(fit.left_out_rms_N, 0.05);
  EXPECT_NEAR(fit.law.weight_N_per_count.sum(), 2e-3, 1e-4);
}

/// Readings that know nothing of the force are not worth more than the mean force.
TEST(ArrayLaw, OfReadingsWithoutForceMissesByTheForcesOwnScatter) {
  MadeArray array{Eigen::Vector3d(1e-3, 1e-3, 1e-3), 0, 0.01};
  auto presses = array.presses(8);
  for (auto& press : presses)
    for (auto& reading : press.readings.reshaped()) reading = 30 + array.normal();
  const auto fit = fit_array(presses);
  EXPECT_GT(fit.left_out_rms_N, 0.9 * fit.force_spread_N);
}

/// 16 tactels and 10 presses: what was fitted looks far better than what comes. Of 400 drawn arrays
/// the stated error holds the peak of one more press.
TEST(ArrayLaw, ItsErrorHoldsPressesThatNobodyFitted) {
  int held = 0;
  constexpr int kArrays = 400;
  for (int draw = 0; draw < kArrays; ++draw) {
    MadeArray array{Eigen::VectorXd::Constant(16, 2e-3), 0.02, 0.005,
                    std::mt19937_64(static_cast<std::uint64_t>(1000 + draw))};
    for (auto& gain : array.gain) gain *= 1 + 0.3 * array.normal() / 3;
    const auto presses = array.presses(10);
    const auto fit = fit_array(presses);
    const auto fresh = array.press(1 + draw % 4, 61);
    const double truth_N = 1 + draw % 4;  // at the middle row
    const double force_N =
        fit.law.intercept_N + fresh.readings.row(30).dot(fit.law.weight_N_per_count);
    const double u95_N = 2.262 * std::hypot(fit.error_N, fit.error_share * force_N);  // t of 9
    held += std::abs(force_N - truth_N) <= u95_N;
  }
  RecordProperty("held", held);
  EXPECT_GE(held, 0.91 * kArrays);
  EXPECT_LE(held, 0.99 * kArrays);
}

TEST(ArrayLaw, GroupsKeepEveryRowInItsOrder) {
  std::vector<ArrayPress> presses(7);
  for (int p = 0; p < 7; ++p)
    presses[static_cast<std::size_t>(p)] = {Eigen::MatrixXd::Constant(1, 2, p),
                                            Eigen::VectorXd::Constant(1, 10 * p)};
  const auto groups = grouped(presses, 3);
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups[0].force_N, Eigen::Vector2d(0, 10));
  EXPECT_EQ(groups[1].force_N, Eigen::Vector2d(20, 30));
  EXPECT_EQ(groups[2].force_N, Eigen::Vector3d(40, 50, 60));
  EXPECT_EQ(groups[2].readings(2, 1), 6);
}

}  // namespace
}  // namespace tactelier
