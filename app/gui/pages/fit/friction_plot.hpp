#pragma once
// Friction over sliding speed with the Stribeck curve, presliding loops with LuGre's, and how the
// six numbers hang together.

#include "app/gui/pages/fit/curve_plot.hpp"
#include "fitting/views/friction_curve.hpp"

class QLabel;

namespace tactelier::gui {

class CorrelationTable;

class FrictionPlot : public CurvePlot<FrictionCurve> {
  Q_OBJECT
 public:
  explicit FrictionPlot(AppState& state, QWidget* parent = nullptr);
  void refresh() override;
  bool wantsMap() const override { return false; }
  PlotView* loops() const { return loops_; }
  CorrelationTable* correlation() const { return correlation_; }

 private:
  void showCurve() override;
  void showNothing(const QString& why) override;
  void showLoops();
  void showCorrelation();

  std::array<int, 3> forward_{};  // by load, as many as have a look of their own
  std::array<int, 3> backward_{};
  int left_out_ = 0;
  int line_ = 0;
  int v_s_ = 0;
  PlotView* loops_;
  QLabel* loop_words_;
  QLabel* weakest_;
  CorrelationTable* correlation_;
};

}  // namespace tactelier::gui
