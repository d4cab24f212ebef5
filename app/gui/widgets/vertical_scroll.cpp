#include "app/gui/widgets/vertical_scroll.hpp"

#include <QEvent>
#include <QScrollBar>

namespace tactelier::gui {

VerticalScroll::VerticalScroll(QWidget* inside, QWidget* parent) : QScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setWidget(inside);
  for (auto* part : {viewport(), inside}) part->setAutoFillBackground(false);
}

QSize VerticalScroll::minimumSizeHint() const {
  const int inside = widget()->minimumSizeHint().width();
  return {inside + verticalScrollBar()->sizeHint().width(),
          QScrollArea::minimumSizeHint().height()};
}

bool VerticalScroll::eventFilter(QObject* watched, QEvent* event) {
  const bool done = QScrollArea::eventFilter(watched, event);
  if (watched == widget() && event->type() == QEvent::LayoutRequest) updateGeometry();
  return done;
}

}  // namespace tactelier::gui
