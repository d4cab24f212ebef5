#include "devices/supervision/raw_zeros.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tactelier::rig {
namespace {

constexpr std::array<double, 6> kNano17{25, 25, 35, 0.25, 0.25, 0.25};
constexpr std::int64_t kMinute_ns = 60'000'000'000;

RawZero zero(double fz_N, double tx_Nm, std::int64_t time_ns) {
  return {{0.1, -0.2, fz_N, tx_Nm, 0, 0}, time_ns};
}

TEST(RawZeros, ATipsWeightAndAWarmUpPass) {
  RawZeros zeros;
  EXPECT_FALSE(zeros.add(zero(-3.0, 0.01, 0), kNano17)) << "the first, whatever it is";
  EXPECT_FALSE(zeros.add(zero(-3.0 - 0.15, 0.012, 5 * kMinute_ns), kNano17)) << "15 g and 2 mN m";
  EXPECT_EQ(zeros.history().size(), 2U);
}

TEST(RawZeros, TwoPercentOfTheRangeIsTold) {
  RawZeros zeros;
  (void)zeros.add(zero(-3, 0, 0), kNano17);
  EXPECT_FALSE(zeros.add(zero(-3 + 0.69, 0, 0), kNano17)) << "0.7 N are 2 % of 35 N";
  const auto shift = zeros.add(zero(-3 + 0.69 + 0.71, 0, 3 * kMinute_ns), kNano17);
  ASSERT_TRUE(shift);
  EXPECT_EQ(shift->axis, 2U);
  EXPECT_NEAR(shift->shift_SI, 0.71, 1e-12);
  EXPECT_NEAR(shift->after_s, 180, 1e-9);
}

TEST(RawZeros, AChucksTorqueShowsInATorqueAxisAlone) {
  RawZeros zeros;
  (void)zeros.add(zero(-3, 0, 0), kNano17);
  const auto shift = zeros.add(zero(-2.9, -0.0061, kMinute_ns), kNano17);
  ASSERT_TRUE(shift);
  EXPECT_EQ(shift->describe(),
            "the force sensor's raw zero of Tx moved by -0.0061 N m, -2.4 % of its range, in 1.0 "
            "min");
}

TEST(RawZeros, AxesWithoutARangeAreNotJudgedAndAnotherSensorBeginsAnew) {
  RawZeros zeros;
  (void)zeros.add(zero(0, 0, 0), {0, 0, 10, 0, 0, 0});
  EXPECT_FALSE(zeros.add(zero(0, 5, 0), {0, 0, 10, 0, 0, 0}));
  zeros.forget();
  EXPECT_FALSE(zeros.add(zero(9, 0, 0), {0, 0, 10, 0, 0, 0}));
}

TEST(RawZeros, AZeroThatWasToldIsTheNextOnesMeasure) {
  RawZeros zeros;
  (void)zeros.add(zero(0, 0, 0), kNano17);
  EXPECT_TRUE(zeros.add(zero(2, 0, 0), kNano17));
  EXPECT_FALSE(zeros.add(zero(2, 0, 0), kNano17));
  EXPECT_EQ(zeros.history().size(), 3U);
}

}  // namespace
}  // namespace tactelier::rig
