#pragma once
// One row or column of an image through the chosen tactel: what was read beside what is simulated.

#include <optional>
#include <vector>

#include "app/gui/widgets/panel.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier::gui {

class PlotView;
class Segmented;

class ProfilePanel : public Panel {
  Q_OBJECT
 public:
  explicit ProfilePanel(QWidget* parent = nullptr);
  /// Images by tactel; without any, or without a tactel, the plot is empty.
  void show(const SensorDescription& sensor, const std::vector<double>& real,
            const std::vector<double>& simulated, std::optional<int> tactel);

 private:
  void refresh();

  SensorDescription sensor_;
  std::vector<double> real_, simulated_;
  std::optional<int> tactel_;
  Segmented* along_;
  PlotView* plot_;
  int real_line_, simulated_line_;
};

}  // namespace tactelier::gui
