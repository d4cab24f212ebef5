#include "fitting/time/lower_hull.hpp"

namespace tactelier {

void LowerHull::add(double x, double y) {
  if (points_ == 0) {
    x0_ = x;
    y0_ = y;
  }
  const Vertex point{x - x0_, y - y0_, points_++};
  last_x_ = point.x;
  const auto n = static_cast<double>(points_);
  mean_x_ += (point.x - mean_x_) / n;
  mean_y_ += (point.y - mean_y_) / n;
  if (!hull_.empty() && hull_.back().x == point.x) {
    if (hull_.back().y <= point.y) return;
    hull_.pop_back();
  }
  while (hull_.size() >= 2) {
    const auto& a = hull_[hull_.size() - 2];
    const auto& b = hull_.back();
    if ((b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) > 0) break;
    hull_.pop_back();
  }
  hull_.push_back(point);
}

std::optional<HullLine> LowerHull::line() const {
  if (hull_.size() < 2) return std::nullopt;
  std::size_t right = 1;
  while (right + 1 < hull_.size() && hull_[right].x < mean_x_) ++right;
  const auto& a = hull_[right - 1];
  const auto& b = hull_[right];
  HullLine line;
  line.slope = (b.y - a.y) / (b.x - a.x);
  const double height = a.y + line.slope * (mean_x_ - a.x);
  line.mean_x = x0_ + mean_x_;
  line.height = y0_ + height;
  line.first = a.number;
  line.last = b.number;
  line.points = points_;
  line.span_x = last_x_;
  line.mean_delay = mean_y_ - height;
  return line;
}

}  // namespace tactelier
