#include "reports/document/friction_plots.hpp"

#include <fmt/format.h>

#include <cmath>

#include "fitting/views/friction_curve.hpp"
#include "reports/document/plot_series.hpp"

namespace tactelier {
namespace {

Plot stribeck_plot(const FrictionCurve& curve, std::vector<PlotSeries>& residuals) {
  const PlotAxis speed{"Speed", "m/s", true};
  PlotSeries used{"slides", Look::kPoints, {}, {}}, left{"left out", Look::kFaint, {}, {}};
  PlotSeries rest{"", Look::kPoints, {}, {}};
  for (const auto& point : curve.points) {
    auto& series = point.used ? used : left;
    series.x.push_back(point.speed_m_per_s);
    series.y.push_back(point.friction);
    if (!point.used || !std::isfinite(point.model)) continue;
    rest.x.push_back(point.speed_m_per_s);
    rest.y.push_back(point.friction - point.model);
  }
  if (!rest.x.empty()) residuals.push_back(std::move(rest));
  return {"Friction over speed",
          speed,
          {"Friction over load", "", false},
          {std::move(used),
           std::move(left),
           {fmt::format("model at {:.3g} N", curve.reference_N), Look::kLine, curve.speed_m_per_s,
            curve.friction}},
          fmt::format("Friction of {} slides over speed, with the Stribeck curve.",
                      curve.points.size())};
}

}  // namespace

Plots friction_plots(const ReportInput& input, const Job& job) {
  const auto curve = friction_curve(input.sessions, input.clocks, input.model, job);
  if (auto none = without(curve)) return *none;
  std::vector<PlotSeries> residuals;
  std::vector<Figure> figures{stribeck_plot(*curve, residuals)};
  if (!residuals.empty())
    figures.emplace_back(residual_plot("Residuals over speed", {"Speed", "m/s", true},
                                       {"Friction less model", "", false}, std::move(residuals),
                                       "Residuals of the slides over speed."));
  for (const auto& loop : curve->loops) {
    if (!loop.used || figures.size() >= 4) continue;
    figures.emplace_back(
        Plot{fmt::format("Presliding, {:.3g} Hz", loop.frequency_hz),
             {"Path", "m", false},
             kForceAxis,
             {thinned({"recorded", Look::kPoints, loop.path_m, loop.force_N}, kMostPoints),
              thinned({"model", Look::kLine, loop.path_m, loop.model_N}, kMostPoints)},
             "Force over path of one oscillation of a stuck contact."});
  }
  return one_row(std::move(figures));
}

}  // namespace tactelier
