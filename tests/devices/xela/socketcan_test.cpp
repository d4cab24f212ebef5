// uSkin on a bus as Linux hands it over: bytes against the kernel's own struct, the driver against
// the emulated board on simulated time, and a minute through a socket of the kernel that keeps
// messages whole, as a CAN socket does. No CAN interface: containers have none.
#include "devices/xela/socketcan.hpp"

#include <gmock/gmock.h>
#include <linux/can.h>
#include <rapidcheck/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "devices/emulator/simulated_world.hpp"
#include "devices/emulator/uskin_emulator.hpp"
#include "devices/link/socket.hpp"
#include "devices/xela/uskin_array.hpp"
#include "tests/devices/support/array_world.hpp"
#include "tests/devices/support/hex.hpp"

namespace tactelier::devices {
namespace {

Bytes bytes_of(const can_frame& frame) {
  Bytes bytes(sizeof frame);
  std::memcpy(bytes.data(), &frame, sizeof frame);
  return bytes;
}

can_frame frame_of(std::uint32_t id, const Bytes& data) {
  can_frame frame{};
  frame.can_id = id;
  frame.len = static_cast<std::uint8_t>(data.size());
  std::copy(data.begin(), data.end(), std::begin(frame.data));
  return frame;
}

TEST(SocketCan, IsWhatTheKernelHandsOver) {
  static_assert(sizeof(can_frame) == CAN_MTU);
  const CanMessage message{0x713, from_hex("00 12 34 80 00 FF FF 00")};
  EXPECT_EQ(encode_socketcan(message), bytes_of(frame_of(0x713, message.data)));
  EXPECT_EQ(decode_socketcan(bytes_of(frame_of(0x713, message.data))), message);
  EXPECT_EQ(encode_socketcan({0x201, {7, 0}}), bytes_of(frame_of(0x201, {7, 0})));
  EXPECT_EQ(decode_socketcan(bytes_of(frame_of(0x7FF, {}))), (CanMessage{0x7FF, {}}));
}

TEST(SocketCan, LeavesOutWhatIsNoMessageOfData) {
  const Bytes data(8);
  for (const auto flag : {CAN_EFF_FLAG, CAN_RTR_FLAG, CAN_ERR_FLAG})
    EXPECT_FALSE(decode_socketcan(bytes_of(frame_of(0x710 | flag, data)))) << flag;
  auto frame = bytes_of(frame_of(0x710, data));
  frame[4] = 9;
  EXPECT_FALSE(decode_socketcan(frame));
  frame[4] = 8;
  frame.push_back(0);
  EXPECT_FALSE(decode_socketcan(frame));
  EXPECT_FALSE(decode_socketcan({}));
}

RC_GTEST_PROP(SocketCan, ComesBack, (std::uint16_t id, Bytes data)) {
  data.resize(std::min<std::size_t>(data.size(), 8));
  const CanMessage message{id & 0x7FFU, data};
  RC_ASSERT(decode_socketcan(encode_socketcan(message)) == message);
}

std::vector<double> numbered() {
  std::vector<double> counts;
  for (int tactel = 0; tactel < 16; ++tactel)
    for (const int channel : {30000, 31000, 18300}) counts.push_back(channel + tactel);
  return counts;
}

UskinOptions on_can0() {
  UskinOptions options;
  options.url = "can:can0";
  return options;
}

class UskinOnSocketCan : public ArrayWorld<UskinArray, UskinEmulator> {
 protected:
  void SetUp() override {
    UskinBoard board;
    board.adapter = false;
    emulator_ = std::make_unique<UskinEmulator>(
        board, [](std::int64_t) { return numbered(); }, world_.now_ns());
    world_.add("can:can0", *emulator_, true);
    open_and_start_with(on_can0());
  }
};

TEST_F(UskinOnSocketCan, CountsEveryRoundOfAMinute) {
  for (int i = 1; i < 55; ++i)
    inject({i % 2 == 0 ? FaultKind::kDrop : FaultKind::kCorrupt, i + 0.0003 * i, 1});
  ASSERT_TRUE(read_for(60));
  const auto& counters = array_->counters();
  EXPECT_EQ(counters.malformed, 54);
  EXPECT_NEAR(static_cast<double>(emulator_->rounds_sent()), 6000, 2);
  EXPECT_NEAR(static_cast<double>(counters.received + counters.malformed),
              static_cast<double>(emulator_->rounds_sent()), 1);
  for (const auto& frame : frames_) ASSERT_EQ(frame.counts, numbered());
}

TEST_F(UskinOnSocketCan, TakesARepeatedMessageOnceAndSlowOnesInTheirOrder) {
  inject({FaultKind::kRepeat, 0.5, 5});
  inject({FaultKind::kSlow, 1, 1, 0.5, 0.05});
  ASSERT_TRUE(read_for(2));
  EXPECT_EQ(array_->counters().duplicates, 5);
  EXPECT_EQ(array_->counters().malformed, 0);
}

TEST_F(UskinOnSocketCan, CountsTheRoundsThatALateMessageSpoils) {
  // Others overtake it: its own round lacks it, the one in which it comes has it twice.
  inject({FaultKind::kLate, 0.5, 1, 0, 0.095});
  ASSERT_TRUE(read_for(1));
  const auto& counters = array_->counters();
  EXPECT_GE(counters.malformed, 1);
  EXPECT_LE(counters.malformed, 2);
  EXPECT_NEAR(static_cast<double>(counters.received + counters.malformed),
              static_cast<double>(emulator_->rounds_sent()), 1);
  for (const auto& frame : frames_) ASSERT_EQ(frame.counts, numbered());
}

TEST_F(UskinOnSocketCan, ShowsSaturationAndCannotTellRepeatedReadingsNorAnAlarm) {
  inject({FaultKind::kWrongData, 0.1, 3});
  inject({FaultKind::kAlarm, 0.2});
  inject({FaultKind::kSaturate, 0.3});
  ASSERT_TRUE(read_for(0.5));
  EXPECT_EQ(frames_.back().counts, std::vector<double>(48, 65535));
  EXPECT_EQ(array_->counters().malformed, 0);
}

TEST_F(UskinOnSocketCan, TimesOutWhenTheBoardFreezesOrRestartsAndStreamsAfterAStart) {
  for (const auto kind : {FaultKind::kFreeze, FaultKind::kReset}) {
    inject({kind, 0.5, 1, 1});
    const auto ended = read_for(2);
    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error().code, ErrorCode::kTimeout);
    world_.wait_until(world_.now_ns() + 1'000'000'000);
    ASSERT_TRUE(array_->start());
    EXPECT_TRUE(read_for(0.5));
  }
}

TEST_F(UskinOnSocketCan, FailsAtOnceOnAHangUp) {
  inject({FaultKind::kHangUp, 0.5});
  const auto ended = read_for(2);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kIo);
}

TEST_F(UskinOnSocketCan, TakesNothingOldForNew) {
  ASSERT_TRUE(read_for(0.1));
  ASSERT_TRUE(array_->stop());
  world_.wait_until(world_.now_ns() + 500'000'000);
  const auto began_ns = world_.now_ns();
  ASSERT_TRUE(array_->start());
  frames_.clear();
  ASSERT_TRUE(read_for(0.1));
  EXPECT_GE(frames_.front().host_time_ns, began_ns);
  EXPECT_LE(frames_.size(), 11U);
  EXPECT_EQ(array_->counters().malformed, 0);
}

/// The kernel's frames on one end of a socket pair, the driver on the other.
TEST(UskinOnASocketOfTheKernel, StreamsAMinuteOfRoundsAfterItsTrigger) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()), 0);
  const Descriptor board(ends[0]);
  auto array = UskinArray::open(on_can0(), [&](std::string_view url, Timeout) {
    return Result<std::unique_ptr<Link>>(datagram_link(Descriptor(ends[1]), std::string(url)));
  });
  ASSERT_TRUE(array) << array.error().message;
  constexpr int kRounds = 6000;
  const std::jthread thread([&] {
    can_frame trigger{};
    if (::read(board.get(), &trigger, sizeof trigger) != sizeof trigger ||
        trigger.can_id != 0x201 || trigger.len != 2 || trigger.data[0] != 7)
      return;
    for (int round = 0; round < kRounds; ++round)
      for (std::uint32_t tactel = 0; tactel < 16; ++tactel) {
        const auto message =
            encode_uskin(0x710 + tactel, {round, 31000, static_cast<int>(18300 + tactel)});
        const auto frame = frame_of(message.id, message.data);
        if (::write(board.get(), &frame, sizeof frame) != sizeof frame) return;
      }
  });
  ASSERT_TRUE((*array)->start());
  std::vector<TactileFrame> frames;
  while (frames.size() < kRounds) {
    const auto got = (*array)->read(frames, Timeout(5000));
    ASSERT_TRUE(got) << got.error().message;
  }
  EXPECT_EQ((*array)->counters().malformed, 0);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    ASSERT_EQ(frames[i].counts[0], static_cast<double>(i));
    ASSERT_EQ(frames[i].counts[47], 18315);
  }
}

}  // namespace
}  // namespace tactelier::devices
