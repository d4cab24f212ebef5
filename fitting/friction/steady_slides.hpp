#pragma once
// From runs to points of the Stribeck curve, and what the runs as a whole can't tell.

#include <span>
#include <string>
#include <vector>

#include "fitting/friction/slide_data.hpp"
#include "fitting/friction/stribeck_fit.hpp"

namespace tactelier {

constexpr std::size_t kMinSpeeds = 6;      // FR-01: four parameters, and two to contradict them
constexpr std::size_t kMinWayBack = 2;     // FR-01: speeds that tell the side force
constexpr double kMaxLoadVariation = 0.1;  // FR-05
constexpr double kMaxAsymmetry = 0.05;     // FR-07

/// Rows of a run over which friction is taken as settled: from half-time until it slows down.
struct SteadyWindow {
  std::size_t begin = 0;
  std::size_t end = 0;
};
SteadyWindow steady_window(const SlideRun& run);

struct SteadyRun {
  SlidePoint point;
  std::string refusal;     // no window, or still changing over it
  bool too_short = false;  // no window
};
/// Mean friction over the window, with its serial correlation in u_N. `offset` and `load_ratio` are
/// left as they are.
SteadyRun steady_run(const SlideRun& run);

/// Rising; speeds that are meant to be alike are one, the least of them.
std::vector<double> distinct_speeds(std::span<const SlidePoint> points);
/// Whether a point belongs to that one of them.
bool is_speed(const SlidePoint& point, double distinct_m_per_s);

/// FR-01: too few different speeds, whichever way they go; or so few of them one way that its side
/// force stays open, while there are some. Empty when there are enough.
std::string too_few_speeds(std::span<const SlidePoint> points);
/// By how much runs differ beyond their own u_N, as a share of their friction, standard. Negligible
/// where the curve describes them.
double spread_of_runs(std::span<const SlidePoint> points, const StribeckFit& fit);

/// FR-02: v_s is not bracketed; empty when it is.
std::string not_bracketed(std::span<const SlidePoint> points, const StribeckFit& fit);
/// Difference of forward and backward friction over their mean, pairs of about the same speed;
/// 0 when there are none.
double asymmetry(std::span<const SlidePoint> points);

}  // namespace tactelier
