#include "app/gui/pages/station/verdict_words.hpp"

#include <QCoreApplication>

#include "app/gui/item_models/library_entry.hpp"

namespace tactelier::gui {
namespace {

QString tr(const char* words) { return QCoreApplication::translate("Verdict", words); }

constexpr int chip(LibraryEntry::Look look) { return static_cast<int>(look); }

}  // namespace

VerdictLook verdictLook(const StationLabel& label) {
  using Look = LibraryEntry::Look;
  if (!label.acceptance && !label.why.empty())
    return {tr("NOT FITTED"),
            QStringLiteral("mode-armed"),
            QStringLiteral("▲"),
            Token::kWarn,
            chip(Look::kLook),
            tr("Measure it again: scan it once more. If that says the same, put it aside.")};
  if (!label.acceptance)
    return {tr("MEASURED"),      QStringLiteral("mode-idle"),
            QStringLiteral("○"), Token::kText2,
            chip(Look::kPlain),  tr("Nobody asked for a verdict. Take the next one.")};
  switch (*label.acceptance) {
    case Acceptance::kAccept:
      return {tr("ACCEPT"),      QStringLiteral("verdict-accept"), QStringLiteral("●"), Token::kOk,
              chip(Look::kGood), tr("Put it with the good ones.")};
    case Acceptance::kUnclear:
      return {tr("UNCLEAR"),
              QStringLiteral("mode-armed"),
              QStringLiteral("▲"),
              Token::kWarn,
              chip(Look::kLook),
              tr("Measure it again: scan it once more. If it stays unclear, put it aside.")};
    case Acceptance::kReject:
      return {tr("REJECT"),        QStringLiteral("mode-fault"),
              QStringLiteral("■"), Token::kBad,
              chip(Look::kBad),    tr("Put it with the rejected ones. It must not be used.")};
  }
  return {};
}

VerdictLook notMeasuredLook() {
  return {tr("NOT MEASURED"),
          QStringLiteral("mode-armed"),
          QStringLiteral("▲"),
          Token::kWarn,
          chip(LibraryEntry::Look::kLook),
          tr("Clamp it properly, then scan it again. Twice the same: call whoever looks after the "
             "rig.")};
}

}  // namespace tactelier::gui
