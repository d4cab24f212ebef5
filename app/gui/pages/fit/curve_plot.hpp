#pragma once
// Base of the stage plots that compute a curve from recordings in the background: reads them, keeps
// the last curve, says why there is none.

#include <memory>
#include <utility>

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
  /// Of the fit's recordings and the model. Where these are as they were, the curve is shown again
  /// without being computed.
  using WholeCurve = Result<Curve> (*)(std::vector<FitSession>, std::vector<SessionClocks>,
                                       const SensorModel&, const Job&);
  void refreshWhole(WholeCurve compute) {
    showQuality();
    auto sources = fitSources(state());
    if (sources.empty() || state().model() == nullptr) {
      dropLoads();
      asked_.reset();
      return showNothing(sources.empty() ? StagePlot::tr("Open the recording to see its data.")
                                         : nothingYet());
    }
    auto asked = fitBasis(state(), sources);
    if (asked_ == asked) {
      if (curve_) showCurve();
      return;
    }
    asked_ = std::move(asked);
    // What was shown, or the refusal of another model, is not this one's.
    if (curve_)
      setCaption(StagePlot::tr("working it out; this is of before"));
    else
      showNothing(StagePlot::tr("Working it out …"));
    loadCurve(std::move(sources),
              [model = state().model(), compute](const OpenedSources& opened, const Job& job) {
                return compute(opened.sessions(), opened.clocks(), *model, job);
              });
  }

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
          if (!loaded) {
            if (loaded.error().code == ErrorCode::kCancelled) asked_.reset();
            return showNothing(text(loaded.error().message));
          }
          curve_ = std::move(*loaded);
          plot_->setEmptyText({});
          showCurve();
        });
  }
  virtual void showNothing(const QString& why) {
    curve_.reset();
    setCaption({});
    plot_->clearAll(why);
  }
  virtual void showCurve() = 0;

  ResidualPlot* plot_ = nullptr;
  std::shared_ptr<const Curve> curve_;

 private:
  std::optional<FitBasis> asked_;
};

}  // namespace tactelier::gui
