// Mouse, keys, copying and saving of PlotView.

#include <QClipboard>
#include <QFileDialog>
#include <QMenu>
#include <QPainter>
#include <QSvgGenerator>

#include "app/gui/widgets/plot_view.hpp"

namespace tactelier::gui {
namespace {

constexpr double kZoomStep = 0.85;

}  // namespace

void PlotView::mousePressEvent(QMouseEvent* event) {
  press_position_ = event->pos();
  QCustomPlot::mousePressEvent(event);
}

void PlotView::mouseMoveEvent(QMouseEvent* event) {
  QCustomPlot::mouseMoveEvent(event);
  if (event->buttons() == Qt::NoButton) setHovered(pointNear(event->pos()));
}

void PlotView::leaveEvent(QEvent* event) {
  QCustomPlot::leaveEvent(event);
  setHovered(std::nullopt);
}

void PlotView::mouseReleaseEvent(QMouseEvent* event) {
  QCustomPlot::mouseReleaseEvent(event);
  const bool still = (event->pos() - press_position_).manhattanLength() < 4;
  if (still && event->button() == Qt::LeftButton)
    emit clickedAt(xAxis->pixelToCoord(event->pos().x()), yAxis->pixelToCoord(event->pos().y()),
                   event);
}

void PlotView::mouseDoubleClickEvent(QMouseEvent* event) {
  QCustomPlot::mouseDoubleClickEvent(event);
  fitAll();
}

void PlotView::wheelEvent(QWheelEvent* event) {
  const double steps = event->angleDelta().y() != 0 ? event->angleDelta().y() / 120.0
                                                    : event->angleDelta().x() / 120.0;
  const double factor = std::pow(kZoomStep, steps);
  const auto at = event->position();
  if (event->modifiers().testFlag(Qt::ShiftModifier))
    yAxis->scaleRange(factor, yAxis->pixelToCoord(at.y()));
  else
    xAxis->scaleRange(factor, xAxis->pixelToCoord(at.x()));
  replot(rpQueuedReplot);
  event->accept();
}

/// The visible point nearest to the middle, however far.
std::optional<CurvePoint> PlotView::startOfHover() const {
  const QPointF middle = axisRect()->center();
  std::optional<CurvePoint> best;
  double least = HUGE_VAL;
  const auto look = [&](const std::vector<Series>& list, bool path) {
    for (std::size_t c = 0; c < list.size(); ++c) {
      const auto* axis = path ? list[c].curve->valueAxis() : list[c].graph->valueAxis();
      if (!list[c].look.hover || axis != yAxis) continue;
      for (std::size_t i = 0; i < list[c].points.size(); ++i) {
        const auto& point = list[c].points[i];
        if (std::isnan(point.y) || !xAxis->range().contains(point.x)) continue;
        const double distance = std::hypot(xAxis->coordToPixel(point.x) - middle.x(),
                                           yAxis->coordToPixel(point.y) - middle.y());
        if (distance >= least) continue;
        least = distance;
        best = CurvePoint{path, static_cast<int>(c), i};
      }
    }
  };
  look(series_, false);
  look(paths_, true);
  return best;
}

void PlotView::keyPressEvent(QKeyEvent* event) {
  const double step = 0.1 * xAxis->range().size();
  switch (event->key()) {
    case Qt::Key_Plus:
      xAxis->scaleRange(kZoomStep);
      break;
    case Qt::Key_Minus:
      xAxis->scaleRange(1 / kZoomStep);
      break;
    case Qt::Key_Left:
      if (!stepHover(-1)) xAxis->moveRange(-step);
      break;
    case Qt::Key_Right:
      if (!stepHover(1)) xAxis->moveRange(step);
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      setHovered(hover_ ? std::nullopt : startOfHover());
      break;
    case Qt::Key_Home:
      fitAll();
      break;
    default:
      QCustomPlot::keyPressEvent(event);
      return;
  }
  replot(rpQueuedReplot);
}

void PlotView::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  menu.addAction(tr("Show all"), this, &PlotView::fitAll);
  menu.addAction(tr("Copy values of the visible range"), this,
                 [this] { QGuiApplication::clipboard()->setText(visibleAsCsv()); });
  menu.addAction(tr("Save as PNG, SVG or CSV…"), this, &PlotView::savePicture);
  menu.exec(event->globalPos());
}

void PlotView::savePicture() {
  const auto file = QFileDialog::getSaveFileName(
      this, tr("Save plot"), {}, tr("Picture (*.png);;Drawing (*.svg);;Values (*.csv)"));
  if (file.endsWith(QStringLiteral(".svg"))) {
    QSvgGenerator generator;
    generator.setFileName(file);
    generator.setSize(size());
    generator.setViewBox(rect());
    QCPPainter painter(&generator);
    toPainter(&painter, width(), height());
  } else if (file.endsWith(QStringLiteral(".csv"))) {
    QFile out(file);
    if (out.open(QIODevice::WriteOnly)) out.write(visibleAsCsv().toUtf8());
  } else if (!file.isEmpty()) {
    savePng(file, 0, 0, 2.0);
  }
}

TableContent PlotView::asTable() const {
  TableContent table;
  table.columns = {tr("Curve"), labelOf(xAxis), labelOf(yAxis)};
  if (strip_ != nullptr) table.columns[1] = labelOf(strip_->axis(QCPAxis::atBottom));
  const auto number = [](double value) { return QString::number(value, 'g', 12); };
  for (const auto* list : {&series_, &paths_})
    for (const auto& series : *list)
      for (const auto& point : series.points) {
        const auto* axis =
            series.graph != nullptr ? series.graph->valueAxis() : series.curve->valueAxis();
        const bool visible = xAxis->range().contains(point.x) && axis->range().contains(point.y);
        if (!visible) continue;
        auto name = series.look.name;
        if (axis != yAxis) name = labelOf(axis);
        table.rows.push_back({name, number(point.x), number(point.y)});
      }
  return table;
}

QString PlotView::visibleAsCsv() const { return asTable().toCsv(); }

void PlotView::resizeEvent(QResizeEvent* event) {
  QCustomPlot::resizeEvent(event);
  refreshSeries();
}

void PlotView::paintEvent(QPaintEvent* event) {
  QCustomPlot::paintEvent(event);
  if (!hasFocus()) return;
  QPainter painter(this);
  painter.setPen(QPen(theme().color(Token::kAccent), 2));
  painter.drawRect(rect().adjusted(1, 1, -2, -2));
}

}  // namespace tactelier::gui
