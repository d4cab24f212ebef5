#include "fitting/plan/information.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/plan/stage_plans.hpp"

namespace tactelier {
namespace {

double half_width(const std::vector<PlannedShare>& budget, bool all, bool logarithmic,
                  double value) {
  std::vector<Component> parts;
  for (const auto& share : budget)
    if (all || share.repeats) parts.push_back(share.component);
  const double wide = combine(parts).U_95;
  return logarithmic ? wide * std::abs(value) : wide;
}

}  // namespace

double PlannedParameter::relative() const {
  return value != 0 && u ? *u / std::abs(value) : HUGE_VAL;
}

PlannedParameter planned(std::string path, std::string unit, double value,
                         std::vector<PlannedShare> budget, bool logarithmic) {
  PlannedParameter parameter;
  parameter.path = std::move(path);
  parameter.unit = std::move(unit);
  parameter.value = value;
  parameter.repeat = half_width(budget, false, logarithmic, value);
  parameter.u = half_width(budget, true, logarithmic, value);
  const auto most =
      std::max_element(budget.begin(), budget.end(),
                       [](const auto& a, const auto& b) { return a.component.u < b.component.u; });
  if (most != budget.end()) parameter.limit = most->component.name;
  if (!std::isfinite(*parameter.u) || parameter.relative() >= 1) {
    parameter.reason =
        fmt::format("ID-02 its interval would be wider than its value ({})", parameter.limit);
    parameter.u.reset();
    parameter.repeat.reset();
  }
  return parameter;
}

PlannedParameter not_planned(std::string path, std::string unit, std::string reason) {
  PlannedParameter parameter;
  parameter.path = std::move(path);
  parameter.unit = std::move(unit);
  parameter.reason = std::move(reason);
  parameter.determined = 0;
  return parameter;
}

void add_force_gain(const RigQuality& quality, double scale, std::vector<PlannedShare>& budget) {
  if (quality.force_gain_u)
    budget.push_back(
        {{"the force sensor's gain, by its certificate", std::abs(scale) * *quality.force_gain_u},
         false});
}

std::vector<PlannedParameter> planned_information(const PlanBasis& basis, const Job& job) {
  std::vector<PlannedParameter> all;
  const auto add = [&](PlannedParameters more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
  };
  add(plan_rig(basis));
  add(plan_response(basis));
  add(plan_stiffness(basis));
  const auto relaxation = plan_relaxation(basis);
  add(plan_damping(basis, relaxation));
  add(relaxation);
  add(plan_spread(basis));
  add(plan_friction(basis, job));
  return all;
}

}  // namespace tactelier
