// What becomes of pad, rig and recording when the rig process itself ends, stands still or loses
// its port: bench in this process, rig process and record as programs of their own.

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "devices/server/rig_client.hpp"
#include "fitting/statistics/random.hpp"
#include "tests/app/support/cli.hpp"
#include "tests/app/support/cli_process.hpp"
#include "tests/devices/support/laboratory.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr double kSpeed = 8;
constexpr double kLimit_N = 4;
constexpr const char* kManyPresses = R"({
  "format": "tactelier/protocol", "version": 1, "name": "many",
  "indenter": {"shape": "sphere", "diameter_mm": 6.0},
  "steps": [{"do": "zero", "time_s": 1},
            {"do": "scan", "tactels": [19, 20, 21, 22, 25, 26, 27, 28, 31, 32, 33, 34,
                                            37, 38, 39, 40, 43, 44, 45, 46, 49, 50, 51, 52], "speed_mm_s": 0.5,
             "until": {"force_N": 3, "depth_mm": 1.5}}]})";

void wait_until(const std::function<bool()>& so) {
  const auto end = Clock::now() + std::chrono::minutes(5);
  while (!so()) {
    ASSERT_LT(Clock::now(), end);
    std::this_thread::yield();
  }
}

class RigDeath : public testing::Test {
 protected:
  void SetUp() override {
    auto rig = virtual_bench_rig();
    rig.limits.max_force_N = kLimit_N;
    bench_ = rig::start_bench(rig, pad::clean(), 5, kSpeed);
    ASSERT_TRUE(bench_);
    folder_.write("d.json", rig::device_text(*bench_, rig));
    auto document = json::parse(rig.document);
    document["limits"]["max_force_N"] = kLimit_N;
    folder_.write("rig.json", document.dump());
    folder_.write("many.json", kManyPresses);
  }
  void TearDown() override { run_cli(folder_.path(), {"rig", "quit", "--devices", "d.json"}); }

  std::unique_ptr<CliProcess> record(bool resume) {
    std::vector<std::string> words{"record",   "--devices", "d.json", "--rig",
                                   "rig.json", "-o",        "a.tact", "--yes"};
    if (resume)
      words.push_back("--resume");
    else
      words.insert(words.end(), {"--protocol", "many.json"});
    return std::make_unique<CliProcess>(folder_.path(), words);
  }
  std::optional<json> status() {
    auto client =
        rig::RigClient::connect(rig::socket_of(*devices::load_device_file(folder_ / "d.json")));
    if (!client) return std::nullopt;
    auto told = client->ask({{"do", "status"}});
    return told ? std::optional(*told) : std::nullopt;
  }
  /// The process that records, once it has come so far down that the pad pushes back.
  pid_t process_in_a_descent() {
    pid_t process = 0;
    wait_until([&] {
      const auto now = status();
      if (!now || now->at("recording").is_null()) return false;
      const double force_N = now->at("force_N").get<double>();
      if (force_N < 0.3 || force_N > 1.5) return false;
      process = now->at("process").get<pid_t>();
      return true;
    });
    return process;
  }
  /// The peak on the pad over the next ten seconds of the bench: whatever the stage had been told
  /// is over by then.
  double peak_afterwards_N() {
    double peak_N = bench_->take_peak_N();
    const auto end = Clock::now() + std::chrono::milliseconds(1250);
    while (Clock::now() < end) peak_N = std::max(peak_N, bench_->take_peak_N());
    return peak_N;
  }
  Session whole_file() {
    auto session = Session::open(folder_ / "a.tact");
    EXPECT_TRUE(session) << session.error().message;
    EXPECT_TRUE(session->check());
    EXPECT_TRUE(session->damage().empty());
    EXPECT_TRUE(presses(session->events(), {}, session->metadata()));
    return std::move(*session);
  }

  /// The stage is silent while it homes, the force sensor never is.
  static double last_force_host_s(const Session& session) {
    const std::vector<std::string> columns{"t_host"};
    const auto rows = session.read(StreamKind::kForce, columns,
                                   {session.stream(StreamKind::kForce)->end_s - 1, HUGE_VAL});
    EXPECT_TRUE(rows && rows->rows() > 0);
    return rows->columns[0].back();
  }

  TestFolder folder_;
  std::unique_ptr<devices::RunningBench> bench_;
};

TEST_F(RigDeath, KilledInADescentTheStageEndsWhereTheForceIsSafe) {
  const auto recording = record(false);
  ASSERT_EQ(::kill(process_in_a_descent(), SIGKILL), 0);
  const double peak_N = peak_afterwards_N();
  RecordProperty("peak_N", fmt::format("{:.2f}", peak_N));
  EXPECT_LT(peak_N, kLimit_N);
  EXPECT_FALSE(whole_file().finished());
}

TEST_F(RigDeath, StoodStillInADescentTheStageEndsWhereTheForceIsSafeAndThenTheRigStops) {
  const auto recording = record(false);
  const auto process = process_in_a_descent();
  ASSERT_EQ(::kill(process, SIGSTOP), 0);
  const double peak_N = peak_afterwards_N();
  RecordProperty("peak_N", fmt::format("{:.2f}", peak_N));
  EXPECT_LT(peak_N, kLimit_N);
  ASSERT_EQ(::kill(process, SIGCONT), 0);
  wait_until([&] {
    const auto now = status();
    return now && now->at("task") == "";
  });
  const auto now = status();
  ASSERT_TRUE(now);
  EXPECT_EQ(now->at("mode"), "fault") << now->dump();
  EXPECT_LT(bench_->take_peak_N(), kLimit_N);
  EXPECT_TRUE(whole_file().finished());
}

TEST_F(RigDeath, WithItsPortGoneInADescentTheStageEndsWhereTheForceIsSafe) {
  const auto recording = record(false);
  process_in_a_descent();
  devices::Fault gone;
  gone.kind = devices::FaultKind::kHangUp;
  bench_->inject("stage", gone);
  const double peak_N = peak_afterwards_N();
  RecordProperty("peak_N", fmt::format("{:.2f}", peak_N));
  EXPECT_LT(peak_N, kLimit_N);
  wait_until([&] {
    const auto now = status();
    return now && now->at("task") == "";
  });
  EXPECT_EQ(status()->at("mode"), "fault");
  EXPECT_EQ(status()->at("position_trusted"), false);
  EXPECT_TRUE(whole_file().finished());
}

TEST_F(RigDeath, KilledAtTwentyRandomMomentsTheRecordingIsCompletedByResuming) {
  RandomSource random(20);
  double most_missing_s = 0;
  int killed_recording = 0;
  for (int death = 0; death < 20; ++death) {
    const bool there = std::filesystem::exists(folder_ / "a.tact");
    const auto recording = record(there);
    // Every fourth dies somewhere in its first ten seconds, the others once they record: while the
    // stage homes, while surface and pad are looked for, in the air, in a press.
    std::optional<json> last;
    if (death % 4 != 0)
      wait_until([&] {
        last = status();
        return last && !last->at("recording").is_null();
      });
    const auto at = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                       std::chrono::duration<double>(10 * random.uniform()));
    while (Clock::now() < at) {
      last = status();
      if (there && last && last->at("task") == "") break;
      std::this_thread::yield();
    }
    last = status();
    if (!last) continue;  // not even begun
    ASSERT_EQ(::kill(last->at("process").get<pid_t>(), SIGKILL), 0);
    if (!std::filesystem::exists(folder_ / "a.tact")) continue;
    const auto session = whole_file();
    if (last->at("recording").is_null()) continue;
    ++killed_recording;
    const double end_s = last_force_host_s(session);
    most_missing_s =
        std::max(most_missing_s, (last->at("recorded_s").get<double>() - end_s) / kSpeed);
  }
  RecordProperty("most_missing_s", fmt::format("{:.3f}", most_missing_s));
  RecordProperty("killed_recording", killed_recording);
  EXPECT_GE(killed_recording, 10);
  EXPECT_LE(most_missing_s, 0.25);
  const bool complete = whole_file().finished();
  if (!complete) {
    const auto done = run_cli(folder_.path(), {"record", "--devices", "d.json", "--rig", "rig.json",
                                               "-o", "a.tact", "--yes", "--resume"});
    EXPECT_EQ(done.status, 0) << done.err;
  }
  const auto session = whole_file();
  EXPECT_TRUE(session.finished());
  std::set<int> pressed;
  const auto found = presses(session.events(), {}, session.metadata());
  ASSERT_TRUE(found);
  for (const auto& press : *found)
    if (press.outcome == "ok") pressed.insert(*press.tactel);
  EXPECT_EQ(pressed.size(), 24U);
  EXPECT_LT(bench_->take_peak_N(), kLimit_N);
}

}  // namespace
}  // namespace tactelier::test
