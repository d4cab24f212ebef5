#pragma once
// Numbers as the app writes them: value ± U (95 %) with two significant digits of U, true minus,
// thin space from 10 000 on, a prefix that keeps 1 <= value < 1000, never "nan"
// (docs/desktop-app.md 5).

#include <QString>

#include "libcalib/parameter.hpp"

namespace tactelier::gui {

/// A power of ten for a unit: {1e-6, "µ"}.
struct Prefix {
  double factor = 1;
  QString symbol;
};
/// Chosen for a typical size of the values of one column. Units that take no prefix ("counts", "",
/// "%", "tactels") stay as they are.
Prefix prefixFor(double typical, const QString& unit);

/// SI unit as it is shown: "N*s/m" -> "N·s/m".
QString unitWords(const std::string& unit);

/// Expanded uncertainty (95 %): u_total if known, else half of ci95, else 1.96 std; empty if none.
std::optional<double> expandedUncertainty(const Parameter& parameter);

/// "2012 ± 12" in units of `prefix`; without uncertainty 4 significant digits.
QString numberWithUncertainty(double value, std::optional<double> u95, const Prefix& prefix);
/// The same with its unit: "2012 ± 12 N/m", "−0.1500 ± 0.0059 mm"; "–" without a value.
QString valueWithUncertainty(const Parameter& parameter);

/// Hyphens in front of numbers become minus signs; those of dates and names stay.
QString withTrueMinus(QString words);
/// Fixed decimals, true minus, thin spaces.
QString fixed(double value, int decimals);
/// "3:05", "1:02:03".
QString clockTime(double seconds);
/// "0.7 GB", "312 kB".
QString fileSize(qint64 bytes);
/// "identified", "assumed", "not identified", "predicted".
QString statusWords(Status status);

}  // namespace tactelier::gui
