#include "app/gui/pages/bench/stop_plot.hpp"

#include <algorithm>
#include <cmath>

#include "app/gui/text/words.hpp"

namespace tactelier::gui {
namespace {

constexpr int kBins = 20;
constexpr double kLeast_ms = 1;  // of the axis

}  // namespace

StopPlot::StopPlot(QWidget* parent) : PlotView(parent) {
  setObjectName(QStringLiteral("stopPlot"));
  setAccessibleName(tr("Answers to STOP, by the time that they took"));
  setAxisLabels(tr("Time from STOP to its answer t [ms]"), tr("Answers [–]"));
  bars_ = addPath({tr("answers"), Token::kLine1, 1.8, false, Mark::kNone, 5, false});
  p99_ = addPath({tr("99 % are faster"), Token::kBad, 1.4, true, Mark::kNone, 5, false});
  setEmptyText(tr("No rig is connected."));
}

void StopPlot::show(const std::deque<double>& answers_ms) {
  if (answers_ms.size() == shown_ && (shown_ == 0 || answers_ms.back() == newest_ms_)) return;
  shown_ = answers_ms.size();
  setEmptyText(shown_ > 0 ? QString() : tr("No rig is connected."));
  legend->setVisible(shown_ > 0);
  if (shown_ == 0) {
    setPathPoints(bars_, {});
    setPathPoints(p99_, {});
    return setDescription({});
  }
  newest_ms_ = answers_ms.back();
  std::vector<double> sorted(answers_ms.begin(), answers_ms.end());
  std::sort(sorted.begin(), sorted.end());
  const double most_ms = std::max(kLeast_ms, 1.05 * sorted.back());
  const double width_ms = most_ms / kBins;
  std::vector<int> bins(kBins);
  for (const double took_ms : sorted)
    ++bins[static_cast<std::size_t>(std::min(kBins - 1, static_cast<int>(took_ms / width_ms)))];
  std::vector<Point> outline;
  for (int i = 0; i < kBins; ++i) {
    const double high = bins[static_cast<std::size_t>(i)];
    for (const auto& [x, y] :
         {std::pair{i * width_ms, 0.0}, {i * width_ms, high}, {(i + 1) * width_ms, high}})
      outline.push_back({x, y});
  }
  outline.push_back({most_ms, 0});
  const double highest = *std::max_element(bins.begin(), bins.end());
  const auto at = [&](double part) {
    return sorted[static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1))];
  };
  setPathPoints(bars_, std::move(outline));
  setPathPoints(p99_, {{at(0.99), 0}, {at(0.99), 1.05 * highest}});
  setFullRange({0, most_ms}, {0, 1.1 * highest});
  fitAll();
  setDescription(tr("Of %1 answers half came within %2 ms, 99 % within %3 ms, all within %4 ms.")
                     .arg(sorted.size())
                     .arg(fixed(at(0.5), 1), fixed(at(0.99), 1), fixed(sorted.back(), 1)));
}

}  // namespace tactelier::gui
