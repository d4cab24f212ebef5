#include "app/gui/pages/compare/choice_bar.hpp"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>

#include "app/gui/text/message.hpp"
#include "app/gui/widgets/flow_layout.hpp"
#include "app/gui/widgets/segmented.hpp"
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
  contours_ = addBox(addGroup({}), QStringLiteral("compareContours"), tr("Contours"),
                     tr("Outlines at half of the largest real reading: real solid, simulated "
                        "dashed, both over the difference"));
  contours_->setChecked(true);
  connect(contours_, &QCheckBox::toggled, this, &ChoiceBar::looksChanged);
  auto* of_scale = addGroup(tr("Scale of"));
  scale_ = new Segmented(tr("Scale of"), {tr("this image"), tr("all")}, of_scale);
  scale_->setObjectName(QStringLiteral("compareScale"));
  of_scale->layout()->addWidget(scale_);
  connect(scale_, &Segmented::chosen, this, &ChoiceBar::looksChanged);
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

bool ChoiceBar::contours() const { return contours_->isChecked(); }

bool ChoiceBar::scaleOfAll() const { return scale_->current() == 1; }

}  // namespace tactelier::gui
