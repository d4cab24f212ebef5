#pragma once
// The array as cells: one value per tactel, row 0 at the bottom (+x right, +y up), with hover and
// keyboard cursor, marks for dead, stuck and saturated tactels, and a colour bar with unit. A tall
// array in a flat view is turned by 90 degrees (+y right, +x down), axes with it.

#include <QImage>
#include <QWidget>
#include <functional>
#include <optional>
#include <vector>

#include "app/gui/theme/color_map.hpp"
#include "app/gui/widgets/as_table.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier::gui {

enum class TactelMark {
  kNone,
  kDead,
  kStuck,
  kSaturated,
  kPredicted,
  kNotIdentified,
  kBelow,   // within the dead zone
  kAgain,   // done again
  kAborted  // pressed, but never to the end
};

/// A line over the cells: places by column and row of the picture, centres of tactels at whole
/// numbers.
struct MapLine {
  std::vector<QPointF> places;
  bool closed = false, dashed = false;
};

class TactileMapView : public QWidget, public TableSource {
  Q_OBJECT
 public:
  explicit TactileMapView(QWidget* parent = nullptr);

  /// Layout of the cells: the first array's rows and columns; several arrays stand side by side.
  void setSensor(const SensorDescription& sensor);
  /// One value per tactel, NaN for none.
  void setValues(std::vector<double> values);
  const std::vector<double>& values() const { return values_; }
  void setMarks(std::vector<TactelMark> marks);
  void setColorMap(ColorMap map);
  /// Range of the bar, its unit and how a value is written in a cell and beside the cursor.
  void setScale(double low, double high, const QString& unit);
  double low() const { return low_; }
  double high() const { return high_; }
  /// Words beside the bar's unit; "" for none.
  void setBarNote(const QString& note);
  const QString& barNote() const { return bar_note_; }
  void setNumbers(std::function<QString(double)> format) { format_ = std::move(format); }
  /// Over the cells an arrow per tactel, x to the right and y up in the array's frame (turned with
  /// it); one of length `full` reaches to the neighbour's centre. Empty: none.
  void setShear(std::vector<QPointF> shear, double full);
  const std::vector<QPointF>& shear() const { return shear_; }
  /// Over the cells, readable on every colour.
  void setLines(std::vector<MapLine> lines);
  const std::vector<MapLine>& lines() const { return lines_; }
  /// Numbers in the cells when they fit at 10 px.
  void setShowNumbers(bool show);
  void setCursor(std::optional<int> tactel);
  std::optional<int> cursorTactel() const { return cursor_; }
  /// To the next tactel that way, as the arrow keys do.
  void moveCursor(int columns, int rows);
  /// A frame around the pressed tactel.
  void setPressed(std::optional<int> tactel);
  std::optional<int> hovered() const { return hovered_; }
  /// As if the mouse were there: where several maps point at one tactel.
  void setHovered(std::optional<int> tactel);
  bool turned() const { return turned_; }

  /// Cell of a tactel in widget coordinates: for tests and drag targets.
  QRectF cell(int tactel) const;
  std::optional<int> tactelAt(const QPointF& position) const;
  /// Widget coordinates of a place by column and row.
  QPointF at(const QPointF& place) const;
  /// "Tactel 37, row 2, column 9: 224 counts"; with shear: ", x 12, y −340".
  QString describe(int tactel) const;
  /// "224 counts", "no value".
  QString valueWords(std::size_t tactel) const;
  TableContent asTable() const override;
  QSize sizeHint() const override { return {440, 320}; }
  QSize minimumSizeHint() const override { return {160, 130}; }

 signals:
  void contentChanged();
  void tactelHovered(std::optional<int> tactel);
  void tactelChosen(int tactel);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Place {
    int column = 0;  // of the whole picture
    int row = 0;     // 0 at the bottom
  };
  QString markWords(std::size_t tactel) const;
  void layoutCells();
  /// Width of what stands to the left of the cells, and height of what stands below them.
  double axesWidth() const;
  double axesHeight() const;
  double tickWidth() const;  // of the widest number
  QString tickWords(int tactel, std::size_t axis) const;
  double cellWidth(const QRectF& area, bool turned) const;
  Place shown(const Place& place) const;  // in the picture, turned or not
  int shownColumns() const { return turned_ ? rows_ : columns_; }
  int shownRows() const { return turned_ ? columns_ : rows_; }
  void paintCells(QPainter& painter) const;
  void paintAxes(QPainter& painter) const;
  void paintBar(QPainter& painter) const;
  void paintLines(QPainter& painter) const;
  void paintShear(QPainter& painter) const;
  void paintMark(QPainter& painter, const QRectF& cell, TactelMark mark) const;

  SensorDescription sensor_;
  std::vector<Place> places_;
  std::vector<int> by_place_;  // row * columns + column -> tactel, -1
  int columns_ = 0;
  int rows_ = 0;
  std::vector<double> values_;
  std::vector<TactelMark> marks_;
  std::vector<MapLine> lines_;
  std::vector<QPointF> shear_;
  double full_shear_ = 1;
  ColorMap map_ = ColorMap::kViridis;
  double low_ = 0;
  double high_ = 1;
  QString unit_, bar_note_;
  std::function<QString(double)> format_;
  bool show_numbers_ = false;
  std::optional<int> cursor_;
  std::optional<int> hovered_;
  std::optional<int> pressed_;
  bool turned_ = false;
  bool bar_upright_ = false;
  QRectF cells_;  // the picture in widget coordinates
  QRectF bar_;
};

}  // namespace tactelier::gui
