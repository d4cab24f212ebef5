#include "app/gui/pages/protocol/plan_plots.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "app/gui/text/words.hpp"
#include "libcalib/protocol/expected_pad.hpp"

namespace tactelier::gui {
namespace {

constexpr std::size_t kJoined = 12;  // presses of a step whose order is drawn

bool presses(const Segment& segment) {
  return segment.phase == Phase::kLoad && segment.touch == Touch::kPad;
}

bool isOf(const PlannedStep& step, int number) {
  const auto wanted = std::to_string(number);
  return step.label == wanted || step.label.starts_with(wanted + ".");
}

/// What its end presses with, as expected.
double forceAtEnd(const Segment& segment, const Plan& plan, const PlanSetup& setup,
                  const SensorDescription& sensor) {
  if (segment.regulate_N) return *segment.regulate_N;
  const auto& step = plan.steps[segment.step];
  if (is_rigid(segment.touch) || segment.touch == Touch::kSpring) return step.peak_force_N;
  if (segment.touch == Touch::kReference) return setup.reference_force_N;
  const auto& indenter = plan.indenter ? plan.indenter : setup.indenter;
  if (segment.touch != Touch::kPad || !indenter) return 0;
  const double depth_m = std::max(0.0, segment.surface_z_m - segment.end_m[2]);
  const double force_N =
      expected_force_N(setup.expected, Belief::kValue, indenter->indenter, depth_m, sensor);
  return std::min(force_N, step.peak_force_N);
}

}  // namespace

PathPlot::PathPlot(QWidget* parent) : PlotView(parent) {
  setObjectName(QStringLiteral("protocolPath"));
  setAccessibleName(tr("Path over the array"));
  setAxisLabels(tr("x [mm]"), tr("y [mm]"));
  tactels_ = addPath({tr("tactel"), Token::kHistory, 0, false, Mark::kHollow, 9, false});
  slides_ = addPath({tr("slide"), Token::kLine2, 2, false, Mark::kNone, 5, false});
  others_ = addPath({tr("press"), Token::kLine1, 0, false, Mark::kDisc, 4});
  way_ = addPath({{}, Token::kLine4, 1.2, false, Mark::kNone, 5, false});
  chosen_ = addPath({tr("of this step"), Token::kLine4, 0, false, Mark::kSquare, 7});
  setHoverText([this](const CurvePoint& at) {
    const auto point = pointAt(at);
    return tr("x %1, y %2 mm")
        .arg(fixed(turned_ ? point.y : point.x, 2), fixed(turned_ ? point.x : point.y, 2));
  });
}

Point PathPlot::shown(const Vector3& at_m) const {
  return turned_ ? Point{1e3 * at_m[1], 1e3 * at_m[0]} : Point{1e3 * at_m[0], 1e3 * at_m[1]};
}

void PathPlot::setSensor(const SensorDescription& sensor) {
  std::array<double, 2> low{HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL};
  for (int t = 0; t < sensor.tactels(); ++t)
    for (std::size_t axis = 0; axis < 2; ++axis) {
      low[axis] = std::min(low[axis], sensor.position_m(t)[axis]);
      high[axis] = std::max(high[axis], sensor.position_m(t)[axis]);
    }
  turned_ = high[1] - low[1] > high[0] - low[0];
  setAxisLabels(turned_ ? tr("y [mm]") : tr("x [mm]"), turned_ ? tr("x [mm]") : tr("y [mm]"));
  yAxis->setRangeReversed(turned_);
  std::vector<Point> centres;
  for (int t = 0; t < sensor.tactels(); ++t) centres.push_back(shown(sensor.position_m(t)));
  setPathPoints(tactels_, std::move(centres));
  const double margin_mm =
      sensor.arrays.empty() ? 1 : 1e3 * std::max(sensor.arrays[0].pitch_x_m, sensor.arrays[0].pitch_y_m);
  const auto range = [&](std::size_t axis) {
    return QCPRange(1e3 * low[axis] - margin_mm, 1e3 * high[axis] + margin_mm);
  };
  setFullRange(range(turned_ ? 1 : 0), range(turned_ ? 0 : 1));
  fitAll();
}

void PathPlot::setPlan(const Plan& plan, std::optional<int> step) {
  constexpr double kGap = std::numeric_limits<double>::quiet_NaN();
  std::vector<Point> others, chosen, slides;
  for (const auto& segment : plan.segments) {
    if (segment.by_hand) continue;
    const bool of_it = step && isOf(plan.steps[segment.step], *step);
    if (presses(segment)) (of_it ? chosen : others).push_back(shown(segment.end_m));
    if (segment.phase != Phase::kSlide) continue;
    slides.push_back(shown(segment.motion.from_m()));
    slides.push_back(shown(segment.end_m));
    slides.push_back({kGap, kGap});
  }
  const bool any = !others.empty() || !chosen.empty() || !slides.empty();
  setEmptyText(any ? QString() : tr("No press of this protocol touches the array."));
  setPathPoints(slides_, std::move(slides));
  setPlaces(std::move(others), std::move(chosen));
}

void PathPlot::setPlaces(std::vector<Point> others, std::vector<Point> chosen) {
  auto way = chosen;
  way.resize(std::min(way.size(), kJoined));
  setDescription(tr("%n presses on the array, %1 of them in the chosen step.", nullptr,
                    static_cast<int>(others.size() + chosen.size()))
                     .arg(chosen.size()));
  setPathPoints(others_, std::move(others));
  setPathPoints(way_, std::move(way));
  setPathPoints(chosen_, std::move(chosen));
  replot();
}

void PathPlot::setPresses(const std::vector<adaptive::PressThought>& presses) {
  std::vector<Point> places;
  for (const auto& press : presses) places.push_back(shown({press.x_m, press.y_m, 0}));
  setEmptyText({});
  setPathPoints(slides_, {});
  setPlaces({}, std::move(places));
}

PlannedForcePlot::PlannedForcePlot(QWidget* parent) : PlotView(parent) {
  setObjectName(QStringLiteral("protocolForce"));
  setAccessibleName(tr("Expected force"));
  setAxisLabels(tr("Time [min]"), tr("Force F [N]"));
  force_ = addSeries({tr("expected"), Token::kLine1, 1.4, false, Mark::kNone, 5, false});
  limit_ = addSeries({tr("limit"), Token::kBad, 1.4, true, Mark::kNone, 5, false});
}

void PlannedForcePlot::setPlan(const Plan& plan, const PlanSetup& setup,
                               const SensorDescription& sensor) {
  std::vector<Point> force{{0, 0}};
  for (const auto& segment : plan.segments) {
    if (segment.by_hand) continue;
    const double at_min = segment.end_s() / 60;
    const double force_N = segment.phase == Phase::kUnload || segment.touch == Touch::kAir
                               ? 0
                               : forceAtEnd(segment, plan, setup, sensor);
    if (at_min >= force.back().x) force.push_back({at_min, force_N});
  }
  const double end_min = std::max(force.back().x, 0.1);
  double top_N = 1.15 * plan.peak_force_N;
  if (setup.limits.max_force_N) {
    setPoints(limit_, {{0, *setup.limits.max_force_N}, {end_min, *setup.limits.max_force_N}});
    top_N = std::max(top_N, 1.1 * *setup.limits.max_force_N);
  } else {
    setPoints(limit_, {});
  }
  setPoints(force_, std::move(force));
  setFullRange({0, end_min}, {0, std::max(top_N, 0.1)});
  setDescription(tr("Expected force over %1 minutes, at most %2 N.")
                     .arg(fixed(end_min, 0), QString::number(plan.peak_force_N, 'g', 3)));
  fitAll();
}

}  // namespace tactelier::gui
