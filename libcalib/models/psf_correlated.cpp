#include "libcalib/models/psf_correlated.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "libcalib/models/psf_cell.hpp"

namespace tactelier {
namespace {

using psf_cell::normal_density;

constexpr double kMaxCorrelation = 0.925;

/// A node of Gauss-Legendre on [-1, 1]; its mirror image has the same weight.
struct Node {
  double at = 0, weight = 0;
};
constexpr std::array kNodes6{Node{0.23861918608319693, 0.46791393457269137},
                             Node{0.6612093864662645, 0.36076157304813894},
                             Node{0.932469514203152, 0.17132449237916975}};
constexpr std::array kNodes12{
    Node{0.1252334085114689, 0.2491470458134027},  Node{0.3678314989981802, 0.23349253653835464},
    Node{0.5873179542866175, 0.20316742672306565}, Node{0.7699026741943047, 0.1600783285433461},
    Node{0.9041172563704748, 0.10693932599531888}, Node{0.9815606342467192, 0.04717533638651202}};
constexpr std::array kNodes20{
    Node{0.07652652113349734, 0.15275338713072578}, Node{0.2277858511416451, 0.14917298647260366},
    Node{0.37370608871541955, 0.14209610931838187}, Node{0.5108670019508271, 0.13168863844917653},
    Node{0.636053680726515, 0.11819453196151825},   Node{0.7463319064601508, 0.10193011981724026},
    Node{0.8391169718222188, 0.08327674157670467},  Node{0.9122344282513258, 0.06267204833410944},
    Node{0.9639719272779138, 0.04060142980038622},  Node{0.9931285991850949, 0.017614007139153273}};

double correlation(const SpreadCovariance& s) { return s.xy / std::sqrt(s.xx * s.yy); }

/// T(h, k) of one correlation.
class CornerIntegral {
 public:
  explicit CornerIntegral(double r) : max_sine_(std::abs(r)) {
    if (max_sine_ < 0.3)
      prepare(kNodes6, r);
    else if (max_sine_ < 0.75)
      prepare(kNodes12, r);
    else
      prepare(kNodes20, r);
  }
  double operator()(double h, double k) const {
    const double squares = h * h + k * k, product = 2 * h * k;
    if (squares > 80 * (1 + max_sine_)) return 0;  // each term below exp(-40)
    double sum = 0;
    for (std::size_t i = 0; i < count_; ++i)
      sum += weight_[i] * std::exp((product * sine_[i] - squares) * half_secant2_[i]);
    return sum;
  }

 private:
  void prepare(std::span<const Node> nodes, double r) {
    const double half = std::asin(r) / 2;
    for (const auto& node : nodes)
      for (const double sign : {-1.0, 1.0}) {
        const double t = half * (1 + sign * node.at);
        sine_[count_] = std::sin(t);
        half_secant2_[count_] = 0.5 / (std::cos(t) * std::cos(t));
        weight_[count_++] = node.weight * half / (2 * std::numbers::pi);
      }
  }

  double max_sine_;
  std::size_t count_ = 0;
  std::array<double, 20> sine_{}, half_secant2_{}, weight_{};
};

/// Of one axis: position, the distribution up to it, and its density (1/m).
struct Line {
  double at_m = 0, below = 0, density = 0;
};

/// Beyond 9 standard deviations a distribution is 0 or 1 to the last digit.
double bounded_cdf(double x) {
  if (x > 9) return 1;
  return x < -9 ? 0 : psf_cell::normal_cdf(x);
}

void measure_lines(std::span<const double> at_m, double sigma_m, std::vector<Line>& lines) {
  lines.clear();
  for (const double x_m : at_m)
    lines.push_back({x_m, bounded_cdf(x_m / sigma_m), normal_density(x_m / sigma_m) / sigma_m});
}

struct Corner {
  double correction = 0;  // T
  double along_x = 0;     // density at x, integrated over y up to here, 1/m
  double along_y = 0;
  double density = 0;  // 1/m^2
};

/// What lies between the corners of a cell.
struct Cell {
  const Corner *low_left, *low_right, *high_left, *high_right;
};

Share share_between(const Cell& c, const Line& left, const Line& right, const Line& bottom,
                    const Line& top, const SpreadCovariance& s) {
  Share share;
  share.value = (right.below - left.below) * (top.below - bottom.below) + c.high_right->correction -
                c.high_left->correction - c.low_right->correction + c.low_left->correction;
  const double at_left = c.high_left->along_x - c.low_left->along_x;
  const double at_right = c.high_right->along_x - c.low_right->along_x;
  const double at_bottom = c.low_right->along_y - c.low_left->along_y;
  const double at_top = c.high_right->along_y - c.high_left->along_y;
  share.x = at_left - at_right;
  share.y = at_bottom - at_top;
  share.xy =
      c.low_left->density - c.high_left->density - c.low_right->density + c.high_right->density;
  // Derivative of the density along an edge, by the heat equation.
  share.xx = (left.at_m * at_left - right.at_m * at_right - s.xy * share.xy) / (2 * s.xx);
  share.yy = (bottom.at_m * at_bottom - top.at_m * at_top - s.xy * share.xy) / (2 * s.yy);
  return share;
}

}  // namespace

bool has_correlated_cells(const SpreadCovariance& spread) {
  return std::abs(correlation(spread)) < kMaxCorrelation;
}

void add_correlated_cells(const CellLines& x, const CellLines& y, const SpreadCovariance& s,
                          double weight, std::span<Share> shares) {
  thread_local std::vector<Line> columns, rows;
  thread_local std::vector<Corner> corners;
  const double sigma_x_m = std::sqrt(s.xx), sigma_y_m = std::sqrt(s.yy), r = correlation(s);
  measure_lines(x.at_m, sigma_x_m, columns);
  measure_lines(y.at_m, sigma_y_m, rows);
  const CornerIntegral correction(r);
  const double across = std::sqrt(1 - r * r);
  corners.clear();
  for (const auto& row : rows)
    for (const auto& column : columns) {
      const double h = column.at_m / sigma_x_m, k = row.at_m / sigma_y_m;
      const double above_mean = (k - r * h) / across;
      corners.push_back({correction(h, k), column.density * bounded_cdf(above_mean),
                         row.density * bounded_cdf((h - r * k) / across),
                         column.density * normal_density(above_mean) / (across * sigma_y_m)});
    }
  std::size_t i = 0;
  for (std::size_t v = 0; v < y.cells(); ++v)
    for (std::size_t u = 0; u < x.cells(); ++u) {
      const std::size_t left = u * x.stride, bottom = v * y.stride;
      const Corner* low = &corners[bottom * columns.size() + left];
      const Corner* high = low + columns.size();
      const auto share = share_between({low, low + 1, high, high + 1}, columns[left],
                                       columns[left + 1], rows[bottom], rows[bottom + 1], s);
      Share& sum = shares[i++];
      sum.value += weight * share.value;
      sum.x += weight * share.x;
      sum.y += weight * share.y;
      sum.xx += weight * share.xx;
      sum.xy += weight * share.xy;
      sum.yy += weight * share.yy;
    }
}

}  // namespace tactelier
