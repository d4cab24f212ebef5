#include "app/gui/pages/fit/relaxation_plot.hpp"

#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/gui/widgets/table_twin.hpp"

namespace tactelier::gui {
namespace {

void add(const HoldCurve& hold, std::vector<ResidualPoint>& points) {
  for (std::size_t i = 0; i < hold.since_s.size(); ++i)
    points.push_back({hold.since_s[i], hold.force[i],
                      hold.model.empty() ? std::nan("") : hold.force[i] - hold.model[i],
                      hold.press});
}

}  // namespace

RelaxationPlot::RelaxationPlot(AppState& state, QWidget* parent)
    : CurvePlot(state, "relaxation", tr("Relaxation"), parent) {
  plot_ = new ResidualPlot(this);
  plot_->setObjectName(QStringLiteral("relaxationCurve"));
  plot_->setAccessibleName(tr("Force of holds over time"));
  plot_->setLogarithmic();
  plot_->setLabels(tr("Time since the stage stopped [s]"), tr("Force over that at first [–]"),
                   tr("Residual [–]"));
  other_ = plot_->addPoints({{}, Token::kHistory, 0, false, Mark::kHollow, 4});
  chosen_ = plot_->addPoints({{}, Token::kLine1, 0, false, Mark::kDisc, 3});
  model_ = plot_->addModel({{}, Token::kText, 1.8});
  for (int& guide : tau_) guide = plot_->addGuide(Qt::Vertical, Token::kAxis, Qt::DotLine);
  body()->addWidget(new TableTwin(plot_, this), 1);
}

void RelaxationPlot::refresh() { refreshWhole(relaxation_curve); }

void RelaxationPlot::showCurve() {
  const auto& holds = curve_->holds;
  auto chosen = std::find_if(holds.begin(), holds.end(), [this](const auto& hold) {
    return hold.press == state().selection().press();
  });
  if (chosen == holds.end()) chosen = holds.begin();
  std::vector<ResidualPoint> own, others;
  for (auto hold = holds.begin(); hold != holds.end(); ++hold)
    add(*hold, hold == chosen ? own : others);
  plot_->setPointsLook(other_, {others.empty() ? QString() : tr("other holds"), Token::kHistory, 0,
                                false, Mark::kHollow, 4});
  plot_->setPoints(other_, others);
  plot_->setPointsLook(
      chosen_,
      {tr("hold of press %1, %2 mm").arg(chosen->press).arg(fixed(1e3 * chosen->depth_m, 2)),
       Token::kLine1, 0, false, Mark::kDisc, 3});
  plot_->setPoints(chosen_, own);
  std::vector<Point> model;
  for (std::size_t i = 0; i < chosen->model.size(); ++i)
    model.push_back({chosen->since_s[i], chosen->model[i]});
  plot_->setPathCurve(
      model_, {model.empty() ? QString()
                             : tr("%n branches", nullptr, static_cast<int>(curve_->tau_s.size())),
               Token::kText, 1.8, false, Mark::kNone, 5, false});
  plot_->setModel(model_, std::move(model));
  plot_->setBand(2 * chosen->noise);
  for (std::size_t i = 0; i < tau_.size(); ++i) {
    const bool there = i < curve_->tau_s.size();
    plot_->setGuide(tau_[i], there ? std::optional(curve_->tau_s[i]) : std::nullopt,
                    there ? QStringLiteral("τ %1 s").arg(curve_->tau_s[i], 0, 'g', 3) : QString());
  }
  setCaption(tr("%n holds", nullptr, static_cast<int>(holds.size())));
  plot_->setDescription(tr("The force falls to %1 of that at first.").arg(fixed(own.back().y, 3)));
  plot_->fitAll();
  plot_->placeLegend();
}

}  // namespace tactelier::gui
