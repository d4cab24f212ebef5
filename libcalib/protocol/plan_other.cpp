// Steps along the surface and by hand: slides, oscillations, weights, images, references, prompts.

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

bool sharp(const Indenter& indenter) {
  switch (indenter.shape) {
    case IndenterShape::kCylinder:
    case IndenterShape::kHexagon:
    case IndenterShape::kBox:
    case IndenterShape::kEdge:
    case IndenterShape::kWedge:
      return true;
    case IndenterShape::kCompound:
      return std::any_of(indenter.parts.begin(), indenter.parts.end(),
                         [](const auto& part) { return sharp(part.indenter); });
    default:
      return false;
  }
}

Result<void> need_round(const PlanBuilder& plan) {
  if (auto ready = need_indenter(plan); !ready) return ready;
  if (!sharp(plan.indenter())) return {};
  return plan.bad(
      "a {} has sharp edges and would tear the pad; mount a sphere or a lying cylinder "
      "before (prompt with 'indenter')",
      plan.indenter().describe());
}

/// Presses at a place to a force and settles there, ready to slide.
Result<void> press_for_sliding(PlanBuilder& plan, const Place& place, double load_N,
                               const Until& until) {
  const double speed_m_per_s = gentle_speed_m_per_s(plan, load_N);
  auto ramp = plan.load_to({{}, load_N}, speed_m_per_s, until);
  if (!ramp) return fail(ramp.error());
  ramp->aim_key = "load_N";
  ramp->starts_clock = true;
  plan.approach(place, speed_m_per_s);
  plan.begin_contact();
  if (auto done = plan.load(*ramp); !done) return done;
  plan.hold(plan.setup().settle_s, load_N, until);
  return {};
}

void let_go(PlanBuilder& plan, double load_N) {
  const double speed_m_per_s = gentle_speed_m_per_s(plan, load_N);
  plan.unload(plan.setup().press_speed_m_per_s, plan.air_gap_m(speed_m_per_s));
  plan.wait(plan.free_air_after_s());
}

Result<void> check_slide(const PlanBuilder& plan, const steps::Slide& slide) {
  const double a = plan.setup().stage.acceleration_m_per_s2;
  for (const double speed_m_per_s : slide.speeds_m_per_s) {
    if (auto fits = plan.check_speed("speeds_mm_s", speed_m_per_s, false); !fits) return fits;
    if (slide.length_m <= speed_m_per_s * speed_m_per_s / a)
      return plan.bad(
          "length_mm {:.4g} is too short to reach {:.4g} mm/s: speeding up and slowing "
          "down at {:.4g} mm/s2 takes {:.4g} mm",
          m_to_mm(slide.length_m), m_to_mm(speed_m_per_s), m_to_mm(a),
          m_to_mm(speed_m_per_s * speed_m_per_s / a));
  }
  return {};
}

std::string slide_data(int number, const Vector3& velocity_m_per_s, double load_N) {
  return canonical(json{{"slide", number},
                        {"vx_mm_s", tidy_mm(velocity_m_per_s[0])},
                        {"vy_mm_s", tidy_mm(velocity_m_per_s[1])},
                        {"load_N", tidy(load_N)}});
}

std::string number_data(const char* key, int number) { return canonical(json{{key, number}}); }

/// All slides under one load.
class Slides {
 public:
  Slides(PlanBuilder& plan, const Step& step, const steps::Slide& slide, double load_N)
      : plan_(plan), step_(step), slide_(slide), load_N_(load_N) {}

  Result<void> run() {
    for (const double speed_m_per_s : slide_.speeds_m_per_s)
      for (int repeat = 0; repeat < slide_.repeats; ++repeat)
        for (const double direction_rad : slide_.directions_rad)
          if (auto done = one(speed_m_per_s, direction_rad); !done) return done;
    let_go(plan_, load_N_);
    return {};
  }

 private:
  Result<void> one(double speed_m_per_s, double direction_rad) {
    constexpr double kSame_m = 1e-6;
    const double ux = std::cos(direction_rad);
    const double uy = std::sin(direction_rad);
    const auto centre = plan_.centre();
    Place from = centre;
    from.tactel.reset();
    from.x_m -= ux * slide_.length_m / 2;
    from.y_m -= uy * slide_.length_m / 2;
    if (plan_.indenter().shape != IndenterShape::kPlate)
      for (const double side : {-0.5, 0.5})
        if (const auto end = place_at(centre.x_m + side * ux * slide_.length_m,
                                      centre.y_m + side * uy * slide_.length_m, plan_.sensor());
            !end)
          return plan_.bad(end.error());
    const auto at_m = plan_.at_m();
    const bool there = std::hypot(at_m[0] - from.x_m, at_m[1] - from.y_m) < kSame_m;
    if (down_ && there) plan_.hold(plan_.setup().settle_s, load_N_, step_.until);
    if (down_ && !there) let_go(plan_, load_N_);
    if (!down_ || !there)
      if (auto done = press_for_sliding(plan_, from, load_N_, step_.until); !done) return done;
    down_ = true;
    const int number = plan_.next_slide();
    plan_.slide({ux * slide_.length_m, uy * slide_.length_m, 0}, speed_m_per_s, load_N_,
                step_.until);
    plan_.event_at_begin("slide_begin",
                         slide_data(number, {ux * speed_m_per_s, uy * speed_m_per_s, 0}, load_N_));
    plan_.event_at_end("slide_end", number_data("slide", number));
    return plan_.account_side(load_N_);
  }

  PlanBuilder& plan_;
  const Step& step_;
  const steps::Slide& slide_;
  double load_N_;
  bool down_ = false;
};

json image_data(int number, const MountedIndenter& indenter, const SitePoint& point,
                double rz_rad) {
  return json{{"image", number},
              {"indenter", json::parse(indenter.json)},
              {"x_mm", tidy_mm(point.x_m)},
              {"y_mm", tidy_mm(point.y_m)},
              {"rz_deg", tidy(rz_rad / deg_to_rad(1))},
              {"tilt_x_deg", 0},
              {"tilt_y_deg", 0}};
}

Result<void> weighed_image(PlanBuilder& plan, const steps::Images& images, const ByHand& what) {
  if (auto allowed = plan.account_weight(what.mass_kg); !allowed) return allowed;
  const double mass_g = tidy(what.mass_kg * 1e3);
  plan.prompt(
      fmt::format("Take off what lies on the pad. Put the {} at ({:.6g}, {:.6g}) mm, turned "
                  "by {:.6g} deg, loaded with {:.10g} g, then continue.",
                  what.indenter->indenter.describe(), tidy_mm(what.x_m), tidy_mm(what.y_m),
                  tidy(what.rz_rad / deg_to_rad(1)), mass_g));
  const int number = plan.next_image();
  plan.by_hand(images.dwell_s, what);
  auto data = image_data(number, *what.indenter, {what.x_m, what.y_m}, what.rz_rad);
  data["mass_g"] = mass_g;
  plan.event_at_begin("image_begin", canonical(data));
  plan.event_at_end("image_end", number_data("image", number));
  return {};
}

Result<void> pressed_image(PlanBuilder& plan, const Step& step, const steps::Images& images,
                           const Place& place, double rz_rad, double force_N) {
  const double speed_m_per_s = gentle_speed_m_per_s(plan, force_N);
  auto ramp = plan.load_to({{}, force_N}, speed_m_per_s, step.until);
  if (!ramp) return fail(ramp.error());
  ramp->starts_clock = true;
  plan.approach(place, speed_m_per_s);
  plan.begin_contact();
  if (auto done = plan.load(*ramp); !done) return done;
  const int number = plan.next_image();
  plan.hold(images.dwell_s, force_N, step.until);
  auto data = image_data(number, *plan.mounted(), {place.x_m, place.y_m}, rz_rad);
  data["force_N"] = tidy(force_N);
  plan.event_at_begin("image_begin", canonical(data));
  plan.event_at_end("image_end", number_data("image", number));
  plan.unload(plan.setup().press_speed_m_per_s, plan.air_gap_m(speed_m_per_s));
  plan.wait(plan.free_air_after_s());
  return {};
}

}  // namespace

std::string describe_step(const steps::Slide& s) {
  return fmt::format("{:.6g} mm under {} at {}", m_to_mm(s.length_m),
                     one_or_list(s.loads_N, 1, "N"), one_or_list(s.speeds_m_per_s, 1e3, "mm/s"));
}

Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Slide& slide) {
  if (auto round = need_round(plan); !round) return round;
  if (auto possible = check_slide(plan, slide); !possible) return possible;
  for (const double load_N : slide.loads_N)
    if (auto done = Slides(plan, step, slide, load_N).run(); !done) return done;
  return {};
}

std::string describe_step(const steps::Preslide& s) {
  return fmt::format("{} at {} under {}", one_or_list(s.amplitudes_m, 1e3, "mm"),
                     one_or_list(s.frequencies_hz, 1, "Hz"), one_or_list(s.loads_N, 1, "N"));
}

Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Preslide& preslide) {
  if (auto round = need_round(plan); !round) return round;
  for (const double load_N : preslide.loads_N) {
    if (auto done = press_for_sliding(plan, plan.centre(), load_N, step.until); !done) return done;
    for (const double amplitude_m : preslide.amplitudes_m)
      for (const double frequency_hz : preslide.frequencies_hz) {
        const auto motion = Motion::oscillation(plan.at_m(), {1, 0, 0}, amplitude_m, frequency_hz,
                                                frequency_hz, preslide.time_s);
        if (auto done = plan.oscillate(motion, load_N, step.until); !done) return done;
        const int number = plan.next_slide();
        plan.event_at_begin("slide_begin", canonical(json{{"slide", number},
                                                          {"profile", "sine"},
                                                          {"amplitude_mm", tidy_mm(amplitude_m)},
                                                          {"frequency_Hz", tidy(frequency_hz)},
                                                          {"load_N", tidy(load_N)}}));
        plan.event_at_end("slide_end", number_data("slide", number));
        plan.hold(plan.setup().settle_s, load_N, step.until);
      }
    if (auto done = plan.account_side(load_N); !done) return done;
    let_go(plan, load_N);
  }
  return {};
}

std::string describe_step(const steps::Weights& s) {
  return fmt::format("dead weights on {:.6g} mm2: {}", m2_to_mm2(s.area_m2),
                     one_or_list(s.masses_kg, 1e3, "g"));
}

Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Weights& weights) {
  static_cast<void>(step);
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

std::string describe_step(const steps::Images& s) {
  const auto load = s.masses_kg.empty() ? one_or_list(s.forces_N, 1, "N")
                                        : one_or_list(s.masses_kg, 1e3, "g by hand");
  return fmt::format("{} at {}, {}", times(static_cast<int>(s.indenters.size()), "shape"),
                     one_or_list(s.rz_rad, 1 / deg_to_rad(1), "deg"), load);
}

Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Images& images) {
  const auto before = plan.mounted();
  std::vector<Place> found;
  for (const auto& point : images.points) {
    const auto place = place_at(point.x_m, point.y_m, plan.sensor());
    if (!place) return plan.bad(place.error());
    found.push_back(*place);
  }
  for (const auto& indenter : images.indenters)
    for (const double rz_rad : images.rz_rad)
      for (const auto& place : found)
        for (int repeat = 0; repeat < images.repeats; ++repeat) {
          if (plan.too_long()) return plan.bad("the protocol makes too many movements");
          for (const double mass_kg : images.masses_kg)
            if (auto done = weighed_image(
                    plan, images, {mass_kg, 0, indenter, place.x_m, place.y_m, rz_rad, false});
                !done)
              return done;
          if (!images.forces_N.empty()) plan.mount(indenter, rz_rad);
          for (const double force_N : images.forces_N)
            if (auto done = pressed_image(plan, step, images, place, rz_rad, force_N); !done)
              return done;
        }
  if (!images.masses_kg.empty()) plan.prompt("Take everything off the pad, then continue.");
  if (!images.forces_N.empty() && before) plan.mount(*before);
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
