// Live samples: their bytes, what lies between two of them, and clients that read slowly or vanish.

#include "devices/acquisition/live_feed.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <thread>

#include "tests/devices/support/hex.hpp"

namespace tactelier::rig {
namespace {

using devices::Descriptor;
using testing::HasSubstr;

// Python: struct.pack('<4sIQqqqq6d3d3dII3f', b'TLF1', 164, 7, 5000000000, 4999000000, 4990000000,
// 4900000000, .5, -.25, -3., .01, .02, -.03, 2.5, 2.25, 2.75, .0085, -.0017, -.0135, 1, 3, 224.,
// 3103., .5)
constexpr const char* kBytes =
    "544c4631a4000000070000000000000000f2052a01000000c0aff62901000000805b6d290100000000111024010000"
    "00000000000000e03f000000000000d0bf00000000000008c07b14ae47e17a843f7b14ae47e17a943fb81e85eb51b8"
    "9ebf0000000000000440000000000000024000000000000006409cc420b07268813f5f07ce1951da5bbfd9cef753e3"
    "a58bbf01000000030000000000604300f041450000003f";

LiveFrame known_frame() {
  LiveFrame frame;
  frame.number = 7;
  frame.now_ns = 5'000'000'000;
  frame.force_ns = 4'999'000'000;
  frame.frame_ns = 4'990'000'000;
  frame.stage_ns = 4'900'000'000;
  frame.wrench_SI = {0.5, -0.25, -3, 0.01, 0.02, -0.03};
  frame.force_N = 2.5;
  frame.force_min_N = 2.25;
  frame.force_max_N = 2.75;
  frame.position_m = {0.0085, -0.0017, -0.0135};
  frame.position_trusted = true;
  frame.counts = {224, 3103, 0.5};
  return frame;
}

std::string text_of(const devices::Bytes& bytes) { return {bytes.begin(), bytes.end()}; }

TEST(LiveFrame, IsTheBytesThatTheHeaderDescribes) {
  EXPECT_EQ(bytes_of(known_frame()), text_of(devices::from_hex(kBytes)));
}

TEST(LiveFrame, IsReadBackFromPiecesOfAnyLength) {
  const auto bytes = bytes_of(known_frame()) + bytes_of(known_frame());
  for (const std::size_t piece : {1U, 7U, 163U, 165U, 328U}) {
    LiveFrameReader reader;
    std::size_t frames = 0;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      reader.add(std::string_view(bytes).substr(at, piece));
      for (auto next = reader.next(); next && *next; next = reader.next()) {
        EXPECT_EQ(**next, known_frame());
        ++frames;
      }
    }
    EXPECT_EQ(frames, 2U) << "pieces of " << piece;
  }
}

TEST(LiveFrame, BytesFromElsewhereAreRefused) {
  for (const auto& wrong : {std::string(200, 'x'), [] {
                              auto bytes = bytes_of(known_frame());
                              bytes[148] = 4;  // more counts than the size leaves room for
                              return bytes;
                            }()}) {
    LiveFrameReader reader;
    reader.add(wrong);
    const auto next = reader.next();
    ASSERT_FALSE(next);
    EXPECT_EQ(next.error().code, ErrorCode::kProtocol);
  }
}

TEST(LivePicture, LosesNoPeakBetweenTwoLooks) {
  LivePicture picture;
  for (const double force_N : {0.1, 4.9, 0.2}) picture.see(10, {}, force_N);
  auto seen = picture.take();
  EXPECT_EQ(seen.force_N, 0.2);
  EXPECT_EQ(seen.force_max_N, 4.9);
  EXPECT_EQ(seen.force_min_N, 0.1);
  seen = picture.take();
  EXPECT_EQ(seen.force_max_N, 0.2) << "the peak was of the time before";
}

TEST(LivePicture, KeepsEachStreamsNewestAndItsTime) {
  LivePicture picture;
  picture.see(11, {1, 2, 3, 4, 5, 6}, -3);
  devices::TactileFrame frame;
  frame.host_time_ns = 12;
  frame.counts = {1, 2};
  picture.see(frame);
  devices::StageSample place;
  place.host_time_ns = 13;
  place.position_m = {0.1, 0.2, 0.3};
  place.trusted = true;
  picture.see(place);
  const auto seen = picture.take();
  EXPECT_EQ(seen.force_ns, 11);
  EXPECT_EQ(seen.frame_ns, 12);
  EXPECT_EQ(seen.stage_ns, 13);
  EXPECT_EQ(seen.wrench_SI[5], 6);
  EXPECT_THAT(seen.counts, testing::ElementsAre(1, 2));
  EXPECT_EQ(seen.position_m[2], 0.3);
  EXPECT_TRUE(seen.position_trusted);
}

/// Both ends of a connection; ours doesn't block.
struct Ends {
  Ends() {
    std::array<int, 2> both{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both.data()), 0);
    theirs = Descriptor(both[0]);
    ours = Descriptor(both[1]);
    ::fcntl(ours.get(), F_SETFL, O_NONBLOCK);
  }
  std::vector<std::uint64_t> read_numbers() {
    std::array<char, 65536> bytes{};
    for (auto size = ::recv(ours.get(), bytes.data(), bytes.size(), 0); size > 0;
         size = ::recv(ours.get(), bytes.data(), bytes.size(), 0))
      reader.add({bytes.data(), static_cast<std::size_t>(size)});
    std::vector<std::uint64_t> numbers;
    for (auto next = reader.next(); next && *next; next = reader.next())
      numbers.push_back((*next)->number);
    return numbers;
  }
  Descriptor theirs, ours;
  LiveFrameReader reader;
};

LiveFrame numbered(std::uint64_t number, std::size_t counts) {
  LiveFrame frame;
  frame.number = number;
  frame.counts.assign(counts, 1.5F);
  return frame;
}

TEST(LiveWatchers, ASlowClientLosesFramesAndHoldsUpNobody) {
  for (const std::size_t counts : {84U, 64U * 64U}) {
    Ends slow, quick;
    LiveWatchers watchers;
    watchers.add(std::move(slow.theirs));
    watchers.add(std::move(quick.theirs));
    std::size_t quickly = 0;
    for (std::uint64_t number = 0; number < 500; ++number) {  // a blocking send would never return
      watchers.send(numbered(number, counts));
      quickly += quick.read_numbers().size();
    }
    EXPECT_EQ(watchers.size(), 2U);
    EXPECT_GE(quickly, 499U) << "the last may still lie half in its socket";
    const auto late = slow.read_numbers();
    ASSERT_FALSE(late.empty());
    EXPECT_EQ(late.front(), 0U);
    EXPECT_LT(late.size(), 20U) << "old news in the queue";
    // Once it reads again it is up to date, and no frame was cut.
    watchers.send(numbered(500, counts));
    watchers.send(numbered(501, counts));
    auto newest = slow.read_numbers();
    watchers.send(numbered(502, counts));
    for (const auto number : slow.read_numbers()) newest.push_back(number);
    ASSERT_FALSE(newest.empty());
    EXPECT_GE(newest.back(), 501U);
  }
}

TEST(LiveWatchers, AClientThatVanishesIsForgotten) {
  Ends gone, stays;
  LiveWatchers watchers;
  watchers.add(std::move(gone.theirs));
  watchers.add(std::move(stays.theirs));
  gone.ours = {};
  watchers.send(numbered(1, 84));
  EXPECT_EQ(watchers.size(), 1U);
  EXPECT_THAT(stays.read_numbers(), testing::ElementsAre(1U));
}

TEST(LiveFeed, FramesFollowEachOtherWhileSomebodyWatches) {
  LivePicture picture;
  picture.see(1, {}, 2.5);
  Ends ends;
  ::fcntl(ends.ours.get(), F_SETFL, 0);  // waits for what comes
  LiveFeed feed(picture, devices::steady_host_clock());
  feed.add(std::move(ends.theirs));
  LiveFrame last;
  for (int frames = 0; frames < 3;) {
    std::array<char, 4096> bytes{};
    const auto size = ::recv(ends.ours.get(), bytes.data(), bytes.size(), 0);
    ASSERT_GT(size, 0);
    ends.reader.add({bytes.data(), static_cast<std::size_t>(size)});
    for (auto next = ends.reader.next(); next && *next; next = ends.reader.next()) {
      if (frames > 0) {
        EXPECT_EQ((*next)->number, last.number + 1);
      }
      ++frames;
      EXPECT_EQ((*next)->force_N, 2.5);
      EXPECT_GT((*next)->now_ns, last.now_ns);
      last = **next;
    }
  }
}

}  // namespace
}  // namespace tactelier::rig
