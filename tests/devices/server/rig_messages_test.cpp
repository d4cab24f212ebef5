#include "devices/server/rig_messages.hpp"

#include <gtest/gtest.h>

#include "libcalib/resources.hpp"

namespace tactelier::rig::messages {
namespace {

using nlohmann::json;

/// Nothing in it is a default.
Status busy_status() {
  Status status;
  status.process = 4711;
  status.task = TaskKind::kRecord;
  status.paused = status.resting = status.jogging = true;
  status.jog_refused = "a move enters the box 'clamp'";
  status.force_N = 1.25;
  status.peak_N = 2.5;
  status.sensor_load = 0.125;
  status.tared = true;
  status.zero_N = {0.5, -0.25, 3.0};
  status.position_m = {0.0085, -0.0017, 0.002};
  status.position_trusted = true;
  status.stage = StageActivity::kHold;
  status.surface_found = status.registered = true;
  status.force_samples = 7'000'000'000;
  status.frames = 1234;
  status.force_lost = 5;
  status.frames_lost = 6;
  status.latency_s = 0.5e-3;
  status.pace = Pace{0.75e-3, 1e-3, 0.125};
  status.emergency_stop = false;
  status.trip = Trip{LimitKind::kPadForce, "pad force 3.12 N, limit 3 N"};
  status.trips = {*status.trip, {LimitKind::kDevice, "stage: gone"}};
  status.waits_for = "the force sensor has said nothing for 1.2 s";
  status.recording = RunningRecording{"/tmp/a.tact", 552.0, 77};
  return status;
}

/// What a rig process said before there were kinds of trips: position in mm, latency in ms.
json said_before() {
  return json::parse(R"({
    "process": 4711, "mode": "fault", "task": "record", "paused": true, "resting": true,
    "jogging": true, "jog_refused": "a move enters the box 'clamp'", "force_N": 1.25,
    "tared": true, "zero_N": [0.5, -0.25, 3.0], "peak_N": 2.5, "sensor_load": 0.125,
    "position_mm": [8.5, -1.7, 2.0], "position_trusted": true, "stage": "hold",
    "surface_found": true, "registered": true, "force_samples": 7000000000, "frames": 1234,
    "force_lost": 5, "frames_lost": 6, "latency_ms": 0.5, "emergency_stop": false,
    "trip": "pad force 3.12 N, limit 3 N",
    "trip_cause_gone": false,
    "trip_waits_for": "the force sensor has said nothing for 1.2 s",
    "recording": "/tmp/a.tact", "recorded_s": 552.0, "committed_rows": 77})");
}

constexpr LimitKind kLast = LimitKind::kStopButton;
constexpr const char* kStatusMembers = "/properties/result/oneOf/3/properties/status/properties";

TEST(RigMessages, AStatusComesBackAsItWas) {
  EXPECT_EQ(status_in(to_json(busy_status())), busy_status());
  EXPECT_EQ(status_in(to_json(Status{})), Status{});
}

TEST(RigMessages, AnOlderClientFindsEveryMemberWhereItWas) {
  const auto now = to_json(busy_status());
  const auto before = said_before();
  for (const auto& [key, value] : before.items()) EXPECT_EQ(now.value(key, json()), value) << key;
  const auto quiet = to_json(Status{});
  EXPECT_EQ(quiet["mode"], "ready");
  EXPECT_EQ(quiet["task"], "");
  for (const char* key :
       {"trip", "trip_waits_for", "recording", "zero_N", "emergency_stop", "pace"})
    EXPECT_TRUE(quiet.at(key).is_null()) << key;
  EXPECT_EQ(quiet["trip_cause_gone"], true);
  EXPECT_FALSE(quiet.contains("recorded_s"));
}

TEST(RigMessages, AnOlderRigProcessIsUnderstoodButForTheKindOfItsTrip) {
  auto expected = busy_status();
  expected.trip->kind = LimitKind::kDevice;
  expected.trips.clear();
  expected.pace.reset();
  EXPECT_EQ(status_in(said_before()), expected);
}

TEST(RigMessages, StoppedByHandIsAKindAndNoSentence) {
  Status status;
  status.trip = Trip{LimitKind::kStopButton, "whatever it says"};
  EXPECT_TRUE(status_in(to_json(status)).trip->by_hand());
  status.trip = Trip{LimitKind::kDevice, "stopped by hand"};
  EXPECT_FALSE(status_in(to_json(status)).trip->by_hand());
}

TEST(RigMessages, HalfAPaceIsNone) {
  for (const char* key : {"allowed_mm_per_s", "asked_mm_per_s", "overshoot_N"}) {
    auto line = to_json(busy_status());
    line["pace"].erase(key);
    EXPECT_FALSE(status_in(line).pace) << key;
  }
}

TEST(RigMessages, EveryKindOfTripHasAWordOfItsOwn) {
  for (int kind = 0; kind <= static_cast<int>(kLast); ++kind) {
    Status status;
    status.trip = Trip{static_cast<LimitKind>(kind), "?"};
    EXPECT_EQ(status_in(to_json(status)).trip->kind, status.trip->kind) << kind;
  }
}

TEST(RigMessages, WhatIsOfAnotherTypeCountsAsMissing) {
  auto wrong = to_json(busy_status());
  for (auto& [key, value] : wrong.items()) value = json::object();
  EXPECT_EQ(status_in(wrong), Status{});
  for (const auto& no_object : {json(), json(5), json("status"), json::array()})
    EXPECT_EQ(status_in(no_object), Status{});
}

TEST(RigMessages, TheCommandLinesSchemaKnowsEveryMemberOfAStatus) {
  const auto schema = json::parse(*resource("schemas/cli-rig.schema.json"));
  const auto status = to_json(busy_status());
  for (const auto& [key, value] : status.items())
    EXPECT_TRUE(schema.at(json::json_pointer(kStatusMembers)).contains(key)) << key;
}

TEST(RigMessages, NewsComeBackAsTheyWere) {
  const Progress progress{"record", "step 3 scan, press 5 of 84", 12.5, 90, "3 scan", 80.5};
  const Press press{41, 37, PressOutcome::kWithdrawn};
  const Question question{"Put the weight on.", "compression_mm"};
  for (const News& news : {News(progress), News(press), News(question)}) {
    const auto line = to_json(news, 7);
    EXPECT_TRUE(is_news(line));
    EXPECT_EQ(task_in(line), 7);
    const auto back = news_in(line);
    ASSERT_TRUE(back && back->index() == news.index()) << line.dump();
    EXPECT_EQ(to_json(*back, 7), line);
  }
  EXPECT_EQ(std::get<Press>(*news_in(to_json(press, 7))), press);
  EXPECT_FALSE(news_in({{"task", 7}, {"news", "of a later version"}}));
}

TEST(RigMessages, EveryOutcomeOfAPressHasAWord) {
  for (int outcome = 0; outcome <= static_cast<int>(PressOutcome::kWithdrawn); ++outcome) {
    const Press press{1, {}, static_cast<PressOutcome>(outcome)};
    EXPECT_EQ(std::get<Press>(*news_in(to_json(press, 1))), press) << outcome;
  }
}

TEST(RigMessages, ATaskEndsWithAResultOrAnErrorAndItsWarnings) {
  const Warnings warnings{{"SHIFT", "the pad lies elsewhere", "after the last press"}};
  const auto done = std::get<End>(*news_in(to_json(End{{}, {{"presses", 3}}, warnings}, 7)));
  EXPECT_FALSE(done.error);
  EXPECT_EQ(done.result["presses"], 3);
  EXPECT_EQ(done.warnings, warnings);
  const Error error{ErrorCode::kTimeout, "too late"};
  const auto failed = std::get<End>(*news_in(to_json(End{error, {}, {}}, 7)));
  ASSERT_TRUE(failed.error);
  EXPECT_EQ(failed.error->code, ErrorCode::kTimeout);
  EXPECT_EQ(failed.error->message, "too late");
}

TEST(RigMessages, OrdersComeBackAsTheyWere) {
  RecordOrder order;
  order.file = "/tmp/a.tact";
  order.resume = order.set_up = true;
  order.protocol = {{"format", "tactelier/protocol"}};
  order.reference_spring_N_per_m = 2e4;
  order.sensor_serial = "S1";
  order.mount = "glued";
  order.operator_name = "N. N.";
  order.notes = "cold";
  order.temperature_degC = 17.5;
  EXPECT_EQ(record_order_in(to_json(order)), order);
  EXPECT_EQ(record_order_in(to_json(RecordOrder{})), RecordOrder{});
  RecordOrder growing;
  growing.file = "/tmp/a.tact";
  growing.grows = json::array({{{"do", "zero"}, {"time_s", 1}}});
  EXPECT_EQ(record_order_in(to_json(growing)), growing);
  const FurtherOrder further{growing.grows, "gain of 3", true};
  EXPECT_EQ(further_order_in(to_json(further)), further);
  const auto wanting = news_in(to_json(News{Wanting{12.5}}, 3));
  ASSERT_TRUE(wanting);
  EXPECT_EQ(std::get<Wanting>(*wanting), Wanting{12.5});
  const auto jog = jog_in(jog_request({{0.5e-3, 0, -0.25e-3}, 2e-3}));
  ASSERT_TRUE(jog);
  EXPECT_EQ(jog->by_m, (Vector3{0.5e-3, 0, -0.25e-3}));
  EXPECT_DOUBLE_EQ(jog->speed_m_per_s, 2e-3);
  EXPECT_FALSE(jog_in(request("jog")));
}

TEST(RigMessages, RecordedComesBackAsItWas) {
  const Recorded recorded{"/tmp/a.tact", 41, 1, 2, 3, true, 1.5, 600};
  EXPECT_EQ(recorded_in(to_json(recorded)), recorded);
}

TEST(RigMessages, EveryTaskIsARequestByItsName) {
  for (int kind = 0; kind <= static_cast<int>(TaskKind::kKeep); ++kind) {
    const auto task = static_cast<TaskKind>(kind);
    EXPECT_EQ(task_kind(name_of(task_request(task, true))), task);
    EXPECT_TRUE(wants_set_up(task_request(task, true)));
  }
  EXPECT_FALSE(task_kind("status"));
}

}  // namespace
}  // namespace tactelier::rig::messages
