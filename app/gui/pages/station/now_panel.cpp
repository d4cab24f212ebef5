#include "app/gui/pages/station/now_panel.hpp"

#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/gui/state/rig_link.hpp"
#include "app/gui/state/station_runner.hpp"
#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {
namespace {

QString instructionOf(StationStep step) {
  switch (step) {
    case StationStep::kScan:
      return NowPanel::tr("Scan the serial number");
    case StationStep::kHandsOff:
      return NowPanel::tr("Hands off: the tip goes up first");
    case StationStep::kTipUp:
      return NowPanel::tr("Keep off: the tip goes up");
    case StationStep::kClamp:
      return NowPanel::tr("Clamp it, then hands off");
    case StationStep::kMeasure:
      return NowPanel::tr("Keep off: the rig presses");
    case StationStep::kRelease:
      return NowPanel::tr("Keep off: the tip goes up");
    case StationStep::kJudge:
      return NowPanel::tr("Take it out");
  }
  return {};
}

}  // namespace

NowPanel::NowPanel(StationRunner& station, const RigLink& rig, QWidget* parent)
    : Panel(tr("Now"), parent), station_(station), rig_(rig) {
  const auto label = [this](const char* name, Type type) {
    auto* made = new QLabel(this);
    made->setObjectName(QLatin1String(name));
    made->setWordWrap(true);
    const auto size = [made, type] { made->setFont(theme().font(type)); };
    size();
    connect(&theme(), &Theme::changed, made, size);
    body()->addWidget(made);
    return made;
  };
  serial_ = label("nowSerial", Type::kTitle);
  instruction_ = label("nowInstruction", Type::kForce);
  detail_ = label("nowDetail", Type::kLead);
  detail_->setProperty("look", "caption");
  remark_ = label("nowRemark", Type::kLead);
  remark_->setProperty("look", "look");
  field_ = new QLineEdit(this);
  field_->setObjectName(QStringLiteral("stationField"));
  field_->setMaxLength(256);
  go_ = new QPushButton(this);
  go_->setObjectName(QStringLiteral("stationGo"));
  go_->setProperty("look", "large");
  bar_ = new QProgressBar(this);
  bar_->setObjectName(QStringLiteral("stationBar"));
  bar_->setTextVisible(false);
  bar_->setAccessibleName(tr("Progress of this step"));
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  row->addWidget(field_, 1);
  row->addWidget(go_);
  body()->addStretch(1);
  body()->addLayout(row);
  body()->addWidget(bar_);
  const auto size = [this] {
    field_->setFont(theme().font(Type::kTitle));
    field_->setMinimumHeight(theme().px(40));
    go_->setMinimumHeight(theme().px(40));
    go_->setMinimumWidth(theme().px(200));
  };
  size();
  connect(&theme(), &Theme::changed, this, size);
  go_->setFocusPolicy(Qt::NoFocus);  // Enter in the field does the same
  connect(go_, &QPushButton::clicked, this, &NowPanel::enter);
  connect(field_, &QLineEdit::returnPressed, this, &NowPanel::enter);
  connect(&station_, &StationRunner::changed, this, &NowPanel::refresh);
  connect(&rig_, &RigLink::changed, this, &NowPanel::refresh);
  refresh();
}

void NowPanel::remark(const QString& words) {
  remark_->setText(words);
  remark_->setVisible(!words.isEmpty());
}

void NowPanel::say(const QString& instruction, const QString& detail) {
  if (instruction_->text() != instruction) {
    instruction_->setText(instruction);
    instruction_->setAccessibleName(instruction);
  }
  detail_->setText(detail);
  detail_->setVisible(!detail.isEmpty());
}

/// The field keeps the focus while the rig is at work: a scanner types wherever that is.
void NowPanel::offer(const QString& button, const QString& placeholder) {
  const bool on = !button.isEmpty();
  go_->setText(on ? button : tr("Wait"));
  go_->setEnabled(on);
  field_->setReadOnly(!on);
  field_->setPlaceholderText(placeholder);
  field_->setAccessibleName(placeholder.isEmpty() ? tr("Serial number") : placeholder);
}

void NowPanel::refresh() {
  const auto& now = station_.now();
  const bool question = station_.question().has_value();
  if (question != asked_) {
    field_->clear();
    asked_ = question;
  }
  serial_->setVisible(now && !now->at.serial.empty());
  if (now) serial_->setText(text(now->at.serial));
  bar_->setVisible(now && !now->waits && !question);
  if (question) return showQuestion();
  if (!now) {
    say(station_.running() ? tr("One moment") : tr("The station does not run"), {});
    return offer({}, {});
  }
  if (now->waits)
    showWaiting();
  else
    showWork();
}

void NowPanel::showWaiting() {
  const auto& at = station_.now()->at;
  if (at.step == StationStep::kScan) {
    say(instructionOf(at.step), tr("Or type it, then Enter."));
    return offer(tr("Take this one"), tr("Serial number"));
  }
  QStringList detail;
  if (!at.remark.empty()) detail << text(at.instruction + ": " + at.remark + ".");
  detail << tr("Enter, or the same code again, says that hands are off.");
  say(instructionOf(at.step), detail.join(QChar(' ')));
  offer(tr("Hands are off"), tr("Enter: hands are off"));
}

void NowPanel::showQuestion() {
  const auto& question = *station_.question();
  say(text(question.text), {});
  offer(tr("Continue"),
        question.answer_key.empty() ? tr("Enter: it is done") : text(question.answer_key));
}

void NowPanel::showWork() {
  const auto& now = *station_.now();
  const bool paused = rig_.mode() == Mode::kPaused;
  say(paused ? tr("Paused: F6 goes on") : instructionOf(now.at.step), text(now.what));
  bar_->setRange(0, now.fraction < 0 ? 0 : 1000);
  if (now.fraction >= 0) bar_->setValue(static_cast<int>(1000 * now.fraction));
  offer({}, {});
}

void NowPanel::enter() {
  if (field_->isReadOnly()) return;
  const auto typed = field_->text();
  if (!station_.question()) {
    field_->clear();
    remark({});
    return station_.enter(typed);
  }
  if (station_.question()->answer_key.empty()) return station_.answer(std::nullopt);
  bool number = false;
  const double value = QLocale::c().toDouble(typed.trimmed(), &number);
  if (number) return station_.answer(value);
  remark(tr("A number, with a point: 1.25"));
}

}  // namespace tactelier::gui
