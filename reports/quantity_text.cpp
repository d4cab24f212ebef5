#include "reports/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tactelier {
namespace {

constexpr int kDigitsWithoutUncertainty = 5;
constexpr int kMostDigits = 12;  // of a value; an uncertainty beyond them is that of rounding

struct Prefix {
  std::string_view symbol;
  int power;
};
constexpr std::array kPrefixes{Prefix{"n", -9}, Prefix{"µ", -6}, Prefix{"m", -3}, Prefix{"", 0},
                               Prefix{"k", 3},  Prefix{"M", 6},  Prefix{"G", 9}};

bool takes_prefix(std::string_view unit) {
  constexpr std::array<std::string_view, 5> kPlain{"", "counts", "rad", "tactels", "degC"};
  return unit.find('%') == unit.npos &&
         std::find(kPlain.begin(), kPlain.end(), unit) == kPlain.end();
}

Prefix prefix_for(double magnitude) {
  if (!(magnitude > 0) || (magnitude >= 0.1 && magnitude < 1e5)) return {"", 0};
  auto best = kPrefixes.front();
  for (const auto& prefix : kPrefixes)
    if (magnitude >= std::pow(10, prefix.power)) best = prefix;
  return best;
}

/// Decimal place of the second significant digit: 24 -> 0, 0.031 -> -3. 0.0996 counts as 0.10.
int place_of(double uncertainty) {
  const int place = static_cast<int>(std::floor(std::log10(uncertainty))) - 1;
  const bool carries = std::round(uncertainty / std::pow(10, place)) >= 100;
  return carries ? place + 1 : place;
}

std::string at_place(double value, int place) {
  const double unit = std::pow(10, place);
  if (place > 0) return fmt::format("{:.0f}", std::round(value / unit) * unit);
  const auto text = fmt::format("{:.{}f}", value, -place);
  const bool minus_nothing = text.find_first_of("123456789") == text.npos && text[0] == '-';
  return minus_nothing ? text.substr(1) : text;
}

}  // namespace

std::optional<double> expanded_uncertainty(const Parameter& parameter) {
  if (parameter.u_total) return parameter.u_total;
  if (parameter.ci95) return ((*parameter.ci95)[1] - (*parameter.ci95)[0]) / 2;
  if (parameter.std) return 1.96 * *parameter.std;
  return std::nullopt;
}

QuantityText quantity_text(std::optional<double> value, std::optional<double> uncertainty,
                           std::string_view unit) {
  if (!value || !std::isfinite(*value)) return {"-", "", std::string(unit)};
  const bool known = uncertainty && *uncertainty > 0 && std::isfinite(*uncertainty);
  const double magnitude = std::max(std::abs(*value), known ? *uncertainty : 0);
  const auto prefix = takes_prefix(unit) ? prefix_for(magnitude) : Prefix{"", 0};
  const double factor = prefix_factor(magnitude, unit);
  QuantityText text{"", "", std::string(prefix.symbol) + std::string(unit)};
  if (known) {
    const int place = place_of(*uncertainty * factor);
    const double shown = *value * factor;
    if (std::abs(shown) * std::pow(10, -place) >= std::pow(10, kMostDigits)) {
      text.value = fmt::format("{:.{}g}", shown, kMostDigits);
      text.uncertainty = fmt::format("{:.2g}", *uncertainty * factor);
    } else {
      text.value = at_place(shown, place);
      text.uncertainty = at_place(*uncertainty * factor, place);
    }
  } else {
    text.value = fmt::format("{:.{}g}", *value * factor, kDigitsWithoutUncertainty);
  }
  return text;
}

double prefix_factor(double magnitude, std::string_view unit) {
  return takes_prefix(unit) ? std::pow(10, -prefix_for(std::abs(magnitude)).power) : 1;
}

QuantityText quantity_text(const Parameter& parameter) {
  return quantity_text(parameter.value, expanded_uncertainty(parameter), parameter.unit);
}

}  // namespace tactelier
