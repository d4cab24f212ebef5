// Steps along the surface: slides, oscillations.

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

}  // namespace tactelier
