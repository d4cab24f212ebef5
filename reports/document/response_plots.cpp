#include "reports/document/response_plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "libcalib/model_file/tactel_calibration.hpp"
#include "reports/document/plot_series.hpp"

namespace tactelier {
namespace {

using Look = PlotSeries::Look;

constexpr std::size_t kMostResiduals = 1600;  // of all tactels together
constexpr std::size_t kMostOfTactel = 40;     // points of one branch of one press
constexpr int kLinePoints = 60;

struct Residual {
  double force_N = 0, error_N = 0;
  std::size_t order = 0;  // of the press, in time
};

/// Newtons that the model reads off, less the force sensor's, of used presses while loading.
std::vector<Residual> residuals(const ReportInput& input) {
  std::vector<Residual> all;
  for (const auto& curve : input.responses) {
    const auto calibration =
        tactel_calibration(input.model, static_cast<std::size_t>(curve.tactel));
    if (!calibration.why.empty()) continue;
    for (const auto& trace : curve.traces) {
      if (!trace.used) continue;
      for (std::size_t i = 0; i < trace.loading_N.size(); ++i) {
        const auto read = calibration.force(trace.loading_counts[i]);
        if (read.flag != ReadingFlag::kOk) continue;
        all.push_back({trace.loading_N[i], *read.force_N - trace.loading_N[i],
                       1000000 * trace.session + static_cast<std::size_t>(trace.press)});
      }
    }
  }
  return all;
}

/// Mean error of each press, in order of time: drift shows as a slope.
PlotSeries by_press(const std::vector<Residual>& all) {
  struct Mean {
    std::size_t order;
    double sum = 0;
    int count = 0;
  };
  std::vector<Mean> means;
  for (const auto& one : all) {
    auto same = std::find_if(means.begin(), means.end(),
                             [&](const Mean& mean) { return mean.order == one.order; });
    if (same == means.end()) same = means.insert(means.end(), Mean{one.order});
    same->sum += one.error_N;
    ++same->count;
  }
  std::sort(means.begin(), means.end(),
            [](const Mean& a, const Mean& b) { return a.order < b.order; });
  PlotSeries series{"", Look::kPoints, {}, {}};
  for (std::size_t i = 0; i < means.size(); ++i) {
    series.x.push_back(static_cast<double>(i + 1));
    series.y.push_back(means[i].sum / means[i].count);
  }
  return series;
}

void add_branch(const std::vector<double>& force_N, const std::vector<double>& counts,
                PlotSeries& series) {
  const auto thin = thinned({"", Look::kPoints, force_N, counts}, kMostOfTactel);
  series.x.insert(series.x.end(), thin.x.begin(), thin.x.end());
  series.y.insert(series.y.end(), thin.y.begin(), thin.y.end());
}

}  // namespace

std::vector<Block> response_blocks(const ReportInput& input) {
  const auto all = residuals(input);
  if (all.empty()) return {};
  PlotSeries over_force{"", Look::kPoints, {}, {}};
  for (const auto& one : all) {
    over_force.x.push_back(one.force_N);
    over_force.y.push_back(one.error_N);
  }
  std::vector<PlotSeries> forces{thinned(std::move(over_force), kMostResiduals)};
  forces.push_back(zero_line(forces));
  std::vector<PlotSeries> presses{by_press(all)};
  presses.push_back(zero_line(presses));
  const PlotAxis error{"Read less measured", "N", false};
  return {Figures{
      Figures::Size::kMiddle,
      {Plot{"Residuals over force", {"Force", "N", false}, error, std::move(forces),
            fmt::format("Newtons read off {} tactels less the force sensor's, over force.",
                        input.responses.size())},
       Plot{"Residuals over time", {"Press, in order", "", false}, error, std::move(presses),
            "Mean error of each press, in the order of recording."}}}};
}

Plot tactel_plot(const ResponseCurve& curve) {
  PlotSeries loading{"", Look::kPoints, {}, {}}, unloading{"", Look::kPoints, {}, {}},
      left_out{"", Look::kFaint, {}, {}};
  int presses = 0;
  for (const auto& trace : curve.traces) {
    presses += trace.used ? 1 : 0;
    add_branch(trace.loading_N, trace.loading_counts, trace.used ? loading : left_out);
    add_branch(trace.unloading_N, trace.unloading_counts, trace.used ? unloading : left_out);
  }
  PlotSeries model{"", Look::kLine, {}, {}};
  for (int i = 0; curve.fitted() && i <= kLinePoints; ++i) {
    model.x.push_back(curve.largest_force_N * i / kLinePoints);
    model.y.push_back(curve.counts(model.x.back()));
  }
  Plot plot{fmt::format("Tactel {}", curve.tactel), {"Force", "N", false}, {"Reading", "counts", false},
            {std::move(loading), std::move(unloading), std::move(left_out), std::move(model)},
            fmt::format("Readings of {} presses over force{}.", presses,
                        curve.fitted() ? ", with the model" : "; no response is identified")};
  std::erase_if(plot.series, [](const PlotSeries& series) { return series.x.empty(); });
  return plot;
}

}  // namespace tactelier
