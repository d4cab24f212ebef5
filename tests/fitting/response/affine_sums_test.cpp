// The sums must say what all readings one by one say, wherever the corners lie.
#include "fitting/response/affine_sums.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "fitting/response/affine_residual.hpp"
#include "fitting/statistics/random.hpp"
#include "fitting/statistics/serial.hpp"

namespace tactelier {
namespace {

/// Two ramps with different offsets, cut at 0 and 1500 counts where the settings say so.
std::vector<ResponsePress> ramps(const AffineSettings& settings) {
  RandomSource random(21);
  std::vector<ResponsePress> presses(2);
  for (auto& press : presses) {
    press.offset_counts = settings.floor == Clip::kCensored ? 0 : 40 + 3 * random.normal();
    for (int i = 0; i < 3000; ++i) {
      const double force_N = 1.2 * i / 3000;
      double c = press.offset_counts + 1600 * std::max(0.0, force_N - 0.2);
      if (settings.ceiling == Clip::kVisible) c = std::min(c, 1500.0);
      c += 6 * random.normal();
      if (settings.ceiling == Clip::kCensored) c = std::min(c, 1500.0);
      if (settings.floor == Clip::kCensored) c = std::max(c, 0.0);
      press.force_N.push_back(force_N + settings.sigma_force_N * random.normal());
      press.counts.push_back(c);
    }
  }
  return presses;
}

double one_by_one(std::span<const ResponsePress> presses, const AffineSettings& settings, double t,
                  double g) {
  double cost = 0;
  for (const auto& press : presses)
    for (const double r : affine_residuals(press, settings, t, g)) cost += 0.5 * r * r;
  return cost;
}

TEST(AffineSums, AgreeWithReadingsTakenOneByOneForEveryKindOfEnd) {
  for (const auto floor : {Clip::kNone, Clip::kCensored, Clip::kVisible})
    for (const auto ceiling : {Clip::kNone, Clip::kCensored, Clip::kVisible})
      for (const double sigma_force_N : {0.0, 0.02}) {
        const AffineSettings settings{floor, ceiling, 1500, 6, sigma_force_N, 1.0};
        const auto presses = ramps(settings);
        AffineSums sums(presses, settings, 0.21, 1 / 1550.0);
        for (const double t : {0.0, 0.1993, 0.2, 0.55})
          for (const double g : {1 / 1600.0, 1 / 1400.0, 1 / 9000.0}) {
            const auto at = sums.exactly(t, g);
            const double cost = one_by_one(presses, settings, t, g);
            EXPECT_NEAR(at.cost, cost, 1e-9 * cost);
            // A reading that passes to a visible ceiling changes its weight: the cost has a step.
            if (ceiling == Clip::kVisible && sigma_force_N > 0) continue;
            const double dg = 1e-6 * g;
            const double slope = (one_by_one(presses, settings, t, g + dg) -
                                  one_by_one(presses, settings, t, g - dg)) /
                                 (2 * dg);
            const double scale = std::sqrt(2 * cost * at.information(1, 1));
            EXPECT_NEAR(-at.score(1), slope, 1e-4 * scale) << t << ' ' << g;
          }
      }
}

// Scores of two neighbours are taken together in a press of 3000 readings.
Eigen::Matrix2d serial_of(const std::vector<Eigen::Vector2d>& of_rows, double rho) {
  std::vector<Eigen::Vector2d> scores((of_rows.size() + 1) / 2, Eigen::Vector2d::Zero());
  for (std::size_t i = 0; i < of_rows.size(); ++i) scores[i / 2] += of_rows[i];
  const auto lag =
      static_cast<std::size_t>(std::ceil(std::max(1.0, 5 * correlation_length(rho)) / 2));
  Eigen::Matrix2d sum = Eigen::Matrix2d::Zero();
  for (std::size_t a = 0; a < scores.size(); ++a)
    for (std::size_t b = a - std::min(a, lag); b <= std::min(scores.size() - 1, a + lag); ++b) {
      const auto apart = static_cast<double>(a > b ? a - b : b - a);
      sum += (1 - apart / static_cast<double>(lag + 1)) * scores[a] * scores[b].transpose();
    }
  return sum;
}

TEST(AffineFit, GivesTheEvidenceOfReadingsTakenOneByOneForEveryKindOfEnd) {
  for (const auto floor : {Clip::kNone, Clip::kCensored, Clip::kVisible})
    for (const auto ceiling : {Clip::kNone, Clip::kCensored, Clip::kVisible})
      for (const double sigma_force_N : {0.0, 0.02}) {
        const AffineSettings settings{floor, ceiling, 1500, 6, sigma_force_N, 1.0};
        const auto presses = ramps(settings);
        const auto fit = fit_affine(presses, settings);
        ASSERT_TRUE(fit);
        const AffineResidual residual(settings, fit->threshold_N, fit->gain_N_per_count);
        std::vector<double> on_line;
        for (std::size_t k = 0; k < presses.size(); ++k) {
          const auto& press = presses[k];
          const auto& evidence = fit->presses[k];
          const Eigen::Vector2d step = evidence.information.ldlt().solve(evidence.score);
          double squares = 0, products = 0, before = 0;
          std::vector<Eigen::Vector2d> scores;
          const std::size_t had = on_line.size();
          for (std::size_t i = 0; i < press.counts.size(); ++i) {
            const auto term = residual(press.force_N[i], press.counts[i], press.offset_counts);
            const Eigen::Vector2d by(term.d_threshold, term.d_gain);
            const double own = term.r + by.dot(step);
            squares += own * own;
            products += own * before;
            before = own;
            scores.push_back(own * by);
            if (term.on_line) on_line.push_back(term.r);
          }
          EXPECT_NEAR(evidence.own_chi2, squares, 1e-9 * squares);
          EXPECT_EQ(evidence.on_line, static_cast<int>(on_line.size() - had));
          const auto serial = serial_of(scores, products / squares);
          EXPECT_LT((evidence.serial - serial).norm(), 1e-8 * serial.norm());
        }
        EXPECT_NEAR(fit->runs_p, runs_test(on_line).p, 1e-9);
      }
}

TEST(AffineSums, OfPressesAddUpToTheWhole) {
  const AffineSettings settings{Clip::kVisible, Clip::kCensored, 1500, 6, 0, 1.0};
  const auto presses = ramps(settings);
  AffineSums sums(presses, settings, 0.21, 1 / 1550.0);
  const auto whole = sums.exactly(0.2, 1 / 1600.0);
  const auto first = sums.exactly(0, 0.2, 1 / 1600.0);
  const auto second = sums.exactly(1, 0.2, 1 / 1600.0);
  EXPECT_NEAR(first.cost + second.cost, whole.cost, 1e-12 * whole.cost);
  EXPECT_NEAR(first.information(0, 1) + second.information(0, 1), whole.information(0, 1),
              1e-12 * std::abs(whole.information(0, 1)));
}

TEST(AffineSums, SteerByIntervalsToTheSameCostWithinAPartOfIt) {
  const AffineSettings settings{Clip::kVisible, Clip::kCensored, 1500, 6, 0, 1.0};
  const auto presses = ramps(settings);
  AffineSums sums(presses, settings, 0.21, 1 / 1550.0);
  const double exact = sums.exactly(0.2, 1 / 1600.0).cost;
  EXPECT_NEAR(sums.roughly(0.2, 1 / 1600.0).cost, exact, 0.05 * exact);
}

}  // namespace
}  // namespace tactelier
