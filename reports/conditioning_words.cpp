#include "reports/conditioning_words.hpp"

#include <fmt/format.h>

#include "libcalib/units.hpp"

namespace tactelier {

std::string conditioning_words(const Conditions& conditions) {
  if (!conditions.conditioned)
    return conditions.conditioning_cycles ? "conditioned in part: some presses that count are at "
                                            "places, or with a tip, that were not"
                                          : "not conditioned";
  const int cycles = conditions.conditioning_cycles.value_or(0);
  auto text = fmt::format("conditioned, {} {}", cycles, cycles == 1 ? "cycle" : "cycles");
  if (conditions.conditioning_depth_m)
    text += fmt::format(" to {:.4g} mm", m_to_mm(*conditions.conditioning_depth_m));
  if (conditions.conditioning_force_N)
    text += fmt::format("{} {:.4g} N", conditions.conditioning_depth_m ? " or" : " to",
                        *conditions.conditioning_force_N);
  return text;
}

}  // namespace tactelier
