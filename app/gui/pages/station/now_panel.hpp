#pragma once
// One thing to do now: the instruction large, the field that a scanner types into, one button.

#include "app/gui/widgets/panel.hpp"

class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace tactelier::gui {

class RigLink;
class StationRunner;

class NowPanel : public Panel {
  Q_OBJECT
 public:
  /// Both outlive the panel.
  NowPanel(StationRunner& station, const RigLink& rig, QWidget* parent = nullptr);
  /// Of the last sensor or code, until the next line is entered.
  void remark(const QString& words);
  QLineEdit* field() const { return field_; }

 private:
  void refresh();
  void showWaiting();
  void showQuestion();
  void showWork();
  void say(const QString& instruction, const QString& detail);
  /// Field and button: what for; "" off.
  void offer(const QString& button, const QString& placeholder);
  void enter();

  StationRunner& station_;
  const RigLink& rig_;
  QLabel* serial_;
  QLabel* instruction_;
  QLabel* detail_;
  QLabel* remark_;
  QLineEdit* field_;
  QPushButton* go_;
  QProgressBar* bar_;
  bool asked_ = false;  // the field is for an answer
};

}  // namespace tactelier::gui
