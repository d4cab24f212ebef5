// The box beside the nearest point, and the ring around it.

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/gui/text/words.hpp"
#include "app/gui/widgets/plot_view.hpp"

namespace tactelier::gui {
namespace {

constexpr double kReach_px = 12;
constexpr double kGap_px = 10;
constexpr QLatin1String kLayer("hover");

/// "Force F [N]" -> "N"; "" for a ratio.
QString unitOf(const QString& label) {
  const auto open = label.lastIndexOf(QLatin1Char('['));
  const auto close = label.lastIndexOf(QLatin1Char(']'));
  const auto unit = open < 0 || close < open ? QString() : label.mid(open + 1, close - open - 1);
  return unit == QStringLiteral("–") ? QString() : unit;
}

QString withUnit(double value, const QCPAxis* axis) {
  // As many decimals as tell neighbouring pixels apart.
  const double pixel = axis->range().size() / std::max(100, axis->axisRect()->width());
  const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(pixel))), 0, 6);
  const auto unit = unitOf(PlotView::labelOf(axis));
  return unit.isEmpty() ? fixed(value, decimals) : fixed(value, decimals) + QLatin1Char(' ') + unit;
}

}  // namespace

void PlotView::buildHover() {
  addLayer(kLayer, layer(QStringLiteral("main")), limAbove);
  layer(kLayer)->setMode(QCPLayer::lmBuffered);
  const auto ring = [this] {
    auto* made = new QCPItemTracer(this);
    made->setStyle(QCPItemTracer::tsCircle);
    made->setSize(9);
    made->setLayer(kLayer);
    made->setClipToAxisRect(false);
    made->setVisible(false);
    return made;
  };
  ring_ = ring();
  linked_ring_ = ring();
  box_ = new QCPItemText(this);
  box_->setLayer(kLayer);
  box_->setClipToAxisRect(false);
  box_->position->setType(QCPItemPosition::ptAbsolute);
  box_->setPadding(QMargins(8, 3, 8, 3));
  box_->setVisible(false);
  restyleHover();
}

void PlotView::restyleHover() {
  if (ring_ == nullptr) return;
  for (auto* ring : {ring_, linked_ring_}) {
    ring->setPen(QPen(theme().color(Token::kText), 1.5));
    ring->setBrush(theme().color(Token::kPlot));
  }
  box_->setFont(theme().font(Type::kTick));
  box_->setColor(theme().color(Token::kText));
  box_->setPen(QPen(theme().color(Token::kControl), 1));
  box_->setBrush(theme().color(Token::kSurface));
}

const PlotView::Series* PlotView::seriesOf(const CurvePoint& point) const {
  const auto& list = point.path ? paths_ : series_;
  if (point.curve < 0 || static_cast<std::size_t>(point.curve) >= list.size()) return nullptr;
  const auto& series = list[static_cast<std::size_t>(point.curve)];
  return point.index < series.points.size() ? &series : nullptr;
}

Point PlotView::pointAt(const CurvePoint& point) const {
  const auto* series = seriesOf(point);
  return series != nullptr ? series->points[point.index] : Point{std::nan(""), std::nan("")};
}

std::optional<CurvePoint> PlotView::pointNear(const QPointF& position) const {
  std::optional<CurvePoint> best;
  double least = kReach_px * kReach_px;
  const auto look = [&](const Series& series, bool path, int curve) {
    const auto* x_axis = path ? series.curve->keyAxis() : series.graph->keyAxis();
    const auto* y_axis = path ? series.curve->valueAxis() : series.graph->valueAxis();
    if (!series.look.hover || !x_axis->axisRect()->rect().contains(position.toPoint())) return;
    auto from = series.points.begin();
    auto to = series.points.end();
    if (!path) {  // sorted by x
      const auto before = [](const Point& point, double x) { return point.x < x; };
      from = std::lower_bound(from, to, x_axis->pixelToCoord(position.x() - kReach_px), before);
      to = std::lower_bound(from, to, x_axis->pixelToCoord(position.x() + kReach_px), before);
    }
    for (auto it = from; it != to; ++it) {
      if (std::isnan(it->y)) continue;
      const double dx = x_axis->coordToPixel(it->x) - position.x();
      const double dy = y_axis->coordToPixel(it->y) - position.y();
      if (dx * dx + dy * dy >= least) continue;
      least = dx * dx + dy * dy;
      best = CurvePoint{path, curve, static_cast<std::size_t>(it - series.points.begin())};
    }
  };
  for (std::size_t i = 0; i < series_.size(); ++i) look(series_[i], false, static_cast<int>(i));
  for (std::size_t i = 0; i < paths_.size(); ++i) look(paths_[i], true, static_cast<int>(i));
  return best;
}

void PlotView::linkPaths(int one, int other) { links_.emplace_back(one, other); }

void PlotView::setHovered(std::optional<CurvePoint> point) {
  if (point == hover_) return;
  if (ring_ == nullptr) buildHover();  // a plot that nobody points at needs no layer for it
  hover_ = point;
  placeHover();
  layer(kLayer)->replot();
  emit pointHovered();
}

QString PlotView::hoverWords(const CurvePoint& point) const {
  if (words_) return words_(point);
  const auto* series = seriesOf(point);
  const auto* x_axis = point.path ? series->curve->keyAxis() : series->graph->keyAxis();
  const auto* y_axis = point.path ? series->curve->valueAxis() : series->graph->valueAxis();
  const auto at = pointAt(point);
  auto words = withUnit(at.x, strip_ != nullptr ? strip_->axis(QCPAxis::atBottom) : x_axis) +
               QStringLiteral(" · ") + withUnit(at.y, y_axis);
  return series->look.name.isEmpty() ? words : series->look.name + QStringLiteral(" · ") + words;
}

void PlotView::placeHover() {
  const auto* series = hover_ ? seriesOf(*hover_) : nullptr;
  ring_->setVisible(series != nullptr);
  box_->setVisible(series != nullptr);
  linked_ring_->setVisible(false);
  if (series == nullptr) return;
  const auto put = [this](QCPItemTracer* ring, const CurvePoint& point) {
    const auto* on = seriesOf(point);
    if (on == nullptr) return false;
    auto* x_axis = point.path ? on->curve->keyAxis() : on->graph->keyAxis();
    auto* y_axis = point.path ? on->curve->valueAxis() : on->graph->valueAxis();
    ring->position->setAxes(x_axis, y_axis);
    ring->position->setCoords(pointAt(point).x, pointAt(point).y);
    return true;
  };
  put(ring_, *hover_);
  for (const auto& [one, other] : links_) {
    if (!hover_->path || (hover_->curve != one && hover_->curve != other)) continue;
    const CurvePoint twin{true, hover_->curve == one ? other : one, hover_->index};
    linked_ring_->setVisible(put(linked_ring_, twin) && !std::isnan(pointAt(twin).y));
  }
  box_->setText(hoverWords(*hover_));
  const auto at = ring_->position->pixelPosition();
  const bool at_right = at.x() > width() * 0.6;
  const bool at_top = at.y() < 40;
  box_->setPositionAlignment((at_right ? Qt::AlignRight : Qt::AlignLeft) |
                             (at_top ? Qt::AlignTop : Qt::AlignBottom));
  box_->position->setCoords(at.x() + (at_right ? -kGap_px : kGap_px),
                            at.y() + (at_top ? kGap_px : -kGap_px));
  setAccessibleDescription(box_->text());
}

bool PlotView::stepHover(int by) {
  if (!hover_) return false;
  auto next = *hover_;
  if (by < 0 && next.index == 0) return true;
  next.index = by < 0 ? next.index - 1 : next.index + 1;
  if (seriesOf(next) != nullptr) setHovered(next);
  return true;
}

}  // namespace tactelier::gui
