#include "app/gui/widgets/series.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactelier::gui {
namespace {

/// The corner points of one column, in order of x.
class Column {
 public:
  void add(const Point* point) {
    if (first_ == nullptr) first_ = least_ = greatest_ = point;
    if (point->y < least_->y) least_ = point;
    if (point->y > greatest_->y) greatest_ = point;
    last_ = point;
  }
  void flush(std::vector<Point>& out) {
    if (first_ == nullptr) return;
    const Point* corners[] = {first_, std::min(least_, greatest_), std::max(least_, greatest_),
                              last_};
    const Point* before = nullptr;
    for (const Point* corner : corners) {
      if (corner != before) out.push_back(*corner);
      before = corner;
    }
    first_ = nullptr;
  }

 private:
  const Point* first_ = nullptr;
  const Point* least_ = nullptr;
  const Point* greatest_ = nullptr;
  const Point* last_ = nullptr;
};

}  // namespace

std::vector<Point> decimate(std::span<const Point> points, double begin, double end, int columns) {
  const auto by_x = [](const Point& point, double x) { return point.x < x; };
  auto from = std::lower_bound(points.begin(), points.end(), begin, by_x);
  auto to = std::lower_bound(from, points.end(), end, by_x);
  if (from != points.begin()) --from;
  if (to != points.end()) ++to;
  if (to - from <= 4 * columns || columns < 1 || !(end > begin)) return {from, to};
  std::vector<Point> out;
  Column column;
  const double per_x = columns / (end - begin);
  auto now = std::numeric_limits<long long>::min();
  for (auto it = from; it != to; ++it) {
    const auto at = static_cast<long long>(std::floor((it->x - begin) * per_x));
    if (at != now || std::isnan(it->y)) column.flush(out);
    now = at;
    if (std::isnan(it->y))
      out.push_back(*it);
    else
      column.add(&*it);
  }
  column.flush(out);
  return out;
}

}  // namespace tactelier::gui
