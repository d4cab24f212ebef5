// The driver against the emulated array, on simulated time and over a pseudo-terminal.
#include "devices/weiss/wts_array.hpp"

#include <gmock/gmock.h>

#include <thread>

#include "devices/emulator/emulator_host.hpp"
#include "devices/emulator/simulated_world.hpp"
#include "devices/emulator/wts_emulator.hpp"
#include "tests/devices/support/array_world.hpp"
#include "tests/devices/support/hex.hpp"

namespace tactelier::devices {
namespace {

using testing::HasSubstr;

std::vector<double> pressed(std::int64_t) {
  std::vector<double> counts(84, 12);
  counts[40] = 3000;
  return counts;
}

class WtsArrayTest : public ArrayWorld<WtsArray, WtsEmulator> {
 protected:
  void power_up(const WtsBoard& board = {}) {
    emulator_ = std::make_unique<WtsEmulator>(board, pressed, world_.now_ns());
    world_.add("pty:wts", *emulator_, false);
  }
  void open_and_start(const WtsOptions& options = {"pty:wts", 20, false},
                      const WtsBoard& board = {}) {
    power_up(board);
    open_and_start_with(options);
  }
};

TEST_F(WtsArrayTest, AsksForItsShapeAndStreams) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  EXPECT_EQ(array_->shape().rows, 14);
  EXPECT_EQ(array_->shape().columns, 6);
  EXPECT_DOUBLE_EQ(array_->matrix().pitch_x_m, 3.4e-3);
  ASSERT_TRUE(read_for(2));
  EXPECT_NEAR(static_cast<double>(frames_.size()), 100, 2);
  EXPECT_EQ(frames_.back().counts, pressed(0));
  EXPECT_EQ(array_->counters().lost, 0);
  for (std::size_t i = 1; i < frames_.size(); ++i)
    ASSERT_NEAR(static_cast<double>(*frames_[i].tick - *frames_[i - 1].tick), 20, 1);
}

TEST_F(WtsArrayTest, CountsEveryFrameOfAMinuteAtFullRate) {
  WtsBoard board;
  board.baud = 4e6;
  ASSERT_NO_FATAL_FAILURE(open_and_start({"pty:wts", 4, false}, board));
  for (int i = 1; i < 55; ++i)
    inject({i % 2 == 0 ? FaultKind::kDrop : FaultKind::kCorrupt, i + 0.0103 * i, 1 + i % 3});
  ASSERT_TRUE(read_for(60));
  const auto& counters = array_->counters();
  EXPECT_NEAR(static_cast<double>(emulator_->frames_sent()), 15'000, 3);
  EXPECT_NEAR(static_cast<double>(counters.received + counters.lost),
              static_cast<double>(emulator_->frames_sent()), 1);  // one may be on the way
  EXPECT_EQ(counters.lost, 54 * 2);
  for (const auto& frame : frames_) ASSERT_EQ(frame.counts, pressed(0));
}

TEST_F(WtsArrayTest, TakesARealLinesTimeForAFrame) {
  // 181 bytes of 10 bits at 115200 baud: 15.7 ms.
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  ASSERT_TRUE(read_for(0.5));
  const auto device_ms = static_cast<double>(*frames_.back().tick);
  const auto host_ms = static_cast<double>(frames_.back().host_time_ns - 1'000'000'000) * 1e-6;
  EXPECT_NEAR(host_ms - device_ms, 15.7, 0.6);
}

TEST_F(WtsArrayTest, ReadsRunLengthsToo) {
  ASSERT_NO_FATAL_FAILURE(open_and_start({"pty:wts", 10, true}));
  ASSERT_TRUE(read_for(1));
  EXPECT_NEAR(static_cast<double>(frames_.size()), 100, 2);
  EXPECT_EQ(frames_.back().counts, pressed(0));
}

TEST_F(WtsArrayTest, FindsAnArrayThatStreamsFromAnEarlierConnection) {
  power_up();
  auto earlier = world_.open("pty:wts");
  ASSERT_TRUE((*earlier)->send(from_hex("AA AA AA 21 03 00 00 14 00 D9 AB"), Timeout(100)));
  world_.wait_until(world_.now_ns() + 505'000'000);
  auto opened = WtsArray::open({"pty:wts", 20, false}, world_.connector());
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_TRUE((*opened)->start());
}

TEST_F(WtsArrayTest, CountsLostFramesByTheDevicesClock) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kDrop, 0.5, 3});
  inject({FaultKind::kCorrupt, 1, 2});
  ASSERT_TRUE(read_for(2));
  EXPECT_EQ(array_->counters().lost, 5);
  EXPECT_EQ(array_->counters().malformed, 2);
  EXPECT_EQ(emulator_->frames_sent() - array_->counters().received, 5);
}

TEST_F(WtsArrayTest, GoesOnOverTheWrapOfItsClock) {
  WtsBoard board;
  board.first_ms = 0xFFFFFFFF - 500;
  ASSERT_NO_FATAL_FAILURE(open_and_start({"pty:wts", 20, false}, board));
  ASSERT_TRUE(read_for(2));
  EXPECT_EQ(array_->counters().lost, 0);
  EXPECT_EQ(array_->counters().restarts, 0);
  EXPECT_GT(*frames_.back().tick, 0x100000000);
}

TEST_F(WtsArrayTest, TakesARepeatedFrameOnce) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kRepeat, 0.5, 2});
  ASSERT_TRUE(read_for(1));
  EXPECT_EQ(array_->counters().duplicates, 2);
  EXPECT_EQ(array_->counters().lost, 0);
}

TEST_F(WtsArrayTest, SaysWhatTheDeviceRefuses) {
  power_up();
  auto opened = WtsArray::open({"pty:wts", 20, false}, world_.connector());
  ASSERT_TRUE(opened);
  inject({FaultKind::kAlarm});
  const auto started = (*opened)->start();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ErrorCode::kDeviceFault);
  EXPECT_THAT(started.error().message, HasSubstr("command 0x21: no sensor"));
}

TEST_F(WtsArrayTest, TimesOutWhenTheArrayRestartedAndStreamsAfterAStart) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kReset, 0.5});
  const auto ended = read_for(2);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kTimeout);
  ASSERT_TRUE(array_->start());
  EXPECT_TRUE(read_for(0.5));
}

TEST_F(WtsArrayTest, FailsAtOnceOnAHangUp) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kHangUp, 0.5});
  const auto ended = read_for(2);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kIo);
}

TEST_F(WtsArrayTest, SaysThatNothingAnswersLikeAWts) {
  power_up();
  inject({FaultKind::kCorrupt, 0, 100});
  const auto opened = WtsArray::open({"pty:wts", 20, false}, world_.connector());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kTimeout);
  EXPECT_THAT(opened.error().message, HasSubstr("is it a Weiss WTS?"));
}

TEST_F(WtsArrayTest, SaysThatNothingAnswersWhereNoByteCame) {
  power_up();
  inject({FaultKind::kFreeze});
  const auto opened = WtsArray::open({"pty:wts", 20, false}, world_.connector());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kTimeout);
  EXPECT_THAT(opened.error().message,
              testing::AllOf(HasSubstr("nothing answers at pty:wts"), HasSubstr("power")));
}

TEST_F(WtsArrayTest, LeavesASilentArrayBehind) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  ASSERT_TRUE(read_for(0.2));
  ASSERT_TRUE(array_->stop());
  const auto sent = emulator_->frames_sent();
  world_.wait_until(world_.now_ns() + 1'000'000'000);
  EXPECT_EQ(emulator_->frames_sent(), sent);
}

TEST(WtsEmulatorTest, AnswersTheManualsCommandsByteForByte) {
  SimulatedWorld world;
  WtsEmulator wts({}, pressed, world.now_ns());
  world.add("pty:wts", wts, false);
  auto host = world.open("pty:wts");
  const auto ask = [&](std::string_view request) {
    EXPECT_TRUE((*host)->send(from_hex(request), Timeout(1)));
    Bytes heard, bytes(4096);
    while (const auto got = (*host)->receive(bytes, Timeout(15)))
      heard.insert(heard.end(), bytes.begin(),
                   bytes.begin() + static_cast<std::ptrdiff_t>(got->size));
    return heard;
  };
  EXPECT_EQ(ask("AA AA AA 30 00 00 CA CF"),
            from_hex("AA AA AA 30 0C 00 00 00 06 00 0E 00 54 01 54 01 FF 0F 59 3E"));
  EXPECT_EQ(ask("AA AA AA 7F 00 00" + std::string(" ") + "00 00"), Bytes{});  // wrong CRC: silence
  EXPECT_EQ(ask("AA AA AA 21 03 00 00 FF FF 9E 1B").size(), 0U);              // the same
  EXPECT_EQ(ask("AA AA AA 22 00 00 0E 76"), encode(WtsFrame{WtsCommand::kStopPeriodic, {0, 0}}));
}

TEST(WtsOverAPty, Streams) {
  WtsEmulator wts({}, pressed, steady_host_clock().now_ns());
  EmulatorHost host;
  const auto url = host.add_pty(wts);
  ASSERT_TRUE(url);
  const std::jthread thread([&](const std::stop_token& stop) { host.run(stop); });
  auto array = WtsArray::open({*url, 20, true}, system_connector());
  ASSERT_TRUE(array) << array.error().message;
  ASSERT_TRUE((*array)->start());
  std::vector<TactileFrame> frames;
  while (frames.size() < 10) {
    const auto got = (*array)->read(frames, Timeout(5000));
    ASSERT_TRUE(got) << got.error().message;
  }
  EXPECT_EQ(frames.back().counts, pressed(0));
  EXPECT_TRUE((*array)->stop());
}

}  // namespace
}  // namespace tactelier::devices
