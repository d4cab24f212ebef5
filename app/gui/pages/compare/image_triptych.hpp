#pragma once
// One press three times: as it was read, as a model predicts it, and what is left. The first two
// share one scale, all three one cursor.

#include <QWidget>
#include <array>
#include <optional>

#include "app/workflow/compare_report.hpp"
#include "libcalib/sensor/sensor_description.hpp"

class QLabel;

namespace tactelier::gui {

class Panel;
class TactileMapView;

/// Tops of the bars, counts.
struct ImageScales {
  double counts = 1;      // of the images
  double difference = 1;  // either way
};
/// What holds all of these images.
ImageScales scalesOf(const std::vector<const ComparedImage*>& images);

class ImageTriptych : public QWidget {
  Q_OBJECT
 public:
  enum Which { kReal, kSimulated, kDifference, kCount };

  explicit ImageTriptych(QWidget* parent = nullptr);
  void setSensor(const SensorDescription& sensor);
  /// nullptr: none.
  void show(const ComparedImage* image, const ImageScales& scales);
  void setCursor(std::optional<int> tactel);
  void moveCursor(int columns, int rows);
  TactileMapView* map(Which which) const { return maps_[which]; }
  /// Outlines at half of the largest real reading: real solid, simulated dashed.
  void setContours(bool shown);
  /// A control beside "Simulated".
  void addMethodTool(QWidget* tool);

 signals:
  void tactelChosen(int tactel);
  /// Other images, or another tactel under the cursor.
  void changed();

 private:
  void point(std::optional<int> tactel);
  void showReadout();
  void showContours();

  std::array<Panel*, kCount> panels_{};
  std::array<TactileMapView*, kCount> maps_{};
  SensorDescription sensor_;
  bool contours_ = true;
  QLabel* readout_;
};

}  // namespace tactelier::gui
