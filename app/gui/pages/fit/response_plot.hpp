#pragma once
// Counts over force of the chosen tactel: readings of all its presses, the fitted line with
// threshold and saturation, residuals beneath; or the same readings over the recording's time; or
// those of all tactels.

#include "app/gui/pages/fit/curve_plot.hpp"
#include "fitting/views/response_curve.hpp"

namespace tactelier::gui {

class Segmented;

class ResponsePlot : public CurvePlot<ResponseCurve> {
  Q_OBJECT
 public:
  explicit ResponsePlot(AppState& state, QWidget* parent = nullptr);
  void refresh() override;
  Segmented* view() const { return view_; }

 private:
  struct Clouds {
    std::vector<ResidualPoint> loading, unloading, left_out;
  };
  Clouds overForce() const;
  /// Of one recording: others have times of their own.
  Clouds overTime(std::size_t session) const;
  std::size_t sessionShown() const;
  void showClouds(const Clouds& clouds);
  void showCurve() override;
  void draw();
  void loadAll(std::vector<FitSource> sources);
  void drawAll();
  void showLine();
  void nameLine(bool shown);
  void clickAt(const QPointF& position);

  std::vector<RecordingPtr> asked_;    // sources of the curve being loaded
  std::vector<RecordingPtr> sources_;  // of the curve's sessions
  std::pair<int, int> shown_{-1, -1};  // tactel and view
  std::shared_ptr<const std::vector<ResponseCurve>> all_;
  std::optional<FitBasis> all_asked_;  // what they are of
  Segmented* view_;
  int loading_;
  int unloading_;
  int left_out_;
  int line_;
  int saturation_;
  int threshold_;
};

}  // namespace tactelier::gui
