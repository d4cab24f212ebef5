#include "app/gui/pages/recording/time_bar.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "app/gui/text/words.hpp"
#include "app/gui/theme/icons.hpp"

namespace tactelier::gui {
namespace {

constexpr int kTicks = 100000;
constexpr int kFrame_ms = 16;

}  // namespace

TimeBar::TimeBar(QWidget* parent) : QWidget(parent) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  play_ = new QToolButton(this);
  play_->setObjectName(QStringLiteral("play"));
  play_->setProperty("look", "control");
  play_->setAccessibleName(tr("Play"));
  play_->setToolTip(tr("Plays the recording from here (Space)."));
  play_->setShortcut(QKeySequence(Qt::Key_Space));
  slider_ = new QSlider(Qt::Horizontal, this);
  slider_->setObjectName(QStringLiteral("timeSlider"));
  slider_->setRange(0, kTicks);
  slider_->setAccessibleName(tr("Time in the recording"));
  slider_->setToolTip(tr("Time shown, s. Arrows: one frame."));
  clock_ = new QLabel(this);
  speed_ = new QComboBox(this);
  speed_->setAccessibleName(tr("Speed of playing"));
  speed_->setToolTip(tr("How fast to play, as a multiple of real time."));
  for (const double speed : {0.1, 0.25, 1.0, 4.0, 16.0, 60.0})
    speed_->addItem(QStringLiteral("%1 ×").arg(speed), speed);
  speed_->setCurrentIndex(2);
  row->addWidget(play_);
  row->addWidget(slider_, 1);
  row->addWidget(clock_);
  row->addWidget(speed_);
  play_timer_.setInterval(kFrame_ms);
  play_timer_.setTimerType(Qt::PreciseTimer);
  connect(&play_timer_, &QTimer::timeout, this, &TimeBar::advance);
  connect(play_, &QToolButton::clicked, this, &TimeBar::togglePlay);
  connect(slider_, &QSlider::valueChanged, this,
          [this](int tick) { moveTo(begin_s_ + (end_s_ - begin_s_) * tick / kTicks); });
  connect(&theme(), &Theme::changed, this, &TimeBar::refresh);
  refresh();
}

void TimeBar::setRange(double begin_s, double end_s, double step_s) {
  play_timer_.stop();
  begin_s_ = begin_s;
  end_s_ = std::max(end_s, begin_s);
  const double span = std::max(1e-9, end_s_ - begin_s_);
  slider_->setSingleStep(std::max(1, static_cast<int>(std::lround(step_s / span * kTicks))));
  slider_->setPageStep(kTicks / 20);
  setEnabled(end_s_ > begin_s_);
  setTime(begin_s_);
}

void TimeBar::setTime(double time_s) {
  time_s_ = std::clamp(time_s, begin_s_, end_s_);
  const QSignalBlocker quiet(slider_);
  const double span = end_s_ - begin_s_;
  slider_->setValue(span > 0 ? static_cast<int>((time_s_ - begin_s_) / span * kTicks) : 0);
  refresh();
}

void TimeBar::moveTo(double time_s) {
  setTime(time_s);
  emit timeChanged(time_s_);
}

void TimeBar::togglePlay() {
  if (play_timer_.isActive()) {
    play_timer_.stop();
  } else {
    if (time_s_ >= end_s_) moveTo(begin_s_);
    since_.start();
    play_timer_.start();
  }
  refresh();
}

void TimeBar::advance() {
  const double passed_s = static_cast<double>(since_.nsecsElapsed()) * 1e-9;
  since_.start();
  moveTo(time_s_ + passed_s * speed_->currentData().toDouble());
  if (time_s_ >= end_s_) {
    play_timer_.stop();
    refresh();
  }
}

void TimeBar::refresh() {
  play_->setIcon(icon(playing() ? QStringLiteral("pause") : QStringLiteral("play")));
  clock_->setText(
      QStringLiteral("%1 s / %2").arg(fixed(time_s_ - begin_s_, 2), clockTime(end_s_ - begin_s_)));
}

}  // namespace tactelier::gui
