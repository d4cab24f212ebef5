#include "app/gui/pages/session/tip_panel.hpp"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

#include "app/gui/state/rig_link.hpp"
#include "app/gui/state/tip_place.hpp"
#include "app/gui/text/message.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/elided_label.hpp"
#include "app/gui/widgets/line_height.hpp"

namespace tactelier::gui {
namespace {

void setLook(QLabel* label, const char* look) {
  if (label->property("look").toByteArray() == look) return;
  label->setProperty("look", look);
  label->style()->unpolish(label);
  label->style()->polish(label);
}

}  // namespace

TipPanel::TipPanel(RigLink& rig, QWidget* parent) : Panel(tr("Stage"), parent), rig_(rig) {
  chip_ = new QLabel(this);
  chip_->setObjectName(QStringLiteral("stageChip"));
  coordinates_ = new QWidget(this);
  grid_ = new QGridLayout(coordinates_);
  grid_->setContentsMargins(0, 0, 0, 0);
  places_ = {addPlace(tr("X [mm]"), "stage0"), addPlace(tr("Y [mm]"), "stage1"),
             addPlace(tr("Z [mm]"), "stage2")};
  depth_ = addPlace(tr("Depth [mm]"), "tipDepth");
  left_ = addPlace(tr("Z left [mm]"), "travelLeft");
  facts_ = new QLabel(this);
  facts_->setObjectName(QStringLiteral("stageFacts"));
  facts_->setWordWrap(true);
  // Two lines, needed or not: the buttons beneath don't move under a hand.
  const auto two_lines = [this] { facts_->setMinimumHeight(heightOfLines(2, facts_->font())); };
  two_lines();
  connect(&theme(), &Theme::changed, this, two_lines);
  standing_ = new QWidget(this);
  auto* line = new QHBoxLayout(standing_);
  line->setContentsMargins(0, 0, 0, 0);
  facts_line_ = new ElidedLabel(standing_);
  facts_line_->setProperty("look", "caption");
  line->addWidget(facts_line_, 1);
  runs_ = new QWidget(this);
  runs_row_ = new QBoxLayout(QBoxLayout::LeftToRight, runs_);
  runs_row_->setContentsMargins(0, 0, 0, 0);
  using rig::messages::TaskKind;
  const auto add = [&](const QString& words, TaskKind kind, const QString& tip) {
    auto* made = task(words, kind, tip);
    runs_row_->addWidget(made);
    tasks_ << made;
  };
  add(tr("Home  H"), TaskKind::kHome,
      tr("Finds the reference switches, Z first and upwards. Surface and "
         "registration are void then.\ntactelier rig home"));
  add(tr("Surface  C"), TaskKind::kSurface,
      tr("Touches the pad at five points: height and tilt.\ntactelier surface"));
  add(tr("Register"), TaskKind::kRegister,
      tr("Presses nine tactels: where the pad lies under the stage.\ntactelier register"));
  add(tr("Retract  R"), TaskKind::kRetract, tr("Raises the tip to the safe height."));
  cancel_ = new QPushButton(tr("Cancel"), this);
  cancel_->setObjectName(QStringLiteral("cancelTask"));
  cancel_->setToolTip(tr("Ends what runs, in order: the tip goes up."));
  connect(cancel_, &QPushButton::clicked, &rig_, &RigLink::cancel);
  auto keeps = cancel_->sizePolicy();
  keeps.setRetainSizeWhenHidden(true);
  cancel_->setSizePolicy(keeps);
  body()->addWidget(coordinates_);
  body()->addWidget(facts_);
  body()->addWidget(runs_);
  body()->addStretch(1);
  runs_row_->addStretch(1);
  layCoordinates();
  gather();
  connect(&theme(), &Theme::changed, this, &TipPanel::layCoordinates);
  connect(&rig_, &RigLink::changed, this, &TipPanel::refresh);
  refresh();
}

QWidget* TipPanel::cancel() const { return cancel_; }

/// Side by side, each under its name, or a list.
void TipPanel::layCoordinates() {
  grid_->setHorizontalSpacing(compact_ ? 8 : -1);
  grid_->setVerticalSpacing(compact_ ? 0 : -1);
  for (int i = 0; i < cells_.size(); ++i) {
    const auto& [name, value] = cells_[i];
    for (auto* part : {name, value}) grid_->removeWidget(part);
    grid_->addWidget(name, compact_ ? i : 0, compact_ ? 0 : i);
    grid_->addWidget(value, compact_ ? i : 1, compact_ ? 1 : i);
    value->setFont(theme().font(compact_ ? Type::kBold : Type::kTitle));
    value->setAlignment(Qt::AlignVCenter | (compact_ ? Qt::AlignRight : Qt::AlignLeft));
    // As wide as it gets: nothing beside the list moves while the stage does.
    value->setMinimumWidth(
        compact_ ? value->fontMetrics().horizontalAdvance(QStringLiteral("−000.000")) : 0);
  }
}

void TipPanel::gather() {
  addTool(chip_);
  body()->insertWidget(0, coordinates_);
  body()->insertWidget(2, runs_);
  runs_row_->insertWidget(static_cast<int>(tasks_.size()), cancel_);
  standing_->hide();
}

QLabel* TipPanel::addPlace(const QString& name, const char* object) {
  auto* title = new QLabel(name, this);
  title->setProperty("look", "caption");
  auto* place = new QLabel(this);
  place->setAccessibleName(name);
  place->setObjectName(QLatin1String(object));
  cells_.append(std::pair(title, place));
  return place;
}

QPushButton* TipPanel::task(const QString& words, rig::messages::TaskKind kind,
                            const QString& tip) {
  auto* made = new QPushButton(words, this);
  made->setObjectName(QStringLiteral("task_") + text(to_string(kind)));
  made->setToolTip(tip);
  connect(made, &QPushButton::clicked, &rig_, [this, kind] { rig_.run(kind); });
  return made;
}

void TipPanel::setCompact(bool compact) {
  compact_ = compact;
  setVisible(!compact);
  runs_row_->setDirection(compact ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
  runs_row_->setSpacing(compact ? 2 : 8);
  layCoordinates();
  if (compact)
    standing_->layout()->addWidget(chip_);
  else
    gather();
  standing_->setVisible(compact);
  refresh();
}

void TipPanel::refresh() {
  const auto& status = rig_.status();
  const bool known = rig_.connected() && rig_.live() && rig_.live()->stage_ns != 0;
  for (std::size_t axis = 0; axis < places_.size(); ++axis)
    places_[axis]->setText(known ? fixed(1e3 * rig_.live()->position_m[axis], 3)
                                 : QStringLiteral("—"));
  const auto place = tipPlace(rig_);
  const auto millimetres = [](const std::optional<double>& length_m) {
    return length_m ? fixed(1e3 * *length_m, 3) : QStringLiteral("—");
  };
  depth_->setText(millimetres(place.depth_m));
  depth_->setToolTip(place.depth_m
                         ? tr("The tip under the surface, by the stage's way; negative: over it.")
                         : tr("Known once the surface is found since homing."));
  left_->setText(millimetres(place.left_m));
  left_->setToolTip(!place.left_m ? tr("The rig file states no travel, and no depth limit is known "
                                       "to be near.")
                    : place.left_to_depth_limit
                        ? tr("Downwards to the depth limit.")
                        : tr("Downwards to the end of the stage's travel."));
  chip_->setText(!rig_.connected()         ? tr("○ not connected")
                 : status.position_trusted ? tr("● homed, trusted")
                                           : tr("▲ position void"));
  setLook(chip_, !rig_.connected() ? "caption" : status.position_trusted ? "good" : "look");
  QStringList facts;
  if (rig_.connected()) {
    facts << (status.surface_found ? tr("Surface found since homing.") : tr("Surface not found."))
          << (status.registered ? tr("Pad registered.") : tr("Pad not registered."));
    if (const auto& progress = rig_.progress();
        progress && status.task != rig::messages::TaskKind::kRecord)
      facts << (progress->total > 0
                    ? tr("%1: %2 of %3.")
                          .arg(text(progress->what))
                          .arg(progress->done)
                          .arg(progress->total)
                    : tr("%1: %2.").arg(text(progress->what), text(progress->detail)));
  }
  facts_->setText(facts.join(QLatin1Char(' ')));
  facts_line_->setText(facts_->text());
  const bool may = rig_.mode() == Mode::kSetUp && !rig_.working();
  for (auto* made : std::as_const(tasks_)) made->setEnabled(may);
  cancel_->setVisible(rig_.mode() == Mode::kSetUp && rig_.working());
}

}  // namespace tactelier::gui
