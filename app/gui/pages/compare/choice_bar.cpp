#include "app/gui/pages/compare/choice_bar.hpp"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>

#include "app/gui/text/message.hpp"
#include "app/gui/widgets/flow_layout.hpp"
#include "app/gui/widgets/newton_switch.hpp"
#include "libcalib/forward/forward_method.hpp"

namespace tactelier::gui {

ChoiceBar::ChoiceBar(const QStringList& methods, QWidget* parent) : QWidget(parent) {
  new FlowLayout(24, 8, this);
  auto* of_methods = addGroup(tr("Methods"));
  for (const auto& info : forward_methods()) {
    auto* box = addBox(of_methods, QStringLiteral("method_") + text(info.name), text(info.name),
                       text(info.what));
    box->setChecked(methods.contains(box->text()));
    connect(box, &QCheckBox::toggled, this, &ChoiceBar::methodsChanged);
    methods_.push_back(box);
  }
  registered_ = addBox(of_methods, QStringLiteral("compareRegistered"), tr("Registered"),
                       tr("Each method once more with every indenter where its prediction fits "
                          "best: what placing costs.\ntactelier compare --registered"));
  connect(registered_, &QCheckBox::toggled, this, &ChoiceBar::methodsChanged);
  addMarks();
  scale_ = addSegments(addGroup(tr("Scale of")), "compareScale", tr("Scale of"),
                       {tr("this image"), tr("all")});
  connect(scale_, &Segmented::chosen, this, &ChoiceBar::looksChanged);
  auto* of_unit = addGroup(tr("Unit"));
  unit_ = new NewtonSwitch(of_unit);
  unit_->setObjectName(QStringLiteral("compareUnit"));
  of_unit->layout()->addWidget(unit_);
  connect(unit_, &NewtonSwitch::changed, this, &ChoiceBar::looksChanged);
}

void ChoiceBar::addMarks() {
  auto* marks = addGroup({});
  contours_ = addBox(marks, QStringLiteral("compareContours"), tr("Contours"),
                     tr("Outlines: real solid, simulated dashed, both over the difference"));
  contours_->setChecked(true);
  level_ =
      addSegments(marks, "compareContourLevel", tr("Contours at"), {tr("contact"), tr("half")});
  level_->setChoiceEnabled(0, true,
                           tr("Where a tactel tells contact from rest: three times its noise, at "
                              "least one step. The contact of iou."));
  level_->setChoiceEnabled(1, true, tr("At half of the largest real reading"));
  centres_ = addBox(marks, QStringLiteral("compareCentreMarks"), tr("Centre"),
                    tr("Centre of force, and the direction of an elongated image: real solid, "
                       "simulated dashed"));
  centres_->setChecked(true);
  connect(contours_, &QCheckBox::toggled, level_, &QWidget::setEnabled);
  connect(contours_, &QCheckBox::toggled, this, &ChoiceBar::looksChanged);
  connect(level_, &Segmented::chosen, this, &ChoiceBar::looksChanged);
  connect(centres_, &QCheckBox::toggled, this, &ChoiceBar::looksChanged);
}

Segmented* ChoiceBar::addSegments(QWidget* group, const char* name, const QString& says,
                                  const QStringList& choices) {
  auto* segments = new Segmented(says, choices, group);
  segments->setObjectName(QLatin1String(name));
  group->layout()->addWidget(segments);
  return segments;
}

QWidget* ChoiceBar::addGroup(const QString& title) {
  auto* group = new QWidget(this);
  auto* row = new QHBoxLayout(group);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  if (!title.isEmpty()) row->addWidget(new QLabel(title, group));
  layout()->addWidget(group);
  return group;
}

QCheckBox* ChoiceBar::addBox(QWidget* group, const QString& name, const QString& words,
                             const QString& tip) {
  auto* box = new QCheckBox(words, group);
  box->setObjectName(name);
  box->setToolTip(tip);
  group->layout()->addWidget(box);
  return box;
}

QStringList ChoiceBar::methods() const {
  QStringList chosen;
  for (const auto* box : methods_)
    if (box->isChecked()) chosen << box->text();
  return chosen;
}

void ChoiceBar::setMethods(const QStringList& methods) {
  for (auto* box : methods_) box->setChecked(methods.contains(box->text()));
}

bool ChoiceBar::registered() const { return registered_->isChecked(); }

void ChoiceBar::setRegistered(bool registered) { registered_->setChecked(registered); }

Outline ChoiceBar::outline() const {
  if (!contours_->isChecked()) return Outline::kNone;
  return level_->current() == 1 ? Outline::kHalf : Outline::kContact;
}

bool ChoiceBar::centres() const { return centres_->isChecked(); }

bool ChoiceBar::scaleOfAll() const { return scale_->current() == 1; }

}  // namespace tactelier::gui
