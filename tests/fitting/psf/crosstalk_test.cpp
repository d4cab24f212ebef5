#include "fitting/psf/crosstalk.hpp"

#include <gtest/gtest.h>

#include "../statistics/oracle_files.hpp"

namespace tactelier {
namespace {

Eigen::MatrixXd matrix(const nlohmann::json& rows) {
  const auto n = static_cast<Eigen::Index>(rows.size());
  Eigen::MatrixXd result(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index k = 0; k < n; ++k)
      result(i, k) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)];
  return result;
}

TEST(CrosstalkTest, SplitsAndSolvesTheOraclesMatrix) {
  const auto expected = oracle::json("05_response.json").at("crosstalk");
  const auto slopes = matrix(expected.at("A_count_per_N"));
  const auto found =
      split_crosstalk(slopes, Eigen::MatrixXd::Zero(3, 3), std::vector<int>{0, 1, 2}).value();
  EXPECT_LT((found.matrix - matrix(expected.at("X_rows_normalised_to_diagonal"))).norm(), 1e-12);
  EXPECT_NEAR(found.condition / expected.at("cond").get<double>(), 1, 1e-10);
  const auto counts = expected.at("count").get<std::vector<double>>();
  const auto forces = expected.at("force_N").get<std::vector<double>>();
  ASSERT_TRUE(found.inverse);
  const Eigen::VectorXd solved =
      *found.inverse * Eigen::Map<const Eigen::VectorXd>(counts.data(), 3);
  for (Eigen::Index i = 0; i < 3; ++i)
    EXPECT_NEAR(solved(i), forces[static_cast<std::size_t>(i)], 1e-12);
}

TEST(CrosstalkTest, WhatIsBelowItsNoiseIsZeroAndCounted) {
  Eigen::MatrixXd slopes(2, 2), errors(2, 2);
  slopes << 2000, 30, 100, 1500;
  errors << 10, 20, 20, 10;
  const auto found = split_crosstalk(slopes, errors, {4, 5}).value();
  EXPECT_EQ(found.zeroed, 1);
  EXPECT_EQ(found.matrix(0, 1), 0);
  EXPECT_NEAR(found.matrix(1, 0), 100.0 / 1500, 1e-15);
}

TEST(CrosstalkTest, NearlyEqualRowsAreNotInverted) {
  Eigen::MatrixXd slopes(2, 2);
  slopes << 1000, 990, 990, 1000;
  const auto found = split_crosstalk(slopes, Eigen::MatrixXd::Zero(2, 2), {0, 1}).value();
  EXPECT_GT(found.condition, kInvertible);
  EXPECT_FALSE(found.inverse);
}

TEST(CrosstalkTest, ASpreadThatSaysItAllWinsAndOneThatMissesAWireLoses) {
  CrosstalkSlopes measured;
  measured.slopes.setConstant(4, 4, 100);
  measured.errors.setConstant(4, 4, 2);
  Eigen::MatrixXd predicted = Eigen::MatrixXd::Constant(4, 4, 101);
  EXPECT_GT(crosstalk_delta_bic(measured, predicted, 1), 20);
  predicted(0, 1) = 60;
  EXPECT_LT(crosstalk_delta_bic(measured, predicted, 1), 0);
}

}  // namespace
}  // namespace tactelier
