#include "app/gui/pages/fit/stiffness_plot.hpp"

#include <QVBoxLayout>

#include "app/gui/pages/fit/press_points.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/widgets/table_twin.hpp"

namespace tactelier::gui {
namespace {

QString slopeWords(const QString& name, const Estimate& slope) {
  Parameter parameter;
  parameter.value = slope.value;
  if (slope.std > 0 && slope.dof >= 1) parameter.std = slope.std;
  parameter.unit = "N/m";
  return name + QLatin1Char(' ') + valueWithUncertainty(parameter);
}

}  // namespace

StiffnessPlot::StiffnessPlot(AppState& state, QWidget* parent)
    : CurvePlot(state, "stiffness", tr("Stiffness"), parent) {
  plot_ = new ResidualPlot(this);
  plot_->setObjectName(QStringLiteral("stiffnessCurve"));
  plot_->setAccessibleName(tr("Force over depth with the stiffness"));
  unloading_ = plot_->addPoints({tr("unloading"), Token::kLine2, 0, false, Mark::kHollow, 4});
  readings_ = plot_->addPoints({tr("loading"), Token::kLine1, 0, false, Mark::kDisc, 3});
  affine_ = plot_->addModel({{}, Token::kText, 1.8});
  punch_ = plot_->addModel({{}, Token::kText, 1.4, true});
  unloading_fit_ = plot_->addModel({{}, Token::kLine4, 1.8});
  linear_to_ = plot_->addGuide(Qt::Vertical, Token::kAxis, Qt::DotLine);
  body()->addWidget(new TableTwin(plot_, this), 1);
}

void StiffnessPlot::refresh() {
  showQuality();
  const auto press = pressToShow(*plot_, tr("Stiffness"));
  if (!press) {
    curve_.reset();
    return;
  }
  loadCurve(currentSource(state()), [press = *press](const OpenedSources& opened, const Job& job) {
    return stiffness_curve(opened.sessions().front(), opened.clocks().front(), press, job);
  });
}

void StiffnessPlot::showCurve() {
  plot_->setLabels(curve_->from_contact ? tr("Depth δ [mm]") : tr("Stage travel −z [mm]"),
                   tr("Force F [N]"), tr("Residual [N]"));
  plot_->setPoints(readings_, pressPoints(curve_->readings, curve_->residuals, curve_->press));
  plot_->setPoints(unloading_, pressPoints(curve_->unloading, {}, curve_->press));
  const bool has_unloading = curve_->unloading.size() > 1;
  plot_->setPointsLook(unloading_, {has_unloading ? tr("unloading") : QString(), Token::kLine2, 0,
                                    false, Mark::kHollow, 4});
  plot_->orderLegend({readings_, unloading_});
  showLines();
  setCaption(curve_->loading ? QString() : text(curve_->no_loading));
  plot_->fitAll();
  plot_->placeLegend();
}

void StiffnessPlot::showLines() {
  std::vector<Point> affine;
  std::vector<Point> punch;
  std::vector<Point> unloading_fit;
  QString affine_words;
  QString punch_words;
  QString unloading_words;
  if (curve_->loading && !curve_->readings.empty()) {
    const auto& loading = *curve_->loading;
    const double from_m = curve_->from_contact ? 0 : curve_->readings.front()[0];
    const double to_m = curve_->readings.back()[0];
    for (const double depth_m : {from_m, to_m})
      affine.push_back({1e3 * depth_m, loading.line.at(depth_m)});
    affine_words = slopeWords(tr("k_affine"), loading.k_affine);
    if (loading.k_punch) {
      punch = {{0, 0}, {1e3 * to_m, loading.k_punch->value * to_m}};
      punch_words = slopeWords(tr("k_punch"), *loading.k_punch);
    }
  }
  if (curve_->unloading_fit && !curve_->unloading.empty()) {
    const auto& out = *curve_->unloading_fit;
    // From the load at which unloading starts down to half of it: the window alone is too short to
    // see its slope.
    const double start_m = curve_->unloading.front()[0];
    unloading_fit = {{1e3 * start_m, out.start_N},
                     {1e3 * (start_m - 0.5 * out.start_N / out.slope.value), 0.5 * out.start_N}};
    unloading_words = slopeWords(tr("unloading"), out.slope);
  }
  plot_->setPathCurve(affine_, {affine_words, Token::kText, 1.8, false, Mark::kNone, 5, false});
  plot_->setPathCurve(punch_, {punch_words, Token::kText, 1.4, true, Mark::kNone, 5, false});
  plot_->setPathCurve(unloading_fit_,
                      {unloading_words, Token::kLine4, 1.8, false, Mark::kNone, 5, false});
  plot_->setModel(affine_, std::move(affine));
  plot_->setModel(punch_, std::move(punch));
  plot_->setModel(unloading_fit_, std::move(unloading_fit));
  std::optional<double> linear_to;
  if (curve_->linear_to_m) linear_to = 1e3 * *curve_->linear_to_m;
  plot_->setGuide(linear_to_, linear_to,
                  linear_to ? tr("linear range up to %1 mm").arg(fixed(*linear_to, 2)) : QString());
}

}  // namespace tactelier::gui
