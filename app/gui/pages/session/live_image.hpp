#pragma once
// The array as it reads now, and what a run has covered of it.

#include "app/gui/pages/session/coverage.hpp"
#include "app/gui/widgets/panel.hpp"
#include "libcalib/sensor/sensor_description.hpp"

class QLabel;
class QStackedWidget;

namespace tactelier::gui {

class Segmented;
class TactileMapView;

class LiveImage : public Panel {
  Q_OBJECT
 public:
  explicit LiveImage(QWidget* parent = nullptr);
  void setSensor(const SensorDescription& sensor);
  /// `counts`: as the rig process sends them; empty or not fresh: nothing is shown.
  void show(const std::vector<float>& counts, bool fresh);

  // --- Coverage: of the run at hand, or the last one ------------------------------------------
  void beginRun();
  void hear(const rig::messages::Press& press);
  void see(const rig::LiveFrame& frame) { coverage_.see(frame); }

 private:
  TactileMapView* makeMap(const char* name);
  void choose(int view);
  void showCoverage();
  QString coverageOf(int tactel) const;
  void read();

  SensorDescription sensor_;
  Coverage coverage_;
  QStackedWidget* views_;
  Segmented* choice_;
  TactileMapView* map_;
  TactileMapView* covered_;
  QLabel* readout_;
  QString image_caption_;
  double low_ = 0, high_ = 0;  // of all frames since setSensor()
};

}  // namespace tactelier::gui
