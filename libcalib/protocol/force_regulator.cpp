#include "libcalib/protocol/force_regulator.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier {
namespace {

constexpr double kLook_s = 0.1;
constexpr double kPart = 0.5;
constexpr double kDeadBand = 0.005;  // of the target
constexpr double kMaxMove_m = 20e-6;
constexpr double kSpeed_m_per_s = 0.4e-3;
constexpr double kMinMove_m = 0.2e-6;  // that tells of stiffness
constexpr double kForget = 0.9;        // per move: noise may have made it look too stiff
constexpr double kMinDepth_m = 50e-6;
constexpr double kUnknownStiffness_N_per_m = 20e3;

}  // namespace

void ForceRegulator::restart() {
  correction_m_ = 0;
  goal_m_ = 0;
  since_look_s_ = 0;
  looked_at_N_ = looked_at_m_ = 0;
}

void ForceRegulator::learn(double force_N, double depth_m) {
  if (depth_m > kMinDepth_m && force_N > 0) stiffness_N_per_m_ = force_N / depth_m;
}

void ForceRegulator::learn_from_move(double force_N) {
  const double down_m = looked_at_m_ - correction_m_;
  const double more_N = force_N - looked_at_N_;
  if (std::abs(down_m) > kMinMove_m && more_N * down_m > 0)
    stiffness_N_per_m_ = std::max(kForget * stiffness_N_per_m_, more_N / down_m);
  looked_at_N_ = force_N;
  looked_at_m_ = correction_m_;
}

double ForceRegulator::step(double dt_s, double target_N, double force_N) {
  since_look_s_ += dt_s;
  if (since_look_s_ >= kLook_s) {
    since_look_s_ = 0;
    learn_from_move(force_N);
    const double missing_N = target_N - force_N;
    const double k = stiffness_N_per_m_ > 0 ? stiffness_N_per_m_ : kUnknownStiffness_N_per_m;
    if (std::abs(missing_N) > std::max(kDeadBand * target_N, 0.5 * k * stage_step_m_))
      goal_m_ -= std::clamp(kPart * missing_N / k, -kMaxMove_m, kMaxMove_m);
  }
  const double most_m = kSpeed_m_per_s * dt_s;
  correction_m_ += std::clamp(goal_m_ - correction_m_, -most_m, most_m);
  return correction_m_;
}

}  // namespace tactelier
