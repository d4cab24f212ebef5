#include "app/gui/pages/session/live_drag.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace tactelier::gui {
namespace {

constexpr double kTouch_N = 0.1;    // above the noise of one frame
constexpr double kSlide_m = 20e-6;  // along the pad: a press goes straight down

}  // namespace

std::optional<Drag> dragOf(const std::array<double, 6>& wrench_SI,
                           const std::optional<std::array<double, 3>>& zero_N,
                           std::size_t press_axis, double rz_rad) {
  if (!zero_N) return std::nullopt;
  std::array<double, 3> force_N{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (axis != press_axis) force_N[axis] = wrench_SI[axis] - (*zero_N)[axis];
  Drag drag{std::hypot(force_N[0], force_N[1], force_N[2]), {}};
  if (press_axis == 2)
    drag.towards_rad =
        std::remainder(std::atan2(force_N[1], force_N[0]) + rz_rad, 2 * std::numbers::pi);
  return drag;
}

LiveDragPlot::LiveDragPlot(QWidget* parent) : PlotView(parent) {
  setAccessibleName(tr("Drag over the way slid"));
  setAxisLabels(tr("Way along the pad s [mm]"), tr("Force F [N]"));
  before_path_ = addPath({tr("drag of the slide before"), Token::kHistory, 1, false, Mark::kNone});
  normal_path_ = addPath({tr("normal force"), Token::kLine1, 1.4, true, Mark::kNone});
  drag_path_ = addPath({tr("drag"), Token::kLine2, 1.8, false, Mark::kDisc, 3});
  clearAll();
}

void LiveDragPlot::clearAll() {
  touched_m_.reset();
  along_.reset();
  ratio_.reset();
  towards_rad_.reset();
  drag_.clear();
  normal_.clear();
  before_.clear();
  redraw();
}

void LiveDragPlot::add(const rig::LiveFrame& frame, bool fresh, const std::optional<Drag>& drag) {
  if (held_ || !fresh || !drag || frame.stage_ns == stage_ns_ || frame.stage_ns == 0) return;
  stage_ns_ = frame.stage_ns;
  if (frame.force_N < kTouch_N) {
    touched_m_.reset();
    along_.reset();
    return;
  }
  const QPointF at_m(frame.position_m[0], frame.position_m[1]);
  if (!touched_m_) touched_m_ = at_m;
  const auto way_m = at_m - *touched_m_;
  const double length_m = std::hypot(way_m.x(), way_m.y());
  if (!along_) {
    if (length_m < kSlide_m) return;
    along_ = way_m / length_m;
    before_ = std::exchange(drag_, {});
    normal_.clear();
  }
  const double s_mm = 1e3 * QPointF::dotProduct(way_m, *along_);
  drag_.push_back({s_mm, drag->size_N});
  normal_.push_back({s_mm, frame.force_N});
  ratio_ = drag->size_N / frame.force_N;
  towards_rad_ = drag->towards_rad;
  redraw();
}

void LiveDragPlot::redraw() {
  const bool any = !drag_.empty();
  setEmptyText(any ? QString() : tr("Nothing has slid yet."));
  legend->setVisible(any);
  setPathPoints(before_path_, before_);
  setPathPoints(normal_path_, normal_);
  setPathPoints(drag_path_, drag_);
  clearFullRange();
  fitAll();
}

}  // namespace tactelier::gui
