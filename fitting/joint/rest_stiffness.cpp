#include "fitting/joint/rest_stiffness.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/statistics/line_fit.hpp"
#include "fitting/statistics/serial.hpp"
#include "fitting/stiffness/first_cycle.hpp"
#include "libcalib/models/prony.hpp"

namespace tactelier {
namespace {

constexpr double kShallow = 0.1;    // of the press's depth: clamped or not yet in touch
constexpr double kMinForce = 0.03;  // of its peak: about to let go
constexpr std::size_t kMinRows = 20;

/// What a pad of unit stiffness answers.
class UnitPad {
 public:
  UnitPad(RateModel model, const JointValues& pad, double begin_s)
      : model_(model), pad_(pad), time_s_(begin_s) {
    for (const double tau_s : pad.tau_s) branches_.emplace_back(tau_s);
  }

  double elastic_m(double depth_m) const { return depth_m + pad_.hardening * depth_m * depth_m; }

  double step_m(double time_s, double depth_m) {
    const double elastic = elastic_m(depth_m), dt_s = time_s - time_s_;
    double sum = 0;
    for (std::size_t j = 0; j < branches_.size(); ++j) {
      branches_[j].step(dt_s, elastic - elastic_m_);
      sum += pad_.ratio[j] * branches_[j].value_m();
    }
    const double v = dt_s > 0 ? (depth_m - depth_m_) / dt_s : 0;
    time_s_ = time_s;
    depth_m_ = depth_m;
    elastic_m_ = elastic;
    const double held = elastic * (1 + std::copysign(pad_.hysteresis, v));
    if (model_ == RateModel::kHuntCrossley) return held + sum + elastic * pad_.damping * v;
    return held + sum + pad_.damping / pad_.k * (1 + 2 * pad_.hardening * depth_m) * v;
  }

 private:
  RateModel model_;
  const JointValues& pad_;
  std::vector<PronyBranchState> branches_;
  double time_s_, depth_m_ = 0, elastic_m_ = 0;
};

}  // namespace

Result<RelaxedStiffness> relaxed_stiffness(const PressCourse& press, const DepthPath& before,
                                           RateModel model, const JointValues& pad) {
  if (press.time_s.empty()) return fail(ErrorCode::kUnidentifiable, "no reading in contact");
  const bool rested = before.time_s.empty();
  UnitPad unit(model, pad, rested ? press.time_s.front() : before.begin_s);
  for (std::size_t i = 0; i < before.time_s.size(); ++i)
    unit.step_m(before.time_s[i], before.depth_m[i]);
  const double top_m = *std::max_element(press.depth_m.begin(), press.depth_m.end());
  const double peak_N = *std::max_element(press.force_N.begin(), press.force_N.end());
  std::vector<double> answers, forces;
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < press.time_s.size(); ++i) {
    const double depth_m = std::max(0.0, press.depth_m[i]);
    if (depth_m > kAlikeDepth * press.seen_m) break;
    const double answer = unit.step_m(press.time_s[i], depth_m);
    if (depth_m < kShallow * top_m || press.force_N[i] < kMinForce * peak_N) continue;
    answers.push_back(answer);
    forces.push_back(press.force_N[i]);
    products += unit.elastic_m(depth_m) * depth_m;
    squares += depth_m * depth_m;
  }
  if (answers.size() < kMinRows)
    return fail(ErrorCode::kUnidentifiable, "{} readings in contact, {} needed", answers.size(),
                kMinRows);
  const auto line = fit_line(answers, forces);
  if (!line) return fail(line.error());
  std::vector<double> residuals;
  for (std::size_t i = 0; i < answers.size(); ++i)
    residuals.push_back(line->residual(answers[i], forces[i]));
  const double inflation = serial_inflation(std::clamp(lag1(residuals), 0.0, 0.9999));
  return RelaxedStiffness{{line->slope, line->u_slope * inflation, kManyDegrees},
                          line->slope * products / squares};
}

}  // namespace tactelier
