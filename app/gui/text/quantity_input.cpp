#include "app/gui/text/quantity_input.hpp"

#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include "app/gui/text/words.hpp"
#include "libcalib/units.hpp"

namespace tactelier::gui {
namespace {

/// "N*s/m": {'*' "N", '*' "s", '/' "m"}.
struct Factor {
  char sign = '*';
  std::string symbol;
};

std::vector<Factor> factors(std::string_view unit) {
  std::vector<Factor> all{{}};
  for (const char letter : unit) {
    if (letter == '*' || letter == '/')
      all.push_back({letter, {}});
    else if (letter != ' ')
      all.back().symbol += letter;
  }
  return all;
}

std::optional<double> to_si(const std::string& typed, const std::string& wanted) {
  if (typed == wanted) return 1.0;
  const auto from = parse_unit(typed);
  const auto to = parse_unit(wanted);
  if (!from || !to || from->quantity != to->quantity) return std::nullopt;
  return from->to_si / to->to_si;
}

std::optional<double> unitFactor(const std::string& typed, const std::string& wanted) {
  const auto from = factors(typed);
  const auto to = factors(wanted);
  if (from.size() != to.size()) return std::nullopt;
  double factor = 1;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto one = to_si(from[i].symbol, to[i].symbol);
    if (from[i].sign != to[i].sign || !one) return std::nullopt;
    factor = from[i].sign == '*' ? factor * *one : factor / *one;
  }
  return factor;
}

/// 35 * 1e-6 is not quite the number that "3.5e-05" stands for; people mean the latter.
double asWritten(double value) {
  const auto text = fmt::format("{:.15g}", value);
  double rounded = value;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

}  // namespace

Result<double> parseQuantity(const QString& typed, const std::string& unit) {
  auto plain = typed.trimmed();
  plain.replace(QChar(0x2212), QLatin1Char('-'));
  plain.replace(QChar(0x00B7), QLatin1Char('*'));
  plain.replace(QChar(0x00B5), QLatin1Char('u'));
  const auto text = plain.toStdString();
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value))
    return fail(ErrorCode::kUsage, "'{}' is no number; write it like 0.35{}",
                typed.trimmed().toStdString(),
                unit.empty() ? "" : " " + unitWords(unit).toStdString());
  const auto behind = QString::fromUtf8(end, text.data() + text.size() - end).trimmed();
  if (behind.isEmpty()) return value;
  const auto factor = unitFactor(behind.toStdString(), unit);
  if (!factor)
    return fail(ErrorCode::kUsage, "'{}' is no unit for this; write {}", behind.toStdString(),
                unit.empty() ? "the number alone" : unitWords(unit).toStdString());
  return asWritten(value * *factor);
}

}  // namespace tactelier::gui
