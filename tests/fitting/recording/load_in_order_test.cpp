// Values loaded ahead on several threads arrive in order, and never more wait than was promised.
#include "fitting/recording/load_in_order.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>

namespace tactelier {
namespace {

constexpr std::size_t kCount = 200;

class LoadInOrder : public testing::TestWithParam<int> {};

TEST_P(LoadInOrder, HandsOverEveryValueInOrderOnTheCallersThread) {
  const auto caller = std::this_thread::get_id();
  std::vector<std::size_t> taken;
  const auto done = load_in_order(
      GetParam(), kCount, [](std::size_t i) { return 10 * i; },
      [&](std::size_t i, std::size_t value) -> Result<void> {
        EXPECT_EQ(value, 10 * i);
        EXPECT_EQ(std::this_thread::get_id(), caller);
        taken.push_back(i);
        return {};
      });
  ASSERT_TRUE(done);
  std::vector<std::size_t> all(kCount);
  std::iota(all.begin(), all.end(), std::size_t{0});
  EXPECT_EQ(taken, all);
}

TEST_P(LoadInOrder, LoadsNoFurtherAheadThanTwicePerThread) {
  const auto threads = static_cast<std::size_t>(GetParam());
  std::atomic<std::size_t> taken{0};
  const auto done = load_in_order(
      GetParam(), kCount,
      [&](std::size_t i) {
        EXPECT_LE(i, taken + 2 * threads);
        return i;
      },
      [&](std::size_t, std::size_t) -> Result<void> {
        ++taken;
        return {};
      });
  ASSERT_TRUE(done);
}

TEST_P(LoadInOrder, EndsWithTheFirstErrorAndTakesNothingAfterIt) {
  std::size_t last = 0;
  const auto done = load_in_order(
      GetParam(), kCount, [](std::size_t i) { return i; },
      [&](std::size_t i, std::size_t) -> Result<void> {
        last = i;
        if (i == 17) return fail(ErrorCode::kIo, "the seventeenth");
        return {};
      });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "the seventeenth");
  EXPECT_EQ(last, 17U);
}

TEST_P(LoadInOrder, HasNothingToDoForNothing) {
  EXPECT_TRUE(load_in_order(
      GetParam(), 0, [](std::size_t i) { return i; },
      [](std::size_t, std::size_t) -> Result<void> { return fail(ErrorCode::kIo, "called"); }));
}

INSTANTIATE_TEST_SUITE_P(Threads, LoadInOrder, testing::Values(1, 2, 5));

}  // namespace
}  // namespace tactelier
