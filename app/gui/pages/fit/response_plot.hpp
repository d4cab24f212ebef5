#pragma once
// Counts over force of the chosen tactel: readings of all its presses, the fitted line with
// threshold and saturation, residuals beneath.

#include "app/gui/pages/fit/curve_plot.hpp"
#include "fitting/views/response_curve.hpp"

namespace tactelier::gui {

class ResponsePlot : public CurvePlot<ResponseCurve> {
  Q_OBJECT
 public:
  explicit ResponsePlot(AppState& state, QWidget* parent = nullptr);
  void refresh() override;

 private:
  void showCurve() override;
  void showLine();
  void clickAt(const QPointF& position);

  std::vector<RecordingPtr> asked_;    // sources of the curve being loaded
  std::vector<RecordingPtr> sources_;  // of the curve's sessions
  int shown_tactel_ = -1;
  int loading_;
  int unloading_;
  int left_out_;
  int line_;
  int saturation_;
  int threshold_;
};

}  // namespace tactelier::gui
