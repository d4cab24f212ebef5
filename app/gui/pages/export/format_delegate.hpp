#pragma once
// A format in two lines with its lamp at the right: ● complete, ▲ something missing, ○ refused.

#include <QStyledItemDelegate>

namespace tactelier::gui {

class FormatDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace tactelier::gui
