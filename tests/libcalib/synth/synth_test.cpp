// A simulated recording as others read it.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>

#include "libcalib/pad/draw_truth.hpp"
#include "libcalib/protocol/motion.hpp"
#include "libcalib/session/moves.hpp"
#include "libcalib/session/session.hpp"
#include "libcalib/synth/synth.hpp"

namespace tactelier::synth {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder()
      : path_(fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  fs::path operator/(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

constexpr const char* kShort = R"({"format": "tactelier/protocol", "version": 1, "name": "short",
  "indenter": {"shape": "cylinder", "diameter_mm": 1}, "steps": [
  {"do": "zero", "time_s": 1}, {"do": "plate", "force_N": 5, "speed_mm_s": 0.1},
  {"do": "scan", "tactels": [38, 45], "speed_mm_s": 1, "until": {"saturated": true, "force_N": 3}}]})";

SynthSetup setup_of(std::string_view protocol, std::string_view preset, std::uint64_t seed) {
  SynthSetup setup;
  setup.truth = pad::draw_truth(load_sensor("weiss-wts0614").value(), seed).value();
  setup.effects = pad::preset(preset).value();
  setup.preset = preset;
  setup.protocol = parse_protocol(protocol, "short.json").value();
  setup.seed = seed;
  return setup;
}

SynthReport record(const SynthSetup& setup, const fs::path& file) {
  const auto bench = SimulatedBench::create(setup);
  EXPECT_TRUE(bench) << bench.error().message;
  const auto report = bench->record(file, {});
  EXPECT_TRUE(report) << report.error().message;
  return *report;
}

std::string hash_of(const fs::path& file) {
  return Session::open(file).value().content_hash().value();
}

/// Where the stage was at rest after each whole line, last position before the next one.
std::vector<std::array<double, 2>> told_and_read_m(const Session& session) {
  const auto lines = moves(session.events()).value();
  const auto columns = std::to_array<std::string>({"x", "y", "z"});
  const auto stage = session.read(StreamKind::kStage, columns, {}).value();
  std::vector<std::array<double, 2>> pairs;
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    if (lines[i].stopped_s) continue;
    const auto next =
        std::upper_bound(stage.time_s.begin(), stage.time_s.end(), lines[i + 1].queued_s - 1e-6);
    const auto row = static_cast<std::size_t>(next - stage.time_s.begin()) - 1;
    for (std::size_t axis = 0; axis < 3; ++axis)
      pairs.push_back({lines[i].to_m[axis], stage.columns[axis][row]});
  }
  return pairs;
}

TEST(Synth, EveryLineSentToTheStageIsAnEvent) {
  const Folder folder;
  record(setup_of(kShort, "clean", 3), folder / "a.tact");
  const auto session = Session::open(folder / "a.tact").value();
  const auto lines = moves(session.events()).value();
  ASSERT_GT(lines.size(), 10U);
  int stopped = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i].line, lines[i - 1].line + 1);
    EXPECT_GE(lines[i].queued_s, lines[i - 1].queued_s);
    stopped += lines[i].stopped_s ? 1 : 0;
    if (lines[i - 1].stopped_s) continue;
    EXPECT_LT(distance_m(lines[i].from_m, lines[i - 1].to_m), 2e-9) << "line " << lines[i].line;
  }
  EXPECT_GE(stopped, 2);  // both presses end by force or saturation
  for (const auto& [told_m, read_m] : told_and_read_m(session)) EXPECT_NEAR(read_m, told_m, 0.6e-6);
}

TEST(Synth, OneSeedIsOneRecordingAndAnotherIsAnother) {
  const Folder folder;
  for (const auto* preset : {"clean", "lab"}) {
    record(setup_of(kShort, preset, 7), folder / "a.tact");
    record(setup_of(kShort, preset, 7), folder / "b.tact");
    record(setup_of(kShort, preset, 8), folder / "c.tact");
    EXPECT_EQ(hash_of(folder / "a.tact"), hash_of(folder / "b.tact")) << preset;
    EXPECT_NE(hash_of(folder / "a.tact"), hash_of(folder / "c.tact")) << preset;
    for (const auto* name : {"a.tact", "b.tact", "c.tact"}) fs::remove(folder / name);
  }
}

/// Steps given while a recording is made are what they would have been in its protocol: the same
/// samples, the same presses.
TEST(Synth, ARecordingThatGrowsIsTheOneOfTheWholeProtocol) {
  const Folder folder;
  auto setup = setup_of(kShort, "clean", 7);  // on lab, when somebody knocks depends on the length
  record(setup, folder / "whole.tact");
  const auto whole_protocol = nlohmann::json::parse(kShort);
  auto begun = whole_protocol;
  begun["steps"] = nlohmann::json::array({whole_protocol["steps"][0]});
  setup.protocol = parse_protocol(begun.dump(), "begun").value();
  const auto bench = SimulatedBench::create(setup).value();
  std::size_t asked = 0;
  std::vector<double> ends_s, recorded_s;
  const AskForSteps ask = [&](const fs::path& so_far,
                              double end_s) -> Result<std::optional<FurtherSteps>> {
    const auto session = Session::open(so_far);
    if (!session) return fail(session.error());
    const auto columns = std::to_array<std::string>({"Fz"});
    const auto force = session->read(StreamKind::kForce, columns, {});
    recorded_s.push_back(force && !force->time_s.empty() ? force->time_s.back() : 0);
    ends_s.push_back(end_s);
    if (++asked >= whole_protocol["steps"].size()) return std::nullopt;
    const auto steps = nlohmann::json::array({whole_protocol["steps"][asked]});
    return FurtherSteps{steps.dump(), "next"};
  };
  const auto report = bench.record_growing(folder / "grown.tact", ask, {});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(asked, 3U);
  // Asked when the last steps began, with all that was recorded before, and told when they end.
  EXPECT_LT(recorded_s.front(), 0.01);
  EXPECT_NEAR(recorded_s[1], ends_s[0], 0.2);
  EXPECT_NEAR(ends_s.back(), report->duration_s, 0.2 * report->duration_s);
  const auto whole = Session::open(folder / "whole.tact").value();
  const auto grown = Session::open(folder / "grown.tact").value();
  const auto force = std::to_array<std::string>({"Fx", "Fz", "Tx"});
  const auto counts = std::to_array<std::string>({"38", "45"});
  for (const auto& [kind, columns] :
       {std::pair<StreamKind, std::span<const std::string>>{StreamKind::kForce, force},
        {StreamKind::kTactile, counts}}) {
    const auto a = whole.read(kind, columns, {}).value(), b = grown.read(kind, columns, {}).value();
    EXPECT_EQ(a.time_s, b.time_s);
    EXPECT_EQ(a.columns, b.columns);
  }
  const auto told = [](const Session& session) {
    std::vector<std::string> events;
    for (const auto& event : session.events())
      if (event.name != "steps") events.push_back(event.name + event.data);
    return events;
  };
  EXPECT_EQ(told(whole), told(grown));
}

TEST(Synth, FurtherStepsThatCannotBePlannedEndTheRecordingWithTheirPlace) {
  const Folder folder;
  const auto bench = SimulatedBench::create(setup_of(kShort, "clean", 7)).value();
  const AskForSteps ask = [](const fs::path&, double) -> Result<std::optional<FurtherSteps>> {
    return FurtherSteps{R"([{"do": "scan", "tactels": [90], "speed_mm_s": 1,
                             "until": {"force_N": 1}}])",
                        ""};
  };
  const auto report = bench.record_growing(folder / "a.tact", ask, {});
  ASSERT_FALSE(report);
  EXPECT_NE(report.error().message.find("step 4 (scan)"), std::string::npos)
      << report.error().message;
  EXPECT_FALSE(fs::exists(folder / "a.tact"));
}

// What a seed gives is agreed on: glibc 2.36's exp, log, sin and cos, whichever of their variants
// (with or without fused multiply-add) the processor gets; how the program was compiled doesn't
// matter (tests/tools/same_recordings). A change of the simulated pad that is meant to change
// recordings puts its hashes here.
TEST(Synth, TheRecordingsOfASeedStayTheSame) {
  const Folder folder;
  record(setup_of(kShort, "clean", 7), folder / "clean.tact");
  record(setup_of(kShort, "lab", 7), folder / "lab.tact");
  EXPECT_EQ(hash_of(folder / "clean.tact"),
            "25b50efe5eddd8badf5a16d25bdb2ff278b01ec9e3e0b10134044cef610313c4");
  EXPECT_EQ(hash_of(folder / "lab.tact"),
            "1dbec54a0bc9ecef4b45cc07415073584e6102477e6bbae141c2b3d6642fa2a8");
}

TEST(Synth, ARecordingHoldsWhatThePlanSaysAndIsWhole) {
  const Folder folder;
  const auto report = record(setup_of(kShort, "lab", 7), folder / "a.tact");
  EXPECT_EQ(report.presses, 2U);
  const auto session = Session::open(folder / "a.tact").value();
  EXPECT_TRUE(session.finished());
  ASSERT_TRUE(session.check());
  EXPECT_TRUE(session.damage().empty());
  EXPECT_EQ(session.stream(StreamKind::kForce)->rows, report.force_samples);
  EXPECT_EQ(session.stream(StreamKind::kTactile)->rows, report.frames);
  EXPECT_EQ(session.metadata().clock(StreamKind::kForce), Clock::kOwn);
  EXPECT_EQ(session.metadata().clock(StreamKind::kStage), Clock::kHost);
  const auto found = presses(session.events(), session.edits(), session.metadata()).value();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].tactel, 38);
  EXPECT_EQ(found[1].tactel, 45);
  EXPECT_EQ(intervals(session.events(), "plate")->size(), 1U);
  EXPECT_EQ(intervals(session.events(), "zero")->size(), 1U);
}

TEST(Synth, PressesBeginInFreeAirAndEndWhereTheyWereTold) {
  const Folder folder;
  record(setup_of(kShort, "clean", 7), folder / "a.tact");
  const auto session = Session::open(folder / "a.tact").value();
  const auto press = presses(session.events(), session.edits(), session.metadata()).value()[0];
  const std::vector<std::string> fz{"Fz"};
  const auto before =
      session.read(StreamKind::kForce, fz, {press.begin_s, press.begin_s + 1}).value();
  for (const double force_N : before.columns[0]) EXPECT_NEAR(force_N, 0, 0.03);
  const auto whole = session.read(StreamKind::kForce, fz, {press.begin_s, press.end_s}).value();
  const double peak_N = -*std::min_element(whole.columns[0].begin(), whole.columns[0].end());
  EXPECT_GT(peak_N, 0.5);
  EXPECT_LT(peak_N, 3.2);
}

TEST(Synth, ThePlateIsAsStiffAsTheRigFileSays) {
  const Folder folder;
  auto setup = setup_of(kShort, "clean", 7);
  setup.rig = virtual_bench_rig();
  setup.rig->compliance_m_per_N = 10e-6;
  record(setup, folder / "a.tact");
  const auto session = Session::open(folder / "a.tact").value();
  const auto plate = intervals(session.events(), "plate").value()[0];
  const auto force = session.read(StreamKind::kForce, std::vector<std::string>{"Fz"},
                                  {plate.begin_s, plate.end_s});
  const auto stage =
      session.read(StreamKind::kStage, std::vector<std::string>{"z"}, {plate.begin_s, plate.end_s});
  // Down from 1 N to 4 N: 3 N x (10 um/N of the rig + 0.2 um/N of the plate).
  double at_1_m = 0;
  double at_4_m = 0;
  const auto& f = force->columns[0];
  for (std::size_t i = 0; i < f.size() && at_4_m == 0; ++i) {
    if (at_1_m == 0 && -f[i] > 1) at_1_m = stage->columns[0][i];
    if (-f[i] > 4) at_4_m = stage->columns[0][i];
  }
  EXPECT_NEAR((at_1_m - at_4_m) / 3, 10.2e-6, 0.4e-6);
}

TEST(Synth, NothingIsLeftWhereItWasStopped) {
  const Folder folder;
  const auto bench = SimulatedBench::create(setup_of(kShort, "clean", 7)).value();
  std::stop_source source;
  Job job;
  job.stop = source.get_token();
  job.on_progress = [&](const Progress& progress) {
    if (progress.done > 2) source.request_stop();
  };
  const auto report = bench.record(folder / "a.tact", job);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kCancelled);
  EXPECT_TRUE(fs::is_empty(folder / "."));
}

TEST(Synth, AnExistingFileIsNotTouched) {
  const Folder folder;
  record(setup_of(kShort, "clean", 7), folder / "a.tact");
  const auto before = hash_of(folder / "a.tact");
  const auto bench = SimulatedBench::create(setup_of(kShort, "clean", 8)).value();
  EXPECT_FALSE(bench.record(folder / "a.tact", {}));
  EXPECT_EQ(hash_of(folder / "a.tact"), before);
}

TEST(Synth, EveryShippedProtocolRunsThroughWithThePadOfTheLaboratory) {
  // The two short ones here; all eight in the slow tests.
  const Folder folder;
  for (const auto* name : {"study", "moisio"}) {
    auto setup = setup_of(kShort, "lab", 3);
    setup.protocol = load_protocol(name).value();
    const auto report = record(setup, folder / "a.tact");
    EXPECT_GT(report.duration_s, 60) << name;
    const auto session = Session::open(folder / "a.tact").value();
    EXPECT_TRUE(presses(session.events(), session.edits(), session.metadata())) << name;
    fs::remove(folder / "a.tact");
  }
}

}  // namespace
}  // namespace tactelier::synth
