#include "devices/framed/frame_finder.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "tests/devices/support/hex.hpp"

namespace tactelier::devices {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

FrameLayout marked(Framing kind, std::string_view sync, std::size_t length) {
  FrameLayout layout;
  layout.kind = kind;
  layout.sync = from_hex(sync);
  layout.length = length;
  return layout;
}

FrameCheckPlace check_at_end(std::string_view name, int bytes) {
  FrameCheckPlace place;
  place.check = *frame_check_named(name);
  place.at = -bytes;
  return place;
}

std::vector<Bytes> frames_of(FrameFinder& finder, ByteView bytes) {
  finder.add(bytes);
  std::vector<Bytes> frames;
  while (auto frame = finder.next()) frames.push_back(*frame);
  return frames;
}

TEST(FrameFinder, FindsFramesBetweenNoise) {
  FrameFinder finder(marked(Framing::kSyncFixed, "AA AB", 4), {});
  EXPECT_THAT(frames_of(finder, from_hex("00 AA 01 AA AB 01 02 FF AA AB 03 04 AA")),
              ElementsAre(from_hex("AA AB 01 02"), from_hex("AA AB 03 04")));
  EXPECT_THAT(frames_of(finder, from_hex("AB 05 06")), ElementsAre(from_hex("AA AB 05 06")));
}

TEST(FrameFinder, AdvancesOneByteAfterAWrongCheck) {
  // The first AA AA is data before the frame: a whole frame's length skipped would lose it.
  FrameFinder finder(marked(Framing::kSyncFixed, "AA AA", 5), check_at_end("xor8", 1));
  EXPECT_THAT(frames_of(finder, from_hex("AA AA AA 01 02 03 00 00")),
              ElementsAre(from_hex("AA AA 01 02 03")));
  EXPECT_EQ(finder.malformed(), 1);
}

TEST(FrameFinder, ReadsTheLengthFromTheFrame) {
  auto layout = marked(Framing::kSyncLength, "7F", 100);  // FF FF can't be a length
  layout.length_field = {1, FieldType::kU16, true, ~std::uint64_t{0}, 0};
  layout.length_adds = 4;
  FrameFinder finder(layout, check_at_end("sum8", 1));
  EXPECT_THAT(frames_of(finder, from_hex("7F 00 02 0A 0B 96 7F FF FF 7F 00 00 7F")),
              ElementsAre(from_hex("7F 00 02 0A 0B 96"), from_hex("7F 00 00 7F")));
}

TEST(FrameFinder, LocksOnATerminatorOnlyAfterSeveral) {
  auto layout = marked(Framing::kTerminatorFixed, "0D 0A", 4);
  layout.locks_after = 3;
  FrameFinder finder(layout, {});
  // 0D 0A stands in the data of the first frame as well.
  const auto bytes = from_hex("02 0D 0A 0D 0A 03 04 0D 0A 05 06 0D 0A 07 08 0D 0A");
  EXPECT_THAT(frames_of(finder, bytes),
              ElementsAre(from_hex("0D 0A 0D 0A"), from_hex("03 04 0D 0A"), from_hex("05 06 0D 0A"),
                          from_hex("07 08 0D 0A")));
}

TEST(FrameFinder, FindsEscapedFrames) {
  FrameFinder hdlc(marked(Framing::kHdlc, "", 0), {});
  EXPECT_THAT(frames_of(hdlc, from_hex("7E 01 7D 5E 7D 5D 02 7E 7E 03 7E")),
              ElementsAre(from_hex("01 7E 7D 02"), from_hex("03")));
  FrameFinder slip(marked(Framing::kSlip, "", 0), {});
  EXPECT_THAT(frames_of(slip, from_hex("C0 01 DB DC DB DD 02 C0")),
              ElementsAre(from_hex("01 C0 DB 02")));
  FrameFinder cobs(marked(Framing::kCobs, "", 0), {});
  EXPECT_THAT(frames_of(cobs, from_hex("00 03 11 22 02 33 00 01 01 01 00")),
              ElementsAre(from_hex("11 22 00 33"), from_hex("00 00")));
}

TEST(FrameFinder, DropsAFrameWhoseRestNeverCame) {
  FrameFinder finder(marked(Framing::kSyncFixed, "AA AB", 4), {});
  EXPECT_THAT(frames_of(finder, from_hex("AA AB 01")), IsEmpty());
  finder.drop_partial();
  EXPECT_THAT(frames_of(finder, from_hex("AA AB 03 04")), ElementsAre(from_hex("AA AB 03 04")));
}

RC_GTEST_PROP(FrameEscapes, ComeBackAsTheyWere, (const Bytes& frame)) {
  const auto inside = [](const Bytes& wire) { return ByteView(wire).subspan(1, wire.size() - 2); };
  RC_ASSERT(unescape_hdlc(inside(escape_hdlc(frame))) == frame);
  RC_ASSERT(unescape_slip(inside(escape_slip(frame))) == frame);
  const auto cobs = escape_cobs(frame);
  const ByteView coded = ByteView(cobs).first(cobs.size() - 1);
  RC_ASSERT(unescape_cobs(coded) == frame);
  RC_ASSERT(std::count(coded.begin(), coded.end(), 0) == 0);
}

TEST(FrameEscapes, SplitLongCobsBlocks) {
  for (const std::size_t length : {253U, 254U, 255U, 508U, 509U, 1000U}) {
    const Bytes frame(length, 0x11);
    const auto coded = escape_cobs(frame);
    EXPECT_EQ(unescape_cobs(ByteView(coded).first(coded.size() - 1)), frame) << length;
  }
}

RC_GTEST_PROP(FrameFinder, SurvivesAnyBytesInAnyPieces, (const Bytes& bytes)) {
  auto with_length = marked(Framing::kSyncLength, "00", 0);
  with_length.length_field = {1, FieldType::kU32, false, ~std::uint64_t{0}, 0};
  for (const auto& layout :
       {marked(Framing::kSyncFixed, "00", 3), with_length,
        marked(Framing::kTerminatorFixed, "00", 2), marked(Framing::kHdlc, "", 0),
        marked(Framing::kSlip, "", 0), marked(Framing::kCobs, "", 0)}) {
    FrameFinder whole(layout, {}), pieces(layout, {});
    const auto expected = frames_of(whole, bytes);
    std::vector<Bytes> got;
    for (const auto byte : bytes)
      for (auto& frame : frames_of(pieces, {&byte, 1})) got.push_back(frame);
    RC_ASSERT(got == expected);
  }
}

}  // namespace
}  // namespace tactelier::devices
