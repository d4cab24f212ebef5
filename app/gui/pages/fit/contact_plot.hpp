#pragma once
// Force over depth of the chosen press around first touch: the fitted contact law, the contact
// point with its uncertainty, residuals beneath.

#include "app/gui/pages/fit/curve_plot.hpp"
#include "fitting/views/fitted_press_curves.hpp"

namespace tactelier::gui {

class ContactPlot : public CurvePlot<ContactCurve> {
  Q_OBJECT
 public:
  explicit ContactPlot(AppState& state, QWidget* parent = nullptr);
  void refresh() override;

 private:
  void showCurve() override;

  int loading_;
  int unloading_;
  int law_;
  int contact_;
};

}  // namespace tactelier::gui
