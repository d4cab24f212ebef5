#include "app/gui/pages/fit/friction_plot.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "app/gui/pages/fit/plot_parts.hpp"
#include "app/gui/widgets/correlation_table.hpp"
#include "app/gui/widgets/table_twin.hpp"

namespace tactelier::gui {
namespace {

constexpr double kSameLoad = 0.15;
constexpr std::array kTokens{Token::kLine1, Token::kLine2, Token::kLine3};
constexpr std::array kMarks{Mark::kDisc, Mark::kTriangle, Mark::kSquare};

/// Loads of the slides, those nearer than 15 % to each other together.
std::vector<double> loadsOf(const FrictionCurve& curve) {
  std::set<double> all;
  for (const auto& point : curve.points) all.insert(point.load_N);
  std::vector<double> loads;
  for (const double load : all)
    if (loads.empty() || load > loads.back() * (1 + kSameLoad)) loads.push_back(load);
  return loads;
}

std::size_t nearestLoad(const std::vector<double>& loads, double load_N) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < loads.size(); ++i)
    if (std::abs(loads[i] - load_N) < std::abs(loads[best] - load_N)) best = i;
  return best;
}

/// Of the fitted curve at one speed; NaN without one.
double curveAt(const FrictionCurve& curve, double speed) {
  const auto& speeds = curve.speed_m_per_s;
  const auto next = std::lower_bound(speeds.begin(), speeds.end(), speed) - speeds.begin();
  if (next <= 0 || static_cast<std::size_t>(next) >= speeds.size()) return std::nan("");
  const auto i = static_cast<std::size_t>(next);
  const double part = (speed - speeds[i - 1]) / (speeds[i] - speeds[i - 1]);
  return curve.friction[i - 1] + part * (curve.friction[i] - curve.friction[i - 1]);
}

}  // namespace

FrictionPlot::FrictionPlot(AppState& state, QWidget* parent)
    : CurvePlot(state, "friction", tr("Stribeck curve"), parent) {
  plot_ = new ResidualPlot(this);
  plot_->setObjectName(QStringLiteral("stribeckCurve"));
  plot_->setAccessibleName(tr("Friction over sliding speed"));
  plot_->setLogarithmic();
  plot_->setLabels(tr("Sliding speed |v| [mm/s]"), tr("F_t/F_n [–]"), tr("Residual [–]"));
  left_out_ = plot_->addPoints({{}, Token::kHistory, 0, false, Mark::kCross, 6});
  for (std::size_t i = 0; i < kTokens.size(); ++i) {
    backward_[i] = plot_->addPoints({{}, kTokens[i], 0, false, Mark::kHollow, 6});
    forward_[i] = plot_->addPoints({{}, kTokens[i], 0, false, kMarks[i], 6});
  }
  line_ = plot_->addModel({{}, Token::kText, 1.8});
  v_s_ = plot_->addGuide(Qt::Vertical, Token::kAxis);
  loops_ = new PlotView(this);
  loops_->setObjectName(QStringLiteral("preslidingLoops"));
  loops_->setAccessibleName(tr("Presliding loops: friction over tangential displacement"));
  loops_->setAxisLabels(tr("Tangential displacement [µm]"), tr("F_t [N]"));
  loop_words_ = captionLabel(this);
  weakest_ = captionLabel(this);
  correlation_ = new CorrelationTable(this);
  auto* below = splitterOf(Qt::Horizontal,
                           {captioned(loop_words_, new TableTwin(loops_, this), this),
                            captioned(weakest_, correlation_, this)},
                           {400, 280}, this);
  auto* halves = splitterOf(Qt::Vertical, {new TableTwin(plot_, this), below}, {370, 260}, this);
  body()->addWidget(halves, 1);
}

void FrictionPlot::refresh() {
  showCorrelation();
  refreshWhole(friction_curve);
}

void FrictionPlot::showNothing(const QString& why) {
  CurvePlot::showNothing(why);
  loops_->clearCurves();
  loop_words_->setText(tr("Presliding loops"));
}

void FrictionPlot::showCurve() {
  const auto loads = loadsOf(*curve_);
  std::array<std::vector<ResidualPoint>, 3> forward, backward;
  std::vector<ResidualPoint> left_out;
  int used = 0;
  for (const auto& point : curve_->points) {
    const double model =
        std::isnan(point.model) ? curveAt(*curve_, point.speed_m_per_s) : point.model;
    const ResidualPoint shown{1e3 * point.speed_m_per_s, point.friction, point.friction - model,
                              point.slide};
    used += point.used ? 1 : 0;
    const auto look = std::min(nearestLoad(loads, point.load_N), kTokens.size() - 1);
    (!point.used ? left_out : point.forward ? forward[look] : backward[look]).push_back(shown);
  }
  for (std::size_t i = 0; i < kTokens.size(); ++i) {
    const auto name = forward[i].empty() || i >= loads.size()
                          ? QString()
                          : tr("load %1 N").arg(fixed(loads[i], 2));
    plot_->setPointsLook(forward_[i], {name, kTokens[i], 0, false, kMarks[i], 6});
    plot_->setPoints(forward_[i], forward[i]);
    plot_->setPointsLook(backward_[i],
                         {i == 0 && !backward[i].empty() ? tr("hollow: return") : QString(),
                          kTokens[i], 0, false, Mark::kHollow, 6});
    plot_->setPoints(backward_[i], backward[i]);
  }
  plot_->setPointsLook(left_out_, {left_out.empty() ? QString() : tr("left out"), Token::kHistory,
                                   0, false, Mark::kCross, 6});
  plot_->setPoints(left_out_, left_out);
  std::vector<Point> line;
  for (std::size_t i = 0; i < curve_->friction.size(); ++i)
    line.push_back({1e3 * curve_->speed_m_per_s[i], curve_->friction[i]});
  plot_->setPathCurve(
      line_, {line.empty() ? QString() : tr("Stribeck, %1 N").arg(fixed(curve_->reference_N, 2)),
              Token::kText, 1.8, false, Mark::kNone, 5, false});
  plot_->setModel(line_, std::move(line));
  const auto& v_s = state().model()->friction.contact.v_s;
  plot_->setGuide(v_s_, v_s.value ? std::optional(1e3 * *v_s.value) : std::nullopt,
                  QStringLiteral("v_s ") + valueWithUncertainty(v_s));
  setCaption(tr("%1 of %2 slides used · %n loads", nullptr, static_cast<int>(loads.size()))
                 .arg(used)
                 .arg(static_cast<qlonglong>(curve_->points.size())));
  plot_->setDescription(
      tr("Friction of %n slides over speed.", nullptr, static_cast<int>(curve_->points.size())));
  plot_->fitAll();
  plot_->placeLegend();
  showLoops();
}

/// Those of the load nearest to the model's.
void FrictionPlot::showLoops() {
  loops_->clearCurves();
  double load_N = 0;
  for (const auto& loop : curve_->loops)
    if (load_N == 0 ||
        std::abs(loop.load_N - curve_->reference_N) < std::abs(load_N - curve_->reference_N))
      load_N = loop.load_N;
  std::size_t shown = 0;
  for (const auto& loop : curve_->loops) {
    if (std::abs(loop.load_N - load_N) > kSameLoad * load_N || shown >= kTokens.size()) continue;
    const auto points = [&](const std::vector<double>& force_N) {
      std::vector<Point> path;
      for (std::size_t i = 0; i < force_N.size(); ++i)
        path.push_back({1e6 * loop.path_m[i], force_N[i]});
      if (!path.empty()) path.push_back(path.front());
      return path;
    };
    const int measured =
        loops_->addPath({tr("%1 Hz").arg(fixed(loop.frequency_hz, 1)),
                         loop.used ? kTokens[shown] : Token::kHistory, 0, false, Mark::kDisc, 3});
    loops_->setPathPoints(measured, points(loop.force_N));
    if (!loop.model_N.empty()) {
      const int model = loops_->addPath(
          {shown == 0 ? tr("LuGre") : QString(), Token::kText, 1.4, false, Mark::kNone, 5, false});
      loops_->setPathPoints(model, points(loop.model_N));
    }
    ++shown;
  }
  loops_->legend->setVisible(shown > 0);
  loops_->setEmptyText(shown > 0 ? QString() : tr("No presliding was recorded (P10)."));
  loop_words_->setText(shown > 0 ? tr("Presliding loops, load %1 N").arg(fixed(load_N, 2))
                                 : tr("Presliding loops"));
  loops_->fitAll();
}

void FrictionPlot::showCorrelation() {
  correlation_->show(state().model() ? correlationsOf(*state().model(), "friction.")
                                     : Correlations{});
  const auto weakest = correlation_->weakest();
  weakest_->setText(weakest.isEmpty() ? tr("Correlation: nothing was estimated together")
                                      : tr("Correlation · weakest: %1").arg(weakest));
}

}  // namespace tactelier::gui
