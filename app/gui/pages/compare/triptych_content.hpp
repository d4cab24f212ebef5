#pragma once
// One image press as three images in one unit: what was read, what a model predicts, and what is
// left between them.

#include <QString>
#include <array>
#include <optional>
#include <vector>

#include "app/gui/widgets/tactile_map_view.hpp"
#include "app/workflow/compare_report.hpp"
#include "app/workflow/compared_newtons.hpp"

namespace tactelier::gui {

enum Third { kReal, kSimulated, kDifference };
constexpr std::size_t kThirds = 3;

struct TriptychContent {
  std::array<std::vector<double>, kThirds> values;  // by tactel, NaN for none
  std::array<std::vector<TactelMark>, kThirds> marks;
  QString unit;
  /// Of what both images have; of forces what the model says of the whole array, if it does.
  std::array<std::optional<double>, kThirds> totals;
  double load_N = 0;  // that lay on the sensor
};

/// Tops of the bars.
struct ImageScales {
  double image = 1;
  double difference = 1;  // either way
};
/// What holds all of these images.
ImageScales scalesOf(const std::vector<TriptychContent>& images);

class ImageUnits {
 public:
  explicit ImageUnits(const SensorModel& model);
  TriptychContent counts(const ComparedImage& image) const;
  /// Of sensors with one reading per tactel.
  TriptychContent newtons(const ComparedImage& image) const;

 private:
  std::vector<TactelMark> sound_;  // dead and stuck tactels, by what the model says
  std::optional<ComparedNewtons> newtons_;
};

/// As many as tell a hundredth of a bar that ends at `top`.
int decimalsFor(double top);

}  // namespace tactelier::gui
