#pragma once
// Small images beside each other, one value per cell, row 0 at the bottom: what was measured, the
// model, their difference, a kernel. One bar beneath for the images that share their range.

#include <QWidget>
#include <vector>

#include "app/gui/theme/color_map.hpp"
#include "app/gui/widgets/as_table.hpp"

namespace tactelier::gui {

struct ImageTile {
  QString title;
  int rows = 0, columns = 0;
  std::vector<double> values;  // row by row from the bottom; NaN for none
  ColorMap map = ColorMap::kViridis;
  double low = 0, high = 1;
  int numbers = -1;  // decimals written in the cells instead of colours; < 0: colours

  double at(int row, int column) const {
    return values[static_cast<std::size_t>(row * columns + column)];
  }
};

class ImageTiles : public QWidget, public TableSource {
  Q_OBJECT
 public:
  explicit ImageTiles(QWidget* parent = nullptr);
  /// Two per line. The bar is that of the first tile, `bar` the words beneath it.
  void setTiles(std::vector<ImageTile> tiles, const QString& bar);
  const std::vector<ImageTile>& tiles() const { return tiles_; }
  /// "measured, row 2, column 3: 0.124" of the cell under a position; "" beside the cells.
  QString describe(const QPointF& position) const;
  /// Cells of a tile in widget coordinates.
  QRectF box(std::size_t tile) const;
  TableContent asTable() const override;
  QSize sizeHint() const override { return {240, 330}; }
  QSize minimumSizeHint() const override { return {150, 160}; }

 signals:
  void contentChanged();

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void paintTile(QPainter& painter, std::size_t tile) const;
  void paintBar(QPainter& painter) const;

  std::vector<ImageTile> tiles_;
  QString bar_words_;
};

}  // namespace tactelier::gui
