#include "app/workflow/compared_newtons.hpp"

#include <cmath>

namespace tactelier {

ComparedNewtons::ComparedNewtons(const SensorModel& model) : readout_(model), newtons_(model) {
  for (std::size_t i = 0; i < newtons_.tactels(); ++i) {
    const auto tactel = tactel_calibration(model, i);
    least_N_.push_back(tactel.curve ? tactel.curve->low_N() : tactel.threshold_N);
  }
}

ForceImage ComparedNewtons::image(std::span<const double> above_rest) const {
  ForceImage image;
  std::vector<double> readings;
  for (std::size_t i = 0; i < above_rest.size(); ++i) {
    readings.push_back(readout_.recorded(i, above_rest[i]));
    const auto force = newtons_.tactel(i, readings.back());
    image.force_N.push_back(force.force_N.value_or(std::nan("")));
    image.flags.push_back(force.flag);
  }
  image.total_N = newtons_.total_N(readings);
  return image;
}

std::vector<double> ComparedNewtons::difference_N(const ForceImage& a, const ForceImage& b) const {
  std::vector<double> difference_N;
  for (std::size_t i = 0; i < a.force_N.size(); ++i) {
    const auto of = [&](const ForceImage& image) {
      return image.flags[i] == ReadingFlag::kBelow ? least_N_[i] : image.force_N[i];
    };
    difference_N.push_back(of(a) - of(b));
  }
  return difference_N;
}

}  // namespace tactelier
