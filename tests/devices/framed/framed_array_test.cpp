// The driver against emulated boards, on simulated time and over a pseudo-terminal.
#include "devices/framed/framed_array.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <thread>

#include "devices/emulator/emulator_host.hpp"
#include "devices/emulator/framed_emulator.hpp"
#include "devices/emulator/simulated_world.hpp"

namespace tactelier::devices {
namespace {

using testing::HasSubstr;

/// A 2 x 3 board with clock, frame number and CRC.
constexpr std::string_view kBoard = R"({"format": "tactelier/device", "version": 1, "name": "board",
  "source": "by hand", "port": {"baud": 460800}, "dialogue": {"start": "'S'", "stop": "'s'"},
  "frame": {"kind": "sync_fixed", "sync": "55 AA", "length": 23},
  "sequence": {"offset": 2, "type": "u8"}, "time": {"offset": 3, "type": "u32", "unit_s": 1e-6},
  "cells": {"rows": 2, "columns": 3, "offset": 7, "type": "u16", "order": "columns"},
  "check": {"kind": "crc32", "at": -4}})";

std::vector<double> counting(std::int64_t time_ns) {
  std::vector<double> counts(6);
  for (std::size_t i = 0; i < 6; ++i)
    counts[i] =
        static_cast<double>((time_ns / 1'000'000 + static_cast<std::int64_t>(i) * 100) % 4096);
  return counts;
}

class FramedArrayTest : public testing::Test {
 protected:
  void open_and_start(const FramedBoard& board = {}) {
    auto device = parse_device_description(kBoard, "board.json");
    ASSERT_TRUE(device) << device.error().message;
    board_ = std::make_unique<FramedEmulator>(*device, board, counting, world_.now_ns());
    world_.add("pty:board?baud=460800", *board_, false);
    auto opened = FramedArray::open("pty:board", *device, world_.connector());
    ASSERT_TRUE(opened) << opened.error().message;
    array_ = std::move(*opened);
    ASSERT_TRUE(array_->start());
  }
  Result<void> read_for(double time_s) {
    const auto end_ns = world_.now_ns() + static_cast<std::int64_t>(time_s * 1e9);
    while (world_.now_ns() < end_ns)
      if (auto got = array_->read(frames_, Timeout(200)); !got) return got;
    return {};
  }
  void inject(Fault fault) { board_->inject(fault, world_.now_ns()); }

  SimulatedWorld world_;
  std::unique_ptr<FramedEmulator> board_;
  std::unique_ptr<FramedArray> array_;
  std::vector<TactileFrame> frames_;
};

TEST_F(FramedArrayTest, StreamsReadingsInTheirPlaces) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  ASSERT_TRUE(read_for(2));
  EXPECT_NEAR(static_cast<double>(frames_.size()), 200, 2);
  EXPECT_EQ(array_->counters().lost, 0);
  for (const auto& frame : frames_) {
    ASSERT_EQ(frame.counts.size(), 6U);
    for (std::size_t i = 1; i < 6; ++i)
      ASSERT_EQ(std::fmod(frame.counts[i] - frame.counts[0] + 4096, 4096),
                100.0 * static_cast<double>(i));
    // A frame of 23 bytes takes 0.5 ms at 460800 baud, and is read once its last byte is there.
    const double sent_ms = static_cast<double>(frame.host_time_ns) * 1e-6;
    ASSERT_NEAR(std::fmod(sent_ms, 4096) - frame.counts[0], 1, 1);
  }
}

TEST_F(FramedArrayTest, GoesOnOverTheWrapOfClockAndFrameNumber) {
  ASSERT_NO_FATAL_FAILURE(open_and_start({100, 0, 0xFFFFFFFF - 500'000, 250}));
  ASSERT_TRUE(read_for(4));  // the number of 8 bits wraps after 2.6 s, the clock after 0.5 s
  EXPECT_EQ(array_->counters().lost, 0);
  for (std::size_t i = 1; i < frames_.size(); ++i) {
    ASSERT_EQ(*frames_[i].sequence - *frames_[i - 1].sequence, 1);
    ASSERT_NEAR(static_cast<double>(*frames_[i].tick - *frames_[i - 1].tick), 10'000, 1);
  }
}

TEST_F(FramedArrayTest, CountsExactlyWhatWasLostOrDamaged) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kDrop, 0.5, 7});
  inject({FaultKind::kCorrupt, 1, 5});
  ASSERT_TRUE(read_for(2));
  EXPECT_EQ(array_->counters().lost, 12);
  EXPECT_EQ(array_->counters().malformed, 5);
  EXPECT_EQ(board_->frames_sent() - array_->counters().received, 12);
}

TEST_F(FramedArrayTest, CountsEveryFrameOfAMinuteAtFullRate) {
  ASSERT_NO_FATAL_FAILURE(open_and_start({1000, 0, 0, 0}));
  for (int i = 1; i < 55; ++i)
    inject({i % 2 == 0 ? FaultKind::kDrop : FaultKind::kCorrupt, i + 0.0103 * i, 1 + i % 3});
  ASSERT_TRUE(read_for(60));
  const auto& counters = array_->counters();
  EXPECT_NEAR(static_cast<double>(board_->frames_sent()), 60'000, 3);
  EXPECT_NEAR(static_cast<double>(counters.received + counters.lost),
              static_cast<double>(board_->frames_sent()), 1);  // one may be on the way
  EXPECT_EQ(counters.lost, 54 * 2);
  EXPECT_EQ(counters.malformed, 27 * 2);
}

TEST_F(FramedArrayTest, TakesARepeatedFrameOnce) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kRepeat, 0.5, 3});
  ASSERT_TRUE(read_for(1));
  EXPECT_EQ(array_->counters().duplicates, 3);
  EXPECT_EQ(array_->counters().lost, 0);
}

TEST_F(FramedArrayTest, SeesThatTheBoardBeganAnew) {
  ASSERT_NO_FATAL_FAILURE(open_and_start({100, 0, 0, 50}));
  inject({FaultKind::kReset, 0.5});
  EXPECT_FALSE(read_for(1));  // it waits to be started
  ASSERT_TRUE(array_->start());
  ASSERT_TRUE(read_for(0.5));
  EXPECT_EQ(array_->counters().restarts, 1);
}

/// Of a simulated world that stands until its reader comes back (world_time.hpp).
class StandingLink final : public Link, public HostClock {
 public:
  Result<Received> receive(std::span<std::uint8_t>, Timeout timeout) override {
    waited += timeout;
    return fail(ErrorCode::kTimeout, "silent");
  }
  Result<void> send(ByteView, Timeout) override { return {}; }
  const std::string& url() const override { return url_; }
  HostClock& clock() const override { return const_cast<StandingLink&>(*this); }
  std::int64_t now_ns() const override { return 5'000'000'000; }
  void wait_until(std::int64_t) override {}

  static inline Timeout waited{0};

 private:
  std::string url_ = "pty:standing";
};

TEST(FramedArrayInAStandingWorld, ComesBackWhenItHasWaitedLongEnough) {
  const auto device = parse_device_description(kBoard, "board.json").value();
  const auto array = FramedArray::open("pty:standing", device, [](std::string_view, Timeout) {
                       return Result<std::unique_ptr<Link>>(std::make_unique<StandingLink>());
                     }).value();
  ASSERT_TRUE(array->start());
  StandingLink::waited = Timeout{0};
  std::vector<TactileFrame> frames;
  const auto silent = array->read(frames, Timeout(7));
  ASSERT_FALSE(silent);
  EXPECT_EQ(silent.error().code, ErrorCode::kTimeout);
  EXPECT_EQ(StandingLink::waited, Timeout(7));
}

TEST_F(FramedArrayTest, TimesOutOnSilenceAndFailsOnAHangUp) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kFreeze, 0.5, 1, 0.5});
  auto ended = read_for(1);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kTimeout);
  EXPECT_THAT(ended.error().message, HasSubstr("no frame of 'board'"));
  world_.wait_until(world_.now_ns() + 1'000'000'000);
  EXPECT_TRUE(read_for(0.2));
  inject({FaultKind::kHangUp, 0.1});
  ended = read_for(1);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kIo);
}

TEST_F(FramedArrayTest, GetsLateAndSlowFramesLaterButWhole) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kLate, 0.1, 3, 0, 0.05});
  inject({FaultKind::kSlow, 0.5, 1, 0.2, 0.05});
  ASSERT_TRUE(read_for(1.5));
  EXPECT_EQ(array_->counters().lost + array_->counters().malformed, 0);
  EXPECT_EQ(board_->frames_sent(), array_->counters().received);
}

TEST_F(FramedArrayTest, ReadsItsEndEverywhereWhenTheBoardIsSaturated) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kSaturate, 0.1});
  ASSERT_TRUE(read_for(0.5));
  EXPECT_THAT(frames_.back().counts, testing::Each(4095));
}

// A board has no alarm, and readings that it sends again look like any others: nothing on the wire
// tells.
TEST_F(FramedArrayTest, CantTellReadingsThatAreSentAgain) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kAlarm, 0.1});
  inject({FaultKind::kWrongData, 0.2, 3});
  ASSERT_TRUE(read_for(0.5));
  EXPECT_EQ(array_->counters().lost + array_->counters().malformed, 0);
  EXPECT_EQ(array_->counters().duplicates, 0);
  int same = 0;
  for (std::size_t i = 1; i < frames_.size(); ++i)
    same += frames_[i].counts == frames_[i - 1].counts;
  EXPECT_EQ(same, 3);
}

TEST_F(FramedArrayTest, SaysThatNothingOfWhatComesFits) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kCorrupt, 0, 1000});
  const auto ended = read_for(1);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kProtocol);
  EXPECT_THAT(ended.error().message, HasSubstr("baud rate"));
}

TEST(PolledArray, AsksForEachFrame) {
  const auto device = load_device_description("touch-detect-6x6");
  ASSERT_TRUE(device);
  SimulatedWorld world;
  FramedEmulator board(
      *device, {}, [](std::int64_t) { return std::vector<double>(36, 0x7E7D); }, world.now_ns());
  world.add("pty:board?baud=115200", board, false);
  auto array = FramedArray::open("pty:board", *device, world.connector());
  ASSERT_TRUE(array && (*array)->start());
  std::vector<TactileFrame> frames;
  const auto start_ns = world.now_ns();
  while (frames.size() < 30) ASSERT_TRUE((*array)->read(frames, Timeout(200)));
  EXPECT_EQ(frames.back().counts, std::vector<double>(36, 0x7E7D));
  EXPECT_NEAR(static_cast<double>(world.now_ns() - start_ns) * 1e-9, 30 * 0.03, 0.2);
}

TEST(FramedArrayOverAPty, StreamsATextBoard) {
  auto device = load_device_description("flexitac-12x32");
  ASSERT_TRUE(device);
  device->wait_after_open = Timeout(0);
  FramedEmulator board(
      *device, {200, 0, 0, 0}, [](std::int64_t) { return std::vector<double>(384, 42); },
      steady_host_clock().now_ns());
  EmulatorHost host;
  const auto url = host.add_pty(board);
  ASSERT_TRUE(url);
  const std::jthread thread([&](const std::stop_token& stop) { host.run(stop); });
  auto array = FramedArray::open(*url, *device, system_connector());
  ASSERT_TRUE(array) << array.error().message;
  ASSERT_TRUE((*array)->start());
  std::vector<TactileFrame> frames;
  while (frames.size() < 20) {
    const auto got = (*array)->read(frames, Timeout(5000));
    ASSERT_TRUE(got) << got.error().message;
  }
  EXPECT_EQ(frames.back().counts, std::vector<double>(384, 42));
}

}  // namespace
}  // namespace tactelier::devices
