#include "libcalib/protocol/step_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "libcalib/units.hpp"

namespace tactelier {
namespace {

std::string item_text(const SiteItem& item) {
  if (const auto* tactel = std::get_if<int>(&item)) return fmt::format("tactel {}", *tactel);
  if (const auto* point = std::get_if<SitePoint>(&item))
    return fmt::format("({:.6g}, {:.6g}) mm", m_to_mm(point->x_m), m_to_mm(point->y_m));
  constexpr std::array<std::string_view, 3> kNames{"centre", "edges", "corners"};
  return std::string(kNames[static_cast<std::size_t>(std::get<SiteName>(item))]);
}

}  // namespace

std::string times(int count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : what.ends_with('s') ? "es" : "s");
}

std::string one_or_list(const std::vector<double>& values, double from_si, std::string_view unit) {
  std::vector<std::string> words;
  for (const double value : values) words.push_back(fmt::format("{:.6g}", value * from_si));
  if (words.size() > 8)
    return fmt::format("{} values {} to {} {}", words.size(), words.front(), words.back(), unit);
  return fmt::format("{} {}", fmt::join(words, ", "), unit);
}

std::string sites_text(const Sites& sites) {
  if (sites.all) return "all tactels";
  if (sites.count > 0) return times(sites.count, "site");
  if (sites.items.size() > 3) return fmt::format("{} places", sites.items.size());
  std::vector<std::string> words;
  for (const auto& item : sites.items) words.push_back(item_text(item));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string target_text(const Target& target) {
  if (target.depth_m) return fmt::format("{:.6g} mm", m_to_mm(*target.depth_m));
  return fmt::format("{:.6g} N", target.force_N.value_or(0));
}

}  // namespace tactelier
