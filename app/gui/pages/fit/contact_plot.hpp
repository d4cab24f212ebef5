#pragma once
// Force over depth of the chosen press around first touch: the fitted contact law, the contact
// point with its uncertainty, residuals beneath.

#include <memory>

#include "app/gui/pages/fit/stage_plot.hpp"
#include "app/workflow/fit_press_curves.hpp"

namespace tactelier::gui {

class ContactPlot : public StagePlot {
  Q_OBJECT
 public:
  explicit ContactPlot(AppState& state, QWidget* parent = nullptr);
  void refresh() override;
  QWidget* mainView() override { return plot_; }
  ResidualPlot* plot() const { return plot_; }
  const std::shared_ptr<const ContactCurve>& curve() const { return curve_; }

 private:
  void show(std::shared_ptr<const ContactCurve> curve);

  ResidualPlot* plot_;
  std::shared_ptr<const ContactCurve> curve_;
  int loading_;
  int unloading_;
  int law_;
  int contact_;
};

}  // namespace tactelier::gui
