#include "app/gui/pages/session/live_plots.hpp"

#include <algorithm>
#include <cmath>

#include "app/gui/text/words.hpp"

namespace tactelier::gui {
namespace {

constexpr int kDrawEvery = 3;     // frames: 20 pictures a second
constexpr double kGap_s = 0.25;   // without a frame: a gap in the line
constexpr int kLow_px = 80;       // a plot without numbers beneath
constexpr double kTouch_N = 0.1;  // above the noise of one frame
constexpr std::size_t kBefore = 9;
constexpr double kElsewhere_mm = 3;  // of travel: another height, a plate after the pad
constexpr double kTurn_mm = 2e-3;    // back from the deepest: unloading
const double kNothing = std::nan("");

}  // namespace

LiveForcePlot::LiveForcePlot(QWidget* parent) : PlotView(parent) {
  setAccessibleName(tr("Force over the last seconds"));
  setAxisLabels(tr("Time before now t [s]"), tr("Force F [N]"));
  force_ = addSeries({{}, Token::kLine1, 1.6, false, Mark::kNone, 5, true});
  line_ = addSeries({tr("limit"), Token::kBad, 1.2, true, Mark::kNone, 5, false});
  clearAll();
}

void LiveForcePlot::clearAll() {
  points_.clear();
  now_s_ = 0;
  setEmptyText(tr("No force data."));
  redraw();
}

void LiveForcePlot::setSpan(double span_s) {
  span_s_ = span_s;
  redraw();
}

void LiveForcePlot::leaveTimesToTheNext() {
  xAxis->setTickLabels(false);
  xAxis->setLabel({});
  setMinimumHeight(kLow_px);
}

void LiveForcePlot::setHeld(bool held) {
  if (held == held_) return;
  held_ = held;
  redraw();
}

void LiveForcePlot::setLimit(std::optional<double> limit_N) { limit_N_ = limit_N; }

void LiveForcePlot::add(const rig::LiveFrame& frame, bool fresh) {
  constexpr double kLongest_s = 60;
  if (held_) return;
  const double now_s = static_cast<double>(frame.now_ns) * 1e-9;
  if (!points_.empty() && (now_s < now_s_ || now_s - now_s_ > kGap_s))
    points_.push_back({now_s, kNothing});
  now_s_ = now_s;
  // A sensor that says nothing leaves a gap, not a flat line.
  const bool heard = frame.force_ns != force_ns_;
  force_ns_ = frame.force_ns;
  if (fresh && heard) {
    if (!points_.empty() && now_s - heard_s_ > kGap_s) points_.push_back({now_s, kNothing});
    heard_s_ = now_s;
    points_.push_back({now_s, frame.force_min_N});
    if (frame.force_max_N > frame.force_min_N) points_.push_back({now_s, frame.force_max_N});
  }
  while (!points_.empty() && points_.front().x < now_s - kLongest_s) points_.pop_front();
  if (++waiting_ >= kDrawEvery) redraw();
}

void LiveForcePlot::redraw() {
  waiting_ = 0;
  std::vector<Point> shown;
  // Of a minute: a press onto the rigid plate does not squeeze those on the pad for ever.
  double most_N = 1, least_N = 0;
  for (const auto& point : points_) {
    if (point.x >= now_s_ - span_s_) shown.push_back({point.x - now_s_, point.y});
    most_N = std::fmax(most_N, point.y);
    least_N = std::fmin(least_N, point.y);
  }
  setEmptyText(shown.empty() ? tr("No force data.") : QString());
  setPoints(force_, std::move(shown));
  const bool near = limit_N_ && most_N > 0.5 * *limit_N_;
  setPoints(line_, near ? std::vector<Point>{{-span_s_, *limit_N_}, {0, *limit_N_}}
                        : std::vector<Point>{});
  legend->setVisible(near);
  const double top_N = near ? std::max(most_N, *limit_N_) : most_N;
  setFullRange({-span_s_, 0}, {std::min(-0.05 * top_N, 1.1 * least_N), 1.1 * top_N});
  fitAll();
  setDescription(tr("Most force shown: %1 newtons.").arg(fixed(most_N, 2)));
}

LivePressPlot::LivePressPlot(QWidget* parent) : PlotView(parent) {
  setAccessibleName(tr("Force over travel, press by press"));
  setAxisLabels(tr("Stage travel −z [mm]"), tr("Force F [N]"));
  history_ = addPath({tr("previous presses"), Token::kHistory, 1, false, Mark::kNone, 5, false});
  loading_ = addPath({tr("loading"), Token::kLine1, 1.8, false, Mark::kDisc, 3});
  unloading_ = addPath({tr("unloading"), Token::kLine2, 1.8, false, Mark::kHollow, 3});
  clearAll();
}

void LivePressPlot::clearAll() {
  press_.clear();
  before_.clear();
  presses_ = 0;
  redraw();
}

void LivePressPlot::add(const rig::LiveFrame& frame, bool fresh) {
  if (held_ || !fresh || frame.stage_ns == stage_ns_ || frame.stage_ns == 0) return;
  stage_ns_ = frame.stage_ns;
  if (frame.force_N < kTouch_N) {
    if (press_.size() > 2) {
      before_.push_back(std::move(press_));
      if (before_.size() > kBefore) before_.pop_front();
    }
    press_.clear();
    return;
  }
  const Point now{-1e3 * frame.position_m[2], frame.force_N};
  if (press_.empty()) {
    ++presses_;
    // Curves at another height would squeeze these into a line.
    std::erase_if(before_, [&](const auto& press) {
      return std::abs(press.front().x - now.x) > kElsewhere_mm;
    });
  }
  press_.push_back(now);
  redraw();
}

void LivePressPlot::redraw() {
  std::vector<Point> history;
  for (const auto& press : before_) {
    history.insert(history.end(), press.begin(), press.end());
    history.push_back({kNothing, kNothing});
  }
  const bool any = !press_.empty() || !history.empty();
  setEmptyText(any ? QString() : tr("Nothing has been pressed yet."));
  legend->setVisible(any);
  setPathPoints(history_, std::move(history));
  // A hold belongs to the loading; both have the turn: the curve has no gap there.
  double deepest_mm = -INFINITY;
  for (const auto& point : press_) deepest_mm = std::fmax(deepest_mm, point.x);
  const auto turn = std::find_if(press_.rbegin(), press_.rend(), [&](const Point& point) {
                      return point.x > deepest_mm - kTurn_mm;
                    }).base();
  setPathPoints(loading_, {press_.begin(), turn});
  setPathPoints(unloading_, turn == press_.end()
                                ? std::vector<Point>{}
                                : std::vector<Point>{std::prev(turn), press_.end()});
  clearFullRange();
  fitAll();
}

}  // namespace tactelier::gui
