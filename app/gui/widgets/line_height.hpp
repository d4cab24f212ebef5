#pragma once
// Room for text that may need another line: whoever reserves it moves nothing when the line comes.

#include <QFontMetrics>
#include <QRect>
#include <QString>

namespace tactelier::gui {

/// As a label that wraps asks for it.
inline int heightOfLines(int lines, const QFont& font) {
  QString text(QStringLiteral("X"));
  for (int i = 1; i < lines; ++i) text += QStringLiteral("\nX");
  return QFontMetrics(font).boundingRect(QRect(0, 0, 2000, 2000), Qt::TextWordWrap, text).height();
}

}  // namespace tactelier::gui
