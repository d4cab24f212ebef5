#include "app/workflow/earlier_loads.hpp"

#include <gmock/gmock.h>

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
  EarlierLoads loads;
  loads.add(pressed("a", 0, 99), std::vector<double>{0, 1});
  loads.add(pressed("a", 100, 109), std::vector<double>{2, 0});
  EXPECT_THAT(loads.left_N(pressed("a", 109.5, 110.5)),
              ElementsAre(DoubleNear(2, 1e-12), DoubleNear(1, 1e-12)));
}

TEST(EarlierLoads, OfAnotherSessionOrLongGoneLeaveNothing) {
  EarlierLoads loads;
  loads.add(pressed("a", 0, 9), std::vector<double>{2});
  EXPECT_THAT(loads.left_N(pressed("b", 9.5, 10.5)), IsEmpty());
  EXPECT_THAT(loads.left_N(pressed("a", 5000, 5006)), IsEmpty());
}

}  // namespace
}  // namespace tactelier
