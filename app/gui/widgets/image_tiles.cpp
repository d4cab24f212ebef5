#include "app/gui/widgets/image_tiles.hpp"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "app/gui/text/words.hpp"
#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {
namespace {

constexpr int kPerLine = 2;
constexpr int kTableDecimals = 4;

}  // namespace

ImageTiles::ImageTiles(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  connect(&theme(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void ImageTiles::setTiles(std::vector<ImageTile> tiles, const QString& bar) {
  tiles_ = std::move(tiles);
  bar_words_ = bar;
  update();
  emit contentChanged();
}

QRectF ImageTiles::box(std::size_t tile) const {
  const double gap = theme().px(10), title = theme().px(16), bar = theme().px(46);
  const auto lines = (tiles_.size() + kPerLine - 1) / kPerLine;
  if (lines == 0 || tile >= tiles_.size()) return {};
  const double across = (width() - (kPerLine + 1) * gap) / kPerLine;
  const double down = (height() - bar) / static_cast<double>(lines) - title - gap / 2;
  const auto& shown = tiles_[tile];
  const double cell = std::min(across / shown.columns, down / shown.rows);
  const QSizeF size(cell * shown.columns, cell * shown.rows);
  const double left = gap + static_cast<double>(tile % kPerLine) * (across + gap);
  const double top = title + static_cast<double>(tile / kPerLine) * (down + title + gap / 2);
  return {QPointF(left + (across - size.width()) / 2, top), size};
}

void ImageTiles::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(theme().font(Type::kTick));
  for (std::size_t i = 0; i < tiles_.size(); ++i) paintTile(painter, i);
  if (!tiles_.empty()) paintBar(painter);
  if (!hasFocus()) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme().color(Token::kAccent), 2));
  painter.drawRect(rect().adjusted(1, 1, -2, -2));
}

void ImageTiles::paintTile(QPainter& painter, std::size_t number) const {
  const auto& tile = tiles_[number];
  const auto area = box(number);
  painter.setPen(theme().color(Token::kText2));
  painter.drawText(QPointF(area.left(), area.top() - theme().px(4)), tile.title);
  const auto table = colorTable(tile.map);
  const double w = area.width() / tile.columns, h = area.height() / tile.rows;
  for (int row = 0; row < tile.rows; ++row)
    for (int column = 0; column < tile.columns; ++column) {
      const QRectF cell(area.left() + column * w, area.bottom() - (row + 1) * h, w, h);
      const double value = tile.at(row, column);
      const bool written = tile.numbers >= 0;
      const auto color = std::isnan(value) ? theme().color(Token::kAlt)
                         : written         ? theme().color(Token::kPlot)
                                           : QColor(table[colorIndex(value, tile.low, tile.high)]);
      painter.fillRect(cell, color);
      painter.setPen(QPen(theme().color(written ? Token::kBorder : Token::kSurface), 1));
      painter.drawRect(cell);
      if (!written || std::isnan(value)) continue;
      painter.setPen(theme().color(Token::kText));
      painter.drawText(cell, Qt::AlignCenter, fixed(value, tile.numbers));
    }
}

void ImageTiles::paintBar(QPainter& painter) const {
  const auto& first = tiles_.front();
  const auto table = colorTable(first.map);
  QImage strip(256, 1, QImage::Format_RGB32);
  for (int i = 0; i < 256; ++i) strip.setPixel(i, 0, table[i]);
  const double gap = theme().px(10), text = painter.fontMetrics().height();
  const QRectF bar(gap, height() - theme().px(42), width() - 2 * gap, theme().px(10));
  painter.drawImage(bar, strip);
  painter.setPen(theme().color(Token::kText2));
  const QRectF ticks(bar.left(), bar.bottom() + 1, bar.width(), text);
  const auto at = [&](double part) { return first.low + part * (first.high - first.low); };
  painter.drawText(ticks, Qt::AlignLeft, fixed(at(0), 2));
  painter.drawText(ticks, Qt::AlignHCenter, fixed(at(0.5), 2));
  painter.drawText(ticks, Qt::AlignRight, fixed(at(1), 2));
  painter.drawText(ticks.translated(0, text), Qt::AlignHCenter, bar_words_);
}

QString ImageTiles::describe(const QPointF& position) const {
  for (std::size_t i = 0; i < tiles_.size(); ++i) {
    const auto area = box(i);
    if (!area.contains(position)) continue;
    const auto& tile = tiles_[i];
    const int column = std::min(tile.columns - 1, static_cast<int>((position.x() - area.left()) /
                                                                   area.width() * tile.columns));
    const int row = std::min(tile.rows - 1, static_cast<int>((area.bottom() - position.y()) /
                                                             area.height() * tile.rows));
    const double value = tile.at(row, column);
    return tr("%1, row %2, column %3: %4")
        .arg(tile.title)
        .arg(row)
        .arg(column)
        .arg(std::isnan(value) ? tr("no value") : fixed(value, kTableDecimals));
  }
  return {};
}

TableContent ImageTiles::asTable() const {
  TableContent table;
  table.columns = {tr("Image"), tr("Row"), tr("Column"), tr("Value")};
  for (const auto& tile : tiles_)
    for (int row = 0; row < tile.rows; ++row)
      for (int column = 0; column < tile.columns; ++column) {
        const double value = tile.at(row, column);
        table.rows.push_back(
            {tile.title, QString::number(row), QString::number(column),
             std::isnan(value) ? QStringLiteral("–") : fixed(value, kTableDecimals)});
      }
  return table;
}

bool ImageTiles::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  auto* help = static_cast<QHelpEvent*>(event);
  const auto words = describe(help->pos());
  if (words.isEmpty())
    QToolTip::hideText();
  else
    QToolTip::showText(help->globalPos(), words, this);
  return true;
}

}  // namespace tactelier::gui
