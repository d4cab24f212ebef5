#include "app/gui/frame/rail.hpp"

#include <QAction>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

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
  constexpr int kIcon = 22;
  setThemedIcon(made, icon, Token::kText, kIcon);
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

void Rail::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  resizeParts();
}

/// In a low window the icons stay, their words go into the tips.
void Rail::resizeParts() {
  const auto px = [](double length) { return theme().px(length); };
  const int count = static_cast<int>(all_.size());
  const int edges = 12;
  setMinimumHeight(count * px(24) + edges);
  const bool words = height() >= count * px(62) + edges;
  setFixedWidth(px(84));
  const int low = count > 0 ? (height() - edges) / count : 0;
  for (auto* made : std::as_const(all_)) {
    made->setToolButtonStyle(words ? Qt::ToolButtonTextUnderIcon : Qt::ToolButtonIconOnly);
    made->setFixedHeight(words ? px(made->isCheckable() ? 62 : 50)
                               : std::clamp(low, px(24), px(50)));
  }
}

}  // namespace tactelier::gui
