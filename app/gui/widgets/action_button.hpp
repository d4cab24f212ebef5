#pragma once
// A push button that stands for a shared action: its words, key, tip and enabled state.

#include <QPushButton>

class QAction;

namespace tactelier::gui {

class ActionButton : public QPushButton {
  Q_OBJECT
 public:
  /// Where there is less room the tip says what the button doesn't.
  enum class Says { kWordsAndKey, kWords, kIcon };

  ActionButton(QAction* action, const QString& icon, bool primary, QWidget* parent);
  void say(Says says);

 private:
  void follow();

  QAction* action_;
  Says says_ = Says::kWordsAndKey;
};

}  // namespace tactelier::gui
