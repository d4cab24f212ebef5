#pragma once
// What the fit achieved and what is missing, in one strip at the top of the page.

#include <QFrame>

class QLabel;

namespace tactelier::gui {

class AppState;

class VerdictStrip : public QFrame {
  Q_OBJECT
 public:
  explicit VerdictStrip(AppState& state, QWidget* parent = nullptr);
  /// Headline and rest as one text.
  QString words() const;

 private:
  void refresh();
  void showModel();
  void setLook(const char* look);

  AppState& state_;
  QLabel* headline_;
  QLabel* rest_;
};

}  // namespace tactelier::gui
