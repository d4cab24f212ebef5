#include "libcalib/session/image_press.hpp"

#include <map>

#include "libcalib/json_check.hpp"
#include "libcalib/session/event_order.hpp"
#include "libcalib/session/json_get.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

Result<ImagePress> begun(const Event& event, const json& data) {
  ImagePress press;
  auto indenter = parse_indenter(data["indenter"].dump(), "image_begin");
  if (!indenter) return fail(indenter.error());
  press.number = data["image"].get<int>();
  press.begin_s = event.t_s.value();
  press.indenter = std::move(*indenter);
  press.x_m = mm_to_m(get_number(data, "x_mm").value_or(0));
  press.y_m = mm_to_m(get_number(data, "y_mm").value_or(0));
  press.rz_rad = deg_to_rad(get_number(data, "rz_deg").value_or(0));
  press.tilt_x_rad = deg_to_rad(get_number(data, "tilt_x_deg").value_or(0));
  press.tilt_y_rad = deg_to_rad(get_number(data, "tilt_y_deg").value_or(0));
  press.force_N = get_number(data, "force_N");
  if (const auto mass_g = get_number(data, "mass_g")) press.mass_kg = g_to_kg(*mass_g);
  return press;
}

}  // namespace

Result<std::vector<ImagePress>> image_presses(std::span<const Event> events) {
  std::vector<ImagePress> found;
  std::map<int, ImagePress> open;
  for (const auto* event : in_time_order(events)) {
    if (event->name != "image_begin" && event->name != "image_end") continue;
    const auto data = parse_json(event->data, event->name);
    if (!data) return fail(data.error());
    const int number = (*data)["image"].get<int>();
    if (event->name == "image_begin") {
      auto press = begun(*event, *data);
      if (!press) return fail(press.error());
      open[number] = std::move(*press);
    } else if (auto press = open.extract(number)) {
      press.mapped().end_s = event->t_s.value();
      found.push_back(std::move(press.mapped()));
    }
  }
  return found;
}

}  // namespace tactelier
