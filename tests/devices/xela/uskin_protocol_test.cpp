#include "devices/xela/uskin_protocol.hpp"

#include <gmock/gmock.h>

#include "tests/devices/support/hex.hpp"

namespace tactelier::devices {
namespace {

using testing::ElementsAre;

TEST(Uskin, IsTriggeredAsTheSourceDoes) {
  EXPECT_EQ(uskin_trigger(1), (CanMessage{0x201, from_hex("07 00")}));
}

TEST(Uskin, ReadsShearAndNormalMostSignificantByteFirst) {
  const CanMessage message{0x713, from_hex("00 12 34 80 00 FF FF 00")};
  EXPECT_EQ(*decode_uskin(message), (UskinReading{0x1234, 32768, 65535}));
  EXPECT_EQ(encode_uskin(0x713, {0x1234, 32768, 65535}), message);
  EXPECT_TRUE(decode_uskin({0x713, from_hex("00 12 34 80 00 FF FF")}));
  EXPECT_FALSE(decode_uskin({0x713, from_hex("00 12 34 80 00 FF")}));
}

/// Tactel and round in what they read.
CanMessage message_of(int round, int tactel) {
  return encode_uskin(kUskinFirstId + static_cast<std::uint32_t>(tactel),
                      {tactel, 100 + tactel, 1000 * round + tactel});
}

/// Whole rounds out of three of four tactels; `pass`: whether a message gets through.
template <class Pass>
std::vector<double> normals(UskinRounds& rounds, Pass pass) {
  std::vector<double> seen;
  for (int round = 1; round <= 3; ++round)
    for (int tactel = 0; tactel < 4; ++tactel)
      if (pass(round, tactel))
        if (const auto counts = rounds.take(message_of(round, tactel))) {
          EXPECT_EQ(counts->size(), 12U);
          for (std::size_t i = 0; i < 4; ++i)  // none of another round among them
            EXPECT_EQ((*counts)[3 * i + 2], (*counts)[2] + static_cast<double>(i));
          seen.push_back((*counts)[2]);
        }
  return seen;
}

TEST(UskinRounds, AreWholeOrDamaged) {
  UskinRounds all(kUskinFirstId, 4);
  EXPECT_THAT(normals(all, [](int, int) { return true; }), ElementsAre(1000, 2000, 3000));
  EXPECT_EQ(all.damaged(), 0);
  for (int lost = 0; lost < 4; ++lost) {
    UskinRounds rounds(kUskinFirstId, 4);
    EXPECT_THAT(
        normals(rounds, [&](int round, int tactel) { return round != 2 || tactel != lost; }),
        ElementsAre(1000, 3000))
        << lost;
    EXPECT_EQ(rounds.damaged(), 1) << lost;
  }
}

TEST(UskinRounds, BeginWithTheFirstTactelThatComes) {
  UskinRounds rounds(kUskinFirstId, 4);
  EXPECT_THAT(normals(rounds, [](int round, int tactel) { return round > 1 || tactel > 1; }),
              ElementsAre(2000, 3000));
  EXPECT_EQ(rounds.damaged(), 0);
}

TEST(UskinRounds, TakeAMessageThatComesTwiceOnce) {
  for (int tactel = 0; tactel < 4; ++tactel) {
    UskinRounds rounds(kUskinFirstId, 4);
    int whole = 0;
    for (int i = 0; i < 4; ++i)
      for (int copy = 0; copy < (i == tactel ? 2 : 1); ++copy)
        whole += rounds.take(message_of(1, i)).has_value() ? 1 : 0;
    EXPECT_EQ(whole, 1) << tactel;
    EXPECT_EQ(rounds.duplicates(), 1);
    EXPECT_EQ(rounds.damaged(), 0);
  }
}

TEST(UskinRounds, LeaveOtherMessagesAlone) {
  UskinRounds rounds(kUskinFirstId, 4);
  rounds.take(message_of(1, 0));
  for (const auto id : {0x70FU, 0x714U, 0x201U, 0U}) EXPECT_FALSE(rounds.take({id, Bytes(8)}));
  rounds.take(message_of(1, 1));
  rounds.take(message_of(1, 2));
  EXPECT_TRUE(rounds.take(message_of(1, 3)));
  EXPECT_EQ(rounds.damaged(), 0);
}

TEST(UskinRounds, AreSpoiltByAShortMessage) {
  UskinRounds rounds(kUskinFirstId, 4);
  rounds.take(message_of(1, 0));
  rounds.take({kUskinFirstId + 1, Bytes(3)});
  rounds.take(message_of(1, 2));
  EXPECT_FALSE(rounds.take(message_of(1, 3)));
  rounds.take(message_of(2, 0));
  EXPECT_EQ(rounds.damaged(), 1);
}

}  // namespace
}  // namespace tactelier::devices
