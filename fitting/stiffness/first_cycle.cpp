#include "fitting/stiffness/first_cycle.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

#include "fitting/statistics/robust.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr double kSeenBefore = 0.6;

bool has_punch(const StiffnessPress& press) { return press.loading && press.loading->k_punch; }

struct Place {
  std::vector<double> first, later;  // k_punch, N/m
};

std::map<std::string, Place> places_of(const std::vector<StiffnessPress>& presses) {
  std::map<std::string, Place> places;
  for (const auto& press : presses)
    if (has_punch(press))
      (press.first ? places[press.site].first : places[press.site].later)
          .push_back(press.loading->k_punch->value);
  return places;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

void scale(Estimate& estimate, double factor) {
  estimate.value *= factor;
  estimate.std *= factor;
}

void scale(const Estimate& ratio, StiffnessPress& press) {
  scale(press.loading->k_affine, ratio.value);
  scale(press.loading->intercept, ratio.value);
  if (press.loading->k_punch) scale(*press.loading->k_punch, ratio.value);
  for (auto& point : press.curve) point[1] *= ratio.value;
  press.shared = std::hypot(press.shared, ratio.std / ratio.value);
}

void leave_out(const std::string& reason, StiffnessPress& press) {
  press.loading.reset();
  press.unloading.reset();
  press.curve.clear();
  press.no_loading = press.no_contact = press.no_unloading = reason;
}

}  // namespace

bool seen_before(double seen_m, double deepest_m) { return seen_m >= kSeenBefore * deepest_m; }

std::optional<Estimate> first_cycle_ratio(const std::vector<StiffnessPress>& presses) {
  std::vector<double> ratios;
  for (const auto& [site, place] : places_of(presses))
    if (!place.first.empty() && !place.later.empty())
      ratios.push_back(mean(place.later) / mean(place.first));
  if (ratios.size() < kMinFirstCyclePlaces) return std::nullopt;
  return press_spread(ratios);
}

std::size_t pressed_once(const std::vector<StiffnessPress>& presses) {
  std::size_t count = 0;
  for (const auto& [site, place] : places_of(presses)) count += place.later.empty() ? 1 : 0;
  return count;
}

bool softens(const Estimate& ratio) {
  return std::abs(ratio.value - 1) > kFirstCycleStudent * ratio.std;
}

void take_first_cycle_out(const Estimate& ratio, std::vector<StiffnessPress>& presses) {
  std::set<std::string> pressed_again;
  for (const auto& press : presses)
    if (!press.first && has_punch(press)) pressed_again.insert(press.site);
  for (auto& press : presses) {
    if (!press.first || !press.loading) continue;
    if (pressed_again.count(press.site) > 0)
      leave_out("FIRST-PRESS later presses at this place count", press);
    else
      scale(ratio, press);
  }
}

void leave_out_shallow(std::vector<StiffnessPress>& presses) {
  std::vector<double> depths;
  for (const auto& press : presses)
    if (has_punch(press)) depths.push_back(press.loading->max_depth_m);
  if (depths.empty()) return;
  const double usual_m = median(depths);
  for (auto& press : presses)
    if (has_punch(press) && press.loading->max_depth_m < kShallowPress * usual_m)
      leave_out(fmt::format("ST-01 Pressed to {:.2f} mm only, others to {:.2f} mm: too shallow for "
                            "a stiffness.",
                            m_to_mm(press.loading->max_depth_m), m_to_mm(usual_m)),
                press);
}

}  // namespace tactelier
