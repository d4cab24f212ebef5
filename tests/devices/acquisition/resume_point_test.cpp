#include "devices/acquisition/resume_point.hpp"

#include "devices/acquisition/live_recording.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libcalib/protocol/rig.hpp"

namespace tactelier::rig {
namespace {

using testing::HasSubstr;

constexpr const char* kProtocol = R"({
  "format": "tactelier/protocol", "version": 1, "name": "p",
  "indenter": {"shape": "sphere", "diameter_mm": 8.0},
  "steps": [{"do": "zero", "time_s": 2},
            {"do": "scan", "tactels": [38, 39, 44], "speed_mm_s": 0.8,
             "until": {"force_N": 2, "depth_mm": 1}},
            {"do": "slide", "load_N": [1.0], "speeds_mm_s": [2, 4], "length_mm": 4,
             "directions_deg": [0]},
            {"do": "reference", "what": "pad"}]})";

class Resume : public testing::Test {
 protected:
  void SetUp() override {
    const auto protocol = parse_protocol(kProtocol, "p");
    ASSERT_TRUE(protocol) << protocol.error().message;
    auto plan = plan_protocol(*protocol, *load_sensor("weiss-wts0614"), bench_setup());
    ASSERT_TRUE(plan) << plan.error().message;
    plan_ = std::move(*plan);
    // What a run without incidents would have recorded.
    for (const auto& segment : plan_.segments) {
      for (const auto& event : segment.at_begin) record(event.name, event.data);
      for (const auto& event : segment.at_end) record(event.name, event.data);
    }
  }
  void record(const std::string& name, const std::string& data) {
    events_.push_back({{++time_, -1}, name, data});
  }
  /// As far as the n-th event of that name, without it.
  std::vector<Event> until(std::string_view name, int n) const {
    auto cut = events_.begin();
    while (cut != events_.end() && (cut->name != name || --n > 0)) ++cut;
    return {events_.begin(), cut};
  }
  /// The first press ends so and is done again, well, as number 2.
  std::vector<Event> first_press_done_again_after(const char* outcome) const {
    auto events = until("press_end", 1);
    auto again = events.back();
    const std::string number = R"("press":1)";
    again.data.replace(again.data.find(number), number.size(), R"("press":2)");
    again.t_s = {901, 0};
    events.push_back(
        {{900, 0}, "press_end", fmt::format(R"({{"outcome":"{}","press":1}})", outcome)});
    events.push_back(again);
    events.push_back({{902, 0}, "press_end", R"({"outcome":"ok","press":2})"});
    return events;
  }
  ResumePoint point(const std::vector<Event>& events, const std::vector<Edit>& edits = {}) const {
    const auto found = resume_point(plan_, events, edits);
    EXPECT_TRUE(found) << found.error().message;
    return found.value_or(ResumePoint{});
  }
  /// The first thing that begins from a segment on.
  std::string next(const ResumePoint& point) const {
    for (auto i = point.segment; i < plan_.segments.size(); ++i)
      for (const auto& event : plan_.segments[i].at_begin) return event.name + " " + event.data;
    return "nothing";
  }

  Plan plan_;
  std::vector<Event> events_;
  std::int64_t time_ = 0;
};

TEST_F(Resume, ARecordingWithoutEventsBeginsAtTheBeginning) {
  EXPECT_EQ(point({}).segment, 0U);
  EXPECT_EQ(point({}).pieces, 7);  // zero, three presses, two slides, reference
}

TEST_F(Resume, APressThatNeverEndedIsDoneAgain) {
  const auto at = point(until("press_end", 2));
  EXPECT_EQ(at.presses, 2);
  EXPECT_EQ(at.pieces_done, 2);
  EXPECT_THAT(next(at), HasSubstr(R"("press":2)"));
  EXPECT_EQ(plan_.segments[at.segment].phase, Phase::kTravel);
}

TEST_F(Resume, GoesOnBehindTheLastWholePress) {
  auto events = until("press_begin", 3);
  EXPECT_THAT(next(point(events)), HasSubstr(R"("press":3)"));
}

TEST_F(Resume, APressThatEndedTheRunIsDoneAgainButNotOneThatWasFollowed) {
  auto events = until("press_end", 2);
  events.push_back({{900, 0}, "press_end", R"({"outcome":"aborted","press":2})"});
  EXPECT_THAT(next(point(events)), HasSubstr(R"("press":2)"));
  for (const auto& event : until("press_end", 3))
    if (event.data.find(R"("press":3)") != std::string::npos)
      events.push_back({{901, 0}, event.name, event.data});
  EXPECT_THAT(next(point(events)), HasSubstr(R"("press":3)"));
  EXPECT_EQ(point(events).pieces_done, 3);
}

TEST_F(Resume, APressThatWasDoneAgainAfterAResumeIsDone) {
  EXPECT_EQ(point(first_press_done_again_after("aborted")).pieces_done, 2);
}

TEST_F(Resume, ARepeatedPressCountsOnceAndUsesTwoNumbers) {
  const auto at = point(first_press_done_again_after("repeated"));
  EXPECT_EQ(at.presses, 2);
  EXPECT_EQ(at.pieces_done, 2);
  EXPECT_THAT(next(at), HasSubstr(R"("press":2)"));  // of the plan's numbers
}

TEST_F(Resume, SlidesAreComeToThroughTheAir) {
  const auto at = point(until("slide_end", 2));
  EXPECT_EQ(plan_.segments[at.segment].phase, Phase::kTravel);
  EXPECT_EQ(at.pieces_done, 5);
}

TEST_F(Resume, ACompleteRecordingLeavesNothing) {
  EXPECT_EQ(point(events_).segment, plan_.segments.size());
}

Edit withdrawn(int press) {
  Edit edit;
  edit.kind = Edit::Kind::kExclude;
  edit.press = press;
  edit.note = kWithdrawn;
  return edit;
}

TEST_F(Resume, APressWithdrawnAtTheRigIsOwedUntilItIsDoneAgain) {
  const auto first = until("press_begin", 2);
  const auto second = point(first);
  EXPECT_EQ(point(first, {withdrawn(1)}).pieces_done, second.pieces_done - 1);
  // Somebody who leaves a press out later doesn't want another one.
  auto later = withdrawn(1);
  later.note = "a slip";
  EXPECT_EQ(point(first, {later}).pieces_done, second.pieces_done);
  const auto again = first_press_done_again_after("ok");
  EXPECT_EQ(point(again, {withdrawn(1)}).pieces_done, second.pieces_done);
}

TEST_F(Resume, TwoPressesWithdrawnOneAfterTheOtherAreBothOwed) {
  const auto both = until("press_begin", 3);
  const int done = point(both).pieces_done;
  EXPECT_EQ(point(both, {withdrawn(2), withdrawn(1)}).pieces_done, done - 2);
}

TEST_F(Resume, AnotherProtocolsEventsAreRefused) {
  const std::vector<Event> other{
      {{1, 0}, "press_begin", R"({"press":1,"tactel":3,"kind":"ramp"})"}};
  const auto found = resume_point(plan_, other, {});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kInvalidInput);
}

/// Ways through the air (0) and tips that are mounted (1).
Plan ways_and_tips(std::initializer_list<int> order, int presses) {
  Plan plan;
  plan.presses = presses;
  for (const int tip : order) {
    Segment segment;
    if (tip != 0) segment.indenter.emplace();
    plan.segments.push_back(segment);
  }
  return plan;
}

// The parking place lies as high as the way over the pad: going there takes a piece more or less by
// which side of that the surface is found on.
TEST(BehindSameTip, CountsTipsWhereAWayBecameAPieceMoreOrLess) {
  const auto plan = ways_and_tips({1, 0, 0, 1, 0, 0, 1, 0}, 3);
  EXPECT_EQ(behind_same_tip(plan, 4, plan), 4U);
  EXPECT_EQ(behind_same_tip(plan, 4, ways_and_tips({1, 0, 0, 0, 1, 0, 0, 0, 1, 0}, 3)), 5U);
  EXPECT_EQ(behind_same_tip(plan, 7, ways_and_tips({1, 0, 1, 0, 1, 0}, 3)), 5U);
  EXPECT_FALSE(behind_same_tip(plan, 7, ways_and_tips({1, 0, 1, 0}, 3)));
  EXPECT_FALSE(behind_same_tip(plan, 4, ways_and_tips({1, 0, 0, 1, 0, 0, 1, 0}, 4)));
}

}  // namespace
}  // namespace tactelier::rig
