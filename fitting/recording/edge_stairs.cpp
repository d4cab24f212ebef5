#include "fitting/recording/edge_stairs.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace tactelier {
namespace {

constexpr double kFine_s = 1e-4;  // of the computed way
constexpr double kTwoPi = 2 * std::numbers::pi;

}  // namespace

double EdgeShape::mean_s() const {
  return rise_s + (ring_hz > 0 ? 2 * ring_damping / (kTwoPi * ring_hz) : 0);
}

EdgeStairs::EdgeStairs(const CommandedPath& path, double begin_s, double end_s, double step_m,
                       double period_m)
    : begin_s_(begin_s) {
  std::vector<double> times_s;
  for (double t = begin_s; t < end_s; t += kFine_s) times_s.push_back(t);
  AxisDrive drive;
  drive.step_m = step_m;
  for (const double place_m : virtual_encoder_m(path, 2, drive, times_s)) {
    const double turn = kTwoPi * place_m / period_m;
    columns_.push_back({place_m, std::sin(turn), std::cos(turn)});
  }
}

void EdgeStairs::shape(const EdgeShape& shape) {
  shaped_ = shape.ring_hz > 0 ? rung(shape.ring_hz, shape.ring_damping) : spanned(shape.span_s);
  const double keep = std::exp(-kFine_s / shape.rise_s);
  for (std::size_t i = 1; i < shaped_.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c)
      shaped_[i][c] = keep * shaped_[i - 1][c] + (1 - keep) * shaped_[i][c];
}

std::array<double, 3> EdgeStairs::at(double t_s) const {
  const double place =
      std::clamp((t_s - begin_s_) / kFine_s, 0.0, static_cast<double>(shaped_.size()) - 1.001);
  const auto i = static_cast<std::size_t>(place);
  const double part = place - static_cast<double>(i);
  Row value{};
  for (std::size_t c = 0; c < 3; ++c)
    value[c] = shaped_[i][c] + part * (shaped_[i + 1][c] - shaped_[i][c]);
  return value;
}

EdgeStairs::Row EdgeStairs::mean_about(std::size_t i, std::size_t half) const {
  const std::size_t first = i > half ? i - half : 0;
  const std::size_t end = std::min(i + half + 1, columns_.size());
  Row mean{};
  for (std::size_t k = first; k < end; ++k)
    for (std::size_t c = 0; c < 3; ++c)
      mean[c] += columns_[k][c] / static_cast<double>(end - first);
  return mean;
}

std::vector<EdgeStairs::Row> EdgeStairs::spanned(double span_s) const {
  const auto half = static_cast<std::size_t>(std::lround(span_s / kFine_s / 2));
  if (half == 0) return columns_;
  std::vector<Row> rows;
  for (std::size_t i = 0; i < columns_.size(); ++i) rows.push_back(mean_about(i, half));
  return rows;
}

/// x'' = -2 zeta w x' - w^2 (x - u), exact where u stays over a raster's length.
std::vector<EdgeStairs::Row> EdgeStairs::rung(double frequency_hz, double damping) const {
  const double w = kTwoPi * frequency_hz, fading = damping * w;
  const double turning = w * std::sqrt(1 - damping * damping);
  const double left = std::exp(-fading * kFine_s);
  const double c = left * std::cos(turning * kFine_s);
  const double s = left * std::sin(turning * kFine_s) / turning;
  std::vector<Row> rows{columns_.front()};
  Row lag{}, speed{};
  for (std::size_t i = 1; i < columns_.size(); ++i) {
    auto& row = rows.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      lag[k] -= columns_[i][k] - columns_[i - 1][k];
      const double before = lag[k];
      lag[k] = (c + fading * s) * before + s * speed[k];
      speed[k] = (c - fading * s) * speed[k] - w * w * s * before;
      row[k] = columns_[i][k] + lag[k];
    }
  }
  return rows;
}

// Places are taken against their mean: micrometres of many millimetres.
EdgesAtDelay fit_edges_at(const EdgeStairs& stairs, const PlateLoading& press, double delay_s) {
  const auto rows = static_cast<Eigen::Index>(press.time_s.size());
  const double peak_N = press.force_N.back();
  Eigen::MatrixXd design(rows, 6);
  Eigen::VectorXd place(rows);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const auto row = static_cast<std::size_t>(i);
    const auto at = stairs.at(press.time_s[row] - delay_s);
    const double f = press.force_N[row] / peak_N;
    design.row(i) << 1, f, f * f, f * f * f, -at[1], -at[2];
    place[i] = at[0];
  }
  place.array() -= place.mean();
  const Eigen::VectorXd solution = design.colPivHouseholderQr().solve(place);
  EdgesAtDelay found;
  found.residual_m = place - design * solution;
  found.rss_m2 = found.residual_m.squaredNorm();
  found.sine_m = {solution[4], solution[5]};
  return found;
}

}  // namespace tactelier
