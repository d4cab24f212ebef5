#pragma once
// Takes the room there is: a page that asked for what its words would like to have would scroll
// where everything fits.

#include <QWidget>

namespace tactelier::gui {

class RoomBox : public QWidget {
 public:
  using QWidget::QWidget;
  bool hasHeightForWidth() const override { return false; }
  QSize sizeHint() const override {
    return {QWidget::sizeHint().width(), minimumSizeHint().height()};
  }
};

}  // namespace tactelier::gui
