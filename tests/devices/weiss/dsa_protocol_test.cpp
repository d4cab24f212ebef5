// Vectors: docs/wire-formats.md 4. Frames are those that SDHLibrary-CPP's client sends and takes.
#include "devices/weiss/dsa_protocol.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "devices/framed/frame_check.hpp"
#include "devices/weiss/wts_protocol.hpp"
#include "tests/devices/support/hex.hpp"

namespace tactelier::devices {
namespace {

using testing::ElementsAre;

DsaFrame dsa(DsaCommand command, Bytes payload = {}) { return {command, std::move(payload)}; }

TEST(DsaFrames, HaveNoCheckWithoutPayload) {
  EXPECT_EQ(encode(dsa(DsaCommand::kControllerInfo)), from_hex("AA AA AA 01 00 00"));
  EXPECT_EQ(encode(dsa(DsaCommand::kSensorInfo)), from_hex("AA AA AA 02 00 00"));
}

TEST(DsaFrames, HaveACheckThatLeavesThePreambleOut) {
  EXPECT_EQ(encode(dsa(DsaCommand::kAcquire, dsa_end_of_acquisition())),
            from_hex("AA AA AA 03 03 00 01 00 00 2F 6A"));
  EXPECT_EQ(encode(dsa(DsaCommand::kAcquire, dsa_acquisition(true, 0))),
            from_hex("AA AA AA 03 03 00 81 00 00 2F 68"));
  EXPECT_EQ(encode(dsa(DsaCommand::kAcquire, dsa_acquisition(true, 30))),
            from_hex("AA AA AA 03 03 00 81 1E 00 2C 76"));
  EXPECT_EQ(encode(dsa(DsaCommand::kAcquire, dsa_acquisition(false, 30))),
            from_hex("AA AA AA 03 03 00 80 1E 00 8E 1C"));
  EXPECT_EQ(encode(dsa(DsaCommand::kAcquire, dsa_acquisition(false, 10))),
            from_hex("AA AA AA 03 03 00 80 0A 00 A2 EB"));
  EXPECT_EQ(encode(dsa(DsaCommand::kMatrixInfo, {0})), from_hex("AA AA AA 0B 01 00 00 CB FB"));
  EXPECT_EQ(encode(dsa(DsaCommand::kAcquire, {0, 0})), from_hex("AA AA AA 03 02 00 00 00 4B B9"));
  EXPECT_EQ(encode(dsa(DsaCommand::kGetThreshold, {0})), from_hex("AA AA AA 14 01 00 00 03 C1"));
}

std::vector<DsaFrame> found(DsaFrameFinder& finder, ByteView bytes) {
  finder.add(bytes);
  std::vector<DsaFrame> frames;
  while (auto frame = finder.next()) frames.push_back(*frame);
  return frames;
}

TEST(DsaFrameFinder, FindsFramesWithAndWithoutCheck) {
  DsaFrameFinder finder;
  EXPECT_THAT(found(finder, from_hex("1B 5B 35 6E AA AA AA AA 01 00 00 AA AA AA 03 02 00 00 00 4B "
                                     "B9 AA AA AA 02 00 00")),
              ElementsAre(dsa(DsaCommand::kControllerInfo), dsa(DsaCommand::kAcquire, {0, 0}),
                          dsa(DsaCommand::kSensorInfo)));
  EXPECT_EQ(finder.malformed(), 0);
}

TEST(DsaFrameFinder, RefusesTheOtherFamilysFrames) {
  // The same acknowledgement; only the check tells whose it is.
  const auto wts = encode(WtsFrame{static_cast<WtsCommand>(3), {0, 0}});
  DsaFrameFinder finder;
  EXPECT_TRUE(found(finder, wts).empty());
  EXPECT_EQ(finder.malformed(), 1);
  WtsFrameFinder other;
  other.add(from_hex("AA AA AA 03 02 00 00 00 4B B9"));
  EXPECT_FALSE(other.next());
  EXPECT_EQ(other.malformed(), 1);
}

TEST(DsaFrameFinder, AdvancesOneByteAfterAWrongCheck) {
  DsaFrameFinder finder;
  EXPECT_THAT(found(finder, from_hex("AA AA AA 06 05 00 48 65 AA AA AA 03 02 00 00 00 4B B9")),
              ElementsAre(dsa(DsaCommand::kAcquire, {0, 0})));
  EXPECT_EQ(finder.malformed(), 1);
}

TEST(DsaSettings, AreNeverStoredInTheController) {
  // 0.75 is 0x3F400000; bit 7 of the flags would store it.
  EXPECT_EQ(dsa_sensitivity(4, 0.75), from_hex("00 04 00 00 40 3F"));
  EXPECT_EQ(dsa_threshold(5, 100), from_hex("00 05 64 00"));
}

TEST(DsaController, IsReadFromTheEighteenBytesThatControllersSend) {
  const auto controller =
      decode_dsa_controller(from_hex("2A 00 00 00 10 20 01 03 04 05 06 00 00 00 00 00"));
  ASSERT_TRUE(controller);
  EXPECT_EQ(controller->serial_number, 42U);
  EXPECT_EQ(controller->hardware, 16);
  EXPECT_EQ(controller->firmware, 288);
  EXPECT_TRUE(decode_dsa_controller(from_hex("2A 00 00 00 10 20 01")));
  EXPECT_FALSE(decode_dsa_controller(from_hex("2A 00 00 00 10 20")));
}

TEST(DsaSensorInfo, TellsTheNumberOfMatrices) {
  EXPECT_EQ(*decode_dsa_matrix_count(from_hex("06 00 00 00 01 2A 00 00 00 00")), 6);
  EXPECT_FALSE(decode_dsa_matrix_count(from_hex("00 00 00 00 01 2A 00 00 00 00")));
  EXPECT_FALSE(decode_dsa_matrix_count(from_hex("41 00 00 00 01 2A 00 00 00 00")));
  EXPECT_FALSE(decode_dsa_matrix_count(from_hex("06 00 00 00 01 2A 00 00 00")));
}

// 3.4 x 3.3 mm (0x4059999A, 0x40533333), 6 x 13, full scale 4095 (0x457FF000).
constexpr std::string_view kMatrixInfo =
    "9A 99 59 40 33 33 53 40 06 00 0D 00 01 02 03 04 05 06 00 00 01"
    "00 00 80 3F 00 00 00 40 00 00 40 40 00 00 00 00 00 00 00 00 00 00 00 00"
    "00 F0 7F 45 03";

TEST(DsaMatrix, IsReadFromItsFiftyBytes) {
  auto bytes = from_hex(kMatrixInfo);
  ASSERT_EQ(bytes.size(), 50U);
  const auto matrix = decode_dsa_matrix(bytes);
  ASSERT_TRUE(matrix) << matrix.error().message;
  EXPECT_NEAR(matrix->texel_width_m, 3.4e-3, 1e-9);
  EXPECT_NEAR(matrix->texel_height_m, 3.3e-3, 1e-9);
  EXPECT_EQ(matrix->columns, 6);
  EXPECT_EQ(matrix->rows, 13);
  EXPECT_EQ(matrix->full_scale, 4095);
  const auto again = decode_dsa_matrix(encode_dsa_matrix(*matrix));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->rows, 13);
  EXPECT_NEAR(again->texel_height_m, 3.3e-3, 1e-9);
  EXPECT_EQ(again->full_scale, 4095);
}

TEST(DsaMatrix, IsRefusedWhereItCantBe) {
  const auto with = [](std::size_t at, Bytes bytes) {
    auto payload = from_hex(kMatrixInfo);
    std::copy(bytes.begin(), bytes.end(), payload.begin() + static_cast<std::ptrdiff_t>(at));
    return decode_dsa_matrix(payload).has_value();
  };
  EXPECT_TRUE(with(8, {6, 0, 14, 0}));
  EXPECT_FALSE(with(8, {0, 0, 14, 0}));
  EXPECT_FALSE(with(8, {0xFF, 0xFF, 0xFF, 0xFF}));
  EXPECT_FALSE(with(0, {0, 0, 0xC0, 0x7F}));     // not a number
  EXPECT_FALSE(with(4, {0, 0, 0x80, 0xBF}));     // -1 mm
  EXPECT_FALSE(with(4, {0, 0x24, 0x74, 0x49}));  // a kilometre
  auto cut = from_hex(kMatrixInfo);
  cut.pop_back();
  EXPECT_FALSE(decode_dsa_matrix(cut));
}

TEST(DsaStatus, FollowsTheTableOfTheDsa) {
  const auto words = [](std::uint16_t status) {
    return describe_weiss_status(WeissDialect::kDsa, status);
  };
  for (std::uint16_t status = 0; status <= 27; ++status)
    EXPECT_NE(words(status), "unknown status") << status;
  EXPECT_EQ(words(0), "success");
  EXPECT_EQ(words(11), "checksum error");
  EXPECT_EQ(words(12), "not enough parameters");
  EXPECT_EQ(words(13), "command unknown");
  EXPECT_EQ(words(15), "access denied");
  EXPECT_EQ(words(22), "I/O error");
  EXPECT_EQ(words(25), "command pending");
  EXPECT_EQ(words(27), "range error");
  EXPECT_EQ(words(28), "unknown status");
  EXPECT_EQ(weiss_pending(WeissDialect::kDsa), 25);
  EXPECT_EQ(weiss_pending(WeissDialect::kWts), 26);
}

RC_GTEST_PROP(DsaProtocol, SurvivesAnyBytesInAnyPieces, (const Bytes& bytes)) {
  DsaFrameFinder whole, pieces;
  auto input = from_hex("AA AA AA");
  input.insert(input.end(), bytes.begin(), bytes.end());
  const auto expected = found(whole, input);
  std::vector<DsaFrame> got;
  for (const auto byte : input)
    for (auto& frame : found(pieces, {&byte, 1})) got.push_back(frame);
  RC_ASSERT(got == expected);
  decode_dsa_controller(bytes);
  decode_dsa_matrix_count(bytes);
  decode_dsa_matrix(bytes);
}

RC_GTEST_PROP(DsaProtocol, FindsItsFramesAmongAnyBytes, (const Bytes& noise, const Bytes& given)) {
  // Noise that begins no frame: without a long run of AA.
  auto input = noise;
  std::replace(input.begin(), input.end(), std::uint8_t{0xAA}, std::uint8_t{0xA9});
  Bytes payload(given.begin(), given.begin() + static_cast<std::ptrdiff_t>(
                                                   std::min<std::size_t>(given.size(), 200)));
  const auto frame = dsa(DsaCommand::kLoop, payload);
  const auto bytes = encode(frame);
  input.insert(input.end(), bytes.begin(), bytes.end());
  DsaFrameFinder finder;
  const auto frames = found(finder, input);
  RC_ASSERT(frames.size() == 1U);
  RC_ASSERT(frames[0] == frame);
}

}  // namespace
}  // namespace tactelier::devices
