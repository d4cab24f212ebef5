#pragma once
// What locks the rig, and the way out of it: acknowledge, or look after a rig that was lost.

#include <QFrame>

class QLabel;
class QPushButton;

namespace tactelier::gui {

class HoldButton;
class RigLink;

class LockNotice : public QFrame {
  Q_OBJECT
 public:
  explicit LockNotice(RigLink& rig, QWidget* parent = nullptr);

 private:
  void refresh();

  RigLink& rig_;
  QLabel* words_;
  HoldButton* acknowledge_;
  QPushButton* again_;
  HoldButton* stands_;
};

}  // namespace tactelier::gui
