// Steps about the rig and by hand: zeros, rigid plates, dead weights, references, prompts.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "libcalib/protocol/plan_event.hpp"
#include "libcalib/protocol/plan_steps.hpp"
#include "libcalib/protocol/step_text.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

constexpr double kWeightRead_s = 5;  // tactile frames recorded under a dead weight

}  // namespace

std::string describe_step(const steps::Zero& s) {
  return fmt::format("nothing touches for {:.6g} s", s.time_s);
}

Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Zero& zero) {
  static_cast<void>(step);
  plan.to_air();
  plan.wait(plan.setup().settle_s);
  plan.wait(zero.time_s);
  plan.event_at_begin("zero_begin", "{}");
  plan.event_at_end("zero_end", "{}");
  return {};
}

std::string describe_step(const steps::Plate& s) {
  return fmt::format("rigid plate to {:.6g} N at {:.6g} mm/s, {}", s.force_N,
                     m_to_mm(s.speed_m_per_s), times(s.repeats, "press"));
}

Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Plate& plate) {
  constexpr double kSlack_m = 0.1e-3;
  constexpr double kSpring_m_per_N = 20e-6;  // a reference spring: 5 to 20 N/mm
  if (auto ready = need_indenter(plan); !ready) return ready;
  if (auto fits = plan.check_speed("speed_mm_s", plate.speed_m_per_s, true); !fits) return fits;
  const auto& setup = plan.setup();
  const bool spring = setup.plate_compliance_m_per_N > kSpring_m_per_N;
  if (!spring && plate.speed_m_per_s > setup.plate_speed_limit_m_per_s * (1 + 1e-9))
    plan.warn("speed",
              fmt::format("on a rigid plate {:.4g} mm/s is fast; at most {:.4g} mm/s is "
                          "safe where its height isn't known",
                          m_to_mm(plate.speed_m_per_s), m_to_mm(setup.plate_speed_limit_m_per_s)));
  const auto& at_m = setup.plate_m;
  const double gap_m = plan.air_gap_m(plate.speed_m_per_s);
  const double compliance_m_per_N =
      setup.expected.rig_compliance_m_per_N.high + 1.2 * setup.plate_compliance_m_per_N;
  const double farthest_m = plate.force_N * compliance_m_per_N + kSlack_m;
  for (int i = 0; i < plate.repeats; ++i) {
    plan.travel_to(at_m[0], at_m[1], at_m[2] + gap_m, at_m[2]);
    plan.begin_contact();
    plan.event_at_begin("plate_begin", "{}");
    const LoadSpec ramp{farthest_m, plate.speed_m_per_s, step.until,
                        true,       Touch::kPlate,       plate.force_N};
    if (auto done = plan.load(ramp); !done) return done;
    plan.unload(plate.speed_m_per_s, gap_m);
    plan.wait(plan.free_air_after_s());
    plan.event_at_end("plate_end", "{}");
  }
  return {};
}

std::string describe_step(const steps::Shear& s) {
  return fmt::format(
      "along the rigid plate under {:.6g} N, {} to and fro of {:.6g} mm at {:.6g} mm/s", s.force_N,
      times(s.repeats, "stroke"), m_to_mm(s.length_m), m_to_mm(s.speed_m_per_s));
}

/// Each stroke to begins a little farther than the one before: what the axis errs by within a full
/// step is another there, and so is no part of what the rig gives.
Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Shear& shear) {
  constexpr double kFarther_m = 12.5e-6;
  constexpr double kSlack_m = 0.1e-3;
  constexpr double kSticks = 0.3;          // of the load, at most
  constexpr double kRigid_m_per_N = 1e-6;  // shear_strokes.cpp: more gives along its surface, too
  if (auto ready = need_indenter(plan); !ready) return ready;
  if (auto fits = plan.check_speed("speed_mm_s", shear.speed_m_per_s, false); !fits) return fits;
  if (shear.length_m <= 2 * kFarther_m)
    return plan.bad("length_mm {:.4g}: more than {:.4g} needed", m_to_mm(shear.length_m),
                    m_to_mm(2 * kFarther_m));
  const auto& setup = plan.setup();
  if (setup.plate_compliance_m_per_N > kRigid_m_per_N) {
    plan.warn("plate",
              "left out: what lies on the plate gives (plate_stiffness_N_per_um), also along its "
              "surface");
    return {};
  }
  const double down_m_per_s = std::min(shear.speed_m_per_s, setup.plate_speed_limit_m_per_s);
  const auto& at_m = setup.plate_m;
  const double gap_m = plan.air_gap_m(down_m_per_s);
  LoadSpec ramp;
  ramp.depth_m = shear.force_N * setup.expected.rig_compliance_m_per_N.high + kSlack_m;
  ramp.speed_m_per_s = down_m_per_s;
  ramp.until = step.until;
  ramp.starts_clock = true;
  ramp.touch = Touch::kPlate;
  ramp.aim_N = shear.force_N;
  plan.travel_to(at_m[0], at_m[1], at_m[2] + gap_m, at_m[2]);
  plan.begin_contact();
  plan.event_at_begin("shear_begin", canonical(json{{"force_N", tidy(shear.force_N)}}));
  if (auto done = plan.load(ramp); !done) return done;
  plan.hold(setup.settle_s, std::nullopt, step.until);
  const double ux = std::cos(shear.direction_rad), uy = std::sin(shear.direction_rad);
  const double back_m = shear.length_m - kFarther_m;
  for (int i = 0; i < shear.repeats; ++i) {
    plan.drag({ux * shear.length_m, uy * shear.length_m, 0}, shear.speed_m_per_s, step.until);
    plan.drag({-ux * back_m, -uy * back_m, 0}, shear.speed_m_per_s, step.until);
  }
  if (auto fits =
          plan.account(Touch::kPlate, {setup.plate_m[2] - plan.at_m()[2], shear.force_N,
                                       shear.force_N, shear.force_N, kSticks * shear.force_N});
      !fits)
    return fits;
  plan.unload(down_m_per_s, gap_m);
  plan.wait(plan.free_air_after_s());
  plan.event_at_end("shear_end", "{}");
  return {};
}

std::string describe_step(const steps::Ground& s) {
  return fmt::format("ground beside the pad to {:.6g} N at {:.6g} mm/s, {}", s.force_N,
                     m_to_mm(s.speed_m_per_s), times(s.repeats, "touch"));
}

/// The first touch looks for the ground, the others begin a little over where it was felt.
Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Ground& ground) {
  constexpr double kDoubt_m = 0.5e-3;  // of a height that was touched before
  constexpr double kUsual_m = 3e-3;    // thickness of a pad that nobody knows
  if (auto ready = need_indenter(plan); !ready) return ready;
  if (auto fits = plan.check_speed("speed_mm_s", ground.speed_m_per_s, true); !fits) return fits;
  const auto& setup = plan.setup();
  if (!setup.ground) {
    plan.warn("NO-GROUND",
              "left out: the rig file doesn't say where bare ground beside the pad is (ground_mm), "
              "so the layer's thickness stays what the sensor description says");
    return {};
  }
  const auto& place = *setup.ground;
  const double layer_m = std::isfinite(plan.layer_m()) ? plan.layer_m() : kUsual_m;
  const double top_m = place.z_m ? *place.z_m : 0.0;
  const double above_m = plan.air_gap_m(ground.speed_m_per_s) + (place.z_m ? kDoubt_m : 0);
  LoadSpec ramp;
  ramp.depth_m = place.z_m ? kDoubt_m : setup.ground_search_m;
  ramp.air_m = place.z_m ? 0 : std::min(layer_m, ramp.depth_m / 2);
  ramp.speed_m_per_s = ground.speed_m_per_s;
  ramp.until = step.until;
  ramp.starts_clock = true;
  ramp.touch = Touch::kGround;
  ramp.aim_N = ground.force_N;
  const double lift_m = plan.air_gap_m(ground.speed_m_per_s) +
                        ground.force_N * setup.expected.rig_compliance_m_per_N.high;
  plan.travel_to(place.x_m, place.y_m, top_m + above_m, top_m);
  for (int i = 0; i < ground.repeats; ++i) {
    plan.begin_contact();
    plan.event_at_begin("ground_begin", canonical(json{{"x_mm", tidy_mm(place.x_m)},
                                                       {"y_mm", tidy_mm(place.y_m)}}));
    if (auto done = plan.load(ramp); !done) return done;
    plan.unload_by(ground.speed_m_per_s, lift_m);
    plan.wait(plan.free_air_after_s());
    plan.event_at_end("ground_end", "{}");
  }
  return {};
}

std::string describe_step(const steps::Weights& s) {
  return fmt::format("dead weights on {:.6g} mm2: {}", m2_to_mm2(s.area_m2),
                     one_or_list(s.masses_kg, 1e3, "g"));
}

Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Weights& weights) {
  if (step.until.any()) return press_beside(plan, step, weights);
  for (const double mass_kg : weights.masses_kg) {
    const double mass_g = tidy(mass_kg * 1e3);
    const double area_mm2 = tidy(m2_to_mm2(weights.area_m2));
    plan.prompt(
        fmt::format("Put {:.10g} g on the pad through {:.10g} mm2, wait until it has settled "
                    "and read the compression in mm.",
                    mass_g, area_mm2),
        "compression_mm");
    if (auto allowed = plan.account_weight(mass_kg); !allowed) return allowed;
    plan.by_hand(kWeightRead_s, {mass_kg, weights.area_m2, {}, 0, 0, 0, false});
    plan.event_at_begin("weight", canonical(json{{"mass_g", mass_g}, {"area_mm2", area_mm2}}),
                        "compression_mm");
  }
  plan.prompt("Take the weights off the pad, then continue.");
  return {};
}

std::string describe_step(const steps::Reference& s) {
  return s.weight ? fmt::format("{:.6g} g on the force sensor", s.mass_kg * 1e3)
                  : "reference pad touched";
}

Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Reference& reference) {
  const auto& setup = plan.setup();
  if (reference.weight) {
    const double mass_g = tidy(reference.mass_kg * 1e3);
    const auto data = canonical(json{{"what", "weight"}, {"mass_g", mass_g}});
    plan.prompt(fmt::format("Put {:.10g} g on the force sensor, then continue.", mass_g));
    plan.by_hand(kWeightRead_s, {reference.mass_kg, 0, {}, 0, 0, 0, true});
    plan.event_at_begin("reference_begin", data);
    plan.event_at_end("reference_end", data);
    plan.prompt("Take the weight off the force sensor, then continue.");
    return {};
  }
  if (auto ready = need_indenter(plan); !ready) return ready;
  const auto& at_m = setup.reference_m;
  const double force_N = setup.reference_force_N;
  const double speed_m_per_s = gentle_speed_m_per_s(plan, force_N);
  auto ramp = plan.load_to({{}, force_N}, speed_m_per_s, step.until);
  if (!ramp) return fail(ramp.error());
  ramp->touch = Touch::kReference;
  ramp->starts_clock = true;
  const auto data = canonical(json{{"what", "pad"}});
  plan.approach({{}, at_m[0], at_m[1], at_m[2]}, speed_m_per_s);
  plan.begin_contact();
  plan.event_at_begin("reference_begin", data);
  if (auto done = plan.load(*ramp); !done) return done;
  plan.hold(setup.settle_s, force_N, step.until);
  plan.unload(setup.press_speed_m_per_s, plan.air_gap_m(speed_m_per_s));
  plan.wait(plan.free_air_after_s());
  plan.event_at_end("reference_end", data);
  return {};
}

std::string describe_step(const steps::Prompt& s) { return s.text; }

Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Prompt& prompt) {
  static_cast<void>(step);
  plan.prompt(prompt.text);
  if (prompt.indenter) plan.mounted_by_prompt(*prompt.indenter);
  return {};
}

}  // namespace tactelier
