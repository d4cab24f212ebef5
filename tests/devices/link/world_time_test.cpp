// A world's clock by hand: real time is what the test says it is.

#include "devices/link/world_time.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tactelier::devices {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kMs = 1'000'000;

struct HandClock final : HostClock {
  std::int64_t at_ns = 1'000'000 * kMs;
  std::int64_t now_ns() const override { return at_ns; }
  void wait_until(std::int64_t time_ns) override { at_ns = std::max(at_ns, time_ns); }
};

struct TwoPrograms {
  HandClock real;
  std::unique_ptr<WorldTime> bench = WorldTime::create(8, real);
  std::unique_ptr<WorldTime> rig = WorldTime::open(bench->path(), real).value();
  std::int64_t begun_ns = bench->now_ns();

  /// Bench alive all the while, a look each millisecond.
  void live_ms(int ms) {
    for (int i = 0; i < ms; ++i) {
      bench->beat(kMs);
      real.at_ns += kMs;
    }
  }
  double rig_ms() const { return static_cast<double>(rig->now_ns() - begun_ns) / kMs; }
};

TEST(WorldTime, RunsEightTimesAsFastForBothPrograms) {
  TwoPrograms two;
  two.live_ms(100);
  EXPECT_DOUBLE_EQ(two.rig_ms(), 800);
  EXPECT_EQ(two.bench->now_ns(), two.rig->now_ns());
}

/// 21 ms without the processor would be 168 ms of the world: the age of every sample.
TEST(WorldTime, StandsWhileTheBenchGetsNoProcessorAndGoesOnFromThere) {
  TwoPrograms two;
  two.live_ms(10);
  two.bench->beat(kMs);  // 1 ms, and 10 ms of the world in which it may be late
  two.real.at_ns += 400 * kMs;
  EXPECT_DOUBLE_EQ(two.rig_ms(), 80 + 8 + 10);
  two.live_ms(10);
  EXPECT_DOUBLE_EQ(two.rig_ms(), 80 + 8 + 10 + 80);
}

TEST(WorldTime, AStampFromBeforeAStandstillIsNoOlderThanItWas) {
  TwoPrograms two;
  two.live_ms(10);
  const auto stamp_ns = two.real.at_ns;
  two.bench->beat(kMs);
  two.real.at_ns += 400 * kMs;
  two.bench->beat(kMs);
  // Stamped at 80 ms of the world, which then ran 18 ms more and stood.
  EXPECT_DOUBLE_EQ(static_cast<double>(two.rig->from_base_ns(stamp_ns) - two.begun_ns) / kMs, 80);
}

TEST(WorldTime, WaitsForAReaderButNotForOneThatHangs) {
  TwoPrograms two;
  two.live_ms(10);
  two.rig->mark(WorldReader::kForce, two.begun_ns + 80 * kMs);
  two.live_ms(400);
  EXPECT_DOUBLE_EQ(two.rig_ms(), 86);
  EXPECT_TRUE(two.bench->held());
  two.rig->mark(WorldReader::kForce, two.begun_ns + 90 * kMs);
  two.live_ms(10);
  EXPECT_DOUBLE_EQ(two.rig_ms(), 96);
  two.live_ms(600);
  EXPECT_GT(two.rig_ms(), 500);
  two.rig->mark(WorldReader::kForce, 0);
  const double before_ms = two.rig_ms();
  two.live_ms(10);
  EXPECT_DOUBLE_EQ(two.rig_ms(), before_ms + 80);
}

/// A virtual machine that is held up holds up both: the reader's next sample comes as soon as the
/// bench's, and none is silent. Let go, the world would have been at 166 ms.
TEST(WorldTime, WaitsForAReaderWhereTheWholeComputerStoodStill) {
  TwoPrograms two;
  two.live_ms(10);
  two.rig->mark(WorldReader::kForce, two.begun_ns + 80 * kMs);
  two.live_ms(10);
  two.real.at_ns += 1500 * kMs;
  two.live_ms(10);
  EXPECT_DOUBLE_EQ(two.rig_ms(), 86);
}

/// Nothing came because the bench had no processor: the reader that marked now allowed the world 10
/// ms more on top of those that it had run without the bench, 20 ms of silence made by the clock.
TEST(WorldTime, WhoReadNothingHasHandledNoMoreThanWasHandedOver) {
  TwoPrograms two;
  two.live_ms(10);
  two.bench->hand_over(two.begun_ns + 80 * kMs);
  two.rig->mark(WorldReader::kForce, two.begun_ns + 80 * kMs);
  two.bench->beat(kMs);
  two.real.at_ns += 10 * kMs;  // the reader waits, the bench is late
  two.rig->mark(WorldReader::kForce, two.rig->handed_over_ns());
  two.live_ms(10);
  EXPECT_DOUBLE_EQ(two.rig_ms(), 86);
}

/// Else a rig process that is killed in a descent would stop the world, and nobody see what
/// happens.
TEST(WorldTime, AReaderThatIsGoneHoldsNothingUp) {
  TwoPrograms two;
  two.live_ms(10);
  two.rig->mark(WorldReader::kForce, two.begun_ns + 80 * kMs);
  two.live_ms(100);
  two.rig.reset();
  two.live_ms(20);
  EXPECT_GT(two.bench->now_ns() - two.begun_ns, 200 * kMs);
}

/// Else a supervisor would take a dead bench for a slow one, for ever.
TEST(WorldTime, GoesOnTwoSecondsAfterItsBenchHasDied) {
  TwoPrograms two;
  two.live_ms(10);
  const double died_ms = two.rig_ms();
  two.real.at_ns += 3000 * kMs;
  EXPECT_GT(two.rig_ms(), died_ms + 7000);
}

TEST(WorldTime, NeverGoesBack) {
  TwoPrograms two;
  two.live_ms(3);
  const auto last_ns = two.rig->now_ns();
  two.real.at_ns += 3 * kMs;
  two.bench->beat(kMs);
  EXPECT_GE(two.rig->now_ns(), last_ns);
  two.rig->mark(WorldReader::kMover, two.begun_ns + 1 * kMs);
  const auto ahead_ns = two.rig->now_ns();
  two.live_ms(20);
  EXPECT_GE(two.rig->now_ns(), ahead_ns);
}

TEST(WorldTime, ABenchThatIsGoneIsNamed) {
  TwoPrograms two;
  const auto path = two.bench->path();
  two.bench.reset();
  const auto gone = WorldTime::open(path);
  ASSERT_FALSE(gone);
  EXPECT_THAT(gone.error().message, HasSubstr("virtual bench"));
}

}  // namespace
}  // namespace tactelier::devices
