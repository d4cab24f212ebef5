#include "fitting/adaptive/foresight.hpp"

#include <algorithm>

namespace tactelier::adaptive {
namespace {

constexpr int kMostPresses = 400;
constexpr double kWay_m = 0.01;  // from press to press

}  // namespace

bool any_open(const PressInformation& information, std::span<const Wanted> wanted) {
  return std::any_of(wanted.begin(), wanted.end(), [&](const Wanted& one) {
    return information.variance(one.column) * one.scale > one.target * one.target;
  });
}

Foresight foresee(const PressInformation& information, PressChoice choice,
                  std::span<const Wanted> wanted, std::vector<PressThought> presses,
                  const AdaptiveSettings& settings, double begun_s, double allowed_s) {
  Foresight ahead{information, begun_s, true};
  int further = 0;
  while (any_open(ahead.information, wanted) && further < kMostPresses &&
         ahead.further_s < allowed_s) {
    const auto more = choice.batch(ahead.information, wanted, presses, settings.batch);
    if (more.empty()) break;
    for (const auto& [press, why] : more) {
      presses.push_back(press);
      ahead.further_s += settings.rest_s + 2 * press.depth_m / press.speed_m_per_s +
                         kWay_m / settings.travel_m_per_s;
    }
    further += static_cast<int>(more.size());
  }
  ahead.open = any_open(ahead.information, wanted);
  return ahead;
}

}  // namespace tactelier::adaptive
