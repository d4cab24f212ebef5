#pragma once
// One parameter over the array, value or uncertainty, or what the readings of each tactel lie off
// the model; the cursor chooses the tactel.

#include <optional>
#include <vector>

#include "app/gui/pages/fit/fit_source.hpp"
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
  Segmented* what() const { return what_; }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  enum What { kValue, kUncertainty, kResidual };
  struct Residual {
    std::optional<double> rms_counts;
    int presses = 0;
  };
  void refresh();
  void showResiduals();
  void readResiduals(std::vector<FitSource> sources);
  void paintResiduals();
  QString residualWords(int tactel) const;
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
  std::vector<Residual> residuals_;  // by tactel
  std::optional<FitBasis> asked_;    // what they are of
};

}  // namespace tactelier::gui
