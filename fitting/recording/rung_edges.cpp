#include "fitting/recording/rung_edges.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace tactelier {
namespace {

constexpr double kLeast_hz = 45, kMost_hz = 260, kNext = 1.15;  // a resonance is a fifth wide
constexpr std::array kDampings{0.08, 0.22};
constexpr std::array kRises_s{0.5e-3, 1.5e-3};
constexpr std::array kAbout_s{-1.2e-3, -0.6e-3, 0.0, 0.6e-3, 1.2e-3};
constexpr int kHalvings = 8;
constexpr int kMostPasses = 20;
constexpr double kLeastDamping = 0.01, kMostDamping = 0.9;
constexpr double kLeastRise_s = 0.1e-3, kMostRise_s = 10e-3;

/// Delay of the edges' begin, log of the frequency, damping, log of the rise.
using Point = Eigen::Vector4d;

EdgeShape shape_at(const Point& p) { return {0, std::exp(p[3]), std::exp(p[1]), p[2]}; }

bool allowed(const Point& p) {
  return p[1] > std::log(kLeast_hz / kNext) && p[1] < std::log(kMost_hz * kNext) &&
         p[2] > kLeastDamping && p[2] < kMostDamping && p[3] > std::log(kLeastRise_s) &&
         p[3] < std::log(kMostRise_s);
}

/// From a step's begin until half of it is there.
double half_s(const EdgeShape& shape) {
  if (shape.ring_hz == 0) return std::numbers::ln2 * shape.rise_s;
  return 1 / (6 * shape.ring_hz) + shape.rise_s;
}

class Search {
 public:
  Search(EdgeStairs& stairs, const PlateLoading& press) : stairs_(stairs), press_(press) {}

  void try_at(const Point& p) {
    if (!allowed(p)) return;
    const double rss_m2 = at(p).rss_m2;
    if (rss_m2 >= least_m2_) return;
    least_m2_ = rss_m2;
    best_ = p;
  }

  void grid(double half_there_s) {
    for (double hz = kLeast_hz; hz < kMost_hz; hz *= kNext)
      for (const double damping : kDampings)
        for (const double rise_s : kRises_s) {
          const EdgeShape shape{0, rise_s, hz, damping};
          stairs_.shape(shape);
          for (const double about_s : kAbout_s) {
            const double delay_s = half_there_s - half_s(shape) + about_s;
            const double rss_m2 = fit_edges_at(stairs_, press_, delay_s).rss_m2;
            if (rss_m2 >= least_m2_) continue;
            least_m2_ = rss_m2;
            best_ = {delay_s, std::log(hz), damping, std::log(rise_s)};
          }
        }
  }

  /// Along one parameter after the other, in ever smaller steps.
  void refine() {
    Point step{0.4e-3, 0.07, 0.05, 0.3};
    for (int halving = 0; halving < kHalvings; ++halving, step /= 2)
      for (int pass = 0; pass < kMostPasses; ++pass) {
        const double before_m2 = least_m2_;
        for (Eigen::Index k = 0; k < step.size(); ++k)
          for (const double way : {-1.0, 1.0}) {
            Point p = best_;
            p[k] += way * step[k];
            if (k > 0) try_with_half_kept(p);
            try_at(p);
          }
        if (!(least_m2_ < before_m2)) break;
      }
  }

  std::optional<RungEdges> result() {
    RungEdges found;
    found.shape = shape_at(best_);
    found.delay_s = best_[0];
    found.u_mean_s = u_mean_s();
    found.fit = at(best_);
    if (!std::isfinite(found.u_mean_s)) return {};
    return found;
  }

 private:
  EdgesAtDelay at(const Point& p) {
    stairs_.shape(shape_at(p));
    return fit_edges_at(stairs_, press_, p[0]);
  }

  /// Delay and shape go together: half of the step stays where it is.
  void try_with_half_kept(Point p) {
    p[0] += half_s(shape_at(best_)) - half_s(shape_at(p));
    try_at(p);
  }

  double u_mean_s() {
    const Point step{0.05e-3, 0.01, 0.005, 0.03};
    const auto rows = static_cast<Eigen::Index>(press_.time_s.size());
    Eigen::MatrixXd slopes(rows, step.size());
    Point mean_by;
    for (Eigen::Index k = 0; k < step.size(); ++k) {
      Point up = best_, down = best_;
      up[k] += step[k];
      down[k] -= step[k];
      slopes.col(k) = (at(up).residual_m - at(down).residual_m) / (2 * step[k]);
      mean_by[k] =
          (up[0] + shape_at(up).mean_s() - down[0] - shape_at(down).mean_s()) / (2 * step[k]);
    }
    const Eigen::Matrix4d information = slopes.transpose() * slopes;
    const Point scale = information.diagonal().cwiseSqrt().cwiseInverse();
    const Eigen::Matrix4d scaled = scale.asDiagonal() * information * scale.asDiagonal();
    const Eigen::LDLT<Eigen::Matrix4d> solver(scaled);
    if (solver.info() != Eigen::Success || !solver.isPositive() || !(solver.rcond() > 1e-12))
      return HUGE_VAL;
    const Point direction = scale.cwiseProduct(mean_by);
    const double variance = least_m2_ / static_cast<double>(rows - 10);
    return std::sqrt(variance * direction.dot(solver.solve(direction)));
  }

  EdgeStairs& stairs_;
  const PlateLoading& press_;
  Point best_ = Point::Zero();
  double least_m2_ = HUGE_VAL;
};

}  // namespace

std::optional<RungEdges> find_rung_edges(EdgeStairs& stairs, const PlateLoading& press,
                                         const EdgeShape& jump, double jump_delay_s,
                                         const EdgeShape* like) {
  Search search(stairs, press);
  const double half_there_s = jump_delay_s + half_s(jump);
  if (like)
    for (const double about_s : kAbout_s)
      search.try_at({half_there_s - half_s(*like) + about_s, std::log(like->ring_hz),
                     like->ring_damping, std::log(like->rise_s)});
  else
    search.grid(half_there_s);
  search.refine();
  return search.result();
}

}  // namespace tactelier
