#include "libcalib/forward/image_contours.hpp"

#include <array>
#include <cmath>
#include <map>
#include <set>

namespace tactelier {
namespace {

/// Between two neighbouring tactels: the lower index, and whether to the next row.
struct Edge {
  std::size_t tactel = 0;
  bool upwards = false;

  auto operator<=>(const Edge&) const = default;
};

/// Four neighbours, anticlockwise from the first.
using Square = std::array<std::size_t, 4>;

std::array<Edge, 4> edges_of(const Square& at) {
  return {{{at[0], false}, {at[1], true}, {at[3], false}, {at[0], true}}};
}

/// From where a contour leaves each edge to the edge that it goes to.
using Steps = std::map<Edge, Edge>;

void add_square(const Square& at, std::span<const double> image, double level, Steps& steps) {
  std::array<bool, 4> above{};
  double mean = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    if (std::isnan(image[at[i]])) return;
    above[i] = image[at[i]] > level;
    mean += image[at[i]] / 4;
  }
  const auto edges = edges_of(at);
  const bool crosswise = above[0] == above[2] && above[1] == above[3] && above[0] != above[1];
  const std::size_t way = crosswise && !(mean > level) ? 3 : 1;  // 3: clockwise
  for (std::size_t i = 0; i < 4; ++i) {
    if (!above[i] || above[(i + 1) % 4]) continue;  // down along this edge
    std::size_t to = (i + way) % 4;
    while (above[to] || !above[(to + 1) % 4]) to = (to + way) % 4;
    steps[edges[i]] = edges[to];
  }
}

class Tracer {
 public:
  Tracer(const ImageLayout& layout, const ImageLayout::Grid& grid, std::span<const double> image,
         double level)
      : layout_(layout), grid_(grid), image_(image), level_(level) {
    for (int row = 0; row + 1 < grid.rows; ++row)
      for (int column = 0; column + 1 < grid.columns; ++column)
        add_square({grid.at(row, column), grid.at(row, column + 1), grid.at(row + 1, column + 1),
                    grid.at(row + 1, column)},
                   image, level, steps_);
  }

  void trace(std::vector<ImageContour>& contours) {
    std::set<Edge> entered;
    for (const auto& [from, to] : steps_) entered.insert(to);
    std::vector<Edge> begins;
    for (const auto& [from, to] : steps_)
      if (!entered.contains(from)) begins.push_back(from);
    for (const auto& begin : begins) contours.push_back(line_from(begin));
    while (!steps_.empty()) contours.push_back(line_from(steps_.begin()->first));
  }

 private:
  ImagePoint crossing(const Edge& edge) const {
    const std::size_t a = edge.tactel;
    const std::size_t b = a + (edge.upwards ? static_cast<std::size_t>(grid_.columns) : 1);
    const double part = (level_ - image_[a]) / (image_[b] - image_[a]);
    return {layout_.x_m[a] + part * (layout_.x_m[b] - layout_.x_m[a]),
            layout_.y_m[a] + part * (layout_.y_m[b] - layout_.y_m[a])};
  }

  /// By value: a closed contour begins at an edge that is taken out on the way.
  ImageContour line_from(Edge begin) {
    ImageContour line;
    auto at = begin;
    for (auto step = steps_.find(at); step != steps_.end(); step = steps_.find(at)) {
      line.points.push_back(crossing(at));
      at = step->second;
      steps_.erase(step);
    }
    line.closed = at == begin;
    if (!line.closed) line.points.push_back(crossing(at));
    return line;
  }

  const ImageLayout& layout_;
  const ImageLayout::Grid& grid_;
  std::span<const double> image_;
  double level_;
  Steps steps_;
};

}  // namespace

double ImageContour::area_m2() const {
  if (!closed) return 0;
  double twice_m2 = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto &a = points[i], &b = points[(i + 1) % points.size()];
    twice_m2 += a.x_m * b.y_m - b.x_m * a.y_m;
  }
  return twice_m2 / 2;
}

std::vector<ImageContour> image_contours(const ImageLayout& layout, std::span<const double> image,
                                         double level) {
  std::vector<ImageContour> contours;
  for (const auto& grid : layout.grids) Tracer(layout, grid, image, level).trace(contours);
  return contours;
}

}  // namespace tactelier
