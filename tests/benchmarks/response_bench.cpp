// Speed of the response fit: 84 tactels x 20 000 readings with dead zone and ceiling, on one
// thread, by the function that `fit` calls, standard errors with their serial correlation included.
// response_speed.py writes the readings, runs this and SciPy alternately on them and compares times
// and costs; without it (no TACTELIER_RESPONSE_ROWS) the readings are made here.

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "fitting/response/affine_fit.hpp"
#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kTactels = 84, kReadings = 20000;
constexpr double kOffset = 60, kNoise = 8, kCeiling = 3840;

/// Forces and counts of one tactel after the other, as 64-bit floats.
std::vector<ResponsePress> read_rows(const char* path) {
  std::vector<ResponsePress> tactels(kTactels);
  std::ifstream file(path, std::ios::binary);
  for (auto& tactel : tactels) {
    tactel.offset_counts = kOffset;
    for (auto* column : {&tactel.force_N, &tactel.counts}) {
      column->resize(kReadings);
      file.read(reinterpret_cast<char*>(column->data()), kReadings * sizeof(double));
    }
  }
  return tactels;
}

std::vector<ResponsePress> make_rows() {
  RandomSource random(11);
  std::vector<ResponsePress> tactels(kTactels);
  for (auto& tactel : tactels) {
    tactel.offset_counts = kOffset;
    const double slope = 2400 * std::exp(0.12 * random.normal());
    const double threshold_N = 0.2 * std::exp(0.2 * random.normal());
    for (std::size_t i = 0; i < kReadings; ++i) {
      const double force_N = 2.2 * static_cast<double>(i) / (kReadings - 1);
      const double line = kOffset + slope * std::max(0.0, force_N - threshold_N);
      tactel.force_N.push_back(force_N);
      tactel.counts.push_back(std::min(kCeiling, line + kNoise * random.normal()));
    }
  }
  return tactels;
}

template <class Fit>
void run(benchmark::State& state, const Fit& fit_one) {
  const char* path = std::getenv("TACTELIER_RESPONSE_ROWS");
  const auto tactels = path ? read_rows(path) : make_rows();
  AffineSettings settings;
  settings.floor = Clip::kVisible;
  settings.ceiling = Clip::kCensored;
  settings.saturation_counts = kCeiling;
  settings.sigma_counts = kNoise;
  settings.max_threshold_N = 0.8 * 2.2;
  double cost = 0, iterations = 0;
  for (auto _ : state) {
    cost = iterations = 0;
    for (const auto& tactel : tactels) {
      const auto fit = fit_one({&tactel, 1}, settings, Job{});
      cost += fit->cost;
      iterations += fit->iterations;
    }
  }
  state.counters["cost"] = cost;
  state.counters["iterations"] = iterations / kTactels;
}

/// Threshold, gain and their plain covariance: what SciPy gives.
void response_line(benchmark::State& state) { run(state, find_affine_line); }
BENCHMARK(response_line)->Unit(benchmark::kMillisecond);

/// And what standard errors are made of: serial correlation, run test, each press's own step.
void response_fit(benchmark::State& state) { run(state, fit_affine); }
BENCHMARK(response_fit)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tactelier
