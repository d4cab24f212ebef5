#pragma once
// Readings of the tactels nearest to the tip over the last seconds, and of the one that the map's
// cursor stands on.

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "app/gui/widgets/plot_view.hpp"
#include "devices/acquisition/live_frame.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier::gui {

class LiveTracePlot : public PlotView {
  Q_OBJECT
 public:
  explicit LiveTracePlot(QWidget* parent = nullptr);
  void setSensor(const SensorDescription& sensor);
  void setSpan(double span_s);
  /// While motion is locked what was before it stays.
  void setHeld(bool held) { held_ = held; }
  /// Where the tip stands, in the sensor's frame; nothing where it isn't known.
  void setTip(const std::optional<Vector3>& over_pad_m) { tip_m_ = over_pad_m; }
  void setPressed(std::optional<int> tactel) { pressed_ = tactel; }
  void setChosen(std::optional<int> tactel);
  void add(const rig::LiveFrame& frame);
  void clearAll();
  QSize minimumSizeHint() const override { return {160, 90}; }

 private:
  struct Sample {
    double time_s = 0;  // the rig's
    std::vector<float> counts;
  };
  void redraw();
  std::vector<int> nearest() const;
  QString nameOf(int tactel) const;

  SensorDescription sensor_;
  bool held_ = false;
  double span_s_ = 10;
  std::deque<Sample> samples_;
  std::int64_t frame_ns_ = 0;
  double now_s_ = 0;
  std::optional<Vector3> tip_m_;
  std::optional<int> pressed_, chosen_;
  std::vector<int> shown_;
  int waiting_ = 0;  // frames since it was drawn
};

}  // namespace tactelier::gui
