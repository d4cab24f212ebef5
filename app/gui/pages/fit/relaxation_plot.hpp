#pragma once
// Force of holds over the logarithm of time beside the fitted branches, residuals beneath.

#include "app/gui/pages/fit/curve_plot.hpp"
#include "fitting/views/relaxation_curve.hpp"

namespace tactelier::gui {

class RelaxationPlot : public CurvePlot<RelaxationCurve> {
  Q_OBJECT
 public:
  explicit RelaxationPlot(AppState& state, QWidget* parent = nullptr);
  void refresh() override;
  bool wantsMap() const override { return false; }

 private:
  void showCurve() override;

  int other_ = 0;   // holds of other presses
  int chosen_ = 0;  // of the chosen press
  int model_ = 0;
  std::array<int, 3> tau_{};
};

}  // namespace tactelier::gui
