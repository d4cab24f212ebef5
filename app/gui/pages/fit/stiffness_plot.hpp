#pragma once
// Force over depth of the chosen press: the lines through the loading branch and the start of
// unloading, how far the line holds, residuals beneath.

#include "app/gui/pages/fit/curve_plot.hpp"
#include "fitting/views/fitted_press_curves.hpp"

namespace tactelier::gui {

class StiffnessPlot : public CurvePlot<StiffnessCurve> {
  Q_OBJECT
 public:
  explicit StiffnessPlot(AppState& state, QWidget* parent = nullptr);
  void refresh() override;

 private:
  void showCurve() override;
  void showLines();

  int readings_;
  int unloading_;
  int affine_;
  int punch_;
  int unloading_fit_;
  int linear_to_;
};

}  // namespace tactelier::gui
