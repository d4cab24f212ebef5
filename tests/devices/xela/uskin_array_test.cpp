// The driver against the emulated adapter and board, on simulated time and over a pseudo-terminal.
#include "devices/xela/uskin_array.hpp"

#include <gmock/gmock.h>

#include <thread>

#include "devices/emulator/emulator_host.hpp"
#include "devices/emulator/simulated_world.hpp"
#include "devices/emulator/uskin_emulator.hpp"
#include "tests/devices/support/array_world.hpp"

namespace tactelier::devices {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// X, Y and Z of each tactel are told apart.
std::vector<double> numbered() {
  std::vector<double> counts;
  for (int tactel = 0; tactel < 16; ++tactel)
    for (const int channel : {30000, 31000, 18300}) counts.push_back(channel + tactel);
  return counts;
}

std::vector<double> counts_at(std::int64_t) { return numbered(); }

UskinOptions at(std::string url) {
  UskinOptions options;
  options.url = std::move(url);
  return options;
}

class UskinArrayTest : public ArrayWorld<UskinArray, UskinEmulator> {
 protected:
  void power_up(const UskinBoard& board = {}) {
    emulator_ = std::make_unique<UskinEmulator>(board, counts_at, world_.now_ns());
    world_.add("pty:can", *emulator_, false);
  }
  void open_and_start(const UskinOptions& options = at("pty:can")) {
    power_up();
    open_and_start_with(options);
  }
};

TEST_F(UskinArrayTest, StreamsAllThreeChannels) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  EXPECT_EQ(array_->shape().rows, 4);
  EXPECT_EQ(array_->shape().columns, 4);
  EXPECT_EQ(array_->shape().channels, 3);
  ASSERT_TRUE(read_for(2));
  EXPECT_NEAR(static_cast<double>(frames_.size()), 200, 2);
  EXPECT_EQ(frames_.back().counts, numbered());
}

TEST_F(UskinArrayTest, CountsEveryRoundOfAMinute) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  for (int i = 1; i < 55; ++i)
    inject({i % 2 == 0 ? FaultKind::kDrop : FaultKind::kCorrupt, i + 0.0003 * i, 1});
  ASSERT_TRUE(read_for(60));
  const auto& counters = array_->counters();
  EXPECT_EQ(counters.malformed, 54);
  EXPECT_NEAR(static_cast<double>(counters.received + counters.malformed),
              static_cast<double>(emulator_->rounds_sent()), 1);  // one may be on the way
  for (const auto& frame : frames_) ASSERT_EQ(frame.counts, numbered());
}

TEST_F(UskinArrayTest, TakesARepeatedMessageOnce) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kRepeat, 0.5, 5});
  ASSERT_TRUE(read_for(1));
  EXPECT_EQ(array_->counters().duplicates, 5);
  EXPECT_EQ(array_->counters().malformed, 0);
}

TEST_F(UskinArrayTest, TakesLateAndSlowMessagesInTheirOrder) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kLate, 0.5, 3, 0, 0.1});
  inject({FaultKind::kSlow, 1, 1, 0.5, 0.05});
  ASSERT_TRUE(read_for(2));
  EXPECT_EQ(array_->counters().malformed, 0);
}

TEST_F(UskinArrayTest, ShowsSaturationAsTheDeviceDoes) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kSaturate});
  ASSERT_TRUE(read_for(0.5));
  EXPECT_EQ(frames_.back().counts, std::vector<double>(48, 65535));
}

TEST_F(UskinArrayTest, CannotTellARoundThatIsTheLastOnesAgain) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kWrongData, 0.5, 3});
  ASSERT_TRUE(read_for(1));
  EXPECT_EQ(array_->counters().malformed, 0);
  EXPECT_EQ(array_->counters().duplicates, 0);
}

TEST_F(UskinArrayTest, TimesOutWhenItFreezesAndGoesOn) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kFreeze, 0.5, 1, 1});
  const auto ended = read_for(2);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kTimeout);
  world_.wait_until(world_.now_ns() + 1'000'000'000);
  EXPECT_TRUE(read_for(0.5));
}

TEST_F(UskinArrayTest, TimesOutWhenTheAdapterRestartedAndStreamsAfterAStart) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kReset, 0.5});
  const auto ended = read_for(2);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kTimeout);
  ASSERT_TRUE(array_->start());
  EXPECT_TRUE(read_for(0.5));
}

TEST_F(UskinArrayTest, FailsAtOnceOnAHangUp) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kHangUp, 0.5});
  const auto ended = read_for(2);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kIo);
}

TEST_F(UskinArrayTest, SaysWhatTheAdapterRefuses) {
  power_up();
  auto opened = UskinArray::open(at("pty:can"), world_.connector());
  ASSERT_TRUE(opened);
  inject({FaultKind::kAlarm, 0, 2});  // C, whose refusal is as good as an answer, and S8
  const auto started = (*opened)->start();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ErrorCode::kDeviceFault);
  EXPECT_THAT(started.error().message, HasSubstr("refuses 'S8'"));
}

TEST_F(UskinArrayTest, TimesOutWhereAnotherBoardIsMeant) {
  power_up();
  auto options = at("pty:can");
  options.board = 2;
  array_ = std::move(*UskinArray::open(options, world_.connector()));
  ASSERT_TRUE(array_->start());
  const auto read = read_for(1);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("no whole round of tactels"));
}

TEST_F(UskinArrayTest, FindsABoardThatStreamsFromAnEarlierConnection) {
  power_up();
  auto earlier = world_.open("pty:can");
  ASSERT_TRUE((*earlier)->send(view_of("S8\rO\rt20120700\rt7"), Timeout(100)));
  world_.wait_until(world_.now_ns() + 305'000'000);
  EXPECT_GT(emulator_->rounds_sent(), 20);
  auto opened = UskinArray::open(at("pty:can"), world_.connector());
  ASSERT_TRUE(opened) << opened.error().message;
  ASSERT_TRUE((*opened)->start());
  std::vector<TactileFrame> frames;
  ASSERT_TRUE((*opened)->read(frames, Timeout(100)));
  EXPECT_EQ((*opened)->counters().malformed, 0);
}

TEST_F(UskinArrayTest, LeavesAClosedChannelBehind) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  ASSERT_TRUE(read_for(0.2));
  ASSERT_TRUE(array_->stop());
  const auto sent = emulator_->rounds_sent();
  world_.wait_until(world_.now_ns() + 1'000'000'000);
  EXPECT_EQ(emulator_->rounds_sent(), sent);
}

TEST_F(UskinArrayTest, SaysThatNothingAnswersWhereNoByteCame) {
  power_up();
  inject({FaultKind::kFreeze});
  const auto opened = UskinArray::open(at("pty:can"), world_.connector());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kTimeout);
  EXPECT_THAT(opened.error().message,
              AllOf(HasSubstr("nothing answers at pty:can"), HasSubstr("power")));
}

TEST_F(UskinArrayTest, RefusesOptionsThatMakeNoSense) {
  power_up();
  const auto refused = [&](auto change) {
    auto options = at("pty:can");
    change(options);
    const auto opened = UskinArray::open(options, world_.connector());
    return !opened && opened.error().code == ErrorCode::kUsage;
  };
  EXPECT_FALSE(refused([](UskinOptions&) {}));
  EXPECT_TRUE(refused([](UskinOptions& o) { o.rows = 0; }));
  EXPECT_TRUE(refused([](UskinOptions& o) { o.rows = 241; }));
  EXPECT_TRUE(refused([](UskinOptions& o) { o.board = 0; }));
  EXPECT_TRUE(refused([](UskinOptions& o) { o.first_id = 0x7F1; }));
  EXPECT_FALSE(refused([](UskinOptions& o) { o.first_id = 0x7F0; }));
}

TEST(UskinOverAPty, StreamsAMinuteWithoutDamage) {
  EmulatorHost host(40);
  UskinEmulator uskin({}, counts_at, host.now_ns());
  const auto url = host.add_pty(uskin);
  ASSERT_TRUE(url);
  const std::jthread thread([&](const std::stop_token& stop) { host.run(stop); });
  auto array = UskinArray::open(at(*url), system_connector());
  ASSERT_TRUE(array) << array.error().message;
  ASSERT_TRUE((*array)->start());
  std::vector<TactileFrame> frames;
  while (frames.size() < 6000) {
    const auto got = (*array)->read(frames, Timeout(5000));
    ASSERT_TRUE(got) << got.error().message;
  }
  EXPECT_EQ((*array)->counters().malformed, 0);
  EXPECT_EQ(frames.back().counts, numbered());
  EXPECT_TRUE((*array)->stop());
}

}  // namespace
}  // namespace tactelier::devices
