// Speed of the simulated pad against real time: 84 tactels at 270 Hz, force at 1 kHz, one core.

#include <benchmark/benchmark.h>

#include "libcalib/pad/draw_truth.hpp"
#include "libcalib/pad/pad.hpp"

namespace tactelier::pad {
namespace {

constexpr double kStep_s = 1e-3;

SensorDescription weiss_like() {
  SensorDescription sensor;
  SensorArray array;
  array.rows = 14;
  array.columns = 6;
  array.pitch_x_m = array.pitch_y_m = 3.4e-3;
  sensor.arrays.push_back(array);
  sensor.adc = {12, 0, 4095};
  sensor.rate_hz = 270;
  return sensor;
}

Indenter sphere() {
  Indenter indenter;
  indenter.shape = IndenterShape::kSphere;
  indenter.diameter_m = 10e-3;
  return indenter;
}

/// Presses of 4 s: 1 s in air, down and up at 0.5 mm/s, tactel after tactel.
Vector3 scan(double t_s) {
  const int press = static_cast<int>(t_s / 4);
  const double in_press = t_s - 4 * press;
  const double down = 1.5 - std::abs(in_press - 2.5);
  return {(press % 6 - 2.5) * 3.4e-3, (press / 6 % 14 - 6.5) * 3.4e-3,
          0.2e-3 - std::max(0.0, 0.5e-3 * down)};
}

/// To and fro at 10 mm/s under a steady depth.
Vector3 slide(double t_s) {
  const double phase = std::fmod(t_s, 2.0);
  return {0, 10e-3 * (phase < 1 ? phase : 2 - phase) - 5e-3, -0.4e-3};
}

void run(benchmark::State& state, const Effects& effects, const Indenter* indenter,
         Vector3 (*path)(double)) {
  const auto truth = draw_truth(weiss_like(), 1);
  auto pad = Pad::create(*truth, effects, {}, 1);
  if (indenter) (void)pad->set_indenter(*indenter, {});
  PadOutput output;
  double t_s = 0;
  for (auto _ : state) {  // a tenth of a second
    for (int i = 0; i < 100; ++i) {
      t_s += kStep_s;
      pad->advance(kStep_s, path(t_s), output);
    }
    benchmark::DoNotOptimize(output.counts.data());
    output.clear();
  }
  state.counters["times_real_time"] =
      benchmark::Counter(0.1, benchmark::Counter::kIsIterationInvariantRate);
}

void scan_clean(benchmark::State& state) { run(state, clean(), nullptr, scan); }
void scan_lab(benchmark::State& state) { run(state, lab(), nullptr, scan); }
void slide_clean(benchmark::State& state) { run(state, clean(), nullptr, slide); }
void slide_lab(benchmark::State& state) { run(state, lab(), nullptr, slide); }
void sphere_lab(benchmark::State& state) {
  const auto ball = sphere();
  run(state, lab(), &ball, scan);
}

BENCHMARK(scan_clean)->Unit(benchmark::kMillisecond);
BENCHMARK(scan_lab)->Unit(benchmark::kMillisecond);
BENCHMARK(slide_clean)->Unit(benchmark::kMillisecond);
BENCHMARK(slide_lab)->Unit(benchmark::kMillisecond);
BENCHMARK(sphere_lab)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tactelier::pad
