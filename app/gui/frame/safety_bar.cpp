#include "app/gui/frame/safety_bar.hpp"

#include <QPainter>

#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {
namespace {

// Widths at 100 % (docs/desktop-app.md 1).
constexpr double kWide = 1280;  // narrower: the lamps keep their names, the rest is in their tips
constexpr double kOneLine = 1000;  // narrower: streams and recording go into a second line
constexpr double kStopMargin = 14;
constexpr double kSecondLine = 72;

}  // namespace

SafetyBar::SafetyBar(QWidget* parent) : QFrame(parent) {
  setProperty("look", "safety");
  setObjectName(QStringLiteral("safetyBar"));
  setAccessibleName(tr("Safety bar: mode, force, streams, recording, stop"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  mode_ = new ModeBanner(this);
  force_ = new ForceBar(this);
  const std::array<QString, 3> names{tr("Force"), tr("Tactile"), tr("Stage")};
  for (std::size_t i = 0; i < names.size(); ++i) lamps_[i] = new StreamLamp(names[i], this);
  clock_ = new RecordClock(this);
  stop_ = new StopButton(this);
  stop_->setObjectName(QStringLiteral("stopButton"));
  place();
  show(RigSnapshot{});
  connect(&theme(), &Theme::changed, this, &SafetyBar::place);
}

void SafetyBar::show(const RigSnapshot& snapshot) {
  mode_->show(snapshot);
  force_->show(snapshot);
  for (std::size_t i = 0; i < lamps_.size(); ++i) lamps_[i]->show(snapshot.streams[i]);
  clock_->show(snapshot);
  stop_->show(snapshot);
}

void SafetyBar::setLarge(bool large) {
  large_ = large;
  mode_->setProperty("large", large);
  place();
}

QSize SafetyBar::minimumSizeHint() const {
  return {theme().px(244 + 176 + 2 * kStopMargin), minimumHeight()};
}

void SafetyBar::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  place();
}

void SafetyBar::paintEvent(QPaintEvent* event) {
  QFrame::paintEvent(event);
  QPainter painter(this);
  for (const auto& line : separators_) painter.fillRect(line, palette().color(QPalette::Mid));
}

/// STOP first, at the right; then the mode, then the rest: what is short of room is never STOP.
void SafetyBar::place() {
  const auto px = [](double length) { return theme().px(length); };
  const double room = width() / theme().scale();
  const bool narrow = room < kWide;
  const bool two_lines = room < kOneLine;
  const int line = px(large_ ? 168 : 84);
  setFixedHeight(line + (two_lines ? px(kSecondLine) : 0));
  const QSize stop(px(176), px(large_ ? 128 : 64));
  const int stop_left = width() - px(kStopMargin) - stop.width();
  stop_->setGeometry(QRect(QPoint(stop_left, (line - stop.height()) / 2), stop));
  const int end = stop_left - px(kStopMargin);
  const int mode = std::min(px(large_ ? (narrow ? 460 : 560) : (narrow ? 244 : 280)), end);
  mode_->setGeometry(0, 0, mode, line - 1);
  separators_.clear();
  const int force = px(narrow ? 210 : large_ ? 300 : 372);
  const bool force_below = two_lines && end - mode < px(150);
  if (two_lines) {
    if (!force_below) force_->setGeometry(mode, 0, end - mode, line - 1);
    separators_ << QRect(0, line, width(), 1);
    placeStreams(force_below ? force : 0, width(), line + 1, px(kSecondLine) - 2, narrow);
    if (force_below) force_->setGeometry(0, line + 1, force, px(kSecondLine) - 2);
  } else {
    force_->setGeometry(mode, 0, force, line - 1);
    placeStreams(mode + force, end, 0, line - 1, narrow);
  }
  separators_ << QRect(end, 0, 1, line);
  mode_->update();
  update();
}

/// Lamps and the clock, from `left` to `right`.
void SafetyBar::placeStreams(int left, int right, int top, int height, bool narrow) {
  const int clock = theme().px(narrow ? (large_ ? 110 : 140) : (large_ ? 150 : 192));
  clock_->setGeometry(right - clock, top, clock, height);
  separators_ << QRect(left, top, 1, height) << QRect(right - clock, top, 1, height);
  const int first = left + theme().px(16);
  const int width = (right - clock - first) / static_cast<int>(lamps_.size());
  for (std::size_t i = 0; i < lamps_.size(); ++i)
    lamps_[i]->setGeometry(first + static_cast<int>(i) * width, top, width, height);
}

}  // namespace tactelier::gui
