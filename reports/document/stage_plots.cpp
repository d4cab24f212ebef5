// Data and fit of each stage, from fitting/views: the same curves as the window's.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fitting/views/damping_curve.hpp"
#include "fitting/views/fitted_press_curves.hpp"
#include "fitting/views/hydro_curve.hpp"
#include "fitting/views/psf_curve.hpp"
#include "fitting/views/relaxation_curve.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "reports/document/friction_plots.hpp"
#include "reports/document/plot_blocks.hpp"
#include "reports/document/plot_series.hpp"
#include "reports/document/response_plots.hpp"
#include "reports/document/stage_chapter.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kMostHolds = 6;

PlotSeries series_of(std::string name, Look look, const std::vector<DepthForce>& points) {
  PlotSeries series{std::move(name), look, {}, {}};
  for (const auto& point : points) {
    series.x.push_back(point[0]);
    series.y.push_back(point[1]);
  }
  return thinned(std::move(series), kMostPoints);
}

/// The used press that reached the median peak force: neither the best nor the worst one.
struct ExamplePress {
  std::size_t session = 0;
  int press = 0;
};
std::optional<ExamplePress> example_press(const ReportInput& input) {
  std::vector<std::pair<double, ExamplePress>> found;
  for (std::size_t s = 0; s < input.sessions.size(); ++s)
    for (const auto& row : input.model.presses)
      if (row.session == input.sessions[s].name && row.used && row.contact_point.usable() &&
          row.peak_force_N && row.tactel)
        found.push_back({*row.peak_force_N, {s, row.number}});
  if (found.empty()) return std::nullopt;
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  return found[found.size() / 2].second;
}

Plots no_example() {
  return std::vector<Block>{Paragraph{
      "No plot: the recordings at hand have no press with a contact point.", Tone::kNote}};
}

Plots contact_plots(const ReportInput& input, const Job& job) {
  const auto example = example_press(input);
  if (!example) return no_example();
  const auto curve = contact_curve(input.sessions[example->session], input.clocks[example->session],
                                   example->press, job);
  if (auto none = without(curve)) return *none;
  Plot plot{fmt::format("First touch, press {}", example->press),
            kDepthAxis,
            kForceAxis,
            {series_of("loading", Look::kPoints, curve->loading),
             series_of("fit", Look::kLine, curve->fitted)},
            "Force over depth about first touch, with the fitted contact law."};
  std::vector<Figure> figures{std::move(plot)};
  if (!curve->residuals.empty())
    figures.emplace_back(residual_plot("Residuals over depth", kDepthAxis,
                                       {"Force less fit", "N", false},
                                       {series_of("", Look::kPoints, curve->residuals)},
                                       "Residuals of the contact law over depth."));
  return one_row(std::move(figures));
}

PlotSeries loading_line(const StiffnessCurve& curve) {
  PlotSeries line{"fit of the loading branch", Look::kLine, {}, {}};
  if (!curve.loading || curve.readings.empty()) return line;
  for (const double depth_m : {curve.readings.front()[0], curve.readings.back()[0]}) {
    line.x.push_back(depth_m);
    line.y.push_back(curve.loading->line.at(depth_m));
  }
  return line;
}

Plots stiffness_plots(const ReportInput& input, const Job& job) {
  const auto example = example_press(input);
  if (!example) return no_example();
  const auto curve = stiffness_curve(input.sessions[example->session],
                                     input.clocks[example->session], example->press, job);
  if (auto none = without(curve)) return *none;
  std::vector<PlotSeries> series{series_of("loading", Look::kPoints, curve->readings),
                                 series_of("unloading", Look::kFaint, curve->unloading)};
  if (curve->loading) series.push_back(loading_line(*curve));
  std::vector<Figure> figures{Plot{fmt::format("Force over depth, press {}", example->press),
                                   kDepthAxis, kForceAxis, std::move(series),
                                   "Force over depth of one press with the line through loading."}};
  if (!curve->residuals.empty())
    figures.emplace_back(residual_plot("Residuals over depth", kDepthAxis,
                                       {"Force less line", "N", false},
                                       {series_of("", Look::kPoints, curve->residuals)},
                                       "Residuals about the loading line over depth."));
  return one_row(std::move(figures));
}

Plots relaxation_plots(const ReportInput& input) {
  const auto curve = relaxation_curve_in(*input.looked);
  if (auto none = without(curve)) return *none;
  const PlotAxis time{"Time since the stage stopped", "s", true};
  Plot plot{"Holds", time, {"Force over that at the begin", "", false}, {}, {}};
  PlotSeries residuals{"", Look::kPoints, {}, {}};
  for (std::size_t h = 0; h < curve->holds.size(); ++h) {
    const auto& hold = curve->holds[h];
    for (std::size_t i = 0; i < hold.model.size(); ++i) {
      residuals.x.push_back(hold.since_s[i]);
      residuals.y.push_back(hold.force[i] - hold.model[i]);
    }
    if (h >= kMostHolds) continue;
    plot.series.push_back(
        thinned({fmt::format("press {}", hold.press), Look::kPoints, hold.since_s, hold.force},
                kMostPoints / 2));
    if (!hold.model.empty())
      plot.series.push_back(thinned({"", Look::kLine, hold.since_s, hold.model}, kMostPoints / 2));
  }
  plot.alt = fmt::format("Force of {} holds over time, with the model.", curve->holds.size());
  std::vector<Figure> figures{std::move(plot)};
  if (!residuals.x.empty())
    figures.emplace_back(residual_plot("Residuals over time", time, {"Force less model", "", false},
                                       {thinned(std::move(residuals), 2 * kMostPoints)},
                                       "Residuals of the holds over time."));
  return one_row(std::move(figures));
}

Plots damping_plots(const ReportInput& input) {
  const auto curve = damping_curve_in(*input.looked);
  if (auto none = without(curve)) return *none;
  const PlotAxis speed{"Speed, positive inwards", "m/s", false};
  PlotSeries points{"presses", Look::kPoints, {}, {}}, residuals{"", Look::kPoints, {}, {}};
  for (const auto& point : curve->points) {
    points.x.push_back(point.speed_m_per_s);
    points.y.push_back(point.excess);
    residuals.x.push_back(point.speed_m_per_s);
    residuals.y.push_back(point.excess - point.model);
  }
  std::vector<Figure> figures{
      Plot{"What speed adds to the force",
           speed,
           {"Force over that without damping, less 1", "", false},
           {std::move(points), {"model", Look::kLine, curve->speed_m_per_s, curve->excess}},
           "Excess of the force over speed, with the model's line."}};
  if (!curve->excess.empty())
    figures.emplace_back(residual_plot("Residuals over speed", speed,
                                       {"Excess less model", "", false}, {std::move(residuals)},
                                       "Residuals of damping over speed."));
  return one_row(std::move(figures));
}

Plots psf_plots(const ReportInput& input) {
  auto looked = *input.looked;
  const auto curve = psf_curve_in(looked);
  if (auto none = without(curve)) return *none;
  const PlotAxis distance{"Distance of the press from the tactel", "m", false};
  PlotSeries shares{"recorded", Look::kPoints, {}, {}}, residuals{"", Look::kPoints, {}, {}};
  for (const auto& answer : curve->answers) {
    if (answer.silent) continue;
    shares.x.push_back(answer.distance_m());
    shares.y.push_back(answer.share);
    residuals.x.push_back(answer.distance_m());
    residuals.y.push_back(answer.share - answer.model);
  }
  PlotSeries kernel{"model, along x", Look::kLine, {}, {}};
  for (std::size_t i = 0; i < curve->at_m.size(); ++i)
    if (curve->at_m[i] >= 0) {
      kernel.x.push_back(curve->at_m[i]);
      kernel.y.push_back(curve->along_x[i]);
    }
  return one_row(
      {Plot{
           "Share of the force that a tactel gets",
           distance,
           {"Share", "", false},
           {thinned(std::move(shares), 4 * kMostPoints), std::move(kernel)},
           fmt::format("Shares of {} presses over their distance from the tactel, with the kernel.",
                       curve->presses.size())},
       residual_plot("Residuals over position", distance, {"Share less model", "", false},
                     {thinned(std::move(residuals), 4 * kMostPoints)},
                     "Residuals of the shares over distance.")});
}

Plots hydro_plots(const ReportInput& input) {
  const auto curve = hydro_presses_in(*input.looked);
  if (!curve) return fail(curve.error());
  if (curve->presses.empty())
    return std::vector<Block>{Paragraph{"No plot: " + curve->no_presses, Tone::kNote}};
  constexpr std::size_t kMostPresses = 4;
  Plot plot{"Force over depth",
            kDepthAxis,
            kForceAxis,
            {},
            "Presses with balls and wedges, with the field."};
  PlotSeries residuals{"", Look::kPoints, {}, {}};
  for (std::size_t p = 0; p < curve->presses.size(); ++p) {
    const auto& press = curve->presses[p];
    PlotSeries data{
        fmt::format("{}, press {}", press.indenter, press.press), Look::kPoints, {}, {}};
    PlotSeries model{"", Look::kLine, {}, {}};
    for (const auto& point : press.points) {
      residuals.x.push_back(point.depth_m);
      residuals.y.push_back(point.force_N - point.model_N);
      data.x.push_back(point.depth_m);
      data.y.push_back(point.force_N);
      model.x.push_back(point.depth_m);
      model.y.push_back(point.model_N);
    }
    if (p >= kMostPresses) continue;
    plot.series.push_back(thinned(std::move(data), kMostPoints / 2));
    plot.series.push_back(thinned(std::move(model), kMostPoints / 2));
  }
  return one_row({std::move(plot), residual_plot("Residuals over depth", kDepthAxis,
                                                 {"Force less field", "N", false},
                                                 {thinned(std::move(residuals), 2 * kMostPoints)},
                                                 "Residuals of the pressure field over depth.")});
}

/// Whether the stage found anything. Where it did not, the refusal says why, and looking at all
/// presses again for a plot without a model costs seconds.
bool found_anything(const SensorModel& model, std::string_view stage) {
  bool found = false;
  for_each_parameter(model,
                     [&](const std::string&, const Parameter& parameter, std::string_view by) {
                       found |= by == stage && parameter.usable();
                     });
  return found;
}

}  // namespace

Plots stage_plots(const ReportInput& input, std::string_view stage, const Job& job) {
  if (!input.looked) return std::vector<Block>{};
  if (stage == "response") return response_blocks(input);
  if (stage == "contact") return contact_plots(input, job);
  if (stage == "stiffness") return stiffness_plots(input, job);
  if (stage == "friction") return friction_plots(input, job);
  if (!found_anything(input.model, stage)) return std::vector<Block>{};
  if (stage == "relaxation") return relaxation_plots(input);
  if (stage == "damping") return damping_plots(input);
  if (stage == "psf") return psf_plots(input);
  if (stage == "hydroelastic") return hydro_plots(input);
  return std::vector<Block>{};
}

}  // namespace tactelier
