#include "fitting/time/clock_fit.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier {
namespace {

constexpr double kWindow_s = 120;
constexpr double kStep_s = 60;
constexpr std::size_t kMinPoints = 20;

}  // namespace

void ClockFitter::add(double device_s, double arrival_s) {
  if (points_++ == 0) first_device_s_ = device_s;
  if (!begin_s_) {
    begin_s_ = device_s;
    open_.push_back({device_s, {}});
  }
  while (device_s >= open_.back().begin_s + kStep_s)
    open_.push_back({open_.back().begin_s + kStep_s, {}});
  while (device_s >= open_.front().begin_s + kWindow_s) {
    close(open_.front());
    open_.erase(open_.begin());
  }
  for (auto& window : open_)
    if (device_s >= window.begin_s) window.hull.add(device_s, arrival_s);
  last_s_ = device_s;
}

void ClockFitter::close(const Window& window) {
  if (window.hull.points() < kMinPoints) return;
  if (const auto line = window.hull.line()) piece_.push_back(*line);
}

void ClockFitter::split() {
  if (begin_s_) end_piece();
}

void ClockFitter::end_piece() {
  for (std::size_t i = 0; i < open_.size(); ++i) {
    // The last windows are short; one that another covers wholly adds nothing.
    const bool covered = (i > 0 || !piece_.empty()) && last_s_ - open_[i].begin_s < kStep_s;
    if (!covered) close(open_[i]);
  }
  open_.clear();
  const double begin_s = *begin_s_;
  begin_s_.reset();
  if (piece_.empty()) return;
  ++pieces_;
  // Windows end together at the end of a piece, so their middles can't fall, but may coincide.
  std::vector<ClockMap::Knot> knots;
  for (const auto& line : piece_)
    if (knots.empty() || line.mean_x > knots.back().device_s)
      knots.push_back({line.mean_x, line.height});
  const ClockMap::Knot first{begin_s, piece_.front().at(begin_s)};
  const ClockMap::Knot last{last_s_, piece_.back().at(last_s_)};
  knots.insert(knots.begin(), first);
  knots.push_back(last);
  const double span_s = last_s_ - begin_s;
  if (span_s > longest_s_) {
    longest_s_ = span_s;
    const double u = piece_.size() == 1
                         ? piece_.front().u_slope()
                         : std::hypot(piece_.front().u_height(), piece_.back().u_height()) /
                               (piece_.back().mean_x - piece_.front().mean_x);
    const double slope = piece_.size() == 1 ? piece_.front().slope
                                            : (piece_.back().height - piece_.front().height) /
                                                  (piece_.back().mean_x - piece_.front().mean_x);
    skew_ = {slope - 1, u};
  }
  for (const auto& knot : knots)
    if (knots_.empty() ||
        (knot.device_s > knots_.back().device_s && knot.host_s > knots_.back().host_s))
      knots_.push_back(knot);
  lines_.insert(lines_.end(), piece_.begin(), piece_.end());
  piece_.clear();
}

std::optional<ClockFit> ClockFitter::fit() {
  if (begin_s_) end_piece();
  if (knots_.size() < 2) return std::nullopt;
  ClockFit fit;
  fit.map = ClockMap(knots_);
  const auto& first = lines_.front();
  const double back_s = first.mean_x - first_device_s_;
  fit.offset_s = {fit.map.to_host_s(first_device_s_) - first_device_s_,
                  std::hypot(first.u_height(), back_s * first.u_slope())};
  fit.skew = skew_;
  double points = 0, low = lines_.front().slope, high = low;
  for (const auto& line : lines_) {
    fit.residual_s += line.mean_delay * static_cast<double>(line.points);
    points += static_cast<double>(line.points);
    low = std::min(low, line.slope);
    high = std::max(high, line.slope);
  }
  fit.residual_s /= points;
  fit.wander = high - low;
  fit.points = points_;
  fit.windows = static_cast<int>(lines_.size());
  fit.pieces = std::max(1, pieces_);
  return fit;
}

}  // namespace tactelier
