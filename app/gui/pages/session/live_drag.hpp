#pragma once
// What the pad holds against a tip that slides: the force along it over the way slid, live.

#include <array>
#include <optional>

#include "app/gui/widgets/plot_view.hpp"
#include "devices/acquisition/live_frame.hpp"

namespace tactelier::gui {

struct Drag {
  double size_N = 0;
  /// From the array's x towards its y, -pi to pi: where the force points that the sensor says.
  /// Nothing where the sensor does not press along its z.
  std::optional<double> towards_rad;
};

/// Of the force sensor's axes the two across the pressing one (0 to 2), together: friction in any
/// direction. `rz_rad`: the sensor's x, y turned onto the array's. Nothing without `zero_N`, what
/// these axes read in the air.
std::optional<Drag> dragOf(const std::array<double, 6>& wrench_SI,
                           const std::optional<std::array<double, 3>>& zero_N,
                           std::size_t press_axis, double rz_rad);

/// Drag and normal force of the slide at hand, the drag of the one before behind them.
class LiveDragPlot : public PlotView {
  Q_OBJECT
 public:
  explicit LiveDragPlot(QWidget* parent = nullptr);
  void add(const rig::LiveFrame& frame, bool fresh, const std::optional<Drag>& drag);
  void clearAll();
  void setHeld(bool held) { held_ = held; }
  /// In contact, and moved along the pad since it was touched.
  bool sliding() const { return along_.has_value(); }
  /// Drag by normal force, of the newest sample of a slide.
  std::optional<double> ratio() const { return ratio_; }
  /// Of that sample, as Drag has it.
  std::optional<double> towards_rad() const { return towards_rad_; }

 private:
  void redraw();

  bool held_ = false;
  std::optional<QPointF> touched_m_;  // where this contact began
  std::optional<QPointF> along_;      // unit vector of the slide, once there is one
  std::vector<Point> drag_, normal_, before_;
  std::optional<double> ratio_, towards_rad_;
  std::int64_t stage_ns_ = 0;
  int drag_path_ = 0, normal_path_ = 0, before_path_ = 0;
};

}  // namespace tactelier::gui
