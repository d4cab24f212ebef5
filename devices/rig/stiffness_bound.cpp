#include "devices/rig/stiffness_bound.hpp"

#include <algorithm>

namespace tactelier::rig {
namespace {

constexpr double kApart_m = 15e-6;  // nearer points tell noise
constexpr double kApart_N = 0.1;    // and so do smaller forces

}  // namespace

void StiffnessBound::see(double depth_m, double force_N) {
  if (!last_) {
    last_ = {depth_m, force_N};
    return;
  }
  const double deeper_m = depth_m - last_->depth_m;
  const double more_N = force_N - last_->force_N;
  if (deeper_m < kApart_m) {
    if (deeper_m < 0) last_ = {depth_m, force_N};
    return;
  }
  if (more_N < kApart_N) return;  // further, until the force has risen by something
  steepest_N_per_m_ = std::max(steepest_N_per_m_, more_N / deeper_m);
  last_ = {depth_m, force_N};
}

}  // namespace tactelier::rig
