#include "app/gui/widgets/tactile_map_view.hpp"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {
namespace {

constexpr double kFlat = 1.6;          // wider than this times its height: the bar stands upright
constexpr double kWorthTurning = 1.4;  // cells so much larger

}  // namespace

TactileMapView::TactileMapView(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Tactile map"));
  format_ = [](double value) { return QString::number(value, 'g', 4); };
  connect(&theme(), &Theme::changed, this, [this] {
    layoutCells();
    update();
  });
}

void TactileMapView::setSensor(const SensorDescription& sensor) {
  sensor_ = sensor;
  places_.clear();
  columns_ = rows_ = 0;
  for (const auto& array : sensor.arrays) {
    const int left = columns_ == 0 ? 0 : columns_ + 1;  // an empty column between arrays
    for (int i = 0; i < array.tactels(); ++i)
      places_.push_back({left + i % array.columns, i / array.columns});
    columns_ = left + array.columns;
    rows_ = std::max(rows_, array.rows);
  }
  by_place_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_), -1);
  for (std::size_t i = 0; i < places_.size(); ++i)
    by_place_[static_cast<std::size_t>(places_[i].row * columns_ + places_[i].column)] =
        static_cast<int>(i);
  values_.clear();
  marks_.clear();
  lines_.clear();
  shear_.clear();
  cursor_.reset();
  hovered_.reset();
  pressed_.reset();
  layoutCells();
  update();
}

void TactileMapView::setValues(std::vector<double> values) {
  values_ = std::move(values);
  update();
  emit contentChanged();
}

void TactileMapView::setMarks(std::vector<TactelMark> marks) {
  marks_ = std::move(marks);
  update();
}

void TactileMapView::setColorMap(ColorMap map) {
  map_ = map;
  update();
}

void TactileMapView::setScale(double low, double high, const QString& unit) {
  low_ = low;
  high_ = high;
  unit_ = unit;
  update();
}

void TactileMapView::setBarNote(const QString& note) {
  bar_note_ = note;
  update();
}

void TactileMapView::setShowNumbers(bool show) {
  show_numbers_ = show;
  update();
}

void TactileMapView::setCursor(std::optional<int> tactel) {
  if (tactel && (*tactel < 0 || *tactel >= static_cast<int>(places_.size()))) tactel.reset();
  cursor_ = tactel;
  if (tactel) setAccessibleDescription(describe(*tactel));
  update();
}

void TactileMapView::setPressed(std::optional<int> tactel) {
  pressed_ = tactel;
  update();
}

TactileMapView::Place TactileMapView::shown(const Place& place) const {
  if (!turned_) return place;
  return {place.row, columns_ - 1 - place.column};
}

/// Width of a cell that fills the area; its height follows from the pitches.
double TactileMapView::cellWidth(const QRectF& area, bool turned) const {
  const auto& first = sensor_.arrays.front();
  const double aspect = first.pitch_y_m > 0 && first.pitch_x_m > 0
                            ? std::clamp(first.pitch_y_m / first.pitch_x_m, 0.25, 4.0)
                            : 1.0;
  const double width = double(theme().px(110));
  return turned ? std::min({area.width() / rows_, area.height() * aspect / columns_, width})
                : std::min({area.width() / columns_, area.height() / rows_ / aspect, width});
}

void TactileMapView::layoutCells() {
  const auto px = [](double length) { return double(theme().px(length)); };
  bar_upright_ = width() > kFlat * height();
  const double line = QFontMetricsF(theme().font(Type::kTick)).height();
  const double left = axesWidth(), right = bar_upright_ ? px(84) : px(12);
  // An upright bar may reach as far down as the cells: its unit and note stand below both.
  const double below =
      bar_upright_ ? std::max(axesHeight(), 2.6 * line + 4) : axesHeight() + px(24) + 2 * line;
  const QRectF area(left, px(8), width() - left - right, height() - px(8) - below);
  if (columns_ == 0 || area.width() < 10 || area.height() < 10) {
    cells_ = {};
    return;
  }
  turned_ =
      sensor_.arrays.size() == 1 && cellWidth(area, true) > kWorthTurning * cellWidth(area, false);
  const double w = cellWidth(area, turned_);
  const auto& first = sensor_.arrays.front();
  const double aspect = first.pitch_y_m > 0 && first.pitch_x_m > 0
                            ? std::clamp(first.pitch_y_m / first.pitch_x_m, 0.25, 4.0)
                            : 1.0;
  const QSizeF size(w * shownColumns(), (turned_ ? w / aspect : w * aspect) * shownRows());
  cells_ = QRectF(QPointF(area.left() + (area.width() - size.width()) / 2, area.top()), size);
  if (size.height() < area.height() - px(8))
    cells_.translate(0, (area.height() - size.height()) / 2);
  if (bar_upright_) {
    const double bar_h = std::min(area.height(), std::max(size.height(), px(90)));
    bar_ = QRectF(cells_.right() + px(14), cells_.center().y() - bar_h / 2, px(12), bar_h);
    return;
  }
  const double bar_w = std::min(area.width(), std::max(size.width(), px(220)));
  bar_ =
      QRectF(area.left() + (area.width() - bar_w) / 2, height() - px(18) - 2 * line, bar_w, px(12));
}

QRectF TactileMapView::cell(int tactel) const {
  if (tactel < 0 || tactel >= static_cast<int>(places_.size()) || cells_.isEmpty()) return {};
  const auto place = shown(places_[static_cast<std::size_t>(tactel)]);
  const double w = cells_.width() / shownColumns();
  const double h = cells_.height() / shownRows();
  return {cells_.left() + place.column * w, cells_.bottom() - (place.row + 1) * h, w, h};
}

QPointF TactileMapView::at(const QPointF& place) const {
  const double across = turned_ ? place.y() : place.x();
  const double up = turned_ ? columns_ - 1 - place.x() : place.y();
  return {cells_.left() + (across + 0.5) * cells_.width() / shownColumns(),
          cells_.bottom() - (up + 0.5) * cells_.height() / shownRows()};
}

void TactileMapView::setLines(std::vector<MapLine> lines) {
  lines_ = std::move(lines);
  update();
}

void TactileMapView::setShear(std::vector<QPointF> shear, double full) {
  shear_ = std::move(shear);
  full_shear_ = full;
  update();
}

std::optional<int> TactileMapView::tactelAt(const QPointF& position) const {
  if (!cells_.contains(position)) return std::nullopt;
  const int across = std::min(
      shownColumns() - 1, int((position.x() - cells_.left()) / cells_.width() * shownColumns()));
  const int up = std::min(shownRows() - 1,
                          int((cells_.bottom() - position.y()) / cells_.height() * shownRows()));
  const int column = turned_ ? columns_ - 1 - up : across;
  const int row = turned_ ? across : up;
  const int tactel = by_place_[static_cast<std::size_t>(row * columns_ + column)];
  if (tactel < 0) return std::nullopt;
  return tactel;
}

QString TactileMapView::describe(int tactel) const {
  if (tactel < 0 || tactel >= static_cast<int>(places_.size())) return {};
  const auto index = static_cast<std::size_t>(tactel);
  const auto& place = places_[index];
  auto words = tr("Tactel %1, row %2, column %3").arg(tactel).arg(place.row).arg(place.column);
  if (index < values_.size()) words += QStringLiteral(": ") + valueWords(index);
  if (index < shear_.size())
    words += tr(", x %1, y %2").arg(format_(shear_[index].x()), format_(shear_[index].y()));
  const auto mark = markWords(index);
  return mark.isEmpty() ? words : words + QStringLiteral(", ") + mark;
}

QString TactileMapView::valueWords(std::size_t tactel) const {
  if (tactel >= values_.size() || std::isnan(values_[tactel])) return tr("no value");
  return QStringLiteral("%1 %2").arg(format_(values_[tactel]), unit_);
}

QString TactileMapView::markWords(std::size_t tactel) const {
  switch (tactel < marks_.size() ? marks_[tactel] : TactelMark::kNone) {
    case TactelMark::kNone:
      return {};
    case TactelMark::kDead:
      return tr("dead");
    case TactelMark::kStuck:
      return tr("stuck");
    case TactelMark::kSaturated:
      return tr("saturated");
    case TactelMark::kPredicted:
      return tr("predicted");
    case TactelMark::kNotIdentified:
      return tr("not identified");
    case TactelMark::kBelow:
      return tr("below the threshold");
    case TactelMark::kAgain:
      return tr("repeated");
    case TactelMark::kAborted:
      return tr("aborted");
  }
  return {};
}

TableContent TactileMapView::asTable() const {
  TableContent table;
  table.columns = {tr("Tactel"), tr("Row"), tr("Column"),
                   unit_.isEmpty() ? tr("Value") : tr("Value [%1]").arg(unit_), tr("State")};
  if (!shear_.empty()) table.columns << tr("Shear x") << tr("Shear y");
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const bool known = i < values_.size() && !std::isnan(values_[i]);
    table.rows.push_back({QString::number(i), QString::number(places_[i].row),
                          QString::number(places_[i].column),
                          known ? format_(values_[i]) : QStringLiteral("–"), markWords(i)});
    if (i < shear_.size()) table.rows.back() << format_(shear_[i].x()) << format_(shear_[i].y());
  }
  return table;
}

void TactileMapView::setHovered(std::optional<int> tactel) {
  if (hovered_ == tactel) return;
  hovered_ = tactel;
  update();
}

void TactileMapView::mouseMoveEvent(QMouseEvent* event) {
  const auto now = tactelAt(event->position());
  if (now == hovered_) return;
  hovered_ = now;
  emit tactelHovered(now);
  update();
}

void TactileMapView::mousePressEvent(QMouseEvent* event) {
  const auto tactel = tactelAt(event->position());
  if (event->button() != Qt::LeftButton || !tactel) return;
  setCursor(tactel);
  emit tactelChosen(*tactel);
}

void TactileMapView::leaveEvent(QEvent*) {
  hovered_.reset();
  emit tactelHovered(std::nullopt);
  update();
}

void TactileMapView::moveCursor(int columns, int rows) {
  if (places_.empty()) return;
  if (turned_) {  // from the picture's directions to the array's
    std::swap(columns, rows);
    columns = -columns;
  }
  if (!cursor_) {
    setCursor(0);
    emit tactelChosen(0);
    return;
  }
  auto place = places_[static_cast<std::size_t>(*cursor_)];
  while (true) {
    place.column += columns;
    place.row += rows;
    if (place.column < 0 || place.column >= columns_ || place.row < 0 || place.row >= rows_) return;
    const int tactel = by_place_[static_cast<std::size_t>(place.row * columns_ + place.column)];
    if (tactel < 0) continue;
    setCursor(tactel);
    emit tactelChosen(tactel);
    return;
  }
}

void TactileMapView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
      return moveCursor(-1, 0);
    case Qt::Key_Right:
      return moveCursor(1, 0);
    case Qt::Key_Up:
      return moveCursor(0, 1);
    case Qt::Key_Down:
      return moveCursor(0, -1);
    default:
      QWidget::keyPressEvent(event);
  }
}

void TactileMapView::resizeEvent(QResizeEvent*) { layoutCells(); }

bool TactileMapView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    if (const auto tactel = tactelAt(help->pos()))
      QToolTip::showText(help->globalPos(), describe(*tactel), this);
    else
      QToolTip::hideText();
    return true;
  }
  return QWidget::event(event);
}

}  // namespace tactelier::gui
