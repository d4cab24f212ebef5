#include "app/gui/pages/session/connect_panel.hpp"

#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/gui/state/app_state.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/widgets/preference_field.hpp"

namespace tactelier::gui {

ConnectPanel::ConnectPanel(Preferences& preferences, RigLink& rig, QWidget* parent)
    : Panel(tr("Rig"), parent), rig_link_(rig) {
  auto* lead = new QLabel(tr("The rig is served by a process of its own, which goes on when this "
                             "window closes. Connecting moves nothing."),
                          this);
  lead->setWordWrap(true);
  lead->setProperty("look", "caption");
  body()->addWidget(lead);
  devices_ = fileRow(tr("Device file"), QStringLiteral("deviceFile"),
                     tr("Which device is reached how (tactelier devices)."));
  rig_ = fileRow(tr("Rig file"), QStringLiteral("rigFile"),
                 tr("Limits, travel and places of the stage. Surface and registration are written "
                    "into it."));
  bindField(devices_, preferences, &Preferences::deviceFile, &Preferences::setDeviceFile);
  bindField(rig_, preferences, &Preferences::rigFile, &Preferences::setRigFile);
  connect_ = new QPushButton(tr("Connect"), this);
  connect_->setObjectName(QStringLiteral("connectRig"));
  connect_->setProperty("look", "primary");
  connect_->setToolTip(tr("Starts the rig process where there is none.\ntactelier rig serve"));
  virtual_ = new QPushButton(tr("Virtual bench"), this);
  virtual_->setObjectName(QStringLiteral("virtualRig"));
  virtual_->setToolTip(
      tr("Emulated devices over a simulated pad, in this program.\ntactelier bench"));
  words_ = new QLabel(this);
  words_->setProperty("look", "caption");
  words_->setWordWrap(true);
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  row->addWidget(connect_);
  row->addWidget(virtual_);
  row->addStretch(1);
  body()->addLayout(row);
  body()->addWidget(words_);
  body()->addStretch(1);
  connect(connect_, &QPushButton::clicked, this, [this] {
    rig_link_.connectTo({devices_->text().toStdString(), rig_->text().toStdString()});
  });
  connect(virtual_, &QPushButton::clicked, this, [this] { rig_link_.connectVirtual(1); });
  for (auto* field : {devices_, rig_})
    connect(field, &QLineEdit::textChanged, this, &ConnectPanel::refresh);
  connect(&rig_link_, &RigLink::linkChanged, this, &ConnectPanel::refresh);
  refresh();
}

QLineEdit* ConnectPanel::fileRow(const QString& label, const QString& name, const QString& tip) {
  auto* words = new QLabel(label, this);
  auto* field = new QLineEdit(this);
  field->setObjectName(name);
  field->setToolTip(tip);
  words->setBuddy(field);
  auto* choose = new QToolButton(this);
  choose->setProperty("look", "small");
  choose->setText(tr("Choose…"));
  choose->setAccessibleName(tr("Choose the %1").arg(label));
  connect(choose, &QToolButton::clicked, this, [this, field, label] {
    const auto file = QFileDialog::getOpenFileName(
        this, label, field->text(), tr("JSON files (*.json)"), nullptr,
        rig_link_.motionPossible() ? QFileDialog::DontUseNativeDialog : QFileDialog::Options());
    if (!file.isEmpty()) field->setText(file);
  });
  body()->addWidget(words);
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  row->addWidget(field, 1);
  row->addWidget(choose);
  body()->addLayout(row);
  return field;
}

void ConnectPanel::refresh() {
  const bool busy = rig_link_.busy();
  const bool lost = rig_link_.isLost();
  const bool named = !devices_->text().isEmpty() && !rig_->text().isEmpty();
  connect_->setEnabled(named && !busy && !lost);
  virtual_->setEnabled(!busy && !lost);
  words_->setText(busy   ? tr("Connecting …")
                  : lost ? tr("First look after the rig that was lost: connect to it again, or say "
                              "that the stage stands.")
                         : QString());
}

QWidget* ConnectPanel::first() const { return devices_; }

}  // namespace tactelier::gui
