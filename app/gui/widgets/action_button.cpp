#include "app/gui/widgets/action_button.hpp"

#include <QAction>

#include "app/gui/theme/icons.hpp"

namespace tactelier::gui {

ActionButton::ActionButton(QAction* action, const QString& icon, bool primary, QWidget* parent)
    : QPushButton(parent), action_(action) {
  if (primary) setProperty("look", "primary");
  if (!icon.isEmpty()) setThemedIcon(this, icon, primary ? Token::kAccentText : Token::kText);
  follow();
  connect(action, &QAction::changed, this, &ActionButton::follow);
  connect(this, &QPushButton::clicked, action, &QAction::trigger);
}

void ActionButton::say(Says says) {
  if (says == says_) return;
  says_ = says;
  follow();
}

void ActionButton::follow() {
  auto words = action_->text();
  words.remove(QLatin1Char('&'));
  const auto key = action_->shortcut().toString(QKeySequence::NativeText);
  const auto all = key.isEmpty() ? words : words + QStringLiteral("  ") + key;
  const bool wordless = says_ == Says::kIcon && !icon().isNull();
  setText(says_ == Says::kWordsAndKey ? all : wordless ? QString() : words);
  setEnabled(action_->isEnabled());
  setToolTip(says_ == Says::kWordsAndKey ? action_->toolTip()
                                         : all + QLatin1Char('\n') + action_->toolTip());
  setAccessibleName(words);
}

}  // namespace tactelier::gui
