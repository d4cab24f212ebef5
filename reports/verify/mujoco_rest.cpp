#include "reports/verify/mujoco_rest.hpp"

#include <cmath>

#include "reports/verify/mjcf_parts.hpp"

namespace tactelier {
namespace {

constexpr double kSettleTimes = 12;
constexpr int kMeanSteps = 400;

/// A shape's damping is that of the whole pad, though it may rest on three tactels alone.
double settle_s(const MujocoPad& pad) {
  const double k = pad.stiffness_N_per_m, all = k * static_cast<double>(pad.places.size());
  return creep_s(pad) + kSettleTimes * 2 * std::sqrt(mjcf::kShapeInertia_kg * all) / (3 * k);
}

}  // namespace

double creep_s(const MujocoPad& pad) { return 40 * pad.damping_N_s_per_m / pad.stiffness_N_per_m; }

PressSeen mean_at_rest(MujocoEngine& engine, int dof, double load_N, const MujocoPad& pad) {
  engine.push(dof, -load_N);
  int still = 0;
  for (const double end_s = settle_s(pad); still < kStillSteps && engine.time_s() < end_s;) {
    engine.step({});
    const bool stands = std::abs(engine.state(dof).speed_m_per_s) < kStill_m_per_s;
    still = stands ? still + 1 : 0;
  }
  PressSeen mean{0, std::vector<double>(pad.places.size(), 0.0)};
  for (int step = 0; step < kMeanSteps; ++step) {
    mean.depth_m -= engine.state(dof).position_m / kMeanSteps;
    engine.step({});
    const auto now_N = engine.sensors(pad.places.size());
    for (std::size_t i = 0; i < now_N.size(); ++i) mean.force_N[i] += now_N[i] / kMeanSteps;
  }
  return mean;
}

}  // namespace tactelier
