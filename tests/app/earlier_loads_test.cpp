#include "app/workflow/earlier_loads.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace tactelier {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;

RecordedImage pressed(const char* session, double begin_s, double end_s) {
  RecordedImage image;
  image.session = session;
  image.press.begin_s = begin_s;
  image.press.end_s = end_s;
  image.under_load_s = end_s - begin_s - 0.5;
  return image;
}

// 2 N for 9 s, read 1 s after they were lifted, are 2 log10(1 + 9/1) = 2 N decades; 1 N for 99 s
// that ended 11 s before, log10(1 + 99/11) = 1.
TEST(EarlierLoads, AddByHowLongTheyLayAndWereGone) {
  EarlierLoads loads(0);
  loads.add(pressed("a", 0, 99), std::vector<double>{0, 1});
  loads.add(pressed("a", 100, 109), std::vector<double>{2, 0});
  EXPECT_THAT(loads.before(pressed("a", 109.5, 110.5)).left_N,
              ElementsAre(DoubleNear(2, 1e-12), DoubleNear(1, 1e-12)));
}

TEST(EarlierLoads, OfAnotherSessionOrLongGoneLeaveNothing) {
  EarlierLoads loads(0);
  loads.add(pressed("a", 0, 9), std::vector<double>{2});
  EXPECT_THAT(loads.before(pressed("b", 9.5, 10.5)).left_N, IsEmpty());
  EXPECT_THAT(loads.before(pressed("a", 5000, 5006)).left_N, IsEmpty());
}

// Both read 2.5 s after it began, so 2 s after the second was lifted: 1 N exp(-2/4); of the first,
// 5 N that were lifted 12 s before, 5 exp(-3) are less where both pressed, and all where the second
// did not.
TEST(EarlierLoads, LeaveTheLargestThatHasNotComeBack) {
  EarlierLoads loads(4);
  loads.add(pressed("a", 0, 5), std::vector<double>{5, 5});
  loads.add(pressed("a", 10, 15), std::vector<double>{1, 0});
  const auto before = loads.before(pressed("a", 14.5, 17.5));
  EXPECT_THAT(before.largest_N,
              ElementsAre(DoubleNear(std::exp(-0.5), 1e-12), DoubleNear(5 * std::exp(-3), 1e-12)));
  EXPECT_THAT(EarlierLoads(0).before(pressed("a", 14.5, 17.5)).largest_N, IsEmpty());
}

}  // namespace
}  // namespace tactelier
