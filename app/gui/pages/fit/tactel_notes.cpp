#include "app/gui/pages/fit/tactel_notes.hpp"

#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>
#include <map>

#include "app/gui/pages/fit/fit_source.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/theme/theme.hpp"
#include "fitting/engine/facts.hpp"

namespace tactelier::gui {
namespace {

constexpr qsizetype kListed = 12;  // numbers of one cause

QString causeOf(const TactelResponse& tactel) {
  if (tactel.status == TactelStatus::kDead) return TactelNotes::tr("dead");
  if (tactel.status == TactelStatus::kStuck) return TactelNotes::tr("stuck");
  return text(advice_for(tactel.press_gain.reason, "response.tactels[].press_gain").cause);
}

}  // namespace

TactelNotes::TactelNotes(AppState& state, QWidget* parent)
    : Panel(tr("Tactels"), parent), state_(state) {
  words_ = new QLabel(this);
  words_->setObjectName(QStringLiteral("tactelNotes"));
  words_->setWordWrap(true);
  words_->setTextFormat(Qt::RichText);
  words_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* scroll = new QScrollArea(this);
  scroll->setWidget(words_);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  words_->setAutoFillBackground(false);  // the panel shows through
  scroll->viewport()->setAutoFillBackground(false);
  body()->addWidget(scroll);
  connect(&state_.modelDocument(), &ModelDocument::changed, this, &TactelNotes::refresh);
  connect(&state_.fit(), &FitRunner::finished, this, &TactelNotes::refresh);
  connect(&state_.jobs(), &Jobs::changed, this, [this] {
    if (state_.model() == nullptr) refresh();
  });
  connect(&theme(), &Theme::changed, this, &TactelNotes::refresh);
  refresh();
}

void TactelNotes::refresh() {
  if (state_.model() == nullptr) {
    words_->setText(nothingFitted(state_));
    return;
  }
  std::map<QString, QStringList> causes;
  int count = 0;
  for (const auto& tactel : state_.model()->response.tactels) {
    if (tactel.press_gain.usable()) continue;
    ++count;
    causes[causeOf(tactel)] << QString::number(tactel.index);
  }
  auto html =
      count == 0 ? tr("<b>All are calibrated.</b>") : tr("<b>Not calibrated: %1</b>").arg(count);
  for (auto& [cause, tactels] : causes) {
    const auto more = tactels.size() - kListed;
    if (more > 0) tactels = tactels.mid(0, kListed);
    html += QStringLiteral("<br><font color=\"%1\"><b>%2</b></font> %3")
                .arg(theme().color(Token::kWarn).name(),
                     tactels.join(QStringLiteral(", ")) +
                         (more > 0 ? tr(" and %1 more").arg(more) : QString()),
                     cause.toHtmlEscaped());
  }
  words_->setText(html);
}

}  // namespace tactelier::gui
