#include "fitting/relaxation/reading_creep.hpp"

#include <gtest/gtest.h>

#include <array>

namespace tactelier {
namespace {

TEST(CreepHidden, IsNoneWithoutEarlierLoads) { EXPECT_EQ(creep_hidden({}, 1, 100), 0); }

// By hand: 100 s of load that ended 3 s before leave log10(1 + 100/4) = 1.41497 after 1 s and
// log10(1 + 100/103) = 0.29466 after 100 s: 1.12031 of the 2 decades.
TEST(CreepHidden, IsWhatALoadJustBeforeLeavesAndLoses) {
  const std::array before{EarlierLoad{100, 3}};
  EXPECT_NEAR(creep_hidden(before, 1, 100), 0.56016, 1e-5);
}

TEST(CreepHidden, FallsBelowATenthAfterALongRest) {
  const std::array just{EarlierLoad{100, 300}}, long_ago{EarlierLoad{100, 1000}};
  EXPECT_LT(creep_hidden(long_ago, 1, 100), 0.01);
  EXPECT_LT(creep_hidden(just, 1, 100), 0.1);
  const std::array many{EarlierLoad{40, 100}, EarlierLoad{40, 145}, EarlierLoad{100, 3}};
  EXPECT_GT(creep_hidden(many, 1, 100), 0.56);
}

}  // namespace
}  // namespace tactelier
