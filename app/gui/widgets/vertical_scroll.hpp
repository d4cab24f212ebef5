#pragma once
// Scrolls what is inside it downwards only, and is never narrower than that: nothing is cut off at
// the right, however large the text.

#include <QScrollArea>

namespace tactelier::gui {

class VerticalScroll : public QScrollArea {
 public:
  VerticalScroll(QWidget* inside, QWidget* parent);
  QSize minimumSizeHint() const override;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace tactelier::gui
