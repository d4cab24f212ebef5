// Static presses of shapes, put on by hand or pressed by the stage.

#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "libcalib/protocol/plan_event.hpp"
#include "libcalib/protocol/plan_steps.hpp"
#include "libcalib/protocol/step_text.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

json image_data(int number, const MountedIndenter& indenter, const SitePoint& point, double rz_rad,
                const steps::Images::Tilt& tilt) {
  return json{{"image", number},
              {"indenter", json::parse(indenter.json)},
              {"x_mm", tidy_mm(point.x_m)},
              {"y_mm", tidy_mm(point.y_m)},
              {"rz_deg", tidy(rz_rad / deg_to_rad(1))},
              {"tilt_x_deg", tidy(tilt.x_rad / deg_to_rad(1))},
              {"tilt_y_deg", tidy(tilt.y_rad / deg_to_rad(1))}};
}

std::string tilt_words(const ByHand& what) {
  if (what.tilt_x_rad == 0 && what.tilt_y_rad == 0) return "";
  return fmt::format(" in a guide tilted by {:.6g} deg about x and {:.6g} deg about y",
                     tidy(what.tilt_x_rad / deg_to_rad(1)), tidy(what.tilt_y_rad / deg_to_rad(1)));
}

Result<void> weighed_image(PlanBuilder& plan, const steps::Images& images, const ByHand& what) {
  if (auto allowed = plan.account_weight(what.mass_kg); !allowed) return allowed;
  const double mass_g = tidy(what.mass_kg * 1e3);
  plan.prompt(
      fmt::format("Take off what lies on the pad. Put the {} at ({:.6g}, {:.6g}) mm, turned "
                  "by {:.6g} deg{}, loaded with {:.10g} g, then continue.",
                  what.indenter->indenter.describe(), tidy_mm(what.x_m), tidy_mm(what.y_m),
                  tidy(what.rz_rad / deg_to_rad(1)), tilt_words(what), mass_g));
  const int number = plan.next_image();
  plan.by_hand(images.dwell_s, what);
  auto data = image_data(number, *what.indenter, {what.x_m, what.y_m}, what.rz_rad,
                         {what.tilt_x_rad, what.tilt_y_rad});
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
  auto data = image_data(number, *plan.mounted(), {place.x_m, place.y_m}, rz_rad, {});
  data["force_N"] = tidy(force_N);
  plan.event_at_begin("image_begin", canonical(data));
  plan.event_at_end("image_end", number_data("image", number));
  plan.unload(plan.setup().press_speed_m_per_s, plan.air_gap_m(speed_m_per_s));
  plan.wait(plan.free_air_after_s());
  return {};
}

}  // namespace

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
          for (const auto& tilt : images.tilts)
            for (const double mass_kg : images.masses_kg)
              if (auto done = weighed_image(plan, images,
                                            {mass_kg, 0, indenter, place.x_m, place.y_m, rz_rad,
                                             tilt.x_rad, tilt.y_rad, false});
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

}  // namespace tactelier
