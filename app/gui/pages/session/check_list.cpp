#include "app/gui/pages/session/check_list.hpp"
#include "app/gui/widgets/action_button.hpp"

#include <QAction>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QStorageInfo>
#include <QStyle>
#include <QVBoxLayout>

#include "app/gui/pages/session/record_form.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/state/rig_snapshot.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/page.hpp"

namespace tactelier::gui {

CheckList::CheckList(RigLink& rig, const RecordForm& form, QAction* arm, QWidget* parent)
    : Panel(tr("Before you start"), parent), rig_(rig), form_(form) {
  body()->setSpacing(4);
  add("devices", tr("Devices connected"));
  add("homed", tr("Stage homed"));
  add("surface", tr("Surface found"));
  add("registration", tr("Pad registered"));
  add("limits", tr("Limits set"));
  add("stop", tr("Hardware emergency stop"));
  add("disk", tr("Disk"));
  add("plan", tr("Dry run"));
  foot_ = new QWidget(this);
  auto* column = new QVBoxLayout(foot_);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  arm_ = new ActionButton(arm, QStringLiteral("mode-armed"), true, foot_);
  arm_->setObjectName(QStringLiteral("armButton"));
  arm_->setMinimumHeight(theme().px(36));
  column->addWidget(arm_);
  words_ = new QLabel(tr("Arming lasts 30 s; Start (F5 again) begins motion. Nothing moves on Arm. "
                         "Is the rig free, and nobody's hand in it?"),
                      foot_);
  words_->setWordWrap(true);
  words_->setProperty("look", "caption");
  column->addWidget(words_);
  connect(&rig_, &RigLink::changed, this, &CheckList::refresh);
  connect(&form_, &RecordForm::changed, this, &CheckList::refresh);
  refresh();
}

void CheckList::add(const char* name, const QString& what) {
  auto* row = new QHBoxLayout;
  auto* mark = new QLabel(this);
  mark->setObjectName(QStringLiteral("check_") + QLatin1String(name));
  mark->setFixedWidth(theme().px(16));
  auto* title = new QLabel(what, this);
  auto* found = new QLabel(this);
  found->setProperty("look", "caption");
  found->setWordWrap(true);
  found->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  row->addWidget(mark);
  row->addWidget(title);
  row->addWidget(found, 1);
  body()->addLayout(row);
  rows_[name] = {mark, found};
}

void CheckList::set(const char* name, State state, const QString& found, bool mandatory) {
  const auto& row = rows_.at(name);
  row.mark->setText(state == State::kGood   ? QStringLiteral("●")
                    : state == State::kLook ? QStringLiteral("▲")
                                            : QStringLiteral("■"));
  const char* look = state == State::kGood ? "good" : state == State::kLook ? "look" : "bad";
  if (row.mark->property("look").toByteArray() != look) {
    row.mark->setProperty("look", look);
    row.mark->style()->unpolish(row.mark);
    row.mark->style()->polish(row.mark);
  }
  row.found->setText(found);
  if (state == State::kGood) ++good_;
  if (state == State::kBad && mandatory) passed_ = false;
}

void CheckList::refresh() {
  passed_ = true;
  good_ = 0;
  const auto& status = rig_.status();
  const auto itself = tr("done automatically at start");
  const auto snapshot = snapshotOf(rig_);
  int live = 0;
  for (const auto& stream : snapshot.streams)
    live += stream.lamp == Lamp::kGood || stream.lamp == Lamp::kLook ? 1 : 0;
  set("devices", live == 3 ? State::kGood : State::kBad, tr("%1 of 3 send").arg(live));
  set("homed", status.position_trusted ? State::kGood : State::kLook,
      status.position_trusted ? tr("position trusted") : itself);
  set("surface", status.surface_found ? State::kGood : State::kLook,
      status.surface_found ? tr("since homing") : itself);
  set("registration", status.registered ? State::kGood : State::kLook,
      status.registered ? tr("since homing") : itself);
  QStringList limits;
  if (const auto& force = snapshot.force_limit_N) limits << tr("%1 N").arg(fixed(*force, 2));
  if (const auto& depth = rig_.facts().limits.depth_m)
    limits << tr("%1 mm").arg(fixed(*depth * 1e3, 2));
  if (const auto& torque = rig_.facts().limits.torque_Nm)
    limits << tr("%1 N·mm").arg(fixed(*torque * 1e3, 0));
  set("limits", snapshot.force_limit_N ? State::kGood : State::kBad,
      limits.isEmpty() ? tr("none in rig or sensor file") : limits.join(QStringLiteral(" · ")));
  set("stop", status.emergency_stop == true ? State::kGood : State::kLook,
      !status.emergency_stop   ? tr("not declared in the rig file")
      : *status.emergency_stop ? tr("declared present")
                               : tr("declared ABSENT"));
  const auto target = QFileInfo(QString::fromStdString(form_.request().target.string()));
  const QStorageInfo disk(target.path());
  const double free_GB = disk.isValid() ? static_cast<double>(disk.bytesAvailable()) * 1e-9 : 0;
  set("disk",
      free_GB > 1     ? State::kGood
      : free_GB > 0.2 ? State::kLook
                      : State::kBad,
      tr("%1 GB free").arg(fixed(free_GB, 1)));
  const auto* preview = form_.preview();
  set("plan", preview != nullptr ? State::kGood : State::kBad,
      preview != nullptr
          ? tr("peak %1 N, path clear").arg(QString::number(preview->plan.peak_force_N, 'g', 3))
      : form_.trouble().isEmpty() ? tr("working it out")
                                  : tr("see above"));
  setCaption(tr("%1 of %2").arg(good_).arg(rows_.size()));
}

}  // namespace tactelier::gui
