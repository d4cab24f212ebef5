#include "app/gui/pages/fit/verdict_strip.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <algorithm>
#include <map>

#include "app/gui/state/app_state.hpp"
#include "app/gui/text/parameter_words.hpp"
#include "app/gui/theme/theme.hpp"
#include "fitting/engine/facts.hpp"
#include "reports/fit_verdict.hpp"

namespace tactelier::gui {
namespace {

constexpr std::size_t kNamed = 3;  // missing numbers that are named; the table has the rest

QString identifiedWords(const FitVerdict& verdict) {
  QStringList names;
  for (const auto& path : verdict.identified) names << parameterWords(path).name;
  auto words = VerdictStrip::tr("%1 of %n tactels calibrated", nullptr, verdict.tactels)
                   .arg(verdict.calibrated);
  if (names.size() > 3)
    words += VerdictStrip::tr("; %1, %2 and %3 more identified")
                 .arg(names[0], names[1])
                 .arg(names.size() - 2);
  else if (!names.isEmpty())
    words += VerdictStrip::tr("; %1 identified").arg(names.join(QStringLiteral(", ")));
  return words + QLatin1Char('.');
}

/// "P5 (ramps at several speeds)".
QString withWords(const std::string& protocol) {
  const auto words = protocol_words(protocol);
  return words.empty() ? text(protocol)
                       : QStringLiteral("%1 (%2)").arg(text(protocol), text(words));
}

QString missingWords(const FitVerdict& verdict) {
  if (verdict.missing.empty()) return {};
  QStringList names;
  std::map<std::string, int> needs;  // protocols, by how many numbers want them
  for (const auto& missing : verdict.missing) {
    names << VerdictStrip::tr("%1 (%2)").arg(parameterWords(missing.path).name,
                                             text(missing.cause));
    if (!missing.protocol.empty()) ++needs[missing.protocol];
  }
  // A few are named; of many it says what most of them need: the table has the rest.
  auto words = verdict.missing.size() <= kNamed
                   ? VerdictStrip::tr("Not identified: %1.").arg(names.join(QStringLiteral(", ")))
                   : VerdictStrip::tr("Not identified: %n parameters.", nullptr,
                                      static_cast<int>(verdict.missing.size()));
  if (needs.empty()) return words;
  const auto most = std::max_element(needs.begin(), needs.end(), [](const auto& a, const auto& b) {
                      return a.second < b.second;
                    })->first;
  if (needs.size() == 1) return words + VerdictStrip::tr(" Record %1.").arg(withWords(most));
  QStringList others;
  for (const auto& [protocol, count] : needs)
    if (protocol != most) others << text(protocol);
  return words + VerdictStrip::tr(" Most need %1; also %2.")
                     .arg(withWords(most), others.join(QStringLiteral(", ")));
}

}  // namespace

VerdictStrip::VerdictStrip(AppState& state, QWidget* parent) : QFrame(parent), state_(state) {
  setObjectName(QStringLiteral("fitVerdict"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 4, 12, 4);
  row->setSpacing(16);
  headline_ = new QLabel(this);
  headline_->setWordWrap(true);
  rest_ = new QLabel(this);
  rest_->setWordWrap(true);
  row->addWidget(headline_, 1);
  row->addWidget(rest_, 1);
  connect(&state_.modelDocument(), &ModelDocument::changed, this, &VerdictStrip::refresh);
  connect(&state_.fit(), &FitRunner::started, this, &VerdictStrip::refresh);
  connect(&state_.fit(), &FitRunner::finished, this, &VerdictStrip::refresh);
  connect(&state_.fit().choice(), &FitChoice::requiredChanged, this, &VerdictStrip::refresh);
  connect(&theme(), &Theme::changed, this, &VerdictStrip::refresh);
  refresh();
}

QString VerdictStrip::words() const { return headline_->text() + QLatin1Char(' ') + rest_->text(); }

void VerdictStrip::setLook(const char* look) {
  setProperty("look", look);
  style()->unpolish(this);
  style()->polish(this);
}

void VerdictStrip::refresh() {
  setMinimumHeight(theme().px(44));
  headline_->setFont(theme().font(Type::kBold));
  if (state_.model() != nullptr) {
    showModel();
  } else if (state_.fit().running()) {
    setLook("noticeInfo");
    headline_->setText(tr("Fitting."));
    rest_->setText(tr("The window stays usable; Cancel keeps the stages that have ended."));
  } else {
    setLook("noticeInfo");
    headline_->setText(tr("Not fitted yet."));
    rest_->setText(tr("Choose stages and presses, then fit with Ctrl+R."));
  }
  setAccessibleName(words());
}

void VerdictStrip::showModel() {
  const auto verdict = judge_fit(*state_.model(), state_.fit().choice().settings().required);
  switch (verdict.level) {
    case FitVerdict::Level::kNothing:
      setLook("noticeBad");
      headline_->setText(tr("Nothing could be fitted."));
      break;
    case FitVerdict::Level::kIncomplete:
      setLook("notice");
      headline_->setText(identifiedWords(verdict));
      break;
    case FitVerdict::Level::kComplete:
      setLook("noticeOk");
      headline_->setText(identifiedWords(verdict));
      break;
  }
  QStringList words{missingWords(verdict)};
  QStringList reasons;
  for (const auto& unmet : verdict.unmet) reasons << text(unmet);
  setToolTip(reasons.join(QLatin1Char('\n')));
  if (state_.modelDocument().outdated()) {
    setLook("notice");
    words.prepend(state_.fit().running() ? tr("Refitting: these are the last valid numbers.")
                                         : tr("Edited since: fit again with Ctrl+R."));
  }
  rest_->setText(words.join(QLatin1Char(' ')).trimmed());
}

}  // namespace tactelier::gui
