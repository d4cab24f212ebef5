// `tactelier synth` of the protocol `standard` for 84 tactels on one core: how many times faster
// than real time (wanted: 50), and whether memory stays where it is (ten minutes into the recording
// against the end of its 72 minutes).

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <fstream>

#include "libcalib/pad/draw_truth.hpp"
#include "libcalib/synth/synth.hpp"

namespace tactelier::synth {
namespace {

constexpr double kTenMinutes_s = 600;

double resident_MB() {
  std::ifstream file("/proc/self/statm");
  double all = 0;
  double resident = 0;
  file >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

double cpu_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void standard(benchmark::State& state, std::string_view preset) {
  const auto file = std::filesystem::temp_directory_path() / "synth_bench.tact";
  SynthSetup setup;
  setup.truth = pad::draw_truth(load_sensor("weiss-wts0614").value(), 1).value();
  setup.effects = pad::preset(preset).value();
  setup.preset = preset;
  setup.protocol = load_protocol("standard").value();
  const auto bench = SimulatedBench::create(setup).value();
  for (auto _ : state) {
    std::filesystem::remove(file);
    double after_ten_minutes_MB = 0;
    Job job;
    job.on_progress = [&](const Progress& progress) {
      if (after_ten_minutes_MB == 0 && progress.done > kTenMinutes_s)
        after_ten_minutes_MB = resident_MB();
    };
    const double begin_s = cpu_s();
    const auto report = bench.record(file, job);
    if (!report) return state.SkipWithError(report.error().message.c_str());
    state.counters["times_real_time"] = report->duration_s / (cpu_s() - begin_s);
    state.counters["minutes"] = report->duration_s / 60;
    state.counters["MB_at_10_min"] = after_ten_minutes_MB;
    state.counters["MB_at_end"] = resident_MB();
  }
  std::filesystem::remove(file);
}

void synth_standard_clean(benchmark::State& state) { standard(state, "clean"); }
void synth_standard_lab(benchmark::State& state) { standard(state, "lab"); }

BENCHMARK(synth_standard_clean)->Unit(benchmark::kSecond)->Iterations(1);
BENCHMARK(synth_standard_lab)->Unit(benchmark::kSecond)->Iterations(1);

}  // namespace
}  // namespace tactelier::synth
