#include "app/gui/item_models/result_beside.hpp"

#include <QCoreApplication>

#include "app/gui/text/message.hpp"
#include "app/gui/text/words.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier::gui {
namespace {

using Verdict = ResultBeside::Verdict;

constexpr std::size_t kNamed = 12;  // tactels in a tip

QString tr(const char* words, int n = -1) {
  return QCoreApplication::translate("ResultBeside", words, nullptr, n);
}

QString percent(double part) {
  const auto words = fixed(100 * part, 2);
  return part > 0 ? QLatin1Char('+') + words : words;
}

QString marked(const QString& words, Verdict verdict) {
  return verdict == Verdict::kNone
             ? words
             : QStringLiteral("%1 %2").arg(
                   words, verdict == Verdict::kAgrees ? QStringLiteral("✓") : QStringLiteral("▲"));
}

/// To the digits of the number that it stands beside.
QString valueBeside(const Parameter& other, const Parameter& shown) {
  if (!shown.usable() || !shown.value || !other.value) return valueWithUncertainty(other);
  auto like = shown;
  like.value = other.value;
  const auto words = valueWithUncertainty(like);
  return words.section(QStringLiteral(" ± "), 0, 0);
}

ResultBeside ofTactels(const ResultRow& row, const Parameter& other, const TactelChanges& sum) {
  ResultBeside beside;
  if (sum.compared > 0)
    beside.verdict = sum.significant.empty() ? Verdict::kAgrees : Verdict::kDiffers;
  beside.words = marked(valueBeside(other, row.parameter), beside.verdict);
  QStringList lines{tr("Mean of the other model: %1").arg(valueWithUncertainty(other))};
  if (!sum.relative.empty())
    lines << tr("Median change since then: %1 %").arg(percent(median(sum.relative)));
  if (sum.compared > 0) {
    QStringList which;
    for (const auto& tactel : sum.significant)
      if (static_cast<std::size_t>(which.size()) < kNamed) which << text(tactel);
    if (sum.significant.size() > kNamed) which << QStringLiteral("…");
    lines << tr("Beyond both uncertainties: %1 of %n tactels", static_cast<int>(sum.compared))
                     .arg(sum.significant.size()) +
                 (which.isEmpty() ? QString() : tr(": ") + which.join(QStringLiteral(", ")));
  }
  beside.tip = lines.join(QLatin1Char('\n'));
  return beside;
}

ResultBeside ofOne(const ParameterChange& change) {
  ResultBeside beside;
  if (!change.before.value) {
    beside.words = QStringLiteral("—");
    beside.tip = tr("The other model has no value.");
    return beside;
  }
  if (change.kind == ParameterChange::Kind::kWithin) beside.verdict = Verdict::kAgrees;
  if (change.kind == ParameterChange::Kind::kSignificant) beside.verdict = Verdict::kDiffers;
  beside.words = marked(valueBeside(change.before, change.after), beside.verdict);
  QStringList lines{tr("The other model: %1").arg(valueWithUncertainty(change.before))};
  if (change.relative) lines << tr("Change since then: %1 %").arg(percent(*change.relative));
  if (change.e_n)
    lines << (beside.verdict == Verdict::kAgrees
                  ? tr("Within both uncertainties together (E_n %1)")
                  : tr("Beyond both uncertainties together (E_n %1)"))
                 .arg(fixed(*change.e_n, 2));
  beside.tip = lines.join(QLatin1Char('\n'));
  return beside;
}

}  // namespace

ResultsBeside resultsBeside(const std::vector<ResultGroup>& groups, const ComparedModel& compared) {
  std::map<std::string, Parameter> means;
  for (const auto& group : array_results(*compared.other))
    for (const auto& row : group.rows) means[row.path] = row.parameter;
  ResultsBeside all;
  for (const auto& group : groups)
    for (const auto& row : group.rows) {
      const auto mean = means.find(row.path);
      if (!row.is_spread()) {
        if (const auto* change = compared.change(row.path)) all[row.path] = ofOne(*change);
      } else if (mean != means.end() && mean->second.value) {
        if (const auto* sum = compared.tactels(row.path))
          all[row.path] = ofTactels(row, mean->second, *sum);
      }
    }
  return all;
}

}  // namespace tactelier::gui
