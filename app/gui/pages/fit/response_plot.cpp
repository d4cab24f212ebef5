#include "app/gui/pages/fit/response_plot.hpp"

#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/text/words.hpp"
#include "app/gui/widgets/segmented.hpp"
#include "app/gui/widgets/table_twin.hpp"

namespace tactelier::gui {
namespace {

enum View { kCurve, kAllTactels, kOverTime };

constexpr std::size_t kOfAPress = 60;  // points of one press among those of all tactels

/// `x`: force or time of each reading.
void add(std::vector<ResidualPoint>& points, const std::vector<double>& x,
         const std::vector<double>& force_N, const std::vector<double>& counts,
         const ResponseCurve& curve, int press) {
  for (std::size_t i = 0; i < std::min(x.size(), counts.size()); ++i)
    points.push_back({x[i], counts[i],
                      curve.fitted() ? counts[i] - curve.counts(force_N[i]) : std::nan(""), press});
}

std::vector<double> since(std::vector<double> times_s, double begin_s) {
  for (double& time_s : times_s) time_s -= begin_s;
  return times_s;
}

}  // namespace

ResponsePlot::ResponsePlot(AppState& state, QWidget* parent)
    : CurvePlot(state, "response", tr("Response"), parent) {
  plot_ = new ResidualPlot(this);
  plot_->setObjectName(QStringLiteral("responseCurve"));
  plot_->setAccessibleName(tr("Response curve: counts over force"));
  plot_->setLabels(tr("Force F [N]"), tr("Reading [counts]"), tr("Residual [counts]"));
  left_out_ = plot_->addPoints({tr("left out"), Token::kHistory, 0, false, Mark::kCross, 6});
  unloading_ = plot_->addPoints({tr("unloading"), Token::kLine2, 0, false, Mark::kHollow, 4});
  loading_ = plot_->addPoints({tr("loading"), Token::kLine1, 0, false, Mark::kDisc, 3});
  line_ = plot_->addModel({tr("fitted line"), Token::kText, 1.8});
  saturation_ = plot_->addGuide(Qt::Horizontal, Token::kWarn, Qt::DotLine);
  threshold_ = plot_->addGuide(Qt::Vertical, Token::kAxis, Qt::DotLine);
  body()->addWidget(new TableTwin(plot_, this), 1);
  view_ =
      new Segmented(tr("Readings over"), {tr("Curve"), tr("All tactels"), tr("Over time")}, this);
  view_->setObjectName(QStringLiteral("responseView"));
  view_->setToolTip(
      tr("Readings and residuals over the force, of this tactel or of all, or over the time of the "
         "recording: what drifts, or jumped once."));
  addTool(view_);
  connect(view_, &Segmented::chosen, this, [this] { refresh(); });
  connect(plot_, &PlotView::clickedAt, this,
          [this](double, double, QMouseEvent* event) { clickAt(event->position()); });
}

void ResponsePlot::refresh() {
  showQuality();
  const auto tactel = state().selection().tactel();
  auto sources = fitSources(state());
  if (!tactel || sources.empty() || state().model() == nullptr) {
    dropLoads();
    shown_ = {-1, -1};
    setTitle(tr("Response"));
    showNothing(sources.empty()              ? tr("Open the recording to see its data.")
                : state().model() == nullptr ? nothingYet()
                                             : tr("Choose a tactel in the map."));
    return;
  }
  if (view_->current() == kAllTactels) return loadAll(std::move(sources));
  setTitle(tr("Response of tactel %1").arg(*tactel));
  asked_.clear();
  for (const auto& source : sources) asked_.push_back(source.recording);
  loadCurve(std::move(sources), [model = state().model(), tactel = *tactel](
                                    const OpenedSources& opened, const Job& job) {
    return response_curve(opened.sessions(), opened.clocks(), *model, tactel, job);
  });
}

void ResponsePlot::showCurve() {
  sources_ = asked_;
  draw();
}

void ResponsePlot::loadAll(std::vector<FitSource> sources) {
  setTitle(tr("Response of all tactels"));
  auto basis = fitBasis(state(), sources);
  if (all_asked_ == basis) {
    if (all_ != nullptr) drawAll();
    return;
  }
  all_asked_ = std::move(basis);
  all_.reset();
  showNothing(tr("Working it out …"));
  using Curves = std::shared_ptr<const std::vector<ResponseCurve>>;
  load<Curves>(
      [sources = std::move(sources), model = state().model()](const Job& job) -> Result<Curves> {
        const auto opened = OpenedSources::open(sources, job);
        if (!opened) return fail(opened.error());
        auto curves = response_curves(opened->sessions(), opened->clocks(), *model, job);
        if (!curves) return fail(curves.error());
        return std::make_shared<const std::vector<ResponseCurve>>(std::move(*curves));
      },
      [this](Result<Curves> curves) {
        if (!curves) {
          all_asked_.reset();
          return showNothing(text(curves.error().message));
        }
        all_ = std::move(*curves);
        drawAll();
      });
}

/// Above its reading without force, so that tactels of different offsets lie over each other.
void ResponsePlot::drawAll() {
  const int chosen = state().selection().tactel().value_or(-1);
  std::vector<ResidualPoint> all, of_chosen;
  int fitted = 0;
  for (const auto& curve : *all_) {
    if (!curve.fitted()) continue;
    ++fitted;
    const double rest_counts = curve.counts(0);
    auto& points = curve.tactel == chosen ? of_chosen : all;
    for (const auto& trace : curve.traces) {
      if (!trace.used) continue;
      const auto step = trace.loading_N.size() / kOfAPress + 1;
      for (std::size_t i = 0; i < trace.loading_N.size(); i += step)
        points.push_back({trace.loading_N[i], trace.loading_counts[i] - rest_counts,
                          trace.loading_counts[i] - curve.counts(trace.loading_N[i]),
                          curve.tactel});
    }
  }
  const std::pair now{fitted, int(kAllTactels)};
  const bool other = std::exchange(shown_, now) != now;
  plot_->setEmptyText(fitted == 0 ? tr("No tactel was fitted.") : QString());
  plot_->setLabels(tr("Force F [N]"), tr("Reading above rest [counts]"), tr("Residual [counts]"));
  plot_->setTagWords(tr("tactel %1"));
  plot_->setPointsLook(left_out_, {{}, Token::kHistory, 0, false, Mark::kCross, 6});
  plot_->setPointsLook(unloading_, {all.empty() ? QString() : tr("other tactels"), Token::kHistory,
                                    0, false, Mark::kDisc, 2});
  plot_->setPointsLook(loading_, {of_chosen.empty() ? QString() : tr("tactel %1").arg(chosen),
                                  Token::kLine1, 0, false, Mark::kDisc, 3});
  plot_->setPoints(left_out_, {});
  plot_->setPoints(unloading_, all);
  plot_->setPoints(loading_, of_chosen);
  nameLine(false);
  plot_->setModel(line_, {});
  plot_->setBand(0);
  plot_->setGuide(saturation_, std::nullopt);
  plot_->setGuide(threshold_, std::nullopt);
  setCaption(tr("%n tactels, while loading · a click chooses", nullptr, fitted));
  if (other) plot_->fitAll();
  plot_->placeLegend();
  plot_->setDescription(tr("Readings of %n tactels over the force.", nullptr, fitted));
}

void ResponsePlot::draw() {
  const std::pair now{curve_->tactel, view_->current()};
  const bool other = std::exchange(shown_, now) != now;
  const bool in_time = now.second == kOverTime;
  plot_->setLabels(in_time ? tr("Time in the recording t [s]") : tr("Force F [N]"),
                   tr("Reading [counts]"), tr("Residual [counts]"));
  plot_->setTagWords(tr("press %1"));
  const auto session = sessionShown();
  const auto clouds = in_time ? overTime(session) : overForce();
  showClouds(clouds);
  showLine();
  int used = 0;
  for (const auto& trace : curve_->traces) used += trace.used ? 1 : 0;
  auto caption = tr("%1 of %2 presses used · Shift+arrows: next tactel")
                     .arg(used)
                     .arg(static_cast<qlonglong>(curve_->traces.size()));
  if (in_time && sources_.size() > 1)
    caption = tr("of %1 alone").arg(sources_[session]->name());
  else if (in_time && clouds.loading.empty() && clouds.left_out.empty())
    caption = tr("readings at rest have no times");
  setCaption(caption);
  if (other) plot_->fitAll();
  plot_->placeLegend();
  const auto count = static_cast<int>(clouds.loading.size());
  plot_->setDescription(
      curve_->line
          ? tr("Readings rise by one count per %1 N; %n readings while loading.", nullptr, count)
                .arg(curve_->line->gain_N_per_count, 0, 'g', 4)
          : tr("No line was fitted; %n readings while loading.", nullptr, count));
}

ResponsePlot::Clouds ResponsePlot::overForce() const {
  Clouds clouds;
  for (const auto& trace : curve_->traces) {
    add(trace.used ? clouds.loading : clouds.left_out, trace.loading_N, trace.loading_N,
        trace.loading_counts, *curve_, trace.press);
    if (trace.used)
      add(clouds.unloading, trace.unloading_N, trace.unloading_N, trace.unloading_counts, *curve_,
          trace.press);
  }
  return clouds;
}

ResponsePlot::Clouds ResponsePlot::overTime(std::size_t session) const {
  Clouds clouds;
  if (session >= sources_.size()) return clouds;
  const double begin_s = sources_[session]->begin_s();
  for (const auto& trace : curve_->traces) {
    if (trace.session != session) continue;
    add(trace.used ? clouds.loading : clouds.left_out, since(trace.loading_s, begin_s),
        trace.loading_N, trace.loading_counts, *curve_, trace.press);
    if (trace.used)
      add(clouds.unloading, since(trace.unloading_s, begin_s), trace.unloading_N,
          trace.unloading_counts, *curve_, trace.press);
  }
  return clouds;
}

/// The recording that all pages show, where it was fitted.
std::size_t ResponsePlot::sessionShown() const {
  for (std::size_t i = 0; i < sources_.size(); ++i)
    if (state().recording() != nullptr && state().recording()->recording() == sources_[i]) return i;
  return 0;
}

void ResponsePlot::showClouds(const Clouds& clouds) {
  const auto name = [](const auto& points, const QString& words) {
    return points.empty() ? QString() : words;
  };
  plot_->setPointsLook(
      loading_, {name(clouds.loading, tr("loading")), Token::kLine1, 0, false, Mark::kDisc, 3});
  plot_->setPointsLook(unloading_, {name(clouds.unloading, tr("unloading")), Token::kLine2, 0,
                                    false, Mark::kHollow, 4});
  plot_->setPointsLook(left_out_, {name(clouds.left_out, tr("left out")), Token::kHistory, 0, false,
                                   Mark::kCross, 6});
  plot_->setPoints(loading_, clouds.loading);
  plot_->setPoints(unloading_, clouds.unloading);
  plot_->setPoints(left_out_, clouds.left_out);
  plot_->orderLegend({loading_, unloading_, left_out_});
}

/// In the legend as long as there is one.
void ResponsePlot::nameLine(bool shown) {
  plot_->setPathCurve(line_, {shown ? tr("fitted line") : QString(), Token::kText, 1.8, false,
                              Mark::kNone, 5, false});
}

void ResponsePlot::showLine() {
  const auto& response =
      state().model()->response.tactels[static_cast<std::size_t>(curve_->tactel)];
  const bool in_time = view_->current() == kOverTime;
  std::vector<Point> line;
  if (in_time) {
    // The curve is one over force.
  } else if (curve_->bent) {
    line.push_back({0, curve_->counts(0)});
    for (const auto& knot : curve_->bent->knots())
      line.push_back({knot[0], curve_->counts(knot[0])});
  } else if (curve_->line) {
    const double end_N = 1.05 * curve_->largest_force_N;
    std::vector<double> bends{0, end_N};
    for (const double at : {curve_->line->threshold_N, curve_->line->saturation_force_N()})
      if (at > 0 && at < end_N) bends.push_back(at);
    std::sort(bends.begin(), bends.end());
    for (const double force_N : bends) line.push_back({force_N, curve_->counts(force_N)});
  }
  nameLine(!line.empty());
  plot_->setModel(line_, std::move(line));
  plot_->setBand(curve_->fitted() ? 2 * curve_->noise_counts : 0);
  const auto guide = [](const QString& name, const Parameter& parameter) {
    return name + QLatin1Char(' ') + valueWithUncertainty(parameter);
  };
  // Assumed from the description, or seen: both are where readings end.
  plot_->setGuide(saturation_, response.saturation.value,
                  guide(tr("saturation"), response.saturation));
  plot_->setGuide(threshold_, in_time ? std::nullopt : response.press_threshold.value,
                  guide(tr("threshold"), response.press_threshold));
}

/// A point of another press chooses it; of the chosen press excludes or includes it.
void ResponsePlot::clickAt(const QPointF& position) {
  const auto found = plot_->foundAt(position);
  if (found && view_->current() == kAllTactels)
    return state().selection().chooseTactel(found->point.tag);
  if (!found || !curve_) return;
  const auto trace = std::find_if(curve_->traces.begin(), curve_->traces.end(),
                                  [&](const auto& t) { return t.press == found->point.tag; });
  if (trace == curve_->traces.end() || trace->session >= sources_.size()) return;
  for (auto* document : state().recordings().all()) {
    if (document->recording() != sources_[trace->session]) continue;
    if (document == state().recording() && state().selection().press() == trace->press) {
      const auto* press = document->press(trace->press);
      document->setExcluded(trace->press, !press->excluded);
      return;
    }
    const int press = trace->press;  // choosing may reload the curve
    state().selection().setRecording(document);
    state().selection().choosePress(press);
    return;
  }
}

}  // namespace tactelier::gui
