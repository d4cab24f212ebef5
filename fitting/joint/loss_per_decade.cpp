#include "fitting/joint/loss_per_decade.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "fitting/statistics/serial.hpp"
#include "libcalib/models/prony.hpp"

namespace tactelier {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kFastest_s = 3e-3, kSlowest_s = 30;
constexpr double kShallow = 0.15;  // of the press's depth: contact point, letting go
constexpr double kSpeedOver_s = 0.01;
constexpr Index kMinRows = 40, kMaxRows = 600;
constexpr Index kColumns = 5;

std::vector<PronyBranchState> half_decades() {
  std::vector<PronyBranchState> branches;
  for (double tau_s = kFastest_s; tau_s < 1.01 * kSlowest_s; tau_s *= std::sqrt(10.0))
    branches.emplace_back(tau_s);
  return branches;
}

/// Over 10 ms either way.
std::vector<double> speeds(const PressCourse& press) {
  std::vector<double> found;
  std::size_t a = 0, b = 0;
  for (std::size_t i = 0; i < press.time_s.size(); ++i) {
    while (press.time_s[i] - press.time_s[a] > kSpeedOver_s) ++a;
    while (b + 1 < press.time_s.size() && press.time_s[b] - press.time_s[i] < kSpeedOver_s) ++b;
    const double dt_s = press.time_s[b] - press.time_s[a];
    found.push_back(dt_s > 0 ? (press.depth_m[b] - press.depth_m[a]) / dt_s : 0);
  }
  return found;
}

struct Rows {
  MatrixXd design;  // e, branches, e v, e' v, e'
  VectorXd force;
  bool unloads = false;
};

Rows rows_of(const PressCourse& press, std::span<const double> elastic,
             std::span<const double> slope) {
  const double top_m = *std::max_element(press.depth_m.begin(), press.depth_m.end());
  const auto speed = speeds(press);
  auto branches = half_decades();
  std::vector<std::array<double, kColumns + 1>> kept;
  Rows rows;
  double before = 0;
  for (std::size_t i = 0; i < press.time_s.size(); ++i) {
    const double now = elastic[i];
    double relaxing = 0;
    for (auto& branch : branches) {
      branch.step(i == 0 ? 0 : press.time_s[i] - press.time_s[i - 1], now - before);
      relaxing += branch.value_m() / 2;
    }
    before = now;
    if (press.depth_m[i] < kShallow * top_m) continue;
    rows.unloads = rows.unloads || (speed[i] < 0 && press.depth_m[i] < top_m / 2);
    kept.push_back(
        {now, relaxing, now * speed[i], slope[i] * speed[i], slope[i], press.force_N[i]});
  }
  const auto all = static_cast<Index>(kept.size());
  const Index group = std::max<Index>(1, all / kMaxRows), n = all / group;
  rows.design = MatrixXd::Zero(n, kColumns);
  rows.force = VectorXd::Zero(n);
  for (Index i = 0; i < n * group; ++i) {
    const auto& one = kept[static_cast<std::size_t>(i)];
    for (Index c = 0; c < kColumns; ++c)
      rows.design(i / group, c) += one[static_cast<std::size_t>(c)] / static_cast<double>(group);
    rows.force[i / group] += one[kColumns] / static_cast<double>(group);
  }
  return rows;
}

}  // namespace

std::optional<Estimate> loss_per_decade(const PressCourse& press) {
  std::vector<double> elastic(press.depth_m.begin(), press.depth_m.end());
  for (double& depth_m : elastic) depth_m = std::max(0.0, depth_m);
  return loss_per_decade(press, elastic, std::vector<double>(elastic.size(), 1.0));
}

std::optional<Estimate> loss_per_decade(const PressCourse& press, std::span<const double> elastic,
                                        std::span<const double> slope) {
  if (press.time_s.empty()) return std::nullopt;
  Rows rows = rows_of(press, elastic, slope);
  if (!rows.unloads || rows.force.size() < kMinRows) return std::nullopt;
  const double k = rows.design.col(0).dot(rows.force) / rows.design.col(0).squaredNorm();
  if (!(k > 0)) return std::nullopt;
  const VectorXd size = rows.design.colwise().norm().cwiseMax(1e-300);
  rows.design *= size.cwiseInverse().asDiagonal();
  const Eigen::ColPivHouseholderQR<MatrixXd> solver(rows.design);
  if (solver.rank() < kColumns) return std::nullopt;
  const VectorXd found = solver.solve(rows.force);
  const VectorXd residual = rows.design * found - rows.force;
  const auto dof = static_cast<double>(rows.force.size() - kColumns);
  const MatrixXd inverse = (rows.design.transpose() * rows.design).inverse();
  const double inflation = serial_inflation(
      std::clamp(lag1({residual.data(), static_cast<std::size_t>(residual.size())}), 0.0, 0.99));
  const double u = inflation * std::sqrt(residual.squaredNorm() / dof * inverse(1, 1));
  return Estimate{found[1] / size[1] / k, u / size[1] / k, kManyDegrees};
}

}  // namespace tactelier
