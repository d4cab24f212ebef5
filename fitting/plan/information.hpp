#pragma once
// What a recording will tell, before it is made: candidate steps in, for each parameter of the
// model the half-width of its interval out. From the Fisher information of the planned work, by the
// fit's own models and Jacobians at the expected values, with the noise that the rig is stated to
// have; what repetition can't show (certificate, compliance) enters as in the fit's budgets. Rules
// by which the fit refuses whatever comes out are applied here too, with their codes.
//
//   const auto work = planned_work(plan, expected.pad, sensor);
//   for (const auto& parameter : planned_information({work, sensor, quality, expected}, job)) ...
//
// docs/theory/planning.md

#include <optional>
#include <string>
#include <vector>

#include "fitting/plan/expected_sensor.hpp"
#include "fitting/plan/planned_work.hpp"
#include "fitting/plan/rig_quality.hpp"
#include "fitting/statistics/identified.hpp"
#include "libcalib/job.hpp"

namespace tactelier {

struct PlanBasis {
  const PlannedWork& work;
  const SensorDescription& sensor;
  const RigQuality& quality;
  const ExpectedSensor& expected;
};

/// One line of a planned budget.
struct PlannedShare {
  Component component;
  bool repeats = true;  // repetition shows it: it is part of ci95, not of u_total alone
};

struct PlannedParameter {
  std::string path;  // "friction.contact.mu_d"; of tactels "response.tactels[].press_gain"
  std::string unit;
  double value = 0;              // expected
  std::optional<double> repeat;  // half-width of ci95
  std::optional<double> u;       // half-width of u_total: 95 %, with what repetition can't show
  int determined = 1;            // of `of`; tactels
  int of = 1;
  std::string limit;     // what most of the half-width comes from
  std::string reason;    // why not: code and words; nothing else is filled then
  std::string may_fail;  // it is near a rule that refuses: code and words

  bool promised() const { return reason.empty() && u.has_value(); }
  /// Half-width over value.
  double relative() const;
};

/// In the order of the model file. Parameters of stages that the plan does nothing for are there
/// with the reason that the fit would give.
std::vector<PlannedParameter> planned_information(const PlanBasis& basis, const Job& job);

}  // namespace tactelier
