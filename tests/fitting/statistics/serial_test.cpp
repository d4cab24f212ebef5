#include "fitting/statistics/serial.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fitting/statistics/line_fit.hpp"
#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

class CorrelatedLine : public ::testing::Test {
 protected:
  CorrelatedLine() {
    for (std::size_t i = 0; i < t_.size(); ++i) {
      residuals_.push_back(line_.residual(t_[i], y_[i]));
      design_.row(static_cast<Eigen::Index>(i)) << 1.0, t_[i];
    }
  }
  double expected(const char* key, std::size_t i) const { return o_[key][i].get<double>(); }

  const nlohmann::json o_ = oracle::json("13_stats.json")["ar1"];
  const oracle::Columns data_ = oracle::csv("13_ar1.csv");
  const std::vector<double>& t_ = data_.at("t");
  const std::vector<double>& y_ = data_.at("y");
  const LineFit line_ = fit_line(t_, y_).value();
  std::vector<double> residuals_;
  Eigen::MatrixXd design_{static_cast<Eigen::Index>(t_.size()), 2};
};

TEST_F(CorrelatedLine, Lag1CorrectionMatchesTheOracle) {
  EXPECT_NEAR(line_.intercept, expected("b", 0), 1e-8);
  EXPECT_NEAR(line_.slope, expected("b", 1), 1e-8);
  EXPECT_NEAR(line_.u_slope, expected("naive_u", 1), 1e-8 * line_.u_slope);
  const double rho = lag1(residuals_);
  EXPECT_NEAR(rho, o_["lag1"].get<double>(), 1e-8);
  EXPECT_NEAR(serial_inflation(rho), o_["inflation_sqrt_1_plus_rho_over_1_minus_rho"].get<double>(),
              1e-7);
  EXPECT_NEAR(line_.u_slope * serial_inflation(rho), expected("corrected_u", 1), 1e-9);
  EXPECT_NEAR(effective_count(t_.size(), rho), o_["n_eff"].get<double>(), 1e-5);
}

TEST_F(CorrelatedLine, NeweyWestMatchesTheOracle) {
  const auto covariance = newey_west(design_, residuals_, 60);
  EXPECT_NEAR(std::sqrt(covariance(0, 0)), expected("newey_west_bartlett_lag60_u", 0), 1e-9);
  EXPECT_NEAR(std::sqrt(covariance(1, 1)), expected("newey_west_bartlett_lag60_u", 1), 1e-9);
}

TEST(RunsTest, CountsRunsOfHandMadeSequences) {
  // + + - - + +: 3 runs, 4 above, 2 below: expected 2*4*2/6 + 1 = 11/3,
  // variance (8/3)(5/3)/5 = 8/9, z = (3 + 0.5 - 11/3)/sqrt(8/9) = -0.17678
  const auto test = runs_test(std::vector<double>{1, 2, -1, -1, 3, 0, 1});
  EXPECT_EQ(test.runs, 3U);
  EXPECT_NEAR(test.expected, 11.0 / 3, 1e-14);
  EXPECT_NEAR(test.z, -0.1767766952966369, 1e-12);
}

TEST(RunsTest, SeesABendAndNotAnAlternation) {
  std::vector<double> bend;
  std::vector<double> alternation;
  for (int i = 0; i < 30; ++i) {
    bend.push_back((i - 14.5) * (i - 14.5) - 75);
    alternation.push_back(i % 2 == 0 ? 1 : -1);
  }
  EXPECT_LT(runs_test(bend).p, 1e-5);
  EXPECT_GT(runs_test(alternation).p, 0.999);
  EXPECT_EQ(runs_test(std::vector<double>{1, 1, 1}).p, 1);
}

TEST(Serial, AlternatingResidualsNeverNarrowAnInterval) {
  EXPECT_EQ(serial_inflation(-0.9), 1);
  EXPECT_EQ(effective_count(10, -0.9), 10);
  EXPECT_EQ(correlation_length(0), 1);
  EXPECT_NEAR(correlation_length(std::exp(-0.1)), 10, 1e-9);
}

}  // namespace
}  // namespace tactelier
