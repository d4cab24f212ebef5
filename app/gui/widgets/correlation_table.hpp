#pragma once
// Correlations of numbers estimated together as a coloured matrix: symmetric about 0, the middle is
// the background.

#include <QTableView>
#include <string>
#include <vector>

#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier::gui {

class CorrelationModel;

/// What is correlated: paths and the matrix, row by row.
struct Correlations {
  std::vector<std::string> paths;
  std::vector<std::vector<double>> rho;

  bool empty() const { return paths.size() < 2; }
};
/// Of the first block that holds a path beginning with `prefix`; empty without one.
Correlations correlationsOf(const SensorModel& model, const std::string& prefix);

class CorrelationTable : public QTableView {
  Q_OBJECT
 public:
  explicit CorrelationTable(QWidget* parent = nullptr);
  void show(Correlations correlations);
  const Correlations& correlations() const;
  /// "µ_d – c_t −0.97": the two that are told apart worst; "" without any.
  QString weakest() const;

 private:
  CorrelationModel* model_;
};

}  // namespace tactelier::gui
