#pragma once
// Base of the stage plots that compute a curve from recordings in the background: reads them, keeps
// the last curve, says why there is none.

#include <memory>

#include "app/gui/pages/fit/fit_source.hpp"
#include "app/gui/pages/fit/stage_plot.hpp"
#include "app/gui/text/words.hpp"

namespace tactelier::gui {

template <class Curve>
class CurvePlot : public StagePlot {
 public:
  using StagePlot::StagePlot;
  ResidualPlot* plot() const { return plot_; }
  /// What is shown; nullptr while there is nothing.
  const std::shared_ptr<const Curve>& curve() const { return curve_; }
  QWidget* mainView() override { return plot_; }

 protected:
  /// `compute(opened, job)` on a worker gives a Result<Curve>; then showCurve() here, or the reason
  /// in the plot.
  template <class Compute>
  void loadCurve(std::vector<FitSource> sources, Compute compute) {
    using Loaded = std::shared_ptr<const Curve>;
    load<Loaded>(
        [sources = std::move(sources), compute](const Job& job) -> Result<Loaded> {
          const auto opened = OpenedSources::open(sources, job);
          if (!opened) return fail(opened.error());
          auto curve = compute(*opened, job);
          if (!curve) return fail(curve.error());
          return std::make_shared<const Curve>(std::move(*curve));
        },
        [this](Result<Loaded> loaded) {
          if (!loaded) return showNothing(text(loaded.error().message));
          curve_ = std::move(*loaded);
          plot_->setEmptyText({});
          showCurve();
        });
  }
  void showNothing(const QString& why) {
    curve_.reset();
    setCaption({});
    plot_->clearAll(why);
  }
  virtual void showCurve() = 0;

  ResidualPlot* plot_ = nullptr;
  std::shared_ptr<const Curve> curve_;
};

}  // namespace tactelier::gui
