#pragma once
// Counts over force of the chosen tactel: readings of all its presses, the fitted line with
// threshold and saturation, residuals beneath.

#include <memory>

#include "app/gui/pages/fit/stage_plot.hpp"
#include "app/workflow/fit_response_curve.hpp"

namespace tactelier::gui {

class ResponsePlot : public StagePlot {
  Q_OBJECT
 public:
  explicit ResponsePlot(AppState& state, QWidget* parent = nullptr);
  void refresh() override;
  QWidget* mainView() override { return plot_; }
  ResidualPlot* plot() const { return plot_; }
  /// What is shown; nullptr while there is nothing.
  const std::shared_ptr<const ResponseCurve>& curve() const { return curve_; }

 private:
  void show(std::shared_ptr<const ResponseCurve> curve);
  void showLine();
  void clickAt(const QPointF& position);

  ResidualPlot* plot_;
  std::shared_ptr<const ResponseCurve> curve_;
  std::vector<RecordingPtr> sources_;  // of the curve's sessions
  int loading_;
  int unloading_;
  int left_out_;
  int line_;
  int saturation_;
  int threshold_;
};

}  // namespace tactelier::gui
