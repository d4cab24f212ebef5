#include "app/gui/widgets/segmented.hpp"

#include <QHBoxLayout>
#include <QToolButton>

namespace tactelier::gui {

Segmented::Segmented(const QString& accessible_name, const QStringList& choices, QWidget* parent)
    : QWidget(parent), group_(this) {
  setAccessibleName(accessible_name);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  for (int i = 0; i < choices.size(); ++i) {
    auto* button = new QToolButton(this);
    button->setProperty("look", "segment");
    if (i == 0) button->setProperty("edge", "first");
    if (i == choices.size() - 1) button->setProperty("edge", "last");
    button->setText(choices[i]);
    button->setCheckable(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setAccessibleName(QStringLiteral("%1: %2").arg(accessible_name, choices[i]));
    group_.addButton(button, i);
    row->addWidget(button);
  }
  group_.button(0)->setChecked(true);
  connect(&group_, &QButtonGroup::idClicked, this, &Segmented::chosen);
}

void Segmented::setCurrent(int index) {
  if (auto* button = group_.button(index)) button->setChecked(true);
}

void Segmented::setChoiceText(int index, const QString& text) {
  if (auto* button = group_.button(index)) button->setText(text);
}

void Segmented::setChoiceEnabled(int index, bool enabled, const QString& why) {
  auto* button = group_.button(index);
  if (button == nullptr) return;
  button->setEnabled(enabled);
  button->setToolTip(why);
}

}  // namespace tactelier::gui
