#pragma once
// One press three times: as it was read, as a model predicts it, and what is left. The first two
// share one scale, all three one cursor.

#include <QWidget>
#include <array>
#include <optional>

#include "app/gui/pages/compare/triptych_content.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier::gui {

class ElidedLabel;
class Panel;

class ImageTriptych : public QWidget {
  Q_OBJECT
 public:
  explicit ImageTriptych(QWidget* parent = nullptr);
  void setSensor(const SensorDescription& sensor);
  void show(const TriptychContent& content, const ImageScales& scales);
  void clear();
  void setLines(std::array<std::vector<MapLine>, kThirds> lines);
  /// Beneath the images, beside what the cursor reads.
  void setNote(const QString& words);
  void setCursor(std::optional<int> tactel);
  void moveCursor(int columns, int rows);
  TactileMapView* map(Third which) const { return maps_[which]; }
  const TriptychContent& content() const { return content_; }
  /// A control beside "Simulated".
  void addMethodTool(QWidget* tool);

 signals:
  void tactelChosen(int tactel);
  /// Other images, or another tactel under the cursor.
  void changed();

 private:
  void point(std::optional<int> tactel);
  void showReadout();
  void showCaptions();

  std::array<Panel*, kThirds> panels_{};
  std::array<TactileMapView*, kThirds> maps_{};
  TriptychContent content_;
  ElidedLabel *readout_, *note_;
};

}  // namespace tactelier::gui
