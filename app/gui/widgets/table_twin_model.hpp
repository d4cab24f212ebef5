#pragma once
// TableContent for a QTableView.

#include <QAbstractTableModel>

#include "app/gui/widgets/as_table.hpp"

namespace tactelier::gui {

class TableTwinModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  using QAbstractTableModel::QAbstractTableModel;
  void setContent(TableContent content) {
    beginResetModel();
    content_ = std::move(content);
    endResetModel();
  }
  int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(content_.rows.size());
  }
  int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(content_.columns.size());
  }
  QVariant data(const QModelIndex& index, int role) const override {
    if (!index.isValid() || role != Qt::DisplayRole) return {};
    return content_.rows[static_cast<std::size_t>(index.row())].value(index.column());
  }
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal) return {};
    return content_.columns.value(section);
  }

 private:
  TableContent content_;
};

}  // namespace tactelier::gui
