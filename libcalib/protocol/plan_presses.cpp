// Steps that press the pad: ramps, staircases, holds, cycles, speeds, chirps, rasters, plates.

#include <algorithm>
#include <cmath>
#include <limits>

#include "libcalib/protocol/plan_steps.hpp"
#include "libcalib/protocol/step_text.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

/// One press from free air to free air; `work` loads and holds.
template <class Work>
Result<void> press(PlanBuilder& plan, const Place& place, const PressSpec& spec,
                   double down_m_per_s, double up_m_per_s, Work work) {
  if (plan.too_long()) return plan.bad("the protocol makes too many movements");
  plan.approach(place, down_m_per_s);
  plan.press_begin(place, spec);
  if (auto done = work(); !done) return done;
  plan.unload(up_m_per_s, plan.air_gap_m(down_m_per_s));
  plan.press_end();
  return {};
}

Result<std::vector<Place>> places_of(const PlanBuilder& plan, const Sites& sites) {
  auto found = places(sites, plan.sensor());
  if (!found) return plan.bad(found.error());
  return found;
}

/// Speed from which a ramp of `depth_m`, braking included, takes `ramp_s`:
///   depth/v + v/(2a) = T  ->  v = a (T - sqrt(T^2 - 2 depth/a))
Result<double> ramp_speed_m_per_s(const PlanBuilder& plan, double depth_m, double ramp_s) {
  const double a = plan.setup().stage.acceleration_m_per_s2;
  const double root = ramp_s * ramp_s - 2 * depth_m / a;
  if (root < 0)
    return plan.bad(
        "ramp_s {:.6g}: {:.4g} mm can't be reached in less than {:.3g} s at {:.4g} mm/s2", ramp_s,
        m_to_mm(depth_m), std::sqrt(2 * depth_m / a), m_to_mm(a));
  const double speed_m_per_s = 2 * depth_m / (ramp_s + std::sqrt(root));
  if (const auto fits =
          plan.check_speed("ramp_s asks for a speed in mm/s which", speed_m_per_s, true);
      !fits)
    return plan.bad(
        "ramp_s {:.6g} asks for {:.4g} mm/s over {:.4g} mm; the stage does {:.4g} mm/s "
        "along z",
        ramp_s, m_to_mm(speed_m_per_s), m_to_mm(depth_m),
        m_to_mm(plan.setup().stage.z_speed_m_per_s));
  return speed_m_per_s;
}

Result<void> load(PlanBuilder& plan, const Target& target, double speed_m_per_s, const Until& until,
                  bool first) {
  auto ramp = plan.load_to(target, speed_m_per_s, until);
  if (!ramp) return fail(ramp.error());
  ramp->starts_clock = first;
  return plan.load(*ramp);
}

double depth_of(const PlanBuilder& plan, const Target& target, Belief belief) {
  if (target.depth_m) return *target.depth_m;
  const double most_m = std::min(plan.layer_m(), plan.setup().limits.max_depth_m.value_or(10e-3));
  return expected_depth_m(plan.setup().expected, belief, plan.indenter(), *target.force_N,
                          plan.sensor(), most_m);
}

double speed_for(const PlanBuilder& plan, const Target& target) {
  if (target.force_N) return gentle_speed_m_per_s(plan, *target.force_N);
  return std::min(plan.setup().press_speed_m_per_s, plan.setup().stage.z_speed_m_per_s);
}

double release_speed_m_per_s(const PlanBuilder& plan) {
  return std::min(plan.setup().press_speed_m_per_s, plan.setup().stage.z_speed_m_per_s);
}

}  // namespace

double gentle_speed_m_per_s(const PlanBuilder& plan, double force_N) {
  constexpr double kSlowest_m_per_s = 1e-3 / 60;  // 1 mm/min: Grbl knows no slower feed
  constexpr double kShare = 0.05;
  constexpr double kDelay_s = 0.02;
  const double depth_m =
      expected_depth_m(plan.setup().expected, Belief::kHigh, plan.indenter(), force_N,
                       plan.sensor(), plan.setup().limits.max_depth_m.value_or(10e-3));
  return std::clamp(depth_m * kShare / kDelay_s, kSlowest_m_per_s,
                    std::max(release_speed_m_per_s(plan), kSlowest_m_per_s));
}

Result<void> need_indenter(const PlanBuilder& plan) {
  if (plan.has_indenter()) return {};
  return plan.bad("no indenter is mounted: neither rig nor protocol names one (key 'indenter')");
}

std::string describe_step(const steps::Scan& s) {
  return fmt::format(
      "{}{} at {}, {}{}", sites_text(s.tactels),
      s.order == Order::kRandom ? " in random order" : "",
      one_or_list(s.speeds_m_per_s, 1e3, "mm/s"), times(s.repeats, "pass"),
      s.discard_first > 0 ? fmt::format(" after {} to discard", s.discard_first) : "");
}

Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Scan& scan) {
  if (auto ready = need_indenter(plan); !ready) return ready;
  const auto& speeds = scan.speeds_m_per_s;
  for (const double speed_m_per_s : speeds)
    if (auto fits = plan.check_speed("speed_mm_s", speed_m_per_s, true); !fits) return fits;
  const auto& until = step.until;
  if (!until.force_N && !until.depth_m && !until.pressure_Pa && !until.saturated)
    return plan.bad(
        "key 'until' with force_N, depth_mm, pressure_MPa or saturated is missing; "
        "nothing would end its ramps");
  const auto found = places_of(plan, scan.tactels);
  if (!found) return fail(found.error());
  const auto farthest_m = plan.farthest_m(until);
  if (!farthest_m) return fail(farthest_m.error());
  Shuffler shuffler(scan.seed);
  for (int pass = 0; pass < scan.discard_first + scan.repeats; ++pass) {
    std::vector<std::size_t> order(found->size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    if (scan.order == Order::kRandom) order = shuffler.order(found->size());
    for (const auto index : order) {
      const auto& place = (*found)[index];
      PressSpec spec;
      spec.kind = pass > scan.discard_first ? PressKind::kRepeat : PressKind::kRamp;
      if (!scan.tactels.all) spec.site = static_cast<int>(index);
      if (pass < scan.discard_first) spec.outcome = "repeated";
      const double speed_m_per_s = speeds[(index + static_cast<std::size_t>(pass)) % speeds.size()];
      plan.approach(place, speed_m_per_s);
      plan.rest(place, scan.rest_s);
      const LoadSpec ramp{*farthest_m, speed_m_per_s, until, true, Touch::kPad, {}};
      if (auto done = press(plan, place, spec, speed_m_per_s, speed_m_per_s,
                            [&] { return plan.load(ramp); });
          !done)
        return done;
    }
  }
  return {};
}

std::string describe_step(const steps::Staircase& s) {
  const auto depths = s.depths_percent.empty() ? one_or_list(s.depths_m, 1e3, "mm")
                                               : one_or_list(s.depths_percent, 1, "%");
  return fmt::format("{}: {}, {:.6g} s each, {}", sites_text(s.sites), depths, s.dwell_s,
                     times(s.repeats, "press"));
}

Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Staircase& stairs) {
  if (auto ready = need_indenter(plan); !ready) return ready;
  auto depths_m = stairs.depths_m;
  if (!stairs.depths_percent.empty() && !std::isfinite(plan.layer_m()))
    return plan.bad(
        "depths_percent needs the layer's thickness; the sensor description has no "
        "thickness_mm: use depths_mm");
  for (const double percent : stairs.depths_percent)
    depths_m.push_back(percent / 100 * plan.layer_m());
  const auto found = places_of(plan, stairs.sites);
  if (!found) return fail(found.error());
  const double speed_m_per_s = release_speed_m_per_s(plan);
  const auto climb = [&]() -> Result<void> {
    for (std::size_t i = 0; i < depths_m.size(); ++i) {
      const Target target{depths_m[i], {}};
      if (auto done = load(plan, target, speed_m_per_s, step.until, i == 0); !done) return done;
      plan.dwell_in_press(stairs.dwell_s, target, step.until);
    }
    return {};
  };
  for (int repeat = 0; repeat < stairs.repeats; ++repeat)
    for (std::size_t i = 0; i < found->size(); ++i)
      if (auto done = press(plan, (*found)[i], {PressKind::kStaircase, static_cast<int>(i), "ok"},
                            speed_m_per_s, speed_m_per_s, climb);
          !done)
        return done;
  return {};
}

std::string describe_step(const steps::Hold& s) {
  return fmt::format("{}: {} within {:.6g} s, held {:.6g} s", sites_text(s.sites),
                     target_text(s.target), s.ramp_s, s.time_s);
}

Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Hold& hold) {
  if (auto ready = need_indenter(plan); !ready) return ready;
  const auto found = places_of(plan, hold.sites);
  if (!found) return fail(found.error());
  const double depth_m = depth_of(plan, hold.target, Belief::kValue);
  const auto speed_m_per_s = ramp_speed_m_per_s(plan, depth_m, hold.ramp_s);
  if (!speed_m_per_s) return fail(speed_m_per_s.error());
  const auto work = [&]() -> Result<void> {
    if (auto done = load(plan, hold.target, *speed_m_per_s, step.until, true); !done) return done;
    plan.dwell_in_press(hold.time_s, hold.target, step.until);
    return {};
  };
  for (std::size_t i = 0; i < found->size(); ++i)
    if (auto done = press(plan, (*found)[i], {PressKind::kHold, static_cast<int>(i), "ok"},
                          *speed_m_per_s, release_speed_m_per_s(plan), work);
        !done)
      return done;
  return {};
}

std::string describe_step(const steps::Cycles& s) {
  return fmt::format("{}: {} to {} at {:.6g} mm/s", sites_text(s.sites), times(s.count, "cycle"),
                     target_text(s.target), m_to_mm(s.speed_m_per_s));
}

Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Cycles& cycles) {
  if (auto ready = need_indenter(plan); !ready) return ready;
  if (auto fits = plan.check_speed("speed_mm_s", cycles.speed_m_per_s, true); !fits) return fits;
  const auto found = places_of(plan, cycles.sites);
  if (!found) return fail(found.error());
  const auto work = [&]() -> Result<void> {
    for (int i = 0; i < cycles.count; ++i) {
      if (plan.too_long()) return plan.bad("the protocol makes too many movements");
      if (i > 0) plan.unload(cycles.speed_m_per_s, plan.air_gap_m(cycles.speed_m_per_s));
      if (auto done = load(plan, cycles.target, cycles.speed_m_per_s, step.until, i == 0); !done)
        return done;
    }
    return {};
  };
  for (std::size_t i = 0; i < found->size(); ++i)
    if (auto done = press(plan, (*found)[i], {PressKind::kCycle, static_cast<int>(i), "ok"},
                          cycles.speed_m_per_s, cycles.speed_m_per_s, work);
        !done)
      return done;
  return {};
}

std::string describe_step(const steps::Speeds& s) {
  return fmt::format("{}: {:.6g} mm at {}, {}", sites_text(s.sites), m_to_mm(s.depth_m),
                     one_or_list(s.speeds_m_per_s, 1e3, "mm/s"), times(s.repeats, "press"));
}

Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Speeds& speeds) {
  if (auto ready = need_indenter(plan); !ready) return ready;
  for (const double speed_m_per_s : speeds.speeds_m_per_s)
    if (auto fits = plan.check_speed("speeds_mm_s", speed_m_per_s, true); !fits) return fits;
  const auto found = places_of(plan, speeds.sites);
  if (!found) return fail(found.error());
  for (std::size_t i = 0; i < found->size(); ++i)
    for (int repeat = 0; repeat < speeds.repeats; ++repeat)
      for (const double speed_m_per_s : speeds.speeds_m_per_s)
        if (auto done =
                press(plan, (*found)[i], {PressKind::kSpeed, static_cast<int>(i), "ok"},
                      speed_m_per_s, speed_m_per_s,
                      [&] {
                        return load(plan, {speeds.depth_m, {}}, speed_m_per_s, step.until, true);
                      });
            !done)
          return done;
  return {};
}

std::string describe_step(const steps::Chirp& s) {
  return fmt::format("{}: {:.6g} +- {:.6g} mm, {:.6g} to {:.6g} Hz in {:.6g} s",
                     sites_text(s.sites), m_to_mm(s.preload_m), m_to_mm(s.amplitude_m), s.from_hz,
                     s.to_hz, s.time_s);
}

Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Chirp& chirp) {
  if (auto ready = need_indenter(plan); !ready) return ready;
  const double deepest_m = chirp.preload_m + chirp.amplitude_m;
  if (auto allowed = plan.check_depth("preload_mm + amplitude_mm", deepest_m); !allowed)
    return allowed;
  const auto found = places_of(plan, chirp.sites);
  if (!found) return fail(found.error());
  const double speed_m_per_s = release_speed_m_per_s(plan);
  const auto work = [&]() -> Result<void> {
    if (auto done = load(plan, {chirp.preload_m, {}}, speed_m_per_s, step.until, true); !done)
      return done;
    plan.hold(plan.setup().settle_s, {}, step.until);
    const auto motion = Motion::oscillation(plan.at_m(), {0, 0, -1}, chirp.amplitude_m,
                                            chirp.from_hz, chirp.to_hz, chirp.time_s);
    if (auto done = plan.oscillate(motion, {}, step.until); !done) return done;
    return plan.account_depth(deepest_m);
  };
  for (std::size_t i = 0; i < found->size(); ++i)
    if (auto done = press(plan, (*found)[i], {PressKind::kChirp, static_cast<int>(i), "ok"},
                          speed_m_per_s, speed_m_per_s, work);
        !done)
      return done;
  return {};
}

std::string describe_step(const steps::Raster& s) {
  return fmt::format("every {:.6g} mm to {}", m_to_mm(s.step_m), target_text(s.target));
}

Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Raster& raster) {
  if (auto ready = need_indenter(plan); !ready) return ready;
  const auto points = raster_places(raster, plan.sensor());
  if (!points) return plan.bad(points.error());
  const double speed_m_per_s = raster.speed_m_per_s.value_or(speed_for(plan, raster.target));
  if (auto fits = plan.check_speed("speed_mm_s", speed_m_per_s, true); !fits) return fits;
  const double up_m_per_s = std::max(raster.speed_m_per_s.value_or(0), release_speed_m_per_s(plan));
  const auto work = [&]() -> Result<void> {
    if (auto done = load(plan, raster.target, speed_m_per_s, step.until, true); !done) return done;
    plan.dwell_in_press(raster.dwell_s, raster.target, step.until);
    return {};
  };
  for (const auto& place : *points)
    if (auto done =
            press(plan, place, {PressKind::kRaster, {}, "ok"}, speed_m_per_s, up_m_per_s, work);
        !done)
      return done;
  return {};
}

std::string describe_step(const steps::Area& s) {
  return fmt::format("plate on the pad: {}, {:.6g} s each", one_or_list(s.forces_N, 1, "N"),
                     s.dwell_s);
}

Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Area& area) {
  if (!std::is_sorted(area.forces_N.begin(), area.forces_N.end()))
    return plan.bad("force_N must rise: the plate stays on the pad from one force to the next");
  const auto plate = mounted_indenter(R"({"shape": "plate"})", "plate");
  if (!plate) return fail(plate.error());
  const auto before = plan.mounted();
  if (!before || before->indenter.shape != IndenterShape::kPlate) plan.mount(*plate);
  const double speed_m_per_s = gentle_speed_m_per_s(plan, area.forces_N.front());
  const auto work = [&]() -> Result<void> {
    for (std::size_t i = 0; i < area.forces_N.size(); ++i) {
      const Target target{{}, area.forces_N[i]};
      if (auto done = load(plan, target, speed_m_per_s, step.until, i == 0); !done) return done;
      plan.dwell_in_press(area.dwell_s, target, step.until);
    }
    return {};
  };
  if (auto done = press(plan, plan.centre(), {PressKind::kArea, {}, "ok"}, speed_m_per_s,
                        speed_m_per_s, work);
      !done)
    return done;
  if (before) plan.mount(*before);
  return {};
}

}  // namespace tactelier
