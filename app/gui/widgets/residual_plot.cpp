#include "app/gui/widgets/residual_plot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/gui/text/words.hpp"

namespace tactelier::gui {
namespace {

constexpr QLatin1String kBack("background");
constexpr double kLegendShare = 0.7;  // of the height: a taller legend would hide the data
constexpr int kWordsCount = 50;       // words of a guide, as bad to cover as so many points
constexpr double kRightShare = 0.7;   // of the width: words beyond would be cut

}  // namespace

ResidualPlot::ResidualPlot(QWidget* parent) : PlotView(parent), tag_words_(tr("press %1")) {
  residuals_ = addStrip({}, {});
  auto* x = residuals_->axis(QCPAxis::atBottom);
  auto* y = residuals_->axis(QCPAxis::atLeft);
  band_ = new QCPItemRect(this);
  band_->setLayer(kBack);
  band_->setClipAxisRect(residuals_);
  for (auto* corner : {band_->topLeft, band_->bottomRight}) {
    corner->setAxisRect(residuals_);
    corner->setAxes(x, y);
    corner->setTypeX(QCPItemPosition::ptAxisRectRatio);
  }
  band_->setVisible(false);
  zero_ = new QCPItemStraightLine(this);
  zero_->setLayer(kBack);
  zero_->setClipAxisRect(residuals_);
  for (auto* end : {zero_->point1, zero_->point2}) {
    end->setAxisRect(residuals_);
    end->setAxes(x, y);
  }
  zero_->point1->setCoords(0, 0);
  zero_->point2->setCoords(1, 0);
  setHoverText([this](const CurvePoint& point) { return wordsOf(point); });
  connect(this, &QCustomPlot::beforeReplot, this, &ResidualPlot::placeLabels);
  connect(&theme(), &Theme::changed, this, &ResidualPlot::restyleItems);
  restyleItems();
}

void ResidualPlot::setLabels(const QString& x, const QString& y, const QString& residual) {
  setLabel(yAxis, y);
  setLabel(residuals_->axis(QCPAxis::atBottom), x);
  setLabel(residuals_->axis(QCPAxis::atLeft), residual);
  x_label_ = x;
}

int ResidualPlot::addPoints(const Curve& look) {
  Cloud cloud;
  cloud.above = addPath(look);
  auto below = look;
  below.name.clear();
  cloud.below = addPath(below, residuals_);
  linkPaths(cloud.above, cloud.below);
  clouds_.push_back(std::move(cloud));
  return static_cast<int>(clouds_.size()) - 1;
}

void ResidualPlot::setPoints(int handle, const std::vector<ResidualPoint>& points) {
  auto& cloud = clouds_[static_cast<std::size_t>(handle)];
  cloud.points = points;
  std::vector<Point> above;
  std::vector<Point> below;
  for (const auto& point : points) {
    above.push_back({point.x, point.y});
    below.push_back({point.x, point.residual});
  }
  setPathPoints(cloud.above, std::move(above));
  setPathPoints(cloud.below, std::move(below));
}

void ResidualPlot::setPointsLook(int handle, const Curve& look) {
  const auto& cloud = clouds_[static_cast<std::size_t>(handle)];
  setPathCurve(cloud.above, look);
  auto below = look;
  below.name.clear();
  setPathCurve(cloud.below, below);
}

int ResidualPlot::addModel(const Curve& look) {
  auto quiet = look;
  quiet.hover = false;
  models_.push_back({addPath(quiet), {}});
  return models_.back().path;
}

void ResidualPlot::setModel(int handle, std::vector<Point> points) {
  for (auto& model : models_)
    if (model.path == handle) model.points = points;
  setPathPoints(handle, std::move(points));
}

void ResidualPlot::setBand(double half_width) {
  band_->setVisible(half_width > 0);
  band_->topLeft->setCoords(0, half_width);
  band_->bottomRight->setCoords(1, -half_width);
}

int ResidualPlot::addGuide(Qt::Orientation orientation, Token token, Qt::PenStyle style) {
  Guide guide{
      orientation,          token, style, new QCPItemStraightLine(this), new QCPItemText(this),
      new QCPItemRect(this)};
  const bool vertical = orientation == Qt::Vertical;
  guide.label->setClipToAxisRect(vertical);  // a ceiling's words may stand above the plot
  guide.band->setLayer(kBack);
  for (auto* corner : {guide.band->topLeft, guide.band->bottomRight})
    (vertical ? corner->setTypeY(QCPItemPosition::ptAxisRectRatio)
              : corner->setTypeX(QCPItemPosition::ptAxisRectRatio));
  if (vertical)
    guide.label->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
  else
    guide.label->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
  guide.label->setPositionAlignment(Qt::AlignLeft | (vertical ? Qt::AlignTop : Qt::AlignBottom));
  guides_.push_back(guide);
  setGuide(static_cast<int>(guides_.size()) - 1, std::nullopt);
  restyleItems();
  return static_cast<int>(guides_.size()) - 1;
}

void ResidualPlot::setGuide(int index, std::optional<double> at, const QString& words,
                            double uncertainty) {
  auto& guide = guides_[static_cast<std::size_t>(index)];
  guide.line->setVisible(at.has_value());
  guide.label->setVisible(at.has_value() && !words.isEmpty());
  guide.band->setVisible(at.has_value() && uncertainty > 0);
  if (!at) return;
  guide.label->setText(QStringLiteral(" %1 ").arg(words));
  if (guide.orientation == Qt::Vertical) {
    guide.line->point1->setCoords(*at, 0);
    guide.line->point2->setCoords(*at, 1);
    // Below the words of a ceiling.
    guide.label->position->setCoords(*at, 0.12);
    guide.band->topLeft->setCoords(*at - uncertainty, 0);
    guide.band->bottomRight->setCoords(*at + uncertainty, 1);
  } else {
    guide.line->point1->setCoords(0, *at);
    guide.line->point2->setCoords(1, *at);
    guide.label->position->setCoords(0, *at);
    guide.band->topLeft->setCoords(0, *at + uncertainty);
    guide.band->bottomRight->setCoords(1, *at - uncertainty);
  }
}

QRect ResidualPlot::wordsBox(const Guide& guide) const {
  const QSize size = QFontMetrics(theme().font(Type::kTick)).size(0, guide.label->text());
  const auto room = axisRect()->rect();
  if (guide.orientation == Qt::Horizontal)
    return {
        QPoint(room.left(), int(yAxis->coordToPixel(guide.line->point1->value())) - size.height()),
        size};
  const int x = int(xAxis->coordToPixel(guide.line->point1->key()));
  return {QPoint(toLeft(guide) ? x - size.width() : x,
                 room.top() + int(guide.label->position->value() * room.height())),
          size};
}

int ResidualPlot::pointsIn(const QRect& box) const {
  const auto inside = [&](double x, double y) {
    return box.contains(int(xAxis->coordToPixel(x)), int(yAxis->coordToPixel(y)));
  };
  int count = 0;
  for (const auto& cloud : clouds_)
    for (const auto& point : cloud.points) count += inside(point.x, point.y);
  for (const auto& model : models_)
    for (const auto& point : model.points) count += inside(point.x, point.y);
  for (const auto& guide : guides_)
    if (guide.label->visible() && box.intersects(wordsBox(guide))) count += kWordsCount;
  return count;
}

void ResidualPlot::orderLegend(const std::vector<int>& handles) {
  for (const int handle : handles) listLast(clouds_[static_cast<std::size_t>(handle)].above);
  for (const auto& model : models_) listLast(model.path);
}

void ResidualPlot::placeLegend() {
  const auto room = axisRect()->rect();
  const auto size = legend->minimumOuterSizeHint() + QSize(12, 12);
  legend->setVisible(legend->itemCount() > 0 && size.height() < kLegendShare * room.height());
  if (!legend->visible()) return;
  QRect box(QPoint(), size);
  // The top left corner holds guides' words: the last choice among equals.
  struct Corner {
    Qt::Alignment alignment;
    QPoint at;
  };
  const Corner corners[] = {
      {Qt::AlignBottom | Qt::AlignRight, room.bottomRight() - box.bottomRight()},
      {Qt::AlignTop | Qt::AlignRight, room.topRight() - box.topRight()},
      {Qt::AlignBottom | Qt::AlignLeft, room.bottomLeft() - box.bottomLeft()},
      {Qt::AlignTop | Qt::AlignLeft, room.topLeft() - box.topLeft()}};
  int least = std::numeric_limits<int>::max();
  for (const auto& corner : corners) {
    const int count = pointsIn(box.translated(corner.at));
    if (count >= least) continue;
    least = count;
    axisRect()->insetLayout()->setInsetAlignment(0, corner.alignment);
  }
}

void ResidualPlot::resizeEvent(QResizeEvent* event) {
  PlotView::resizeEvent(event);
  const bool any = std::any_of(clouds_.begin(), clouds_.end(),
                               [](const Cloud& cloud) { return !cloud.points.empty(); });
  if (any) placeLegend();
}

bool ResidualPlot::toLeft(const Guide& guide) const {
  const double x = xAxis->coordToPixel(guide.line->point1->key());
  return x > axisRect()->left() + kRightShare * axisRect()->width();
}

void ResidualPlot::placeLabels() {
  for (auto& guide : guides_) {
    if (guide.orientation != Qt::Vertical || !guide.label->visible()) continue;
    guide.label->setPositionAlignment((toLeft(guide) ? Qt::AlignRight : Qt::AlignLeft) |
                                      Qt::AlignTop);
  }
}

void ResidualPlot::clearAll(const QString& why) {
  for (std::size_t i = 0; i < clouds_.size(); ++i) setPoints(static_cast<int>(i), {});
  for (const auto& model : models_) setModel(model.path, {});
  for (std::size_t i = 0; i < guides_.size(); ++i) setGuide(static_cast<int>(i), std::nullopt);
  setBand(0);
  legend->setVisible(false);
  setEmptyText(why);
}

const ResidualPlot::Cloud* ResidualPlot::cloudOf(const CurvePoint& point) const {
  for (const auto& cloud : clouds_)
    if (point.path && (cloud.above == point.curve || cloud.below == point.curve) &&
        point.index < cloud.points.size())
      return &cloud;
  return nullptr;
}

std::optional<ResidualPlot::Found> ResidualPlot::foundAt(const QPointF& position) const {
  const auto point = pointNear(position);
  const auto* cloud = point ? cloudOf(*point) : nullptr;
  if (cloud == nullptr) return std::nullopt;
  return Found{static_cast<int>(cloud - clouds_.data()), cloud->points[point->index]};
}

QString ResidualPlot::wordsOf(const CurvePoint& point) const {
  const auto* cloud = cloudOf(point);
  if (cloud == nullptr) return {};
  const auto& at = cloud->points[point.index];
  const auto written = [](double value, const QCPAxis* axis, const QString& label) {
    const double pixel = axis->range().size() / std::max(100, axis->axisRect()->width());
    const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(pixel))), 0, 6);
    const auto unit = label.section(QLatin1Char('['), -1).section(QLatin1Char(']'), 0, 0);
    return fixed(value, decimals) + QLatin1Char(' ') + unit;
  };
  auto words =
      written(at.x, xAxis, x_label_) + QStringLiteral(" · ") + written(at.y, yAxis, yAxis->label());
  if (!std::isnan(at.residual)) {
    const auto* axis = residuals_->axis(QCPAxis::atLeft);
    words +=
        QStringLiteral(" · ") + tr("residual %1").arg(written(at.residual, axis, axis->label()));
  }
  if (at.tag >= 0) words += QStringLiteral(" · ") + tag_words_.arg(at.tag);
  return words;
}

void ResidualPlot::restyleItems() {
  auto soft = theme().color(Token::kAlt);
  band_->setBrush(soft);
  band_->setPen(Qt::NoPen);
  zero_->setPen(QPen(theme().color(Token::kText), 1.2));
  for (auto& guide : guides_) {
    const auto color = theme().color(guide.token);
    guide.line->setPen(QPen(color, 1.5, guide.style));
    guide.label->setColor(color);
    guide.label->setFont(theme().font(Type::kTick));
    guide.band->setBrush(soft);
    guide.band->setPen(Qt::NoPen);
  }
  replot(rpQueuedReplot);
}

}  // namespace tactelier::gui
