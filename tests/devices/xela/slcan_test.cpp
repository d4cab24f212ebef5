// Lines as the manuals of slcan adapters print them.
#include "devices/xela/slcan.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "tests/devices/support/hex.hpp"

namespace tactelier::devices {
namespace {

using testing::ElementsAre;
using Kind = SlcanSaying::Kind;

std::vector<SlcanSaying> sayings(SlcanReader& reader, std::string_view text) {
  reader.add(view_of(text));
  std::vector<SlcanSaying> all;
  while (auto saying = reader.next()) all.push_back(*saying);
  return all;
}

SlcanSaying received(std::uint32_t id, std::string_view data) {
  return {Kind::kReceived, {id, from_hex(data)}};
}

TEST(Slcan, IsWrittenAsInTheManuals) {
  EXPECT_EQ(encode_slcan({0x7FF, from_hex("11 22 33 44 55 66 77 88")}), "t7FF81122334455667788\r");
  EXPECT_EQ(encode_slcan({0x0A7, {}}), "t0A70\r");
  EXPECT_EQ(encode_slcan({0x201, {7, 0}}), "t20120700\r");
}

TEST(Slcan, IsReadWithAnswersAndTimes) {
  SlcanReader reader;
  EXPECT_THAT(sayings(reader, "\r\az\rZ\rt10021133\rt10021133A902\rt0A70\r"),
              ElementsAre(SlcanSaying{Kind::kDone, {}}, SlcanSaying{Kind::kRefused, {}},
                          SlcanSaying{Kind::kDone, {}}, SlcanSaying{Kind::kDone, {}},
                          received(0x100, "11 33"), received(0x100, "11 33"), received(0x0A7, "")));
  EXPECT_EQ(reader.malformed(), 0);
}

TEST(Slcan, LeavesOutWhatIsNotAskedFor) {
  SlcanReader reader;
  EXPECT_THAT(sayings(reader, "V1013\rT0C34567F20102\rr1000\rNA123\rt1000\r"),
              ElementsAre(received(0x100, "")));
  EXPECT_EQ(reader.malformed(), 0);
}

TEST(Slcan, CountsLinesThatAreNoMessage) {
  for (const std::string_view line :
       {"t1002113\r", "t100211\r", "t10021 33\r", "tG0021133\r", "t1009112233445566778899\r",
        "t8000\r", "t\r", "t100211334\r", "t+002113\r"}) {
    SlcanReader reader;
    EXPECT_TRUE(sayings(reader, line).empty()) << line;
    EXPECT_EQ(reader.malformed(), 1) << line;
  }
  SlcanReader reader;
  sayings(reader, std::string(1000, 't'));
  EXPECT_EQ(reader.malformed(), 1);
}

RC_GTEST_PROP(Slcan, SurvivesAnyBytesInAnyPieces, (const std::string& text)) {
  const auto input = "t7138" + text + "\r";
  SlcanReader whole, pieces;
  const auto expected = sayings(whole, input);
  std::vector<SlcanSaying> got;
  for (std::size_t i = 0; i < input.size(); ++i)
    for (auto& saying : sayings(pieces, std::string_view(input).substr(i, 1)))
      got.push_back(saying);
  if (input.size() < 40) RC_ASSERT(got == expected);
}

RC_GTEST_PROP(Slcan, ComesBack, (std::uint16_t id, Bytes data)) {
  data.resize(std::min<std::size_t>(data.size(), 8));
  const CanMessage message{id & 0x7FFU, data};
  SlcanReader reader;
  const auto all = sayings(reader, encode_slcan(message));
  RC_ASSERT(all.size() == 1U);
  RC_ASSERT(all[0].message == message);
}

}  // namespace
}  // namespace tactelier::devices
