// A long recording in a fast world: memory stays flat, nothing is lost, clocks stay together.
// TACTELIER_SOAK_MINUTES (of the bench's time, 30 when left out) makes it longer.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "devices/server/rig_client.hpp"
#include "tests/app/support/cli.hpp"
#include "tests/app/support/cli_process.hpp"
#include "tests/devices/support/laboratory.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;

constexpr double kSpeed = 20;
constexpr double kHold_s = 60;
constexpr double kMaxGrowth_MiB = 8;
constexpr std::int64_t kLook_ns = 500'000'000;  // between two looks at the process

double minutes() {
  const char* wanted = std::getenv("TACTELIER_SOAK_MINUTES");
  return wanted != nullptr ? std::atof(wanted) : 30;
}

std::string protocol() {
  json steps = json::array();
  const int holds = static_cast<int>(std::ceil(minutes() * 60 / (kHold_s + 8)));
  steps.push_back({{"do", "repeat"},
                   {"times", holds},
                   {"steps",
                    {{{"do", "hold"},
                      {"sites", {38}},
                      {"force_N", 1.0},
                      {"ramp_s", 2},
                      {"time_s", kHold_s}}}}});
  return json{{"format", "tactelier/protocol"},
              {"version", 1},
              {"name", "soak"},
              {"indenter", {{"shape", "cylinder"}, {"diameter_mm", 1.0}}},
              {"steps", steps}}
      .dump();
}

double resident_MiB(pid_t process) {
  std::ifstream statm(fmt::format("/proc/{}/statm", process));
  double total = 0, resident = 0;
  statm >> total >> resident;
  return resident * 4096 / (1 << 20);
}

TEST(RigSoak, MemoryStaysFlatNothingIsLostAndClocksStayTogether) {
  const TestFolder folder;
  auto rig = virtual_bench_rig();
  const auto bench = rig::start_bench(rig, pad::clean(), 5, kSpeed);
  ASSERT_TRUE(bench);
  folder.write("d.json", rig::device_text(*bench, rig));
  folder.write("rig.json", rig.document);
  folder.write("soak.json", protocol());
  CliProcess recording(folder.path(),
                       {"record", "--devices", "d.json", "--rig", "rig.json", "--protocol",
                        "soak.json", "-o", "soak.tact", "--yes", "--json"});
  const auto socket = rig::socket_of(*devices::load_device_file(folder / "d.json"));
  auto& clock = devices::steady_host_clock();
  std::vector<double> memory_MiB;
  bool begun = false;
  while (true) {
    clock.wait_until(clock.now_ns() + kLook_ns);
    auto client = rig::RigClient::connect(socket);
    const auto status = client ? client->ask({{"do", "status"}}) : Result<json>(json());
    if (!status || status->is_null()) {
      ASSERT_FALSE(begun) << "the rig process has gone";
      continue;
    }
    const bool records = !status->at("recording").is_null();
    if (records) memory_MiB.push_back(resident_MiB(status->at("process").get<pid_t>()));
    if (begun && !records) break;
    begun = begun || records;
  }
  EXPECT_EQ(recording.interrupt(), 0);
  run_cli(folder.path(), {"rig", "quit", "--devices", "d.json"});

  ASSERT_GT(memory_MiB.size(), 20U);
  const double early_MiB = memory_MiB[memory_MiB.size() / 5], late_MiB = memory_MiB.back();
  RecordProperty("memory_MiB", fmt::format("{:.1f} -> {:.1f}", early_MiB, late_MiB));
  EXPECT_LT(late_MiB, early_MiB + kMaxGrowth_MiB);

  const auto session = Session::open(folder / "soak.tact");
  ASSERT_TRUE(session) << session.error().message;
  EXPECT_TRUE(session->finished());
  int gaps = 0;
  for (const auto& event : session->events()) gaps += event.name == "gap" ? 1 : 0;
  EXPECT_EQ(gaps, 0);
  const auto* force = session->stream(StreamKind::kForce);
  const double tick_s = force->info.columns.front().to_si();
  EXPECT_NEAR((force->end_s - force->begin_s) / tick_s, static_cast<double>(force->rows - 1), 0.5);
  // Host less device time, the least of a minute at either end: what a late packet adds is left
  // out.
  const auto offset_s = [&](double from_s) {
    const std::vector<std::string> columns{"t_host"};
    const auto rows = session->read(StreamKind::kForce, columns, {from_s, from_s + 60});
    double least = HUGE_VAL;
    for (std::size_t i = 0; i < rows->rows(); ++i)
      least = std::min(least, rows->columns[0][i] - rows->time_s[i]);
    return least;
  };
  const double drift_s = offset_s(force->end_s - 61) - offset_s(force->begin_s);
  RecordProperty("drift_ms", fmt::format("{:.3f}", drift_s * 1e3));
  RecordProperty("length_s", fmt::format("{:.0f}", force->end_s - force->begin_s));
  EXPECT_LT(std::abs(drift_s), 1e-3 * kSpeed);  // a millisecond of this computer
}

}  // namespace
}  // namespace tactelier::test
