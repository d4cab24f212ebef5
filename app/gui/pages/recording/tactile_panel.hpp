#pragma once
// Tactile image of the moment shown, with play and slider.

#include "app/gui/pages/recording/frame_loader.hpp"
#include "app/gui/widgets/newton_switch.hpp"
#include "app/gui/widgets/panel.hpp"
#include "app/gui/widgets/tactile_map_view.hpp"
#include "fitting/views/recording_view.hpp"

namespace tactelier::gui {

class TimeBar;

class TactilePanel : public Panel {
  Q_OBJECT
 public:
  explicit TactilePanel(Jobs& jobs, QWidget* parent = nullptr);
  void setRecording(RecordingPtr recording);
  void setExtremes(const std::vector<TactelExtremes>& extremes);
  /// That is open, nullptr for none: its newtons can be shown.
  void setModel(std::shared_ptr<const SensorModel> model);
  void setPressed(std::optional<int> tactel) { map_->setPressed(tactel); }
  void setTime(double time_s);
  double time_s() const;
  TactileMapView* map() const { return map_; }
  TimeBar* timeBar() const { return time_bar_; }

 signals:
  void timeChanged(double time_s);
  void damageMet(const Warnings& damage);

 private:
  void showFrame(double time_s, const std::vector<double>& counts);
  void showUnit();
  void showReadout();
  void showLegend();

  FrameLoader loader_;
  RecordingPtr recording_;
  std::vector<TactelExtremes> extremes_;
  std::vector<double> counts_;  // of the frame shown
  TactileMapView* map_;
  NewtonSwitch* unit_;
  TimeBar* time_bar_;
  QLabel* readout_;
  QLabel* legend_;
};

}  // namespace tactelier::gui
