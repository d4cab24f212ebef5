#include "app/gui/pages/session/jog_pad.hpp"

#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/gui/state/rig_link.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/theme/icons.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/line_height.hpp"
#include "app/gui/widgets/segmented.hpp"
#include "libcalib/units.hpp"

namespace tactelier::gui {
namespace {

constexpr double kSteps_mm[] = {0.01, 0.1, 1};
constexpr double kIncrement_s = 0.2;  // of motion that a window which hangs leaves behind
constexpr qint64 kLongest_ms = 10'000;

std::optional<std::array<int, 3>> wayOf(int key) {
  switch (key) {
    case Qt::Key_Left:
      return std::array{-1, 0, 0};
    case Qt::Key_Right:
      return std::array{1, 0, 0};
    case Qt::Key_Up:
      return std::array{0, 1, 0};
    case Qt::Key_Down:
      return std::array{0, -1, 0};
    case Qt::Key_PageUp:
      return std::array{0, 0, 1};
    case Qt::Key_PageDown:
      return std::array{0, 0, -1};
    default:
      return std::nullopt;
  }
}

}  // namespace

JogPad::JogPad(RigLink& rig, QWidget* parent) : QWidget(parent), rig_(rig) {
  setObjectName(QStringLiteral("jogPad"));
  setAccessibleName(tr("Jog pad: arrow keys X and Y, Page up and down Z"));
  setFocusPolicy(Qt::StrongFocus);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(8);
  auto* row = new QHBoxLayout;
  row->setSpacing(16);
  all->addLayout(row);
  auto* cross = new QGridLayout;
  cross->setSpacing(4);
  cross->addWidget(button(QStringLiteral("up"), tr("Jog +Y"), {0, 1, 0}), 0, 1);
  cross->addWidget(button(QStringLiteral("left"), tr("Jog −X"), {-1, 0, 0}), 1, 0);
  cross->addWidget(new QLabel(tr("X Y"), this), 1, 1, Qt::AlignCenter);
  cross->addWidget(button(QStringLiteral("right"), tr("Jog +X"), {1, 0, 0}), 1, 2);
  cross->addWidget(button(QStringLiteral("down"), tr("Jog −Y"), {0, -1, 0}), 2, 1);
  cross->setColumnMinimumWidth(3, 12);
  cross->addWidget(button(QStringLiteral("up"), tr("Jog +Z, away from the pad"), {0, 0, 1}), 0, 4);
  cross->addWidget(new QLabel(tr("Z"), this), 1, 4, Qt::AlignCenter);
  cross->addWidget(button(QStringLiteral("down"), tr("Jog −Z, towards the pad"), {0, 0, -1}), 2, 4);
  row->addLayout(cross);
  auto* side = new QVBoxLayout;
  side->setSpacing(4);
  kind_ = new Segmented(tr("How it moves"), {tr("Hold to move"), tr("Steps")}, this);
  kind_->setObjectName(QStringLiteral("jogKind"));
  step_ = new Segmented(tr("Step in mm"), {tr("0.01"), tr("0.1"), tr("1 mm")}, this);
  step_->setObjectName(QStringLiteral("jogStep"));
  step_->setCurrent(1);
  speed_ = new QDoubleSpinBox(this);
  speed_->setRange(0.1, 2);
  speed_->setSingleStep(0.1);
  speed_->setValue(1);
  speed_->setButtonSymbols(QAbstractSpinBox::NoButtons);  // arrow keys and wheel do it
  speed_->setSuffix(tr(" mm/s"));
  speed_->setAccessibleName(tr("Jog speed"));
  speed_->setToolTip(
      tr("Jog speed. mm/s, 0.1–2, default 1. Down into the unknown the rig goes by "
         "its own rule: 20 µm steps at 0.1 mm/s."));
  badge_ = new QLabel(this);
  badge_->setObjectName(QStringLiteral("jogBadge"));
  side->addWidget(kind_, 0, Qt::AlignLeft);
  side->addWidget(step_, 0, Qt::AlignLeft);
  auto* speeds = new QHBoxLayout;
  speeds->setSpacing(8);
  pace_ = new QLabel(this);
  pace_->setObjectName(QStringLiteral("jogPace"));
  pace_->setProperty("look", "caption");
  speeds->addWidget(speed_);
  speeds->addWidget(pace_, 1);
  side->addLayout(speeds);
  side->addWidget(badge_);
  words_ = new QLabel(this);
  words_->setObjectName(QStringLiteral("jogWords"));
  words_->setProperty("look", "caption");
  words_->setWordWrap(true);
  side->addStretch(1);
  row->addLayout(side, 1);
  all->addWidget(words_);  // in the pad's whole width: beside the cross its lines were cut off
  // A label that wraps asks for one line at least, and a low window takes the other from the rest.
  const auto two_lines = [this] {
    words_->setMinimumHeight(heightOfLines(2, words_->font()));
    pace_->setMinimumHeight(heightOfLines(2, pace_->font()));  // known or not: nothing moves
  };
  two_lines();
  sizeButtons();
  connect(&theme(), &Theme::changed, this, two_lines);
  connect(&theme(), &Theme::changed, this, &JogPad::sizeButtons);
  connect(&rig_, &RigLink::jogged, this, &JogPad::next);
  setOff({});
  showPace(std::nullopt);
  showFocus();
}

void JogPad::setCompact(bool compact) {
  compact_ = compact;
  words_->setVisible(!compact);
  sizeButtons();
  showWords();
  showFocus();
}

void JogPad::sizeButtons() {
  const int side = theme().px(compact_ ? 32 : 36);
  for (auto* made : std::as_const(buttons_)) made->setFixedSize(side, side);
}

void JogPad::showPace(const std::optional<rig::Pace>& pace) {
  pace_->setText(pace ? tr("allowed %1 mm/s\novershoot %2 N")
                            .arg(fixed(m_to_mm(pace->allowed_m_per_s), 2),
                                 QString::number(pace->overshoot_N, 'g', 2))
                      : tr("allowed — mm/s\novershoot — N"));
  const auto meaning =
      tr("How fast the rig may press into the contact by what it has felt of it: a stop at once "
         "would end at the limit. Overshoot: expected of a stop at the speed that is gone.");
  pace_->setToolTip(
      !pace ? meaning + tr("\nNot known before a contact was pressed.")
      : pace->slowed()
          ? meaning + tr("\nThe protocol asks for %1 mm/s: slowed.")
                          .arg(fixed(m_to_mm(pace->asked_m_per_s), 2))
          : meaning +
                tr("\nThe protocol asks for %1 mm/s.").arg(fixed(m_to_mm(pace->asked_m_per_s), 2)));
  pace_->setAccessibleName(
      tr("Pressing: %1").arg(pace_->text().replace('\n', QLatin1String(", "))));
  const char* look = pace && pace->slowed() ? "look" : "caption";
  if (pace_->property("look").toByteArray() == look) return;
  pace_->setProperty("look", look);
  pace_->style()->unpolish(pace_);
  pace_->style()->polish(pace_);
}

QToolButton* JogPad::button(const QString& icon, const QString& name, const Way& way) {
  auto* made = new QToolButton(this);
  made->setProperty("look", "small");
  made->setFocusPolicy(Qt::NoFocus);  // the pad has it
  made->setAccessibleName(name);
  made->setToolTip(name);
  made->setObjectName(QStringLiteral("jog%1%2%3").arg(way[0]).arg(way[1]).arg(way[2]));
  setThemedIcon(made, icon);
  connect(made, &QToolButton::pressed, this, [this, way] {
    setFocus(Qt::MouseFocusReason);
    key_ = 0;
    press(way);
  });
  connect(made, &QToolButton::released, this, &JogPad::letGo);
  buttons_ << made;
  return made;
}

void JogPad::setOff(const QString& why) {
  const bool was_on = off_.isEmpty();
  off_ = why;
  for (auto* made : std::as_const(buttons_)) made->setEnabled(off_.isEmpty());
  if (was_on && !off_.isEmpty() && way_) letGo();
  showWords();
  showFocus();
}

void JogPad::showWords() {
  words_->setText(!off_.isEmpty()
                      ? off_
                      : tr("Arrow keys: X Y. Page up and down: Z. Moves only while held "
                           "and while this pad has the focus."));
  setToolTip(compact_ ? words_->text() : QString());
}

double JogPad::speed_mm_per_s() const { return speed_->value(); }

bool JogPad::held() const { return kind_->current() == 0; }

double JogPad::step_mm() const {
  return held() ? kIncrement_s * speed_->value()
                : kSteps_mm[static_cast<std::size_t>(std::max(0, step_->current()))];
}

void JogPad::press(const Way& way) {
  if (!off_.isEmpty()) return;
  if (way_) return letGo();  // a second one ends it
  const double by = step_mm();
  if (!rig_.jog({by * way[0], by * way[1], by * way[2]}, speed_->value())) return;
  if (!held()) return;
  way_ = way;
  since_.start();
}

/// The increment is over.
void JogPad::next() {
  if (!way_) return;
  const bool may = hasFocus() && isActiveWindow() && rig_.statusFresh() &&
                   since_.elapsed() < kLongest_ms && off_.isEmpty();
  const double by = step_mm();
  if (!may || !rig_.jog({by * (*way_)[0], by * (*way_)[1], by * (*way_)[2]}, speed_->value()))
    way_.reset();
}

void JogPad::letGo() {
  if (!way_) return;
  way_.reset();
  rig_.haltJog();
}

void JogPad::keyPressEvent(QKeyEvent* event) {
  if (const auto way = wayOf(event->key())) {
    if (event->isAutoRepeat()) return;
    key_ = event->key();
    return press(*way);
  }
  switch (event->key()) {
    case Qt::Key_H:
      return emit homeWanted();
    case Qt::Key_C:
      return emit surfaceWanted();
    case Qt::Key_R:
      return emit retractWanted();
    case Qt::Key_G:
      return emit goWanted();
    default:
      QWidget::keyPressEvent(event);
  }
}

void JogPad::keyReleaseEvent(QKeyEvent* event) {
  if (!wayOf(event->key())) return QWidget::keyReleaseEvent(event);
  if (!event->isAutoRepeat() && event->key() == key_) letGo();
}

void JogPad::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  showFocus();
}

void JogPad::focusOutEvent(QFocusEvent* event) {
  letGo();
  QWidget::focusOutEvent(event);
  showFocus();
}

void JogPad::hideEvent(QHideEvent* event) {
  letGo();
  QWidget::hideEvent(event);
}

bool JogPad::event(QEvent* event) {
  if (event->type() == QEvent::WindowDeactivate) letGo();
  return QWidget::event(event);
}

void JogPad::showFocus() {
  badge_->setText(compact_ && !off_.isEmpty() ? off_
                  : hasFocus()                ? tr("● has the focus")
                                              : tr("○ press J or click to jog"));
}

}  // namespace tactelier::gui
