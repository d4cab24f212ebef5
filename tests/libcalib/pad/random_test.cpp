#include "libcalib/pad/random.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tactelier::pad {
namespace {

TEST(PadRandom, FollowsThePublishedSequenceOfXoshiro256StarStar) {
  // The authors' C code from the state 1, 2, 3, 4; the same numbers stand in the tests of Rust's
  // rand_xoshiro.
  Random random({1, 2, 3, 4});
  for (const std::uint64_t expected :
       {UINT64_C(11520), UINT64_C(0), UINT64_C(1509978240), UINT64_C(1215971899390074240),
        UINT64_C(1216172134540287360), UINT64_C(607988272756665600), UINT64_C(16172922978634559625),
        UINT64_C(8476171486693032832)})
    EXPECT_EQ(random.next(), expected);
}

TEST(PadRandom, NormalQuantilesMatchTables) {
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-15);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 2e-15);
  EXPECT_NEAR(normal_quantile(0.9), 1.2815515655446004, 2e-15);
  EXPECT_NEAR(normal_quantile(1e-10), -6.361340902404056, 1e-13);
  EXPECT_NEAR(normal_quantile(1e-13), -7.348796102800668, 1e-12);
}

TEST(PadRandom, NormalsHaveMeanZeroAndDeviationOne) {
  Random random(7, "test");
  constexpr int kCount = 100000;
  double sum = 0, squares = 0, fourth = 0;
  for (int i = 0; i < kCount; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
  }
  EXPECT_NEAR(sum / kCount, 0, 5 / std::sqrt(kCount));
  EXPECT_NEAR(squares / kCount, 1, 5 * std::sqrt(2.0 / kCount));
  EXPECT_NEAR(fourth / kCount, 3, 5 * std::sqrt(96.0 / kCount));
}

TEST(PadRandom, StreamsOfOneSeedAreIndependentOfEachOther) {
  Random one(1, "force noise"), two(1, "reading noise"), again(1, "force noise");
  double product = 0;
  for (int i = 0; i < 10000; ++i) {
    const double x = one.normal();
    product += x * two.normal();
    EXPECT_EQ(x, again.normal());
  }
  EXPECT_NEAR(product / 10000, 0, 0.05);
}

}  // namespace
}  // namespace tactelier::pad
