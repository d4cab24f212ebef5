#pragma once
// One row or column of an image through the chosen tactel: what was read beside what is simulated.

#include <optional>

#include "app/gui/pages/compare/triptych_content.hpp"
#include "app/gui/widgets/panel.hpp"
#include "libcalib/sensor/sensor_description.hpp"

class QCPItemStraightLine;

namespace tactelier::gui {

class PlotView;
class Segmented;

class ProfilePanel : public Panel {
  Q_OBJECT
 public:
  explicit ProfilePanel(QWidget* parent = nullptr);
  /// Images by tactel; without any, or without a tactel, the plot is empty.
  void show(const SensorDescription& sensor, const TriptychContent& content,
            std::optional<int> tactel);

 private:
  void refresh();

  SensorDescription sensor_;
  TriptychContent content_;
  std::optional<int> tactel_;
  Segmented* along_;
  PlotView* plot_;
  int real_line_, simulated_line_;
  QCPItemStraightLine* cursor_;  // where the chosen tactel lies
};

}  // namespace tactelier::gui
