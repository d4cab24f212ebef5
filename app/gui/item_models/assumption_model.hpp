#pragma once
// Values that the user assumes for an export: path, value with unit, who, and what it stands in
// for.

#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier::gui {

struct ExportAssumption {
  std::string path;
  std::string value;  // SI, as on the command line
  std::string assignment() const { return path + "=" + value; }
};

class AssumptionModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kParameter, kValue, kBy, kInsteadOf, kColumns };
  static constexpr int kPathRole = Qt::UserRole;

  explicit AssumptionModel(QObject* parent = nullptr);
  /// `model`: as it was fitted, without the assumptions.
  void set(const std::vector<ExportAssumption>& assumptions, const SensorModel* model);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Row {
    QString path;
    QString value;
    QString instead;  // "" when there was nothing
  };
  std::vector<Row> rows_;
};

}  // namespace tactelier::gui
