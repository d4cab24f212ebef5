#pragma once
// A reports' Table for a QTableView: cells as they stand there, columns of numbers to the right and
// sorted by value.

#include <QAbstractTableModel>
#include <vector>

#include "reports/section.hpp"

namespace tactelier::gui {

class TextTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  static constexpr int kSortRole = Qt::UserRole;

  explicit TextTableModel(QObject* parent = nullptr);
  void setTable(Table table);
  const Table& table() const { return table_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QString cell(int row, int column) const;

  Table table_;
  std::vector<bool> numbers_;  // by column
};

}  // namespace tactelier::gui
