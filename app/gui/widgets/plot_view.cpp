#include "app/gui/widgets/plot_view.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier::gui {
namespace {

constexpr int kLine = 56;  // characters; a reason may be a sentence

/// An item's text breaks no line by itself, and would be cut off at both ends.
QString wrapped(const QString& text, int line_length) {
  QString all, line;
  for (const auto& word : text.split(QLatin1Char(' '))) {
    if (!line.isEmpty() && line.size() + 1 + word.size() > line_length) {
      all += line + QLatin1Char('\n');
      line.clear();
    }
    line += (line.isEmpty() ? QString() : QStringLiteral(" ")) + word;
  }
  return all + line;
}

constexpr int kStripGap_px = 3;
constexpr int kMaxTicks = 5;       // about so many; fewer where their numbers would touch
constexpr auto kWords = "words";   // an axis's whole name
constexpr qsizetype kSymbol = 2;   // letters of a symbol, at most
constexpr qsizetype kDense = 600;  // points of a line from which on it is drawn plainly

QCPScatterStyle scatter(const Curve& look, const QColor& color, const QColor& background) {
  const double size = look.mark_size;
  switch (look.mark) {
    case Mark::kNone:
      return QCPScatterStyle::ssNone;
    case Mark::kDisc:
      return {QCPScatterStyle::ssDisc, color, color, size};
    case Mark::kHollow:
      return {QCPScatterStyle::ssCircle, color, background, size};
    case Mark::kTriangle:
      return {QCPScatterStyle::ssTriangle, color, color, size};
    case Mark::kSquare:
      return {QCPScatterStyle::ssSquare, color, color, size};
    case Mark::kCross:
      return {QCPScatterStyle::ssCross, color, color, size};
  }
  return QCPScatterStyle::ssNone;
}

/// Leaves out points that fall on the pixel of the one before.
std::vector<Point> thinPath(const std::vector<Point>& points, double dx, double dy) {
  std::vector<Point> out;
  for (const auto& point : points) {
    if (!out.empty() && std::abs(point.x - out.back().x) < dx &&
        std::abs(point.y - out.back().y) < dy)
      continue;
    out.push_back(point);
  }
  if (!points.empty() && (out.empty() || out.back() != points.back())) out.push_back(points.back());
  return out;
}

/// Labels with a true minus.
class Ticker : public QCPAxisTicker {
  QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override {
    return QCPAxisTicker::getTickLabel(tick, locale, format, precision).replace('-', u'−');
  }
};

/// 1, 2, 5 of every decade.
class LogTicker : public QCPAxisTicker {
  QVector<double> createTickVector(double, const QCPRange& range) override {
    QVector<double> ticks;
    if (!(range.lower > 0)) return ticks;
    const int from = static_cast<int>(std::floor(std::log10(range.lower)));
    const int to = static_cast<int>(std::ceil(std::log10(range.upper)));
    const bool wide = to - from > 3;
    for (int decade = from; decade <= to; ++decade)
      for (const double step : {1.0, 2.0, 5.0})
        if (!wide || step == 1.0) ticks.append(step * std::pow(10.0, decade));
    return ticks;
  }
  QString getTickLabel(double tick, const QLocale&, QChar, int) override {
    return QString::number(tick, 'g', 3);
  }
};

void useTickers(QCPAxisRect* rect) {
  for (const auto side : {QCPAxis::atBottom, QCPAxis::atLeft})
    rect->axis(side)->setTicker(QSharedPointer<Ticker>::create());
}

}  // namespace

PlotView::PlotView(QWidget* parent) : QCustomPlot(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(PlotView::minimumSizeHint());  // in a hidden page, too: QCustomPlot wants pixels
  // Dense zigzags of a long recording: joins don't show, their cost would.
  setPlottingHint(QCP::phFastPolylines, true);
  setNoAntialiasingOnDrag(false);
  setInteractions(QCP::iRangeDrag);
  useTickers(axisRect());
  margins_ = new QCPMarginGroup(this);
  axisRect()->setMarginGroup(QCP::msLeft | QCP::msRight, margins_);
  axisRect()->setRangeDrag(Qt::Horizontal | Qt::Vertical);
  empty_ = new QCPItemText(this);
  empty_->position->setType(QCPItemPosition::ptAxisRectRatio);
  empty_->position->setCoords(0.5, 0.5);
  empty_->setVisible(false);
  legend->setVisible(false);
  axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignTop | Qt::AlignLeft);
  connect(xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this,
          &PlotView::refreshSeries);
  setMouseTracking(true);
  connect(&theme(), &Theme::changed, this, &PlotView::restyle);
  connect(this, &QCustomPlot::beforeReplot, this, &PlotView::fitLabels);
  restyle();
}

void PlotView::setAxisLabels(const QString& x, const QString& y) {
  setLabel(xAxis, x);
  setLabel(yAxis, y);
}

void PlotView::setLabel(QCPAxis* axis, const QString& words) {
  axis->setProperty(kWords, words);
  axis->setLabel(words);
}

QString PlotView::labelOf(const QCPAxis* axis) {
  const auto words = axis->property(kWords);
  return words.isValid() ? words.toString() : axis->label();
}

/// Words in the middle as wide as the plot; numbers of an upright axis that don't touch; "Force F
/// [N]", else "F [N]", else the unit alone: a name that is cut off says neither.
void PlotView::fitLabels() {
  const QFontMetrics metrics(theme().font(Type::kCaption));
  if (empty_->visible())
    empty_->setText(
        wrapped(empty_->property(kWords).toString(),
                std::min(kLine, axisRect()->width() / std::max(1, metrics.averageCharWidth()))));
  for (auto* rect : axisRects()) {
    auto* axis = rect->axis(QCPAxis::atLeft);
    axis->ticker()->setTickCount(std::clamp(rect->height() / (2 * metrics.height()), 2, kMaxTicks));
    const auto words = labelOf(axis);
    const auto unit = words.indexOf(QLatin1Char('['));
    QStringList shown{words};
    if (unit > 0) {
      const auto symbol = words.left(unit).trimmed().section(QLatin1Char(' '), -1);
      if (symbol.size() <= kSymbol) shown << symbol + QLatin1Char(' ') + words.mid(unit);
      shown << words.mid(unit);
    }
    while (shown.size() > 1 && metrics.horizontalAdvance(shown.first()) > rect->height())
      shown.removeFirst();
    if (axis->label() != shown.first()) axis->setLabel(shown.first());
  }
}

int PlotView::addSeries(const Curve& look, QCPAxisRect* rect) {
  auto* on = rectOf(rect);
  Series series;
  series.look = look;
  series.graph = addGraph(on->axis(QCPAxis::atBottom), on->axis(QCPAxis::atLeft));
  series.graph->setAdaptiveSampling(false);
  series_.push_back(std::move(series));
  styleSeries(series_.back());
  return static_cast<int>(series_.size()) - 1;
}

void PlotView::setPoints(int index, std::vector<Point> points) {
  auto& series = series_[static_cast<std::size_t>(index)];
  series.points = std::move(points);
  if (hover_ && !hover_->path && hover_->curve == index) setHovered(std::nullopt);
  refreshOne(series);
  replot(rpQueuedReplot);
}

void PlotView::setCurve(int index, const Curve& look) {
  auto& series = series_[static_cast<std::size_t>(index)];
  series.look = look;
  styleSeries(series);
  replot(rpQueuedReplot);
}

int PlotView::addPath(const Curve& look, QCPAxisRect* rect) {
  auto* on = rectOf(rect);
  Series path;
  path.look = look;
  path.curve = new QCPCurve(on->axis(QCPAxis::atBottom), on->axis(QCPAxis::atLeft));
  paths_.push_back(std::move(path));
  styleSeries(paths_.back());
  return static_cast<int>(paths_.size()) - 1;
}

void PlotView::setPathPoints(int index, std::vector<Point> points) {
  auto& path = paths_[static_cast<std::size_t>(index)];
  path.points = std::move(points);
  if (hover_ && hover_->path && hover_->curve == index) setHovered(std::nullopt);
  refreshOne(path);
  replot(rpQueuedReplot);
}

void PlotView::setPathCurve(int index, const Curve& look) {
  auto& path = paths_[static_cast<std::size_t>(index)];
  path.look = look;
  styleSeries(path);
  replot(rpQueuedReplot);
}

void PlotView::clearCurves() {
  setHovered(std::nullopt);
  links_.clear();
  series_.clear();
  paths_.clear();
  clearPlottables();
  replot(rpQueuedReplot);
}

void PlotView::setFullRange(const QCPRange& x, const QCPRange& y) {
  full_ = std::make_unique<QPair<QCPRange, QCPRange>>(x, y);
}

void PlotView::setLogarithmic() {
  logarithmic_ = true;
  for (auto* rect : axisRects()) {
    auto* x = rect->axis(QCPAxis::atBottom);
    x->setScaleType(QCPAxis::stLogarithmic);
    x->setTicker(QSharedPointer<LogTicker>::create());
    x->setRange(1, 10);
  }
}

void PlotView::clearFullRange() { full_.reset(); }

void PlotView::fitAll() {
  fitStrip();
  if (full_) {
    xAxis->setRange(full_->first);
    yAxis->setRange(full_->second);
    replot(rpQueuedReplot);
    return;
  }
  double box[4] = {1e300, -1e300, 1e300, -1e300};
  for (const auto* list : {&series_, &paths_})
    for (const auto& series : *list) {
      const auto* plottable = series.graph != nullptr
                                  ? static_cast<const QCPAbstractPlottable*>(series.graph)
                                  : series.curve;
      if (plottable->keyAxis() != xAxis || plottable->valueAxis() != yAxis) continue;
      for (const auto& point : series.points) {
        if (std::isnan(point.y)) continue;
        box[0] = std::min(box[0], point.x);
        box[1] = std::max(box[1], point.x);
        box[2] = std::min(box[2], point.y);
        box[3] = std::max(box[3], point.y);
      }
    }
  if (box[0] > box[1]) return;
  const double margin_x = box[1] > box[0] ? 0.02 * (box[1] - box[0]) : 0.5;
  const double margin_y = box[3] > box[2] ? 0.06 * (box[3] - box[2]) : 0.5;
  if (logarithmic_) {
    const double factor = box[1] > box[0] ? std::pow(box[1] / box[0], 0.03) : 1.5;
    xAxis->setRange(box[0] / factor, box[1] * factor);
  } else {
    xAxis->setRange(box[0] - margin_x, box[1] + margin_x);
  }
  yAxis->setRange(box[2] - margin_y, box[3] + margin_y);
  replot(rpQueuedReplot);
}

void PlotView::fitStrip() {
  if (strip_ == nullptr) return;
  double most = 0;
  for (const auto* list : {&series_, &paths_})
    for (const auto& series : *list) {
      const auto* plottable = series.graph != nullptr
                                  ? static_cast<const QCPAbstractPlottable*>(series.graph)
                                  : series.curve;
      if (plottable->valueAxis() != strip_->axis(QCPAxis::atLeft)) continue;
      for (const auto& point : series.points)
        if (!std::isnan(point.y)) most = std::max(most, std::abs(point.y));
    }
  strip_->axis(QCPAxis::atLeft)
      ->setRange(-1.15 * (most > 0 ? most : 1), 1.15 * (most > 0 ? most : 1));
}

void PlotView::setEmptyText(const QString& text) {
  empty_->setProperty(kWords, text);
  empty_->setText(wrapped(text, kLine));
  empty_->setVisible(!text.isEmpty());
  replot(rpQueuedReplot);
}

QCPAxisRect* PlotView::addStrip(const QString& x_label, const QString& y_label) {
  auto* strip = strip_ = new QCPAxisRect(this);
  strip->setLayer(QStringLiteral("background"));  // beneath bands, as the first one is
  strip->setMinimumSize(50, 30);
  strip->setMinimumMargins({15, kStripGap_px, 15, 15});
  axisRect()->setMinimumMargins({15, 15, 15, kStripGap_px});
  strip->setMarginGroup(QCP::msLeft | QCP::msRight, margins_);
  strip->setRangeDrag(Qt::Horizontal);
  plotLayout()->addElement(plotLayout()->rowCount(), 0, strip);
  plotLayout()->setRowStretchFactor(0, 1.8);  // 3:1 without the axis beneath the strip
  plotLayout()->setRowSpacing(4);
  useTickers(strip);
  auto* x = strip->axis(QCPAxis::atBottom);
  setLabel(x, x_label);
  setLabel(strip->axis(QCPAxis::atLeft), y_label);
  const auto copy = qOverload<const QCPRange&>(&QCPAxis::setRange);
  connect(xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), x, copy);
  connect(x, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), xAxis, copy);
  xAxis->setTickLabels(false);
  setLabel(xAxis, {});
  styleRect(strip);
  return strip;
}

void PlotView::styleRect(QCPAxisRect* rect) {
  rect->setBackground(theme().color(Token::kPlot));
  for (const auto side : {QCPAxis::atBottom, QCPAxis::atLeft}) {
    auto* axis = rect->axis(side);
    const QPen pen(theme().color(Token::kAxis), 1);
    axis->setBasePen(pen);
    axis->setTickPen(pen);
    axis->setSubTickPen(Qt::NoPen);
    axis->setSubTicks(false);
    axis->setTickLengthIn(0);
    axis->setTickLengthOut(4);
    axis->setTickLabelFont(theme().font(Type::kTick));
    axis->setTickLabelColor(theme().color(Token::kText2));
    axis->setLabelFont(theme().font(Type::kCaption));
    axis->setLabelColor(theme().color(Token::kText));
    axis->setNumberFormat(QStringLiteral("gb"));
    axis->setNumberPrecision(5);
    axis->ticker()->setTickCount(rect == strip_ && side == QCPAxis::atLeft ? 3 : 5);
    axis->grid()->setPen(QPen(theme().color(Token::kGrid), 1));
    axis->grid()->setZeroLinePen(QPen(theme().color(Token::kGrid), 1));
    axis->grid()->setSubGridVisible(false);
  }
}

void PlotView::styleSeries(Series& series) {
  const auto color = theme().color(series.look.token);
  QPen pen(color, series.look.width);
  if (series.look.width <= 0) pen = QPen(Qt::NoPen);
  if (series.look.dashed) pen.setStyle(Qt::DashLine);
  const auto marks = scatter(series.look, color, theme().color(Token::kPlot));
  auto* plottable =
      series.graph != nullptr ? static_cast<QCPAbstractPlottable*>(series.graph) : series.curve;
  plottable->setPen(pen);
  plottable->setName(series.look.name);
  if (series.graph != nullptr) {
    series.graph->setLineStyle(series.look.width > 0 ? QCPGraph::lsLine : QCPGraph::lsNone);
    series.graph->setScatterStyle(marks);
  } else {
    series.curve->setLineStyle(series.look.width > 0 ? QCPCurve::lsLine : QCPCurve::lsNone);
    series.curve->setScatterStyle(marks);
  }
  if (series.look.name.isEmpty())
    plottable->removeFromLegend();
  else
    plottable->addToLegend();
}

void PlotView::listLast(int index) {
  auto* curve = paths_[static_cast<std::size_t>(index)].curve;
  if (curve->removeFromLegend()) curve->addToLegend();
}

void PlotView::refreshSeries() {
  for (auto& series : series_) refreshOne(series);
  for (auto& path : paths_) refreshOne(path);
}

void PlotView::refreshOne(Series& series) {
  if (series.curve != nullptr) {
    // Pixels are not alike wide on a logarithm: there nothing is left out.
    const double dx =
        logarithmic_ ? 0 : series.curve->keyAxis()->range().size() / std::max(1, width()) / 2;
    const double dy = series.curve->valueAxis()->range().size() / std::max(1, height()) / 2;
    QVector<QCPCurveData> drawn;
    double t = 0;
    for (const auto& point : thinPath(series.points, dx, dy)) drawn.append({t++, point.x, point.y});
    series.curve->data()->set(drawn, true);
    return;
  }
  const auto range = series.graph->keyAxis()->range();
  const int columns = std::max(50, series.graph->keyAxis()->axisRect()->width());
  QVector<QCPGraphData> drawn;
  for (const auto& point : decimate(series.points, range.lower, range.upper, columns))
    drawn.append({point.x, point.y});
  const bool dense = drawn.size() > kDense;
  series.graph->setAntialiased(!dense);
  auto pen = series.graph->pen();
  pen.setWidthF(dense ? 1.0 : series.look.width);
  if (series.look.width > 0) series.graph->setPen(pen);
  series.graph->data()->set(drawn, true);
}

void PlotView::restyle() {
  setBackground(theme().color(Token::kSurface));
  for (auto* rect : axisRects()) styleRect(rect);
  for (auto& series : series_) styleSeries(series);
  for (auto& path : paths_) styleSeries(path);
  empty_->setFont(theme().font(Type::kText));
  empty_->setColor(theme().color(Token::kText2));
  legend->setFont(theme().font(Type::kTick));
  legend->setTextColor(theme().color(Token::kText));
  legend->setBrush(theme().color(Token::kPlot));
  legend->setBorderPen(QPen(theme().color(Token::kBorder)));
  restyleHover();
  replot(rpQueuedReplot);
}

}  // namespace tactelier::gui
