#pragma once
// Force over depth of the chosen press: the lines through the way in and the start of the way out,
// how far the line holds, residuals beneath.

#include <memory>

#include "app/gui/pages/fit/stage_plot.hpp"
#include "app/workflow/fit_press_curves.hpp"

namespace tactelier::gui {

class StiffnessPlot : public StagePlot {
  Q_OBJECT
 public:
  explicit StiffnessPlot(AppState& state, QWidget* parent = nullptr);
  void refresh() override;
  QWidget* mainView() override { return plot_; }
  ResidualPlot* plot() const { return plot_; }
  const std::shared_ptr<const StiffnessCurve>& curve() const { return curve_; }

 private:
  void show(std::shared_ptr<const StiffnessCurve> curve);
  void showLines();

  ResidualPlot* plot_;
  std::shared_ptr<const StiffnessCurve> curve_;
  int readings_;
  int unloading_;
  int affine_;
  int punch_;
  int way_out_;
  int linear_to_;
};

}  // namespace tactelier::gui
