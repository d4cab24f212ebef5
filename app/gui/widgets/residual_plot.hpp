#pragma once
// Data over a model's curve with the residual strip beneath (3:1, same x, zero line, band of ± 2 s,
// symmetric range), and guides: a saturation, a threshold, a contact point with its uncertainty.

#include "app/gui/widgets/plot_view.hpp"

namespace tactelier::gui {

struct ResidualPoint {
  double x = 0;
  double y = 0;
  double residual = 0;  // NaN for none
  int tag = -1;         // what it belongs to, the press for instance; -1: nothing
};

class ResidualPlot : public PlotView {
  Q_OBJECT
 public:
  explicit ResidualPlot(QWidget* parent = nullptr);

  void setLabels(const QString& x, const QString& y, const QString& residual);
  /// How the box names what a point belongs to: "press %1" unless told otherwise.
  void setTagWords(const QString& words) { tag_words_ = words; }
  /// Points that light up together with their residual. Returns a handle.
  int addPoints(const Curve& look);
  void setPoints(int handle, const std::vector<ResidualPoint>& points);
  void setPointsLook(int handle, const Curve& look);
  /// The point under a position: its handle and the point itself.
  struct Found {
    int handle = 0;
    ResidualPoint point;
  };
  std::optional<Found> foundAt(const QPointF& position) const;
  /// A model's curve: any order of x.
  int addModel(const Curve& look);
  void setModel(int handle, std::vector<Point> points);
  /// Half width of the band around zero in the strip; 0 for none.
  void setBand(double half_width);

  /// A line across the plot with words at its end; without a place it is hidden.
  int addGuide(Qt::Orientation orientation, Token token, Qt::PenStyle style = Qt::DashLine);
  void setGuide(int guide, std::optional<double> at, const QString& words = {},
                double uncertainty = 0);
  /// In the legend the points in this order, whatever is drawn over what, then the models.
  void orderLegend(const std::vector<int>& handles);
  /// Legend in the emptiest corner; called after the data changed.
  void placeLegend();
  /// Everything gone but the axes, one line in the middle.
  void clearAll(const QString& why);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Cloud {
    int above = 0;
    int below = 0;
    std::vector<ResidualPoint> points;
  };
  struct Guide {
    Qt::Orientation orientation;
    Token token;
    Qt::PenStyle style;
    QCPItemStraightLine* line;
    QCPItemText* label;
    QCPItemRect* band;
  };
  void restyleItems();
  void placeLabels();
  /// What a legend there would cover.
  int pointsIn(const QRect& box) const;
  QRect wordsBox(const Guide& guide) const;
  /// Words of a line near the right edge stand to its left.
  bool toLeft(const Guide& guide) const;
  QString wordsOf(const CurvePoint& point) const;
  const Cloud* cloudOf(const CurvePoint& point) const;

  std::vector<Cloud> clouds_;
  struct Model {
    int path = 0;
    std::vector<Point> points;
  };
  std::vector<Model> models_;
  std::vector<Guide> guides_;
  QCPAxisRect* residuals_;
  QCPItemRect* band_;
  QCPItemStraightLine* zero_;
  QString x_label_;
  QString tag_words_;
};

}  // namespace tactelier::gui
