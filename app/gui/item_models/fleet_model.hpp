#pragma once
// The parameters of a fleet: how many sensors have each, what is usual, who is odd, what drifts.

#include <QAbstractTableModel>
#include <vector>

#include "app/workflow/catalogue/fleet_report.hpp"

namespace tactelier::gui {

class FleetModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kParameter, kSensors, kMedian, kOutliers, kDrift, kColumns };

  explicit FleetModel(QObject* parent = nullptr);
  /// Those with outliers first, then those that drift, else in order of their paths.
  void setParameters(std::vector<FleetParameter> parameters);
  const FleetParameter& parameter(int row) const {
    return parameters_[static_cast<std::size_t>(row)];
  }
  /// -1 when it is none of them.
  int rowOf(const std::string& path) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QString words(const FleetParameter& parameter, int column) const;

  std::vector<FleetParameter> parameters_;
};

}  // namespace tactelier::gui
