#include "app/gui/widgets/tactile_map_view.hpp"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {

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

void TactileMapView::layoutCells() {
  const auto px = [](double length) { return double(theme().px(length)); };
  const QRectF area(px(44), px(6), width() - px(44) - px(12), height() - px(6) - px(84));
  if (columns_ == 0 || area.width() < 10 || area.height() < 10) {
    cells_ = {};
    return;
  }
  const auto& first = sensor_.arrays.front();
  const double aspect = first.pitch_y_m > 0 && first.pitch_x_m > 0
                            ? std::clamp(first.pitch_y_m / first.pitch_x_m, 0.25, 4.0)
                            : 1.0;
  const double cell_w =
      std::min({area.width() / columns_, area.height() / rows_ / aspect, px(110)});
  const QSizeF size(cell_w * columns_, cell_w * aspect * rows_);
  cells_ = QRectF(QPointF(area.left() + (area.width() - size.width()) / 2, area.top()), size);
  if (size.height() < area.height() - px(8))
    cells_.translate(0, (area.height() - size.height()) / 2);
  const double bar_w = std::min(area.width(), std::max(size.width(), px(220)));
  bar_ = QRectF(area.left() + (area.width() - bar_w) / 2, height() - px(40), bar_w, px(12));
}

QRectF TactileMapView::cell(int tactel) const {
  if (tactel < 0 || tactel >= static_cast<int>(places_.size()) || cells_.isEmpty()) return {};
  const auto& place = places_[static_cast<std::size_t>(tactel)];
  const double w = cells_.width() / columns_;
  const double h = cells_.height() / rows_;
  return {cells_.left() + place.column * w, cells_.bottom() - (place.row + 1) * h, w, h};
}

std::optional<int> TactileMapView::tactelAt(const QPointF& position) const {
  if (!cells_.contains(position)) return std::nullopt;
  const int column =
      std::min(columns_ - 1, int((position.x() - cells_.left()) / cells_.width() * columns_));
  const int row =
      std::min(rows_ - 1, int((cells_.bottom() - position.y()) / cells_.height() * rows_));
  const int tactel = by_place_[static_cast<std::size_t>(row * columns_ + column)];
  if (tactel < 0) return std::nullopt;
  return tactel;
}

QString TactileMapView::describe(int tactel) const {
  if (tactel < 0 || tactel >= static_cast<int>(places_.size())) return {};
  const auto index = static_cast<std::size_t>(tactel);
  const auto& place = places_[index];
  auto words = tr("Tactel %1, row %2, column %3").arg(tactel).arg(place.row).arg(place.column);
  if (index < values_.size())
    words += std::isnan(values_[index])
                 ? tr(": no value")
                 : QStringLiteral(": %1 %2").arg(format_(values_[index]), unit_);
  const auto mark = markWords(index);
  return mark.isEmpty() ? words : words + QStringLiteral(", ") + mark;
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
  }
  return {};
}

TableContent TactileMapView::asTable() const {
  TableContent table;
  table.columns = {tr("Tactel"), tr("Row"), tr("Column"),
                   unit_.isEmpty() ? tr("Value") : tr("Value [%1]").arg(unit_), tr("State")};
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const bool known = i < values_.size() && !std::isnan(values_[i]);
    table.rows.push_back({QString::number(i), QString::number(places_[i].row),
                          QString::number(places_[i].column),
                          known ? format_(values_[i]) : QStringLiteral("–"), markWords(i)});
  }
  return table;
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
