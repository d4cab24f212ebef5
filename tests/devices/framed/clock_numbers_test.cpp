#include "devices/framed/clock_numbers.hpp"

#include <gtest/gtest.h>

namespace tactelier::devices {
namespace {

constexpr std::int64_t kPeriod_ns = 1'250'000;  // 800 a second, ticks of a microsecond

ClockNumbers at_800_hz() { return ClockNumbers::create(1e-6, 800).value(); }

TEST(ClockNumbers, CountOnePerPeriodThoughTheClockIsOffAndJitters) {
  auto numbers = at_800_hz();
  std::int64_t tick = 5'000'000;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(numbers.next(tick, i * kPeriod_ns).number, i);
    tick += i % 2 == 0 ? 1'250 + 400 : 1'250 - 370;  // 0.6 % slow, a third of a period to and fro
  }
}

TEST(ClockNumbers, LeaveOutWhatNeverCame) {
  auto numbers = at_800_hz();
  EXPECT_EQ(numbers.next(1'000, 0).number, 0);
  EXPECT_EQ(numbers.next(1'000 + 4 * 1'250, 0).number, 4);
  // Read after a pause of this computer: the device's clock says that nothing is missing.
  EXPECT_EQ(numbers.next(1'000 + 5 * 1'250, 10'000'000'000).number, 5);
  // Ten seconds that the receive buffer had no room for.
  EXPECT_EQ(numbers.next(1'000 + 8'005 * 1'250, 10'000'000'000).number, 8'005);
}

TEST(ClockNumbers, GiveAFrameThatComesTwiceItsNumberAgain) {
  auto numbers = at_800_hz();
  numbers.next(70, 0);
  EXPECT_EQ(numbers.next(70 + 1'250, 0).number, 1);
  EXPECT_EQ(numbers.next(70 + 1'250, 0).number, 1);
  // A sensor that is faster than the file says repeats nothing.
  EXPECT_EQ(numbers.next(70 + 1'250 + 100, 0).number, 2);
}

TEST(ClockNumbers, TellAClockThatBeganAnewFromLostFrames) {
  auto numbers = at_800_hz();
  numbers.next(3'000'000'000, 0);
  const auto back = numbers.next(0, kPeriod_ns);
  EXPECT_TRUE(back.restarted);
  EXPECT_EQ(back.number, 1);
  EXPECT_FALSE(numbers.next(1'250, 2 * kPeriod_ns).restarted);
  // After 50 minutes 32 bits of microseconds are nearer to their wrap than to 0: a reset looks like
  // a step forward by 21 minutes.
  const auto forward = numbers.next(1'250 + 1'295'000'000, 3 * kPeriod_ns);
  EXPECT_TRUE(forward.restarted);
  EXPECT_EQ(forward.number, 3);
}

TEST(ClockNumbers, AreNotMadeOfTicksThatAreTooCoarse) {
  EXPECT_FALSE(ClockNumbers::create(1e-3, 800));
  EXPECT_TRUE(ClockNumbers::create(1e-3, 200));
  EXPECT_FALSE(ClockNumbers::create(0, 200));
  EXPECT_FALSE(ClockNumbers::create(1e-6, 0));
}

}  // namespace
}  // namespace tactelier::devices
