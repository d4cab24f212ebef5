#pragma once
// The array as it reads now, and what a run has covered of it.

#include "app/gui/pages/session/coverage.hpp"
#include "app/gui/widgets/panel.hpp"
#include "app/gui/widgets/tactile_map_view.hpp"
#include "app/workflow/adaptive_recording.hpp"
#include "libcalib/model_file/sensor_model.hpp"

class QHBoxLayout;
class QLabel;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace tactelier::gui {

class NewtonSwitch;
class Segmented;

class LiveImage : public Panel {
  Q_OBJECT
 public:
  explicit LiveImage(QWidget* parent = nullptr);
  void setSensor(const SensorDescription& sensor);
  /// That is open, nullptr for none: its newtons can be shown.
  void setModel(std::shared_ptr<const SensorModel> model);
  /// `counts`: as the rig process sends them; empty or not fresh: nothing is shown.
  void show(const std::vector<float>& counts, bool fresh);

  // --- Coverage: of the run at hand, or the last one ------------------------------------------
  void beginRun();
  void hear(const rig::messages::Press& press);
  /// What a recording that is resumed holds already.
  void addRecorded(const std::vector<Press>& presses);
  void see(const rig::LiveFrame& frame) { coverage_.see(frame); }
  /// Under the tip of the run at hand.
  std::optional<int> pressed() const { return coverage_.pressed(); }

  /// In a narrow window: the tip's coordinates beside the map, Cancel of what runs behind Go.
  void take(QWidget* beside_map, QWidget* behind_go);

  // --- Going to a tactel -------------------------------------------------------------------------
  /// Why the stage can't go there now; "" when it can.
  void setGoOff(const QString& why);
  /// That the map's cursor stands on.
  std::optional<int> chosen() const;

  // --- Targets: of a run that chooses its presses ---------------------------------------------
  void setChoosing(bool choosing);
  void showStanding(const AdaptiveNews& news);

 signals:
  void goWanted(int tactel);
  void chose(std::optional<int> tactel);

 private:
  TactileMapView* makeMap(const char* name, const QString& told);
  void showImage();
  std::pair<double, double> scale() const;
  void showShear();
  void choose(int view);
  void showCoverage();
  MapLine squareAround(double x_m, double y_m, bool dashed) const;
  QString coverageOf(int tactel) const;
  const TactileMapView* shownMap() const;
  void showGo();
  void read();

  SensorDescription sensor_;
  Coverage coverage_;
  QStackedWidget* views_;
  QHBoxLayout* beside_;  // the map and what stands beside it
  QHBoxLayout* foot_;
  Segmented* choice_;
  NewtonSwitch* unit_;
  QToolButton* shear_;
  TactileMapView* map_;
  TactileMapView* covered_;
  TactileMapView* standing_;
  QString standing_caption_;
  QLabel* readout_;
  QPushButton* go_;
  QString go_off_;
  QString image_caption_;
  std::vector<double> counts_;        // of the frame shown; NaN: none came
  int decimals_ = 0;                  // that readings are shown with; devices may send fractions
  std::vector<double> least_, most_;  // of each tactel, all frames since setSensor()
  std::vector<QPointF> across_, across_zero_;  // x, y of the frame shown, and of the shear's zero
  double most_across_ = 0;                     // of shear since its zero
  double high_N_ = 0;                          // the same with this model
};

}  // namespace tactelier::gui
