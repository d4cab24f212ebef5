// What becomes of the rig when a device fails: every fault that the virtual bench knows, in every
// phase. Writes the rows of docs/faults.md to the file that TACTELIER_FAULTS names. And a force
// sensor that yields while a tip is changed.

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

#include "tests/devices/support/fault_draw.hpp"
#include "tests/devices/support/laboratory.hpp"
#include "tests/devices/support/two_tips.hpp"

namespace tactelier::rig {
namespace {

using devices::Fault;
using devices::FaultKind;
using nlohmann::json;

constexpr double kSpeed = 8;
constexpr double kLimit_N = 4;
// k (v t + v^2 / 2a): 4 N/mm at 0.5 mm/s for the 50 ms that the stage has prepared is 0.1 N. What a
// silent force sensor may keep back (3.2 s in a world eight times as fast) is bounded by the reach
// of what is queued, not by time.
constexpr double kBeyond_N = 1;

struct PhaseCase {
  const char* name;
  Phase phase;
  double after_s;  // of the phase's begin
};
constexpr std::array<PhaseCase, 5> kPhases{{{"approach", Phase::kTravel, 0.05},
                                            {"ramp", Phase::kLoad, 1.0},
                                            {"hold", Phase::kHold, 0.5},
                                            {"slide", Phase::kSlide, 0.3},
                                            {"retract", Phase::kUnload, 0.1}}};

struct HandCase {
  const char* name;
  double after_s;  // of the request
};
constexpr std::array<HandCase, 2> kByHand{{{"jog", 0.2}, {"home", 0.5}}};

const char* const kProtocol = R"({
  "format": "tactelier/protocol", "version": 1, "name": "faults",
  "indenter": {"shape": "sphere", "diameter_mm": 6},
  "steps": [{"do": "hold", "sites": [38], "force_N": 1.0, "ramp_s": 2, "time_s": 2},
            {"do": "slide", "load_N": [1.0], "speeds_mm_s": [2], "length_mm": 4,
             "directions_deg": [0], "repeats": 1},
            {"do": "zero", "time_s": 5}]})";

struct Outcome {
  std::string state;  // "goes on", "stopped: ..."
  double peak_N = 0;
  bool whole = false;
  bool trusted = false;
  bool tripped = false;
  bool injected = false;
};

/// Which faults no rig may shrug off.
bool must_stop(std::string_view device, FaultKind kind) {
  switch (kind) {
    case FaultKind::kFreeze:
    case FaultKind::kHangUp:
      return true;
    case FaultKind::kSaturate:
      return device == "force";
    case FaultKind::kAlarm:
    case FaultKind::kReset:
      return device == "stage";
    default:
      return false;
  }
}

ChangeBench bench_for(const std::string& device) {
  return [encoder = device == "encoder"](devices::BenchSetup& setup) { setup.encoder = encoder; };
}

Outcome outcome_of(const std::string& device, FaultKind kind, const PhaseCase& when,
                   const std::filesystem::path& folder) {
  Outcome outcome;
  Laboratory lab;
  lab.change = bench_for(device);
  lab.rig.limits.max_force_N = kLimit_N;
  lab.start(3, kSpeed);
  if (!lab.live) return outcome;
  const auto protocol = parse_protocol(kProtocol, "faults");
  EXPECT_TRUE(protocol) << protocol.error().message;
  const auto plan = lab.plan_of(*protocol);
  const auto file = folder / "faults.tact";
  std::filesystem::remove(file);
  EXPECT_TRUE(lab.record(*protocol, plan, file));
  NobodyThere nobody;
  RunControl control;
  Runner runner(*lab.live, lab.rig, plan, nobody, control, {});
  bool injected = false;
  runner.on_progress = [&](const RunProgress& at) {
    const auto& segment = plan.segments[at.segment];
    if (injected || segment.phase != when.phase) return;
    if (when.phase == Phase::kTravel && segment.motion.end_m()[2] > 0.5e-3) return;
    injected = true;
    Fault fault;
    fault.kind = kind;
    fault.after_s = when.after_s;
    fault.count = 20;
    fault.delay_s = 0.2;
    lab.bench->inject(device, fault);
  };
  (void)lab.bench->take_peak_N();
  const auto report = runner.run();
  outcome.injected = injected;
  outcome.peak_N = lab.bench->take_peak_N();
  outcome.tripped = !report || report->aborted > 0;
  outcome.state = report ? report->aborted > 0 ? "press aborted, goes on" : "goes on"
                         : "stopped: " + report.error().message;
  outcome.trusted = lab.live->stage().position_trusted();
  const auto closed = lab.live->end_recording();
  const auto session = Session::open(file);
  outcome.whole = closed && session && session->finished() &&
                  presses(session->events(), {}, session->metadata()).has_value();
  return outcome;
}

/// By hand, nothing recorded: the way down is 20 um at a time, for nobody has found the surface.
Outcome outcome_by_hand(const std::string& device, FaultKind kind, const HandCase& when) {
  Outcome outcome;
  ServedLaboratory lab;
  lab.change = bench_for(device);
  lab.rig.limits.max_force_N = kLimit_N;
  lab.start(3, kSpeed);
  if (!lab.service) return outcome;
  const bool jogs = std::string_view(when.name) == "jog";
  json request{{"do", "home"}};
  if (jogs) {
    const auto homed = lab.carry_out(request);
    EXPECT_EQ(homed["news"], "done") << homed.dump();
    const auto at_mm = homed["result"]["position_mm"].get<std::array<double, 3>>();
    request = {{"do", "jog"}, {"speed_mm_s", 10}, {"by_mm", {-at_mm[0], -at_mm[1], 0}}};
    EXPECT_EQ(lab.carry_out(request)["news"], "done");
    request["by_mm"] = {0, 0, 0.5 - at_mm[2]};
    EXPECT_EQ(lab.carry_out(request)["news"], "done");
    request["by_mm"] = {0, 0, -1.5};
  }
  (void)lab.bench->take_peak_N();
  Fault fault;
  fault.kind = kind;
  fault.after_s = when.after_s;
  fault.count = 20;
  fault.delay_s = 0.2;
  lab.bench->inject(device, fault);
  outcome.injected = true;
  const auto ended = lab.carry_out(request);
  const auto state = lab.status();
  outcome.peak_N = lab.bench->take_peak_N();
  outcome.tripped = ended["news"] == "failed";
  outcome.state =
      outcome.tripped ? "stopped: " + ended["error"]["text"].get<std::string>() : "goes on";
  outcome.trusted = state["position_trusted"].get<bool>();
  outcome.whole = true;  // no file
  return outcome;
}

struct FaultCase {
  std::string device;
  std::string_view word;
  FaultKind kind{};
};

std::vector<FaultCase> cases() {
  std::vector<FaultCase> all;
  for (const std::string device : kFaultyDevices)
    for (const auto& info : devices::fault_kinds())
      if (can_have(device, info.kind)) all.push_back({device, info.word, info.kind});
  return all;
}

/// Ports differ from run to run, and a table is for people.
std::string tidy_text(std::string text) {
  for (const std::string_view prefix : {"pty:", "udp:", "tcp:"})
    for (auto at = text.find(prefix); at != text.npos; at = text.find(prefix)) {
      const auto end = text.find(": ", at);
      text.erase(at, end == text.npos ? text.npos : end + 2 - at);
    }
  for (auto& c : text)
    if (c == '|' || c == '\n') c = ' ';
  return text;
}

void add_row(std::string& table, std::string_view device, std::string_view fault,
             std::string_view phase, const Outcome& outcome) {
  const bool file = phase != "jog" && phase != "home";
  table +=
      fmt::format("| {} | {} | {} | {} | {:.2f} | {} | {} |\n", device, fault, phase,
                  tidy_text(outcome.state), outcome.peak_N, outcome.trusted ? "trusted" : "void",
                  !file           ? "–"
                  : outcome.whole ? "whole"
                                  : "DAMAGED");
}

/// Goes to the file that TACTELIER_FAULTS names, behind what is there.
void keep(const std::string& table) {
  const char* file = std::getenv("TACTELIER_FAULTS");
  if (file == nullptr) return;
  std::ofstream page(file, std::ios::app);
  page << table;
  EXPECT_TRUE(page.good());
}

TEST(RigFaults, EveryFaultInEveryPhaseLeavesForceBoundedAndTheFileWhole) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "rig_faults";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  std::string table = fmt::format(
      "# What becomes of the rig when a device fails\n\n"
      "Made by `slow_tests --gtest_filter='RigFaults*'` with `TACTELIER_FAULTS=docs/faults.md` (it "
      "adds to the file): the virtual bench (clean, {:.0f} x), a sphere of 6 mm, pad limit {:.0f} "
      "N, 1 N wanted. *peak* is the force on the simulated pad itself. `drop`, `late`, `repeat`, "
      "`corrupt` and `wrong-data` strike 20 messages, `slow` adds 0.2 s for good. *jog* goes down "
      "1.5 mm from 0.5 mm over a surface that nobody has found yet, *home* looks for the switches; "
      "nothing is recorded then. A bench with an encoder beside the quill has the faults of the "
      "encoder.\n\n"
      "| device | fault | phase | state reached | peak [N] | position | file |\n"
      "|---|---|---|---|---|---|---|\n",
      kSpeed, kLimit_N);
  for (const auto& [device, word, kind] : cases())
    for (const auto& phase : kPhases) {
      SCOPED_TRACE(fmt::format("{} {} {}", device, word, phase.name));
      auto outcome = outcome_of(device, kind, phase, folder);
      // A computer that stalls may end a run before the fault's time has come.
      for (int again = 0; again < 2 && !outcome.injected; ++again)
        outcome = outcome_of(device, kind, phase, folder);
      EXPECT_TRUE(outcome.injected);
      EXPECT_LT(outcome.peak_N, kLimit_N + kBeyond_N);
      EXPECT_TRUE(outcome.whole);
      if (must_stop(device, kind)) {
        EXPECT_TRUE(outcome.tripped) << outcome.state;
      }
      add_row(table, device, word, phase.name, outcome);
    }
  keep(table);
}

TEST(RigFaults, EveryFaultWhileSomebodyMovesTheRigByHandLeavesForceBounded) {
  std::string table;
  for (const auto& [device, word, kind] : cases())
    for (const auto& hand : kByHand) {
      SCOPED_TRACE(fmt::format("{} {} {}", device, word, hand.name));
      const auto outcome = outcome_by_hand(device, kind, hand);
      EXPECT_LT(outcome.peak_N, kLimit_N + kBeyond_N);
      // While it homes the stage is nobody's but its own: silent sensors are noticed afterwards,
      // and an encoder is listened to while something is recorded.
      if (must_stop(device, kind) && hand.name == std::string_view("jog")) {
        EXPECT_TRUE(outcome.tripped) << outcome.state;
      }
      add_row(table, device, word, hand.name, outcome);
    }
  keep(table);
}

/// A gauge that yielded at the chuck: told, pushed and weighed again, and the file goes on.
TEST(ZeroShift, IsProvedAnewWhenTheRecordingGoesOn) {
  ServedLaboratory lab;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  bool prompted = false, proved = false;
  lab.on_news = [&](const json& news) {
    if (news["news"] != "progress") return;
    if (news["what"] == "record")
      prompted = prompted || news["step"] == "2 prompt";
    else if (std::exchange(prompted, false))
      lab.bench->hang(0.8);  // the zero of the new tip
    proved = proved || news["what"] == "force axes";
  };
  const auto folder = std::filesystem::path(testing::TempDir()) / "zero_shift";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const auto file = folder / "run.tact";
  const auto ended = lab.carry_out({{"do", "record"},
                                    {"set_up", true},
                                    {"protocol", json::parse(kTwoTips)},
                                    {"file", file.string()}});
  ASSERT_EQ(ended["news"], "failed") << ended.dump();
  EXPECT_THAT(ended["error"]["text"].get<std::string>(), testing::HasSubstr("ZERO-SHIFT"));
  proved = false;
  const auto resumed = lab.carry_out(
      {{"do", "record"}, {"set_up", true}, {"resume", true}, {"file", file.string()}});
  ASSERT_EQ(resumed["news"], "done") << resumed.dump();
  EXPECT_EQ(resumed["result"]["complete"], true);
  EXPECT_TRUE(proved);
  const auto session = Session::open(file);
  ASSERT_TRUE(session) << session.error().message;
  const auto found = presses(session->events(), {}, session->metadata());
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->size(), 2U);
  EXPECT_TRUE((*found)[0].usable() && (*found)[1].usable());
  ASSERT_TRUE((*found)[1].indenter);
  EXPECT_THAT((*found)[1].indenter->describe(), testing::HasSubstr("sphere"));
}

}  // namespace
}  // namespace tactelier::rig
