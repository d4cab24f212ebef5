#include "fitting/rotary/rotary.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>

#include "fitting/rotary/joint_law.hpp"
#include "fitting/statistics/refusal.hpp"

namespace tactelier {
namespace {

constexpr const char* kStage = "rotary";

struct Entry {
  JointIndex index;
  Parameter JointFriction::*member;
  const char* name;
  const char* unit;
  bool logarithmic, location;
};
constexpr std::array kEntries{
    Entry{kJointCoulomb, &JointFriction::coulomb, "T_c", "N*m", false, false},
    Entry{kJointBreakaway, &JointFriction::breakaway, "T_s", "N*m", false, false},
    Entry{kJointStribeck, &JointFriction::stribeck_speed, "ω_s", "rad/s", true, false},
    Entry{kJointViscous, &JointFriction::viscous, "B", "N*m*s/rad", false, true},
    Entry{kJointOffset, &JointFriction::offset, "T_0", "N*m", false, true},
};

double value_of(const JointFrictionLaw& law, JointIndex index) {
  switch (index) {
    case kJointCoulomb:
      return law.coulomb_Nm;
    case kJointBreakaway:
      return law.breakaway_Nm;
    case kJointStribeck:
      return std::log(law.stribeck_speed_rad_per_s);
    case kJointViscous:
      return law.viscous_Nm_s_per_rad;
    case kJointOffset:
      break;
  }
  return law.offset_Nm;
}

/// Why the law that was fitted does not hold this parameter; "" where it does.
std::string refusal_of(const JointLawFit& fit, JointIndex index) {
  if (!fit.refusal.empty()) return fit.refusal;
  if (index == kJointOffset && fit.one_way)
    return "RO-04 The joint turned one way only: what pulls one way at all speeds is part of T_c.";
  if (index != kJointBreakaway && index != kJointStribeck) return "";
  if (!fit.not_bracketed.empty()) return fit.not_bracketed;
  if (!fit.drops)
    return fmt::format(
        "RO-03 Friction does not fall with speed by more than chance would (p = {:.2g}): use T_c "
        "at all speeds.",
        fit.drop_p);
  return "";
}

Parameter parameter_of(const JointLawFit& fit, const Entry& entry) {
  if (const auto reason = refusal_of(fit, entry.index); !reason.empty())
    return unidentifiable(entry.unit, reason, kStage);
  Candidate candidate;
  candidate.name = entry.name;
  candidate.unit = entry.unit;
  candidate.logarithmic = entry.logarithmic;
  candidate.location = entry.location;
  candidate.estimate = {value_of(fit.law, entry.index), fit.u[entry.index], fit.dof};
  const auto judgement = judge({&candidate, 1}, {}, kStage);
  return reported(candidate, judgement.verdicts[0], kStage);
}

void report(const std::string& joint, std::span<const TurningRun> runs, const JointLawFit& fit,
            SensorModel& model) {
  auto& friction = model.joints.emplace_back();
  friction.name = joint;
  for (const auto& entry : kEntries) friction.*entry.member = parameter_of(fit, entry);
  auto& quality = model.quality[kStage];
  const auto label = [&](const char* figure) {
    return joint.empty() ? std::string(figure) : fmt::format("{}_of_{}", figure, joint);
  };
  for (const auto& run : runs) quality.samples_used += static_cast<int>(run.rows);
  quality.figures[label("runs")] = static_cast<double>(runs.size());
  quality.interval_method = "scatter of runs about the law";
  if (!fit.refusal.empty()) return;
  quality.figures[label("residual_rms_Nm")] = fit.residual_rms_Nm;
  quality.figures[label("r2")] = fit.r2;
  if (fit.one_way)
    quality.warnings.push_back(
        {"RO-04", "The joint turned one way only: weight and zero of the torque are part of T_c.",
         joint.empty() ? kStage : joint});
}

}  // namespace

Result<void> run_rotary(FitContext& context) {
  std::map<std::string, std::vector<TurningRun>> joints;
  for (const auto& one : context.sessions) {
    const auto& session = *one.session;
    for (const auto& joint : joints_of(session)) {
      const auto rows = read_joint(session, joint, context.job);
      if (!rows) return fail(rows.error());
      const auto& imported = session.metadata().imported;
      auto& runs = joints[joint];
      std::vector<TimeRange> tables;
      for (const auto& press : one.presses)
        if (press.usable()) tables.push_back({press.begin_s, press.end_s});
      const auto found =
          imported && imported->static_readings ? runs_of_rows(*rows, tables) : steady_runs(*rows);
      runs.insert(runs.end(), found.begin(), found.end());
    }
  }
  for (const auto& [joint, runs] : joints) report(joint, runs, fit_joint(runs), context.model);
  return {};
}

}  // namespace tactelier
