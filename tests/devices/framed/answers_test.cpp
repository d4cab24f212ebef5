// Boards that answer a poll with bytes that hold no marks.

#include <gmock/gmock.h>

#include <cmath>

#include "devices/emulator/framed_emulator.hpp"
#include "devices/emulator/simulated_world.hpp"
#include "devices/framed/framed_array.hpp"

namespace tactelier::devices {
namespace {

using testing::HasSubstr;

constexpr std::string_view kBoard = R"({"format": "tactelier/device", "version": 1, "name": "asked",
  "source": "by hand", "port": {"baud": 115200}, "dialogue": {"poll": "'?'", "poll_ms": 5},
  "frame": {"kind": "answer", "length": 8, "locks_after": 3},
  "cells": {"rows": 2, "columns": 2, "type": "u16"}})";

DeviceDescription asked() { return parse_device_description(kBoard, "asked.json").value(); }

std::vector<double> counting(std::int64_t time_ns) {
  const auto ms = static_cast<double>(time_ns / 1'000'000 % 4096);
  return {ms, ms, ms, ms};
}

struct Asked {
  Asked() {
    EXPECT_TRUE(array->start());
    EXPECT_TRUE(read_for(0.1));
  }
  Result<void> read_for(double time_s) {
    frames.clear();
    const auto end_ns = world.now_ns() + static_cast<std::int64_t>(time_s * 1e9);
    while (world.now_ns() < end_ns)
      if (auto got = array->read(frames, Timeout(500)); !got) return got;
    return {};
  }
  void inject(const Fault& fault) { board.inject(fault, world.now_ns()); }
  const StreamCounters& counters() const { return array->counters(); }

  SimulatedWorld world;
  FramedEmulator board{asked(), {}, counting, world.now_ns()};
  std::unique_ptr<FramedArray> array = [this] {
    world.add("pty:board?baud=115200", board, false);
    return FramedArray::open("pty:board", asked(), world.connector()).value();
  }();
  std::vector<TactileFrame> frames;
};

TEST(Answers, ComeAtThePaceOfThePollsWithTheStampOfTheirArrival) {
  Asked rig;
  ASSERT_TRUE(rig.read_for(10));
  EXPECT_NEAR(static_cast<double>(rig.frames.size()), 2000, 2);
  EXPECT_EQ(rig.counters().lost + rig.counters().malformed, 0);
  for (const auto& frame : rig.frames) {
    ASSERT_EQ(frame.counts.size(), 4U);
    // Measured 2 ms after the poll; 8 bytes take 0.7 ms.
    const double stamp_ms = static_cast<double>(frame.host_time_ns) * 1e-6;
    ASSERT_NEAR(std::fmod(stamp_ms, 4096) - frame.counts[0], 1, 1);
  }
}

TEST(Answers, ThatNeverComeAreLostAndAskedForAgain) {
  Asked rig;
  rig.inject({FaultKind::kDrop, 0, 3});
  ASSERT_TRUE(rig.read_for(1));
  EXPECT_EQ(rig.counters().lost, 3);
  EXPECT_EQ(rig.counters().malformed, 0);
  EXPECT_NEAR(static_cast<double>(rig.frames.size()), 200 - 3 * 6, 3);  // 30 ms each
}

TEST(Answers, OfAnotherLengthAreNoneAndTrustComesBackAfterThree) {
  Asked rig;
  rig.inject({FaultKind::kRepeat, 0.1, 2});
  ASSERT_TRUE(rig.read_for(0.5));
  EXPECT_EQ(rig.counters().malformed, 2);
  EXPECT_EQ(rig.counters().lost, 2 + 2);
  for (std::size_t i = 1; i < rig.frames.size(); ++i)
    ASSERT_LT(rig.frames[i - 1].host_time_ns, rig.frames[i].host_time_ns);
}

TEST(Answers, ThatTakeLongerThanThePollsAreWaitedFor) {
  Asked rig;
  rig.inject({FaultKind::kSlow, 0, 1, 1, 0.02});
  ASSERT_TRUE(rig.read_for(0.9));
  EXPECT_EQ(rig.counters().lost + rig.counters().malformed, 0);
  EXPECT_NEAR(static_cast<double>(rig.frames.size()), 900 / 22.7, 3);
}

TEST(Answers, SilenceIsATimeOutWithEveryPollCounted) {
  Asked rig;
  rig.inject({FaultKind::kFreeze, 0, 1, 1});
  const auto silent = rig.read_for(0.8);
  ASSERT_FALSE(silent);
  EXPECT_EQ(silent.error().code, ErrorCode::kTimeout);
  rig.world.wait_until(rig.world.now_ns() + 600'000'000);
  ASSERT_TRUE(rig.array->start());
  ASSERT_TRUE(rig.read_for(0.2));
  EXPECT_GE(rig.counters().lost, 4);
}

TEST(Answers, AreNotReadFromABoardThatSendsOfItsOwnAccord) {
  SimulatedWorld world;
  auto streaming = asked();
  streaming.poll.clear();
  FramedEmulator board(streaming, {200, 0, 0, 0, {}}, counting, world.now_ns());
  world.add("pty:board?baud=115200", board, false);
  const auto array = FramedArray::open("pty:board", asked(), world.connector()).value();
  const auto started = array->start();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ErrorCode::kProtocol);
  EXPECT_THAT(started.error().message, HasSubstr("sends without being asked"));
  EXPECT_THAT(started.error().message, HasSubstr("Set it to answer only"));
}

/// Eight bytes at a time as a frame's, cut at another place.
TEST(Answers, OfABoardThatBeganToSendMeanwhileAreNotBelieved) {
  const auto device = asked();
  FrameFinder finder(device.frame, device.check);
  const Bytes sent(1000, 0x11);
  std::size_t at = 0, believed = 0;
  for (int poll = 0; poll < 60; ++poll) {
    const auto size = poll % 3 == 2 ? 12U : 8U;  // 500 frames a second under 333 polls
    finder.add(ByteView(sent).subspan(at, size));
    at += size;
    finder.end_answer();
    believed += finder.next() ? 1 : 0;
  }
  EXPECT_EQ(believed, 0U);
  EXPECT_EQ(finder.malformed(), 20);
}

TEST(Answers, AreDescribedWithAPollAndWithoutMarks) {
  const auto refusal = [](std::string_view from, std::string_view to) {
    std::string text(kBoard);
    text.replace(text.find(from), from.size(), to);
    const auto device = parse_device_description(text, "asked.json");
    return device ? "" : device.error().message;
  };
  EXPECT_THAT(refusal(R"("poll": "'?'", )", ""),
              HasSubstr("asked.json: dialogue.poll: needed by frames that are answers"));
  EXPECT_THAT(refusal(R"("length": 8)", R"("length": 8, "sync": "AA")"),
              HasSubstr("frame.sync: an answer needs no marks"));
  EXPECT_THAT(refusal(R"("length": 8)", R"("length": 7)"), HasSubstr("don't fit a frame of 7"));
}

}  // namespace
}  // namespace tactelier::devices
