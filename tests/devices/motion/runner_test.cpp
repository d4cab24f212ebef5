// A protocol carried out by real drivers on the virtual bench's wires, ten times as fast.

#include "devices/motion/runner.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <csignal>

#include "tests/devices/support/bench_speed.hpp"
#include "tests/devices/support/laboratory.hpp"

namespace tactelier::rig {
namespace {

constexpr double kSpeed = kBenchSpeed;

/// A laboratory and what is to be carried out in it.
struct BenchRun {
  Laboratory lab;
  Plan plan;
  std::filesystem::path file;
  RunControl control;
  NobodyThere nobody;

  void begin(const char* protocol_text) {
    ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
    ASSERT_NO_FATAL_FAILURE(record(protocol_text));
  }
  /// To a file of this test's own.
  void record(const char* protocol_text) {
    const auto protocol = parse_protocol(protocol_text, "protocol");
    ASSERT_TRUE(protocol) << protocol.error().message;
    plan = lab.plan_of(*protocol);
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    const auto folder = std::filesystem::path(testing::TempDir()) / "runner" / test->name();
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    file = folder / "run.tact";
    ASSERT_TRUE(lab.record(*protocol, plan, file));
  }
  Runner runner(OperatorInterface& desk) { return {*lab.live, lab.rig, plan, desk, control, {}}; }
  Runner runner() { return runner(nobody); }
  /// Of the closed recording.
  std::vector<Press> recorded() {
    EXPECT_TRUE(lab.live->end_recording());
    const auto session = Session::open(file);
    EXPECT_TRUE(session) << session.error().message;
    const auto found = presses(session->events(), {}, session->metadata());
    EXPECT_TRUE(found) << found.error().message;
    return found.value_or(std::vector<Press>{});
  }
};

constexpr const char* kThreePresses = R"({
  "format": "tactelier/protocol", "version": 1, "name": "three",
  "indenter": {"shape": "cylinder", "diameter_mm": 1.0},
  "steps": [{"do": "scan", "tactels": [38, 39, 44], "speed_mm_s": 0.8,
             "until": {"force_N": 1, "depth_mm": 1.5}}]})";

TEST(Runner, CarriesOutAScanAndRecordsIt) {
  BenchRun run;
  ASSERT_NO_FATAL_FAILURE(run.begin(R"({
    "format": "tactelier/protocol", "version": 1, "name": "three",
    "indenter": {"shape": "cylinder", "diameter_mm": 1.0},
    "steps": [{"do": "zero", "time_s": 2},
              {"do": "scan", "tactels": [38, 39, 44], "speed_mm_s": 0.8,
               "until": {"force_N": 2, "depth_mm": 1.5}}]})"));
  const auto report = run.runner().run();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->presses, 3);
  EXPECT_EQ(report->aborted, 0);
  EXPECT_GT(report->peak_force_N, 1.9);
  EXPECT_LT(report->peak_force_N, 3.0);
  const auto found = run.recorded();
  ASSERT_EQ(found.size(), 3U);
  for (const auto& press : found) EXPECT_EQ(press.outcome, "ok");
}

TEST(Runner, AChirpGoesToItsEndAlsoWhereItIsSlowerThanTheStageCanBe) {
  BenchRun run;
  ASSERT_NO_FATAL_FAILURE(run.begin(R"({
    "format": "tactelier/protocol", "version": 1, "name": "chirp",
    "indenter": {"shape": "cylinder", "diameter_mm": 2.0},
    "steps": [{"do": "chirp", "sites": 1, "preload_mm": 0.6, "amplitude_mm": 0.1,
               "from_hz": 0.2, "to_hz": 4, "time_s": 20}]})"));
  const auto report = run.runner().run();
  ASSERT_TRUE(report) << report.error().message;
  const auto found = run.recorded();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].outcome, "ok");
}

/// Encoder minus stage wherever both have rested for 0.4 s.
std::vector<double> resting_offsets_um(const std::filesystem::path& file) {
  constexpr std::size_t kRest = 400;
  const auto session = Session::open(file);
  EXPECT_TRUE(session) << session.error().message;
  const std::vector<std::string> columns{"z", "z_enc"};
  const auto rows = session->read(StreamKind::kStage, columns, {});
  EXPECT_TRUE(rows) << rows.error().message;
  const auto& z_m = rows->columns[0];
  const auto& encoder_m = rows->columns[1];
  std::vector<double> offsets_um;
  for (std::size_t i = kRest; i < z_m.size(); ++i)
    if (z_m[i] == z_m[i - kRest] && std::abs(encoder_m[i] - encoder_m[i - kRest]) < 0.2e-6)
      offsets_um.push_back(1e6 * (encoder_m[i] - z_m[i]));
  return offsets_um;
}

TEST(Runner, AnEncoderIsRecordedBesideTheStageAndKnowsItsPlay) {
  BenchRun run;
  run.lab.change = [](auto& bench) { bench.encoder = true; };
  run.lab.effects.stage.backlash_m = 20e-6;
  ASSERT_NO_FATAL_FAILURE(run.begin(kThreePresses));
  const auto report = run.runner().run();
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_TRUE(run.lab.live->end_recording());
  const auto session = Session::open(run.file);
  const auto* stage = session->stream(StreamKind::kStage);
  EXPECT_EQ(session->metadata().clocks.at(StreamKind::kStage), Clock::kOwn);
  EXPECT_GT(static_cast<double>(stage->rows), 990 * (stage->end_s - stage->begin_s));
  // Zeroed after homing, which ends downwards; after a way up the play lies between.
  const auto offsets_um = resting_offsets_um(run.file);
  const auto share_near = [&](double least_um, double most_um) {
    const auto near = std::count_if(offsets_um.begin(), offsets_um.end(), [&](double offset_um) {
      return offset_um > least_um - 1.5 && offset_um < most_um + 1.5;
    });
    return static_cast<double>(near) / static_cast<double>(offsets_um.size());
  };
  ASSERT_GT(offsets_um.size(), 1000U);
  EXPECT_GT(share_near(0, 0), 0.01);
  EXPECT_GT(share_near(-20, -20), 0.01);
  // Not all: a computer that stands still for 50 ms hears nothing of this stage for 0.4 s.
  EXPECT_GT(share_near(-20, 0), 0.95);
}

TEST(Runner, AnEncoderThatFallsSilentStopsTheRunAndKeepsWhatItTook) {
  BenchRun run;
  run.lab.change = [](auto& bench) { bench.encoder = true; };
  ASSERT_NO_FATAL_FAILURE(run.begin(kThreePresses));
  auto runner = run.runner();
  bool silenced = false;
  runner.on_progress = [&](const RunProgress& at) {
    if (at.presses != 1 || std::exchange(silenced, true)) return;
    run.lab.bench->inject("encoder", {devices::FaultKind::kFreeze, 0, 1, 0, 0});
  };
  const auto report = runner.run();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kDeviceFault);
  EXPECT_THAT(report.error().message, testing::HasSubstr("encoder: silent for"));
  EXPECT_FALSE(run.recorded().empty());
}

TEST(Runner, ASecondGaugeIsRefusedRatherThanDropped) {
  Laboratory lab;
  lab.change = [](auto& bench) { bench.encoder = true; };
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  lab.live.reset();
  auto document = nlohmann::json::parse(device_text(*lab.bench, lab.rig));
  document["aux"].push_back(document["aux"][0]);
  auto file = devices::parse_device_file(document.dump(), "bench");
  ASSERT_TRUE(file) << file.error().message;
  const auto opened = LiveRig::open(std::move(*file), lab.rig);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, testing::HasSubstr("aux: 2 length gauges"));
}

TEST(Runner, APadForceBeyondTheLimitAbortsThePressAndTheNextOneFollows) {
  BenchRun run;
  run.lab.rig.limits.max_force_N = 1.5;
  ASSERT_NO_FATAL_FAILURE(run.lab.start(1, kSpeed));
  run.lab.rig.limits.max_force_N = 4;  // the plan may want more than the supervisor allows
  ASSERT_NO_FATAL_FAILURE(run.record(R"({
    "format": "tactelier/protocol", "version": 1, "name": "two",
    "indenter": {"shape": "cylinder", "diameter_mm": 1.0},
    "steps": [{"do": "scan", "tactels": [38], "speed_mm_s": 0.5,
               "until": {"force_N": 3, "depth_mm": 1.5}},
              {"do": "scan", "tactels": [44], "speed_mm_s": 0.5,
               "until": {"force_N": 1, "depth_mm": 1.5}}]})"));
  const auto report = run.runner().run();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->aborted, 1);
  // First descents go in steps of 20 um: at 4 N/mm, twice that until the rig has stopped, 0.2 N.
  EXPECT_LT(run.lab.bench->take_peak_N(), 1.8);
  const auto found = run.recorded();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].outcome, "aborted");
  EXPECT_EQ(found[1].outcome, "ok");
  const auto session = Session::open(run.file);
  EXPECT_TRUE(std::any_of(session->events().begin(), session->events().end(),
                          [](const Event& event) { return event.name == "limit"; }));
}

/// Preset clean is a rigid rig: the plate under it gives 0.2 um per newton. Pieces of 12 um once
/// pressed it until the force sensor's range aborted the run, 35 N and more.
TEST(Runner, AStiffPlateIsNeverPressedBeyondTheRigsLimit) {
  BenchRun run;
  ASSERT_NO_FATAL_FAILURE(run.begin(R"({
    "format": "tactelier/protocol", "version": 1, "name": "plate",
    "indenter": {"shape": "cylinder", "diameter_mm": 1.0},
    "steps": [{"do": "plate", "force_N": 15, "speed_mm_s": 0.1, "repeats": 2}]})"));
  const auto report = run.runner().run();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->aborted, 0);
  const double peak_N = run.lab.bench->take_peak_N();
  EXPECT_GE(peak_N, 12.4);  // a step of 1 um is 5 N here: nearer to 15 it can't end
  EXPECT_LE(peak_N, 17.6);
}

/// A plate on a tilted pad touches at one corner: 8 mm off the axis along x and y, 17.5 N are 0.7
/// of the sensor's range and their torques 0.6 of theirs.
TEST(Runner, APressThatTurnsTheForceSensorEndsBeforeTheRigIsLocked) {
  BenchRun run;
  run.lab.effects.surface.tilt_rad = 0.009;
  run.lab.change = [](auto& bench) {
    bench.truth.calibration_indenter = parse_indenter(R"({"shape": "plate"})", "plate").value();
  };
  run.lab.effects.compliance.linear_m_per_N = 15e-6;
  ASSERT_NO_FATAL_FAILURE(run.begin(R"({
    "format": "tactelier/protocol", "version": 1, "name": "area",
    "indenter": {"shape": "plate"},
    "steps": [{"do": "plate", "force_N": 2, "speed_mm_s": 0.1},
              {"do": "area", "force_N": [2, 6, 12, 20], "dwell_s": 1},
              {"do": "zero", "time_s": 1}]})"));
  const auto report = run.runner().run();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->aborted, 0);
  ASSERT_EQ(report->warnings.size(), 1U);
  EXPECT_EQ(report->warnings[0].code, "NEAR-RANGE");
  const auto found = run.recorded();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].outcome, "ok");
  EXPECT_GE(found[0].holds.size(), 2U);
}

/// The tip sticks and is moved along the plate: the rig bends sideways, no further than friction
/// holds, and the load stays.
TEST(Runner, AStickingTipIsStrokedAlongThePlate) {
  BenchRun run;
  run.lab.effects.compliance.linear_m_per_N = 12e-6;
  run.lab.effects.compliance.shear_m_per_N = 50e-6;
  ASSERT_NO_FATAL_FAILURE(run.begin(R"({
    "format": "tactelier/protocol", "version": 1, "name": "shear",
    "indenter": {"shape": "cylinder", "diameter_mm": 1.0},
    "steps": [{"do": "shear", "force_N": 8, "length_mm": 0.1, "speed_mm_s": 0.1, "repeats": 2}]})"));
  const auto report = run.runner().run();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->aborted, 0);
  EXPECT_LT(run.lab.bench->take_peak_N(), 9.5);
  ASSERT_TRUE(run.lab.live->end_recording());
  const auto session = Session::open(run.file);
  ASSERT_TRUE(session);
  const auto strokes = intervals(session->events(), "shear");
  ASSERT_TRUE(strokes);
  ASSERT_EQ(strokes->size(), 1U);
  const TimeRange range{strokes->front().begin_s, strokes->front().end_s};
  const auto forces = session->read(StreamKind::kForce, std::vector<std::string>{"Fy"}, range);
  ASSERT_TRUE(forces);
  const auto [least, most] = std::ranges::minmax_element(forces->columns[0]);
  // 0.1 mm over 50 um/N are 2 N, of which friction under 8 N holds 1.76 N.
  EXPECT_NEAR(*most - *least, 1.76, 0.35);
}

constexpr const char* kGroundAndAPress = R"({
  "format": "tactelier/protocol", "version": 1, "name": "ground",
  "indenter": {"shape": "cylinder", "diameter_mm": 1.0},
  "steps": [{"do": "plate", "force_N": 5, "speed_mm_s": 0.1},
            {"do": "ground", "force_N": 5, "speed_mm_s": 0.1, "repeats": 2},
            {"do": "scan", "tactels": [38], "speed_mm_s": 0.5,
             "until": {"force_N": 1, "depth_mm": 1.5}}]})";

/// A frame that gives as preset lab's does, a limit of 8 N.
struct GroundRun : BenchRun {
  double peak_N = 0;
  RunReport report;
  void lay() {
    lab.rig = changed_rig(lab.rig, {{"ground_mm", {0, -48}}, {"limits", {{"max_force_N", 8}}}});
    lab.effects.compliance.linear_m_per_N = 12e-6;
  }
  void go(const ChangeBench& change) {
    lay();
    lab.change = change;
    ASSERT_NO_FATAL_FAILURE(begin(kGroundAndAPress));
    const auto done = runner().run();
    ASSERT_TRUE(done) << done.error().message;
    report = *done;
    peak_N = lab.bench->take_peak_N();
    const auto found = recorded();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].outcome, "ok") << "what follows is done";
  }
  std::string told() const {
    std::string text;
    for (const auto& warning : report.warnings) text += warning.code + " " + warning.text + "\n";
    return text;
  }
};

TEST(Runner, GroundBesideThePadIsFoundWhereTheLayerEnds) {
  GroundRun run;
  double thickness_m = 0;
  ASSERT_NO_FATAL_FAILURE(
      run.go([&](auto& bench) { thickness_m = bench.truth.layer.thickness_m; }));
  EXPECT_EQ(run.told(), "");
  EXPECT_GT(run.peak_N, 4.5);
  EXPECT_LT(run.peak_N, 8);
  const auto session = Session::open(run.file);
  ASSERT_TRUE(session);
  const auto touches = intervals(session->events(), "ground");
  ASSERT_TRUE(touches);
  ASSERT_EQ(touches->size(), 2U);
  for (const auto& touch : *touches) {
    const auto rows = session->read(StreamKind::kStage, std::vector<std::string>{"z"},
                                    {touch.begin_s, touch.end_s});
    ASSERT_TRUE(rows);
    const auto& z_m = rows->columns[0];
    // 5 N bend the frame by 61 um; a step of the stage is 0.08 N.
    EXPECT_NEAR(*std::min_element(z_m.begin(), z_m.end()), -thickness_m - 61e-6, 12e-6);
  }
}

TEST(Runner, GroundThatIsntThereIsToldAndTheRunGoesOn) {
  GroundRun run;
  ASSERT_NO_FATAL_FAILURE(run.go([](auto& bench) { bench.ground->z_m = -30e-3; }));
  EXPECT_THAT(run.told(), testing::HasSubstr("GROUND-MISSED nothing rigid was met beside the pad"));
  EXPECT_LT(run.peak_N, 8);
}

/// Rubber all over: once felt, it is left within 0.1 mm, 0.5 N on any pad of these.
TEST(Runner, GroundPlaceOverThePadIsToldBeforeThePadIsPressed) {
  GroundRun run;
  ASSERT_NO_FATAL_FAILURE(run.go([](auto& bench) { bench.ground.reset(); }));
  EXPECT_THAT(run.told(), testing::HasSubstr("GROUND-SOFT what is beside the pad gives way"));
  EXPECT_LT(run.peak_N, 8);
}

/// Hard ground in air answers faster than a hold: reset, raised, locked.
TEST(Runner, GroundHigherThanThePadStopsTheRunAndIsNamed) {
  GroundRun run;
  run.lay();
  run.lab.change = [](auto& bench) { bench.ground->z_m = 0.6e-3; };
  ASSERT_NO_FATAL_FAILURE(run.begin(kGroundAndAPress));
  const auto done = run.runner().run();
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message, testing::HasSubstr("the ground higher than it says?"));
  EXPECT_LT(run.lab.bench->take_peak_N(), 8);
}

TEST(Runner, AnUndoneFinishedPressIsWithdrawnAndDoneAgain) {
  BenchRun run;
  ASSERT_NO_FATAL_FAILURE(run.begin(kThreePresses));
  auto runner = run.runner();
  bool asked = false;
  runner.on_progress = [&](const RunProgress& at) {
    const bool travels = run.plan.segments[at.segment].phase == Phase::kTravel;
    if (at.presses == 2 && travels && !std::exchange(asked, true)) run.control.undo = true;
  };
  const auto report = runner.run();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->undone, 1);
  EXPECT_EQ(report->presses, 4);
  EXPECT_TRUE(run.lab.live->end_recording());
  const auto session = Session::open(run.file);
  ASSERT_TRUE(session) << session.error().message;
  const auto found = presses(session->events(), session->edits(), session->metadata());
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->size(), 4U);
  EXPECT_TRUE((*found)[1].excluded);
  EXPECT_EQ((*found)[2].tactel, (*found)[1].tactel);
  EXPECT_TRUE((*found)[2].usable());
  ASSERT_EQ(session->edits().size(), 1U);
  EXPECT_EQ(session->edits()[0].note, kWithdrawn);
}

TEST(Runner, UndoBreaksThePressAtHandOffAndDoesItAgain) {
  BenchRun run;
  ASSERT_NO_FATAL_FAILURE(run.begin(kThreePresses));
  auto runner = run.runner();
  bool asked = false;
  runner.on_progress = [&](const RunProgress& at) {
    const bool loads = run.plan.segments[at.segment].phase == Phase::kLoad;
    if (at.presses == 2 && loads && !std::exchange(asked, true)) run.control.undo = true;
  };
  const auto report = runner.run();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->undone, 1);
  const auto found = run.recorded();
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[1].outcome, "undone");
  EXPECT_EQ(found[2].outcome, "ok");
  EXPECT_EQ(found[2].tactel, found[1].tactel);
}

TEST(Runner, WithNothingToUndoTheRunGoesOnAndSaysSo) {
  BenchRun run;
  ASSERT_NO_FATAL_FAILURE(run.begin(kThreePresses));
  run.control.undo = true;
  const auto report = run.runner().run();
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_FALSE(report->warnings.empty());
  EXPECT_EQ(report->warnings[0].code, "NOTHING-TO-UNDO");
  EXPECT_EQ(run.recorded().size(), 3U);
}

/// Knocked once; who looks where the pad is leaves the tip elsewhere.
struct Knocked {
  BenchRun run;
  int asked = 0;

  void begin(const char* protocol, double knock_N) {
    run.lab.effects.operator_.collision_N = knock_N;
    ASSERT_NO_FATAL_FAILURE(run.begin(protocol));
  }
  void expect_looked_at_and_complete(Runner& runner, int presses) {
    RigMotion others(*run.lab.live, run.lab.rig, run.lab.live->sensor(), {});
    runner.on_collision = [&] {
      ++asked;
      return others.go({9e-3, -5e-3, others.at_m()[2]}, 5e-3);
    };
    const auto report = runner.run();
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_GE(asked, 1);
    EXPECT_THAT(report->warnings, testing::Contains(testing::Field(&Warning::code, "BUMP")));
    const auto found = run.recorded();
    EXPECT_EQ(std::count_if(found.begin(), found.end(),
                            [](const Press& press) { return press.outcome == "ok"; }),
              presses);
  }
};

TEST(Runner, AKnockIsNotedAskedAboutAndNoPressIsLostByIt) {
  Knocked knocked;
  ASSERT_NO_FATAL_FAILURE(knocked.begin(kThreePresses, 2));
  auto runner = knocked.run.runner();
  bool collided = false;
  runner.on_progress = [&](const RunProgress& at) {
    const bool travels = knocked.run.plan.segments[at.segment].phase == Phase::kTravel;
    if (at.presses != 1 || collided || !travels) return;  // on the way to the second press
    collided = true;
    knocked.run.lab.bench->bump();
  };
  ASSERT_NO_FATAL_FAILURE(knocked.expect_looked_at_and_complete(runner, 3));
  EXPECT_TRUE(collided);
}

/// Below a knock, above what the air may hold: the limit acts, and the pad may have moved as well.
TEST(Runner, AForceThatActsInTheAirIsLookedAtLikeAKnock) {
  constexpr double kPressed_N = 0.5, kUnderWay_m = 10e-3;
  Knocked knocked;
  ASSERT_NO_FATAL_FAILURE(knocked.begin(R"({
    "format": "tactelier/protocol", "version": 1, "name": "far",
    "indenter": {"shape": "cylinder", "diameter_mm": 1.0},
    "steps": [{"do": "scan", "tactels": [8, 75], "speed_mm_s": 0.8,
               "until": {"force_N": 1, "depth_mm": 1.5}}]})",
                                        0.2));
  auto runner = knocked.run.runner();
  const auto now = [&] { return knocked.run.lab.live->reading(); };
  std::jthread somebody([&](const std::stop_token& stop) {
    while (now().peak_N < kPressed_N && !stop.stop_requested()) std::this_thread::yield();
    const auto first_m = now().stage.position_m;
    const auto gone_m = [&](const Vector3& at_m) {
      return std::hypot(at_m[0] - first_m[0], at_m[1] - first_m[1]);
    };
    while (gone_m(now().stage.position_m) < kUnderWay_m && !stop.stop_requested())
      std::this_thread::yield();
    knocked.run.lab.bench->bump();
  });
  ASSERT_NO_FATAL_FAILURE(knocked.expect_looked_at_and_complete(runner, 2));
}

TEST(Runner, APauseRestsWithTheTipUpUntilItIsTakenBack) {
  BenchRun run;
  ASSERT_NO_FATAL_FAILURE(run.begin(kThreePresses));
  auto runner = run.runner();
  bool asked = false;
  runner.on_progress = [&](const RunProgress& at) {
    if (at.presses == 1 && !std::exchange(asked, true)) run.control.pause = true;
  };
  double height_m = 0;
  std::jthread somebody([&](const std::stop_token& stop) {
    while (!run.control.resting && !stop.stop_requested()) std::this_thread::yield();
    height_m = run.lab.live->reading().stage.position_m[2];
    run.control.pause = false;
  });
  const auto report = runner.run();
  somebody.request_stop();
  somebody.join();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->presses, 3);
  EXPECT_FALSE(run.control.resting);
  EXPECT_GE(height_m, 0.99e-3);
}

/// Stage x, y at the deepest of each press.
std::vector<std::array<double, 2>> pressed_at_m(const std::filesystem::path& file,
                                                const std::vector<Press>& presses) {
  const auto session = Session::open(file);
  EXPECT_TRUE(session) << session.error().message;
  const std::vector<std::string> columns{"x", "y", "z"};
  std::vector<std::array<double, 2>> places;
  for (const auto& press : presses) {
    const auto rows = session->read(StreamKind::kStage, columns, {press.begin_s, press.end_s});
    EXPECT_TRUE(rows) << rows.error().message;
    const auto& z_m = rows->columns[2];
    const auto deepest =
        static_cast<std::size_t>(std::min_element(z_m.begin(), z_m.end()) - z_m.begin());
    places.push_back({rows->columns[0][deepest], rows->columns[1][deepest]});
  }
  return places;
}

TEST(Runner, AJogInAPauseStaysInTheAirAndTheNextPressIsWhereItWasPlanned) {
  BenchRun run;
  // Deeper than the depth limit below the stage's zero, as on a stage that counts down from its
  // switches.
  run.lab.rig.surface.z0_m = -4e-3;
  ASSERT_NO_FATAL_FAILURE(run.begin(kThreePresses));
  auto runner = run.runner();
  bool asked = false;
  runner.on_progress = [&](const RunProgress& at) {
    // Over the second place: no travel will bring it there again.
    const auto& segments = run.plan.segments;
    const bool over = at.segment > 0 && segments[at.segment - 1].phase == Phase::kTravel &&
                      segments[at.segment].phase == Phase::kWait;
    if (at.presses == 1 && over && !std::exchange(asked, true)) run.control.pause = true;
  };
  const auto at_m = [&] { return run.lab.live->reading().stage.position_m; };
  Vector3 before_m{}, after_m{};
  std::string refused;
  std::jthread somebody([&](const std::stop_token& stop) {
    const auto wait_for = [&](const auto& there) {
      while (!there() && !stop.stop_requested()) std::this_thread::yield();
    };
    const auto idle = [&] { return !run.control.jog.busy(); };
    wait_for([&] { return run.control.resting.load(); });
    before_m = at_m();
    run.control.jog.want({{2e-3, 0, -10e-3}, 5e-3});
    wait_for(idle);
    after_m = at_m();
    run.control.jog.want({{1, 0, 0}, 5e-3});
    wait_for(idle);
    refused = run.control.jog.refused();
    run.control.pause = false;
  });
  const auto report = runner.run();
  somebody.request_stop();
  somebody.join();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_NEAR(after_m[0] - before_m[0], 2e-3, 20e-6);
  EXPECT_NEAR(after_m[2], before_m[2], 20e-6);  // already at the safe height
  EXPECT_THAT(refused, testing::HasSubstr("outside the stage's travel"));
  const auto places_m = pressed_at_m(run.file, run.recorded());
  ASSERT_EQ(places_m.size(), 3U);
  const PadFrame frame(run.lab.rig, run.lab.live->sensor());
  std::size_t press = 0;
  for (const auto& segment : run.plan.segments) {
    if (segment.phase != Phase::kLoad) continue;
    const auto planned_m = frame.stage_from_plan_m(segment.motion.end_m());
    EXPECT_NEAR(places_m.at(press)[0], planned_m[0], 5e-6);
    EXPECT_NEAR(places_m.at(press++)[1], planned_m[1], 5e-6);
  }
}

/// Says yes, and remembers to what.
class Agreeing final : public OperatorInterface {
 public:
  Result<Answer> ask(const Question& question, const std::function<Result<void>()>&) override {
    asked.push_back(question.text);
    return Answer{};
  }
  Result<void> place_object(const std::optional<ByHand>&) override { return {}; }
  std::vector<std::string> asked;
};

TEST(Runner, AReferencePadThatHasMovedMakesTheRunAsk) {
  for (const bool loses_steps : {false, true}) {
    BenchRun run;
    if (loses_steps) {  // about one a second of motion along z, upwards
      run.lab.effects.stage.lost_steps_per_hour = 3600;
      run.lab.effects.stage.lost_steps_m = 40e-6;
    }
    ASSERT_NO_FATAL_FAILURE(run.begin(R"({
      "format": "tactelier/protocol", "version": 1, "name": "references",
      "indenter": {"shape": "cylinder", "diameter_mm": 1.0},
      "steps": [{"do": "reference", "what": "pad"}, {"do": "zero", "time_s": 2},
                {"do": "reference", "what": "pad"}, {"do": "zero", "time_s": 1}]})"));
    Agreeing agreeing;
    const auto report = run.runner(agreeing).run();
    ASSERT_TRUE(report) << report.error().message;
    if (!loses_steps) {
      EXPECT_TRUE(agreeing.asked.empty()) << agreeing.asked.front();
    } else {
      ASSERT_EQ(agreeing.asked.size(), 1U);
      EXPECT_THAT(agreeing.asked[0], testing::HasSubstr("reference pad's height moved by -"));
    }
  }
}

TEST(Runner, ADiskThatTakesNoMoreStopsTheRigAndKeepsWhatItTook) {
  BenchRun run;
  ASSERT_NO_FATAL_FAILURE(run.begin(kThreePresses));
  auto runner = run.runner();
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  runner.on_progress = [&](const RunProgress& at) {
    const auto phase = run.plan.segments[at.segment].phase;
    if (phase != Phase::kHold && phase != Phase::kUnload) return;
    const rlimit small{64 << 10, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
  };
  const auto report = runner.run();
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old_handler);
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message, testing::HasSubstr("run.tact"));
  EXPECT_FALSE(run.lab.live->end_recording());
  // The rig is safe: the tip is up, and the position is still known.
  EXPECT_TRUE(run.lab.live->stage().position_trusted());
  EXPECT_NEAR(run.lab.live->reading().force_N, 0, 0.05);
  const auto session = Session::open(run.file);
  ASSERT_TRUE(session) << session.error().message;
  EXPECT_FALSE(session->finished());
  EXPECT_TRUE(session->check());
  EXPECT_TRUE(session->damage().empty());
  EXPECT_GT(session->stream(StreamKind::kForce)->rows, 1000U);
}

}  // namespace
}  // namespace tactelier::rig
