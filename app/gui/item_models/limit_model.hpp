#pragma once
// The supervisor's limits with what happens when one is reached, as `record --limits` prints them.

#include <QAbstractTableModel>
#include <vector>

#include "devices/supervision/limits.hpp"

namespace tactelier::gui {

class LimitModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kLimit, kValue, kAction, kOvershoot, kColumns };

  using QAbstractTableModel::QAbstractTableModel;
  void setLimits(std::vector<rig::LimitRow> limits);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<rig::LimitRow> limits_;
};

}  // namespace tactelier::gui
