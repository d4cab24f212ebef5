#pragma once
// Base of the plots of the fit's stages. A new stage's plot: one file pair, one line in
// stage_plots.cpp.

#include <functional>
#include <string>
#include <vector>

#include "app/gui/state/app_state.hpp"
#include "app/gui/widgets/panel.hpp"
#include "app/gui/widgets/residual_plot.hpp"

class QLabel;

namespace tactelier::gui {

class StagePlot : public Panel {
  Q_OBJECT
 public:
  StagePlot(AppState& state, const std::string& stage, const QString& title,
            QWidget* parent = nullptr);
  const std::string& stage() const { return stage_; }
  /// The chosen tactel or press, the model or an edit changed. Called while the plot is visible.
  virtual void refresh() = 0;
  /// Whether the array's map says something beside it.
  virtual bool wantsMap() const { return true; }
  /// Gets the focus.
  virtual QWidget* mainView() = 0;

 protected:
  AppState& state() const { return state_; }
  /// Numbers of the whole stage beneath the plot: samples, residual, chi2.
  void showQuality();
  /// Runs `work(job)` in the background, then `done(result)` here unless a newer one was asked for.
  template <class T, class Work, class Done>
  void load(Work work, Done done) {
    state_.jobs().run<T>({}, Lane::kQuiet, this, work,
                         [this, done, generation = ++generation_](Result<T> result) {
                           if (generation == generation_) done(std::move(result));
                         });
  }
  /// Why there is no curve where there is no model: what a running fit is doing, or how to start.
  QString nothingYet() const;
  /// The chosen press; without one the plot says why.
  std::optional<int> pressToShow(ResidualPlot& plot, const QString& name);
  /// Answers still to come are dropped.
  void dropLoads() { ++generation_; }

 private:
  AppState& state_;
  std::string stage_;
  QLabel* quality_;
  int generation_ = 0;
};

struct StagePlotInfo {
  std::string stage;
  std::function<StagePlot*(AppState&, QWidget* parent)> create;
};
/// Stages without a plot of their own show their figures (StageFigures).
const std::vector<StagePlotInfo>& stagePlots();
StagePlot* makeStagePlot(const std::string& stage, AppState& state, QWidget* parent);

}  // namespace tactelier::gui
