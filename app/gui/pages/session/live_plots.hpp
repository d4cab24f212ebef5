#pragma once
// Live curves of a session: force over the last seconds, force over travel press by press.

#include <deque>

#include "app/gui/widgets/plot_view.hpp"
#include "devices/acquisition/live_frame.hpp"

namespace tactelier::gui {

/// Least and greatest force of each frame, so that no spike is lost; a gap stays a gap.
class LiveForcePlot : public PlotView {
  Q_OBJECT
 public:
  explicit LiveForcePlot(QWidget* parent = nullptr);
  void setSpan(double span_s);
  /// The plot beneath has the same times and says them.
  void leaveTimesToTheNext();
  void setLimit(std::optional<double> limit_N);
  void add(const rig::LiveFrame& frame, bool fresh);
  void clearAll();
  /// While motion is locked the seconds before it stay, however long somebody looks.
  void setHeld(bool held);

 private:
  void redraw();

  bool held_ = false;
  double span_s_ = 10;
  std::optional<double> limit_N_;
  std::deque<Point> points_;  // x: the rig's time in s
  double now_s_ = 0;
  double heard_s_ = 0;
  std::int64_t force_ns_ = 0;
  int force_ = 0, line_ = 0;
  int waiting_ = 0;  // frames since it was drawn
};

/// The press at hand, loading and unloading, over those before it.
class LivePressPlot : public PlotView {
  Q_OBJECT
 public:
  explicit LivePressPlot(QWidget* parent = nullptr);
  void add(const rig::LiveFrame& frame, bool fresh);
  void clearAll();
  void setHeld(bool held) { held_ = held; }
  int presses() const { return presses_; }

 private:
  void redraw();

  bool held_ = false;
  std::vector<Point> press_;
  std::deque<std::vector<Point>> before_;
  std::int64_t stage_ns_ = 0;
  int presses_ = 0;
  int loading_ = 0, unloading_ = 0, history_ = 0;
};

}  // namespace tactelier::gui
