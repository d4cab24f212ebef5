#pragma once
// The array as it reads now.

#include "app/gui/widgets/panel.hpp"
#include "libcalib/sensor/sensor_description.hpp"

class QLabel;

namespace tactelier::gui {

class TactileMapView;

class LiveImage : public Panel {
  Q_OBJECT
 public:
  explicit LiveImage(QWidget* parent = nullptr);
  void setSensor(const SensorDescription& sensor);
  /// `counts`: as the rig process sends them; empty or not fresh: nothing is shown.
  void show(const std::vector<float>& counts, bool fresh);

 private:
  void read();

  SensorDescription sensor_;
  TactileMapView* map_;
  QLabel* readout_;
  double low_ = 0, high_ = 0;  // of all frames since setSensor()
};

}  // namespace tactelier::gui
