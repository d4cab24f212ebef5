#pragma once
// The presses of a recording as a table; a press is included by its check box. Looks at the
// document, holds nothing of its own: 100 000 rows cost nothing.

#include <QAbstractTableModel>
#include <QPointer>

namespace tactelier::gui {

class RecordingDocument;

class PressModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kNumber, kTactel, kKind, kBegin, kLength, kVerdict, kColumns };
  static constexpr int kSortRole = Qt::UserRole;
  static constexpr int kNumberRole = Qt::UserRole + 1;

  explicit PressModel(QObject* parent = nullptr);
  void setDocument(RecordingDocument* document);
  /// Row of a press by its number; -1 for none.
  int rowOf(int press) const;
  /// Called when one press changed.
  void refresh(int press);
  void refreshAll();

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 private:
  QPointer<RecordingDocument> document_;
};

}  // namespace tactelier::gui
