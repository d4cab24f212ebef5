#include "fitting/damping/chirp_stiffness.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <numbers>

#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kMinCycles = 3;
constexpr std::size_t kMinRows = 12;  // of a cycle
constexpr double kBandsPerDecade = 2;
constexpr double kWhole = 1.5;     // of the rows' usual distance: no row is missing
constexpr double kPreload = 0.25;  // of the swing about the middle: preloading is over

struct Cycle {
  double frequency_hz = 0;
  std::complex<double> stiffness;
};

/// From one crossing of the middle to the next; the frequency changes by `rate` Hz per second.
struct Span {
  std::size_t begin, end;
  double begin_s, length_s, rate;
};

class Swing {
 public:
  explicit Swing(const RatePress& press) : rows_(press.rows) {
    for (const auto& mean : press.means) {
      double sum = 0;
      for (std::size_t i = mean.first; i < mean.end; ++i) sum += press.path.time_s[i];
      time_s_.push_back(sum / static_cast<double>(mean.end - mean.first));
    }
  }

  std::vector<Cycle> cycles() const {
    std::vector<Cycle> found;
    std::vector<double> depths;
    for (const auto& row : rows_) depths.push_back(row.depth_m);
    if (depths.empty()) return found;
    const double level = median(depths);
    std::vector<double> off;
    for (const double depth : depths) off.push_back(std::abs(depth - level));
    const double swing = median(off);
    std::vector<Span> spans;
    std::size_t last = 0;
    double last_s = 0;
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      const double before = rows_[i - 1].depth_m - level, after = rows_[i].depth_m - level;
      if (!(before < 0 && after >= 0)) continue;
      const double at_s =
          time_s_[i - 1] + (time_s_[i] - time_s_[i - 1]) * before / (before - after);
      if (last > 0) spans.push_back({last, i, last_s, at_s - last_s, 0});
      last = i;
      last_s = at_s;
    }
    // From the middle of one cycle to that of the next the frequency goes from one to the other.
    for (std::size_t i = 1; i < spans.size(); ++i)
      spans[i].rate = (1 / spans[i].length_s - 1 / spans[i - 1].length_s) * 2 /
                      (spans[i].length_s + spans[i - 1].length_s);
    if (spans.size() > 1) spans[0].rate = spans[1].rate;
    for (const auto& span : spans)
      if (const auto one = cycle(span, level, swing)) found.push_back({1 / span.length_s, *one});
    return found;
  }

 private:
  /// Force over depth; empty where rows are missing or the indenter was not swinging.
  std::optional<std::complex<double>> cycle(const Span& span, double level, double swing) const {
    const auto [begin, end, begin_s, length_s, rate] = span;
    const std::size_t n = end - begin;
    if (n < kMinRows) return std::nullopt;
    const double usual_s = (time_s_[end] - time_s_[begin]) / static_cast<double>(n);
    double most = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (time_s_[i + 1 < end ? i + 1 : i] - time_s_[i] > kWhole * usual_s) return std::nullopt;
      most = std::max(most, std::abs(rows_[i].depth_m - level));
    }
    if (most < kPreload * swing) return std::nullopt;
    Eigen::MatrixXd design(static_cast<Eigen::Index>(n), 4);
    Eigen::MatrixXd values(static_cast<Eigen::Index>(n), 2);
    for (std::size_t i = begin; i < end; ++i) {
      const auto row = static_cast<Eigen::Index>(i - begin);
      const double since_s = time_s_[i] - begin_s;
      const double turn =
          2 * std::numbers::pi * since_s * (1 / length_s + rate * (since_s - length_s) / 2);
      design.row(row) << 1, since_s / length_s, std::cos(turn), std::sin(turn);
      values.row(row) << rows_[i].depth_m, rows_[i].force_N;
    }
    const Eigen::MatrixXd at = design.colPivHouseholderQr().solve(values);
    const std::complex<double> depth(at(2, 0), -at(3, 0)), force(at(2, 1), -at(3, 1));
    if (!(std::abs(depth) > 0)) return std::nullopt;
    return force / depth;
  }

  const std::vector<RateRow>& rows_;
  std::vector<double> time_s_;
};

ComplexStiffness mean_of(const std::vector<Cycle>& cycles) {
  ComplexStiffness mean;
  mean.cycles = cycles.size();
  const auto n = static_cast<double>(cycles.size());
  for (const auto& one : cycles) {
    mean.frequency_hz += one.frequency_hz / n;
    mean.storage_N_per_m += one.stiffness.real() / n;
    mean.loss_N_per_m += one.stiffness.imag() / n;
  }
  double storage = 0, loss = 0;
  for (const auto& one : cycles) {
    storage += std::pow(one.stiffness.real() - mean.storage_N_per_m, 2);
    loss += std::pow(one.stiffness.imag() - mean.loss_N_per_m, 2);
  }
  mean.u_storage_N_per_m = std::sqrt(storage / (n - 1) / n);
  mean.u_loss_N_per_m = std::sqrt(loss / (n - 1) / n);
  return mean;
}

}  // namespace

std::vector<ComplexStiffness> chirp_stiffness(const RatePress& press) {
  std::vector<ComplexStiffness> found;
  if (!press.chirp || press.means.size() != press.rows.size()) return found;
  std::map<int, std::vector<Cycle>> bands;
  for (const auto& one : Swing(press).cycles())
    bands[static_cast<int>(std::floor(kBandsPerDecade * std::log10(one.frequency_hz) + 1e-9))]
        .push_back(one);
  for (const auto& [band, cycles] : bands)
    if (cycles.size() >= kMinCycles) found.push_back(mean_of(cycles));
  return found;
}

}  // namespace tactelier
