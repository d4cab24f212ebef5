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
  addTool(chip_);
  auto* grid = new QGridLayout;
  places_ = {addPlace(grid, tr("X [mm]"), "stage0"), addPlace(grid, tr("Y [mm]"), "stage1"),
             addPlace(grid, tr("Z [mm]"), "stage2")};
  depth_ = addPlace(grid, tr("Depth [mm]"), "tipDepth");
  left_ = addPlace(grid, tr("Z left [mm]"), "travelLeft");
  body()->addLayout(grid);
  facts_ = new QLabel(this);
  facts_->setObjectName(QStringLiteral("stageFacts"));
  facts_->setWordWrap(true);
  // Two lines, needed or not: the buttons beneath don't move under a hand.
  const auto two_lines = [this] { facts_->setMinimumHeight(heightOfLines(2, facts_->font())); };
  two_lines();
  connect(&theme(), &Theme::changed, this, two_lines);
  body()->addWidget(facts_);
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  using rig::messages::TaskKind;
  const auto add = [&](const QString& words, TaskKind kind, const QString& tip) {
    auto* made = task(words, kind, tip);
    row->addWidget(made);
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
  row->addWidget(cancel_);
  row->addStretch(1);
  body()->addLayout(row);
  body()->addStretch(1);
  connect(&rig_, &RigLink::changed, this, &TipPanel::refresh);
  refresh();
}

QLabel* TipPanel::addPlace(QGridLayout* grid, const QString& name, const char* object) {
  const int column = grid->count() / 2;
  auto* title = new QLabel(name, this);
  title->setProperty("look", "caption");
  auto* place = new QLabel(this);
  const auto large = [place] { place->setFont(theme().font(Type::kTitle)); };
  large();
  connect(&theme(), &Theme::changed, place, large);
  place->setAccessibleName(name);
  place->setObjectName(QLatin1String(object));
  grid->addWidget(title, 0, column);
  grid->addWidget(place, 1, column);
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
  facts_->setVisible(!compact);
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
  setCaption(compact_ ? facts_->text() : QString());
  const bool may = rig_.mode() == Mode::kSetUp && !rig_.working();
  for (auto* made : std::as_const(tasks_)) made->setEnabled(may);
  cancel_->setVisible(rig_.mode() == Mode::kSetUp && rig_.working());
}

}  // namespace tactelier::gui
