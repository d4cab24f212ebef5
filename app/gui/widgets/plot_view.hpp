#pragma once
// Base of all plots: theme, axes ("Force F [N]"), ticks 1-2-5, wheel zooms x, Shift+wheel y, drag
// pans, double-click fits all, right click copies and saves. Curves are decimated to what the
// pixels can show. The nearest point says its values in a box; Return and the arrow keys do the
// same without a mouse.

#include <qcustomplot.h>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/as_table.hpp"
#include "app/gui/widgets/series.hpp"

namespace tactelier::gui {

enum class Mark { kNone, kDisc, kHollow, kTriangle, kSquare, kCross };

/// One curve. `token` is looked up again when the theme changes.
struct Curve {
  QString name;  // in the legend; "" for none
  Token token = Token::kLine1;
  double width = 1.8;  // line; 0 for none
  bool dashed = false;
  Mark mark = Mark::kNone;
  double mark_size = 5;
  bool hover = true;  // its points answer the mouse
};

/// One point of one curve of a plot.
struct CurvePoint {
  bool path = false;  // of addPath(), else of addSeries()
  int curve = 0;
  std::size_t index = 0;

  bool operator==(const CurvePoint&) const = default;
};

class PlotView : public QCustomPlot, public TableSource {
  Q_OBJECT
 public:
  explicit PlotView(QWidget* parent = nullptr);

  /// Label "Quantity symbol [unit]".
  void setAxisLabels(const QString& x, const QString& y);
  /// An axis's name as it was given: an upright axis that is too short for it shows its end.
  static QString labelOf(const QCPAxis* axis);
  /// A line over ascending x, decimated; returns its index. `points` may be replaced by
  /// setPoints().
  int addSeries(const Curve& look, QCPAxisRect* rect = nullptr);
  void setPoints(int series, std::vector<Point> points);
  void setCurve(int series, const Curve& look);
  /// A path in any order of x (force over depth): drawn as it is, decimated by distance in pixels.
  int addPath(const Curve& look, QCPAxisRect* rect = nullptr);
  void setPathPoints(int path, std::vector<Point> points);
  void setPathCurve(int path, const Curve& look);
  /// All series and paths gone.
  void clearCurves();
  /// The x axis as a logarithm, for good; x > 0.
  void setLogarithmic();
  /// What double-click shows; without it all data.
  void setFullRange(const QCPRange& x, const QCPRange& y);
  void clearFullRange();
  void fitAll();
  /// Shown in the middle while there is nothing to draw.
  void setEmptyText(const QString& text);
  QString emptyText() const { return empty_->text().replace(QLatin1Char('\n'), QLatin1Char(' ')); }
  /// One sentence for screen readers.
  void setDescription(const QString& sentence) { setAccessibleDescription(sentence); }
  QSize sizeHint() const override { return {480, 320}; }
  QSize minimumSizeHint() const override { return {160, 110}; }

  /// For the residual strip: a second axis rect beneath, sharing the x range and margins. Its y
  /// range is symmetric about 0.
  QCPAxisRect* addStrip(const QString& x_label, const QString& y_label);

  /// The point that shows its values.
  std::optional<CurvePoint> hovered() const { return hover_; }
  void setHovered(std::optional<CurvePoint> point);
  /// What the box says; without it x and y with the axes' symbols and units.
  void setHoverText(std::function<QString(const CurvePoint&)> words) { words_ = std::move(words); }
  /// Paths whose points belong together, index by index: they light up together.
  void linkPaths(int one, int other);
  Point pointAt(const CurvePoint& point) const;
  /// The nearest point that answers the mouse, within a few pixels.
  std::optional<CurvePoint> pointNear(const QPointF& position) const;

  TableContent asTable() const override;

  /// Visible data of all curves as CSV with a header line.
  QString visibleAsCsv() const;

 signals:
  void clickedAt(double x, double y, QMouseEvent* event);
  void pointHovered();

 protected:
  static void setLabel(QCPAxis* axis, const QString& words);
  /// The path's name goes to the end of the legend.
  void listLast(int path);

  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  struct Series {
    Curve look;
    std::vector<Point> points;
    QCPGraph* graph = nullptr;
    QCPCurve* curve = nullptr;
  };

  void restyle();
  void fitLabels();
  void styleRect(QCPAxisRect* rect);
  void styleSeries(Series& series);
  void refreshSeries();
  void refreshOne(Series& series);
  QCPAxisRect* rectOf(QCPAxisRect* rect) { return rect != nullptr ? rect : axisRect(); }
  void savePicture();
  void fitStrip();
  const Series* seriesOf(const CurvePoint& point) const;
  void buildHover();
  void placeHover();
  void restyleHover();
  bool stepHover(int by);
  std::optional<CurvePoint> startOfHover() const;
  QString hoverWords(const CurvePoint& point) const;

  std::vector<Series> series_;
  std::vector<Series> paths_;
  QCPItemText* empty_;
  std::unique_ptr<QPair<QCPRange, QCPRange>> full_;
  QCPMarginGroup* margins_;
  QPoint press_position_;
  QCPAxisRect* strip_ = nullptr;
  bool logarithmic_ = false;
  std::optional<CurvePoint> hover_;
  std::function<QString(const CurvePoint&)> words_;
  std::vector<std::pair<int, int>> links_;
  QCPItemTracer* ring_ = nullptr;
  QCPItemTracer* linked_ring_ = nullptr;
  QCPItemText* box_ = nullptr;
};

}  // namespace tactelier::gui
