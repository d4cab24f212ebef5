#include "app/gui/pages/fit/damping_plot.hpp"

#include <QVBoxLayout>
#include <cmath>

#include "app/gui/widgets/table_twin.hpp"

namespace tactelier::gui {

DampingPlot::DampingPlot(AppState& state, QWidget* parent)
    : CurvePlot(state, "damping", tr("Damping"), parent) {
  plot_ = new ResidualPlot(this);
  plot_->setObjectName(QStringLiteral("dampingCurve"));
  plot_->setAccessibleName(tr("Force that presses gain by their speed"));
  plot_->setLabels(tr("Speed, inwards positive [mm/s]"), tr("Force gained [%]"),
                   tr("Residual [%]"));
  presses_ = plot_->addPoints({tr("presses"), Token::kLine1, 0, false, Mark::kDisc, 5});
  chosen_ = plot_->addPoints({{}, Token::kLine2, 0, false, Mark::kDisc, 7});
  chirps_ = plot_->addPoints({{}, Token::kHistory, 0, false, Mark::kHollow, 5});
  line_ = plot_->addModel({{}, Token::kText, 1.8});
  body()->addWidget(new TableTwin(plot_, this), 1);
}

void DampingPlot::refresh() { refreshWhole(damping_curve); }

void DampingPlot::showCurve() {
  std::vector<ResidualPoint> presses, chosen, chirps;
  for (const auto& point : curve_->points) {
    const ResidualPoint shown{1e3 * point.speed_m_per_s, 100 * point.excess,
                              100 * (point.excess - point.model), point.press};
    (point.chirp                                  ? chirps
     : point.press == state().selection().press() ? chosen
                                                  : presses)
        .push_back(shown);
  }
  plot_->setPoints(presses_, presses);
  plot_->setPointsLook(
      chosen_, {chosen.empty() ? QString() : tr("press %1").arg(chosen.front().tag), Token::kLine2,
                0, false, Mark::kDisc, 7});
  plot_->setPoints(chosen_, chosen);
  plot_->setPointsLook(chirps_, {chirps.empty() ? QString() : tr("chirps, mean of either way"),
                                 Token::kHistory, 0, false, Mark::kHollow, 5});
  plot_->setPoints(chirps_, chirps);
  std::vector<Point> line;
  for (std::size_t i = 0; i < curve_->excess.size(); ++i)
    line.push_back({1e3 * curve_->speed_m_per_s[i], 100 * curve_->excess[i]});
  const bool hunt_crossley = curve_->model == RateModel::kHuntCrossley;
  plot_->setPathCurve(line_,
                      {line.empty()    ? QString()
                       : hunt_crossley ? tr("Hunt–Crossley")
                                       : tr("Kelvin–Voigt at %1 N").arg(fixed(curve_->mean_N, 2)),
                       Token::kText, 1.8, false, Mark::kNone, 5, false});
  plot_->setModel(line_, std::move(line));
  setCaption(tr("%n ways of presses", nullptr, static_cast<int>(curve_->points.size())));
  plot_->setDescription(tr("Force that presses gain by their speed, %n ways of presses.", nullptr,
                           static_cast<int>(curve_->points.size())));
  plot_->fitAll();
  plot_->placeLegend();
}

}  // namespace tactelier::gui
