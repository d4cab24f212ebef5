// Lines through presses (docs/theory/contact-and-stiffness.md 4): stiffness under the indenter and
// under a plate, and what the rig itself gives. Between presses repeats at a place decide.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "fitting/plan/stage_plans.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kMinDepths = 5;  // ST-01
constexpr double kFrameOverPlate = 2;  // stiffness_area.cpp, RC-02
constexpr double kEnoughRepeats = 4;   // stiffness_sites.cpp
constexpr double kFirstPress = 0.1;    // first_cycle.hpp: bound where nothing was repeated
constexpr double kContactNoise = 4;    // force noises at which first touch shows
constexpr double kRow_s = 0.1;         // means that a line's rows amount to
constexpr double kNanometre_m = 1e-9;
constexpr double kFullStepHalf = 8;  // microsteps

bool gives_stiffness(const PlannedPress& press) {
  return has_slow_branches(press.kind) && press.counts && press.tactel && !press.loadings.empty();
}

/// Relative standard deviation of one press's stiffness: where first touch is, where the stage is
/// at depth, and the force.
double press_deviation(const PlanBasis& basis, const PlannedPress& press) {
  const auto& quality = basis.quality;
  const double k = press.force_N / press.depth_m;
  const auto& loading = press.loadings.front();
  const double rows = std::max(4.0, (loading.end_s() - loading.touch_s()) / kRow_s);
  const double touch_m = kContactNoise * quality.force_noise_N / k / std::sqrt(rows);
  const double place_m = quality.microstep_error_m / std::sqrt(2.0);
  const auto depths = static_cast<double>(std::max<std::size_t>(1, press.loadings.size()));
  const double step_m = u_resolution(quality.step_m) / std::sqrt(rows);
  const double force = quality.force_noise_moving_N / (press.force_N * std::sqrt(rows));
  return std::hypot(
      std::hypot(touch_m, step_m, place_m * std::sqrt(1 + 1 / depths)) / (0.75 * press.depth_m),
      force);
}

/// Standard uncertainty of the linear part of the rig's compliance, by its plate presses.
double compliance_u(const PlanBasis& basis) {
  const auto& quality = basis.quality;
  double information = 0;
  for (const auto& plate : basis.work.plates) {
    const double bends_m = plate.force_N * quality.compliance_m_per_N;
    const double lasts_s = std::max(0.1, bends_m / plate.speed_m_per_s);
    double samples = std::max(3.0, lasts_s * quality.position_rate_hz);
    // Positions within half a period of the microstep error are off alike.
    if (quality.microstep_error_m > 0)
      samples = std::min(samples, std::max(3.0, bends_m / (kFullStepHalf * quality.step_m)));
    const double place_m = std::hypot(u_resolution(std::max(quality.step_m, kNanometre_m)),
                                      quality.microstep_error_m / std::sqrt(2.0));
    information += samples * plate.force_N * plate.force_N / 12 / (place_m * place_m);
  }
  return information > 0 ? 1 / std::sqrt(information) : 0;
}

/// Repeats at one place, their degrees of freedom, and places.
struct Repeats {
  std::map<int, int> presses;
  double dof = 0;
  double presses_count = 0;
};

Repeats repeats_of(const std::vector<const PlannedPress*>& presses) {
  Repeats repeats;
  for (const auto* press : presses) ++repeats.presses[*press->tactel];
  for (const auto& [tactel, count] : repeats.presses) {
    repeats.dof += count - 1;
    repeats.presses_count += count;
  }
  return repeats;
}

/// Every place of these presses was pressed before, by presses that don't count.
bool pressed_before(const PlannedWork& work, const std::vector<const PlannedPress*>& presses) {
  return std::all_of(presses.begin(), presses.end(), [&](const PlannedPress* press) {
    return std::any_of(work.presses.begin(), work.presses.end(), [&](const PlannedPress& other) {
      return !other.counts && other.tactel == press->tactel && other.begin_s < press->begin_s;
    });
  });
}

void add_rig(const PlanBasis& basis, double k, std::vector<PlannedShare>& budget) {
  add_force_gain(basis.quality, k, budget);
  const double u_c1 = compliance_u(basis);
  if (u_c1 > 0) budget.push_back({{"what the rig bends", k * k * u_c1}, false});
}

PlannedParameter plan_punch(const PlanBasis& basis) {
  std::vector<const PlannedPress*> presses;
  for (const auto& press : basis.work.presses)
    if (gives_stiffness(press) && press.indenter.indenter.flat_area_m2()) presses.push_back(&press);
  if (presses.empty())
    return not_planned("stiffness.k_punch", "N/m",
                       "ST-01 no slow press on a tactel with a flat end");
  const auto repeats = repeats_of(presses);
  const auto sites = static_cast<double>(repeats.presses.size());
  const double k = basis.expected.pad.punch_stiffness_N_per_m.value;
  double squares = 0;
  for (const auto* press : presses)
    squares += std::pow(press_deviation(basis, *press), 2) / static_cast<double>(presses.size());
  const double deviation = std::sqrt(squares);
  std::vector<PlannedShare> budget;
  if (repeats.dof >= kEnoughRepeats || repeats.dof >= sites - 1) {
    double shares = 0;
    for (const auto& [tactel, count] : repeats.presses) shares += 1.0 / count;
    budget.push_back({{"scatter of repeated presses", k * deviation * std::sqrt(shares) / sites,
                       std::max(1.0, repeats.dof)},
                      true});
  } else if (sites > 1) {
    constexpr double kPlaces = 0.02;  // of rubber, from place to place
    budget.push_back({{"scatter from place to place",
                       k * std::hypot(deviation, kPlaces) / std::sqrt(sites), sites - 1},
                      true});
  } else {
    budget.push_back({{"noise within one press", k * deviation, kManyDegrees}, true});
  }
  if (repeats.dof < 1 && !pressed_before(basis.work, presses))
    budget.push_back(
        {{"a first press is stiffer (nothing is repeated)", u_rectangular(k * kFirstPress)},
         false});
  add_rig(basis, k, budget);
  auto made = planned("stiffness.k_punch", "N/m", k, std::move(budget));
  if (basis.work.plates.empty() && basis.quality.compliance_m_per_N > 0 && made.promised())
    made.may_fail = "RIGID-RIG no rigid plate is pressed and what the rig bends is taken as stated";
  return made;
}

PlannedParameters plan_area(const PlanBasis& basis) {
  const auto refuse = [](const std::string& reason) {
    return PlannedParameters{not_planned("stiffness.foundation_modulus", "Pa/m", reason),
                             not_planned("stiffness.k", "N/m", reason)};
  };
  const auto area = std::find_if(basis.work.presses.begin(), basis.work.presses.end(),
                                 [](const auto& p) { return p.kind == PressKind::kArea; });
  if (area == basis.work.presses.end())
    return refuse(basis.work.weights > 0
                      ? "ST-02 by weights: its interval is that of the compression as it is read"
                      : "ST-01 no plate press on the pad and no weights");
  const double area_m2 = basis.sensor.sensing_area_m2();
  const double modulus = basis.expected.pad.foundation_modulus_Pa_per_m.value;
  const double k = modulus * area_m2;
  const double frame = 1 / std::max(1e-12, basis.quality.compliance_m_per_N);
  if (frame < kFrameOverPlate * k)
    return refuse(fmt::format(
        "RC-02 the frame's {:.3g} N/mm against the whole pad's {:.3g} N/mm: most of the travel "
        "would bend the rig. Press a ball of 10 mm instead, whose modulus the rig hardly moves, "
        "or lay on weights with a dial gauge at the pad",
        1e-3 * frame, 1e-3 * k));
  const double depth_m = area->force_N / k;
  const auto readings = static_cast<double>(std::max<std::size_t>(2, area->holds.size()));
  const double place_m = std::hypot(basis.quality.microstep_error_m / std::sqrt(2.0),
                                    u_resolution(basis.quality.step_m));
  const double u = std::sqrt(12.0 / readings) * place_m / depth_m;
  std::vector<PlannedShare> budget{
      {{"where the stage is", k * u, std::max(1.0, readings - 2)}, true}};
  add_rig(basis, k, budget);
  auto of_plate = planned("stiffness.foundation_modulus", "Pa/m", k, std::move(budget));
  auto of_tactel = of_plate;
  const auto scaled = [](PlannedParameter& parameter, double factor) {
    parameter.value *= factor;
    if (parameter.u) *parameter.u *= factor;
    if (parameter.repeat) *parameter.repeat *= factor;
  };
  scaled(of_plate, 1 / area_m2);
  of_tactel.path = "stiffness.k";
  of_tactel.unit = "N/m";
  scaled(of_tactel, 1.0 / basis.sensor.tactels());
  return {of_plate, of_tactel};
}

}  // namespace

PlannedParameters plan_rig(const PlanBasis& basis) {
  const double c1 = basis.quality.compliance_m_per_N;
  if (basis.work.plates.empty())
    return {not_planned("rig.compliance", "m/N", "NOT-FITTED no rigid plate is pressed")};
  if (!(c1 > 0))
    return {not_planned("rig.compliance", "m/N", "ID-02 the rig is taken to be rigid")};
  std::vector<PlannedShare> budget{
      {{"the stage's steps and how often it says where it is", compliance_u(basis)}, true}};
  add_force_gain(basis.quality, c1, budget);
  return {planned("rig.compliance", "m/N", c1, std::move(budget))};
}

PlannedParameters plan_stiffness(const PlanBasis& basis) {
  PlannedParameters all{plan_punch(basis)};
  for (auto& one : plan_area(basis)) all.push_back(std::move(one));
  return all;
}

}  // namespace tactelier
