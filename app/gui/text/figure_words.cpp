#include "app/gui/text/figure_words.hpp"

#include <QCoreApplication>
#include <QLocale>
#include <array>
#include <cmath>
#include <string_view>

#include "app/gui/text/message.hpp"
#include "app/gui/text/words.hpp"

namespace tactelier::gui {
namespace {

/// What ends a key: its unit, and what makes SI of it.
struct Ending {
  std::string_view key;
  const char* unit;
  double to_SI;
};

// Longer ones first: "_N_per_m" is no metre.
constexpr std::array<Ending, 16> kEndings{{{"_percent_per_decade", "%/decade", 1},
                                           {"_N_per_count", "N/count", 1},
                                           {"_um_per_h", "m/h", 1e-6},
                                           {"_um_per_N", "m/N", 1e-6},
                                           {"_N_per_h", "N/h", 1},
                                           {"_N_per_m", "N/m", 1},
                                           {"_percent", "%", 1},
                                           {"_ppm", "ppm", 1},
                                           {"_deg", "°", 1},
                                           {"_mN", "N", 1e-3},
                                           {"_um", "m", 1e-6},
                                           {"_mm", "m", 1e-3},
                                           {"_ms", "s", 1e-3},
                                           {"_N", "N", 1},
                                           {"_m", "m", 1},
                                           {"_s", "s", 1}}};

bool takeEnding(std::string_view& key, std::string_view ending) {
  if (key.size() <= ending.size() || !key.ends_with(ending)) return false;
  key.remove_suffix(ending.size());
  return true;
}

}  // namespace

FigureWords figureWords(const std::string& key, double value) {
  const auto tr = [](const char* words) { return QCoreApplication::translate("Figures", words); };
  std::string_view left = key;
  QString of;
  if (takeEnding(left, "_std")) of = tr(" (standard error)");
  Parameter parameter;
  parameter.value = value;
  for (const auto& [ending, unit, to_SI] : kEndings) {
    if (!takeEnding(left, ending)) continue;
    parameter.value = value * to_SI;
    parameter.unit = unit;
    break;
  }
  if (takeEnding(left, "_u95")) of = tr(" (U 95 %)");
  if (takeEnding(left, "_u")) of = tr(" (standard uncertainty)");
  auto name = text(left).replace(QLatin1Char('_'), QLatin1Char(' '));
  if (!name.isEmpty()) name[0] = name[0].toUpper();
  if (parameter.unit.empty() && value == std::floor(value))
    return {name + of, QLocale::c().toString(value, 'f', 0)};  // counted
  return {name + of, valueWithUncertainty(parameter)};
}

}  // namespace tactelier::gui
