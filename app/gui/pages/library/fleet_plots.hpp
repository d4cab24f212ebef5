#pragma once
// One parameter over a fleet: how it is distributed, and how it went over the dates of recording,
// with the control limits in both and the odd sensors by their serial numbers.

#include <vector>

#include "app/gui/text/words.hpp"
#include "app/gui/widgets/plot_view.hpp"
#include "app/workflow/catalogue/fleet_report.hpp"

namespace tactelier::gui {

/// A parameter with the sensors' numbers, as both plots show it.
struct FleetChoice {
  FleetParameter parameter;
  std::vector<CatalogueRow> rows;  // that count: identified or proved absent
  Prefix prefix;
  QString label;  // "stiffness.k_punch [kN/m]"

  double shown(double value) const { return value / prefix.factor; }
  bool hasLimits() const { return parameter.outlier_limit.has_value(); }
};
FleetChoice fleetChoice(FleetParameter parameter, std::vector<CatalogueRow> rows);

/// Sensors over the value.
class FleetDistributionPlot : public PlotView {
  Q_OBJECT
 public:
  explicit FleetDistributionPlot(QWidget* parent = nullptr);
  void show(const FleetChoice& choice);
  void clear(const QString& why);

 private:
  int steps_, odd_, median_, low_, high_;
};

/// Value over the date of recording.
class FleetTrendPlot : public PlotView {
  Q_OBJECT
 public:
  explicit FleetTrendPlot(QWidget* parent = nullptr);
  void show(const FleetChoice& choice);
  void clear(const QString& why);

 private:
  struct Named {
    QString serial, recorded;
  };
  void nameOutliers(const std::vector<Point>& odd);
  QString wordsOf(const CurvePoint& point) const;

  int sensors_, odd_, median_, low_, high_, drift_;
  std::vector<Named> sensor_names_, odd_names_;  // by point
  std::vector<QCPItemText*> labels_;
  QString unit_;
};

}  // namespace tactelier::gui
