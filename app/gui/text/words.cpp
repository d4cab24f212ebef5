#include "app/gui/text/words.hpp"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>
#include <algorithm>
#include <array>
#include <cmath>

#include "app/gui/text/message.hpp"

namespace tactelier::gui {
namespace {

constexpr double kTwoSided95 = 1.959963984540054;
constexpr QChar kThinSpace(0x2009);

bool takesPrefix(const QString& unit) {
  static const QStringList plain{QString(),
                                 QStringLiteral("counts"),
                                 QStringLiteral("%"),
                                 QStringLiteral("tactels"),
                                 QStringLiteral("%/decade"),
                                 QStringLiteral("rad"),
                                 QStringLiteral("kg")};
  return !plain.contains(unit);
}

QString tr(const char* words) { return QCoreApplication::translate("Words", words); }

}  // namespace

Prefix prefixFor(double typical, const QString& unit) {
  const double size = std::abs(typical);
  if (!takesPrefix(unit) || !(size > 0) || !std::isfinite(size)) return {};
  struct Step {
    double factor;
    const char16_t* symbol;
  };
  static constexpr std::array<Step, 7> kSteps{
      {{1e-9, u"n"}, {1e-6, u"µ"}, {1e-3, u"m"}, {1, u""}, {1e3, u"k"}, {1e6, u"M"}, {1e9, u"G"}}};
  // N/m up to 10 000 reads better whole: 2012 N/m, not 2.012 kN/m.
  if (size >= 1 && size < 1e4) return {};
  for (const auto& [factor, symbol] : kSteps)
    if (size < 1000 * factor) return {factor, QString::fromUtf16(symbol)};
  return {1e9, QStringLiteral("G")};
}

QString unitWords(const std::string& unit) {
  return text(unit).replace(QLatin1Char('*'), QChar(0x00B7));
}

std::optional<double> expandedUncertainty(const Parameter& parameter) {
  if (parameter.u_total) return parameter.u_total;
  if (parameter.ci95) return ((*parameter.ci95)[1] - (*parameter.ci95)[0]) / 2;
  if (parameter.std) return kTwoSided95 * *parameter.std;
  return std::nullopt;
}

QString withTrueMinus(QString words) {
  static const QRegularExpression kNegative(QStringLiteral("(^|[\\s(\\[,;±=])-(?=[0-9.])"));
  return words.replace(kNegative, QStringLiteral("\\1−"));
}

QString fixed(double value, int decimals) {
  auto digits = QLocale::c().toString(std::abs(value), 'f', decimals);
  digits.remove(QLatin1Char(','));
  const auto point = digits.indexOf(QLatin1Char('.'));
  const auto whole = point < 0 ? digits.size() : point;
  if (whole >= 5)
    for (auto at = whole - 3; at > 0; at -= 3) digits.insert(at, kThinSpace);
  const bool zero =
      digits.count(QLatin1Char('0')) + digits.count(QLatin1Char('.')) == digits.size();
  return value < 0 && !zero ? QChar(0x2212) + digits : digits;
}

QString numberWithUncertainty(double value, std::optional<double> u95, const Prefix& prefix) {
  const double shown = value / prefix.factor;
  if (!u95 || !(*u95 > 0) || !std::isfinite(*u95)) {
    if (shown == 0) return QStringLiteral("0");
    const int whole = static_cast<int>(std::floor(std::log10(std::abs(shown))));
    return fixed(shown, std::clamp(3 - whole, 0, 12));
  }
  const double u = *u95 / prefix.factor;
  const int decimals = std::clamp(1 - static_cast<int>(std::floor(std::log10(u))), 0, 12);
  return fixed(shown, decimals) + QStringLiteral(" ± ") + fixed(u, decimals);
}

QString valueWithUncertainty(const Parameter& parameter) {
  if (!parameter.value) return QStringLiteral("–");
  const auto unit = unitWords(parameter.unit);
  const auto prefix = prefixFor(*parameter.value, unit);
  const auto number =
      numberWithUncertainty(*parameter.value, expandedUncertainty(parameter), prefix);
  return unit.isEmpty() ? number : number + QLatin1Char(' ') + prefix.symbol + unit;
}

QString clockTime(double seconds) {
  const auto whole = static_cast<qint64>(std::max(0.0, std::floor(seconds + 0.5)));
  const auto two = [](qint64 n) { return QStringLiteral("%1").arg(n, 2, 10, QLatin1Char('0')); };
  if (whole >= 3600)
    return QStringLiteral("%1:%2:%3").arg(whole / 3600).arg(two(whole / 60 % 60), two(whole % 60));
  return QStringLiteral("%1:%2").arg(whole / 60).arg(two(whole % 60));
}

QString fileSize(qint64 bytes) {
  const auto size = static_cast<double>(bytes);
  if (size >= 1e8) return QStringLiteral("%1 GB").arg(size / 1e9, 0, 'f', 1);
  if (size >= 1e5) return QStringLiteral("%1 MB").arg(size / 1e6, 0, 'f', 1);
  return QStringLiteral("%1 kB").arg(size / 1e3, 0, 'f', 0);
}

QString statusWords(Status status) {
  switch (status) {
    case Status::kIdentified:
      return tr("identified");
    case Status::kAssumed:
      return tr("assumed");
    case Status::kPredicted:
      return tr("predicted");
    case Status::kNotSeen:
      return tr("not seen");
    case Status::kUnidentifiable:
      return tr("not identified");
  }
  return {};
}

}  // namespace tactelier::gui
