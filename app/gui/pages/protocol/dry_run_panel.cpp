#include "app/gui/pages/protocol/dry_run_panel.hpp"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "app/gui/pages/protocol/protocol_draft.hpp"
#include "app/gui/text/message.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/theme/theme.hpp"
#include "libcalib/protocol/plan_table.hpp"

namespace tactelier::gui {

DryRunPanel::DryRunPanel(ProtocolDraft& draft, QWidget* parent)
    : Panel(tr("Dry run"), parent), draft_(draft) {
  auto* row = new QWidget(this);
  figures_ = new QHBoxLayout(row);
  figures_->setContentsMargins(0, 0, 0, 0);
  time_ = figure(tr("Time"), "dryTime");
  presses_ = figure(tr("Presses"), "dryPresses");
  peak_ = figure(tr("Peak force"), "dryPeak");
  travel_ = figure(tr("Travel"), "dryTravel");
  body()->addWidget(row);
  notices_ = new QVBoxLayout;
  notices_->setSpacing(6);
  body()->addLayout(notices_);
  body()->addStretch(1);
  connect(&draft_, &ProtocolDraft::replanned, this, &DryRunPanel::refresh);
}

QLabel* DryRunPanel::figure(const QString& what, const char* name) {
  auto* column = new QVBoxLayout;
  auto* title = new QLabel(what, this);
  title->setProperty("look", "caption");
  auto* value = new QLabel(QStringLiteral("–"), this);
  value->setObjectName(QLatin1String(name));
  value->setAccessibleName(what);
  const auto style = [value] { value->setFont(theme().font(Type::kLead)); };
  style();
  connect(&theme(), &Theme::changed, value, style);
  column->addWidget(title);
  column->addWidget(value);
  figures_->addLayout(column, 1);
  return value;
}

void DryRunPanel::notice(const char* look, const QString& words) {
  auto* frame = new QFrame(this);
  frame->setProperty("look", look);
  auto* inner = new QVBoxLayout(frame);
  inner->setContentsMargins(10, 6, 10, 6);
  auto* label = new QLabel(words, frame);
  label->setObjectName(QStringLiteral("dryNotice"));
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  inner->addWidget(label);
  notices_->addWidget(frame);
}

void DryRunPanel::refresh() {
  setCaption(draft_.pending() ? tr("working it out…")
             : draft_.onVirtualBench() ? tr("on the virtual bench")
                                       : tr("on this rig"));
  if (draft_.pending()) return;
  while (auto* item = notices_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  const auto& planned = draft_.planned();
  const auto none = QStringLiteral("–");
  if (planned == nullptr) {
    for (auto* value : {time_, presses_, peak_, travel_}) value->setText(none);
    if (!draft_.trouble().isEmpty()) notice("noticeBad", draft_.trouble());
    return;
  }
  const auto& plan = planned->plan;
  time_->setText(text(duration_text(plan.duration_s)));
  presses_->setText(QString::number(plan.presses));
  peak_->setText(tr("%1 N").arg(QString::number(plan.peak_force_N, 'g', 3)));
  travel_->setText(tr("%1 m").arg(QString::number(plan.path_m, 'g', 2)));
  if (plan.by_hand_s > 0)
    notice("noticeInfo", tr("%1 of it waits for the operator's hand.")
                             .arg(text(duration_text(plan.by_hand_s))));
  for (const auto& warning : plan.warnings)
    notice("notice", warning.where.empty()
                         ? text(warning.text)
                         : QStringLiteral("%1: %2").arg(text(warning.where), text(warning.text)));
  if (plan.warnings.empty())
    notice("noticeOk", tr("Path inside the limits; at most %1 N on a pad twice as stiff as usual.")
                           .arg(QString::number(plan.worst_force_N, 'g', 3)));
}

}  // namespace tactelier::gui
