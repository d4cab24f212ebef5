#include "app/gui/pages/session/lock_notice.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "app/gui/pages/session/hold_button.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/text/message.hpp"

namespace tactelier::gui {

LockNotice::LockNotice(RigLink& rig, QWidget* parent) : QFrame(parent), rig_(rig) {
  setObjectName(QStringLiteral("lock"));
  setProperty("look", "noticeBad");
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 8, 12, 8);
  words_ = new QLabel(this);
  words_->setObjectName(QStringLiteral("lockWords"));
  words_->setWordWrap(true);
  acknowledge_ = new HoldButton(tr("Acknowledge: hold 1 s"), this);
  acknowledge_->setObjectName(QStringLiteral("acknowledge"));
  acknowledge_->setProperty("look", "primary");
  again_ = new QPushButton(tr("Connect again"), this);
  again_->setObjectName(QStringLiteral("connectAgain"));
  again_->setProperty("look", "primary");
  again_->setToolTip(
      tr("To the same rig: its process is started where there is none. Nothing "
         "moves by it."));
  stands_ = new HoldButton(tr("The stage stands: hold 1 s"), this);
  stands_->setObjectName(QStringLiteral("stageStands"));
  stands_->setToolTip(
      tr("Hold for a second, by mouse or space bar, once you have looked at the "
         "rig: nothing moves there."));
  row->addWidget(words_, 1);
  for (auto* button :
       {static_cast<QPushButton*>(acknowledge_), again_, static_cast<QPushButton*>(stands_)})
    row->addWidget(button);
  connect(acknowledge_, &HoldButton::held, &rig_, &RigLink::acknowledge);
  connect(again_, &QPushButton::clicked, &rig_, &RigLink::reconnect);
  connect(stands_, &HoldButton::held, &rig_, &RigLink::forgetLoss);
  connect(&rig_, &RigLink::changed, this, &LockNotice::refresh);
  connect(&rig_, &RigLink::linkChanged, this, &LockNotice::refresh);
  hide();
  refresh();
}

void LockNotice::refresh() {
  const auto& status = rig_.status();
  const bool lost = rig_.isLost();
  setVisible(lost || status.trip);
  acknowledge_->setVisible(!lost);
  again_->setVisible(lost);
  stands_->setVisible(lost);
  again_->setEnabled(!rig_.busy());
  stands_->setEnabled(!rig_.busy());
  acknowledge_->setEnabled(!status.waits_for);
  if (lost)
    return words_->setText(
        tr("<b>The rig process was lost: the stage may still move.</b><br>It finishes what it was "
           "told, and nobody watches the force. STOP has nobody to tell; the emergency stop has. "
           "Look at the rig, then connect again or say that the stage stands."));
  if (!status.trip) return;
  const auto waits =
      status.waits_for.value_or("").empty() ? tr("the cause lasts") : text(*status.waits_for);
  acknowledge_->setToolTip(
      status.waits_for ? tr("Off while the cause lasts: %1.").arg(waits)
                       : tr("Hold for a second, by mouse or space bar. Nothing moves by it."));
  auto words =
      tr("<b>%1</b><br>Nothing moves until you acknowledge. %2")
          .arg(text(status.trip->text).toHtmlEscaped(),
               status.position_trusted ? tr("The position is trusted.")
                                       : tr("The position is void: home the stage afterwards."));
  if (status.waits_for)
    words += tr("<br>Acknowledge waits for this: %1.").arg(waits.toHtmlEscaped());
  words_->setText(words);
}

}  // namespace tactelier::gui
