#pragma once
// Work in the status bar: name, bar, %, time left, cancel. Appears after 0.3 s; several: on click.

#include <QWidget>

class QLabel;
class QProgressBar;
class QTimer;
class QToolButton;

namespace tactelier::gui {

class Jobs;

class JobStrip : public QWidget {
  Q_OBJECT
 public:
  explicit JobStrip(Jobs& jobs, QWidget* parent = nullptr);

 private:
  void refresh();
  void showAll();

  Jobs& jobs_;
  int shown_ = 0;
  QLabel* name_;
  QProgressBar* bar_;
  QLabel* left_;
  QToolButton* more_;
  QToolButton* cancel_;
};

/// "24 min left", "40 s left".
QString timeLeft(double seconds);

}  // namespace tactelier::gui
