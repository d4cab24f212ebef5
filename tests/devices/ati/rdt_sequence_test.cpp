#include "devices/ati/rdt_sequence.hpp"

#include <gtest/gtest.h>

namespace tactelier::devices {
namespace {

RdtRecord numbered(std::uint32_t rdt, std::uint32_t ft) { return {rdt, ft, 0, {}}; }

TEST(RdtSequence, CountsWhatIsMissingBetweenTwoRecords) {
  RdtSequence sequence;
  EXPECT_EQ(sequence.next(numbered(1, 700)).lost, 0U);
  EXPECT_EQ(sequence.next(numbered(2, 707)).lost, 0U);
  const auto after_gap = sequence.next(numbered(6, 735));
  EXPECT_EQ(after_gap.step, RdtStep::kNext);
  EXPECT_EQ(after_gap.lost, 3U);
  EXPECT_EQ(after_gap.record, 6);
  EXPECT_EQ(after_gap.tick, 735);
}

TEST(RdtSequence, CountsWhatWasLostBeforeTheFirstRecord) {
  RdtSequence sequence;
  EXPECT_EQ(sequence.next(numbered(4, 700)).lost, 3U);
}

TEST(RdtSequence, GoesOnOverTheWrapOfBothCounters) {
  RdtSequence sequence;
  const auto first = sequence.next(numbered(0xFFFFFFFF, 0xFFFFFFFA));
  const auto second = sequence.next(numbered(0, 0x00000001));
  const auto third = sequence.next(numbered(3, 0x00000016));
  EXPECT_EQ(second.step, RdtStep::kNext);
  EXPECT_EQ(second.lost, 0U);
  EXPECT_EQ(second.record, first.record + 1);
  EXPECT_EQ(second.tick, 0x100000001);
  EXPECT_EQ(third.lost, 2U);
  EXPECT_EQ(third.record, first.record + 4);
}

TEST(RdtSequence, DropsDuplicatesAndLateRecords) {
  RdtSequence sequence;
  sequence.next(numbered(1, 7));
  EXPECT_EQ(sequence.next(numbered(3, 21)).lost, 1U);
  EXPECT_EQ(sequence.next(numbered(3, 21)).step, RdtStep::kDuplicate);
  EXPECT_EQ(sequence.next(numbered(2, 14)).step, RdtStep::kOld);
  const auto next = sequence.next(numbered(4, 28));
  EXPECT_EQ(next.step, RdtStep::kNext);
  EXPECT_EQ(next.lost, 0U);
}

TEST(RdtSequence, SeesThatNumberingBeganAnewBecauseTheSampleCounterWentOn) {
  RdtSequence sequence;
  sequence.next(numbered(1, 7));
  sequence.next(numbered(2, 14));
  const auto again = sequence.next(numbered(1, 70));
  EXPECT_EQ(again.step, RdtStep::kRestarted);
  EXPECT_EQ(again.record, 3);
  EXPECT_EQ(sequence.next(numbered(2, 77)).record, 4);
}

TEST(RdtSequence, SeesThatTheBoxStoppedSampling) {
  RdtSequence sequence;
  sequence.next(numbered(1, 7));
  EXPECT_EQ(sequence.next(numbered(2, 7)).step, RdtStep::kStalled);
}

TEST(RdtSequence, DoesNotBelieveMoreRecordsThanSamples) {
  RdtSequence sequence;
  sequence.next(numbered(1, 7));
  EXPECT_EQ(sequence.next(numbered(1000001, 14)).step, RdtStep::kInconsistent);
  EXPECT_EQ(sequence.next(numbered(2, 6)).step, RdtStep::kInconsistent);
  EXPECT_EQ(sequence.next(numbered(2, 14)).step, RdtStep::kNext);
}

}  // namespace
}  // namespace tactelier::devices
