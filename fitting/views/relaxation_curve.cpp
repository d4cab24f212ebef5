#include "fitting/views/relaxation_curve.hpp"

#include <cmath>

#include "fitting/relaxation/hold_data.hpp"
#include "fitting/statistics/robust.hpp"
#include "fitting/views/preparation.hpp"
#include "libcalib/models/prony.hpp"

namespace tactelier {
namespace {

/// Depth-like force of the model at the trace's compared rows: unit long-time stiffness.
std::vector<double> modelled(const HoldTrace& trace, const Relaxation& relaxation) {
  std::vector<double> ratio;
  std::vector<PronyBranchState> branches;
  for (std::size_t b = 0; b < relaxation.g.size() && b < relaxation.tau.size(); ++b) {
    if (!relaxation.g[b].value || !relaxation.tau[b].value) return {};
    ratio.push_back(*relaxation.g[b].value / *relaxation.g_inf.value);
    branches.emplace_back(*relaxation.tau[b].value);
  }
  std::vector<double> force;
  double time_s = trace.begin_s, depth_m = 0;
  for (std::size_t i = 0; i < trace.time_s.size(); ++i) {
    double sum_m = trace.depth_m[i];
    for (std::size_t b = 0; b < branches.size(); ++b) {
      branches[b].step(trace.time_s[i] - time_s, trace.depth_m[i] - depth_m);
      sum_m += ratio[b] * branches[b].value_m();
    }
    time_s = trace.time_s[i];
    depth_m = trace.depth_m[i];
    if (trace.sigma_N[i] > 0) force.push_back(sum_m);
  }
  return force;
}

HoldCurve curve_of(const HoldPress& hold, const Relaxation& relaxation) {
  HoldCurve curve;
  const auto& trace = hold.trace;
  std::vector<double> force_N, noises;
  for (std::size_t i = 0; i < trace.time_s.size(); ++i) {
    if (!(trace.sigma_N[i] > 0)) continue;
    curve.since_s.push_back(trace.time_s[i] - hold.begin_s);
    force_N.push_back(trace.force_N[i]);
    noises.push_back(trace.sigma_N[i]);
  }
  if (force_N.empty() || !(force_N.front() > 0)) return {};
  curve.depth_m = hold.depth_m;
  for (const double f : force_N) curve.force.push_back(f / force_N.front());
  curve.noise = median(noises) / force_N.front();
  if (!relaxation.g_inf.value) return curve;
  const auto shape = modelled(trace, relaxation);
  double products = 0, squares = 0;  // its stiffness is its own
  for (std::size_t i = 0; i < shape.size(); ++i) {
    products += shape[i] * curve.force[i];
    squares += shape[i] * shape[i];
  }
  for (const double s : shape) curve.model.push_back(s * products / squares);
  return curve;
}

}  // namespace

Result<RelaxationCurve> relaxation_curve(std::vector<FitSession> sessions,
                                         std::vector<SessionClocks> clocks,
                                         const SensorModel& model, const Job& job) {
  const auto context = looking_context(std::move(sessions), std::move(clocks), model, job);
  if (!context) return fail(context.error());
  return relaxation_curve_in(*context);
}

Result<RelaxationCurve> relaxation_curve_in(const FitContext& context) {
  const auto& found = context.model.relaxation;
  const auto holds = load_holds(context);
  if (!holds) return fail(holds.error());
  RelaxationCurve curve;
  std::string why = "No hold was recorded: hold a depth for several relaxation times (P6).";
  for (const auto& hold : *holds) {
    if (hold.at_force) {
      why = "All holds are at constant force: they show creep, not relaxation.";
      continue;
    }
    if (!hold.refusal.empty()) {
      why = hold.refusal;
      continue;
    }
    auto one = curve_of(hold, found);
    one.session = hold.session;
    one.press = hold.press;
    if (!one.since_s.empty()) curve.holds.push_back(std::move(one));
  }
  if (curve.holds.empty()) return fail(ErrorCode::kUnidentifiable, "{}", why);
  if (found.g_inf.value)
    for (const auto& tau : found.tau)
      if (tau.value) curve.tau_s.push_back(*tau.value);
  return curve;
}

}  // namespace tactelier
