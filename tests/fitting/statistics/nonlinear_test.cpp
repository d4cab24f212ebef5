#include "fitting/statistics/nonlinear.hpp"

#include <ceres/ceres.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

/// y = b1 (1 - exp(-b2 x)).
struct RisingExponential {
  double x, y;
  template <class T>
  bool operator()(const T* b, T* residual) const {
    using std::exp;
    residual[0] = b[0] * (1.0 - exp(-b[1] * x)) - y;
    return true;
  }
};

struct Straight {
  double x, y;
  template <class T>
  bool operator()(const T* a, const T* b, T* residual) const {
    residual[0] = a[0] + b[0] * x - y;
    return true;
  }
};

TEST(Nonlinear, CertifiedExponentialIsFoundWithItsErrors) {
  const auto o = oracle::json("13_stats.json")["two_parameter_exponential"];
  double b[2] = {o["start"][0], o["start"][1]};
  ceres::Problem problem;
  for (std::size_t i = 0; i < o["x"].size(); ++i)
    problem.AddResidualBlock(new ceres::AutoDiffCostFunction<RisingExponential, 1, 2>(
                                 new RisingExponential{o["x"][i], o["y"][i]}),
                             nullptr, b);
  const auto solution = solve(problem).value();
  EXPECT_TRUE(solution.converged);
  const auto near = [](double actual, double expected, double relative) {
    EXPECT_NEAR(actual, expected, std::abs(expected) * relative);
  };
  near(b[0], o["b"][0], 1e-8);
  near(b[1], o["b"][1], 1e-8);
  double* const block = b;
  const auto fit = covariance_of(linearize(problem, {&block, 1}).value());
  const double s2 = fit.chi2 / fit.dof;
  near(std::sqrt(s2), o["residual_sd"], 1e-8);
  near(std::sqrt(s2 * fit.covariance(0, 0)), o["sd"][0], 1e-6);
  near(std::sqrt(s2 * fit.covariance(1, 1)), o["sd"][1], 1e-6);
  near(fit.covariance(0, 1) / std::sqrt(fit.covariance(0, 0) * fit.covariance(1, 1)), o["corr"],
       1e-8);
  near(fit.condition.number, o["cond_column_scaled"], 1e-6);
  near(fit.condition.raw, o["cond_raw"], 1e-6);
}

class StraightProblem : public ::testing::Test {
 protected:
  void add(double x, double y) {
    problem_.AddResidualBlock(
        new ceres::AutoDiffCostFunction<Straight, 1, 1, 1>(new Straight{x, y}), nullptr, &a_, &b_);
  }
  Linearization at() { return linearize(problem_, blocks_).value(); }

  double a_ = 0, b_ = 0;
  double* blocks_[2] = {&a_, &b_};
  ceres::Problem problem_;
};

TEST_F(StraightProblem, ColumnsFollowTheOrderAsked) {
  add(2, 1);
  add(3, 1);
  double* turned[2] = {&b_, &a_};
  const auto linear = linearize(problem_, turned).value();
  EXPECT_EQ(linear.jacobian(0, 0), 2);
  EXPECT_EQ(linear.jacobian(1, 0), 3);
  EXPECT_EQ(linear.jacobian(1, 1), 1);
  EXPECT_EQ(linear.residuals[0], -1);
}

TEST_F(StraightProblem, WeakDirectionsNeverLookCertain) {
  for (int i = 0; i < 5; ++i) add(2, 1);  // one abscissa: a + 2 b is all there is
  ASSERT_TRUE(solve(problem_));
  const auto fit = covariance_of(at());
  EXPECT_EQ(fit.covariance.size(), 0);
  EXPECT_TRUE(std::isinf(fit.condition.number));
}

TEST_F(StraightProblem, AParameterAtItsBoundIsHeld) {
  for (int i = 1; i <= 4; ++i) add(i, i);
  const int held[] = {0};
  const auto fit = covariance_of(at(), held);
  EXPECT_EQ(fit.covariance(0, 0), 0);
  EXPECT_NEAR(fit.covariance(1, 1), 1.0 / 30, 1e-14);  // 1 / (1 + 4 + 9 + 16)
  EXPECT_EQ(fit.dof, 3);
}

TEST_F(StraightProblem, StopsOnRequest) {
  add(1, 1);
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(solve(problem_, Job{.on_progress = {}, .stop = source.get_token()}).error().code,
            ErrorCode::kCancelled);
}

}  // namespace
}  // namespace tactelier
