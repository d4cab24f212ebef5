#include "libcalib/protocol/drift_watch.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tactelier {
namespace {

constexpr std::size_t kFewest = 10;  // means of a slope
constexpr double kMostCorrelation = 0.95;

}  // namespace

std::optional<Drift> DriftWatch::slope(Means::const_iterator from, Means::const_iterator to) {
  const auto count = static_cast<std::size_t>(std::distance(from, to));
  if (count < kFewest) return std::nullopt;
  const auto n = static_cast<double>(count);
  double t_mean = 0, mean = 0;
  for (auto at = from; at != to; ++at) {
    t_mean += at->t_s / n;
    mean += at->value / n;
  }
  double stt = 0, stv = 0;
  for (auto at = from; at != to; ++at) {
    stt += (at->t_s - t_mean) * (at->t_s - t_mean);
    stv += (at->t_s - t_mean) * (at->value - mean);
  }
  if (!(stt > 0)) return std::nullopt;
  Drift drift;
  drift.per_s = stv / stt;
  drift.watched_s = std::prev(to)->t_s - from->t_s;
  double squares = 0, products = 0, before = 0;
  for (auto at = from; at != to; ++at) {
    const double residual = at->value - mean - drift.per_s * (at->t_s - t_mean);
    squares += residual * residual;
    products += residual * before;
    before = residual;
  }
  const double r = squares > 0 ? std::clamp(products / squares, 0.0, kMostCorrelation) : 0;
  drift.u_per_s = std::sqrt(squares / (n - 2) / stt * (1 + r) / (1 - r));
  return drift;
}

void DriftWatch::add(double t_s, double mean) {
  means_.push_back({t_s, mean});
  while (means_.back().t_s - means_.front().t_s > kMost_s) means_.pop_front();
  if (!drift_ && means_.back().t_s - means_.front().t_s < kLeast_s) return;
  const auto middle = means_.begin() + static_cast<std::ptrdiff_t>(means_.size() / 2);
  const auto older = slope(means_.begin(), middle), newer = slope(middle, means_.end());
  if (older && newer) {
    const double apart = std::abs(older->per_s - newer->per_s);
    if (apart > kCoverage * std::hypot(older->u_per_s, newer->u_per_s)) {
      older_ = Seen{means_.front().t_s + older->watched_s / 2, older->per_s};
      means_.erase(means_.begin(), middle);
    }
  }
  drift_ = slope(means_.begin(), means_.end());
  if (drift_ && !older_) older_ = Seen{t_s - drift_->watched_s / 2, drift_->per_s};
}

bool DriftWatch::still() const {
  return drift_ && drift_->watched_s >= kLeast_s &&
         std::abs(drift_->per_s) + kCoverage * drift_->u_per_s < limit_per_s_;
}

/// Slopes of an exponential decay: per_s(t) = per_s(t0) exp(-(t - t0) / tau).
std::optional<double> DriftWatch::left_s() const {
  constexpr double kClear = 1.05;
  if (!drift_ || !older_) return std::nullopt;
  const double now = std::abs(drift_->per_s);
  if (now <= limit_per_s_) return 0;
  const double middle_s = means_.back().t_s - drift_->watched_s / 2;
  const double between_s = middle_s - older_->t_s;
  const double fell = older_->per_s / drift_->per_s;
  if (!(between_s > 0) || !(fell > kClear)) return std::nullopt;
  const double tau_s = between_s / std::log(fell);
  return std::max(0.0, tau_s * std::log(now / limit_per_s_) - drift_->watched_s / 2);
}

}  // namespace tactelier
