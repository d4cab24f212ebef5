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
      xAxis->moveRange(-step);
      break;
    case Qt::Key_Right:
      xAxis->moveRange(step);
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

QString PlotView::visibleAsCsv() const {
  auto text = QStringLiteral("curve,%1,%2\n").arg(xAxis->label(), yAxis->label());
  for (const auto* list : {&series_, &paths_})
    for (const auto& series : *list)
      for (const auto& point : series.points) {
        if (!xAxis->range().contains(point.x) || !yAxis->range().contains(point.y)) continue;
        text += QStringLiteral("%1,%2,%3\n")
                    .arg(series.look.name, QString::number(point.x, 'g', 12),
                         QString::number(point.y, 'g', 12));
      }
  return text;
}

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
