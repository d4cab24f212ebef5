// Speed of the joint point-spread fit: 84 gains, 84 thresholds and sigma over 84 x 200 presses,
// dead zone and saturation included, on one thread. psf_speed.py writes the rows, runs this and
// SciPy alternately on them and compares times and costs; without it (no TACTELIER_PSF_ROWS) the
// rows are made here.

#include <benchmark/benchmark.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "fitting/psf/psf_fit.hpp"
#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

constexpr int kRows = 14, kColumns = 6, kPresses = 200;
constexpr double kPitch_m = 3.4e-3, kSigma_m = 1.6e-3;
constexpr double kSlope = 4800, kThreshold_N = 0.1, kCeiling = 3800, kNoise = 6;

SensorDescription weiss_like() {
  SensorDescription sensor;
  SensorArray array;
  array.rows = kRows;
  array.columns = kColumns;
  array.pitch_x_m = array.pitch_y_m = kPitch_m;
  sensor.arrays.push_back(array);
  return sensor;
}

void add_row(PsfProblem& problem, std::uint32_t press, std::size_t tactel, double force_N,
             double counts) {
  auto& target = problem.tactels[tactel];
  const auto row = static_cast<std::uint32_t>(target.rows.size());
  const bool full = counts >= kCeiling;
  target.rows.push_back({force_N, 0, full ? kCeiling : counts, 1 / (kNoise * kNoise),
                         full ? PsfRowKind::kCeiling : PsfRowKind::kFloored});
  target.groups.push_back({press, row, row + 1});
}

PsfProblem empty_problem() {
  PsfProblem problem{PsfLayout::create(weiss_like()).value(), {PressFootprint{}}, {}, {}, 1, 1};
  problem.tactels.resize(kRows * kColumns);
  for (int t = 0; t < kRows * kColumns; ++t) problem.tactels[static_cast<std::size_t>(t)].index = t;
  return problem;
}

/// Lines "press,tactel,x_m,y_m,F_N,counts".
PsfProblem read_rows(const char* path) {
  auto problem = empty_problem();
  std::ifstream file(path);
  std::string line, cell;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::array<double, 6> v{};
    for (double& value : v) {
      std::getline(cells, cell, ',');
      std::from_chars(cell.data(), cell.data() + cell.size(), value);
    }
    const auto press = static_cast<std::uint32_t>(v[0]);
    if (press == problem.presses.size()) problem.presses.push_back({v[2], v[3], 0, 0, true});
    add_row(problem, press, static_cast<std::size_t>(v[1]), v[4], v[5]);
  }
  return problem;
}

PsfProblem make_rows() {
  auto problem = empty_problem();
  RandomSource random(11);
  std::vector<double> slopes;
  for (std::size_t t = 0; t < problem.tactels.size(); ++t)
    slopes.push_back(kSlope * std::exp(0.12 * random.normal()));
  std::vector<Share> shares(problem.tactels.size());
  for (std::uint32_t k = 0; k < kPresses; ++k) {
    const double x_m = (random.uniform() - 0.5) * kColumns * kPitch_m;
    const double y_m = (random.uniform() - 0.5) * kRows * kPitch_m;
    const double force_N = 0.5 + 2.5 * random.uniform();
    problem.presses.push_back({x_m, y_m, 0, 0, true});
    problem.layout.shares(x_m, y_m, {}, {kSigma_m * kSigma_m, 0, kSigma_m * kSigma_m},
                          PsfForm::kIntegrated, PsfEdge::kZero, shares);
    for (std::size_t t = 0; t < shares.size(); ++t) {
      const double line = slopes[t] * (shares[t].value * force_N - kThreshold_N);
      const double counts = std::max(0.0, line) + kNoise * random.normal();
      add_row(problem, k, t, force_N, std::min(counts, kCeiling));
    }
  }
  return problem;
}

PsfState nominal(const PsfProblem& problem) {
  PsfState state;
  state.frames.resize(1);
  state.spread.m = 2 * std::log(1.3e-3);
  state.slope.assign(problem.tactels.size(), kSlope);
  state.intercept.assign(problem.tactels.size(), kSlope * kThreshold_N);
  return state;
}

void psf_joint_fit(benchmark::State& state) {
  const char* path = std::getenv("TACTELIER_PSF_ROWS");
  const auto problem = path ? read_rows(path) : make_rows();
  const PsfModel model{.free_shift = false, .free_turn = false};
  double cost = 0, sigma_m = 0, iterations = 0;
  for (auto _ : state) {
    const auto fit = fit_psf(problem, model, nominal(problem));
    cost = fit->cost;
    sigma_m = std::exp(fit->state.spread.m / 2);
    iterations = fit->iterations;
  }
  state.counters["cost"] = cost;
  state.counters["sigma_mm"] = 1e3 * sigma_m;
  state.counters["iterations"] = iterations;
  state.counters["rows"] = static_cast<double>(problem.rows());
}
BENCHMARK(psf_joint_fit)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tactelier
