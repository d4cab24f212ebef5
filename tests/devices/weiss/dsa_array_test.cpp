// The driver against the emulated controller, on simulated time, over a pseudo-terminal and TCP.
#include "devices/weiss/dsa_array.hpp"

#include <gmock/gmock.h>

#include <numeric>
#include <thread>
#include <utility>

#include "devices/emulator/dsa_emulator.hpp"
#include "devices/emulator/emulator_host.hpp"
#include "devices/emulator/simulated_world.hpp"
#include "tests/devices/support/array_world.hpp"
#include "tests/devices/support/hex.hpp"

namespace tactelier::devices {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::size_t kHandCells = 3 * 6 * (14 + 13);

/// Each cell reads its number, modulo 4000: whoever mixes matrices or rows is found out.
std::vector<double> numbered(std::size_t count) {
  std::vector<double> counts(count);
  for (std::size_t i = 0; i < count; ++i) counts[i] = static_cast<double>(i % 4000);
  return counts;
}

std::vector<double> hand_counts(std::int64_t) { return numbered(kHandCells); }

DsaBoard hand(double baud = kNetworkBaud) {
  DsaBoard board;
  board.matrices = sdh_matrices();
  board.baud = baud;
  return board;
}

DsaOptions at(std::string url) {
  DsaOptions options;
  options.url = std::move(url);
  return options;
}

class DsaArrayTest : public ArrayWorld<DsaArray, DsaEmulator> {
 protected:
  DsaArrayTest() { timeout_ms_ = 400; }
  void power_up(const DsaBoard& board = hand()) {
    emulator_ = std::make_unique<DsaEmulator>(board, hand_counts, world_.now_ns());
    world_.add("tcp:dsa", *emulator_, false);
  }
  void open_and_start(const DsaOptions& options = at("tcp:dsa"), const DsaBoard& board = hand()) {
    power_up(board);
    open_and_start_with(options);
  }
};

TEST_F(DsaArrayTest, AsksForItsMatricesAndStreamsAllOfThem) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  ASSERT_EQ(array_->matrices().size(), 6U);
  EXPECT_EQ(array_->matrices()[1].rows, 13);
  EXPECT_NEAR(array_->matrices()[0].texel_width_m, 3.4e-3, 1e-9);
  EXPECT_EQ(array_->controller().firmware, 289);
  EXPECT_EQ(array_->shape().rows, 81);
  EXPECT_EQ(array_->shape().columns, 6);
  ASSERT_TRUE(read_for(2));
  EXPECT_NEAR(static_cast<double>(frames_.size()), 60, 2);
  EXPECT_EQ(frames_.back().counts, numbered(kHandCells));
  for (std::size_t i = 1; i < frames_.size(); ++i)
    ASSERT_NEAR(static_cast<double>(*frames_[i].tick - *frames_[i - 1].tick), 33, 1);
}

TEST_F(DsaArrayTest, HandsOnOneMatrixWithItsOwnShape) {
  auto options = at("tcp:dsa");
  options.matrices = {3};
  ASSERT_NO_FATAL_FAILURE(open_and_start(options));
  EXPECT_EQ(array_->shape().rows, 13);
  EXPECT_EQ(array_->shape().columns, 6);
  ASSERT_TRUE(read_for(0.2));
  // Behind 84, 78 and 84 cells.
  std::vector<double> expected(78);
  std::iota(expected.begin(), expected.end(), 84 + 78 + 84);
  EXPECT_EQ(frames_.back().counts, expected);
}

TEST_F(DsaArrayTest, HandsOnMatricesInTheOrderAskedFor) {
  auto options = at("tcp:dsa");
  options.matrices = {2, 3, 4, 5, 0, 1};  // as the hand's ROS driver has its fingers
  ASSERT_NO_FATAL_FAILURE(open_and_start(options));
  ASSERT_TRUE(read_for(0.2));
  const auto& counts = frames_.back().counts;
  ASSERT_EQ(counts.size(), kHandCells);
  EXPECT_EQ(counts.front(), 84 + 78);
  EXPECT_EQ(counts[kHandCells - 162], 0);
}

TEST_F(DsaArrayTest, IsOneRowWhereMatricesDifferInWidth) {
  auto board = hand();
  board.matrices = {DsaMatrix{6, 14}, DsaMatrix{4, 4}};
  ASSERT_NO_FATAL_FAILURE(open_and_start(at("tcp:dsa"), board));
  EXPECT_EQ(array_->shape().rows, 1);
  EXPECT_EQ(array_->shape().columns, 100);
}

TEST_F(DsaArrayTest, RefusesAMatrixThatIsNotThere) {
  power_up();
  auto options = at("tcp:dsa");
  options.matrices = {0, 6};
  const auto opened = DsaArray::open(options, world_.connector());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kInvalidInput);
  EXPECT_THAT(opened.error().message, AllOf(HasSubstr("matrices: 6"), HasSubstr("5: 13 x 6")));
}

TEST_F(DsaArrayTest, RefusesOptionsThatMakeNoSense) {
  power_up();
  const auto refused = [&](auto change) {
    auto options = at("tcp:dsa");
    change(options);
    const auto opened = DsaArray::open(options, world_.connector());
    return !opened && opened.error().code == ErrorCode::kUsage;
  };
  EXPECT_FALSE(refused([](DsaOptions&) {}));
  EXPECT_TRUE(refused([](DsaOptions& o) { o.rate_hz = 31; }));
  EXPECT_TRUE(refused([](DsaOptions& o) { o.rate_hz = 0; }));
  EXPECT_TRUE(refused([](DsaOptions& o) { o.threshold = 4096; }));
  EXPECT_TRUE(refused([](DsaOptions& o) { o.sensitivity = 1.5; }));
  EXPECT_TRUE(refused([](DsaOptions& o) { o.matrices = {1, 2, 1}; }));
}

TEST_F(DsaArrayTest, CountsEveryFrameOfAMinuteAtFullRate) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  for (int i = 1; i < 55; ++i)
    inject({i % 2 == 0 ? FaultKind::kDrop : FaultKind::kCorrupt, i + 0.01 * i, 1 + i % 3});
  ASSERT_TRUE(read_for(60));
  EXPECT_NEAR(static_cast<double>(emulator_->frames_sent()), 1800, 2);
  EXPECT_EQ(counted(), emulator_->frames_sent());
  EXPECT_EQ(array_->counters().lost, 54 * 2);
  EXPECT_EQ(array_->counters().malformed, 27 * 2);
}

TEST_F(DsaArrayTest, CountsLostFramesWhateverRateTheControllerKeeps) {
  // One that sends 30 where 10 are asked for: two lost frames are 100 ms, one period of 10 Hz.
  for (const bool keeps : {false, true}) {
    auto board = hand();
    board.keeps_rate = keeps;
    auto options = at("tcp:dsa");
    options.rate_hz = 10;
    ASSERT_NO_FATAL_FAILURE(open_and_start(options, board));
    inject({FaultKind::kDrop, 1.5, 2});
    ASSERT_TRUE(read_for(3));
    EXPECT_EQ(array_->counters().lost, 2) << keeps;
    EXPECT_EQ(counted(), emulator_->frames_sent());
    EXPECT_NEAR(static_cast<double>(counted()), keeps ? 30 : 90, 2);
  }
}

TEST_F(DsaArrayTest, ReadsRunLengthsToo) {
  auto options = at("tcp:dsa");
  options.run_lengths = true;
  ASSERT_NO_FATAL_FAILURE(open_and_start(options));
  ASSERT_TRUE(read_for(1));
  EXPECT_NEAR(static_cast<double>(frames_.size()), 30, 1);
  EXPECT_EQ(frames_.back().counts, numbered(kHandCells));
}

TEST_F(DsaArrayTest, TakesWhatARealLineCarries) {
  // 985 bytes of 10 bits at 115200 baud: 85.5 ms, so every third of 30 frames a second.
  ASSERT_NO_FATAL_FAILURE(open_and_start(at("tcp:dsa"), hand(115200)));
  ASSERT_TRUE(read_for(3));
  EXPECT_NEAR(static_cast<double>(frames_.size()), 30, 1);
  EXPECT_NEAR(static_cast<double>(emulator_->frames_skipped()), 60, 2);
  EXPECT_EQ(array_->counters().malformed, 0);
}

TEST_F(DsaArrayTest, FindsAnArrayThatStreamsFromAnEarlierConnection) {
  power_up();
  auto earlier = world_.open("tcp:dsa");
  ASSERT_TRUE((*earlier)->send(from_hex("AA AA AA 03 03 00 81 1E 00 2C 76"), Timeout(100)));
  world_.wait_until(world_.now_ns() + 505'000'000);
  EXPECT_GT(emulator_->frames_sent(), 10);
  auto opened = DsaArray::open(at("tcp:dsa"), world_.connector());
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_TRUE((*opened)->start());
}

TEST_F(DsaArrayTest, WaitsForAControllerThatWasJustSwitchedOn) {
  power_up();
  inject({FaultKind::kReset});
  world_.wait_until(world_.now_ns() + 1'000'000);
  const auto began_ns = world_.now_ns();
  auto opened = DsaArray::open(at("tcp:dsa"), world_.connector());
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_NEAR(static_cast<double>(world_.now_ns() - began_ns) * 1e-9, 9.2, 0.3);
}

TEST_F(DsaArrayTest, TakesAStreamBackAfterAPowerDipWithItsSettings) {
  auto options = at("tcp:dsa");
  options.threshold = 100;
  options.sensitivity = 0.75;
  options.matrices = {1, 4};
  ASSERT_NO_FATAL_FAILURE(open_and_start(options));
  EXPECT_EQ(emulator_->threshold(1), 100);
  EXPECT_EQ(emulator_->sensitivity(4), 0.75);
  EXPECT_EQ(emulator_->threshold(0), 0);
  EXPECT_EQ(emulator_->sensitivity(0), 0.5);
  inject({FaultKind::kReset, 0.5});
  const auto ended = read_for(2);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kTimeout);
  EXPECT_EQ(emulator_->threshold(1), 0);
  const auto again = array_->start();
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(read_for(0.5));
  EXPECT_EQ(emulator_->threshold(1), 100);
  EXPECT_EQ(emulator_->sensitivity(4), 0.75);
  EXPECT_EQ(emulator_->persistent_writes(), 0);
}

TEST_F(DsaArrayTest, LeavesSettingsAloneWhereWeOnlyLook) {
  auto options = at("tcp:dsa");
  options.threshold = 100;
  options.sensitivity = 0.75;
  options.change_settings = false;
  ASSERT_NO_FATAL_FAILURE(open_and_start(options));
  EXPECT_EQ(emulator_->threshold(0), 0);
  EXPECT_EQ(emulator_->sensitivity(0), 0.5);
}

TEST_F(DsaArrayTest, RefusesAThresholdThatTheFirmwareDoesNotKnow) {
  auto board = hand();
  board.firmware = 218;
  power_up(board);
  auto options = at("tcp:dsa");
  EXPECT_TRUE(DsaArray::open(options, world_.connector()));
  options.threshold = 100;
  const auto opened = DsaArray::open(options, world_.connector());
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, HasSubstr("firmware 218"));
}

TEST_F(DsaArrayTest, GoesOnOverTheWrapOfItsClock) {
  auto board = hand();
  board.first_ms = 0xFFFFFFFF - 2000;
  ASSERT_NO_FATAL_FAILURE(open_and_start(at("tcp:dsa"), board));
  ASSERT_TRUE(read_for(4));
  EXPECT_EQ(array_->counters().lost, 0);
  EXPECT_EQ(array_->counters().restarts, 0);
  EXPECT_GT(*frames_.back().tick, 0x100000000);
}

TEST_F(DsaArrayTest, TakesARepeatedFrameOnce) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kRepeat, 0.5, 2});
  ASSERT_TRUE(read_for(1));
  EXPECT_EQ(array_->counters().duplicates, 2);
  EXPECT_EQ(array_->counters().lost, 0);
}

TEST_F(DsaArrayTest, TakesLateFramesInTheirOrder) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kLate, 0.5, 2, 0, 0.2});
  inject({FaultKind::kSlow, 1.5, 1, 0.5, 0.05});
  ASSERT_TRUE(read_for(3));
  EXPECT_EQ(array_->counters().restarts, 0);
  EXPECT_EQ(array_->counters().lost, 0);
  EXPECT_NEAR(static_cast<double>(counted()), static_cast<double>(emulator_->frames_sent()), 2);
}

TEST_F(DsaArrayTest, ShowsSaturationAsTheDeviceDoes) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kSaturate});
  ASSERT_TRUE(read_for(0.5));
  EXPECT_EQ(frames_.back().counts, std::vector<double>(kHandCells, 4095));
}

TEST_F(DsaArrayTest, CannotTellAFrameThatIsTheLastOnesAgain) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kWrongData, 0.5, 3});
  ASSERT_TRUE(read_for(1));
  EXPECT_EQ(array_->counters().malformed, 0);
  EXPECT_EQ(array_->counters().duplicates, 0);
}

TEST_F(DsaArrayTest, TimesOutWhenItFreezesAndCountsWhatItMissed) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kFreeze, 0.5, 1, 2});
  const auto ended = read_for(2);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kTimeout);
  EXPECT_EQ(array_->counters().timeouts, 1);
  while (!array_->read(frames_, Timeout(400))) {
  }
  EXPECT_EQ(counted(), emulator_->frames_sent());
  EXPECT_NEAR(static_cast<double>(array_->counters().lost), 60, 2);
}

TEST_F(DsaArrayTest, SaysWhatTheControllerRefuses) {
  power_up();
  auto opened = DsaArray::open(at("tcp:dsa"), world_.connector());
  ASSERT_TRUE(opened);
  inject({FaultKind::kAlarm});
  const auto started = (*opened)->start();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ErrorCode::kDeviceFault);
  EXPECT_THAT(started.error().message, HasSubstr("command 0x03: no sensor"));
}

TEST_F(DsaArrayTest, FailsAtOnceOnAHangUp) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  inject({FaultKind::kHangUp, 0.5});
  const auto ended = read_for(2);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::kIo);
}

TEST_F(DsaArrayTest, SaysThatNothingAnswersLikeADsa) {
  power_up();
  inject({FaultKind::kCorrupt, 0, 100});
  const auto opened = DsaArray::open(at("tcp:dsa"), world_.connector());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kTimeout);
  EXPECT_THAT(opened.error().message, HasSubstr("is it a Weiss DSA controller?"));
}

TEST_F(DsaArrayTest, SaysThatNothingAnswersWhereNoByteCame) {
  power_up();
  inject({FaultKind::kFreeze});
  const auto began_ns = world_.now_ns();
  const auto opened = DsaArray::open(at("tcp:dsa"), world_.connector());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kTimeout);
  EXPECT_THAT(opened.error().message,
              AllOf(HasSubstr("nothing answers at tcp:dsa"), HasSubstr("power")));
  EXPECT_EQ(world_.now_ns() - began_ns, 12'000'000'000);
}

TEST_F(DsaArrayTest, LeavesASilentControllerBehind) {
  ASSERT_NO_FATAL_FAILURE(open_and_start());
  ASSERT_TRUE(read_for(0.2));
  ASSERT_TRUE(array_->stop());
  const auto sent = emulator_->frames_sent();
  world_.wait_until(world_.now_ns() + 1'000'000'000);
  EXPECT_EQ(emulator_->frames_sent(), sent);
}

/// Hands over the beginning of a frame behind the first answer, as a read that ends anywhere does;
/// the rest is among what is thrown away.
class HalfAFrameBehind final : public Link {
 public:
  explicit HalfAFrameBehind(std::unique_ptr<Link> link) : link_(std::move(link)) {}
  Result<Received> receive(std::span<std::uint8_t> into, Timeout timeout) override {
    auto got = link_->receive(into, timeout);
    if (!got || std::exchange(done_, true)) return got;
    const auto begin = from_hex("AA AA AA 00 D1 03 00 00 00 00 00");
    std::copy(begin.begin(), begin.end(), into.begin() + static_cast<std::ptrdiff_t>(got->size));
    got->size += begin.size();
    return got;
  }
  Result<void> send(ByteView bytes, Timeout timeout) override {
    return link_->send(bytes, timeout);
  }
  const std::string& url() const override { return link_->url(); }
  HostClock& clock() const override { return link_->clock(); }

 private:
  std::unique_ptr<Link> link_;
  bool done_ = false;
};

TEST_F(DsaArrayTest, ForgetsAFrameWhoseEndIsThrownAway) {
  power_up();
  const auto opened = DsaArray::open(at("tcp:dsa"), [&](std::string_view url, Timeout) {
    return world_.open(url).map([](std::unique_ptr<Link> link) -> std::unique_ptr<Link> {
      return std::make_unique<HalfAFrameBehind>(std::move(link));
    });
  });
  EXPECT_TRUE(opened) << opened.error().message;
}

class DsaEmulatorTest : public testing::Test {
 protected:
  void power_up(const DsaBoard& board) {
    emulator_ = std::make_unique<DsaEmulator>(board, hand_counts, world_.now_ns());
    world_.add("tcp:dsa", *emulator_, false);
    host_ = std::move(*world_.open("tcp:dsa"));
  }
  Bytes ask(std::string_view request) {
    EXPECT_TRUE(host_->send(from_hex(request), Timeout(1)));
    Bytes heard, bytes(4096);
    while (const auto got = host_->receive(bytes, Timeout(15)))
      heard.insert(heard.end(), bytes.begin(),
                   bytes.begin() + static_cast<std::ptrdiff_t>(got->size));
    return heard;
  }

  SimulatedWorld world_;
  std::unique_ptr<DsaEmulator> emulator_;
  std::unique_ptr<Link> host_;
};

TEST_F(DsaEmulatorTest, AnswersKnownCommandsByteForByte) {
  power_up(hand());
  EXPECT_EQ(ask("AA AA AA 03 03 00 01 00 00 2F 6A"), from_hex("AA AA AA 03 02 00 00 00 4B B9"));
  EXPECT_EQ(ask("AA AA AA 01 00 00").size(), 6U + 18 + 2);  // not the 19 that are declared
  EXPECT_EQ(ask("AA AA AA 02 00 00").size(), 6U + 12 + 2);
  EXPECT_EQ(ask("AA AA AA 0B 01 00 00 CB FB").size(), 6U + 52 + 2);
  EXPECT_EQ(ask("AA AA AA 14 01 00 00 03 C1"),
            encode(DsaFrame{DsaCommand::kGetThreshold, {0, 0, 0, 0}}));
  EXPECT_EQ(ask("AA AA AA 0B 01 00 00 CB FA"), Bytes{});  // wrong check: silence
}

TEST_F(DsaEmulatorTest, RefusesInTheWordsOfTableB) {
  power_up(hand());
  const auto status = [&](DsaCommand command, Bytes payload) {
    Bytes heard, bytes(4096);
    EXPECT_TRUE(host_->send(encode(DsaFrame{command, std::move(payload)}), Timeout(1)));
    const auto got = host_->receive(bytes, Timeout(15));
    EXPECT_TRUE(got);
    return describe_weiss_status(WeissDialect::kDsa, bytes[6]);
  };
  EXPECT_EQ(status(static_cast<DsaCommand>(0x7F), {}), "command unknown");
  EXPECT_EQ(status(DsaCommand::kAcquire, {}), "not enough parameters");
  EXPECT_EQ(status(DsaCommand::kMatrixInfo, {6}), "index out of bounds");
  EXPECT_EQ(status(DsaCommand::kSetThreshold, {0, 0, 0, 0x10}), "range error");
}

TEST_F(DsaEmulatorTest, StoresWithoutAnAnswer) {
  power_up(hand());
  EXPECT_TRUE(
      host_->send(encode(DsaFrame{DsaCommand::kSetThreshold, {0x82, 0, 7, 0}}), Timeout(1)));
  Bytes bytes(64);
  EXPECT_FALSE(host_->receive(bytes, Timeout(15)));
  EXPECT_EQ(emulator_->persistent_writes(), 1);
  EXPECT_EQ(emulator_->threshold(5), 7);
}

TEST_F(DsaEmulatorTest, StreamsWhereAnOldFirmwareIsAskedForOneFrame) {
  for (const int firmware : {269, 288, 289}) {
    auto board = hand();
    board.firmware = static_cast<std::uint16_t>(firmware);
    power_up(board);
    ask("AA AA AA 03 03 00 81 00 00 2F 68");
    world_.wait_until(world_.now_ns() + 1'000'000'000);
    if (firmware == 288)
      EXPECT_GT(emulator_->frames_sent(), 20);
    else
      EXPECT_EQ(emulator_->frames_sent(), 1) << firmware;
  }
}

TEST_F(DsaEmulatorTest, GreetsAndIsDeafAsItStarts) {
  power_up(hand());
  emulator_->inject({FaultKind::kReset}, world_.now_ns());
  world_.wait_until(world_.now_ns() + 1'000'000);
  world_.wait_until(world_.now_ns() + 6'900'000'000);
  EXPECT_EQ(ask("AA AA AA 01 00 00"), Bytes{});
  world_.wait_until(world_.now_ns() + 1'200'000'000);
  EXPECT_EQ(ask(""), from_hex("1B 5B 35 6E 1B 5B 35 6E 1B 5B 35 6E"));
  EXPECT_EQ(ask("AA AA AA 01 00 00").size(), 26U);
}

/// A minute of the hand's time over that wire, forty times as fast as real.
void stream_a_minute(const std::function<Result<std::string>(EmulatorHost&, DsaEmulator&)>& add,
                     double baud) {
  EmulatorHost host(40);
  DsaEmulator dsa(hand(baud), hand_counts, host.now_ns());
  const auto url = add(host, dsa);
  ASSERT_TRUE(url);
  const std::jthread thread([&](const std::stop_token& stop) { host.run(stop); });
  auto array = DsaArray::open(at(*url), system_connector());
  ASSERT_TRUE(array) << array.error().message;
  ASSERT_TRUE((*array)->start());
  std::vector<TactileFrame> frames;
  while (frames.size() < 1800) {
    const auto got = (*array)->read(frames, Timeout(5000));
    ASSERT_TRUE(got) << got.error().message;
  }
  const auto& counters = (*array)->counters();
  EXPECT_EQ(counters.lost, 0);
  EXPECT_EQ(counters.malformed, 0);
  EXPECT_EQ(counters.duplicates, 0);
  for (const auto& frame : frames) ASSERT_EQ(frame.counts.size(), kHandCells);
  EXPECT_EQ(frames.back().counts, numbered(kHandCells));
  const auto passed_ms = *frames.back().tick - *frames.front().tick;
  EXPECT_NEAR(static_cast<double>(passed_ms), 1e3 * static_cast<double>(frames.size() - 1) / 30, 1);
  EXPECT_TRUE((*array)->stop());
}

TEST(DsaOverAPty, StreamsAMinuteWithoutLosingAFrame) {
  stream_a_minute([](auto& host, auto& dsa) { return host.add_pty(dsa); }, 4e6);
}

TEST(DsaOverTcp, StreamsAMinuteWithoutLosingAFrame) {
  stream_a_minute([](auto& host, auto& dsa) { return host.add_tcp(dsa); }, kNetworkBaud);
}

}  // namespace
}  // namespace tactelier::devices
