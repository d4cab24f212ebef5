#include "app/gui/frame/safety_bar.hpp"

#include <QHBoxLayout>
#include <QStyle>

#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {
namespace {

QFrame* separator(QWidget* parent) {
  auto* line = new QFrame(parent);
  line->setFrameShape(QFrame::NoFrame);
  line->setFixedWidth(1);
  line->setAutoFillBackground(true);
  line->setBackgroundRole(QPalette::Mid);
  return line;
}

}  // namespace

SafetyBar::SafetyBar(QWidget* parent) : QFrame(parent) {
  setProperty("look", "safety");
  setObjectName(QStringLiteral("safetyBar"));
  setAccessibleName(tr("Safety bar: mode, force, streams, recording, stop"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 1);
  row->setSpacing(0);
  mode_ = new ModeBanner(this);
  force_ = new ForceBar(this);
  row->addWidget(mode_);
  row->addWidget(force_);
  row->addWidget(separator(this));
  row->addSpacing(16);
  const std::array<QString, 3> names{tr("Force"), tr("Tactile"), tr("Stage")};
  for (std::size_t i = 0; i < names.size(); ++i) {
    lamps_[i] = new StreamLamp(names[i], this);
    row->addWidget(lamps_[i], 1);
  }
  row->addWidget(separator(this));
  clock_ = new RecordClock(this);
  row->addWidget(clock_);
  row->addWidget(separator(this));
  row->addSpacing(14);
  stop_ = new StopButton(this);
  row->addWidget(stop_);
  row->addSpacing(14);
  resizeParts();
  show(RigSnapshot{});
  connect(&theme(), &Theme::changed, this, &SafetyBar::resizeParts);
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
  resizeParts();
}

void SafetyBar::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  resizeParts();
}

void SafetyBar::resizeParts() {
  // Where it is narrow the lamps keep their names; what doesn't fit is in their tips.
  const bool narrow = width() < theme().px(1280);
  setFixedHeight(theme().px(large_ ? 168 : 84));
  mode_->setFixedWidth(theme().px(large_ ? (narrow ? 460 : 560) : (narrow ? 244 : 280)));
  force_->setFixedWidth(theme().px(narrow ? 210 : large_ ? 300 : 372));
  clock_->setFixedWidth(theme().px(narrow ? (large_ ? 110 : 140) : (large_ ? 150 : 192)));
  stop_->setFixedSize(theme().px(176), theme().px(large_ ? 128 : 64));
  mode_->update();
}

}  // namespace tactelier::gui
