#include "app/gui/frame/rail.hpp"

#include <QAction>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/gui/theme/icons.hpp"

namespace tactelier::gui {

Rail::Rail(QWidget* parent) : QFrame(parent), group_(this) {
  setProperty("look", "rail");
  setAccessibleName(tr("Pages"));
  column_ = new QVBoxLayout(this);
  column_->setContentsMargins(0, 6, 1, 6);
  column_->setSpacing(0);
  column_->addStretch(1);
  connect(&theme(), &Theme::changed, this, &Rail::resizeParts);
  resizeParts();
}

QToolButton* Rail::button(const QString& title, const QString& icon) {
  auto* made = new QToolButton(this);
  made->setProperty("look", "railItem");
  made->setText(title);
  made->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
  made->setFocusPolicy(Qt::TabFocus);
  made->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setThemedIcon(made, icon);
  all_.append(made);
  return made;
}

void Rail::addPage(const QString& id, const QString& title, const QString& icon,
                   const QString& tip) {
  auto* made = button(title, icon);
  made->setObjectName(QStringLiteral("rail_") + id);
  made->setCheckable(true);
  made->setAccessibleName(tr("Page %1").arg(title));
  made->setToolTip(tip);
  group_.addButton(made);
  column_->insertWidget(static_cast<int>(buttons_.size()), made);
  buttons_.insert(id, made);
  connect(made, &QToolButton::clicked, this, [this, id] { emit chosen(id); });
  resizeParts();
}

void Rail::addFoot(QAction* action, const QString& title, const QString& icon) {
  auto* made = button(title, icon);
  made->setAccessibleName(title);
  made->setToolTip(action->toolTip());
  column_->addWidget(made);
  connect(made, &QToolButton::clicked, action, &QAction::trigger);
  resizeParts();
}

void Rail::setCurrent(const QString& id) {
  if (auto* made = buttons_.value(id)) {
    made->setChecked(true);
    return;
  }
  group_.setExclusive(false);
  for (auto* made : std::as_const(buttons_)) made->setChecked(false);
  group_.setExclusive(true);
}

void Rail::resizeParts() {
  setFixedWidth(theme().px(84));
  for (auto* made : std::as_const(all_)) {
    made->setFixedHeight(theme().px(made->isCheckable() ? 62 : 50));
    made->setIconSize(QSize(theme().px(22), theme().px(22)));
  }
}

}  // namespace tactelier::gui
