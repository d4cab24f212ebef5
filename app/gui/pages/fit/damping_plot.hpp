#pragma once
// How much more force presses give the faster they are, beside the model's line; residuals beneath.

#include "app/gui/pages/fit/curve_plot.hpp"
#include "fitting/views/damping_curve.hpp"

namespace tactelier::gui {

class DampingPlot : public CurvePlot<DampingCurve> {
  Q_OBJECT
 public:
  explicit DampingPlot(AppState& state, QWidget* parent = nullptr);
  void refresh() override;
  bool wantsMap() const override { return false; }

 private:
  void showCurve() override;

  int presses_ = 0;
  int chosen_ = 0;
  int chirps_ = 0;
  int line_ = 0;
};

}  // namespace tactelier::gui
