#pragma once
// One line of words that takes the room that is left, and ends in dots where it is less than its
// words; the tip then has them all.

#include <QLabel>

namespace tactelier::gui {

class ElidedLabel : public QLabel {
 public:
  explicit ElidedLabel(QWidget* parent = nullptr);

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace tactelier::gui
