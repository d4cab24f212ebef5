#pragma once
// A plan as pictures: where the tip goes over the array, and which force is expected when.

#include <optional>
#include <vector>

#include "app/gui/widgets/plot_view.hpp"
#include "fitting/adaptive/press_information.hpp"
#include "libcalib/protocol/plan.hpp"

namespace tactelier::gui {

/// Tactels, places of presses, slides; the places of one step stand out, joined in their order. A
/// tall array lies on its side as in the maps (+y right, +x down).
class PathPlot : public PlotView {
  Q_OBJECT
 public:
  explicit PathPlot(QWidget* parent = nullptr);
  void setSensor(const SensorDescription& sensor);
  /// `label`: of a step of the protocol from 1 on; its inner ones (3.1, 3.2) with it.
  void setPlan(const Plan& plan, std::optional<int> step);
  /// Presses alone, in their order.
  void setPresses(const std::vector<adaptive::PressThought>& presses);

 private:
  Point shown(const Vector3& at_m) const;
  void setPlaces(std::vector<Point> others, std::vector<Point> chosen);

  int tactels_, others_, slides_, chosen_, way_;
  bool turned_ = false;
};

/// Expected force over time; the limit as a line.
class PlannedForcePlot : public PlotView {
  Q_OBJECT
 public:
  explicit PlannedForcePlot(QWidget* parent = nullptr);
  void setPlan(const Plan& plan, const PlanSetup& setup, const SensorDescription& sensor);

 private:
  int force_, limit_;
};

}  // namespace tactelier::gui
