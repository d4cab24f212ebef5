// The driver against the emulated box, on simulated time and over real sockets.
#include "devices/ati/netft.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <thread>

#include "devices/emulator/emulator_host.hpp"
#include "devices/emulator/netft_emulator.hpp"
#include "devices/emulator/simulated_world.hpp"

namespace tactelier::devices {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr Timeout kSilence{100};
const NetFtOptions kOptions{"udp:box:49152", "http://box", std::nullopt};

/// A press that comes and goes once a second, up to 5 N.
std::array<double, 6> press(std::int64_t time_ns) {
  const double t_s = static_cast<double>(time_ns) * 1e-9;
  return {0.25, -0.5, -2.5 * (1 - std::cos(2 * M_PI * t_s)), 0.015, -0.002, 0};
}

class NetFtTest : public testing::Test {
 protected:
  void power_up() {
    rdt_ = std::make_unique<NetFtEmulator>(box_, press, world_.now_ns());
    web_ = std::make_unique<NetFtWebEmulator>(box_);
    world_.add("udp:box:49152", *rdt_, true);
    world_.add("tcp:box:80", *web_, false);
  }
  void open_and_start(const NetFtOptions& options = kOptions) {
    power_up();
    auto opened = NetFt::open(options, world_.connector());
    ASSERT_TRUE(opened) << opened.error().message;
    sensor_ = std::move(*opened);
    const auto started = sensor_->start();
    ASSERT_TRUE(started) << started.error().message;
  }
  /// Reads until the simulated time; the error that ended it sooner, if one did.
  Result<void> read_for(double time_s) {
    const auto end_ns = world_.now_ns() + static_cast<std::int64_t>(time_s * 1e9);
    while (world_.now_ns() < end_ns)
      if (auto got = sensor_->read(samples_, kSilence); !got) return got;
    return {};
  }
  void inject(Fault fault) { rdt_->inject(fault, world_.now_ns()); }

  SimulatedWorld world_;
  NetFtBox box_;
  std::unique_ptr<NetFtEmulator> rdt_;
  std::unique_ptr<NetFtWebEmulator> web_;
  std::unique_ptr<NetFt> sensor_;
  std::vector<ForceSample> samples_;
};

TEST_F(NetFtTest, StreamsForcesInNewtonsAtTheBoxesRate) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  ASSERT_TRUE(read_for(2));
  EXPECT_NEAR(static_cast<double>(samples_.size()), 2000, 2);
  EXPECT_EQ(sensor_->counters().lost, 0);
  EXPECT_EQ(samples_.front().record, 1);
  EXPECT_EQ(samples_.back().record, static_cast<std::int64_t>(samples_.size()));
  for (const auto& sample : samples_) {
    const auto wrench = sensor_->scale().wrench_SI(sample);
    const auto truth = press(sample.host_time_ns);
    for (std::size_t axis = 0; axis < 6; ++axis) ASSERT_NEAR(wrench[axis], truth[axis], 1e-6);
    ASSERT_TRUE(sample.valid);
  }
}

TEST_F(NetFtTest, TakesTheScaleFromTheBoxNotFromHabit) {
  box_.counts_per_N = 20480;  // an old Nano17
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  ASSERT_TRUE(read_for(0.1));
  const auto wrench = sensor_->scale().wrench_SI(samples_.back());
  EXPECT_NEAR(wrench[0], 0.25, 0.5 / 20480);
  EXPECT_NEAR(sensor_->scale().full_scale_SI[2], 17, 1e-12);
}

TEST_F(NetFtTest, SetsTheRateOneRequestAtATimeAndReadsItBack) {
  ASSERT_NO_FATAL_FAILURE(open_and_start({"udp:box:49152", "http://box", 7000}));
  EXPECT_EQ(sensor_->rate_hz(), 7000);
  ASSERT_TRUE(read_for(1));
  EXPECT_NEAR(static_cast<double>(samples_.size()), 7000, 4);
  EXPECT_EQ(sensor_->counters().lost, 0);
}

TEST_F(NetFtTest, DatesTheRecordsOfABufferedDatagramBackFromItsArrival) {
  box_.records_per_datagram = 40;
  box_.rdt_rate_hz = 2000;
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  ASSERT_TRUE(read_for(1));
  for (std::size_t i = 1; i < samples_.size(); ++i)
    ASSERT_NEAR(static_cast<double>(samples_[i].host_time_ns - samples_[i - 1].host_time_ns),
                500'000, 2);
}

TEST_F(NetFtTest, AsksAgainWhenTheFirstStartIsLost) {
  box_.deaf_to_starts = 3;
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  ASSERT_TRUE(read_for(0.1));
  EXPECT_EQ(samples_.front().record, 1);
}

TEST_F(NetFtTest, GivesUpAfterTenStartsAndSaysWhatToLookAt) {
  box_.deaf_to_starts = 1000;
  power_up();
  auto sensor = NetFt::open(kOptions, world_.connector());
  ASSERT_TRUE(sensor);
  const auto started = (*sensor)->start();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ErrorCode::kTimeout);
  EXPECT_THAT(started.error().message, AllOf(HasSubstr("nothing answers at udp:box:49152"),
                                             HasSubstr("10 start"), HasSubstr("firewall")));
  EXPECT_EQ(box_.deaf_to_starts, 990);
}

TEST_F(NetFtTest, SaysOfABoxThatHasStreamedThatItWasThere) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  ASSERT_TRUE(read_for(0.1));
  inject({FaultKind::kFreeze});
  const auto started = sensor_->start();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ErrorCode::kTimeout);
  EXPECT_THAT(started.error().message,
              AllOf(HasSubstr("it has streamed and is silent"), HasSubstr("10 start")));
}

TEST_F(NetFtTest, CountsExactlyWhatWasLost) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kDrop, 0.5, 12});
  ASSERT_TRUE(read_for(1));
  EXPECT_EQ(sensor_->counters().lost, 12);
  EXPECT_EQ(rdt_->records_sent() - sensor_->counters().received, 12);
}

TEST_F(NetFtTest, CountsEveryRecordOfAMinuteAtFullRate) {
  ASSERT_NO_FATAL_FAILURE(open_and_start({"udp:box:49152", "http://box", 7000}));
  for (int i = 1; i < 55; ++i)
    inject({i % 2 == 0 ? FaultKind::kDrop : FaultKind::kCorrupt, i + 0.0103 * i, 1 + i % 5});
  ASSERT_TRUE(read_for(60));
  const auto& counters = sensor_->counters();
  EXPECT_NEAR(static_cast<double>(rdt_->records_sent()), 420'000, 5);
  EXPECT_EQ(counters.received + counters.lost, samples_.back().record);
  EXPECT_NEAR(static_cast<double>(samples_.back().record),
              static_cast<double>(rdt_->records_sent()), 2);  // one may be on the way
  EXPECT_GT(counters.malformed, 54);
  EXPECT_GT(counters.lost, counters.malformed);
}

TEST_F(NetFtTest, TakesARepeatedRecordOnce) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kRepeat, 0.1, 5});
  ASSERT_TRUE(read_for(1));
  EXPECT_EQ(sensor_->counters().duplicates, 5);
  EXPECT_EQ(sensor_->counters().lost, 0);
}

TEST_F(NetFtTest, CountsARecordThatWasOvertakenAsLost) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kLate, 0.1, 3, 0, 0.0055});
  ASSERT_TRUE(read_for(1));
  EXPECT_EQ(sensor_->counters().out_of_order, 3);
  EXPECT_EQ(sensor_->counters().lost, 3);
  EXPECT_EQ(rdt_->records_sent() - sensor_->counters().received, 3);
  for (std::size_t i = 1; i < samples_.size(); ++i)
    ASSERT_GT(samples_[i].record, samples_[i - 1].record);
}

TEST_F(NetFtTest, MarksSaturatedSamplesAndRecordsThemAllTheSame) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kSaturate, 0.2, 1, 0.1});
  ASSERT_TRUE(read_for(1));
  std::int64_t invalid = 0;
  for (const auto& sample : samples_) {
    if (sample.valid) continue;
    ++invalid;
    EXPECT_EQ(sample.status, 0x80020000U);
    EXPECT_EQ(sample.counts[2], INT32_MIN);
  }
  EXPECT_NEAR(static_cast<double>(invalid), 100, 1);
  EXPECT_THAT(sensor_->describe_status(0x80020000), HasSubstr("saturation"));
}

TEST_F(NetFtTest, KeepsSamplesValidUnderALatchedMonitorCondition) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kAlarm, 0.1});
  ASSERT_TRUE(read_for(0.5));
  EXPECT_EQ(samples_.back().status, 0x80010000U);
  EXPECT_TRUE(samples_.back().valid);
}

TEST_F(NetFtTest, ReportsABoxThatSendsButMeasuresNoMore) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kWrongData, 0.1});
  const auto ended = read_for(1);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kDeviceFault);
  EXPECT_THAT(ended.error().message, HasSubstr("measures no more"));
  EXPECT_GT(samples_.size(), 50U);
}

TEST_F(NetFtTest, BearsNineMangledDatagramsAndReportsTen) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kCorrupt, 0.1, 9});
  ASSERT_TRUE(read_for(0.5));
  EXPECT_EQ(sensor_->counters().malformed, 9);
  EXPECT_EQ(sensor_->counters().lost, 9);
  inject({FaultKind::kCorrupt, 0.1, 10});
  const auto ended = read_for(1);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kProtocol);
  EXPECT_THAT(ended.error().message, HasSubstr("35 bytes"));
}

TEST_F(NetFtTest, TimesOutWhenTheBoxFallsSilentAndStreamsAfterItCameBack) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kReset, 0.1});
  const auto ended = read_for(1);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kTimeout);
  EXPECT_THAT(ended.error().message, HasSubstr("another program"));
  const auto before = samples_.back().record;
  ASSERT_TRUE(sensor_->start());
  ASSERT_TRUE(read_for(0.1));
  EXPECT_GT(samples_.back().record, before);
}

TEST_F(NetFtTest, StopsGettingRecordsWhenAnotherProgramStartsTheBox) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  auto other = world_.open("udp:box:49152");
  ASSERT_TRUE((*other)->send(encode({RdtCommand::kStart, 0}), kSilence));
  const auto ended = read_for(1);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kTimeout);
}

TEST_F(NetFtTest, GoesOnOverTheWrapOfBothCounters) {
  box_.first_rdt_sequence = 0xFFFFFFF0;
  box_.ft_at_power_up = 0xFFFFF000;  // 0.6 s before the wrap
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  ASSERT_TRUE(read_for(1));
  EXPECT_EQ(sensor_->counters().lost, 0);
  EXPECT_EQ(sensor_->counters().restarts, 0);
  EXPECT_GT(samples_.back().tick, 0x100000000);
}

TEST_F(NetFtTest, LeavesASilentWireBehind) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  ASSERT_TRUE(read_for(0.1));
  ASSERT_TRUE(sensor_->stop());
  const auto sent = rdt_->records_sent();
  world_.wait_until(world_.now_ns() + 1'000'000'000);
  EXPECT_EQ(rdt_->records_sent(), sent);
}

TEST_F(NetFtTest, RefusesABoxWhoseWebPageIsNoNetFt) {
  power_up();
  auto sensor = NetFt::open({"udp:box:49152", "ftp://box", std::nullopt}, world_.connector());
  ASSERT_FALSE(sensor);
  EXPECT_EQ(sensor.error().code, ErrorCode::kUsage);
  sensor = NetFt::open({"udp:box:49152", "http://nobody", std::nullopt}, world_.connector());
  ASSERT_FALSE(sensor);
  EXPECT_EQ(sensor.error().code, ErrorCode::kIo);
}

TEST(NetFtBoxTest, HonoursTheSampleCountAndItsShortLastDatagram) {
  SimulatedWorld world;
  NetFtBox box;
  box.records_per_datagram = 4;
  NetFtEmulator rdt(box, press, world.now_ns());
  world.add("udp:box:1", rdt, true);
  auto host = world.open("udp:box:1");
  ASSERT_TRUE((*host)->send(encode({RdtCommand::kStartBuffered, 10}), kSilence));
  std::vector<std::size_t> sizes;
  Bytes buffer(2048);
  while (const auto got = (*host)->receive(buffer, kSilence)) sizes.push_back(got->size / 36);
  EXPECT_THAT(sizes, testing::ElementsAre(4, 4, 2));
}

TEST(NetFtOverSockets, StreamsFromTheEmulatedBox) {
  NetFtBox box;
  NetFtEmulator rdt(box, press, steady_host_clock().now_ns());
  NetFtWebEmulator web(box);
  EmulatorHost host;
  const auto udp = host.add_udp(rdt);
  const auto tcp = host.add_tcp(web);
  ASSERT_TRUE(udp && tcp);
  const std::jthread thread([&](const std::stop_token& stop) { host.run(stop); });
  auto sensor = NetFt::open({*udp, "http://" + tcp->substr(4), 2000}, system_connector());
  ASSERT_TRUE(sensor) << sensor.error().message;
  ASSERT_TRUE((*sensor)->start());
  std::vector<ForceSample> samples;
  while (samples.size() < 500) {
    const auto got = (*sensor)->read(samples, Timeout(5000));
    ASSERT_TRUE(got) << got.error().message;
  }
  const auto& counters = (*sensor)->counters();
  EXPECT_EQ(samples.back().record, counters.received + counters.lost);
  EXPECT_GE(counters.lost, counters.lost_in_host);
  EXPECT_NEAR((*sensor)->scale().wrench_SI(samples.back())[0], 0.25, 1e-6);
  EXPECT_TRUE((*sensor)->stop());
}

TEST(CombinedLoad, AddsTheAxesAsASphere) {
  ForceScale scale;
  scale.full_scale_SI = {12, 12, 17, 0.12, 0.12, 0.12};
  EXPECT_DOUBLE_EQ(combined_load({0, 0, -17, 0, 0, 0}, scale), 1);
  // A side force of 4.8 N on a 25 mm tip: 0.4 of Fx, all of Ty.
  EXPECT_NEAR(combined_load({4.8, 0, 0, 0, 0.12, 0}, scale), std::hypot(0.4, 1.0), 1e-12);
  EXPECT_GT(combined_load({4.8, 0, 0, 0, 0.12, 0}, scale), kOverload);
  EXPECT_DOUBLE_EQ(combined_load({100, 0, 0, 0, 0, 0}, ForceScale{}), 0);
}

}  // namespace
}  // namespace tactelier::devices
