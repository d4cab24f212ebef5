#include "fitting/statistics/moderated_variance.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace tactelier {
namespace {

/// By SciPy's digamma, polygamma and brentq, from the formulas of Smyth 2004, section 6.2.
TEST(ModeratedVariance, IsThatOfTheFormulas) {
  const std::array variances{1.0, 3.0, 9.0, 40.0, 0.5}, dof{4.0, 6.0, 4.0, 8.0, 5.0};
  const std::array expected{1.27628826, 2.79588408, 7.05955722, 33.88808238, 0.85133769};
  const auto found = moderated(variances, dof);
  EXPECT_NEAR(found.common_dof, 1.5332027966715112, 1e-7);
  EXPECT_NEAR(found.common, 1.9971015912252554, 1e-7);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(found.variances[i], expected[i], 1e-7) << i;
}

TEST(ModeratedVariance, IsOneWhereTheyDifferAsFewReadingsMakeThemDiffer) {
  const std::array variances{1.0, 1.2, 0.9, 1.1}, dof{9.0, 9.0, 9.0, 9.0};
  const auto found = moderated(variances, dof);
  EXPECT_TRUE(std::isinf(found.common_dof));
  for (const double v : found.variances) EXPECT_NEAR(v, 1.1714874611349226, 1e-9);
}

TEST(ModeratedVariance, LeavesThoseThatManyReadingsTellApart) {
  const std::array variances{1.0, 25.0, 4.0, 400.0}, dof{5000.0, 5000.0, 5000.0, 5000.0};
  const auto found = moderated(variances, dof);
  for (std::size_t i = 0; i < variances.size(); ++i)
    EXPECT_NEAR(found.variances[i], variances[i], 0.01 * variances[i]);
}

TEST(ModeratedVariance, KeepsFewAsTheyAre) {
  const std::array variances{1.0, 9.0}, dof{3.0, 3.0};
  EXPECT_EQ(moderated(variances, dof).variances[1], 9);
}

}  // namespace
}  // namespace tactelier
