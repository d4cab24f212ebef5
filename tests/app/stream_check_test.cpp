// What makes a stream good or not, worked by hand on records without a device.
#include "app/workflow/stream_check.hpp"

#include <gmock/gmock.h>

namespace tactelier::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::int64_t kMs = 1'000'000;

/// A Nano17 of 12 N and 0.12 N*m, a count of 1 uN and 1 uN*m.
class SilentSensor final : public devices::ForceSensor {
 public:
  SilentSensor() {
    scale_.SI_per_count.fill(1e-6);
    scale_.full_scale_SI = {12, 12, 17, 0.12, 0.12, 0.12};
  }
  Result<void> start() override { return {}; }
  Result<void> read(std::vector<devices::ForceSample>&, devices::Timeout) override { return {}; }
  Result<void> stop() override { return {}; }
  const devices::ForceScale& scale() const override { return scale_; }
  double rate_hz() const override { return 1000; }
  const devices::StreamCounters& counters() const override { return counters_; }
  std::string describe_status(std::uint32_t) const override { return "saturation"; }

 private:
  devices::ForceScale scale_;
  devices::StreamCounters counters_;
};

devices::ForceSample sample(std::int64_t time_ns, std::array<std::int32_t, 6> counts, bool valid) {
  return {time_ns, 0, 0, counts, valid ? 0U : 0x80020000U, valid};
}

TEST(UnusableRecordsTest, KeepHowManyWhenAndTheLargestAxis) {
  const SilentSensor sensor;
  UnusableRecords all;
  for (std::int64_t ms = 0; ms < 100; ++ms) {
    UnusableRecords read;  // as a watch does, one read at a time
    const bool saturated = ms >= 40 && ms < 60;
    read.add(sample(ms * kMs, {0, 0, saturated ? -2'000'000'000 : -1000, 0, 0, 0}, !saturated),
             sensor);
    all.add(read);
  }
  EXPECT_EQ(all.count, 20);
  EXPECT_EQ(all.axis, "Fz");
  EXPECT_EQ(words_of(all, 0),
            "20 records can't be used, 0.040 to 0.059 s after the first: saturation; largest axis "
            "Fz");
  EXPECT_EQ(words_of(UnusableRecords{}, 0), "");
}

// 0.1 N*m of 0.12 is nearer to its end than 9 N of 12; both together are 1.12 of the range.
TEST(UnusableRecordsTest, CountWhatIsBeyondTheCalibratedRangeThoughTheDeviceSaysNothing) {
  const SilentSensor sensor;
  UnusableRecords all;
  all.add(sample(0, {9'000'000, 0, 0, 0, 0, 0}, true), sensor);
  EXPECT_EQ(all.count, 0);
  all.add(sample(kMs, {9'000'000, 0, 0, 0, 100'000, 0}, true), sensor);
  EXPECT_EQ(all.count, 1);
  EXPECT_THAT(words_of(all, 0), AllOf(HasSubstr("1 record can't be used, 0.001 s"),
                                      HasSubstr("beyond the calibrated range; largest axis Ty")));
}

class StreamRateTest : public testing::Test {
 protected:
  /// One record per millisecond for that long, after `pause_ms` of nothing.
  void send(std::int64_t records, std::int64_t pause_ms = 0) {
    now_ns_ += pause_ms * kMs;
    for (std::int64_t i = 0; i < records; ++i) rate_.add(1, now_ns_ += kMs, counters_);
  }
  StreamRate rate_;
  devices::StreamCounters counters_;
  std::int64_t now_ns_ = 0;
};

// 3 s: 2 % and 2 x 20 ms / 3 s = 1.33 %, 33.3 /s of 1000.
TEST_F(StreamRateTest, AllowsForClocksAndForLateArrivals) {
  EXPECT_EQ(rate_.words(1000), "");  // nothing has come
  send(3001);
  EXPECT_NEAR(rate_.rate_hz().value_or(0), 1000, 1e-9);
  EXPECT_NEAR(rate_.tolerance_hz(1000), 1000 * (0.02 + 0.04 / 3), 1e-9);
  EXPECT_EQ(rate_.words(1000), "");
  EXPECT_EQ(rate_.words(1030), "");
  EXPECT_THAT(rate_.words(1050), AllOf(HasSubstr("sends 1000.0 records/s"),
                                       HasSubstr("the device file states 1050"), HasSubstr("2 %")));
  EXPECT_NE(rate_.words(950), "");
}

TEST_F(StreamRateTest, CountsWhatWasLostAsSent) {
  send(1000);
  counters_.lost = 500;
  send(1001, 500);
  EXPECT_NEAR(rate_.rate_hz().value_or(0), 1000, 1e-9);
}

TEST_F(StreamRateTest, AllowsForMoreWhereArrivalsLieFurtherApart) {
  send(1001);
  send(1, 300);
  EXPECT_NEAR(rate_.tolerance_hz(1000), 1000 * (0.02 + 2 * 0.301 / 1.301), 1e-9);
}

TEST_F(StreamRateTest, BeginsAnewBehindASilenceOrARestart) {
  send(1000);
  counters_.timeouts = 1;
  send(2001, 700);
  EXPECT_NEAR(rate_.rate_hz().value_or(0), 1000, 1e-9);
  counters_.restarts = 1;
  send(2001, 700);
  EXPECT_NEAR(rate_.rate_hz().value_or(0), 1000, 1e-9);
}

}  // namespace
}  // namespace tactelier::test
