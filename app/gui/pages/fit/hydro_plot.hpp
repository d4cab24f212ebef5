#pragma once
// The pad as a pressure field: force over depth of presses with balls and wide ends beside the
// field's, and the shares over distance that the receptive radius comes from.

#include "app/gui/pages/fit/curve_plot.hpp"
#include "fitting/views/hydro_curve.hpp"

class QLabel;

namespace tactelier::gui {

class HydroPlot : public CurvePlot<HydroCurve> {
  Q_OBJECT
 public:
  explicit HydroPlot(AppState& state, QWidget* parent = nullptr);
  void refresh() override;
  bool wantsMap() const override { return false; }
  ResidualPlot* radius() const { return radius_; }

 private:
  void showCurve() override;
  void showNothing(const QString& why) override;
  void showPresses();
  void showRadius();

  int others_ = 0;
  std::array<int, 2> chosen_{};  // loading, unloading
  int model_ = 0;
  QLabel* radius_words_;
  ResidualPlot* radius_;
  int shares_ = 0;
  int silent_ = 0;
  int kernel_ = 0;
  int weight_ = 0;
  int r_c_ = 0;
};

}  // namespace tactelier::gui
