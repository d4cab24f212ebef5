#pragma once
// Cells of tables: chips for states, thumbnails of arrays, values with their uncertainty.

#include <QStyledItemDelegate>

namespace tactelier::gui {

/// A state as a soft chip; the look comes from `look_role` (LibraryEntry::Look as int).
class ChipDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  ChipDelegate(int look_role, QObject* parent);
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;

 private:
  int look_role_;
};

/// As large as the room allows, each pixel a cell of its own.
void paintThumbnail(QPainter& painter, const QImage& image, const QRectF& room);

/// The image of Qt::DecorationRole, cells unsmoothed, in a small frame.
class ThumbnailDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
};

/// "2012 ± 12 N/m": the number bold, the uncertainty plain (text as from valueWithUncertainty()).
class ValueDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
};

/// The title of a group in a tree (rows without a parent): bold on a band.
class GroupDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  /// The height of a dense row.
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace tactelier::gui
