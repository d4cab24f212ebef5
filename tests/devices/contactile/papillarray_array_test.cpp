// The driver against the emulated controller, on simulated time and over a pseudo-terminal.
#include "devices/contactile/papillarray_array.hpp"

#include <gmock/gmock.h>

#include <thread>

#include "devices/emulator/emulator_host.hpp"
#include "devices/emulator/papillarray_emulator.hpp"
#include "devices/emulator/simulated_world.hpp"
#include "tests/devices/support/array_world.hpp"
#include "tests/devices/support/bench_speed.hpp"

namespace tactelier::devices {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// X, Y and Z of each pillar are told apart; whole binary fractions, which floats hold.
std::vector<double> numbered(int pillars, double first = 0) {
  std::vector<double> forces_N;
  for (int pillar = 0; pillar < pillars; ++pillar)
    for (const double channel : {-1.0, 1.0, 5.0})
      forces_N.push_back(first + channel + 0.125 * pillar);
  return forces_N;
}

/// Of two arrays: the second feels 2 N more.
std::vector<double> forces_at(std::int64_t) {
  auto forces_N = numbered(9);
  for (const double more : numbered(9, 2)) forces_N.push_back(more);
  return forces_N;
}

PapillArrayOptions at(std::string url) {
  PapillArrayOptions options;
  options.url = std::move(url);
  return options;
}

class PapillArrayTest : public ArrayWorld<PapillArray, PapillArrayEmulator> {
 protected:
  void power_up(const PapillArrayBoard& board = {}) {
    emulator_ = std::make_unique<PapillArrayEmulator>(board, forces_at, world_.now_ns());
    world_.add("pty:papillarray", *emulator_, false);
  }
  void open_and_start(const PapillArrayOptions& options = at("pty:papillarray"),
                      const PapillArrayBoard& board = {}) {
    power_up(board);
    open_and_start_with(options);
  }
};

TEST_F(PapillArrayTest, StreamsForcesOfNinePillarsWithNumberAndClock) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  EXPECT_EQ(array_->shape().rows, 3);
  EXPECT_EQ(array_->shape().columns, 3);
  EXPECT_EQ(array_->shape().channels, 3);
  EXPECT_TRUE(array_->shape().floating);
  EXPECT_EQ(array_->shape().tick_s, 1e-6);
  ASSERT_TRUE(read_for(1));
  EXPECT_NEAR(static_cast<double>(frames_.size()), 1000, 2);
  EXPECT_EQ(frames_.back().counts, numbered(9));
  EXPECT_EQ(*frames_[7].tick - *frames_[6].tick, 1000);
  EXPECT_EQ(*frames_[7].sequence - *frames_[6].sequence, 1);
}

TEST_F(PapillArrayTest, ReadsTheSecondArrayAndDisplacements) {
  PapillArrayBoard board;
  board.sensors = 2;
  auto options = at("pty:papillarray");
  options.array = 1;
  ASSERT_NO_FATAL_FAILURE(open_and_start(options, board));
  ASSERT_TRUE(read_for(0.1));
  EXPECT_EQ(frames_.back().counts, numbered(9, 2));
  options.displacements = true;
  array_ = std::move(*PapillArray::open(options, world_.connector()));
  ASSERT_TRUE(array_->start());
  ASSERT_TRUE(read_for(0.1));
  EXPECT_NEAR(frames_.back().counts[2], 0.7, 1e-6);
}

TEST_F(PapillArrayTest, SetsTheRateUnlessWeOnlyLook) {
  auto options = at("pty:papillarray");
  options.rate_hz = 250;
  options.change_settings = false;
  ASSERT_NO_FATAL_FAILURE(open_and_start(options));
  EXPECT_EQ(emulator_->rate_hz(), 1000);
  options.change_settings = true;
  ASSERT_NO_FATAL_FAILURE(open_and_start(options));
  ASSERT_TRUE(read_for(2));
  EXPECT_EQ(emulator_->rate_hz(), 250);
  frames_.clear();
  ASSERT_TRUE(read_for(2));
  EXPECT_NEAR(static_cast<double>(frames_.size()), 500, 2);
  EXPECT_EQ(array_->counters().lost, 0);
}

TEST_F(PapillArrayTest, CountsEveryPacketOfAMinuteAtFullRate) {
  PapillArrayBoard board;
  board.sensors = 2;
  ASSERT_NO_FATAL_FAILURE(open_and_start(at("pty:papillarray"), board));
  for (int i = 1; i < 55; ++i)
    inject({i % 2 == 0 ? FaultKind::kDrop : FaultKind::kCorrupt, i + 0.0103 * i, 1 + i % 3});
  ASSERT_TRUE(read_for(60));
  const auto& counters = array_->counters();
  EXPECT_NEAR(static_cast<double>(emulator_->packets_sent()), 60'000, 5);
  EXPECT_NEAR(static_cast<double>(counted()), static_cast<double>(emulator_->packets_sent()), 5);
  EXPECT_EQ(counters.lost, 54 * 2);
  EXPECT_EQ(counters.malformed, 27 * 2);
  EXPECT_EQ(counted(), *frames_.back().sequence - *frames_.front().sequence + 1);
  for (const auto& frame : frames_) ASSERT_EQ(frame.counts, numbered(9));
}

TEST_F(PapillArrayTest, GoesOnOverTheWrapOfItsNumbers) {
  PapillArrayBoard board;
  board.first_number = 0xFFFFFFFF - 500;
  ASSERT_NO_FATAL_FAILURE(open_and_start(at("pty:papillarray"), board));
  ASSERT_TRUE(read_for(1));
  EXPECT_EQ(array_->counters().lost, 0);
  EXPECT_EQ(array_->counters().restarts, 0);
  EXPECT_GT(*frames_.back().sequence, 0x100000000);
}

TEST_F(PapillArrayTest, ReadsThePacketsOfSlipDetectionAlike) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  auto other = world_.open("pty:papillarray");
  ASSERT_TRUE((*other)->send(view_of("S\n"), Timeout(100)));
  ASSERT_TRUE(read_for(1));
  EXPECT_EQ(array_->counters().malformed, 0);
  EXPECT_EQ(frames_.back().counts, numbered(9));
}

TEST_F(PapillArrayTest, TakesARepeatedPacketOnce) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kRepeat, 0.5, 5});
  ASSERT_TRUE(read_for(1));
  EXPECT_EQ(array_->counters().duplicates, 5);
  EXPECT_EQ(array_->counters().malformed, 0);
}

TEST_F(PapillArrayTest, TakesLateAndSlowPacketsInTheirOrder) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kLate, 0.5, 3, 0, 0.1});
  inject({FaultKind::kSlow, 1, 1, 0.5, 0.05});
  ASSERT_TRUE(read_for(2));
  EXPECT_EQ(array_->counters().malformed, 0);
  EXPECT_EQ(array_->counters().lost, 0);
}

TEST_F(PapillArrayTest, ShowsTheEndsOfItsRanges) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kSaturate});
  ASSERT_TRUE(read_for(0.5));
  EXPECT_EQ(frames_.back().counts[1], 4);
  EXPECT_EQ(frames_.back().counts[2], 15);
}

TEST_F(PapillArrayTest, CannotTellForcesThatAreTheLastOnesAgainNorAnAlarm) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kWrongData, 0.5, 3});
  inject({FaultKind::kAlarm, 0.7});
  ASSERT_TRUE(read_for(1));
  EXPECT_EQ(array_->counters().malformed, 0);
  EXPECT_EQ(array_->counters().duplicates, 0);
}

TEST_F(PapillArrayTest, TimesOutWhenItFreezesAndCountsWhatItMissed) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kFreeze, 0.5, 1, 2});
  const auto ended = read_for(2);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kTimeout);
  EXPECT_EQ(array_->counters().timeouts, 1);
  while (!array_->read(frames_, Timeout(200))) {
  }
  EXPECT_NEAR(static_cast<double>(array_->counters().lost), 2000, 3);
}

TEST_F(PapillArrayTest, CountsARestart) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kReset, 0.5});
  ASSERT_TRUE(read_for(1));
  EXPECT_EQ(array_->counters().restarts, 1);
  EXPECT_EQ(array_->counters().lost, 0);
}

TEST_F(PapillArrayTest, FailsAtOnceOnAHangUp) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kHangUp, 0.5});
  const auto ended = read_for(2);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kIo);
}

TEST_F(PapillArrayTest, TakesNothingOldForNew) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  ASSERT_TRUE(array_->stop());
  world_.wait_until(world_.now_ns() + 300'000'000);
  ASSERT_TRUE(array_->start());
  ASSERT_TRUE(read_for(0.1));
  EXPECT_GE(*frames_.front().tick, 300'000);
  EXPECT_EQ(array_->counters().lost, 0);
}

TEST_F(PapillArrayTest, SaysWhatIsMissing) {
  power_up();
  auto options = at("pty:papillarray");
  options.array = 1;
  const auto other = PapillArray::open(options, world_.connector());
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::kInvalidInput);
  EXPECT_THAT(other.error().message, HasSubstr("the controller sends 1 array"));
  options = at("pty:papillarray");
  options.rate_hz = 200;
  const auto rate = PapillArray::open(options, world_.connector());
  ASSERT_FALSE(rate);
  EXPECT_EQ(rate.error().code, ErrorCode::kUsage);
  EXPECT_THAT(rate.error().message, HasSubstr("100, 250, 500, 1000"));
  inject({FaultKind::kCorrupt, 0, 100'000});
  const auto garbled = PapillArray::open(at("pty:papillarray"), world_.connector());
  ASSERT_FALSE(garbled);
  EXPECT_EQ(garbled.error().code, ErrorCode::kTimeout);
  EXPECT_THAT(garbled.error().message, HasSubstr("is it a PapillArray's controller?"));
}

TEST_F(PapillArrayTest, SaysThatNothingAnswersWhereNoByteCame) {
  power_up();
  inject({FaultKind::kFreeze});
  const auto opened = PapillArray::open(at("pty:papillarray"), world_.connector());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kTimeout);
  EXPECT_THAT(opened.error().message,
              AllOf(HasSubstr("nothing answers at pty:papillarray"), HasSubstr("power")));
}

TEST(PapillArrayOverAPty, StreamsAMinuteWithNothingLost) {
  EmulatorHost host(2 * rig::kBenchSpeed);
  PapillArrayBoard board;
  board.sensors = 2;
  PapillArrayEmulator controller(board, forces_at, host.now_ns());
  const auto url = host.add_pty(controller);
  ASSERT_TRUE(url);
  const std::jthread thread([&](const std::stop_token& stop) { host.run(stop); });
  auto array = PapillArray::open(at(*url), system_connector());
  ASSERT_TRUE(array) << array.error().message;
  ASSERT_TRUE((*array)->start());
  std::vector<TactileFrame> frames;
  while (frames.size() < 60'000) {
    const auto got = (*array)->read(frames, Timeout(5000));
    ASSERT_TRUE(got) << got.error().message;
  }
  EXPECT_EQ((*array)->counters().malformed, 0);
  EXPECT_EQ((*array)->counters().lost, 0);
  EXPECT_EQ(frames.back().counts, numbered(9));
}

}  // namespace
}  // namespace tactelier::devices
