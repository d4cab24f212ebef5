#include "app/gui/pages/fit/hydro_plot.hpp"

#include <algorithm>
#include <cmath>

#include "app/gui/pages/fit/plot_parts.hpp"
#include "app/gui/widgets/table_twin.hpp"

namespace tactelier::gui {
namespace {

constexpr double kSilentReach = 2;  // times the farthest answer

constexpr int kWeightPoints = 60;

ResidualPoint point_of(const HydroPoint& point, int press) {
  return {1e3 * point.depth_m, point.force_N, point.force_N - point.model_N, press};
}

/// "K_f 312 kPa/mm".
QString modulusWords(double modulus_Pa_per_m) {
  Parameter modulus;
  modulus.value = modulus_Pa_per_m;
  modulus.unit = "Pa/m";
  return QStringLiteral("K_f ") + valueWithUncertainty(modulus);
}

}  // namespace

HydroPlot::HydroPlot(AppState& state, QWidget* parent)
    : CurvePlot(state, "hydroelastic", tr("Pressure field"), parent) {
  plot_ = new ResidualPlot(this);
  plot_->setObjectName(QStringLiteral("hydroCurve"));
  plot_->setAccessibleName(tr("Force over depth of presses with balls and wide ends"));
  plot_->setLabels(tr("Depth δ [mm]"), tr("Force F [N]"), tr("Residual [N]"));
  others_ = plot_->addPoints({{}, Token::kHistory, 0, false, Mark::kHollow, 3});
  chosen_[1] = plot_->addPoints({{}, Token::kLine2, 0, false, Mark::kHollow, 5});
  chosen_[0] = plot_->addPoints({{}, Token::kLine1, 0, false, Mark::kDisc, 4});
  model_ = plot_->addModel({{}, Token::kText, 1.8});
  radius_ = new ResidualPlot(this);
  radius_->setObjectName(QStringLiteral("receptiveRadius"));
  radius_->setAccessibleName(tr("Share of the force over distance, with the receptive radius"));
  radius_->setLabels(tr("Distance from the tactel's centre r [mm]"), tr("Share of force w [–]"),
                     tr("Residual [–]"));
  silent_ = radius_->addPoints({{}, Token::kHistory, 0, false, Mark::kHollow, 3});
  shares_ = radius_->addPoints({{}, Token::kLine1, 0, false, Mark::kDisc, 3});
  kernel_ = radius_->addModel({{}, Token::kText, 1.8});
  weight_ = radius_->addModel({{}, Token::kLine4, 1.6, true});
  r_c_ = radius_->addGuide(Qt::Vertical, Token::kAxis);
  radius_words_ = captionLabel(this);
  body()->addWidget(splitterOf(Qt::Vertical,
                               {new TableTwin(plot_, this),
                                captioned(radius_words_, new TableTwin(radius_, this), this)},
                               {310, 330}, this),
                    1);
}

void HydroPlot::refresh() { refreshWhole(hydro_curve); }

void HydroPlot::showNothing(const QString& why) {
  CurvePlot::showNothing(why);
  radius_->clearAll({});
  radius_words_->setText(tr("Receptive radius"));
}

void HydroPlot::showCurve() {
  showPresses();
  showRadius();
}

void HydroPlot::showPresses() {
  const auto& presses = curve_->presses;
  if (presses.empty()) {
    setCaption({});
    return plot_->clearAll(text(curve_->no_presses));
  }
  auto chosen = std::find_if(presses.begin(), presses.end(), [this](const auto& press) {
    return press.press == state().selection().press();
  });
  if (chosen == presses.end()) chosen = presses.begin();
  std::vector<ResidualPoint> others;
  std::array<std::vector<ResidualPoint>, 2> own;
  std::vector<Point> line;
  for (auto press = presses.begin(); press != presses.end(); ++press)
    for (const auto& point : press->points) {
      (press != chosen ? others : own[point.inwards ? 0 : 1])
          .push_back(point_of(point, press->press));
      if (press == chosen) line.push_back({1e3 * point.depth_m, point.model_N});
    }
  plot_->setPointsLook(others_, {others.empty() ? QString() : tr("other presses"), Token::kHistory,
                                 0, false, Mark::kHollow, 3});
  plot_->setPoints(others_, others);
  const std::array names{tr("press %1 inwards").arg(chosen->press), tr("outwards")};
  const std::array looks{Curve{names[0], Token::kLine1, 0, false, Mark::kDisc, 4},
                         Curve{names[1], Token::kLine2, 0, false, Mark::kHollow, 5}};
  for (std::size_t way = 0; way < own.size(); ++way) {
    auto look = looks[way];
    if (own[way].empty()) look.name.clear();
    plot_->setPointsLook(chosen_[way], look);
    plot_->setPoints(chosen_[way], own[way]);
  }
  plot_->setPathCurve(model_, {modulusWords(chosen->modulus_Pa_per_m), Token::kText, 1.8, false,
                               Mark::kNone, 5, false});
  plot_->setModel(model_, std::move(line));
  setCaption(tr("%n presses · %1, %2 mm/s", nullptr, static_cast<int>(presses.size()))
                 .arg(text(chosen->indenter), fixed(1e3 * chosen->speed_m_per_s, 1)));
  plot_->setDescription(
      tr("Force over depth of %n presses.", nullptr, static_cast<int>(presses.size())));
  plot_->fitAll();
  plot_->placeLegend();
}

void HydroPlot::showRadius() {
  const auto& radius = state().model()->hydroelastic.receptive_radius;
  if (!curve_->spread || !radius.value) {
    radius_words_->setText(tr("Receptive radius"));
    return radius_->clearAll(text(curve_->no_spread.empty() ? radius.reason : curve_->no_spread));
  }
  const auto& spread = *curve_->spread;
  // A silent tactel far away says nothing and would squeeze the rest.
  double farthest_m = 0;
  for (const auto& answer : spread.answers)
    if (!answer.silent) farthest_m = std::max(farthest_m, answer.distance_m());
  std::vector<ResidualPoint> shares, silent;
  for (const auto& answer : spread.answers) {
    if (answer.distance_m() > kSilentReach * farthest_m) continue;
    (answer.silent ? silent : shares)
        .push_back({1e3 * answer.distance_m(), answer.share,
                    answer.silent ? std::nan("") : answer.share - answer.model,
                    spread.presses[answer.press].number});
  }
  radius_->setPointsLook(shares_, {shares.empty() ? QString() : tr("presses"), Token::kLine1, 0,
                                   false, Mark::kDisc, 3});
  radius_->setPoints(shares_, shares);
  radius_->setPointsLook(silent_, {silent.empty() ? QString() : tr("below threshold"),
                                   Token::kHistory, 0, false, Mark::kHollow, 3});
  radius_->setPoints(silent_, silent);
  std::vector<Point> kernel, weight;
  double centre = 0;
  for (std::size_t i = 0; i < spread.at_m.size(); ++i) {
    if (spread.at_m[i] < 0) continue;
    kernel.push_back({1e3 * spread.at_m[i], spread.along_x[i]});
    centre = std::max(centre, spread.along_x[i]);
  }
  for (int i = 0; i <= kWeightPoints; ++i) {
    const double part = static_cast<double>(i) / kWeightPoints;  // of r_c
    weight.push_back({1e3 * part * *radius.value, centre * (1 - part * part)});
  }
  radius_->setPathCurve(kernel_,
                        {tr("point spread"), Token::kText, 1.8, false, Mark::kNone, 5, false});
  radius_->setModel(kernel_, std::move(kernel));
  radius_->setPathCurve(weight_,
                        {tr("1 − (r/r_c)²"), Token::kLine4, 1.6, true, Mark::kNone, 5, false});
  radius_->setModel(weight_, std::move(weight));
  const double u_mm = radius.u_total ? 1e3 * *radius.u_total : 0;
  radius_->setGuide(r_c_, 1e3 * *radius.value,
                    QStringLiteral("r_c ") + valueWithUncertainty(radius), u_mm);
  radius_words_->setText(
      tr("Receptive radius · from %n presses", nullptr, static_cast<int>(spread.presses.size())));
  radius_->setDescription(tr("Share of the force by distance, with the receptive radius."));
  radius_->setEmptyText({});
  radius_->fitAll();
  radius_->placeLegend();
}

}  // namespace tactelier::gui
