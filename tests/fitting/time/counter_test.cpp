#include "fitting/time/counter.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tactelier {
namespace {

TEST(Counter, GoesOnAcrossWrapsOfEightBits) {
  CounterReader reader({1, 0.01});
  double last = 0;
  for (int i = 0; i < 1000; ++i) last = reader.add(0.01 * i, i % 256);
  EXPECT_EQ(last, 999);
  EXPECT_EQ(reader.modulus(), 256);
  EXPECT_EQ(reader.wraps(), 3u);
  EXPECT_EQ(reader.missing(), 0u);
  EXPECT_TRUE(reader.restarts_s().empty());
}

TEST(Counter, GoesOnAcrossAWrapOfMicroseconds) {
  CounterReader reader({4000, 0.004});
  const double start = 4294967296.0 - 10 * 4000;
  double last = 0;
  for (int i = 0; i < 100; ++i)
    last = reader.add(0.004 * i, std::fmod(start + 4000 * i + i % 3, 4294967296.0));
  EXPECT_EQ(last, start + 4000 * 99);
  EXPECT_EQ(reader.modulus(), 4294967296.0);
  EXPECT_EQ(reader.missing(), 0u);
}

TEST(Counter, CountsWhatIsMissingEvenWhenItWrappedMeanwhile) {
  CounterReader reader({1, 0.01});
  double last = 0;
  for (int i = 0; i < 600; ++i) last = reader.add(0.01 * i, i % 256);
  last = reader.add(0.01 * 900, 900 % 256);  // 300 frames later: more than one turn
  EXPECT_EQ(last, 900);
  EXPECT_EQ(reader.missing(), 300u);
}

TEST(Counter, TellsARestartFromAWrap) {
  CounterReader reader({1, 0.01});
  for (int i = 0; i < 100; ++i) reader.add(0.01 * i, 1000 + i);
  reader.add(1.0, 0);
  EXPECT_TRUE(reader.restarted());
  ASSERT_EQ(reader.restarts_s().size(), 1u);
  EXPECT_EQ(reader.restarts_s()[0], 1.0);
  reader.add(1.01, 1);
  EXPECT_FALSE(reader.restarted());
}

TEST(Counter, TakesItsPaceFromTheMiddleOfTheRows) {
  const std::vector<double> time{0, 0.01, 0.02, 0.05, 0.06}, counter{254, 255, 0, 3, 4};
  const auto pace = counter_pace(time, counter);
  ASSERT_TRUE(pace);
  EXPECT_EQ(pace->step, 1);
  EXPECT_NEAR(pace->interval_s, 0.01, 1e-12);
  EXPECT_FALSE(counter_pace(time, std::vector<double>(5, 7.0)));
}

}  // namespace
}  // namespace tactelier
