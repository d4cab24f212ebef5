#include "app/gui/pages/recording/force_depth_plot.hpp"

#include <algorithm>
#include <cmath>

#include "app/gui/text/words.hpp"

namespace tactelier::gui {
namespace {

constexpr double kGrab_px = 6;
constexpr double kStep_mm = 0.001;
constexpr std::size_t kMaxTraces = 400;

double squaredDistance(const QPointF& p, const QPointF& a, const QPointF& b) {
  const auto d = b - a;
  const double length = QPointF::dotProduct(d, d);
  const double t = length > 0 ? std::clamp(QPointF::dotProduct(p - a, d) / length, 0.0, 1.0) : 0.0;
  const auto away = p - (a + t * d);
  return QPointF::dotProduct(away, away);
}

}  // namespace

ForceDepthPlot::ForceDepthPlot(QWidget* parent) : PlotView(parent) {
  setAccessibleName(tr("Force over depth"));
  history_ = addPath({{}, Token::kHistory, 1, false, Mark::kNone, 5, false});
  unloading_ = addPath({tr("unloading"), Token::kLine2, 1.2, false, Mark::kHollow, 4});
  loading_ = addPath({tr("loading"), Token::kLine1, 1.8, false, Mark::kDisc, 3});
  time_ = addPath({{}, Token::kText, 0, false, Mark::kHollow, 10, false});
  const auto make_line = [this] {
    auto* made = new QCPItemStraightLine(this);
    made->setVisible(false);
    return made;
  };
  ghost_ = make_line();
  line_ = make_line();
  label_ = new QCPItemText(this);
  label_->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
  label_->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
  label_->setVisible(false);
  connect(this, &PlotView::clickedAt, this,
          [this](double, double, QMouseEvent* event) { clickAt(event->pos()); });
  connect(&theme(), &Theme::changed, this, &ForceDepthPlot::restyleItems);
  restyleItems();
  clear(tr("No press is chosen."));
}

void ForceDepthPlot::clear(const QString& why) {
  curve_.reset();
  rebuild();
  setEmptyText(why);
}

void ForceDepthPlot::setTraces(std::vector<PressTrace> traces) {
  traces_ = std::move(traces);
  if (traces_.size() > kMaxTraces) traces_.resize(kMaxTraces);
  rebuild();
}

void ForceDepthPlot::setCurve(std::shared_ptr<const PressCurve> curve, bool usable) {
  curve_ = std::move(curve);
  usable_ = usable;
  setEmptyText(curve_->force_N.empty()    ? tr("This recording holds no force.")
               : curve_->travel_m.empty() ? tr("This recording holds no stage position.")
                                          : QString());
  rebuild();
  fitAll();
}

void ForceDepthPlot::rebuild() {
  const bool has_curve = curve_ && !curve_->force_N.empty() && !curve_->travel_m.empty();
  const bool has_contact = has_curve && curve_->contact_m.has_value();
  zero_m_ = has_contact ? *curve_->contact_m : 0;
  setAxisLabels(has_contact ? tr("Depth δ [mm]") : tr("Stage travel −z [mm]"), tr("Force F [N]"));
  const auto path = [this](const std::vector<double>& travel_m, const std::vector<double>& force_N,
                           std::size_t from, std::size_t to) {
    std::vector<Point> points;
    for (auto i = from; i < to; ++i) points.push_back({(travel_m[i] - zero_m_) * 1e3, force_N[i]});
    return points;
  };
  std::vector<Point> history;
  for (const auto& trace : traces_) {
    const auto points = path(trace.travel_m, trace.force_N, 0, trace.force_N.size());
    history.insert(history.end(), points.begin(), points.end());
    history.push_back({std::nan(""), std::nan("")});
  }
  setPathPoints(history_, std::move(history));
  const std::size_t rows = has_curve ? curve_->force_N.size() : 0;
  const std::size_t peak = has_curve ? std::min(curve_->peak + 1, rows) : 0;
  const auto token = [this](Token normal) { return usable_ ? normal : Token::kHistory; };
  const auto mark = [this](Mark normal) { return usable_ ? normal : Mark::kCross; };
  setPathCurve(loading_, {tr("loading"), token(Token::kLine1), 1.8, false, mark(Mark::kDisc), 4});
  setPathCurve(unloading_,
               {tr("unloading"), token(Token::kLine2), 1.2, false, mark(Mark::kHollow), 4});
  listLast(loading_);
  listLast(unloading_);
  setPathPoints(loading_, has_curve ? path(curve_->travel_m, curve_->force_N, 0, peak)
                                    : std::vector<Point>{});
  setPathPoints(unloading_, has_curve && peak > 0
                                ? path(curve_->travel_m, curve_->force_N, peak - 1, rows)
                                : std::vector<Point>{});
  // Readings at rest only load: one curve needs no legend.
  legend->setVisible(has_curve && peak < rows);
  line_->setVisible(has_contact);
  label_->setVisible(has_contact);
  ghost_->setVisible(has_contact && curve_->by_hand && curve_->found_s.has_value());
  if (ghost_->visible())
    if (const auto found = travel_at(*curve_, *curve_->found_s)) {
      const double x = (*found - zero_m_) * 1e3;
      ghost_->point1->setCoords(x, 0);
      ghost_->point2->setCoords(x, 1);
    }
  if (has_contact) moveLine(0);
  showTime();
}

void ForceDepthPlot::setTime(double time_s) {
  time_s_ = time_s;
  showTime();
}

/// Between two samples by a straight line, as everywhere in such a plot.
void ForceDepthPlot::showTime() {
  const auto travel_m =
      curve_ && !curve_->force_N.empty() ? travel_at(*curve_, time_s_) : std::nullopt;
  setPathCurve(time_, {travel_m ? tr("at the time shown") : QString(), Token::kText, 0, false,
                       Mark::kHollow, 10, false});
  if (!travel_m) return setPathPoints(time_, {});
  const auto& times_s = curve_->time_s;
  const auto after = static_cast<std::size_t>(
      std::upper_bound(times_s.begin(), times_s.end(), time_s_) - times_s.begin());
  const auto to = std::min(after, times_s.size() - 1), from = to > 0 ? to - 1 : to;
  const double step_s = times_s[to] - times_s[from];
  const double part = step_s > 0 ? std::clamp((time_s_ - times_s[from]) / step_s, 0.0, 1.0) : 0;
  setPathPoints(time_, {{(*travel_m - zero_m_) * 1e3,
                         std::lerp(curve_->force_N[from], curve_->force_N[to], part)}});
}

std::optional<double> ForceDepthPlot::contactPosition() const {
  if (!line_->visible()) return std::nullopt;
  return line_mm_;
}

void ForceDepthPlot::moveLine(double x_mm) {
  line_mm_ = x_mm;
  line_->point1->setCoords(x_mm, 0);
  line_->point2->setCoords(x_mm, 1);
  label_->position->setCoords(x_mm, 0.02);
  const auto how = curve_->by_hand ? tr("contact, set by hand") : tr("contact (automatic)");
  label_->setText(x_mm == 0 ? QStringLiteral(" ") + how
                            : tr(" contact %1 µm").arg(fixed(x_mm * 1e3, 0)));
  replot(rpQueuedReplot);
}

bool ForceDepthPlot::nearContact(const QPoint& position) const {
  return line_->visible() && std::abs(xAxis->coordToPixel(line_mm_) - position.x()) <= kGrab_px &&
         axisRect()->rect().contains(position);
}

void ForceDepthPlot::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && nearContact(event->pos())) {
    dragging_ = true;
    event->accept();
    return;
  }
  PlotView::mousePressEvent(event);
}

void ForceDepthPlot::mouseMoveEvent(QMouseEvent* event) {
  if (dragging_) {
    moveLine(xAxis->pixelToCoord(event->pos().x()));
    return;
  }
  setCursor(nearContact(event->pos()) ? Qt::SplitHCursor : Qt::ArrowCursor);
  PlotView::mouseMoveEvent(event);
}

void ForceDepthPlot::mouseReleaseEvent(QMouseEvent* event) {
  if (dragging_) {
    dragging_ = false;
    letGo();
    return;
  }
  PlotView::mouseReleaseEvent(event);
}

/// The chosen press lies on top; then the nearest of the others.
void ForceDepthPlot::clickAt(const QPoint& position) {
  const auto distance = [&](const std::vector<double>& travel_m,
                            const std::vector<double>& force_N) {
    double nearest = 1e18;
    QPointF before;
    for (std::size_t i = 0; i < force_N.size(); ++i) {
      const QPointF here(xAxis->coordToPixel((travel_m[i] - zero_m_) * 1e3),
                         yAxis->coordToPixel(force_N[i]));
      if (i > 0) nearest = std::min(nearest, squaredDistance(position, before, here));
      before = here;
    }
    return nearest;
  };
  constexpr double kNear = kGrab_px * kGrab_px;
  if (curve_ && !curve_->travel_m.empty() && distance(curve_->travel_m, curve_->force_N) < kNear)
    return emit toggleRequested();
  const PressTrace* best = nullptr;
  double least = kNear;
  for (const auto& trace : traces_) {
    const double away = distance(trace.travel_m, trace.force_N);
    if (away < least) {
      least = away;
      best = &trace;
    }
  }
  if (best != nullptr) emit pressClicked(best->press);
}

void ForceDepthPlot::letGo() {
  if (line_mm_ == 0 || !curve_) return;
  if (const auto to_s = time_at_travel(*curve_, zero_m_ + line_mm_ * 1e-3))
    emit contactMoved(*to_s);
  else
    moveLine(0);  // beyond what was pressed: there is no such time
}

void ForceDepthPlot::keyPressEvent(QKeyEvent* event) {
  const bool sideways = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
  if (!sideways || !line_->visible()) {
    PlotView::keyPressEvent(event);
    return;
  }
  const double step = event->modifiers().testFlag(Qt::ShiftModifier) ? 10 * kStep_mm : kStep_mm;
  moveLine(line_mm_ + (event->key() == Qt::Key_Left ? -step : step));
  moved_by_key_ = true;
}

void ForceDepthPlot::keyReleaseEvent(QKeyEvent* event) {
  // One edit for a key held down, not one per repeat.
  if (moved_by_key_ && !event->isAutoRepeat()) {
    moved_by_key_ = false;
    letGo();
  }
  PlotView::keyReleaseEvent(event);
}

void ForceDepthPlot::restyleItems() {
  line_->setPen(QPen(theme().color(Token::kLine3), 2));
  ghost_->setPen(QPen(theme().color(Token::kLine3), 1, Qt::DotLine));
  label_->setFont(theme().font(Type::kTick));
  label_->setColor(theme().color(Token::kLine3));
  replot(rpQueuedReplot);
}

}  // namespace tactelier::gui
