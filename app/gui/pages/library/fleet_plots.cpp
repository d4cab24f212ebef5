#include "app/gui/pages/library/fleet_plots.hpp"

#include <algorithm>
#include <cmath>

#include "app/gui/text/message.hpp"
#include "app/workflow/utc_day.hpp"

namespace tactelier::gui {
namespace {

constexpr double kDay_s = 86400;
constexpr std::size_t kNamedOutliers = 8;  // more would cover each other

const Curve kMedianLook{{}, Token::kText, 1.4, false, Mark::kNone, 5, false};
const Curve kLimitLook{{}, Token::kBad, 1.4, true, Mark::kNone, 5, false};
const Curve kSensorLook{{}, Token::kLine1, 0, false, Mark::kDisc, 5};
const Curve kOddLook{{}, Token::kBad, 0, false, Mark::kTriangle, 9};
const Curve kDriftLook{{}, Token::kLine2, 1.8, false, Mark::kNone, 5, false};

bool isOdd(const FleetParameter& parameter, const CatalogueRow& row) {
  return std::ranges::any_of(parameter.outliers, [&](const OddSensor& odd) {
    return odd.serial == row.serial && odd.recorded == row.recorded;
  });
}

std::vector<Point> upright(double x, double top) { return {{x, 0}, {x, top}}; }

/// The outline of the steps, from the ground and back to it.
std::vector<Point> outline(const FleetHistogram& histogram, const FleetChoice& choice) {
  const double width = histogram.width > 0 ? histogram.width : 1e-3 * std::abs(histogram.least);
  std::vector<Point> points;
  double x = histogram.least;
  for (const auto count : histogram.counts) {
    if (points.empty()) points.push_back({choice.shown(x), 0});
    points.push_back({choice.shown(x), static_cast<double>(count)});
    x += width;
    points.push_back({choice.shown(x), static_cast<double>(count)});
  }
  if (!points.empty()) points.push_back({choice.shown(x), 0});
  return points;
}

QString headline(const FleetChoice& choice) {
  const auto& parameter = choice.parameter;
  return PlotView::tr("%1: %2 sensors, median %3, %4 outliers.")
      .arg(choice.label)
      .arg(parameter.count)
      .arg(choice.shown(parameter.spread.median), 0, 'g', 5)
      .arg(parameter.outliers.size());
}

}  // namespace

FleetChoice fleetChoice(FleetParameter parameter, std::vector<CatalogueRow> rows) {
  FleetChoice choice{std::move(parameter), std::move(rows), {}, {}};
  const auto unit = unitWords(choice.parameter.unit);
  choice.prefix = prefixFor(choice.parameter.spread.median, unit);
  const auto shown = choice.prefix.symbol + unit;
  choice.label = QStringLiteral("%1 [%2]").arg(text(choice.parameter.path),
                                               shown.isEmpty() ? QStringLiteral("–") : shown);
  return choice;
}

FleetDistributionPlot::FleetDistributionPlot(QWidget* parent) : PlotView(parent) {
  setObjectName(QStringLiteral("fleetDistribution"));
  setAccessibleName(tr("Distribution over the fleet"));
  steps_ = addPath({{}, Token::kLine1, 1.8, false, Mark::kNone, 5, false});
  median_ = addPath(kMedianLook);
  low_ = addPath(kLimitLook);
  high_ = addPath(kLimitLook);
  odd_ = addSeries(kOddLook);
}

void FleetDistributionPlot::clear(const QString& why) {
  for (const int path : {steps_, median_, low_, high_}) setPathPoints(path, {});
  setPoints(odd_, {});
  setEmptyText(why);
}

void FleetDistributionPlot::show(const FleetChoice& choice) {
  std::vector<double> values;
  for (const auto& row : choice.rows) values.push_back(*row.value.value);
  const auto histogram = fleet_histogram(values);
  if (values.empty()) return clear(tr("No sensor has this number."));
  setEmptyText({});
  setAxisLabels(choice.label, tr("Sensors [–]"));
  const double top = 1.15 * static_cast<double>(*std::ranges::max_element(histogram.counts));
  const auto& spread = choice.parameter.spread;
  setPathPoints(steps_, outline(histogram, choice));
  setPathPoints(median_, upright(choice.shown(spread.median), top));
  setPathPoints(low_,
                choice.hasLimits() ? upright(choice.shown(spread.low), top) : std::vector<Point>());
  setPathPoints(
      high_, choice.hasLimits() ? upright(choice.shown(spread.high), top) : std::vector<Point>());
  std::vector<Point> odd;
  for (const auto& sensor : choice.parameter.outliers)
    odd.push_back({choice.shown(sensor.value), 0.04 * top});
  std::ranges::sort(odd, {}, &Point::x);
  setPoints(odd_, std::move(odd));
  setDescription(headline(choice));
  fitAll();
}

FleetTrendPlot::FleetTrendPlot(QWidget* parent) : PlotView(parent) {
  setObjectName(QStringLiteral("fleetTrend"));
  setAccessibleName(tr("Over the dates of recording"));
  const auto dates = QSharedPointer<QCPAxisTickerDateTime>::create();
  dates->setDateTimeSpec(Qt::UTC);
  dates->setDateTimeFormat(QStringLiteral("yyyy-MM-dd"));
  dates->setTickCount(5);
  xAxis->setTicker(dates);
  median_ = addPath(kMedianLook);
  low_ = addPath(kLimitLook);
  high_ = addPath(kLimitLook);
  drift_ = addPath(kDriftLook);
  sensors_ = addSeries(kSensorLook);
  odd_ = addSeries(kOddLook);
  setHoverText([this](const CurvePoint& point) { return wordsOf(point); });
  connect(&theme(), &Theme::changed, this, [this] {
    for (auto* label : labels_) {
      label->setFont(theme().font(Type::kTick));
      label->setColor(theme().color(Token::kBad));
    }
  });
}

void FleetTrendPlot::clear(const QString& why) {
  for (const int path : {median_, low_, high_, drift_}) setPathPoints(path, {});
  for (const int series : {sensors_, odd_}) setPoints(series, {});
  nameOutliers({});
  setEmptyText(why);
}

void FleetTrendPlot::show(const FleetChoice& choice) {
  std::vector<Point> sensors, odd;
  sensor_names_.clear();
  odd_names_.clear();
  unit_ = choice.prefix.symbol + unitWords(choice.parameter.unit);
  for (const auto& row : choice.rows) {  // in order of recording
    const auto day = day_of(row.recorded);
    if (!day) continue;
    const bool is_odd = isOdd(choice.parameter, row);
    (is_odd ? odd : sensors).push_back({kDay_s * *day, choice.shown(*row.value.value)});
    (is_odd ? odd_names_ : sensor_names_).push_back({text(row.serial), text(row.recorded)});
  }
  if (sensors.empty() && odd.empty()) return clear(tr("The recordings say no dates."));
  setEmptyText({});
  setAxisLabels(tr("Date of recording"), choice.label);
  double begin = 1e300, end = -1e300;
  for (const auto* points : {&sensors, &odd})
    for (const auto& point : *points) {
      begin = std::min(begin, point.x);
      end = std::max(end, point.x);
    }
  const double air = std::max(kDay_s / 24, 0.04 * (end - begin));
  const auto level = [&](double value) {
    return std::vector<Point>{{begin - air, choice.shown(value)}, {end + air, choice.shown(value)}};
  };
  const auto& spread = choice.parameter.spread;
  setPathPoints(median_, level(spread.median));
  setPathPoints(low_, choice.hasLimits() ? level(spread.low) : std::vector<Point>());
  setPathPoints(high_, choice.hasLimits() ? level(spread.high) : std::vector<Point>());
  std::vector<Point> line;
  if (choice.parameter.drifts) {
    const double half = choice.parameter.drift->per_day * (end - begin) / kDay_s / 2;
    line = {{begin, choice.shown(spread.median - half)}, {end, choice.shown(spread.median + half)}};
  }
  setPathPoints(drift_, std::move(line));
  nameOutliers(odd);
  setPoints(sensors_, std::move(sensors));
  setPoints(odd_, std::move(odd));
  setDescription(headline(choice));
  fitAll();
}

void FleetTrendPlot::nameOutliers(const std::vector<Point>& odd) {
  for (auto* label : labels_) removeItem(label);
  labels_.clear();
  for (std::size_t i = 0; i < std::min(odd.size(), kNamedOutliers); ++i) {
    auto* label = new QCPItemText(this);
    label->position->setCoords(odd[i].x, odd[i].y);
    label->setPositionAlignment(Qt::AlignRight | Qt::AlignVCenter);
    label->setPadding({4, 2, 10, 2});
    label->setText(odd_names_[i].serial);
    label->setFont(theme().font(Type::kTick));
    label->setColor(theme().color(Token::kBad));
    labels_.push_back(label);
  }
}

QString FleetTrendPlot::wordsOf(const CurvePoint& point) const {
  const auto& names = point.curve == odd_ ? odd_names_ : sensor_names_;
  if (point.path || point.index >= names.size()) return {};
  const auto& named = names[point.index];
  return QStringLiteral("%1 · %2 %3 · %4")
      .arg(named.serial)
      .arg(pointAt(point).y, 0, 'g', 5)
      .arg(unit_, named.recorded.left(10));
}

}  // namespace tactelier::gui
