#include "app/gui/pages/session/live_traces.hpp"

#include <algorithm>
#include <cmath>

#include "app/gui/text/words.hpp"
#include "libcalib/sensor/normal_channel.hpp"

namespace tactelier::gui {
namespace {

constexpr int kDrawEvery = 3;  // frames: 20 pictures a second
constexpr double kLongest_s = 60;
constexpr double kGap_s = 0.25;  // without a frame: a gap in the line
constexpr std::size_t kNearest = 3;
constexpr std::size_t kCurves = kNearest + 1;
constexpr std::size_t kMostReadings = 4'000'000;  // kept: 16 MB of an array of thousands
constexpr double kLegendShare = 0.35;             // above the curves, which it would hide
constexpr double kLeastSpan_counts = 20;          // noise alone does not fill the plot
constexpr Token kTokens[kCurves] = {Token::kLine2, Token::kLine3, Token::kLine4, Token::kHistory};

}  // namespace

LiveTracePlot::LiveTracePlot(QWidget* parent) : PlotView(parent) {
  setAccessibleName(tr("Readings of the tactels nearest to the tip over the last seconds"));
  setAxisLabels(tr("Time before now t [s]"), tr("Counts"));
  legend->setFillOrder(QCPLegend::foColumnsFirst);
  legend->setIconSize(theme().px(16), theme().px(10));
  for (const auto token : kTokens)
    addSeries({{}, token, 1.6, token == Token::kHistory, Mark::kNone, 5, true});
  clearAll();
}

void LiveTracePlot::setSensor(const SensorDescription& sensor) {
  sensor_ = sensor;
  pressed_.reset();
  chosen_.reset();
  tip_m_.reset();
  clearAll();
}

void LiveTracePlot::clearAll() {
  samples_.clear();
  shown_.clear();
  frame_ns_ = 0;
  redraw();
}

void LiveTracePlot::setSpan(double span_s) {
  span_s_ = span_s;
  redraw();
}

void LiveTracePlot::setChosen(std::optional<int> tactel) {
  if (tactel == chosen_) return;
  chosen_ = tactel;
  redraw();
}

void LiveTracePlot::add(const rig::LiveFrame& frame) {
  const auto channels = static_cast<std::size_t>(std::max(1, sensor_.channels));
  const auto tactels = static_cast<std::size_t>(sensor_.tactels());
  if (held_ || frame.frame_ns == 0 || frame.frame_ns == frame_ns_ ||
      frame.counts.size() < tactels * channels)
    return;
  frame_ns_ = frame.frame_ns;
  const double now_s = static_cast<double>(frame.frame_ns) * 1e-9;
  if (now_s < now_s_) samples_.clear();
  now_s_ = now_s;
  Sample sample{now_s, {}};
  sample.counts.reserve(tactels);
  for (std::size_t i = 0; i < tactels; ++i)
    sample.counts.push_back(frame.counts[i * channels + normal_channel(sensor_.channels)]);
  samples_.push_back(std::move(sample));
  const auto most = std::max<std::size_t>(1, kMostReadings / std::max<std::size_t>(1, tactels));
  while (samples_.size() > most || samples_.front().time_s < now_s_ - kLongest_s)
    samples_.pop_front();
  if (++waiting_ >= kDrawEvery) redraw();
}

/// The pressed one first, or those under the tip; then the chosen one.
std::vector<int> LiveTracePlot::nearest() const {
  std::vector<int> order;
  const auto place_m = pressed_ && *pressed_ < sensor_.tactels()
                           ? std::optional(sensor_.position_m(*pressed_))
                           : tip_m_;
  if (place_m) {
    const auto away_m = [&](int tactel) {
      const auto at_m = sensor_.position_m(tactel);
      return std::hypot(at_m[0] - (*place_m)[0], at_m[1] - (*place_m)[1]);
    };
    for (int i = 0; i < sensor_.tactels(); ++i) order.push_back(i);
    const auto count = std::min(kNearest, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count),
                      order.end(), [&](int a, int b) {
                        const double to_a = away_m(a), to_b = away_m(b);
                        return to_a != to_b ? to_a < to_b : a < b;
                      });
    order.resize(count);
  }
  if (chosen_ && *chosen_ < sensor_.tactels() &&
      std::find(order.begin(), order.end(), *chosen_) == order.end())
    order.push_back(*chosen_);
  return order;
}

QString LiveTracePlot::nameOf(int tactel) const {
  return tactel == pressed_  ? tr("%1 (pressed)").arg(tactel)
         : tactel == chosen_ ? tr("%1 (chosen)").arg(tactel)
                             : QString::number(tactel);
}

void LiveTracePlot::redraw() {
  waiting_ = 0;
  shown_ = nearest();
  double low = INFINITY, high = -INFINITY;
  for (std::size_t curve = 0; curve < kCurves; ++curve) {
    const bool used = curve < shown_.size();
    // The chosen one has the last curve's look, however many are beside it.
    const auto token = used && curve + 1 == shown_.size() && shown_[curve] == chosen_ &&
                               shown_[curve] != pressed_ && curve > 0
                           ? Token::kHistory
                           : kTokens[curve];
    setCurve(static_cast<int>(curve), {used ? nameOf(shown_[curve]) : QString(), token, 1.6,
                                       token == Token::kHistory, Mark::kNone, 5, true});
    std::vector<Point> points;
    double before_s = NAN;
    for (const auto& sample : samples_) {
      if (!used) break;
      if (sample.time_s < now_s_ - span_s_) continue;
      if (sample.time_s - before_s > kGap_s) points.push_back({sample.time_s - now_s_, NAN});
      before_s = sample.time_s;
      const auto counts =
          static_cast<double>(sample.counts[static_cast<std::size_t>(shown_[curve])]);
      points.push_back({sample.time_s - now_s_, counts});
      low = std::min(low, counts);
      high = std::max(high, counts);
    }
    setPoints(static_cast<int>(curve), std::move(points));
  }
  const bool any = low <= high;
  setEmptyText(any              ? QString()
               : shown_.empty() ? tr("Register the pad, or choose a tactel.")
                                : tr("No tactile frames."));
  legend->setVisible(any);
  if (!any) low = 0, high = 1;
  const double air = std::max(0.05 * (high - low), (kLeastSpan_counts - (high - low)) / 2);
  const double legend_room = kLegendShare * (high - low + 2 * air);
  setFullRange({-span_s_, 0}, {low - air, high + air + legend_room});
  fitAll();
  QStringList now;
  for (const int tactel : shown_)
    if (!samples_.empty())
      now << tr("tactel %1 reads %2")
                 .arg(tactel)
                 .arg(fixed(
                     static_cast<double>(samples_.back().counts[static_cast<std::size_t>(tactel)]),
                     0));
  setDescription(now.join(QStringLiteral(", ")));
}

}  // namespace tactelier::gui
