#include "fitting/friction/slide_events.hpp"

#include <cmath>

#include "libcalib/json_check.hpp"
#include "libcalib/session/json_get.hpp"
#include "libcalib/units.hpp"

namespace tactelier {

double SlideEvent::speed_m_per_s() const { return std::hypot(vx_m_per_s, vy_m_per_s); }

Result<std::vector<SlideEvent>> slides(std::span<const Event> events) {
  std::vector<SlideEvent> found;
  std::optional<SlideEvent> open;
  for (const auto& event : events) {
    if (event.name != "slide_begin" && event.name != "slide_end") continue;
    const auto data = parse_json(event.data, event.name);
    if (!data) return fail(data.error());
    const int number = get_int(*data, "slide").value_or(0);
    if (event.name == "slide_end") {
      if (!open || open->number != number)
        return fail(ErrorCode::kInvalidInput, "events: slide {} ends without having begun", number);
      open->end_s = event.t_s.value();
      found.push_back(*open);
      open.reset();
      continue;
    }
    if (open)
      return fail(ErrorCode::kInvalidInput, "events: slide {} begins inside slide {}", number,
                  open->number);
    SlideEvent slide;
    slide.number = number;
    slide.begin_s = event.t_s.value();
    slide.vx_m_per_s = mm_to_m(get_number(*data, "vx_mm_s").value_or(0));
    slide.vy_m_per_s = mm_to_m(get_number(*data, "vy_mm_s").value_or(0));
    slide.oscillation = get_text(*data, "profile") == "sine";
    slide.amplitude_m = mm_to_m(get_number(*data, "amplitude_mm").value_or(0));
    slide.frequency_hz = get_number(*data, "frequency_Hz").value_or(0);
    slide.load_N = get_number(*data, "load_N");
    open = slide;
  }
  return found;
}

}  // namespace tactelier
