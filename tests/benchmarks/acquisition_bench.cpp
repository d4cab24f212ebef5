// What a recording loses, and what it costs, at the full load of a rig: 7000 force samples/s by
// UDP, 300 frames/s of 84 tactels and a stage at 10 Hz over pseudo-terminals, supervised and
// recorded (LiveRig), from emulators in another thread. TACTELIER_BENCH_SECONDS sets how long (10
// when unset); run it once on an idle machine and once beside "stress-ng --cpu 2".
//
// By the devices' own numbers in the file: sent = last - first + 1. `..._unexplained` = sent -
// stored
// - the sum of the recorded gap events must be 0.

#include <benchmark/benchmark.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "devices/acquisition/live_rig.hpp"
#include "devices/acquisition/session_document.hpp"
#include "libcalib/session/session.hpp"
#include "tests/benchmarks/full_load_rig.hpp"

namespace tactelier {
namespace {

using namespace devices;

double seconds() {
  const char* text = std::getenv("TACTELIER_BENCH_SECONDS");
  double number = 10;
  if (text != nullptr) std::from_chars(text, text + std::string_view(text).size(), number);
  return number;
}

/// Never twice the same: equal records look like a sensor that hangs.
std::array<double, 6> swaying(std::int64_t time_ns) {
  return {0, 0, 1e-3 * std::sin(1e-6 * static_cast<double>(time_ns)), 0, 0, 0};
}

Result<void> record(rig::LiveRig& live, const RigFile& rig_file,
                    const std::filesystem::path& file) {
  const auto protocol = parse_protocol(
      R"({"format": "tactelier/protocol", "version": 1, "name": "wait",
          "indenter": {"shape": "cylinder", "diameter_mm": 1}, "steps": [{"do": "zero", "time_s": 1}]})",
      "wait");
  if (!protocol) return fail(protocol.error());
  const auto plan = plan_protocol(*protocol, live.sensor(), setup_for(rig_file, bench_setup()));
  if (!plan) return fail(plan.error());
  const auto metadata = rig::live_metadata(rig_file, live.sensor(), *plan, *protocol, live.shapes(),
                                           {}, rig::utc_now());
  if (!metadata) return fail(metadata.error());
  if (auto begun = live.record_to(file, *metadata); !begun) return begun;
  auto& clock = steady_host_clock();
  const auto end_ns = clock.now_ns() + static_cast<std::int64_t>(seconds() * 1e9);
  Result<void> fine;
  while (fine && clock.now_ns() < end_ns) fine = live.pump(Timeout(50));
  auto ended = live.end_recording();
  return fine ? ended : fine;
}

void count(benchmark::State& state, const Session& session) {
  const auto gaps = [&](std::string_view stream) {
    double lost = 0;
    for (const auto& event : session.events()) {
      if (event.name != "gap") continue;
      const auto data = nlohmann::json::parse(event.data);
      if (data["stream"] == stream) lost += data["lost"].get<double>();
    }
    return lost;
  };
  for (const auto& stream : session.streams()) {
    const std::string name(to_string(stream.info.kind));
    const auto stored = static_cast<double>(stream.rows);
    state.counters[name] = stored;
    if (stream.info.kind == StreamKind::kStage) continue;
    const double hz = stream.info.kind == StreamKind::kForce ? 7000 : kBenchFrames_hz;
    const double sent = std::round((stream.end_s - stream.begin_s) * hz) + 1;
    state.counters[name + "_gaps"] = gaps(name);
    state.counters[name + "_unexplained"] = sent - stored - gaps(name);
  }
}

void full_load(benchmark::State& state) {
  const auto folder = std::filesystem::temp_directory_path() / "tactelier-acquisition";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const auto refuse = [&](const Error& error) { state.SkipWithError(error.message.c_str()); };
  for (auto unused : state) {
    (void)unused;
    FullLoadRig lab(7000, swaying);
    auto file = lab.start(folder, lab.grbl);
    if (!file) return refuse(file.error());
    const double before_s = cpu_s(RUSAGE_SELF);
    {
      const auto rig_file = virtual_bench_rig();
      auto live = rig::LiveRig::open(std::move(*file), rig_file);
      if (!live) return refuse(live.error());
      if (auto done = record(**live, rig_file, folder / "full.tact"); !done)
        return refuse(done.error());
      state.counters["lost_in_host"] = static_cast<double>((*live)->reading().force.lost_in_host);
    }
    lab.server = {};
    state.counters["cpu_percent"] = 100 * (cpu_s(RUSAGE_SELF) - before_s) / seconds();
    state.counters["cpu_percent_emulators"] = 100 * lab.cpu_of_emulators_s / seconds();
    const auto session = Session::open(folder / "full.tact");
    if (!session) return refuse(session.error());
    count(state, *session);
  }
  std::filesystem::remove_all(folder);
}

BENCHMARK(full_load)->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace
}  // namespace tactelier
