#include <gmock/gmock.h>

#include "devices/acquisition/resume_point.hpp"
#include "libcalib/session/moves.hpp"
#include "tests/devices/support/bench_speed.hpp"
#include "tests/devices/support/laboratory.hpp"
#include "tests/devices/support/two_tips.hpp"

namespace tactelier::rig {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;

constexpr double kSpeed = kBenchSpeed;

/// A rig file that says where the pad is about, as one of a real rig must.
RigFile known_rig() {
  auto document = json::parse(virtual_bench_rig().document);
  document["surface"] = {{"z0_mm", 0}, {"tilt_x_deg", 0}, {"tilt_y_deg", 0}};
  return *parse_rig(document.dump(), "rig");
}

TEST(RigService, NothingGoesDownBeforeAPushHasProvenTheForceSensor) {
  ServedLaboratory lab;
  lab.hands = false;
  lab.rig = known_rig();
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  std::vector<std::string> asked;
  lab.on_question = [&](const std::string& text) { asked.push_back(text); };
  const auto ended = lab.carry_out({{"do", "surface"}, {"set_up", true}});
  EXPECT_EQ(ended["news"], "failed");
  EXPECT_THAT(ended["error"]["text"].get<std::string>(), HasSubstr("not felt"));
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_THAT(asked[0], HasSubstr("upwards"));
  EXPECT_GT(lab.status()["position_mm"][2].get<double>(), 0.9);
  EXPECT_EQ(lab.status()["surface_found"], false);
}

TEST(RigService, ASignTheWrongWayRoundIsFoundByThePush) {
  ServedLaboratory lab;
  lab.hands = false;
  lab.rig = known_rig();
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  // 100 g hung on the tip pull it down: what a push up reads as on a sensor with the other sign.
  lab.on_question = [&](const std::string&) { lab.bench->hang(1); };
  const auto ended = lab.carry_out({{"do", "surface"}, {"set_up", true}});
  EXPECT_EQ(ended["news"], "failed");
  EXPECT_THAT(ended["error"]["text"].get<std::string>(), HasSubstr("reads as a pull"));
  EXPECT_GT(lab.status()["position_mm"][2].get<double>(), 0.9);
}

TEST(RigService, WithoutASurfaceInTheRigFileNobodyKnowsWhereToSlowDown) {
  ServedLaboratory lab;
  lab.hands = false;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  const auto ended = lab.carry_out({{"do", "surface"}, {"set_up", true}});
  EXPECT_EQ(ended["news"], "failed");
  EXPECT_THAT(ended["error"]["text"].get<std::string>(), HasSubstr("surface.z0_mm"));
}

TEST(RigService, TheNextTaskMayBeAskedForAsSoonAsTheLastIsOver) {
  ServedLaboratory lab;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  EXPECT_EQ(lab.carry_out({{"do", "home"}})["news"], "done");
  for (int i = 0; i < 20; ++i) EXPECT_EQ(lab.carry_out({{"do", "retract"}})["news"], "done");
}

TEST(RigService, OnlyWhatASetUpRunFindsIsKept) {
  ServedLaboratory lab;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  EXPECT_EQ(lab.carry_out({{"do", "keep"}, {"rig", {{"compliance_um_per_N", 7}}}})["news"], "done");
  const auto refused =
      lab.carry_out({{"do", "keep"}, {"rig", {{"limits", {{"max_force_N", 1000}}}}}});
  EXPECT_EQ(refused["news"], "failed");
  EXPECT_THAT(refused["error"]["text"].get<std::string>(), HasSubstr("limits"));
  // Of the stage its play alone, which leaves the rest as it is.
  const json play{{"backlash_um", {{"z", 12.5}}}}, faster{{"z_speed_mm_s", 100}};
  EXPECT_EQ(lab.carry_out({{"do", "keep"}, {"rig", {{"stage", play}}}})["news"], "done");
  EXPECT_EQ(lab.carry_out({{"do", "keep"}, {"rig", {{"stage", faster}}}})["news"], "failed");
  EXPECT_EQ(lab.carry_out({{"do", "home"}})["news"], "done");
}

/// It used to creep down in pieces until the travel's end.
TEST(RigService, AJogBeyondTheTravelIsRefusedWhole) {
  ServedLaboratory lab;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  ASSERT_EQ(lab.carry_out({{"do", "home"}})["news"], "done");
  const auto before_mm = lab.status()["position_mm"];
  const auto ended = lab.carry_out({{"do", "jog"}, {"by_mm", {0, 0, -90}}});
  ASSERT_EQ(ended["news"], "failed") << ended.dump();
  EXPECT_THAT(
      ended["error"]["text"].get<std::string>(),
      testing::AllOf(HasSubstr("outside the stage's travel"), HasSubstr("nothing has moved")));
  EXPECT_EQ(lab.status()["position_mm"], before_mm);
}

json record_two_tips(const std::filesystem::path& file) {
  return {{"do", "record"},
          {"set_up", true},
          {"protocol", json::parse(kTwoTips)},
          {"file", file.string()}};
}

std::filesystem::path fresh_file() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const auto folder = std::filesystem::path(testing::TempDir()) / "rig_service" / test->name();
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder / "run.tact";
}

/// Events in order: what was pressed, and where the pad was looked for.
std::vector<std::string> presses_and_places(const Session& session) {
  std::vector<std::string> order;
  for (const auto& event : session.events())
    if (event.name == "press_begin" || event.name == "surface" || event.name == "register")
      order.push_back(event.name);
  return order;
}

TEST(RigService, AnotherTipWithinARunHasItsSurfaceAndPlaceFoundAnew) {
  ServedLaboratory lab;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  const auto file = fresh_file();
  const auto ended = lab.carry_out(record_two_tips(file));
  ASSERT_EQ(ended["news"], "done") << ended.dump();
  EXPECT_EQ(ended["result"]["complete"], true);
  EXPECT_EQ(ended["result"]["presses"], 2);
  const auto session = Session::open(file);
  ASSERT_TRUE(session) << session.error().message;
  EXPECT_THAT(presses_and_places(*session),
              testing::ElementsAre("press_begin", "surface", "register", "press_begin"));
  const auto found = presses(session->events(), {}, session->metadata());
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_TRUE((*found)[1].indenter);
  EXPECT_TRUE((*found)[1].usable());
}

json record_presses(const std::vector<int>& tactels, const std::filesystem::path& file) {
  auto protocol = json::parse(kTwoTips);
  protocol["steps"] = json::array({{{"do", "scan"},
                                    {"tactels", tactels},
                                    {"speed_mm_s", 0.8},
                                    {"until", {{"force_N", 1}, {"depth_mm", 1.5}}}}});
  return {{"do", "record"}, {"set_up", true}, {"protocol", protocol}, {"file", file.string()}};
}

std::string warning_of(const json& ended, std::string_view code) {
  for (const auto& warning : ended["warnings"])
    if (warning["code"] == code) return warning["text"];
  return "";
}

/// Nothing before a press has told how stiff the pad is.
TEST(RigService, HowFastTheContactMayBePressedIsToldOnceItWasFelt) {
  ServedLaboratory lab;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  EXPECT_TRUE(lab.status()["pace"].is_null());
  const auto ended = lab.carry_out(record_presses({36, 54}, fresh_file()));
  ASSERT_EQ(ended["news"], "done") << ended.dump();
  const auto pace = lab.status()["pace"];
  ASSERT_TRUE(pace.is_object());
  EXPECT_NEAR(pace["asked_mm_per_s"].get<double>(), 0.8, 1e-9);
  EXPECT_GT(pace["allowed_mm_per_s"].get<double>(), 0);
  EXPECT_GT(pace["overshoot_N"].get<double>(), 0);
  EXPECT_LT(pace["overshoot_N"].get<double>(), 25);  // the pad's limit
  ASSERT_EQ(lab.carry_out({{"do", "home"}})["news"], "done");
  EXPECT_TRUE(lab.status()["pace"].is_null());  // anything may lie there now
}

/// Ways sideways through air that counted as never crossed.
double slow_sideways_m(const std::filesystem::path& file) {
  const auto session = Session::open(file);
  EXPECT_TRUE(session) << session.error().message;
  const auto lines = moves(session->events());
  EXPECT_TRUE(lines) << lines.error().message;
  double sum_m = 0;
  for (const auto& line : *lines) {
    const double sideways_m =
        std::hypot(line.to_m[0] - line.from_m[0], line.to_m[1] - line.from_m[1]);
    if (line.speed_m_per_s < 1.01e-3) sum_m += sideways_m;
  }
  return sum_m;
}

/// The tip had no name when it found the surface: all of the pad was crossed at 1 mm/s for that,
/// and a quarter of an hour became half an hour.
TEST(RigService, WhatWasSetUpByHandIsMetOnceAndThenCrossedAtSpeed) {
  ServedLaboratory lab;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  for (const char* step : {"home", "surface", "register"})
    ASSERT_EQ(lab.carry_out({{"do", step}})["news"], "done") << step;
  const auto file = fresh_file();
  const auto ended = lab.carry_out(record_presses({36, 54}, file));
  ASSERT_EQ(ended["news"], "done") << ended.dump();
  EXPECT_EQ(ended["result"]["presses"], 2);
  EXPECT_EQ(warning_of(ended, "TIP"), "");
  EXPECT_LT(slow_sideways_m(file), 1e-3);
}

TEST(RigService, ATipOfAnotherLengthThanTheOneThatFoundTheSurfaceFindsItAnew) {
  ServedLaboratory lab;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  for (const char* step : {"home", "surface"})
    ASSERT_EQ(lab.carry_out({{"do", step}})["news"], "done") << step;
  lab.bench->lengthen_tip(-60e-6);
  const auto ended = lab.carry_out(record_presses({38}, fresh_file()));
  ASSERT_EQ(ended["news"], "done") << ended.dump();
  EXPECT_THAT(warning_of(ended, "TIP"), HasSubstr("lower"));
}

constexpr const char* kPlateThenPin = R"({
  "format": "tactelier/protocol", "version": 1, "name": "a plate, then a pin",
  "indenter": {"id": "plate", "shape": "plate"},
  "steps": [{"do": "area", "force_N": [1, 3], "dwell_s": 1},
            {"do": "prompt", "text": "Mount the pin of 1 mm.",
             "indenter": {"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0}},
            {"do": "scan", "tactels": [44], "speed_mm_s": 0.8,
             "until": {"force_N": 1, "depth_mm": 1.5}}]})";

/// It was looked for at five places and registered by a plate: no rig could record an `area`.
TEST(RigService, APlateOnThePadFindsItsHeightAloneAndIsPressed) {
  ServedLaboratory lab;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  const auto file = fresh_file();
  const auto ended = lab.carry_out({{"do", "record"},
                                    {"set_up", true},
                                    {"protocol", json::parse(kPlateThenPin)},
                                    {"file", file.string()}});
  ASSERT_EQ(ended["news"], "done") << ended.dump();
  EXPECT_EQ(ended["result"]["complete"], true);
  EXPECT_LT(lab.bench->take_peak_N(), 4.5);
  const auto session = Session::open(file);
  ASSERT_TRUE(session) << session.error().message;
  EXPECT_THAT(presses_and_places(*session),
              testing::ElementsAre("press_begin", "surface", "register", "press_begin"));
}

/// Fits compute where the tip was from the lines; stages of few answers show it no other way.
TEST(RigService, EveryLineThatTheStageTookIsRecorded) {
  ServedLaboratory lab;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  const auto file = fresh_file();
  const auto ended = lab.carry_out(record_two_tips(file));
  ASSERT_EQ(ended["news"], "done") << ended.dump();
  const auto session = Session::open(file);
  ASSERT_TRUE(session) << session.error().message;
  const auto lines = moves(session->events());
  ASSERT_TRUE(lines) << lines.error().message;
  ASSERT_GT(lines->size(), 100U);
  int stopped = 0;
  for (std::size_t i = 0; i < lines->size(); ++i) {
    const auto& line = (*lines)[i];
    EXPECT_EQ(line.line, static_cast<int>(i) + 1);
    ASSERT_TRUE(line.answered_s);
    EXPECT_GE(*line.answered_s, line.queued_s);
    stopped += line.stopped_s.has_value() ? 1 : 0;
    // A way up begins where the stage said last that it stands.
    if (i > 0 && !(*lines)[i - 1].stopped_s) {
      EXPECT_LT(distance_m(line.from_m, (*lines)[i - 1].to_m), 2e-6) << "line " << i + 1;
    }
  }
  EXPECT_GE(stopped, 2) << "a touch cuts its line short";
  // The rig file leaves the steps open, the controller's $100 to $102 tell them.
  const auto document = json::parse(session->metadata().document);
  for (const char* axis : {"x", "y", "z"})
    EXPECT_NEAR(document["rig"]["stage"]["step_um"][axis].get<double>(),
                lab.effects.stage.step_m * 1e6, 1e-9);
}

const json kPressOnce{{"do", "scan"},
                      {"tactels", {45}},
                      {"speed_mm_s", 0.8},
                      {"until", {{"force_N", 1}, {"depth_mm", 1.5}}}};

json record_growing(const std::filesystem::path& file) {
  auto protocol = json::parse(kTwoTips);
  protocol["steps"] = json::array({kPressOnce});
  return {{"do", "record"},
          {"set_up", true},
          {"protocol", protocol},
          {"grows", json::array({kPressOnce})},
          {"file", file.string()}};
}

TEST(RigService, AGrowingRecordingGoesOnWithTheStepsThatItIsGiven) {
  ServedLaboratory lab;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  const auto file = fresh_file();
  auto elsewhere = kPressOnce;
  elsewhere["tactels"] = {30, 51};
  int wanted = 0;
  lab.on_news = [&](const json& news) {
    if (news["news"] != "wanting") return;
    const bool last = ++wanted == 2;
    const auto given = lab.ask({{"do", "further"},
                                {"steps", json::array({last ? kPressOnce : elsewhere})},
                                {"text", "here it is wanted"},
                                {"last", last}});
    EXPECT_EQ(given["ok"], true) << given.dump();
    // Those have not begun yet.
    EXPECT_TRUE(
        lab.ask({{"do", "further"}, {"steps", json::array({kPressOnce})}}).contains("error"));
  };
  const auto ended = lab.carry_out(record_growing(file));
  ASSERT_EQ(ended["news"], "done") << ended.dump();
  EXPECT_EQ(ended["result"]["complete"], true);
  EXPECT_EQ(ended["result"]["presses"], 4);
  EXPECT_EQ(wanted, 2);
  const auto session = Session::open(file);
  ASSERT_TRUE(session) << session.error().message;
  std::vector<int> tactels;
  const auto pressed = presses(session->events(), {}, session->metadata());
  ASSERT_TRUE(pressed) << pressed.error().message;
  for (const auto& press : *pressed) tactels.push_back(press.tactel.value_or(-1));
  EXPECT_THAT(tactels, testing::ElementsAre(45, 30, 51, 45));
  // Whoever goes on with it finds the whole protocol, not only how it began.
  const auto protocol = protocol_of(*session);
  ASSERT_TRUE(protocol) << protocol.error().message;
  EXPECT_EQ(protocol->steps.size(), 3U);
  EXPECT_THAT(lab.ask({{"do", "further"}, {"steps", json::array({kPressOnce})}})["error"]["text"]
                  .get<std::string>(),
              HasSubstr("no recording runs"));
}

TEST(RigService, FurtherStepsBeyondALimitEndTheRecordingInOrder) {
  ServedLaboratory lab;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  const auto file = fresh_file();
  auto hard = kPressOnce;
  hard["until"]["force_N"] = 60;
  lab.on_news = [&](const json& news) {
    if (news["news"] == "wanting")
      lab.ask({{"do", "further"}, {"steps", json::array({hard})}, {"last", true}});
  };
  const auto ended = lab.carry_out(record_growing(file));
  ASSERT_EQ(ended["news"], "failed") << ended.dump();
  EXPECT_THAT(ended["error"]["text"].get<std::string>(), HasSubstr("step 2 (scan)"));
  const auto session = Session::open(file);
  ASSERT_TRUE(session) << session.error().message;
  EXPECT_TRUE(session->finished());
  EXPECT_EQ(presses(session->events(), {}, session->metadata())->size(), 1U);
}

/// The stage only knows that it was told to stop, or that its wire is gone; whoever recorded is
/// told what locked the rig, and by the error's code that it is locked.
class LockedWhileItRecords
    : public testing::TestWithParam<std::pair<const char*, devices::FaultKind>> {};

TEST_P(LockedWhileItRecords, SaysFirstWhatLockedIt) {
  const auto& [device, kind] = GetParam();
  ServedLaboratory lab;
  lab.change = [](devices::BenchSetup& setup) { setup.encoder = true; };
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  devices::Fault fault;
  fault.kind = kind;
  fault.count = 1'000'000;
  bool struck = false;
  lab.on_news = [&](const json& news) {
    if (news["news"] != "progress" || struck || lab.status()["recording"].is_null()) return;
    lab.bench->inject(device, fault);
    struck = true;
  };
  auto request = record_two_tips(fresh_file());
  request["protocol"]["steps"] = json::array({{{"do", "zero"}, {"time_s", 600}}});
  const auto ended = lab.carry_out(request);
  ASSERT_EQ(ended["news"], "failed") << ended.dump();
  EXPECT_EQ(ended["error"]["code"], "device-fault") << ended.dump();
  const auto words = ended["error"]["text"].get<std::string>();
  EXPECT_THAT(words, testing::StartsWith(device));
  EXPECT_THAT(words, HasSubstr(lab.status()["trip"].get<std::string>()));
}

INSTANTIATE_TEST_SUITE_P(Faults, LockedWhileItRecords,
                         testing::Values(std::pair("stage", devices::FaultKind::kHangUp),
                                         std::pair("encoder", devices::FaultKind::kFreeze)));

/// Nobody polls the stage while it looks for its switches.
TEST(RigService, AStageThatIsUnpluggedWhileItHomesLocksTheRig) {
  ServedLaboratory lab;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  bool struck = false;
  lab.on_news = [&](const json& news) {
    if (news["news"] != "progress" || std::exchange(struck, true)) return;
    devices::Fault fault;
    fault.kind = devices::FaultKind::kHangUp;
    lab.bench->inject("stage", fault);
  };
  const auto ended = lab.carry_out({{"do", "home"}, {"set_up", true}});
  ASSERT_EQ(ended["news"], "failed") << ended.dump();
  EXPECT_EQ(ended["error"]["code"], "device-fault") << ended.dump();
  EXPECT_EQ(lab.status()["mode"], "fault");
}

/// The bench's force sensor is silent: a fault that lasts.
void silence_force(ServedLaboratory& lab) {
  devices::Fault fault;
  fault.kind = devices::FaultKind::kFreeze;
  fault.count = 1'000'000;
  lab.bench->inject("force", fault);
}

TEST(RigService, NothingMovesDownWithoutALiveForceAndALockWaitsForIt) {
  ServedLaboratory lab;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  ASSERT_EQ(lab.carry_out({{"do", "home"}})["news"], "done");
  const double before_mm = lab.status()["position_mm"][2].get<double>();
  silence_force(lab);
  // Until the force is too old to move by; then every jog down fails where it stands.
  json ended;
  int tried = 0;
  do {
    ended = lab.carry_out({{"do", "jog"}, {"by_mm", {0, 0, -0.01}}, {"speed_mm_s", 1}});
  } while (ended["news"] == "done" && ++tried < 1000);
  const auto locked = lab.status();
  EXPECT_GT(locked["position_mm"][2].get<double>(), before_mm - 8);
  if (locked["mode"] == "fault") {
    EXPECT_EQ(locked["trip_cause_gone"], false);
    EXPECT_THAT(locked["trip_waits_for"].get<std::string>(), HasSubstr("force sensor"));
    const auto refused = lab.ask({{"do", "acknowledge"}});
    EXPECT_THAT(refused["error"]["text"].get<std::string>(), HasSubstr("the cause lasts"));
  } else {
    EXPECT_THAT(ended["error"]["text"].get<std::string>(), HasSubstr("no live force"));
  }
  const double stands_mm = lab.status()["position_mm"][2].get<double>();
  for (int i = 0; i < 3; ++i) {
    (void)lab.ask({{"do", "acknowledge"}});
    ended = lab.carry_out({{"do", "jog"}, {"by_mm", {0, 0, -1}}, {"speed_mm_s", 1}});
    EXPECT_EQ(ended["news"], "failed");
  }
  EXPECT_NEAR(lab.status()["position_mm"][2].get<double>(), stands_mm, 1e-3);
}

TEST(RigService, ANoteNeedsARecordingThatHoldsIt) {
  ServedLaboratory lab;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  const auto refused = lab.service->handle({{"do", "note"}, {"text", "hello"}}, 1, {});
  EXPECT_THAT(refused["error"]["text"].get<std::string>(), HasSubstr("nothing is being recorded"));
}

}  // namespace
}  // namespace tactelier::rig
