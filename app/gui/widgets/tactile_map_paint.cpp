// Painting of TactileMapView.

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <vector>

#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/tactile_map_view.hpp"

namespace tactelier::gui {
namespace {

constexpr int kMostTicks = 6;

/// Multiples of 1, 2 or 5 times a power of ten from `low` to `high`, `most` at most, two at least
/// where there is room for none.
std::vector<double> niceTicks(double low, double high, int most) {
  most = std::clamp(most, 2, kMostTicks);
  if (!(high > low)) return {low};
  const double power = std::pow(10, std::floor(std::log10((high - low) / most)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0}) {
    const double step = factor * power;
    const double first = std::ceil(low / step - 1e-9), last = std::floor(high / step + 1e-9);
    if (last - first + 1 > most) continue;
    std::vector<double> ticks;
    for (double tick = first; tick <= last; ++tick) ticks.push_back(tick * step + 0.0);  // no "−0"
    if (ticks.size() >= 2) return ticks;
    break;
  }
  return {low, high};
}

// px between cells, numbers, the axis' name and the widget's edge.
constexpr double kTickGap = 6, kAxisGap = 2, kEdge = 3;
constexpr double kLeastArrow = 2, kArrowHead = 7, kBarb_deg = 28;

/// On a wider line of the other shade: the map has colours of every lightness.
void strokeOver(QPainter& painter, const QPolygonF& points, Qt::PenStyle style) {
  QPen under(theme().color(Token::kSurface), 4);
  QPen over(theme().color(Token::kText), 1.6, style);
  for (auto* pen : {&under, &over}) {
    pen->setJoinStyle(Qt::RoundJoin);
    painter.setPen(*pen);
    painter.drawPolyline(points);
  }
}

}  // namespace

void TactileMapView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setRenderHint(QPainter::LosslessImageRendering);  // in a PDF one pixel is a tactel
  if (!cells_.isEmpty()) {
    paintCells(painter);
    paintLines(painter);
    paintShear(painter);
    paintAxes(painter);
    paintBar(painter);
  }
  if (hasFocus()) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme().color(Token::kAccent), 2));
    painter.drawRect(rect().adjusted(1, 1, -2, -2));
  }
}

void TactileMapView::paintCells(QPainter& painter) const {
  // One pixel per place through the colour table, scaled up unsmoothed: the cost of a frame does
  // not depend on the size of the widget.
  QImage image(shownColumns(), shownRows(), QImage::Format_ARGB32);
  image.fill(Qt::transparent);
  const auto table = colorTable(map_);
  const auto empty = theme().color(Token::kAlt).rgb();
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const double value = i < values_.size() ? values_[i] : std::nan("");
    const auto color = std::isnan(value) ? empty : table[colorIndex(value, low_, high_)];
    const auto place = shown(places_[i]);
    image.setPixel(place.column, shownRows() - 1 - place.row, color | 0xFF000000);
  }
  painter.save();
  painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
  painter.drawImage(cells_, image);
  painter.restore();

  const double w = cells_.width() / shownColumns();
  const double h = cells_.height() / shownRows();
  if (std::min(w, h) >= 6) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    auto line = theme().color(Token::kSurface);
    painter.setPen(QPen(line, 1));
    painter.setBrush(Qt::NoBrush);
    for (std::size_t i = 0; i < places_.size(); ++i) painter.drawRect(cell(static_cast<int>(i)));
    painter.setRenderHint(QPainter::Antialiasing, true);
  }
  auto font = theme().font(Type::kTick);
  font.setPixelSize(theme().px(10));
  if (w >= 34) font = theme().font(Type::kTick);
  painter.setFont(font);
  const bool numbers = show_numbers_ && h >= painter.fontMetrics().height() && w >= theme().px(26);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const auto box = cell(static_cast<int>(i));
    const auto mark = i < marks_.size() ? marks_[i] : TactelMark::kNone;
    const double value = i < values_.size() ? values_[i] : std::nan("");
    if (numbers && !std::isnan(value) && mark != TactelMark::kDead && mark != TactelMark::kStuck) {
      painter.setPen(textOn(table[colorIndex(value, low_, high_)]));
      painter.drawText(box, Qt::AlignCenter, format_(value));
    }
    paintMark(painter, box, mark);
  }
  const auto frame = [&](std::optional<int> tactel, Token token, double width, Qt::PenStyle style) {
    if (!tactel) return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme().color(token), width, style));
    painter.drawRect(cell(*tactel).adjusted(1, 1, -1, -1));
  };
  frame(pressed_, Token::kMark, 2.5, Qt::SolidLine);
  frame(hovered_, Token::kSurface, 1.5, Qt::SolidLine);
  frame(cursor_, Token::kAccent, 2.5, Qt::SolidLine);
}

void TactileMapView::paintLines(QPainter& painter) const {
  painter.setBrush(Qt::NoBrush);
  for (const auto& line : lines_) {
    QPolygonF points;
    for (const auto& place : line.places) points << at(place);
    if (line.closed && !points.isEmpty()) points << points.front();
    strokeOver(painter, points, line.dashed ? Qt::DashLine : Qt::SolidLine);
  }
}

void TactileMapView::paintShear(QPainter& painter) const {
  painter.setBrush(Qt::NoBrush);
  for (std::size_t i = 0; i < std::min(shear_.size(), places_.size()); ++i) {
    const QPointF from(places_[i].column, places_[i].row);
    const QLineF shaft(at(from), at(from + shear_[i] / full_shear_));
    if (!(shaft.length() >= kLeastArrow)) continue;
    const double head = std::min(kArrowHead, shaft.length());
    QLineF barb(shaft.p2(), shaft.p1());
    barb.setLength(head);
    QPolygonF arrow{shaft.p1(), shaft.p2()};
    for (const double side : {1.0, -1.0}) {
      auto turned = barb;
      turned.setAngle(barb.angle() + side * kBarb_deg);
      arrow << turned.p2() << shaft.p2();
    }
    strokeOver(painter, arrow, Qt::SolidLine);
  }
}

void TactileMapView::paintMark(QPainter& painter, const QRectF& box, TactelMark mark) const {
  const double inset = std::min(box.width(), box.height()) * 0.28;
  const auto inner = QRectF(0, 0, std::min(box.width(), box.height()) - 2 * inset,
                            std::min(box.width(), box.height()) - 2 * inset);
  const auto at = inner.translated(box.center() - inner.center());
  switch (mark) {
    case TactelMark::kNone:
    case TactelMark::kBelow:
      return;
    case TactelMark::kDead:
      painter.fillRect(box.adjusted(1, 1, 0, 0), theme().color(Token::kAlt));
      painter.setPen(QPen(theme().color(Token::kBad), 2));
      painter.drawLine(at.topLeft(), at.bottomRight());
      painter.drawLine(at.topRight(), at.bottomLeft());
      return;
    case TactelMark::kStuck:
      painter.fillRect(box.adjusted(1, 1, 0, 0), theme().color(Token::kAlt));
      painter.fillRect(QRectF(at.left(), box.center().y() - 2, at.width(), 4),
                       theme().color(Token::kMark));
      return;
    case TactelMark::kNotIdentified:
      painter.fillRect(box.adjusted(1, 1, 0, 0),
                       QBrush(theme().color(Token::kAxis), Qt::BDiagPattern));
      return;
    case TactelMark::kAborted:
      painter.setPen(QPen(theme().color(Token::kBad), 2));
      painter.drawLine(at.topLeft(), at.bottomRight());
      painter.drawLine(at.topRight(), at.bottomLeft());
      return;
    case TactelMark::kAgain:
      painter.setPen(theme().color(Token::kMark));
      painter.drawText(box.adjusted(3, 1, 0, 0), Qt::AlignLeft | Qt::AlignTop, QStringLiteral("↻"));
      return;
    case TactelMark::kSaturated:
    case TactelMark::kPredicted: {
      QPainterPath corner(box.topRight());
      corner.lineTo(box.topRight() - QPointF(inset * 1.6, 0));
      corner.lineTo(box.topRight() + QPointF(0, inset * 1.6));
      corner.closeSubpath();
      painter.fillPath(
          corner, theme().color(mark == TactelMark::kSaturated ? Token::kMark : Token::kSurface));
      return;
    }
  }
}

void TactileMapView::paintAxes(QPainter& painter) const {
  if (sensor_.arrays.size() != 1 || places_.empty()) return;  // poses differ: no common ticks
  painter.setFont(theme().font(Type::kTick));
  painter.setPen(theme().color(Token::kText2));
  const auto metrics = painter.fontMetrics();
  const double h = cells_.height() / shownRows();
  const double w = cells_.width() / shownColumns();
  const auto label_of = [&](int along, bool across) {
    const bool of_row = across == turned_;  // the picture's columns are the array's rows
    if (of_row) return tickWords(along * columns_, 1);
    return tickWords(turned_ ? columns_ - 1 - along : along, 0);
  };
  const double line = metrics.height(), left = cells_.left() - kTickGap;
  const int every_y = std::max(1, int(std::ceil(line * 1.2 / h)));
  for (int row = 0; row < shownRows(); row += every_y) {
    const double y = cells_.bottom() - (row + 0.5) * h;
    painter.drawText(QRectF(0, y - line / 2, left, line), Qt::AlignRight | Qt::AlignVCenter,
                     label_of(row, false));
  }
  const double label_w = tickWidth() + 10;
  const int every_x = std::max(1, int(std::ceil(label_w / w)));
  for (int column = 0; column < shownColumns(); column += every_x) {
    const double x = cells_.left() + (column + 0.5) * w;
    painter.drawText(QRectF(x - label_w / 2, cells_.bottom() + 2, label_w, line), Qt::AlignHCenter,
                     label_of(column, true));
  }
  const double half = 2 * label_w;
  painter.drawText(QRectF(cells_.center().x() - half, cells_.bottom() + line + 1, 2 * half, line),
                   Qt::AlignHCenter, turned_ ? tr("y [mm]") : tr("x [mm]"));
  painter.save();
  painter.translate(left - tickWidth() - kAxisGap - line / 2, cells_.center().y());
  painter.rotate(-90);
  painter.drawText(QRectF(-half, -line / 2, 2 * half, line), Qt::AlignCenter,
                   turned_ ? tr("x [mm]") : tr("y [mm]"));
  painter.restore();
}

QString TactileMapView::tickWords(int tactel, std::size_t axis) const {
  return QString::number(sensor_.position_m(tactel)[axis] * 1e3, 'f', 1).replace('-', u'−');
}

double TactileMapView::tickWidth() const {
  if (sensor_.arrays.size() != 1 || places_.empty()) return 0;
  const QFontMetricsF metrics(theme().font(Type::kTick));
  double width = 0;
  for (const auto& label : {tickWords(0, 0), tickWords(0, 1), tickWords(int(places_.size()) - 1, 0),
                            tickWords(int(places_.size()) - 1, 1)})
    width = std::max(width, metrics.horizontalAdvance(label));
  return width;
}

double TactileMapView::axesWidth() const {
  const double line = QFontMetricsF(theme().font(Type::kTick)).height();
  return kTickGap + tickWidth() + kAxisGap + line + kEdge;
}

double TactileMapView::axesHeight() const {
  return 2 * QFontMetricsF(theme().font(Type::kTick)).height() + 1 + kEdge;
}

void TactileMapView::paintBar(QPainter& painter) const {
  const auto table = colorTable(map_);
  QImage strip(256, 1, QImage::Format_RGB32);
  for (int i = 0; i < 256; ++i) strip.setPixel(i, 0, table[i]);
  painter.setFont(theme().font(Type::kTick));
  painter.setPen(theme().color(Token::kText2));
  const double height = painter.fontMetrics().height();
  // Round numbers, each once: of counts without decimals two may read alike.
  const auto ticks = [this](double room) {
    std::vector<std::pair<double, QString>> all;  // place 0 .. 1, words
    for (const double value : niceTicks(low_, high_, static_cast<int>(room)))
      if (const auto words = format_(value); all.empty() || all.back().second != words)
        all.emplace_back((value - low_) / (high_ - low_), words);
    return all;
  };
  if (bar_upright_) {
    painter.drawImage(bar_, strip.transformed(QTransform().rotate(-90)));
    for (const auto& [at, label] : ticks(bar_.height() / (1.5 * height))) {
      const double y = bar_.bottom() - bar_.height() * at;
      painter.drawText(QRectF(bar_.right() + 5, y - height / 2, 80, height), Qt::AlignVCenter,
                       label);
    }
    double y = bar_.bottom() + height * 0.6;
    for (const auto& words : {unit_, bar_note_}) {  // farther left where they would be cut off
      const double wide = painter.fontMetrics().horizontalAdvance(words);
      const double x = std::max(0.0, std::min(bar_.left(), width() - wide - kEdge));
      painter.drawText(QRectF(x, y, wide + 1, height), Qt::AlignLeft, words);
      y += height;
    }
    return;
  }
  painter.drawImage(bar_, strip);
  double widest = 0;
  for (const double end : {low_, high_})
    widest = std::max(widest, QFontMetricsF(painter.font()).horizontalAdvance(format_(end)));
  for (const auto& [at, label] : ticks(bar_.width() / (widest + 3 * kTickGap))) {
    const double width = painter.fontMetrics().horizontalAdvance(label);
    const double left = std::clamp(bar_.left() + bar_.width() * at - width / 2, bar_.left(),
                                   std::max(bar_.left(), bar_.right() - width));
    painter.drawText(QRectF(left, bar_.bottom() + 2, width + 1, height), Qt::AlignLeft, label);
  }
  const auto words = bar_note_.isEmpty() ? unit_ : tr("%1, %2").arg(unit_, bar_note_);
  painter.drawText(QRectF(0, bar_.bottom() + 2 + height, width(), height), Qt::AlignHCenter, words);
}

}  // namespace tactelier::gui
