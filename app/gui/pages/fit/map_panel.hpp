#pragma once
// One parameter over the array, value or uncertainty; the cursor chooses the tactel.

#include "app/gui/widgets/panel.hpp"
#include "libcalib/parameter.hpp"

class QComboBox;
class QLabel;

namespace tactelier::gui {

class AppState;
class Segmented;
class TactileMapView;

class MapPanel : public Panel {
  Q_OBJECT
 public:
  explicit MapPanel(AppState& state, QWidget* parent = nullptr);
  TactileMapView* map() const { return map_; }
  QComboBox* parameters() const { return parameters_; }

 private:
  void choosePressOn(int tactel);
  void fillParameters();
  void showParameter();
  void showReadout();

  AppState& state_;
  TactileMapView* map_;
  QComboBox* parameters_;
  Segmented* what_;
  QLabel* readout_;
  std::vector<Parameter> shown_;
};

}  // namespace tactelier::gui
