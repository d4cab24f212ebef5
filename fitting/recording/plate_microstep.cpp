#include "fitting/recording/plate_microstep.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tactelier {
namespace {

using Eigen::Index;

constexpr double kSeatedForce = 0.1;                     // of the peak: below, the frame is seating
constexpr std::array kPeriods{8, 16, 32, 64, 128, 256};  // steps
constexpr double kMinPeriods = 1.5;                      // on the way: less is a bent frame
constexpr double kShows = 0.7;                           // of the squares that are left without it
constexpr std::size_t kMinRows = 50;
constexpr int kSmooth = 3;  // powers of the force

struct Stacked {
  Eigen::MatrixXd smooth;  // ones by press, powers of the force
  Eigen::VectorXd travel_m;
  double shortest_m = HUGE_VAL;  // way of a press
};

Stacked stack(std::span<const PlatePress> loadings) {
  std::vector<std::array<double, 3>> rows;  // press, travel, force over its peak
  Stacked all;
  for (std::size_t p = 0; p < loadings.size(); ++p) {
    const auto& press = loadings[p];
    if (press.force_N.empty()) continue;
    const double peak_N = *std::max_element(press.force_N.begin(), press.force_N.end());
    double from_m = HUGE_VAL, to_m = -HUGE_VAL;
    for (std::size_t i = 0; i < press.force_N.size(); ++i) {
      if (press.force_N[i] < kSeatedForce * peak_N) continue;
      rows.push_back({static_cast<double>(p), press.travel_m[i], press.force_N[i] / peak_N});
      from_m = std::min(from_m, press.travel_m[i]);
      to_m = std::max(to_m, press.travel_m[i]);
    }
    all.shortest_m = std::min(all.shortest_m, to_m - from_m);
  }
  const auto n = static_cast<Index>(rows.size()), presses = static_cast<Index>(loadings.size());
  all.smooth = Eigen::MatrixXd::Zero(n, presses + kSmooth);
  all.travel_m = Eigen::VectorXd::Zero(n);
  for (Index i = 0; i < n; ++i) {
    const auto& [press, travel_m, force] = rows[static_cast<std::size_t>(i)];
    all.smooth(i, static_cast<Index>(press)) = 1;
    for (Index power = 0; power < kSmooth; ++power)
      all.smooth(i, presses + power) = std::pow(force, static_cast<double>(power + 1));
    all.travel_m[i] = travel_m;
  }
  return all;
}

}  // namespace

double PlateMicrostep::error_m(double nut_m) const {
  if (!(period_m > 0)) return 0;
  const double turn = 2 * std::numbers::pi * nut_m / period_m;
  return sine_m * std::sin(turn) + cosine_m * std::cos(turn);
}

PlateMicrostep find_plate_microstep(std::span<const PlatePress> loadings, double step_m) {
  PlateMicrostep best;
  if (!(step_m > 0) || loadings.empty()) return best;
  const auto all = stack(loadings);
  if (static_cast<std::size_t>(all.travel_m.size()) < kMinRows) return best;
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> smooth(all.smooth);
  const auto left = [&](const auto& values) {
    return (values - all.smooth * smooth.solve(values)).eval();
  };
  const Eigen::VectorXd rest = left(all.travel_m);
  double least = kShows * rest.squaredNorm();
  for (const int steps : kPeriods) {
    const double period_m = steps * step_m;
    if (kMinPeriods * period_m > all.shortest_m) break;
    const Eigen::ArrayXd turn = 2 * std::numbers::pi / period_m * all.travel_m.array();
    Eigen::MatrixXd waves(rest.size(), 2);
    waves.col(0) = left(turn.sin().matrix());
    waves.col(1) = left(turn.cos().matrix());
    const Eigen::Vector2d found = waves.colPivHouseholderQr().solve(rest);
    const double squares = (rest - waves * found).squaredNorm();
    if (squares >= least) continue;
    least = squares;
    best = {period_m, found[0], found[1]};
  }
  return best;
}

void take_off(const PlateMicrostep& microstep, double backlash_m, PlatePress& press) {
  const auto peak = std::max_element(press.force_N.begin(), press.force_N.end());
  const auto turn = static_cast<std::size_t>(peak - press.force_N.begin());
  for (std::size_t i = 0; i < press.travel_m.size(); ++i)
    press.travel_m[i] -= microstep.error_m(press.travel_m[i] + (i > turn ? backlash_m : 0));
}

PlatePress loading_branch(const PlatePress& press) {
  const auto peak = std::max_element(press.force_N.begin(), press.force_N.end());
  const auto rows =
      std::min(press.force_N.size(), static_cast<std::size_t>(peak - press.force_N.begin()) + 1);
  PlatePress loading = press;
  loading.travel_m.resize(rows);
  loading.force_N.resize(rows);
  return loading;
}

}  // namespace tactelier
