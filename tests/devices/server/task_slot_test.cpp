#include "devices/server/task_slot.hpp"

#include <gtest/gtest.h>

namespace tactelier::rig {
namespace {

using messages::TaskKind;
using nlohmann::json;

constexpr int kClient = 1, kOther = 2;

Result<int> begin(TaskSlot& slot, TaskKind kind, int client = kClient, const Tell& tell = {}) {
  return slot.begin(kind, json::object(), client, tell, [] {});
}

TEST(TaskSlot, HasRoomForOneAndNamesItToTheNext) {
  TaskSlot slot;
  EXPECT_EQ(begin(slot, TaskKind::kHome).value_or(0), 1);
  const auto refused = begin(slot, TaskKind::kJog);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("'home'"), std::string::npos);
  EXPECT_FALSE(slot.running());
  EXPECT_EQ(slot.next()->kind, TaskKind::kHome);
  EXPECT_EQ(slot.running(), TaskKind::kHome);
}

TEST(TaskSlot, IsFreeAgainBeforeAnybodyIsTold) {
  TaskSlot slot;
  bool begun = false;
  const Tell ask_again = [&](const json&) { begun = begin(slot, TaskKind::kJog).has_value(); };
  ASSERT_TRUE(begin(slot, TaskKind::kHome, kClient, ask_again));
  (void)slot.next();
  slot.ended({{}, json::object(), {}});
  EXPECT_TRUE(begun);
}

TEST(TaskSlot, WhoHasGoneIsToldNothingAndWhatWaitedOfHimIsDropped) {
  TaskSlot slot;
  int told = 0, gone = 0;
  const Tell tell = [&](const json&) { ++told; };
  ASSERT_TRUE(begin(slot, TaskKind::kRecord, kClient, tell));
  (void)slot.next();
  slot.left(kOther, [&] { ++gone; });
  slot.news(messages::Progress{});
  EXPECT_EQ(told, 1);
  slot.left(kClient, [&] { ++gone; });
  slot.news(messages::Progress{});
  slot.while_client_listens([&] { ++told; });
  slot.ended({{}, json::object(), {}});
  EXPECT_EQ(told, 1);
  EXPECT_EQ(gone, 1);
  ASSERT_TRUE(begin(slot, TaskKind::kHome));
  slot.left(kClient, [&] { ++gone; });
  EXPECT_FALSE(slot.busy());
  EXPECT_EQ(gone, 1);
}

TEST(TaskSlot, AHaltEndsAJogAndNothingElse) {
  for (const auto kind : {TaskKind::kJog, TaskKind::kRecord}) {
    TaskSlot slot;
    ASSERT_TRUE(begin(slot, kind));
    (void)slot.next();
    slot.cancel_jog();
    EXPECT_EQ(slot.stop_token().stop_requested(), kind == TaskKind::kJog);
  }
}

TEST(TaskSlot, ACancelEndsOneTaskAndNotTheNext) {
  TaskSlot slot;
  ASSERT_TRUE(begin(slot, TaskKind::kSurface));
  (void)slot.next();
  slot.cancel();
  EXPECT_TRUE(slot.stop_token().stop_requested());
  slot.ended({});
  ASSERT_TRUE(begin(slot, TaskKind::kSurface));
  EXPECT_FALSE(slot.stop_token().stop_requested());
}

}  // namespace
}  // namespace tactelier::rig
