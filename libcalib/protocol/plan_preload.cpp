// Presses beside a weight that holds one end of the array above its dead zone: what tactels under
// it then read of a press far away is the electronics' (ghosting), since no pad carries a force
// over three tactels.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "libcalib/json_check.hpp"
#include "libcalib/protocol/plan_event.hpp"
#include "libcalib/protocol/plan_steps.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr int kMinAlong = 8;  // tactels of the array's longer side
constexpr int kFree = 5;      // of them not covered: three between weight and tip, and the border
constexpr int kMostWide = 4;  // covered across: more would need more than a bar
constexpr double kSpeed_m_per_s = 0.3e-3;
constexpr double kRest_s = 20;  // under the weight before the first press: readings creep

/// Where the bar lies and which tactels are pressed, in tactels along and across.
struct Lie {
  bool rows_are_along = true;
  int covered = 0, wide = 0, first_across = 0, pressed_along = 0;
};

std::optional<Lie> lie_on(const SensorDescription& sensor) {
  const auto& array = sensor.arrays.front();
  if (sensor.arrays.size() != 1 || !array.positions_m.empty()) return {};
  Lie lie;
  lie.rows_are_along = array.rows >= array.columns;
  const int along = std::max(array.rows, array.columns);
  const int across = std::min(array.rows, array.columns);
  if (along < kMinAlong) return {};
  lie.covered = along - kFree;
  lie.wide = std::min(across, kMostWide);
  lie.first_across = (across - lie.wide) / 2;
  lie.pressed_along = along - 2;
  return lie;
}

int tactel_at(const SensorArray& array, const Lie& lie, int along, int across) {
  return lie.rows_are_along ? along * array.columns + across : across * array.columns + along;
}

/// The rows apart, so that none sees what the pad's spread takes of the other's press.
std::vector<int> pressed_tactels(const SensorArray& array, const Lie& lie) {
  std::vector<int> tactels{tactel_at(array, lie, lie.pressed_along, lie.first_across)};
  if (lie.wide == kMostWide)
    tactels.push_back(tactel_at(array, lie, lie.pressed_along, lie.first_across + lie.wide - 1));
  return tactels;
}

/// Over the covered tactels; as wide as its area says, at most as they are.
Result<ByHand> bar_of(const SensorDescription& sensor, const Lie& lie, double mass_kg,
                      double area_m2) {
  const auto& array = sensor.arrays.front();
  const double along_m = lie.rows_are_along ? array.pitch_y_m : array.pitch_x_m;
  const double across_m = lie.rows_are_along ? array.pitch_x_m : array.pitch_y_m;
  const auto whole_mm = [](double m) { return std::max(1.0, std::floor(m_to_mm(m))); };
  const double length_mm = whole_mm(lie.covered * along_m);
  const double width_mm = std::min(whole_mm(lie.wide * across_m), m2_to_mm2(area_m2) / length_mm);
  auto bar = mounted_indenter(
      nlohmann::json{{"shape", "edge"}, {"length_mm", length_mm}, {"width_mm", width_mm}}.dump(),
      "weights");
  if (!bar) return fail(bar.error());
  const auto first = sensor.position_m(tactel_at(array, lie, 0, lie.first_across));
  const auto last =
      sensor.position_m(tactel_at(array, lie, lie.covered - 1, lie.first_across + lie.wide - 1));
  ByHand what;
  what.mass_kg = mass_kg;
  what.indenter = std::move(*bar);
  what.x_m = (first[0] + last[0]) / 2;
  what.y_m = (first[1] + last[1]) / 2;
  what.rz_rad = lie.rows_are_along ? std::numbers::pi / 2 : 0;
  return what;
}

void lay(PlanBuilder& plan, const Lie& lie, const ByHand& bar) {
  plan.prompt(fmt::format(
      "Put the {} at ({:.6g}, {:.6g}) mm, long side along {}, loaded with {:.10g} g; the tip will "
      "press beside it. Then continue.",
      bar.indenter->indenter.describe(), tidy_mm(bar.x_m), tidy_mm(bar.y_m),
      lie.rows_are_along ? "y" : "x", tidy(bar.mass_kg * 1e3)));
  plan.last().by_hand = bar;
  plan.wait(kRest_s);
}

Result<void> press_one(PlanBuilder& plan, int tactel, const LoadSpec& ramp) {
  Sites site;
  site.items.emplace_back(tactel);
  const auto place = places(site, plan.sensor());
  if (!place) return plan.bad(place.error());
  plan.approach(place->front(), ramp.speed_m_per_s);
  plan.press_begin(place->front(), {PressKind::kRamp, {}, "preloaded"});
  if (auto done = plan.load(ramp); !done) return done;
  plan.unload(ramp.speed_m_per_s, plan.air_gap_m(ramp.speed_m_per_s));
  plan.press_end();
  return {};
}

}  // namespace

Result<void> press_beside(PlanBuilder& plan, const Step& step, const steps::Weights& weights) {
  if (auto ready = need_indenter(plan); !ready) return ready;
  if (auto fits = plan.check_speed("pressing beside a weight:", kSpeed_m_per_s, true); !fits)
    return fits;
  const auto lie = lie_on(plan.sensor());
  if (!lie) {
    plan.warn(
        "weights",
        fmt::format("left out: pressing beside a weight needs one flat array of {} tactels or "
                    "more along a side; ghosting is told from the other presses alone",
                    kMinAlong));
    return {};
  }
  const auto farthest_m = plan.farthest_m(step.until);
  if (!farthest_m) return fail(farthest_m.error());
  const LoadSpec ramp{*farthest_m, kSpeed_m_per_s, step.until, true, Touch::kPad, {}};
  for (const double mass_kg : weights.masses_kg) {
    if (auto allowed = plan.account_weight(mass_kg); !allowed) return allowed;
    const auto bar = bar_of(plan.sensor(), *lie, mass_kg, weights.area_m2);
    if (!bar) return plan.bad(bar.error());
    lay(plan, *lie, *bar);
    for (const int tactel : pressed_tactels(plan.sensor().arrays.front(), *lie))
      if (auto done = press_one(plan, tactel, ramp); !done) return done;
    plan.prompt("Take the bar off the pad, then continue.");
    plan.last().by_hand = ByHand{};
  }
  return {};
}

}  // namespace tactelier
