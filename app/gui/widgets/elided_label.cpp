#include "app/gui/widgets/elided_label.hpp"

#include <QPainter>
#include <QStyle>

namespace tactelier::gui {

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent) {
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const auto room = contentsRect();
  const auto words = fontMetrics().elidedText(text(), Qt::ElideRight, room.width());
  style()->drawItemText(&painter, room, Qt::AlignLeft | Qt::AlignVCenter, palette(), isEnabled(),
                        words, foregroundRole());
  setToolTip(words == text() ? QString() : text());
}

}  // namespace tactelier::gui
