#include "libcalib/session/moves.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tactelier {
namespace {

Move down_2_mm() {
  Move move;
  move.line = 7;
  move.from_m = {1e-3, -2e-3, 0.25e-3};
  move.to_m = {1e-3, -2e-3, -1.75e-3};
  move.speed_m_per_s = 3e-3;
  move.acceleration_m_per_s2 = 0.1;
  move.queued_s = 12.345678;
  move.answered_s = 12.347;
  return move;
}

TEST(Moves, StandInTheFileInMillimetresAsTheyWereSent) {
  const auto event = move_event(down_2_mm());
  ASSERT_TRUE(event) << event.error().message;
  EXPECT_EQ(event->name, "move");
  EXPECT_DOUBLE_EQ(event->t_s.value(), 12.345678);
  EXPECT_EQ(event->data,
            R"({"acceleration_mm_s2":100.0,"answered_s":12.347,"from_mm":[1.0,-2.0,0.25],)"
            R"("line":7,"speed_mm_s":3.0,"to_mm":[1.0,-2.0,-1.75]})");
}

TEST(Moves, ComeBackAsTheyWereSent) {
  const std::vector events{move_event(down_2_mm()).value(), move_stop_event(7, 12.5).value()};
  const auto found = moves(events);
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->size(), 1U);
  const auto& move = found->front();
  EXPECT_EQ(move.line, 7);
  EXPECT_DOUBLE_EQ(move.from_m[2], 0.25e-3);
  EXPECT_DOUBLE_EQ(move.to_m[2], -1.75e-3);
  EXPECT_DOUBLE_EQ(move.speed_m_per_s, 3e-3);
  EXPECT_DOUBLE_EQ(move.acceleration_m_per_s2, 0.1);
  EXPECT_DOUBLE_EQ(move.queued_s, 12.345678);
  EXPECT_DOUBLE_EQ(move.answered_s.value(), 12.347);
  EXPECT_DOUBLE_EQ(move.stopped_s.value(), 12.5);
}

TEST(Moves, RefuseAStopOfALineThatWasNotSent) {
  const std::vector events{move_event(down_2_mm()).value(), move_stop_event(8, 12.5).value()};
  const auto found = moves(events);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message, "line 8 is stopped at 12.5 s, but was not sent");
}

TEST(Moves, RefuseALineWithoutSpeed) {
  auto move = down_2_mm();
  move.speed_m_per_s = 0;
  EXPECT_FALSE(move_event(move));
}

}  // namespace
}  // namespace tactelier
