#include "devices/link/wall_clock.hpp"

#include <gmock/gmock.h>

#include <deque>

namespace tactelier::devices {
namespace {

using testing::Optional;

constexpr std::int64_t kMs = 1'000'000;

/// Two clocks of one computer; a reading takes 30 ns and may be followed by a pause of its thread.
struct Computer {
  std::int64_t now_ns = 1'000'000'000;
  std::int64_t lead_ns = 1'700'000'000'000'000'000;  // of the wall clock
  std::deque<std::int64_t> pauses_ns;                // after each of the next readings

  std::int64_t read(std::int64_t ahead_ns) {
    now_ns += 30;
    const auto reading_ns = now_ns + ahead_ns;
    if (!pauses_ns.empty()) {
      now_ns += pauses_ns.front();
      pauses_ns.pop_front();
    }
    return reading_ns;
  }
  WallClock clock() {
    return {[this] { return read(0); }, [this] { return read(lead_ns); }};
  }
};

/// Off by how much, for something that came `ago_ns` ago.
std::int64_t error_ns(Computer& computer, WallClock& clock, std::int64_t ago_ns = 0) {
  const auto then_ns = computer.now_ns - ago_ns;
  const auto found = clock.steady_ns(then_ns + computer.lead_ns);
  EXPECT_TRUE(found);
  return found ? std::abs(*found - then_ns) : INT64_MAX;
}

TEST(WallClock, MovesAStampOverToTheSteadyClock) {
  Computer computer;
  auto clock = computer.clock();
  EXPECT_LE(error_ns(computer, clock, 3 * kMs), 30);
}

TEST(WallClock, AThreadPutAsideBetweenTwoReadingsTearsNoStamp) {
  for (const std::size_t after : {0U, 1U}) {
    Computer computer;
    auto clock = computer.clock();
    (void)error_ns(computer, clock);
    for (int look = 0; look < 100; ++look)  // again and again
      for (std::size_t reading = 0; reading < 3; ++reading)
        computer.pauses_ns.push_back(reading == after ? 17 * kMs : 0);
    EXPECT_LE(error_ns(computer, clock, kMs), 30) << "put aside after reading " << after;
  }
}

TEST(WallClock, TheFirstStampWaitsForALookWithoutAPause) {
  Computer computer;
  auto clock = computer.clock();
  for (int i = 0; i < 12; ++i) computer.pauses_ns.push_back(5 * kMs);  // four looks
  EXPECT_LE(error_ns(computer, clock), 30);
}

TEST(WallClock, LooksThatAreAllWideShareSomethingNarrow) {
  Computer computer;
  auto clock = computer.clock();
  // Put aside now before, now after the wall clock is read: the bounds meet at the truth.
  for (int i = 0; i < 50; ++i)
    for (const std::int64_t pause_ns : {5 * kMs, kMs / 1000, kMs / 2, kMs / 1000, 5 * kMs, kMs / 2})
      computer.pauses_ns.push_back(pause_ns);
  EXPECT_LE(error_ns(computer, clock), 2000);
}

TEST(WallClock, FollowsAClockThatIsSetEvenWhileItsThreadIsPutAside) {
  for (const std::int64_t step_ns : {-3'600'000 * kMs, -50 * kMs, 50 * kMs, 3'600'000 * kMs}) {
    Computer computer;
    auto clock = computer.clock();
    (void)error_ns(computer, clock);
    computer.lead_ns += step_ns;
    computer.pauses_ns = {17 * kMs, 0, 0, 0, 17 * kMs};
    EXPECT_LE(error_ns(computer, clock, -50 * kMs), 30) << "set by " << step_ns;
  }
}

TEST(WallClock, AStampFromBeforeTheClockWasSetIsNoTimeAtAll) {
  for (const std::int64_t step_ns : {-50 * kMs, 50 * kMs}) {
    Computer computer;
    auto clock = computer.clock();
    (void)error_ns(computer, clock);
    const auto stamp_ns = computer.now_ns + computer.lead_ns;
    computer.now_ns += kMs;
    computer.lead_ns += step_ns;
    const auto found = clock.steady_ns(stamp_ns);
    if (step_ns > 0)
      EXPECT_EQ(found, std::nullopt);
    else
      EXPECT_GT(found.value_or(INT64_MAX), computer.now_ns) << "in the future: nobody believes it";
    // What comes afterwards is right again.
    computer.now_ns += 10 * kMs;
    EXPECT_LE(error_ns(computer, clock), 30);
  }
}

}  // namespace
}  // namespace tactelier::devices
