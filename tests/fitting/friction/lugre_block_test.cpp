// Whole traces against oracle 9 and against the bristles step by step.

#include "fitting/friction/lugre_block.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "fitting/statistics/random.hpp"
#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

using Eigen::Index;

struct GivenMotion {
  std::vector<double> velocity_m_per_s, normal_N;
  Index rows() const { return static_cast<Index>(velocity_m_per_s.size()); }
};

/// force_N(row) and the seven derivatives, in pieces of `most` rows.
Eigen::MatrixXd followed(const LugreValues& values, const GivenMotion& motion, double start_m,
                         Index most = kLugreBlockRows) {
  Eigen::MatrixXd all(motion.rows(), static_cast<Index>(kLugreSize) + 2);
  LugreBlock block(values, 1e-3, start_m);
  for (Index first = 0; first < motion.rows(); first += most) {
    const Index count = std::min(most, motion.rows() - first);
    block.steps(motion.velocity_m_per_s.data() + first, motion.normal_N.data() + first, count);
    all.block(first, 0, count, 1) = block.force_N().matrix();
    all.block(first, 1, count, static_cast<Index>(kLugreSize) + 1) = block.gradients();
  }
  return all;
}

/// Both ways, standing still, slow enough for the series and fast, under a load that changes.
GivenMotion mixed_motion() {
  RandomSource random(9);
  GivenMotion motion;
  for (int i = 0; i < 500; ++i) {
    const double v = (i / 40 % 2 == 0 ? 1 : -1) * 0.02 * std::exp(-static_cast<double>(i % 23));
    motion.velocity_m_per_s.push_back(i % 17 == 0 ? 0 : v);
    motion.normal_N.push_back(2 + 0.3 * random.normal());
  }
  return motion;
}

TEST(LugreBlock, TraceAndItsSixSensitivitiesAreTheOracles) {
  const auto set = oracle::json("09_lugre.json")["rig_scale"];
  auto rows = oracle::csv("09_presliding.csv");
  const LugreValues p{set["s0"], set["s1"], set["ct"], set["mus"], set["mud"], set["vs"]};
  const std::array names{"F_N", "dF_d_s0", "dF_d_s1", "dF_d_ct", "dF_d_mus", "dF_d_mud", "dF_d_vs"};
  const GivenMotion motion{rows["v_m_per_s"], std::vector<double>(rows["F_N"].size(), set["N"])};
  const auto found = followed(p, motion, 0);
  for (Index i = 0; i < motion.rows(); ++i)
    for (std::size_t j = 0; j < names.size(); ++j) {
      const double wanted = rows[names[j]][static_cast<std::size_t>(i)];
      ASSERT_NEAR(found(i, static_cast<Index>(j)), wanted, 1e-9 * std::abs(wanted) + 1e-12)
          << names[j] << " in row " << i;
    }
}

TEST(LugreBlock, GoesAsTheBristlesGoStepByStep) {
  const LugreValues p{4000, 6, 0.8, 0.62, 0.45, 0.004};
  const auto motion = mixed_motion();
  const auto found = followed(p, motion, 1e-4);
  LugreBristle bristle(1e-4);
  for (Index i = 0; i < motion.rows(); ++i) {
    const auto row = static_cast<std::size_t>(i);
    const double wanted =
        bristle.step_N(p, 1e-3, motion.velocity_m_per_s[row], motion.normal_N[row]);
    ASSERT_NEAR(found(i, 0), wanted, 1e-11) << i;
  }
  EXPECT_EQ(followed(p, motion, 1e-4, 7).rows(), found.rows());
  EXPECT_LT((followed(p, motion, 1e-4, 7) - found).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(LugreBlock, DerivativesAreThoseOfDifferences) {
  const LugreValues p{4000, 6, 0.8, 0.62, 0.45, 0.004};
  const auto motion = mixed_motion();
  const auto found = followed(p, motion, 1e-4);
  for (std::size_t j = 0; j <= kLugreSize; ++j) {
    auto above = p, below = p;
    double above_m = 1e-4, below_m = 1e-4;
    const double h = j < kLugreSize ? 1e-5 * p[j] : 1e-9;
    (j < kLugreSize ? above[j] : above_m) += h;
    (j < kLugreSize ? below[j] : below_m) -= h;
    const Eigen::VectorXd difference =
        (followed(above, motion, above_m).col(0) - followed(below, motion, below_m).col(0)) /
        (2 * h);
    const auto column = found.col(static_cast<Index>(j) + 1);
    EXPECT_LT((column - difference).cwiseAbs().maxCoeff(), 1e-6 * column.cwiseAbs().maxCoeff())
        << j;
  }
}

}  // namespace
}  // namespace tactelier
