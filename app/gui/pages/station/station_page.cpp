#include "app/gui/pages/station/station_page.hpp"

#include <QAction>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "app/gui/pages/session/connect_panel.hpp"
#include "app/gui/pages/session/lock_notice.hpp"
#include "app/gui/pages/station/label_panel.hpp"
#include "app/gui/pages/station/now_panel.hpp"
#include "app/gui/pages/station/station_form.hpp"
#include "app/gui/pages/station/step_strip.hpp"
#include "app/gui/pages/station/today_panel.hpp"
#include "app/gui/pages/station/verdict_card.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/widgets/room_box.hpp"

namespace tactelier::gui {
namespace {

QString midnight() {
  return QDateTime(QDate::currentDate(), QTime(0, 0)).toUTC().toString(Qt::ISODate);
}

}  // namespace

StationPage::StationPage(const PageContext& context, QWidget* parent)
    : Page(context, tr("Station"), parent), station_(context.state.station()) {
  begin_ = new QAction(tr("Begin"), this);
  begin_->setStatusTip(
      tr("Checks the settings, then asks for the first sensor. Nothing moves "
         "before somebody says that hands are off.\ntactelier station"));
  connect(begin_, &QAction::triggered, this, &StationPage::begin);
  end_ = new QAction(tr("End"), this);
  connect(end_, &QAction::triggered, this, &StationPage::end);
  addHeaderAction(begin_, QStringLiteral("play"), true)
      ->setObjectName(QStringLiteral("stationBegin"));
  addHeaderAction(end_, QStringLiteral("check"))->setObjectName(QStringLiteral("stationEnd"));
  trouble_ = new QFrame(this);
  trouble_->setProperty("look", "noticeBad");
  auto* row = new QHBoxLayout(trouble_);
  row->setContentsMargins(12, 8, 12, 8);
  trouble_words_ = new QLabel(trouble_);
  trouble_words_->setObjectName(QStringLiteral("stationTrouble"));
  trouble_words_->setWordWrap(true);
  trouble_words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  row->addWidget(trouble_words_, 1);
  body()->addWidget(new LockNotice(rig(), this));
  body()->addWidget(trouble_);
  stack_ = new QStackedWidget(this);
  stack_->addWidget(set_up_ = buildSetUp());
  stack_->addWidget(work_ = buildWork());
  body()->addWidget(stack_, 1);
  showTrouble({});
  connectStation();
  refresh();
}

QWidget* StationPage::buildSetUp() {
  auto* made = new QWidget(this);
  auto* row = new QHBoxLayout(made);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(12);
  form_ = new StationForm(state(), rig(), made);
  connect_ = new ConnectPanel(state().preferences(), rig(), made);
  row->addWidget(form_, 3);
  row->addWidget(connect_, 2);
  // The form's height is not the working page's.
  auto* area = new QScrollArea(this);
  area->setFrameShape(QFrame::NoFrame);
  area->setWidgetResizable(true);
  area->setWidget(made);
  for (auto* part : {area->viewport(), made}) part->setAutoFillBackground(false);
  return area;
}

QWidget* StationPage::buildWork() {
  auto* made = new RoomBox(this);
  auto* rows = new QVBoxLayout(made);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(12);
  steps_ = new StepStrip(made);
  now_ = new NowPanel(station_, rig(), made);
  verdict_ = new VerdictCard(made);
  today_ = new TodayPanel(made);
  label_ = new LabelPanel(made);
  auto* columns = new QHBoxLayout;
  columns->setSpacing(12);
  auto* left = new QVBoxLayout;
  left->setSpacing(12);
  left->addWidget(now_, 2);
  left->addWidget(verdict_, 3);
  auto* right = new QVBoxLayout;
  right->setSpacing(12);
  right->addWidget(today_, 3);
  right->addWidget(label_, 2);
  columns->addLayout(left, 3);
  columns->addLayout(right, 2);
  rows->addWidget(steps_);
  rows->addLayout(columns, 1);
  return made;
}

void StationPage::connectStation() {
  connect(&station_, &StationRunner::changed, this, &StationPage::refresh);
  connect(&station_, &StationRunner::begun, this, [this] {
    showTrouble({});
    showDay();
    stack_->setCurrentWidget(work_);
    now_->field()->setFocus(Qt::OtherFocusReason);
  });
  connect(&station_, &StationRunner::judged, this, [this](const StationLabel& label) {
    verdict_->show(label);
    today_->add(label);
    label_->show(label);
  });
  connect(&station_, &StationRunner::notMeasured, verdict_, &VerdictCard::showNotMeasured);
  connect(&station_, &StationRunner::told, now_, &NowPanel::remark);
  connect(&station_, &StationRunner::ended, this, [this] {
    stack_->setCurrentWidget(set_up_);
    showTrouble(text(station_.failure()));
    state().notifications().status(
        tr("The station has ended: %n sensors today.", nullptr, today_->count()));
  });
  connect(today_, &TodayPanel::chosen, label_, &LabelPanel::show);
  connect(label_, &LabelPanel::saved, this,
          [this](const QString& words) { state().notifications().status(words); });
  connect(form_, &StationForm::changed, this, &StationPage::refresh);
  connect(&rig(), &RigLink::changed, this, &StationPage::refresh);
  connect(&rig(), &RigLink::linkChanged, this, &StationPage::refresh);
}

void StationPage::begin() {
  auto settings = form_->settings();
  if (!settings) return showTrouble(text(settings.error().message));
  showTrouble({});
  verdict_->clear();
  station_.begin(*settings);
}

/// At once where somebody is waited for; else after the sensor at hand, and asked again at once,
/// with the tip up and the recording kept.
void StationPage::end() {
  if (station_.ending())
    station_.cancel();
  else
    station_.end();
}

void StationPage::showDay() {
  const auto labels = QString::fromStdString((station_.settings().folder / "labels").string());
  label_->setFolder(QFileInfo(labels).absoluteFilePath());
  today_->set(labels_since(labels.toStdString(), midnight().toStdString()));
}

void StationPage::showTrouble(const QString& words) {
  trouble_words_->setText(words);
  trouble_->setVisible(!words.isEmpty());
}

void StationPage::refresh() {
  const bool runs = station_.running();
  const auto missing = form_->missing();
  begin_->setEnabled(!runs && missing.isEmpty());
  begin_->setToolTip(runs                ? tr("Off: the station runs.")
                     : missing.isEmpty() ? begin_->statusTip()
                                         : tr("Off: %1").arg(missing));
  const bool waits = station_.now() && station_.now()->waits;
  end_->setEnabled(runs);
  end_->setText(station_.ending() ? tr("Break off now")
                : waits || !runs  ? tr("End")
                                  : tr("End after this one"));
  end_->setToolTip(
      station_.ending()
          ? tr("The tip goes up, what was recorded is kept and goes on when it is scanned again.")
          : tr("Ends the station; the sensor at hand gets its verdict first.\nend"));
  form_->refresh();
  form_->setEnabled(!runs);
  connect_->setVisible(!rig().connected());
  steps_->show(station_.now() ? std::optional(station_.now()->at.step) : std::nullopt);
  if (!runs)
    setHeaderState(missing.isEmpty() ? tr("ready: Begin") : missing);
  else
    setHeaderState(
        tr("%1 · %2").arg(QFileInfo(text(station_.settings().folder.string())).fileName(),
                          text(station_.settings().operator_name)));
}

QWidget* StationPage::firstFocus() {
  if (station_.running()) return now_->field();
  return rig().connected() ? static_cast<QWidget*>(form_->folder()) : connect_->first();
}

QString StationPage::asCommand() const { return form_->asCommand(); }

QString StationPage::whyNoCommand() const {
  return tr("Connect a rig, and name folder and catalogue first.");
}

void StationPage::saveState(QSettings& settings) const { form_->saveState(settings); }

void StationPage::restoreState(QSettings& settings) { form_->restoreState(settings); }

QString StationPage::helpText() const {
  return tr(
      "<p>One sensor after the other: scan its code, clamp it, read the verdict. The field takes "
      "what a scanner types; <b>Enter</b>, or the same code again, says that hands are off, "
      "another code is taken instead. The rig then finds the surface, presses, and the fit is held "
      "against the limits of the fleet in the catalogue.</p>"
      "<p><i>ACCEPT</i>, <i>REJECT</i> with the numbers, or <i>UNCLEAR</i>, where a limit lies "
      "within the uncertainty. Each label is in the folder <i>labels</i>, to be printed.</p>"
      "<p><i>End</i> waits for the sensor at hand. After STOP, or when a limit has stopped the "
      "rig, whoever looks after it finds the cause and acknowledges; what was recorded goes on "
      "when its code is scanned again.</p>"
      "<p><b>Enter</b> next · <b>Esc</b>, <b>F12</b> STOP · <b>F6</b> pause</p>");
}

}  // namespace tactelier::gui
