// Speed of the Hunt-Crossley fit: stiffness and dissipation from 10 s at 1 kHz, on one thread. See
// dynamics_speed.py; without it (no TACTELIER_RATE_ROWS) the rows are made here.

#include <benchmark/benchmark.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "fitting/damping/damping_fit.hpp"
#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

constexpr double kNoise_N = 4e-3;

std::vector<RateRow> make_rows() {
  RandomSource random(7);
  std::vector<RateRow> rows;
  for (int i = 0; i < 10000; ++i) {
    const double w = 2 * 3.14159265358979324, t = 1e-3 * i;
    const double depth = 0.5e-3 + 0.45e-3 * std::sin(w * t * (0.5 + 0.2 * t));
    const double v = 0.45e-3 * w * (0.5 + 0.4 * t) * std::cos(w * t * (0.5 + 0.2 * t));
    rows.push_back(
        {depth, v, 2000 * depth * (1 + 8 * v) + kNoise_N * random.normal(), kNoise_N, 0, 0, 0});
  }
  return rows;
}

/// Lines "depth_m,v_m_per_s,F_N".
std::vector<RateRow> read_rows(const char* path) {
  std::vector<RateRow> rows;
  std::ifstream file(path);
  std::string line, cell;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::array<double, 3> value{};
    for (double& x : value) {
      std::getline(cells, cell, ',');
      std::from_chars(cell.data(), cell.data() + cell.size(), x);
    }
    rows.push_back({value[0], value[1], value[2], kNoise_N, 0, 0, 0});
  }
  return rows;
}

void hunt_crossley_fit(benchmark::State& state) {
  const char* path = std::getenv("TACTELIER_RATE_ROWS");
  const auto rows = path ? read_rows(path) : make_rows();
  double cost = 0, dissipation = 0;
  for (auto _ : state) {
    const auto fit = fit_rate(rows, RateModel::kHuntCrossley);
    cost = fit->chi2 / 2;
    dissipation = fit->damping;
  }
  state.counters["cost"] = cost;
  state.counters["dissipation"] = dissipation;
}
BENCHMARK(hunt_crossley_fit)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tactelier
