// Speed of the joint LuGre fit: six parameters from 20 s of force and motion at 1 kHz, on one
// thread. dynamics_speed.py writes the rows, runs this and SciPy alternately on them and compares
// times and costs; without it (no TACTELIER_LUGRE_ROWS) the rows are made here.

#include <benchmark/benchmark.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <numbers>

#include "fitting/friction/lugre_fit.hpp"
#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

constexpr LugreValues kTruth{4000, 6, 0.8, 0.62, 0.45, 0.004};
constexpr LugreValues kStart{2500, 3, 0.5, 0.6, 0.4, 0.006};
constexpr double kPeriod_s = 1e-3, kNormal_N = 2, kNoise_N = 4e-3;

/// Presliding, then steps of speed both ways.
double velocity_m_per_s(int i) {
  const double t = kPeriod_s * (i + 0.5);
  constexpr double kSteps[] = {8e-4, 5e-3, 2e-2, -2e-3, -1e-2, 3e-3, -8e-4, 1.5e-2};
  const double w = 2 * std::numbers::pi * 8;
  if (t < 4) return 20e-6 * w * std::cos(w * t);
  return kSteps[static_cast<std::size_t>((t - 4) / 2) % 8];
}

FrictionTrace empty_trace() {
  FrictionTrace trace;
  trace.period_s = kPeriod_s;
  trace.sigma_N = kNoise_N;
  return trace;
}

void add(FrictionTrace& trace, double v, double force_N) {
  trace.velocity_m_per_s.push_back(v);
  trace.normal_N.push_back(kNormal_N);
  trace.force_N.push_back(force_N);
}

FrictionTrace make_rows() {
  auto trace = empty_trace();
  RandomSource random(5);
  LugreBristle bristle;
  for (int i = 0; i < 20000; ++i) {
    const double v = velocity_m_per_s(i);
    add(trace, v, bristle.step_N(kTruth, kPeriod_s, v, kNormal_N) + kNoise_N * random.normal());
  }
  return trace;
}

/// Lines "v_m_per_s,F_N".
FrictionTrace read_rows(const char* path) {
  auto trace = empty_trace();
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    const auto comma = line.find(',');
    double v = 0, force_N = 0;
    std::from_chars(line.data(), line.data() + comma, v);
    std::from_chars(line.data() + comma + 1, line.data() + line.size(), force_N);
    add(trace, v, force_N);
  }
  return trace;
}

void lugre_joint_fit(benchmark::State& state) {
  const char* path = std::getenv("TACTELIER_LUGRE_ROWS");
  const LugreProblem problem{{path ? read_rows(path) : make_rows()}, 0, false, false};
  double cost = 0, sigma0 = 0, iterations = 0;
  for (auto _ : state) {
    const auto fit = fit_lugre(problem, kStart);
    cost = fit->chi2 / 2;
    sigma0 = fit->values[kLugreSigma0];
    iterations = fit->iterations;
  }
  state.counters["cost"] = cost;
  state.counters["sigma0"] = sigma0;
  state.counters["iterations"] = iterations;
}
BENCHMARK(lugre_joint_fit)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tactelier
